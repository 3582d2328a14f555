"""Hat-delta (Davie and Chitil 2005): ask about the rule that earlier answers make most suspicious.

There are three heuristics. Before the first answer they tie on all nodes, and the left-most one is chosen.
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
"""Returns the suspicion of each rule, from its numbers of right and of wrong executions."""


def fewest_yes(yes: Ints, _no: Ints) -> Ints:
    """Suspects rules that were judged right least often."""
    return -yes


def most_no(_yes: Ints, no: Ints) -> Ints:
    """Suspects rules that were judged wrong most often."""
    return no


def share_of_no(yes: Ints, no: Ints) -> NDArray[np.float64]:
    """Suspects rules by their proportion of wrong executions; 1/2 for a rule that was never judged."""
    asked = yes + no
    return np.where(asked == 0, 0.5, no / np.maximum(asked, 1))


@frozen
class HatDelta:
    """Asks about an execution of the rule that the heuristic suspects most."""

    heuristic: Heuristic

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        suspicion = self.heuristic(counts(space, Judgement.YES), counts(space, Judgement.NO))
        site = space.tree.site
        return required(best(weigh(space), lambda _w, start, stop: suspicion[site[start:stop]]))
