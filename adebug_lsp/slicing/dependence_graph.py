"""Dependence graphs, as a function from an execution to its dependences, so that only the slice is built."""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Generic, TypeVar

from attrs import frozen

from adebug_lsp.slicing.provenance import Certainty

N = TypeVar("N")


class Dependence(Enum):
    """How an execution depends on another."""

    DATA = "data"
    """It used the value."""
    CONTROL = "control"
    """It would not have run without it."""
    RELEVANT = "relevant"
    """It used a value that a condition, a write to another place or the end of a loop left unchanged."""


@frozen
class Edge(Generic[N]):
    """One dependence."""

    on: N
    dependence: Dependence = Dependence.DATA
    certainty: Certainty = Certainty.EXACT


Graph = Callable[[N], Iterable[Edge[N]]]
"""Returns the direct dependences of a node."""
