"""Groups runs of siblings under new nodes, one for each part of a run.

A run is split repeatedly, so that the new nodes form a tree over it. The siblings are preserved and keep their order; a
part with one sibling needs no new node. All runs are split together, level by level.
"""

from collections.abc import Callable

import numpy as np

from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.tree.columns import Ints
from adebug_lsp.tree.transform.draft import Draft
from adebug_lsp.tree.transform.insertion import Insertion

Split = Callable[[Ints, Ints], tuple[Ints, Ints]]
"""Returns two cuts for each run low, ..., high - 1; equal cuts count once. Every part is shorter than its run."""


def group(draft: Draft | Insertion, nodes: Ints, runs: Ints, kind: NodeKind, split: Split) -> None:
    """Group the siblings nodes[low], ..., nodes[high - 1] of each run (low, high, whole).

    `whole` is 1 if they have no other siblings, so that no node for the whole run is needed.
    """
    tree = draft.tree
    start = draft.pool(nodes)
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
        single, several = highs - lows == 1, highs - lows > 1
        draft.move_all(nodes[lows[single]], above[single])
        lows, highs, above, parents = lows[several], highs[several], above[several], parents[several]
        new = np.ones(len(lows), dtype=np.bool_)
