"""Dependence graphs: what each execution depends on, as a function, so that only what a slice reaches is built."""

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
    """It would not have run otherwise."""
    RELEVANT = "relevant"
    """It used a value that was left as it was, because of a condition, a place written to or an end of a loop."""


@frozen
class Edge(Generic[N]):
    """One dependence."""

    on: N
    dependence: Dependence = Dependence.DATA
    certainty: Certainty = Certainty.EXACT


Graph = Callable[[N], Iterable[Edge[N]]]
"""What a node depends on directly."""
