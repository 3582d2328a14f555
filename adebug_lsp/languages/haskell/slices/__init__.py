"""Slices of a recorded run: the code that part of a result needed, also as a program that runs; and its trails."""
