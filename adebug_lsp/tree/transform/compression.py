"""Tree compression (Davie and Chitil): one question for a run of recursive calls instead of one for each.

A child that executed the same rule as its parent gives way to its children, as often as there is one. The rest is
preserved, in its order; nothing new is made.
"""

from adebug_lsp.tree.columns import Bools, ExecutionTree
from adebug_lsp.tree.transform.draft import Transformed, give_way


def compress(tree: ExecutionTree, keep: Bools | None = None) -> Transformed:
    """The tree without the nodes whose parent has the same site, unless `keep` is set for one of the two."""
    recursive = tree.site == tree.site[tree.parent]
    if keep is not None:
        recursive &= ~(keep | keep[tree.parent])
    return give_way(tree, recursive.tolist())
