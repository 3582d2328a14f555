"""The nodes of a tree that executed a source line: those running when a record of that line was written."""

import numpy as np

from adebug_lsp.languages.python.questions.describe.behaviours import executed_by
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Module
from adebug_lsp.tree.columns import ExecutionTree, Ints


def executed(run: Run, tree: ExecutionTree, path: str, line: int) -> Ints:
    """The nodes that executed a line (from 0), in order."""
    modules = [module for module in run.program.modules if module.path == path]
    positions = run.positions([number for module in modules for number in _markers(module, line)])
    return _running(tree, positions)


def _markers(module: Module, line: int) -> list[int]:
    """The markers of records of code on a line."""
    markers = []
    for index, marker in enumerate(module.markers):
        places = [module.location(node).range for node in executed_by(module, marker)]
        if any(place.start.line <= line <= place.end.line for place in places):
            markers.append(module.first + index)
    return markers


def _running(tree: ExecutionTree, positions: Ints) -> Ints:
    """The innermost node at each position: the last one that began before it, or its nearest ancestor still running."""
    order = np.argsort(tree.first, kind="stable")
    positions = positions[positions >= tree.first[order[0]]]
    nodes = order[np.searchsorted(tree.first[order], positions, side="right") - 1]
    while len(ended := np.flatnonzero((nodes >= 0) & (tree.last[nodes] < positions))):
        nodes[ended] = tree.parent[nodes[ended]]
    return np.unique(nodes[nodes >= 0])
