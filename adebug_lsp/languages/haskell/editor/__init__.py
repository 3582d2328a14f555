"""Outlines of a Haskell text."""
