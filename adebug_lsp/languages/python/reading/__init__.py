"""Reads a recording: its values, static facts and run, all as data; nothing is executed."""
