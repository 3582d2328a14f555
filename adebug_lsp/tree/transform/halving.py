"""Halving: n iterations cost about log2 n questions instead of n.

A run of siblings is grouped into a balanced binary tree of range nodes, so that a question can be about the state
after the first half of them. Every old node is preserved. A range node has no code of its own: if both of its
halves are correct, it is correct, and if one of them is wrong, it is wrong.
"""

import numpy as np

from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.native.shared_library import address, column, int64, library
from adebug_lsp.tree.columns import COLUMNS, Column, ExecutionTree, Ints
from adebug_lsp.tree.transform.draft import Sources, Transformed, children_of_all
from adebug_lsp.tree.transform.insertion import Insertion
from adebug_lsp.tree.transform.ranges import group


def halve(tree: ExecutionTree, longest: int | None = None) -> Transformed:
    """Group the iterations of every loop; with `longest`, also other runs of more than this many siblings."""
    return halve_by_arrays(tree, longest) if library is None else _halve_in_c(tree, longest)


def _halve_in_c(tree: ExecutionTree, longest: int | None) -> Transformed:
    """Halve in one pass in C."""
    count = len(tree)
    size, kind = column(tree.size, "i4"), column(tree.kind, "u1")
    facts = [column(getattr(tree, name), COLUMNS[name]) for name in ("site", "raised", "cost", "first", "last")]
    rule, most = (int(NodeKind.LOOP), int(NodeKind.ITERATION)), int64(-1 if longest is None else max(longest, 1))
    pool = np.empty(max(count - 1, 1), np.int32)
    made = library.adebug_ranges(int64(count), address(size), address(kind), *rule, most, address(pool))
    columns = {name: np.empty(count + made, kind) for name, kind in COLUMNS.items() if name != "behaviour"}
    identity, made_at = np.empty((2, count + made), np.int32)
    low, high = np.empty((2, max(made, 1)), np.int32)
    written = (columns[name] for name in ("parent", "size", "site", "kind", "raised", "cost", "first", "last"))
    if not library.adebug_halve(
        int64(count), address(size), address(kind), *map(address, facts),
        *rule, int(NodeKind.ITERATION_RANGE), int(NodeKind.PROJECTION), most, address(pool),
        *map(address, written), *map(address, (identity, made_at, low, high)),
    ):  # fmt: skip
        raise MemoryError
    behaviour: Column = np.zeros(count + made, COLUMNS["behaviour"])
    if tree.behaviour.any():
        behaviour[identity >= 0] = tree.behaviour
    halved = ExecutionTree(**columns, behaviour=behaviour, sites=tree.sites)
    return Transformed(halved, identity, Sources(made_at, low[:made], high[:made], pool))


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
