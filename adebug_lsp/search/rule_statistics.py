"""How often each rule ran right or wrong, by the answers so far: a judged node speaks for all its descendants."""

import numpy as np

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.space import Space, blocks
from adebug_lsp.tree.columns import Ints


def counts(space: Space, judgement: Judgement) -> Ints:
    """For every site, the number of its nodes in subtrees that got this answer."""
    total = np.zeros(len(space.tree.sites), dtype=np.int64)
    for node, answer in space.answers:
        if answer is judgement:
            for start, stop in blocks(node, space.tree.end(node)):
                total += np.bincount(space.tree.site[start:stop], minlength=len(total))
    return total
