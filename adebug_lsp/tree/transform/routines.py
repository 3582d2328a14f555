"""The routine tree (Def. 4.16), which a session asks about first, before it zooms.

Nodes finer than a routine are replaced by their children, so that each routine directly depends on the routines it
called, even from inside a loop or block. The root stays, whatever its kind.
"""

import numpy as np

from adebug_lsp.model.kinds import ROUTINE_KINDS
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.transform.draft import Transformed, give_way


def routine_tree(tree: ExecutionTree) -> Transformed:
    """Keep only the nodes whose kind is one of `ROUTINE_KINDS`."""
    return give_way(tree, (~np.isin(tree.kind, sorted(ROUTINE_KINDS))).tolist())
