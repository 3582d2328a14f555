"""Strategies that follow marks: where a marked value came from decides what is asked next.

Nodes that a mark cut away have already left the space; these strategies order the rest. Without marks both are
top-down.
"""

from itertools import takewhile

import numpy as np

from adebug_lsp.search.divide_and_query import required
from adebug_lsp.search.space import Space
from adebug_lsp.search.top_down import TopDown, in_order
from adebug_lsp.search.weights import Own, best, weigh
from adebug_lsp.slicing.dependence_contract import Trace
from adebug_lsp.tree.columns import ExecutionTree, Ints

MADE, HANDED_ON, INFLUENCED = 3, 2, 1
"""Section 7.3.3: addends to the weight of nodes that made, handed on or may have influenced a marked value."""


class SubtermTracking:
    """MacLarty 2005: along the chain of nodes that handed the marked value on, from its origin outwards.

    The newest mark is followed first; when its chain is used up, the one before it goes on.
    """

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        for marked, trace in reversed(space.traces):
            for node in chain(space.tree, marked, trace.origin):
                if space.is_askable(node):
                    return node
        return TopDown(in_order).choose(space)


class ProcessDirected:
    """Caballero et al. 2018: stay with a process until something that it got is wrong, then go to where that came from.

    The processes are what lies directly below the root.
    """

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        last = next(reversed(space.judged), 0)
        came_from = SubtermTracking()
        if space.traces and space.traces[-1][0] == last:
            return came_from.choose(space)
        home = next((node for node in (last, *space.tree.ancestors(last)) if space.tree.parent[node] == 0), None)
        stays = (node for node in space.frontier() if home is not None and space.tree.contains(home, node))
        return next(stays, None) or came_from.choose(space)


class DynamicWeighting:
    """Silva 2007: nodes gain weight by what they did to marked values; ask the heaviest."""

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        weights = mark_weights(space)
        return required(best(weigh(space), lambda _w, start, stop: weights(start, stop)))


def mark_weights(space: Space) -> Own:
    """The weight of each node by itself: 1, plus the bonus of every mark."""
    bonuses = [_Bonus(space.tree, marked, trace) for marked, trace in space.traces]

    def own(start: int, stop: int) -> Ints:
        weights = np.ones(stop - start, dtype=np.int64)
        for bonus in bonuses:
            weights += bonus.between(start, stop)
        return weights

    return own


class _Bonus:
    """The weights that one mark adds to the nodes."""

    def __init__(self, tree: ExecutionTree, marked: int, trace: Trace) -> None:
        self._made = trace.origin, tree.end(trace.origin)
        self._handed_on = np.array(sorted(path_between(tree, marked, trace.origin)), dtype=np.int64)
        self._influenced = np.array(sorted(trace.influencers - {marked}), dtype=np.int64)

    def between(self, start: int, stop: int) -> Ints:
        bonus = np.zeros(stop - start, dtype=np.int64)
        for nodes, gain in ((self._influenced, INFLUENCED), (self._handed_on, HANDED_ON)):
            first, last = np.searchsorted(nodes, (start, stop))
            bonus[nodes[first:last] - start] = gain
        bonus[max(self._made[0] - start, 0) : max(self._made[1] - start, 0)] = MADE
        return bonus


def chain(tree: ExecutionTree, marked: int, origin: int) -> list[int]:
    """The nodes that made a value and handed it on towards the marked node, from the origin outwards."""
    above = {marked, *tree.ancestors(marked)}
    return list(takewhile(lambda node: node not in above, (origin, *tree.ancestors(origin))))


def path_between(tree: ExecutionTree, start: int, end: int) -> set[int]:
    """The nodes on the way through the tree between two nodes, without both ends."""
    sides = {*chain(tree, start, end), *chain(tree, end, start)}
    apex = max({start, *tree.ancestors(start)} & {end, *tree.ancestors(end)})  # nearest: preorder grows downwards
    return (sides | {apex}) - {start, end}
