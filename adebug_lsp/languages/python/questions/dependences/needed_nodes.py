"""The nodes of a tree that a wrong value depends on, by its relevant slice; they are asked about before others.

By Theorem 57 of Silva's thesis the bug that made the value is among them. Nothing depends on a missing statement, so
other nodes are only asked about later, and none is left out.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from attrs import define

from adebug_lsp.languages.python.questions.dependences.nodes import Element, Executed, Node
from adebug_lsp.languages.python.questions.dependences.run_graph import RunGraph
from adebug_lsp.languages.python.questions.origins.parts import Evaluation, TracedPart
from adebug_lsp.slicing.provenance import Origin
from adebug_lsp.slicing.slices import backward
from adebug_lsp.tree.columns import ExecutionTree, Ints

MOST = 1_000
"""Dependences that are followed; whatever ran before the remaining ones counts as needed."""


@define(eq=False)
class NeededNodes:
    """Finds the nodes of one tree that a criterion depends on."""

    graph: RunGraph
    tree: ExecutionTree

    def of(self, criterion: Iterable[Node]) -> Ints:
        """The nodes that executed what a criterion depends on, and their ancestors, in order."""
        reached = backward(self.graph.dependences, criterion, MOST)
        needed: set[int] = set()
        for node in reached.nodes:
            at = node.whole if isinstance(node, Element) else node
            if isinstance(at, Evaluation | Executed):
                self._add(needed, self._around(at.position))
        if reached.pending:
            until = max(map(moment_of, reached.pending))
            needed.update(np.flatnonzero(self.tree.first <= until).tolist())
        return np.array(sorted(needed), dtype=np.int64)

    def _add(self, needed: set[int], node: int) -> None:
        """Add a node and its ancestors."""
        while node >= 0 and node not in needed:
            needed.add(node)
            node = int(self.tree.parent[node])

    def _around(self, position: int) -> int:
        """The innermost node that was running at a position; -1 outside of the tree."""
        tree = self.tree
        if not self._in_order:
            around = np.flatnonzero((tree.first <= position) & (tree.last >= position))
            return int(around[-1]) if len(around) else -1
        node = int(np.searchsorted(tree.first, position, "right")) - 1
        while node >= 0 and tree.last[node] < position:
            node = int(tree.parent[node])
        return node

    @cached_property
    def _in_order(self) -> bool:
        """Whether nodes are numbered in the order in which they began; threads are under the call that started them."""
        return bool((np.diff(self.tree.first) >= 0).all())


def moment_of(node: Node) -> int:
    """The position of a dependence node in the run."""
    at = node.whole if isinstance(node, Element) else node
    return at.position if isinstance(at, Evaluation | Executed) else at.moment


def criterion_of(graph: RunGraph, origin: Origin[TracedPart], word: int | None, moment: int) -> tuple[Node, ...]:
    """A slicing criterion for part of a value: where it was made, each hand-over, and its contents at a moment."""
    nodes: list[Node] = [origin.part.evaluation]
    for part in (origin.part, *(step.part for step in origin.path)):
        made = part.evaluation
        if made.node >= 0:
            nodes.append(Executed(made.activation, made.node, made.position))
    nodes += [] if word is None else [edge.on for edge in graph.places.inside(word, moment + 1)]
    return tuple(dict.fromkeys(nodes))
