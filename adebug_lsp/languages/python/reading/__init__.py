"""Reads a recording: its values, its static facts and its run. Everything here is data; nothing is executed."""
