"""Tree balancing (Insa, Silva and Riesco): projection and collapse nodes make a tree that can be divided evenly.

A chain of nodes of one rule, where each but the last has a single child, becomes one COLLAPSE node: whichever of them
is buggy, the verdict is that rule. Then, if a node has more than two children, they are split by the weight of their
subtrees: a child with at least half of the weight is a part of its own, between those before and those after it;
otherwise there are two parts of nearly equal weight. A part of several children gets a PROJECTION node and is split
again. The root is never collapsed.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.tree.columns import Bools, ExecutionTree, Ints
from adebug_lsp.tree.transform.draft import Draft, Transformed, children_of_all
from adebug_lsp.tree.transform.ranges import Split, group


def balance(tree: ExecutionTree, keep: Bools | None = None) -> Transformed:
    """Balance the whole tree; a node for which `keep` is set is not collapsed."""
    draft = Draft(tree)
    members, starts = children_of_all(tree)
    collapsed = np.zeros(len(tree) + 1, dtype=np.int64)
    for chain in chains_of_one_rule(tree, keep):
        _collapse(draft, chain)
        collapsed[chain[0] + 2 : chain[-1] + 2] = 1  # all but the first node of each chain
    gone = np.cumsum(collapsed)
    weights = (tree.size - gone[np.arange(len(tree)) + tree.size] + gone[:-1])[members]
    split = _by_weight(np.concatenate([[0], np.cumsum(weights)]))
    runs = np.stack([starts[:-1], starts[1:], np.ones_like(starts[1:])], axis=1)
    group(draft, members, runs[np.diff(starts) > 2], NodeKind.PROJECTION, split)
    return draft.finish()


def collapse_and_project(
    tree: ExecutionTree, chains: Iterable[Sequence[int]] = (), runs: Iterable[Sequence[int]] = ()
) -> Transformed:
    """Collapse the given chains, and project the given runs of adjacent siblings; they must be disjoint."""
    draft = Draft(tree)
    for chain in chains:
        if any(tree.parent[below] != above or len(tree.children(above)) > 1 for above, below in pairwise(chain)):
            raise BadInputError(f"the nodes {', '.join(map(str, chain))} are not a chain of single children")
        _collapse(draft, chain)
    for run in runs:
        if any(tree.end(left) != right or tree.parent[left] != tree.parent[right] for left, right in pairwise(run)):
            raise BadInputError(f"the nodes {', '.join(map(str, run))} are not neighbouring siblings")
        _project(draft, run)
    return draft.finish()


def chains_of_one_rule(tree: ExecutionTree, keep: Bools | None = None) -> list[list[int]]:
    """The maximal chains of at least two nodes of one rule, where each but the last has a single child.

    They contain neither the root nor a node for which `keep` is set.
    """
    only = tree.size[tree.parent] == tree.size + 1
    joined = only & (tree.site == tree.site[tree.parent]) & (tree.parent > 0)
    if keep is not None:
        joined &= ~(keep | keep[tree.parent])
    ends = np.flatnonzero(np.diff(np.concatenate([[0], joined.astype(np.int8), [0]])))
    return [list(range(start - 1, stop)) for start, stop in zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True)]


def _collapse(draft: Draft, chain: Sequence[int]) -> None:
    """Replace a chain by one new node; the children of the last node become its children."""
    number = draft.restate(chain[0], tuple(chain), kind=NodeKind.COLLAPSE, behaviour=0)
    for node in chain[1:]:
        draft.remove(node, successor=number)


def _project(draft: Draft, run: Sequence[int]) -> None:
    """Insert one new node above adjacent siblings."""
    tree = draft.tree
    left, right, parent = run[0], run[-1], int(tree.parent[run[0]])
    site, cost, raised = int(tree.site[parent]), int(tree.cost[parent]), int(tree.raised[right])
    facts = (site, int(NodeKind.PROJECTION), raised, cost, int(tree.first[left]), int(tree.last[right]), 0)
    start = draft.pool(run)
    number = draft.make(draft.current(parent), left, (start, start + len(run)), facts)
    for node in run:
        draft.move(node, number)


def _by_weight(before: Ints) -> Split:
    """A function that splits runs by weight; before[i] is the total weight of the members before the i-th."""

    def split(lows: Ints, highs: Ints) -> tuple[Ints, Ints]:
        twice_middle = before[lows] + before[highs]
        member = np.searchsorted(before, twice_middle // 2, side="right") - 1  # the member that contains the middle
        heavy = 2 * (before[member + 1] - before[member]) >= before[highs] - before[lows]
        nearer = np.where(
            twice_middle - 2 * before[member] <= 2 * before[member + 1] - twice_middle, member, member + 1
        )
        return np.where(heavy, member, nearer), np.where(heavy, member + 1, nearer)

    return split
