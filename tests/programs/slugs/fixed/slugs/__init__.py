"""Titles to addresses, and an index that finds them again."""
