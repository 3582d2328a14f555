"""Expected cost, the default strategy: ask what buys most information for the reading that it costs.

The gain of a question is the expected number of bits by which it shrinks the set of candidates; the price is the text
to read, plus a constant for any new question. So that a misleading belief cannot lead astray for long, after
log2(n) questions only those are asked that divide the candidates as well as optimal divide and query would.
"""

from math import log2

import numpy as np
from attrs import frozen

from adebug_lsp.search.belief import belief
from adebug_lsp.search.space import Space
from adebug_lsp.search.weights import Weights, weigh
from adebug_lsp.tree.columns import Ints

TURNING = 1000
"""The cost of any further question, in characters of reading."""

PRECISION = 1e12
"""Scores are compared as whole numbers, so that the last bits of a logarithm cannot decide."""


LARGE = 1 << 16
"""From this many candidates on, a question about less than a thousandth of them cannot be worth its reading."""


@frozen
class ExpectedCost:
    """Information per unit of reading."""

    turning: float = TURNING

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        counts = weigh(space)
        candidates = counts.total + (space.top is not None)
        nodes, inside = _worth_asking(counts, candidates)
        no = belief(space, candidates).of_no(nodes)
        outside = np.maximum(candidates - inside, 1)
        gain = no * np.log2(candidates / inside) + (1 - no) * np.log2(candidates / outside)
        value = np.rint(PRECISION * gain / (self.turning + space.tree.cost[nodes])).astype(np.int64)
        if len(space.answers) >= int(log2(len(space.tree))) - 1:
            left = np.maximum(inside, candidates - inside)
            value[left > left.min()] = -1
        return int(nodes[np.argmax(value)])


def _worth_asking(counts: Weights, candidates: int) -> tuple[Ints, Ints]:
    """The nodes that can be asked about, and how many candidates each has in its subtree."""
    space = counts.space
    nodes: list[Ints] = []
    weights: list[Ints] = []
    for start, stop in space.blocks():
        askable = space.askable(start, stop)
        if not askable.any():
            continue
        inside = counts.between(start, stop)
        if candidates > LARGE:
            askable &= inside * 1024 >= candidates
        here = np.flatnonzero(askable)
        nodes.append(here + start)
        weights.append(inside[here])
    if not any(map(len, nodes)):  # a very flat tree: nothing is large
        return _any(space), np.ones(1, dtype=np.int64)
    return np.concatenate(nodes), np.concatenate(weights)


def _any(space: Space) -> Ints:
    first = next(mask.argmax() + start for start, stop in space.blocks() if (mask := space.askable(start, stop)).any())
    return np.array([first], dtype=np.int64)
