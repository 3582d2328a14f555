"""Hat-delta (Davie and Chitil 2005): ask about the rule that earlier answers make most suspicious.

Three heuristics; with no answers yet they all tie, and the left-most node is the one that top-down would ask.
"""

from collections.abc import Callable

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.divide_and_query import required
from adebug_lsp.search.rule_statistics import counts
from adebug_lsp.search.space import Space
from adebug_lsp.search.weights import best, weigh
from adebug_lsp.tree.columns import Ints

Heuristic = Callable[[Ints, Ints], NDArray[np.generic]]
"""How suspicious each rule is, from the number of its right and of its wrong executions."""


def fewest_yes(yes: Ints, _no: Ints) -> Ints:
    """A rule that has run right will run right again."""
    return -yes


def most_no(_yes: Ints, no: Ints) -> Ints:
    """A rule that has run wrong will run wrong again."""
    return no


def share_of_no(yes: Ints, no: Ints) -> NDArray[np.float64]:
    """The proportion of wrong executions; one half for a rule that was never judged."""
    asked = yes + no
    return np.where(asked == 0, 0.5, no / np.maximum(asked, 1))


@frozen
class HatDelta:
    """Asks for the rule that the heuristic suspects most."""

    heuristic: Heuristic

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        suspicion = self.heuristic(counts(space, Judgement.YES), counts(space, Judgement.NO))
        site = space.tree.site
        return required(best(weigh(space), lambda _w, start, stop: suspicion[site[start:stop]]))
