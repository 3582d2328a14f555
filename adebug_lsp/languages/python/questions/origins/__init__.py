"""Follows every part of a value to its origin, by a model of what expressions and library functions do with values."""
