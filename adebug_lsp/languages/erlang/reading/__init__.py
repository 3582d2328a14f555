"""Reads a recording: trace, terms, sites, frames, processes. It is data; nothing of it is executed."""
