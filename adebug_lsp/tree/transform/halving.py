"""Halving: n iterations cost about log2 n questions instead of n.

A run of siblings is grouped into a balanced binary tree of range nodes, so that a question can be about the state
after the first half of them. Every old node is preserved. A range node has no code of its own: if both of its
halves are correct, it is correct, and if one of them is wrong, it is wrong.
"""

import numpy as np

from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.native.shared_library import address, column, int64, library
from adebug_lsp.tree.columns import COLUMNS, Column, ExecutionTree, Ints
from adebug_lsp.tree.transform.draft import NEW, Sources, Transformed, children_of_all
from adebug_lsp.tree.transform.insertion import Insertion
from adebug_lsp.tree.transform.ranges import group


def halve(tree: ExecutionTree, longest: int | None = None) -> Transformed:
    """Group the iterations of every loop; with `longest`, also other runs of more than this many siblings."""
    return halve_by_arrays(tree, longest) if library is None else _halve_in_c(tree, longest)


def _halve_in_c(tree: ExecutionTree, longest: int | None) -> Transformed:
    count = len(tree)
    size, kind = column(tree.size, "i4"), column(tree.kind, "u1")
    pool, above, first_made, before, right, under, parent, low, high, old, new = np.empty((11, count), np.int32)
    filled = (pool, above, first_made, before, right, under, parent, low, high, old, new)
    made = library.adebug_halve(
        int64(count), address(size), address(kind), int(NodeKind.LOOP), int(NodeKind.ITERATION),
        int64(-1 if longest is None else max(longest, 1)), *map(address, filled),
    )  # fmt: skip
    before, right, under, parent, low, high, new = (
        values[:made].copy() for values in (before, right, under, parent, low, high, new)
    )
    place = np.concatenate([old, new])
    is_range = (tree.kind[under] == NodeKind.LOOP) & (tree.kind[before] == NodeKind.ITERATION)
    facts = {
        "parent": (place[above], place[parent]),
        "size": (_sizes(old, old, np.arange(count) + size), _sizes(new, old, right + size[right])),
        "site": (tree.site, tree.site[under]),
        "kind": (tree.kind, np.where(is_range, NodeKind.ITERATION_RANGE, NodeKind.PROJECTION)),
        "raised": (tree.raised, tree.raised[right]),
        "cost": (tree.cost, tree.cost[under]),
        "first": (tree.first, tree.first[before]),
        "last": (tree.last, tree.last[right]),
        "behaviour": (tree.behaviour, 0),
    }
    facts["parent"][0][0] = -1

    def laid_out(name: str) -> Column:
        values: Column = np.empty(count + made, COLUMNS[name])
        values[old], values[new] = facts.pop(name)
        return values

    identity, made_at = np.full(count + made, NEW, np.int32), np.full(count + made, -1, np.int32)
    identity[old], made_at[new] = np.arange(count), np.arange(made)
    halved = ExecutionTree(**{name: laid_out(name) for name in COLUMNS}, sites=tree.sites)
    return Transformed(halved, identity, Sources(made_at, low, high, pool.copy()))


def _sizes(place: Column, places: Column, ends: Column) -> Column:
    """Sizes of nodes at these places: a subtree ends with the old node that it ended with before."""
    sizes: Column = places[ends - 1] + 1 - place
    return sizes


def halve_by_arrays(tree: ExecutionTree, longest: int | None = None) -> Transformed:
    """The same by array operations."""
    draft = Insertion(tree)
    nodes, _ = children_of_all(tree)
    is_iteration = ((tree.kind == NodeKind.ITERATION) & (tree.kind[tree.parent] == NodeKind.LOOP))[nodes]
    runs = _runs(tree.parent[nodes], is_iteration)
    iterations, lengths = is_iteration[runs[:, 0]], runs[:, 1] - runs[:, 0]
    group(draft, nodes, runs[iterations & (lengths > 1)], NodeKind.ITERATION_RANGE, _halves)
    if longest is not None:
        group(draft, nodes, runs[~iterations & (lengths > max(longest, 1))], NodeKind.PROJECTION, _halves)
    return draft.finish()


def _runs(parents: Column, is_iteration: Column) -> Ints:
    """The maximal runs (low, high, whole) of siblings that are all iterations of one loop, or all other nodes."""
    if len(parents) == 0:
        return np.empty((0, 3), dtype=np.int64)
    borders = np.flatnonzero((parents[1:] != parents[:-1]) | (is_iteration[1:] != is_iteration[:-1])) + 1
    lows, highs = np.concatenate([[0], borders]), np.concatenate([borders, [len(parents)]])
    around = parents[lows]
    whole = np.bincount(around)[around] == 1
    return np.stack([lows, highs, whole], axis=1)


def _halves(lows: Ints, highs: Ints) -> tuple[Ints, Ints]:
    middles = (lows + highs + 1) // 2
    return middles, middles
