"""Weights that look at rules: a subtree matters by which rules it runs, and by how often they have run right."""

from collections.abc import Callable

import numpy as np

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.rule_statistics import counts
from adebug_lsp.search.space import Space
from adebug_lsp.search.weights import UNIT, Own


def yes_weights(space: Space) -> Own:
    """1 / YES(rule) for every node; each rule starts as if it had been right once (section 7.3.1)."""
    per_site = UNIT // (1 + counts(space, Judgement.YES))
    return lambda start, stop: per_site[space.tree.site[start:stop]]


def distinct_rules(space: Space) -> Callable[[int], int]:
    """The number of different rules among the suspects of a subtree."""

    def of(node: int) -> int:
        end = space.tree.end(node)
        return len(np.unique(space.tree.site[node:end][space.suspects(node, end)]))

    return of
