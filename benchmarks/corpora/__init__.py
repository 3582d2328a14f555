"""Execution trees with known wrong nodes, for comparing strategies: random trees, and runs of mutated programs."""

from benchmarks.corpora.case import Case
from benchmarks.corpora.random_trees import random_cases
from benchmarks.corpora.realistic import realistic_cases

__all__ = ["Case", "random_cases", "realistic_cases"]
