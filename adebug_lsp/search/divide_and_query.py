"""Divide and query: ask about the subtree that divides the area into the most equal halves.

The variants differ in the definition of the middle and in the weights of nodes. `w` is the weight of the area without
the node that is known to be wrong.
"""

from collections.abc import Callable, Mapping

import numpy as np
from attrs import field, frozen

from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.search.rule_weights import yes_weights
from adebug_lsp.search.space import Space
from adebug_lsp.search.weights import Own, Score, Weights, best, weigh


class Shapiro:
    """The heaviest node with weight at most w/2, or else the lightest (Shapiro 1982)."""

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        weights = weigh(space)
        total = weights.total
        return required(best(weights, lambda w, _start, _stop: np.where(2 * w <= total, w, -w)))


@frozen
class Hirunkitti:
    """The node whose weight is nearest to w/2, the lighter one in a tie (Hirunkitti and Hogger 1993)."""

    own: Callable[[Space], Own] | None = None

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        weights = weigh(space, self.own(space) if self.own else None)
        return required(best(weights, nearest_half(weights)))


def nearest_half(weights: Weights) -> Score:
    """Hirunkitti's measure, as a score."""
    total = weights.total
    return lambda w, _start, _stop: -(2 * np.abs(total - 2 * w) + (2 * w > total))


class Optimal:
    """Optimal divide and query (Insa and Silva): as many suspects left after "yes" as after "no".

    After "no" the node itself is known to be wrong, so that w(n) - 1 remain; after "yes", w - w(n).
    """

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        weights = weigh(space)
        return required(best(weights, balance(weights)))


def balance(weights: Weights) -> Score:
    """The difference between both outcomes of a question, as a score."""
    total = weights.total
    return lambda w, _start, _stop: -np.abs(total - 2 * w + 1)


DEFAULT_BIAS: Mapping[NodeKind, int] = dict.fromkeys(NodeKind, 1) | {
    NodeKind.PROJECTION: 0,
    NodeKind.COLLAPSE: 0,
    NodeKind.ITERATION_RANGE: 0,
}
"""Nodes made by a transformation weigh nothing, because their children have the same code."""


@frozen
class Biased:
    """Hirunkitti's rule with a weight for each kind of node (MacLarty 2005); kinds of weight 0 come last."""

    bias: Mapping[NodeKind, int] = field(default=DEFAULT_BIAS)

    def choose(self, space: Space) -> int:
        """A node of a kind with a weight, or any node if none of those is left."""
        per_kind = np.array([self.bias.get(kind, 1) for kind in NodeKind], dtype=np.int64)

        kind = space.tree.kind
        weights = weigh(space, lambda start, stop: per_kind.take(kind[start:stop]))
        halves = nearest_half(weights)
        aside = (per_kind == 0) * np.int64(2 * (2 * weights.total + 1) + 1)  # worse than any of the other kinds

        return required(best(weights, lambda w, start, stop: halves(w, start, stop) - aside.take(kind[start:stop])))


def divide_by_yes() -> Hirunkitti:
    """Divide by YES and query (Silva 2007): rules that have run right weigh less."""
    return Hirunkitti(yes_weights)


def required(node: int | None) -> int:
    """Assert that there is a node; strategies are only called when something can be asked."""
    if node is None:
        raise ValueError("nothing can be asked in this area")
    return node
