"""Weights of subtrees, and the search for the node with the best score.

Own weights are integers (fractions are scaled), so that sums are exact and equal subtrees tie on every machine. The
weight of a subtree is the difference of two prefix sums.
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
"""Returns the own weights of the nodes start, ..., stop - 1; values for nodes that are not suspect are ignored."""

Score = Callable[[Ints, int, int], NDArray[Any]]
"""Returns the scores of the subtrees of start, ..., stop - 1, given their weights; larger is better."""

UNIT = 1 << 24
"""The scaled weight 1 if weights can be fractions."""


@frozen(eq=False)
class Weights:
    """The weights of all subtrees in the area of a space; a snapshot."""

    space: Space
    low: int
    prefix: Column
    """The total own weight of all nodes of the area before each node."""

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
        difference = self.prefix.take(ends, mode="clip")  # no end is out of bounds, and checking would copy
        difference -= self.prefix[first:last]
        return difference.astype(np.int64, copy=False)

    def of_all(self, nodes: Ints) -> Ints:
        """The weights of the subtrees of these nodes."""
        here = nodes - self.low
        difference = self.prefix[here + self.space.tree.size[nodes]] - self.prefix[here]
        return difference.astype(np.int64, copy=False)


def weigh(space: Space, own: Own | None = None) -> Weights:
    """The weights of all subtrees of the area; without `own`, the number of their suspects."""
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
    """The askable node with the largest score, left-most in a tie; None if nothing can be asked."""
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
