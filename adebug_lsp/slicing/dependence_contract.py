"""The dependences that a language provides, so that a mark can prune the search.

The two questions are those of chapter 6 of the thesis: where was the marked value made, and which nodes can have
influenced it. The second answer may name too many nodes, never too few.
"""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from adebug_lsp.model.answers import Mark
from adebug_lsp.model.source import Location
from adebug_lsp.slicing.provenance import Certainty

Ints = NDArray[np.int64]


@frozen
class Stage:
    """One stage of the way of a value: where it was made, or how it was handed on."""

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
    """What was there afterwards."""
    location: Location | None


@frozen
class History:
    """The writes of one place up to a moment."""

    writes: tuple[Write, ...]
    """The newest is the last."""
    before: str
    """Why no earlier write is listed."""


@frozen
class Trace:
    """Where one marked value came from."""

    origin: int
    """The node that introduced the value into the computation (Lemma 58)."""
    influencers: frozenset[int]
    """Every node that can have influenced it: `collect` of Figure 6.4, the origin included."""
    explanation: str = ""
    """Where the value was made and how it was handed on, as the end of a sentence. With one, the origin is asked about
    next, whatever the strategy; the trails of the thesis have none."""
    stages: tuple[Stage, ...] = ()
    """The same step by step, the maker first."""
    certainty: Certainty | None = None
    """How sure the explanation is; None: there is none."""
    needed: Ints | None = field(default=None, eq=False)
    """The nodes, in order, that the value depends on by its relevant slice; they are asked about before others. A bug
    that made the value is among them, unless a statement is missing. None: not known."""


class Dependences(Protocol):
    """Implemented by a language."""

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """Follow the marked part of the node's behaviour, or None where the value cannot be followed."""


class Tracing(Dependences, Protocol):
    """What a language knows beyond the origin of a marked part."""

    def history(self, node: int, mark: Mark) -> History | None:
        """Every write of the place that the mark names, up to the moment that the mark is about."""

    def printed(self, node: int, start: int, stop: int) -> Trace | None:
        """The call that printed a range of characters of what the node shows as printed."""


@frozen
class KnownTraces:
    """Dependences that were worked out beforehand, for hand-made trees."""

    traces: Mapping[tuple[int, Mark], Trace]

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`."""
        return self.traces.get((node, mark))
