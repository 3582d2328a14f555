"""Top-down search and its variants: always ask about a child of the last wrong node.

The variants differ in which child comes first; ties go from left to right.
"""

from collections.abc import Callable

from attrs import frozen

from adebug_lsp.search.rule_weights import distinct_rules, yes_weights
from adebug_lsp.search.space import Space
from adebug_lsp.search.weights import weigh

Rank = Callable[[int], int]
"""Returns the rank of a child; the highest is asked first."""


@frozen
class TopDown:
    """Asks the children of the top in the order of their rank."""

    ranking: Callable[[Space], Rank]

    def choose(self, space: Space) -> int:
        """The child with the highest rank."""
        return max(space.frontier(), key=self.ranking(space))  # max returns the first of equals


def in_order(_space: Space) -> Rank:
    """Top-down (Av-Ron 1984): from left to right."""
    return lambda _node: 0


def recursive_first(space: Space) -> Rank:
    """Top-down zooming (Maeji and Kanamori 1987): recursive calls of the wrong routine first."""
    if space.top is None:
        return in_order(space)
    routine = space.tree.site_of(space.top).routine
    return lambda node: int(space.tree.site_of(node).routine == routine)


def raised_first(space: Space) -> Rank:
    """Exception zooming (MacLarty 2005): computations that raised first."""
    return lambda node: int(space.tree.raised[node])


def heaviest_first(space: Space) -> Rank:
    """Heaviest first (Binks 1995): the largest subtree first."""
    return weigh(space).of


def less_yes_first(space: Space) -> Rank:
    """Less YES first (Silva 2007): the subtree whose rules were judged right least often first."""
    return weigh(space, yes_weights(space)).of


def most_rules_first(space: Space) -> Rank:
    """Distinct rules (Silva 2007, Example 18): the subtree with the most distinct rules first."""
    return distinct_rules(space)
