"""Weights of subtrees, and the search for the node that a score likes best.

Own weights are whole numbers (fractions are scaled), so that sums are exact, equal subtrees tie on every machine,
and the weight of a subtree is the difference of two prefix sums.
"""

from collections.abc import Callable
from tempfile import TemporaryFile

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from adebug_lsp.search.space import Space
from adebug_lsp.tree.columns import Ints

Own = Callable[[int, int], Ints]
"""The own weights of the nodes start, ..., stop - 1; those that are not suspect are not counted."""

Score = Callable[[Ints, int, int], NDArray[np.generic]]
"""What the weights of the subtrees of start, ..., stop - 1 are worth; larger is better."""

UNIT = 1 << 24
"""The own weight 1, where weights can be fractions."""

SPILL = 1 << 30
"""From this many bytes on, prefix sums lie in a file without a name instead of in memory."""


@frozen(eq=False)
class Weights:
    """The weights of all subtrees in the area of a space, at the moment of weighing."""

    space: Space
    low: int
    prefix: Ints

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
        difference: Ints = self.prefix.take(ends, mode="clip")  # no end lies outside, and checking would copy
        difference -= self.prefix[first:last]
        return difference

    def of_all(self, nodes: Ints) -> Ints:
        """The weights of the subtrees of these nodes."""
        here = nodes - self.low
        difference: Ints = self.prefix[here + self.space.tree.size[nodes]] - self.prefix[here]
        return difference


def weigh(space: Space, own: Own | None = None) -> Weights:
    """Weigh every subtree of the area; without `own`, by the number of its suspects."""
    low, high = space.area
    prefix = _scratch(high - low + 1)
    prefix[0] = 0
    for start, stop in space.blocks():
        here = prefix[start - low + 1 : stop - low + 1]
        suspects = space.suspects(start, stop)
        if not suspects.any():
            here[:] = prefix[start - low]
            continue
        np.cumsum(suspects if own is None else suspects * own(start, stop), out=here)
        here += prefix[start - low]
    return Weights(space, low, prefix)


def _scratch(length: int) -> Ints:
    if length * 8 < SPILL:
        return np.empty(length, dtype=np.int64)
    return np.memmap(TemporaryFile(), dtype=np.int64, mode="w+", shape=(length,))


def best(weights: Weights, score: Score) -> int | None:
    """The askable node with the largest score, the left-most of equals; None when nothing can be asked."""
    space = weights.space
    found: int | None = None
    highest: np.generic | None = None
    for start, stop in space.blocks():
        nodes = np.flatnonzero(space.askable(start, stop))
        if len(nodes) == 0:
            continue
        scores = score(weights.between(start, stop), start, stop)[nodes]
        index = int(np.argmax(scores))
        if highest is None or scores[index] > highest:
            found, highest = start + int(nodes[index]), scores[index]
    return found
