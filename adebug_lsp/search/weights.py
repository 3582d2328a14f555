"""Weights of subtrees, and the search for the node that a score likes best.

Own weights are whole numbers (fractions are scaled), so that sums are exact, equal subtrees tie on every machine,
and the weight of a subtree is the difference of two prefix sums.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from adebug_lsp.search.space import Space
from adebug_lsp.tree.columns import Column, Ints
from adebug_lsp.tree.scratch import scratch

Own = Callable[[int, int], Ints]
"""The own weights of the nodes start, ..., stop - 1; those that are not suspect are not counted."""

Score = Callable[[Ints, int, int], NDArray[Any]]
"""Scores the subtrees of start, ..., stop - 1 by their weights; larger is better."""

UNIT = 1 << 24
"""The own weight 1, where weights can be fractions."""


@frozen(eq=False)
class Weights:
    """The weights of all subtrees in the area of a space, at the moment of weighing."""

    space: Space
    low: int
    prefix: Column
    """Before each node of the area, the weight of all in front of it."""

    @property
    def total(self) -> int:
        """The weight of the whole area: `w` in the thesis."""
        return int(self.prefix[-1])

    def of(self, node: int) -> int:
        """The weight of one subtree."""
        return int(self.prefix[self.space.tree.end(node) - self.low] - self.prefix[node - self.low])

    def between(self, start: int, stop: int) -> Ints:
        """The weights of the subtrees of start, ..., stop - 1."""
        first, last = start - self.low, stop - self.low
        ends = np.arange(first, last)
        ends += self.space.tree.size[start:stop]
        difference = self.prefix.take(ends, mode="clip")  # no end lies outside, and checking would copy
        difference -= self.prefix[first:last]
        return difference.astype(np.int64, copy=False)

    def of_all(self, nodes: Ints) -> Ints:
        """The weights of the subtrees of these nodes."""
        here = nodes - self.low
        difference = self.prefix[here + self.space.tree.size[nodes]] - self.prefix[here]
        return difference.astype(np.int64, copy=False)


def weigh(space: Space, own: Own | None = None) -> Weights:
    """Weigh every subtree of the area; without `own`, by the number of its suspects."""
    low, high = space.area
    prefix = scratch(high - low + 1, np.dtype(np.int32 if own is None else np.int64))
    prefix[0] = 0
    for start, stop in space.blocks():
        before, here = int(prefix[start - low]), prefix[start - low + 1 : stop - low + 1]
        suspects = space.suspects(start, stop)
        if not suspects.any():
            here[:] = before
        elif own is None and suspects.all():
            here[:] = np.arange(before + 1, before + 1 + len(here), dtype=here.dtype)
        else:
            np.cumsum(suspects if own is None else _counted(own(start, stop), suspects), out=here)
            here += before
    return Weights(space, low, prefix)


def _counted(weights: Ints, suspects: NDArray[np.bool_]) -> Ints:
    return weights if suspects.all() else weights * suspects


def best(weights: Weights, score: Score) -> int | None:
    """The askable node with the largest score, the left-most of equals; None when nothing can be asked."""
    space = weights.space
    best_node: int | None = None
    highest: np.generic | None = None
    for start, stop in space.blocks():
        nodes = np.flatnonzero(space.askable(start, stop))
        if len(nodes) == 0:
            continue
        scores = score(weights.between(start, stop), start, stop)[nodes]
        index = int(np.argmax(scores))
        if highest is None or scores[index] > highest:
            best_node, highest = start + int(nodes[index]), scores[index]
    return best_node
