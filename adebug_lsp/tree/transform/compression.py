"""Tree compression (Davie and Chitil): one question about a chain of recursive calls instead of one about each.

A child that executed the same rule as its parent is replaced by its children, repeatedly. All other nodes are
preserved in their order, and there are no new ones.
"""

from adebug_lsp.tree.columns import Bools, ExecutionTree
from adebug_lsp.tree.transform.draft import Transformed, give_way


def compress(tree: ExecutionTree, keep: Bools | None = None) -> Transformed:
    """Remove the nodes whose parent has the same site, unless `keep` is set for either of the two."""
    recursive = tree.site == tree.site[tree.parent]
    if keep is not None:
        recursive &= ~(keep | keep[tree.parent])
    return give_way(tree, recursive.tolist())
