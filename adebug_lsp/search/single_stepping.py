"""Single stepping (Shapiro 1982): all children before their parent, from left to right; the first "no" is the bug."""

import numpy as np

from adebug_lsp.search.space import Space


class SingleStepping:
    """Post-order."""

    def choose(self, space: Space) -> int:
        """The first askable node that has nothing askable below it."""
        low, high = space.area
        for start, stop in space.blocks():
            nodes = np.flatnonzero(space.askable(start, stop)) + start
            if len(nodes) == 0:
                continue
            # In preorder, the first askable node whose successor is outside its subtree has none below it. The
            # last node of a block may have its successor in the next one.
            ends = nodes + space.tree.size[nodes]
            done = np.flatnonzero(nodes[1:] >= ends[:-1])
            if len(done):
                return int(nodes[done[0]])
            last = int(nodes[-1])
            if not _any_askable(space, last + 1, space.tree.end(last)):
                return last
        raise ValueError(f"nothing can be asked between {low} and {high}")


def _any_askable(space: Space, start: int, stop: int) -> bool:
    return start < stop and bool(space.askable(start, stop).any())
