"""Reads a recording: trace, terms, sites, frames, processes, all as data; nothing is executed."""
