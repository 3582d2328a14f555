"""The execution tree as columns in preorder: node n's subtree is the slice [n, n + size[n]) of every column.

A tree is read-only. Answers about it live in a `search.space.Space`, so that one tree can serve many
sessions, and so that the columns can be pages of a file that is larger than memory.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from adebug_lsp.model.behaviour import NodeFacts
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Column = NDArray[Any]

COLUMNS: dict[str, str] = {
    "parent": "<i4",  # -1 for the root
    "size": "<i4",  # nodes of the subtree, itself included
    "site": "<i4",  # index into the table of sites
    "kind": "<u1",  # a NodeKind
    "raised": "<u1",  # 1 if the computation ended in an exception
    "cost": "<i4",  # characters to read in the question
    "first": "<i8",  # first event of the computation
    "last": "<i8",  # last event of the computation
    "behaviour": "<i8",  # equal for nodes with equal behaviours; 0 if unknown
}
"""Every column and its type, in the order of the file format."""

BYTES_PER_NODE = sum(np.dtype(kind).itemsize for kind in COLUMNS.values())
MOST_NODES = 2**31 - 2

WIDE = 4096
"""Subtree size from which scanning whole columns for children is faster than stepping from sibling to sibling."""


@frozen(eq=False)
class ExecutionTree:
    """Nodes under the "directly depends on" relation (Def. 4.12); node 0 is the root."""

    parent: Column
    size: Column
    site: Column
    kind: Column
    raised: Column
    cost: Column
    first: Column
    last: Column
    behaviour: Column
    sites: Sequence[Site] = field(repr=False)

    def __len__(self) -> int:
        return len(self.parent)

    def end(self, node: int) -> int:
        """The first node after the subtree of `node`."""
        return node + int(self.size[node])

    def contains(self, ancestor: int, node: int) -> bool:
        """Whether `node` is `ancestor` or lies below it."""
        return ancestor <= node < self.end(ancestor)

    def children(self, node: int) -> Sequence[int]:
        """The nodes that `node` directly depends on, in their causal order."""
        end = self.end(node)
        if end - node > WIDE:
            wide: list[int] = (np.flatnonzero(self.parent[node + 1 : end] == node) + node + 1).tolist()
            return wide
        children = []
        child = node + 1
        while child < end:
            children.append(child)
            child += int(self.size[child])
        return children

    def ancestors(self, node: int) -> Iterator[int]:
        """The path from the parent of `node` up to the root."""
        above = int(self.parent[node])
        while above >= 0:
            yield above
            above = int(self.parent[above])

    def site_of(self, node: int) -> Site:
        """The code fragment that `node` executed."""
        return self.sites[int(self.site[node])]

    def facts(self, node: int) -> NodeFacts:
        """All columns of one node."""
        parent = int(self.parent[node])
        return NodeFacts(
            node=node,
            parent=None if parent < 0 else parent,
            kind=NodeKind(int(self.kind[node])),
            site=self.site_of(node),
            descendants=int(self.size[node]) - 1,
            raised=bool(self.raised[node]),
            cost=int(self.cost[node]),
            first=int(self.first[node]),
            last=int(self.last[node]),
        )

    def columns(self) -> dict[str, Column]:
        """All columns by name."""
        return {name: getattr(self, name) for name in COLUMNS}
