"""What a language must be able to say about the values of a run so that a mark can prune the search.

The three questions are those of chapter 6 of the thesis: where was the marked value made, which nodes handed it on,
and which nodes can have influenced it. The last answer may name too many nodes, never too few.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from attrs import field, frozen

from adebug_lsp.model.answers import Mark


@frozen
class Trace:
    """What is known about one marked value."""

    origin: int
    """The node that introduced the value into the computation (Lemma 58)."""
    influencers: frozenset[int] = field(converter=frozenset)
    """Every node that can have influenced it: `collect` of Figure 6.4, the origin included."""
    chain: tuple[int, ...] = field(default=(), converter=tuple)
    """The nodes that made the value and handed it on, from the origin outwards; the marked node is left out."""


class Dependences(Protocol):
    """Given by a language; the core only asks."""

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """Follow the marked part of the node's behaviour, or None where the value cannot be followed."""


@frozen
class KnownTraces:
    """Dependences that were worked out beforehand, for hand-made trees."""

    traces: Mapping[tuple[int, Mark], Trace]

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`."""
        return self.traces.get((node, mark))


def marked_sets(
    trace: Trace, marked: int, path_between: Sequence[int], subtree_of_origin: Collection[int]
) -> tuple[set[int], set[int], set[int]]:
    """The sets 1, 2 and 3 of Dynamic Weighting Search (section 7.3.3); whatever is in none of them is set 4."""
    first = set(subtree_of_origin) | {trace.origin}
    second = set(path_between) - first - {marked}
    third = set(trace.influencers) - first - second - {marked}
    return first, second, third
