"""Strategies that follow marks to the origin of the marked value.

The space has already cut the nodes that cannot have influenced the value; these strategies order the rest. Without
marks they are top-down.
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
"""Section 7.3.3: extra weight of nodes that made, handed on or may have influenced a marked value."""


class SubtermTracking:
    """Subterm dependency tracking (MacLarty 2005): the nodes that handed the marked value on, from its origin outwards.

    The newest mark is followed first, then earlier ones.
    """

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        for marked, trace in reversed(space.traces):
            for node in chain(space.tree, marked, trace.origin):
                if space.is_askable(node):
                    return node
        return TopDown(in_order).choose(space)


class ProcessDirected:
    """Process-directed (Caballero et al. 2018): stay in a process until a value that it received is wrong.

    Then follow that value to the process it came from. Processes are the children of the root.
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
    """Dynamic weighting (Silva 2007): ask the heaviest node, where marks add weight to the nodes on their traces."""

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        weights = mark_weights(space)
        return required(best(weigh(space), lambda _w, start, stop: weights(start, stop)))


def mark_weights(space: Space) -> Own:
    """Own weights: 1, plus the bonus of every mark."""
    bonuses = [_Bonus(space.tree, marked, trace) for marked, trace in space.traces]

    def own(start: int, stop: int) -> Ints:
        weights = np.ones(stop - start, dtype=np.int64)
        for bonus in bonuses:
            weights += bonus.between(start, stop)
        return weights

    return own


class _Bonus:
    """The extra weights that one mark gives to nodes."""

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
    """The nodes that handed a value on from its origin to the marked node, from the origin outwards."""
    above = {marked, *tree.ancestors(marked)}
    return list(takewhile(lambda node: node not in above, (origin, *tree.ancestors(origin))))


def path_between(tree: ExecutionTree, start: int, end: int) -> set[int]:
    """The nodes on the path between two nodes of the tree, without its ends."""
    sides = {*chain(tree, start, end), *chain(tree, end, start)}
    apex = max({start, *tree.ancestors(start)} & {end, *tree.ancestors(end)})  # nearest: preorder grows downwards
    return (sides | {apex}) - {start, end}
