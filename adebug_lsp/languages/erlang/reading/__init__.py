"""Reads a recording: trace, terms, sites, frames, processes. Everything here is data; nothing is executed."""
