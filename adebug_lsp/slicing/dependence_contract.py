"""The dependences that a language provides, so that a mark can prune the search.

The two questions are those of chapter 6 of the thesis: where was the marked value made, and which nodes can have
influenced it. The second answer may name too many nodes, never too few.
"""

from collections.abc import Mapping
from typing import Protocol

from attrs import frozen

from adebug_lsp.model.answers import Mark


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


class Dependences(Protocol):
    """Implemented by a language."""

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """Follow the marked part of the node's behaviour, or None where the value cannot be followed."""


@frozen
class KnownTraces:
    """Dependences that were worked out beforehand, for hand-made trees."""

    traces: Mapping[tuple[int, Mark], Trace]

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`."""
        return self.traces.get((node, mark))
