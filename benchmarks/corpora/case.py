"""A search problem: an execution tree and the set of its wrong nodes.

An oracle that answers "no" for the wrong nodes and "yes" for all others leads every sound strategy to one of the
case's buggy nodes. The cost of a search is the number of questions, and the sum of `tree.cost` over them.
"""

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from adebug_lsp.model.source import Site
from adebug_lsp.tree.columns import COLUMNS, Column, ExecutionTree


@frozen(eq=False)
class Case:
    """A tree whose root is wrong; nodes are preorder numbers."""

    name: str
    tree: ExecutionTree
    wrong: frozenset[int]

    def buggy(self) -> frozenset[int]:
        """The wrong nodes whose children are all correct (Def. 4.13)."""
        return self.wrong - {int(parent) for parent in self.tree.parent[list(self.wrong)]}


def tree_of(
    parents: Sequence[int],
    rules: Sequence[int],
    costs: Sequence[int],
    sites: Sequence[Site],
    *,
    raised: Sequence[bool] | None = None,
    behaviours: Sequence[int] | None = None,
) -> ExecutionTree:
    """Builds a tree from nodes in preorder; `rules` are indices into `sites`.

    Without `behaviours`, no two nodes count as equal.
    """
    count = len(parents)
    sizes, depths = [1] * count, [0] * count
    for node in range(count - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    for node in range(1, count):
        depths[node] = depths[parents[node]] + 1
    size = np.array(sizes, dtype=np.int64)
    first = 2 * np.arange(count) - np.array(depths)  # one event per entry, one per exit
    values: dict[str, Column] = {
        "parent": np.array(parents),
        "size": size,
        "site": np.array(rules),
        "kind": np.zeros(count),
        "raised": np.zeros(count) if raised is None else np.array(raised),
        "cost": np.array(costs),
        "first": first,
        "last": first + 2 * size - 1,
        "behaviour": np.zeros(count) if behaviours is None else np.array(behaviours),
    }
    return ExecutionTree(**{name: values[name].astype(kind) for name, kind in COLUMNS.items()}, sites=list(sites))
