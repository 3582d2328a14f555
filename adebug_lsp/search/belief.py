"""The probability that a node is wrong, given all answers: Bayesian inference with two hypotheses about the bug.

*A rule is wrong*: one rule, and each of its executions shows the bug with an unknown probability q, uniform in [0, 1].
After k executions were judged right, the probability that at least one of m further ones shows the bug is
1/(k+1) - 1/(k+m+1). So a single execution of a rule is a coin toss, while many are almost surely wrong and teach
little: this is why the smallest instance is asked first. Before any answer all rules are equally likely, unless other
runs make some more suspect; that factor is bounded, so that misleading runs cost questions but hide no bug.
*A node is wrong*: any single node, by itself; those that raised an exception, or that made or passed a marked value,
more than others.

Hypotheses are weighted by how well they predicted the answers. Oracles err at a small rate, so that no probability
ever reaches 0 or 1.
"""

import numpy as np
from attrs import frozen

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.mark_tracking import mark_weights
from adebug_lsp.search.space import Floats, Space
from adebug_lsp.search.weights import Own, Weights, weigh
from adebug_lsp.tree.columns import Ints

ERROR_RATE = 0.02
"""The rate at which oracles answer wrongly."""

RULE_IS_WRONG = 0.6
"""The prior probability of the first hypothesis."""

MOST_SWAY = 4.0
"""The largest factor by which other runs raise or lower the prior of a rule."""

SHOWS_EXCEPTION = 2
"""The factor of a node that raised, in the second hypothesis."""

EXACT = 1 << 19
"""Limit of nodes times rules for exact counting; beyond it, a rule's executions share its probability evenly."""

CERTAIN = 1 << 40
"""The probability 1 as an integer weight."""


@frozen(eq=False)
class Belief:
    """The probability that a node of the area would be answered "no"."""

    rule_weight: float
    """The posterior of the first hypothesis, divided by the sum of the rules' probabilities."""
    prior: Floats
    """The prior of each rule, as a factor around 1."""
    right: Ints
    counted: Ints
    """The rules whose executions are counted exactly."""
    suspects: Ints
    """All suspects, if there are such rules."""
    spread: Weights
    """The rest of the probability, which is additive over the nodes of a subtree."""

    def of_no(self, nodes: Ints) -> Floats:
        """The probability of each of these nodes to be answered "no"."""
        likely = self.spread.of_all(nodes) / CERTAIN
        tree = self.spread.space.tree
        first, last = np.searchsorted(self.suspects, (nodes, nodes + tree.size[nodes]))
        sites = tree.site[self.suspects]
        executed = np.zeros(len(sites) + 1, dtype=np.int64)
        for rule in self.counted:
            np.cumsum(sites == rule, out=executed[1:])
            weight = self.rule_weight * self.prior[rule]
            likely += weight * chance(self.right[rule], executed[last] - executed[first])
        result: Floats = ERROR_RATE + (1 - 2 * ERROR_RATE) * np.minimum(likely, 1.0)
        return result


def belief(space: Space, candidates: int) -> Belief:
    """The belief after the answers so far, in an area with this many candidates."""
    right, left = space.cleared_executions(), space.suspected_executions()
    whole, prior = space.executions(), prior_of_rules(space)
    chances = prior * chance(right, left)
    by_rule = RULE_IS_WRONG * float(chances.sum()) / float((prior * chance(np.zeros_like(whole), whole)).sum())
    by_node = (1 - RULE_IS_WRONG) * candidates / len(space.tree)
    rule_weight = by_rule / (by_rule + by_node) / float(chances.sum())
    node_weight = by_node / (by_rule + by_node) / candidates
    counted = _counted_rules(left, candidates)
    share = rule_weight * chances / np.maximum(left, 1)
    share[counted] = 0
    return Belief(
        rule_weight=rule_weight,
        prior=prior,
        right=right,
        counted=counted,
        suspects=_suspects(space) if len(counted) else np.zeros(0, dtype=np.int64),
        spread=weigh(space, _spread(space, share, node_weight)),
    )


def prior_of_rules(space: Space) -> Floats:
    """The prior of each rule from other runs, as a factor around 1."""
    if space.suspicion is None:
        return np.ones(len(space.tree.sites))
    factors: Floats = MOST_SWAY ** (2 * np.clip(space.suspicion, 0.0, 1.0) - 1)
    return factors


def chance(right: Ints, further: Ints) -> Floats:
    """The probability that `right` executions of a wrong rule show no bug, and one of `further` ones does."""
    result: Floats = 1 / (right + 1) - 1 / (right + further + 1)
    return result


def doubt(space: Space, node: int, judgement: Judgement) -> float:
    """How likely an answer is mistaken: the unnormalized probability of a bug where the answer rules it out."""
    inside, right, prior = space.executions(node), space.cleared_executions(), prior_of_rules(space)
    if judgement is Judgement.NO:
        outside = space.executions() - inside
        return float((prior * chance(np.minimum(right, outside), np.maximum(outside - right, 0))).sum())
    return float((prior * chance(np.maximum(right - inside, 0), inside)).sum())


def _counted_rules(left: Ints, candidates: int) -> Ints:
    """The rules to count exactly: those with most executions, within the limit; one that ran once needs no counting."""
    ranked = np.argsort(-left, kind="stable")[: EXACT // candidates]
    repeated: Ints = ranked[left[ranked] > 1]
    return repeated


def _suspects(space: Space) -> Ints:
    return np.concatenate([np.flatnonzero(space.suspects(start, stop)) + start for start, stop in space.blocks()])


def _spread(space: Space, share: Floats, node_weight: float) -> Own:
    """A node's own probability: its share of its rule's, plus that of the second hypothesis."""
    site, raised = space.tree.site, space.tree.raised
    marked = mark_weights(space)
    plain = np.rint(CERTAIN * (share + node_weight)).astype(np.int64)
    by_itself = round(CERTAIN * node_weight)

    def own(start: int, stop: int) -> Ints:
        weights: Ints = plain.take(site[start:stop])
        if space.traces or raised[start:stop].any():
            signs = marked(start, stop) * np.where(raised[start:stop], SHOWS_EXCEPTION, 1) - 1
            weights += signs * by_itself
        return weights

    return own
