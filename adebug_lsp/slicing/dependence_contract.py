"""The dependences that a language provides, so that a mark can prune the search.

They answer the two questions of chapter 6 of the thesis: where was the marked value made, and which nodes can have
influenced it. The second answer may name too many nodes, but never too few.
"""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from adebug_lsp.model.answers import Mark
from adebug_lsp.model.source import Location
from adebug_lsp.slicing.provenance import Certainty
from adebug_lsp.slicing.slicer import Slice

Ints = NDArray[np.int64]


@frozen
class Stage:
    """A stage on the way of a value: where it was made, or a hand-over."""

    text: str
    """A clause, such as `returned by total`."""
    location: Location | None


@frozen
class Write:
    """One write of a variable or of a part of an object."""

    text: str
    """The statement that wrote it."""
    routine: str
    value: str
    """The value after the write."""
    location: Location | None


@frozen
class History:
    """The writes of one place up to a moment."""

    writes: tuple[Write, ...]
    """The writes, oldest first."""
    before: str
    """Why no earlier write is listed."""


@frozen
class Trace:
    """The origin of a marked value."""

    origin: int
    """The node that introduced the value into the computation (Lemma 58)."""
    influencers: frozenset[int]
    """Every node that can have influenced it: `collect` of Figure 6.4, the origin included."""
    explanation: str = ""
    """Where the value was made and how it was handed on, as the end of a sentence. If set, the origin is asked about
    next, whatever the strategy; the trails of the thesis have none.
    """
    stages: tuple[Stage, ...] = ()
    """The explanation step by step, the maker first."""
    certainty: Certainty | None = None
    """How sure the explanation is; None without one."""
    needed: Ints | None = field(default=None, eq=False)
    """The nodes, in order, that the value depends on by its relevant slice; they are asked about before others. The bug
    that made the value is among them, unless a statement is missing. None if unknown.
    """


class Dependences(Protocol):
    """The origins of values; implemented by languages."""

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """Follow the marked part of the node's behaviour; None if the value cannot be followed."""


class Tracing(Dependences, Protocol):
    """Further facts about values; implemented by languages."""

    def history(self, node: int, mark: Mark) -> History | None:
        """Every write of the marked place, up to the moment of the mark."""

    def slice(self, node: int, mark: Mark, *, forward: bool) -> Slice | None:
        """The code that the marked part depends on, or that depends on it."""

    def printed(self, node: int, start: int, stop: int) -> Trace | None:
        """The call that printed a range of characters of a node's output."""


@frozen
class KnownTraces:
    """Dependences given in advance, for hand-made trees."""

    traces: Mapping[tuple[int, Mark], Trace]

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`."""
        return self.traces.get((node, mark))
