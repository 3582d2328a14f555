"""Builds an execution tree from nodes in whatever order a language finds them.

`enter` and `leave` are for programs whose nodes nest in time; `add` and `attach` are for lazy and concurrent programs,
where a node can be known before its parent. Siblings keep the order in which they were attached.
`lay_out` is for nodes that are a tree already.
"""

from array import array
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import numpy as np

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.tree.columns import COLUMNS, MOST_NODES, Column, ExecutionTree

UNATTACHED = -2


class TreeBuilder:
    """Collects nodes by handles (0, 1, 2, ... in order of arrival), then numbers them in preorder."""

    def __init__(self) -> None:
        self._parents = array("i")
        self._facts = {name: array(np.dtype(kind).char) for name, kind in COLUMNS.items() if name not in _SHAPE}
        self._sites: list[Site] = []
        self._site_ids: dict[Site, int] = {}
        self._open: list[int] = []
        self._attached = array("i")

    def site(self, site: Site) -> int:
        """The index of a code fragment in the tree's table of sites."""
        index = self._site_ids.get(site)
        if index is None:
            index = self._site_ids[site] = len(self._sites)
            self._sites.append(site)
        return index

    def add(
        self,
        site: int,
        *,
        kind: NodeKind = NodeKind.ROUTINE,
        raised: bool = False,
        cost: int = 0,
        first: int = 0,
        last: int = 0,
        behaviour: int = 0,
    ) -> int:
        """Add a node without attaching it; returns its handle."""
        handle = len(self._parents)
        if handle > MOST_NODES:
            raise BadInputError(f"a tree holds at most {MOST_NODES} nodes")
        facts = self._facts
        self._parents.append(UNATTACHED)
        facts["site"].append(site)
        facts["kind"].append(kind)
        facts["raised"].append(raised)
        facts["cost"].append(cost)
        facts["first"].append(first)
        facts["last"].append(last)
        facts["behaviour"].append(behaviour)
        return handle

    def attach(self, handle: int, parent: int | None) -> None:
        """Set the parent of a node; None for the root."""
        if self._parents[handle] != UNATTACHED:
            raise BadInputError(f"node {handle} has two parents")
        self._parents[handle] = -1 if parent is None else parent
        self._attached.append(handle)

    def enter(self, site: int, *, kind: NodeKind = NodeKind.ROUTINE, first: int = 0) -> int:
        """Start a node inside the one entered last."""
        handle = self.add(site, kind=kind, first=first, last=first)
        self.attach(handle, self._open[-1] if self._open else None)
        self._open.append(handle)
        return handle

    def leave(self, *, last: int = 0, raised: bool = False, cost: int = 0, behaviour: int = 0) -> int:
        """End the node entered last."""
        if not self._open:
            raise BadInputError("a computation ends that never began")
        handle = self._open.pop()
        for name, value in (("last", last), ("raised", raised), ("cost", cost), ("behaviour", behaviour)):
            self._facts[name][handle] = value
        return handle

    def finish(self) -> tuple[ExecutionTree, Sequence[int]]:
        """Return the tree, and the node number of every handle."""
        parents = self._parents.tolist()
        self._check(parents)
        order = self._arrival(parents)
        sizes = _sizes(parents, order)
        nodes = _positions(parents, sizes, order)
        place = np.array(nodes, dtype=np.int64)
        above = np.append(place, -1)[np.array(parents, dtype=np.int64)]
        columns: dict[str, Column] = {"parent": above, "size": np.array(sizes)}
        columns |= {name: np.array(values) for name, values in self._facts.items()}
        return ExecutionTree(
            **{n: _laid_out(columns[n], place, k) for n, k in COLUMNS.items()}, sites=self._sites
        ), nodes

    def _check(self, parents: list[int]) -> None:
        """Raise `BadInputError` unless the nodes form one tree."""
        if not parents:
            raise BadInputError("a tree needs at least one node")
        lost = next((handle for handle, parent in enumerate(parents) if parent == UNATTACHED), None)
        if lost is not None:
            raise BadInputError(f"node {lost} was never attached")
        roots = [handle for handle, parent in enumerate(parents) if parent == -1]
        if len(roots) != 1:
            raise BadInputError("a tree needs one root, and there is none" if not roots else "there are two roots")

    def _arrival(self, parents: list[int]) -> Sequence[int]:
        """Handles with every parent before its children, and siblings in the order they were attached."""
        attached = self._attached.tolist()
        if all(parent < handle for handle, parent in enumerate(parents)) and attached == list(range(len(parents))):
            return attached
        children: list[list[int]] = [[] for _ in parents]
        order: list[int] = []
        for handle in attached:
            if parents[handle] < 0:
                order.append(handle)
            else:
                children[parents[handle]].append(handle)
        for handle in order:  # grows while it is read
            order.extend(children[handle])
        if len(order) != len(parents):
            cyclic = min(set(range(len(parents))) - set(order))
            raise BadInputError(f"node {cyclic} depends on itself")
        return order


class Nested(Protocol):
    """A part that holds the parts inside it."""

    @property
    def children(self: "PartT") -> "Sequence[PartT]":
        """The parts directly inside, in order."""


PartT = TypeVar("PartT", bound=Nested)


def lay_out(
    builder: TreeBuilder, root: int, parts: Sequence[PartT], add: Callable[[PartT], int]
) -> tuple[ExecutionTree, list[PartT | None]]:
    """The tree of nested parts under a root that has been added, and the part of every node; None for the root.

    `add` adds a part to the builder and returns its handle.
    """
    builder.attach(root, None)
    of_node: list[PartT | None] = [None]
    waiting = [(part, root) for part in reversed(parts)]
    while waiting:  # in preorder, so that each handle is the node it becomes
        part, parent = waiting.pop()
        handle = add(part)
        builder.attach(handle, parent)
        of_node.append(part)
        waiting.extend((child, handle) for child in reversed(part.children))
    return builder.finish()[0], of_node


_SHAPE = ("parent", "size")


def _sizes(parents: list[int], order: Sequence[int]) -> list[int]:
    """The subtree size of every handle; `order` has parents before children."""
    sizes = [1] * len(parents)
    for handle in reversed(order):
        parent = parents[handle]
        if parent >= 0:
            sizes[parent] += sizes[handle]
    return sizes


def _positions(parents: list[int], sizes: list[int], order: Sequence[int]) -> list[int]:
    """The preorder number of every handle: each parent divides its slice among its children from left to right."""
    nodes = [0] * len(parents)
    free = [1] * len(parents)
    for handle in order:
        parent = parents[handle]
        if parent >= 0:
            nodes[handle] = free[parent]
            free[parent] += sizes[handle]
            free[handle] = nodes[handle] + 1
    return nodes


def _laid_out(values: Column, place: Column, kind: str) -> Column:
    column = np.empty(len(values), dtype=kind)
    column[place] = values
    return column
