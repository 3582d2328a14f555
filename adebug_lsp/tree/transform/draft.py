"""The result of every transformation, and the draft in which it is prepared.

In a draft, old nodes keep their numbers and new nodes are numbered after them. Siblings are ordered by their position
in the draft: an old node by its number, a new one just before the old node that it was created to precede.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.tree.columns import COLUMNS, Column, ExecutionTree, Ints

GONE = -2
NEW = -1

FACTS = tuple(name for name in COLUMNS if name not in ("parent", "size"))
"""The columns that describe a node itself, not its position in the tree."""

BEFORE, LOW, HIGH = 0, 1, 2  # columns of the table of new nodes, before `FACTS`
_WIDTH = 3 + len(FACTS)


class Sources(Mapping[int, tuple[int, ...]]):
    """The mapping M_S: the old nodes that each new node was made from.

    They are slices of a shared pool, so that a million ranges over a million nodes take little memory.
    """

    def __init__(self, made: Column, lows: Column, highs: Column, pool: Sequence[int] | Column) -> None:
        self._made = made
        self._lows = lows
        self._highs = highs
        self._pool = pool

    def __getitem__(self, node: int) -> tuple[int, ...]:
        if not (0 <= node < len(self._made)) or self._made[node] < 0:
            raise KeyError(node)
        made = self._made[node]
        return tuple(map(int, self._pool[self._lows[made] : self._highs[made]]))

    def __iter__(self) -> Iterator[int]:
        nodes: list[int] = np.flatnonzero(self._made >= 0).tolist()
        return iter(nodes)

    def __len__(self) -> int:
        return int(np.count_nonzero(self._made >= 0))


@frozen(eq=False)
class Transformed:
    """A transformed tree. Each of its nodes is either preserved from an old node or has sources, never both."""

    tree: ExecutionTree
    identity: Ints
    """The mapping M_I: the old node that each node is preserved from, or -1."""
    sources: Mapping[int, tuple[int, ...]]


class Draft:
    """A new tree under construction; nodes that are not changed stay as they are in the old tree."""

    def __init__(self, tree: ExecutionTree) -> None:
        self.tree = tree
        self._parents: list[int] = tree.parent.tolist()
        self._successor: dict[int, int] = {}
        self._pool: list[int] = []
        self._rows: list[tuple[int, ...]] = []
        self._tables: list[Ints] = []

    def pool(self, nodes: Iterable[int]) -> int:
        """Add old nodes to the pool of sources; returns the index of the first."""
        start = len(self._pool)
        self._pool.extend(map(int, nodes))
        return start

    def make(self, parent: int, before: int, sources: tuple[int, int], facts: tuple[int, ...]) -> int:
        """Create a node just before the old node `before`, from a slice of the pool; returns its number.

        `facts` are in the order of `FACTS`.
        """
        self._rows.append((before, *sources, *facts))
        self._parents.append(parent)
        return len(self._parents) - 1

    def make_all(self, parents: Ints, before: Ints, sources: tuple[Ints, Ints], facts: tuple[Ints | int, ...]) -> Ints:
        """Create many nodes at once; returns their numbers."""
        self._flush()
        self._tables.append(columns_of(before, sources, facts))
        start = len(self._parents)
        self._parents += parents.tolist()
        return np.arange(start, len(self._parents))

    def restate(self, node: int, sources: Sequence[int], **facts: int) -> int:
        """Replace an old node by a new one, which differs only in the given facts."""
        start = self.pool(sources)
        stated = tuple(int(facts.get(name, getattr(self.tree, name)[node])) for name in FACTS)
        number = self.make(self._parents[node], node, (start, start + len(sources)), stated)
        self.remove(node, successor=number)
        return number

    def remove(self, node: int, *, successor: int | None = None) -> None:
        """Remove an old node; children that it still has when the draft is finished go to its successor."""
        self._parents[node] = GONE
        if successor is not None:
            self._successor[node] = successor

    def move(self, node: int, parent: int) -> None:
        """Move a node, or its replacement, to another parent."""
        self._parents[self._successor.get(node, node)] = parent

    def move_all(self, nodes: Ints, parents: Ints) -> None:
        """Move many nodes to other parents."""
        for node, parent in zip(nodes.tolist(), parents.tolist(), strict=True):
            self.move(node, parent)

    def current(self, node: int) -> int:
        """The node that replaces an old one, or the old one itself."""
        return self._successor.get(node, node)

    def finish(self) -> Transformed:
        """Number all nodes in preorder."""
        self._flush()
        made = joined(self._tables)
        parents = self._settled()
        order = np.array(_preorder(parents, self._sequence(made[BEFORE])), dtype=np.int64)
        place = np.full(len(parents) + 1, -1, dtype=np.int64)  # the last entry is the parent of the root
        place[order] = np.arange(len(order))
        above = place[np.array(parents, dtype=np.int64)[order]]
        return transformed(self.tree, made, self._pool, order, (above, _sizes(above.tolist())))

    def _flush(self) -> None:
        if self._rows:
            self._tables.append(np.array(self._rows, dtype=np.int64).T)
            self._rows = []

    def _settled(self) -> list[int]:
        """The parents, with removed nodes replaced by their successors."""
        if not self._successor:
            return self._parents
        successor = self._successor
        return [successor.get(parent, parent) for parent in self._parents]

    def _sequence(self, before: Ints) -> list[int]:
        """All remaining nodes, with siblings in order."""
        places = np.concatenate([2 * np.arange(len(self.tree)) + 1, 2 * before])
        sequence = np.argsort(places, kind="stable")
        remain: list[int] = sequence[np.array(self._parents, dtype=np.int64)[sequence] != GONE].tolist()
        return remain


def columns_of(before: Ints, sources: tuple[Ints, Ints], facts: tuple[Ints | int, ...]) -> Ints:
    """A table of new nodes: one column for each."""
    columns = np.empty((_WIDTH, len(before)), dtype=np.int64)
    for index, values in enumerate((before, *sources, *facts)):
        columns[index] = values
    return columns


def joined(tables: Sequence[Ints]) -> Ints:
    """Concatenate tables of new nodes."""
    return np.concatenate([np.empty((_WIDTH, 0), dtype=np.int64), *tables], axis=1)


def transformed(
    tree: ExecutionTree, made: Ints, pool: Sequence[int] | Ints, order: Ints, shape: tuple[Ints, Ints]
) -> Transformed:
    """The tree whose nodes are those of `order`, old and new, with their parents and sizes."""
    columns: dict[str, Column] = {
        name: np.concatenate([getattr(tree, name), made[index].astype(COLUMNS[name])])[order]
        for index, name in enumerate(FACTS, HIGH + 1)
    }
    parent, size = (column.astype(COLUMNS[name]) for name, column in zip(("parent", "size"), shape, strict=True))
    new = ExecutionTree(parent=parent, size=size, **columns, sites=tree.sites)
    old = order < len(tree)
    sources = Sources(np.where(old, -1, order - len(tree)), made[LOW], made[HIGH], pool)
    return Transformed(new, np.where(old, order, NEW), sources)


def children_of_all(tree: ExecutionTree) -> tuple[Ints, Ints]:
    """All nodes except the root, grouped by parent; the children of n are members[starts[n]:starts[n + 1]]."""
    parents = tree.parent[1:]
    members = np.argsort(parents, kind="stable") + 1
    starts = np.concatenate([[0], np.cumsum(np.bincount(parents, minlength=len(tree)))])
    return members, starts


def give_way(tree: ExecutionTree, gone: Sequence[bool]) -> Transformed:
    """Replace each node in `gone` by its children, in place. The root always stays."""
    draft = Draft(tree)
    stays = [0] * len(tree)  # for each node, the nearest one upwards that stays
    parents: list[int] = tree.parent.tolist()
    for node in range(1, len(tree)):
        above = stays[parents[node]]
        if gone[node]:
            stays[node] = above
            draft.remove(node)
        else:
            stays[node] = node
            draft.move(node, above)
    return draft.finish()


def _preorder(parents: list[int], sequence: list[int]) -> list[int]:
    """The nodes of `sequence` in preorder, with siblings in the order of the sequence."""
    first_child = [-1] * len(parents)
    sibling = [-1] * len(parents)
    root = -1
    for node in reversed(sequence):
        parent = parents[node]
        if parent < 0:
            root = node
        else:
            sibling[node] = first_child[parent]
            first_child[parent] = node
    order: list[int] = []
    pending = [root]
    while pending:
        node = pending.pop()
        order.append(node)
        if sibling[node] >= 0:
            pending.append(sibling[node])
        if first_child[node] >= 0:
            pending.append(first_child[node])
    if len(order) != len(sequence):
        lost = min(set(sequence) - set(order))
        raise BadInputError(f"node {lost} would not be below the root: the new parents form a cycle")
    return order


def _sizes(parents: list[int]) -> Ints:
    sizes = [1] * len(parents)
    for node in range(len(parents) - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    return np.array(sizes)
