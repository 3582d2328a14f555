"""Builds behaviours: the values before and after a piece of code, and how it ended."""
