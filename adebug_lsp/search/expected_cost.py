"""Expected cost, the default strategy: ask what buys most information for the reading that it costs.

The gain of a question is the expected number of bits by which it shrinks the set of candidates; the price is the text
to read, plus a constant for any new question. So that a misleading belief cannot lead astray for long, after
log2(n) questions only those are asked that divide the candidates as well as optimal divide and query would.

Plumbing is asked about when nothing else is left, and loops and iterations, which are hard to judge, when no call is
left: that is the first of the two phases of the papers. One loop of the known-wrong code that holds most of what can be
the bug is halved at once, as its calls would be asked about one by one.
"""

from math import log2

import numpy as np
from attrs import frozen

from adebug_lsp.model.kinds import LOOP_KINDS, NodeKind
from adebug_lsp.search.belief import belief
from adebug_lsp.search.space import Space
from adebug_lsp.search.weights import Weights, weigh
from adebug_lsp.tree.columns import Ints

TURNING = 1000
"""The cost of any further question, in characters of reading."""

PRECISION = 1e12
"""Scores are compared as whole numbers, so that the last bits of a logarithm cannot decide."""


_OF_LOOPS = np.isin(np.arange(len(NodeKind)), sorted(LOOP_KINDS))
"""Which kinds of nodes are loops or parts of them."""

MANY = 32
"""A loop with fewer candidates is not halved while there is a call in it or beside it."""

LARGE = 1 << 16
"""From this many candidates on, a question about less than a thousandth of them cannot be worth its reading."""


@frozen
class ExpectedCost:
    """Information per unit of reading."""

    turning: float = TURNING

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        with space.without_plumbing():
            return self._choose(space)

    def _choose(self, space: Space) -> int:
        counts = weigh(space)
        candidates = counts.total + (space.top is not None)
        nodes, inside = _calls_first(space, *_worth_asking(counts, candidates), counts.total)
        no = belief(space, candidates).of_no(nodes)
        outside = np.maximum(candidates - inside, 1)
        gain = no * np.log2(candidates / inside) + (1 - no) * np.log2(candidates / outside)
        value = np.rint(PRECISION * gain / (self.turning + space.tree.cost[nodes])).astype(np.int64)
        if len(space.answers) >= int(log2(len(space.tree))) - 1:
            left = np.maximum(inside, candidates - inside)
            value[left > left.min()] = -1
        return int(nodes[np.argmax(value)])


def _calls_first(space: Space, nodes: Ints, inside: Ints, total: int) -> tuple[Ints, Ints]:
    """Leaves out loops, iterations and their ranges while there is a call, except those of a loop that holds most."""
    tree = space.tree
    of_loop = _OF_LOOPS[tree.kind[nodes]]
    first = ~of_loop
    if space.top is None or not of_loop.any() or not first.any():
        return (nodes, inside) if not first.any() else (nodes[first], inside[first])
    large = nodes[of_loop & (tree.parent[nodes] == space.top) & (2 * inside >= max(total, 2 * MANY))]
    around = [space.top] if _OF_LOOPS[tree.kind[space.top]] and total >= MANY else []
    for loop in (*around, *large.tolist()):
        within = (nodes >= loop) & (nodes < tree.end(loop)) & (tree.site[nodes] == tree.site[loop])
        first |= of_loop & within
    return nodes[first], inside[first]


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
