"""Statistics of right and wrong executions of each rule; a judgement counts for all descendants of its node."""

import numpy as np

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.space import Space, blocks
from adebug_lsp.tree.columns import Ints


def counts(space: Space, judgement: Judgement) -> Ints:
    """The number of nodes of every site in subtrees with this judgement."""
    total = np.zeros(len(space.tree.sites), dtype=np.int64)
    for node, answer in space.answers:
        if answer is judgement:
            for start, stop in blocks(node, space.tree.end(node)):
                total += np.bincount(space.tree.site[start:stop], minlength=len(total))
    return total
