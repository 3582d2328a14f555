"""A draft that only inserts new nodes between a node and adjacent children of it; nothing is removed or reordered.

The new numbers can then be computed by counting, in a few passes over whole columns. New nodes are created from the
outside inwards, each from all nodes that will be below it.
"""

import numpy as np

from adebug_lsp.tree.columns import ExecutionTree, Ints
from adebug_lsp.tree.transform.draft import BEFORE, HIGH, Transformed, columns_of, joined, transformed


class Insertion:
    """See `Draft`, whose methods these are."""

    def __init__(self, tree: ExecutionTree) -> None:
        self.tree = tree
        self._parents = [tree.parent.astype(np.int64)]
        self._tables: list[Ints] = []
        self._pools: list[Ints] = []

    def pool(self, nodes: Ints) -> int:
        """See `Draft`."""
        start = sum(map(len, self._pools))
        self._pools.append(nodes)
        return start

    def make_all(self, parents: Ints, before: Ints, sources: tuple[Ints, Ints], facts: tuple[Ints | int, ...]) -> Ints:
        """See `Draft`."""
        start = sum(map(len, self._parents))
        self._tables.append(columns_of(before, sources, facts))
        self._parents.append(parents)
        return np.arange(start, start + len(parents))

    def move_all(self, nodes: Ints, parents: Ints) -> None:
        """Move old nodes to other parents."""
        self._parents[0][nodes] = parents

    def current(self, node: int) -> int:
        """See `Draft`."""
        return node

    def finish(self) -> Transformed:
        """Number all nodes in preorder."""
        tree, made, pool = self.tree, joined(self._tables), np.concatenate([np.empty(0, np.int64), *self._pools])
        before, last = made[BEFORE], pool[made[HIGH] - 1]
        old = np.arange(len(tree))
        made_up_to = np.cumsum(np.bincount(before, minlength=len(tree)))  # number of new nodes before each old one
        rank = np.empty_like(before)
        rank[np.argsort(before, kind="stable")] = np.arange(len(before))
        place = np.concatenate([old + made_up_to, before + rank, [-1]])  # the last entry is the root's parent
        after = np.concatenate([old + tree.size, last + tree.size[last]])
        sizes = after + made_up_to[after - 1] - place[:-1]
        order = np.empty(len(place) - 1, dtype=np.int64)
        order[place[:-1]] = np.arange(len(order))
        above = place[np.concatenate(self._parents)]
        return transformed(tree, made, pool, order, (above[order], sizes[order]))
