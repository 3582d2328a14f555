"""Compares two versions of a module: which pieces correspond, and which code is the same in both."""
