"""Top-down search and its variants: the next question is always about a child of the last node that was wrong.

They differ only in which child comes first; equals go from left to right.
"""

from collections.abc import Callable

from attrs import frozen

from adebug_lsp.search.rule_weights import distinct_rules, yes_weights
from adebug_lsp.search.space import Space
from adebug_lsp.search.weights import weigh

Rank = Callable[[int], int]
"""How eager a strategy is to ask about a child."""


@frozen
class TopDown:
    """Asks the children of the top in the order of their rank."""

    ranking: Callable[[Space], Rank]

    def choose(self, space: Space) -> int:
        """The child with the highest rank."""
        return max(space.frontier(), key=self.ranking(space))  # max keeps the first of equals


def in_order(_space: Space) -> Rank:
    """Top-down (Av-Ron 1984): from left to right."""
    return lambda _node: 0


def recursive_first(space: Space) -> Rank:
    """Top-down zooming (Maeji and Kanamori 1987): calls of the routine that is already in question."""
    if space.top is None:
        return in_order(space)
    routine = space.tree.site_of(space.top).routine
    return lambda node: int(space.tree.site_of(node).routine == routine)


def raised_first(space: Space) -> Rank:
    """Exception zooming (MacLarty 2005): computations that ended in an exception."""
    return lambda node: int(space.tree.raised[node])


def heaviest_first(space: Space) -> Rank:
    """Heaviest first (Binks 1995): the largest subtree."""
    return weigh(space).of


def less_yes_first(space: Space) -> Rank:
    """Less YES first (Silva 2007): the subtree whose rules have run right least often."""
    return weigh(space, yes_weights(space)).of


def most_rules_first(space: Space) -> Rank:
    """Distinct rules (Silva 2007, Example 18): the subtree that runs most different rules."""
    return distinct_rules(space)
