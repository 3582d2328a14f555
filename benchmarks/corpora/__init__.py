"""Execution trees with known wrong nodes, to compare strategies on: random ones, and those of mutated programs."""

from benchmarks.corpora.case import Case
from benchmarks.corpora.random_trees import random_cases
from benchmarks.corpora.realistic import realistic_cases

__all__ = ["Case", "random_cases", "realistic_cases"]
