"""Node simplification (Caballero, Riesco, Verdejo and Martí-Oliet): asks about a lazy program as if it were eager.

A language reports which nodes change because a term in their behaviour is replaced by its reduced form, which nodes
that form is known from, and which nodes move. The number of nodes stays the same; siblings are in the order of their
old numbers.
"""

from collections.abc import Mapping

from attrs import frozen

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.transform.draft import Draft, Transformed


@frozen
class Simplified:
    """The new behaviour of a node, and the old nodes that it is known from."""

    behaviour: int
    cost: int
    sources: tuple[int, ...]


def simplify(tree: ExecutionTree, simplified: Mapping[int, Simplified], places: Mapping[int, int]) -> Transformed:
    """Give nodes their new behaviours and parents; each changed node is its own main source."""
    draft = Draft(tree)
    for node, change in sorted(simplified.items()):
        if node not in change.sources:
            raise BadInputError(f"node {node} is not among the sources of what takes its place")
        draft.restate(node, change.sources, behaviour=change.behaviour, cost=change.cost)
    for node, parent in places.items():
        if not (0 < node < len(tree) and 0 <= parent < len(tree)):
            raise BadInputError(f"node {node} cannot be placed under node {parent}")
        draft.move(node, draft.current(parent))
    return draft.finish()
