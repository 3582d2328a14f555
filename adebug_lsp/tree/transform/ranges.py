"""Groups runs of siblings under new nodes, each of which stands for a part of its run.

Parts are found by splitting a run again and again, so that the new nodes form a tree over it. The siblings themselves
are preserved and keep their order; a part of one sibling needs no new node. All runs are split in step, one level of
the new nodes after the other.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.tree.columns import Ints
from adebug_lsp.tree.transform.draft import Draft

Split = Callable[[Ints, Ints], tuple[Ints, Ints]]
"""For runs low, ..., high - 1 two places each to cut at; equal ones cut once. Every part is shorter than its run."""


def group(draft: Draft, members: Sequence[int], runs: Ints, kind: NodeKind, split: Split) -> None:
    """Group the siblings members[low], ..., members[high - 1] of each run (low, high, whole).

    `whole` is 1 where they have no other siblings, and need no new node for all of them.
    """
    tree = draft.tree
    nodes = np.array(members, dtype=np.int64)
    start = draft.pool(members)
    lows, highs, whole = runs[:, 0], runs[:, 1], runs[:, 2] == 1
    parents = tree.parent[nodes[lows]].astype(np.int64)
    above = np.array([draft.current(parent) for parent in parents.tolist()], dtype=np.int64)
    new = ~whole
    while len(lows):
        left, right, under = nodes[lows[new]], nodes[highs[new] - 1], parents[new]
        site, cost = tree.site[under], tree.cost[under]
        facts = (site, int(kind), tree.raised[right], cost, tree.first[left], tree.last[right], 0)
        above[new] = draft.make_all(above[new], left, (start + lows[new], start + highs[new]), facts)
        low_cut, high_cut = split(lows, highs)
        lows, highs = np.concatenate([lows, low_cut, high_cut]), np.concatenate([low_cut, high_cut, highs])
        above, parents = np.tile(above, 3), np.tile(parents, 3)
        for member, number in _alone(nodes, lows, highs, above):
            draft.move(member, number)
        several = highs - lows > 1
        lows, highs, above, parents = lows[several], highs[several], above[several], parents[several]
        new = np.ones(len(lows), dtype=np.bool_)


def _alone(nodes: Ints, lows: Ints, highs: Ints, above: Ints) -> Iterator[tuple[int, int]]:
    """The parts of one member: the member and what it goes under."""
    one = highs - lows == 1
    return zip(nodes[lows[one]].tolist(), above[one].tolist(), strict=True)
