"""Lays out the evaluation dependency tree in preorder, as columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.units import Unit
from adebug_lsp.languages.haskell.reading.run import HaskellRun, qualified_name
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.tree.columns import COLUMNS, ExecutionTree

Ints = NDArray[np.int64]


def tree_of(run: HaskellRun) -> tuple[ExecutionTree, Ints]:
    """The tree, and the reduction of each node."""
    edt = run.tree
    parents = edt.parents
    sizes = subtree_sizes(parents)
    places = preorder(parents, sizes)
    order = np.empty(len(places), dtype=np.int64)
    order[places] = np.arange(len(places))
    reductions = edt.reductions[order]
    units = np.frombuffer(run.recording.trail.units, dtype=np.int32)[reductions]
    sites, numbers = _sites(run, units)
    kinds = np.array([NodeKind.LAMBDA if u.is_lambda else NodeKind.ROUTINE for u in run.compiled.units])
    raised = np.zeros(len(order), dtype=bool)
    above = np.append(places, -1)[parents][order]
    facts: dict[str, Any] = {
        "parent": above,
        "size": sizes[order],
        "site": numbers,
        "kind": kinds[units],
        "raised": raised,
        "cost": np.full(len(order), 20),
        "first": reductions,
        "last": reductions,
        "behaviour": np.zeros(len(order)),
    }
    return ExecutionTree(
        **{n: np.asarray(facts[n], dtype=kind) for n, kind in COLUMNS.items()}, sites=sites
    ), reductions


def subtree_sizes(parents: Ints) -> Ints:
    """The number of nodes in each subtree; a parent comes before its children."""
    sizes = [1] * len(parents)
    above = parents.tolist()
    for node in range(len(above) - 1, 0, -1):
        sizes[above[node]] += sizes[node]
    return np.array(sizes, dtype=np.int64)


def preorder(parents: Ints, sizes: Ints) -> Ints:
    """The preorder number of each node; siblings keep their order."""
    above, counts = parents.tolist(), sizes.tolist()
    places = [0] * len(above)
    free = [1] * len(above)
    for node in range(1, len(above)):
        parent = above[node]
        place = places[node] = free[parent]
        free[parent] = place + counts[node]
        free[node] = place + 1
    return np.array(places, dtype=np.int64)


def _sites(run: HaskellRun, units: NDArray[np.int32]) -> tuple[list[Site], Ints]:
    used, numbers = np.unique(units, return_inverse=True)
    sites = [_site(run, run.compiled.units[number]) for number in used.tolist()]
    return sites, numbers.astype(np.int64)


def _site(run: HaskellRun, unit: Unit) -> Site:
    name = qualified_name(unit)
    rule = name if not unit.is_lambda else f"{name} {unit.span[0]}"
    return Site(
        rule, name, c.short(unit.module.name) if unit.module.name != "Main" else "Main", run.location(unit, unit.span)
    )
