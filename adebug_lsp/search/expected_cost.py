"""Expected cost, the default strategy: ask for the most information per unit of reading.

The gain of a question is the expected number of bits by which it shrinks the set of candidates; the price is the text
to read, plus a constant for any new question. So that a misleading belief cannot mislead for long, after log2(n)
questions only those are asked that divide the candidates as well as optimal divide and query would.

Nodes that a wrong value does not depend on are asked about later, and plumbing last. Loops and iterations come after
calls, which are easier to judge, unless the code around them is known to be wrong: these are the two phases of the
papers. A loop with most of the candidates is halved at once, because its calls would be asked about one by one.
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
"""Scores are compared as integers, so that the last bits of a logarithm decide nothing."""


_OF_LOOPS = np.isin(np.arange(len(NodeKind)), sorted(LOOP_KINDS))
"""Which kinds of nodes are loops or parts of them."""

MANY = 16
"""Candidates in a loop from which it is halved although the code around it may be right."""

LARGE = 1 << 16
"""Number of candidates from which a question about less than a thousandth of them is not worth reading."""


@frozen
class ExpectedCost:
    """Information per unit of reading."""

    turning: float = TURNING

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        with space.without_postponed():
            return self._choose(space)

    def _choose(self, space: Space) -> int:
        """The node with the most information per unit of reading."""
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
    """The nodes without loops of code that is not known to be wrong, as long as there is a call; a loop with most
    candidates stays.

    In a program without plumbing this was measured to cost questions: it has one module, whose loops its author knows.
    """
    tree = space.tree
    of_loop = _OF_LOOPS[tree.kind[nodes]]
    if space.plumbing is None or not of_loop.any() or of_loop.all():
        return nodes, inside
    first, loops = ~of_loop, nodes[of_loop]
    in_top = loops[tree.parent[loops] == space.top]
    while len(in_top):
        first |= np.isin(nodes, in_top)
        in_top = loops[np.isin(tree.parent[loops], in_top)]
    for loop in nodes[of_loop & (inside >= max(total / 2, MANY))].tolist():
        first |= of_loop & (nodes >= loop) & (nodes < tree.end(loop)) & (tree.site[nodes] == tree.site[loop])
    return nodes[first], inside[first]


def _worth_asking(counts: Weights, candidates: int) -> tuple[Ints, Ints]:
    """The nodes that can be asked about, and the number of candidates in each one's subtree."""
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
