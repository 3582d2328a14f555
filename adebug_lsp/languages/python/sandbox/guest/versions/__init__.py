"""Compares two versions of a module: which piece corresponds to which, and what is the same in both."""
