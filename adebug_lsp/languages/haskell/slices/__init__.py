"""Slices of a recorded run: the code that a part of a result needed, also as a program that runs."""
