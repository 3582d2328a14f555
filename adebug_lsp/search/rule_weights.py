"""Weights by rules: subtrees weigh by the rules that they execute, and by how often those were judged right."""

from collections.abc import Callable

import numpy as np

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.rule_statistics import counts
from adebug_lsp.search.space import Space
from adebug_lsp.search.weights import UNIT, Own


def yes_weights(space: Space) -> Own:
    """1 / YES(rule) for every node, where YES starts at 1 (section 7.3.1)."""
    per_site = UNIT // (1 + counts(space, Judgement.YES))
    return lambda start, stop: per_site[space.tree.site[start:stop]]


def distinct_rules(space: Space) -> Callable[[int], int]:
    """Returns a function that counts the distinct rules among the suspects of a subtree."""

    def of(node: int) -> int:
        end = space.tree.end(node)
        return len(np.unique(space.tree.site[node:end][space.suspects(node, end)]))

    return of
