"""How likely each node's behaviour is wrong, given all answers: Bayes over two ways in which a program can have a bug.

*A rule is wrong*: one rule, and each of its executions shows the bug with an unknown probability q, uniform in [0, 1].
After k executions that were judged right, that a further m of them show the bug has the probability
1/(k+1) - 1/(k+m+1). So one small execution of a rule is a coin toss, while a large one is almost surely wrong and
teaches little: this is why the smallest instance is asked first. Before any answer each rule is as likely as any other,
unless other runs make some more suspect: by a bounded factor, so that what misleads costs questions but hides no bug.
*A node is wrong*: any single node, by itself; those that raised an exception, or that made or passed a marked value,
more than others.

How well each hypothesis foretold the answers decides how much it counts. No answer is taken for certain: an oracle
errs at a small rate, so that no probability ever reaches 0 or 1.
"""

import numpy as np
from attrs import frozen

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.mark_tracking import mark_weights
from adebug_lsp.search.space import Floats, Space
from adebug_lsp.search.weights import Own, Weights, weigh
from adebug_lsp.tree.columns import Ints

ERROR_RATE = 0.02
"""How often an oracle answers wrongly."""

RULE_IS_WRONG = 0.6
"""The belief in the first hypothesis before any answer."""

MOST_SWAY = 4.0
"""How much likelier the most suspect rule is than one of which nothing is known, and that one than the least."""

SHOWS_EXCEPTION = 2
"""How much likelier a node is wrong by itself when its computation raised."""

EXACT = 1 << 19
"""Nodes times rules that are counted one by one; beyond, a rule's executions share its chance evenly."""

CERTAIN = 1 << 40
"""The probability 1, as a whole number."""


@frozen(eq=False)
class Belief:
    """The probability that a node of the area would be answered "no"."""

    rule_weight: float
    """The weight of a chance under the first hypothesis."""
    prior: Floats
    """How likely each rule was before any answer, compared with others."""
    right: Ints
    counted: Ints
    """The rules whose executions are counted exactly."""
    suspects: Ints
    """All suspects, when there are such rules."""
    spread: Weights
    """The probability that all else contributes, which is a sum over the nodes of a subtree."""

    def of_no(self, nodes: Ints) -> Floats:
        """How likely each of these nodes would be answered "no"."""
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
    """How likely each rule is to be wrong before any answer, as a factor around 1."""
    if space.suspicion is None:
        return np.ones(len(space.tree.sites))
    factors: Floats = MOST_SWAY ** (2 * np.clip(space.suspicion, 0.0, 1.0) - 1)
    return factors


def chance(right: Ints, further: Ints) -> Floats:
    """The probability that `right` executions of a wrong rule show no bug, and one of `further` ones does."""
    result: Floats = 1 / (right + 1) - 1 / (right + further + 1)
    return result


def doubt(space: Space, node: int, judgement: Judgement) -> float:
    """How likely the bug is where an answer took it not to be: what makes the answer worth asking for again."""
    inside, right, prior = space.executions(node), space.cleared_executions(), prior_of_rules(space)
    if judgement is Judgement.NO:
        outside = space.executions() - inside
        return float((prior * chance(np.minimum(right, outside), np.maximum(outside - right, 0))).sum())
    return float((prior * chance(np.maximum(right - inside, 0), inside)).sum())


def _counted_rules(left: Ints, candidates: int) -> Ints:
    """The rules with most executions, as many as can be counted exactly; one that ran once needs no counting."""
    ranked = np.argsort(-left, kind="stable")[: EXACT // candidates]
    repeated: Ints = ranked[left[ranked] > 1]
    return repeated


def _suspects(space: Space) -> Ints:
    return np.concatenate([np.flatnonzero(space.suspects(start, stop)) + start for start, stop in space.blocks()])


def _spread(space: Space, share: Floats, node_weight: float) -> Own:
    """A node's own part: its share of its rule's chance, and its chance to be wrong by itself."""
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
