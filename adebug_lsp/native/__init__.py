"""Loops over whole columns in C, for readers and trees; each has a twin in numpy that gives the same columns."""
