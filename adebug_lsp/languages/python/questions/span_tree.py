"""Builds the execution tree of a run from its spans."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Routine
from adebug_lsp.languages.python.reading.structure.spans import RAISED, Span, Spans
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.tree.columns import COLUMNS, Column, ExecutionTree, Ints

Bools = NDArray[np.bool_]


def span_tree(run: Run, root: Span, is_asked: Callable[[Ints, Ints], Bools]) -> tuple[ExecutionTree, Ints]:
    """The tree of the spans below `root` that have a node, and the span of each node.

    It is built from whole columns, not by `TreeBuilder`: a run can have millions of spans, and adding them one by one
    takes about six seconds per million.
    """
    spans = run.spans
    rows, size = _preorder(run, root.number)
    above: Column = np.frombuffer(spans.parent, np.int32)
    asked = is_asked(rows, size)
    if not asked.all():
        before = np.concatenate([[0], np.cumsum(asked)])
        size = (before[np.arange(len(rows)) + size] - before[:-1])[asked]
        above = _nearest(above, rows, asked)
        rows = rows[asked]
    chosen = selection(run, rows)
    routine, node = np.frombuffer(spans.routine, np.int32)[chosen], np.frombuffer(spans.node, np.int32)[chosen]
    sites, site = _sites(spans.routines, routine, node)
    kind = np.frombuffer(spans.kind, np.int8)[chosen]
    columns = {
        "parent": _parents(above, rows, chosen),
        "size": size,
        "site": site,
        "kind": kind.view(np.uint8),
        "raised": (np.frombuffer(spans.flags, np.int8)[chosen] & RAISED) != 0,
        "cost": _costs(spans, kind, routine),
        "first": np.frombuffer(spans.first, np.int64)[chosen],
        "last": np.frombuffer(spans.last, np.int64)[chosen],
        "behaviour": np.zeros(len(rows), np.int64),
    }
    return ExecutionTree(**{n: columns[n].astype(k, copy=False) for n, k in COLUMNS.items()}, sites=sites), rows


def selection(run: Run, rows: Ints) -> slice | Ints:
    """An index that selects these rows of a column; a slice if they are all rows in order.

    A slice lets the tree share the columns of the spans. In a run with tests it must not: `Run.add_root` adds a span
    for each test.
    """
    whole = not run.structure.tests and len(rows) == len(run.spans) and bool((rows[1:] > rows[:-1]).all())
    return slice(None) if whole else rows


def _parents(above: Column, rows: Ints, chosen: slice | Ints) -> Column:
    """The parent of each node, from the parents of the spans."""
    if isinstance(chosen, slice):
        return above
    place = np.full(len(above), -1, np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    parents: Column = place[above[rows]]
    parents[0] = -1
    return parents


def _nearest(parent: Column, rows: Ints, asked: Bools) -> Column:
    """For each span, the nearest enclosing span that has a node."""
    skipped = np.zeros(len(parent), bool)
    skipped[rows[~asked]] = True
    while np.any(passed := (parent >= 0) & skipped[parent]):
        parent = np.where(passed, parent[parent], parent)
    return parent


def _sites(routines: list[Routine], routine: NDArray[np.int32], node: NDArray[np.int32]) -> tuple[list[Site], Column]:
    """The sites of rows of routine and syntax node, and the site index of each row.

    Every syntax node of a module has a number, and rows without one get that of their routine, so nothing has to be
    sorted.
    """
    first: dict[int, int] = {}
    end = len(routines)
    for definition in routines:
        if id(definition.module) not in first:
            first[id(definition.module)], end = end, end + len(definition.module.nodes)
    number = np.where(
        node < 0, routine, np.array([first[id(owner.module)] for owner in routines], np.int32)[routine] + node
    )
    owner, inside = np.full(end, -1, np.int32), np.full(end, -1, np.int32)
    owner[number], inside[number] = routine, node
    used = np.flatnonzero(owner >= 0)
    site = np.empty(end, np.int32)
    site[used] = np.arange(len(used))
    made = zip(owner[used].tolist(), inside[used].tolist(), strict=True)
    return [routines[index].module.site(routines[index], within) for index, within in made], site[number]


def _costs(spans: Spans, kind: Column, routine: Column) -> Column:
    """The rough amount of text in a question about each node: as for its routine, or a constant for loops and
    iterations.
    """
    costs = [400 if each.kind == "module" else 40 + 15 * len(each.parameters) for each in spans.routines]
    by_node: Column = np.array(costs, np.int32)[routine]
    by_node[(kind == NodeKind.LOOP) | (kind == NodeKind.ITERATION)] = 120
    return by_node


def _preorder(run: Run, root: int) -> tuple[Ints, Ints]:
    """The spans below `root` in preorder, siblings in order of time, and the size of each subtree.

    Spans that nest in time are numbered like that; other threads and coroutines need a walk.
    """
    spans, sizes = run.spans, run.structure.sizes
    if sizes is not None and root < len(sizes):
        end = root + int(sizes[root])
        return np.arange(root, end, dtype=np.int32), sizes[root:end]
    if sizes is not None:
        return below_added(root, np.frombuffer(spans.parent, np.int32)[: len(sizes)], sizes)
    first, last = np.frombuffer(spans.first, np.int64), np.frombuffer(spans.last, np.int64)
    end = int(np.searchsorted(first, last[root], "right")) if root == 0 or spans.parent[root] >= 0 else -1
    if spans.in_order and end > 0 and run.structure.flows == 1 and bool(np.all(first[1:end] >= first[: end - 1])):
        rows = np.arange(root, end, dtype=np.int64)
        return rows, np.searchsorted(first[:end], last[rows], "right") - rows
    parent = np.array(spans.parent, np.int64)
    return below(root, parent)


def below_added(root: int, parent: Column, sizes: Ints) -> tuple[Ints, Ints]:
    """Like `_preorder`, for a root that was added above some of the outermost spans, which the arguments exclude."""
    tops = np.flatnonzero(parent == root)
    parts = [slice(top, top + int(sizes[top])) for top in tops.tolist()]
    rows = np.concatenate([np.array([root]), *(np.arange(part.start, part.stop) for part in parts)])
    return rows, np.concatenate([np.array([len(rows)]), *(sizes[part] for part in parts)])


def below(root: int, parent: Ints) -> tuple[Ints, Ints]:
    """The descendants of `root` in preorder and their subtree sizes, from parents alone: sizes level by level from the
    deepest, then places from the root down.
    """
    levels = levels_of(parent)
    size = subtree_sizes(parent, levels)
    order = np.argsort(parent, kind="stable")
    through = np.cumsum(size[order]) - size[order]  # sizes of all rows before it, siblings and others
    begins = np.searchsorted(parent[order], parent[order])
    place = np.empty(len(parent), np.int64)
    place[order] = through - through[begins]
    for rows in levels[1:]:
        place[rows] += place[parent[rows]] + 1
    row_at = np.empty(len(parent), np.int64)
    row_at[place] = np.arange(len(parent))
    rows = row_at[place[root] : place[root] + size[root]]
    return rows, size[rows]


def subtree_sizes(parent: Ints, levels: list[Ints]) -> Ints:
    """The number of rows in each subtree, computed level by level from the deepest."""
    size = np.ones(len(parent), np.int64)
    for rows in reversed(levels[1:]):
        np.add.at(size, parent[rows], size[rows])
    return size


def levels_of(parent: Ints) -> list[Ints]:
    """The rows of each depth."""
    depth, up = np.zeros(len(parent), np.int64), parent
    depth[up >= 0] = 1
    while np.any(further := up >= 0):
        depth[further] += depth[up[further]]
        up = np.where(further, up[up], -1)
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.cumsum(np.bincount(depth))[:-1])
