"""Strategies made of others: the combiner with addends (section 7.4.1) and automatic switching (section 7.4.2)."""

from collections.abc import Callable, Mapping

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from adebug_lsp.search.divide_and_query import Hirunkitti, nearest_half
from adebug_lsp.search.mark_tracking import mark_weights
from adebug_lsp.search.rule_weights import yes_weights
from adebug_lsp.search.space import Space, blocks
from adebug_lsp.search.top_down import TopDown, heaviest_first
from adebug_lsp.search.weights import Score, Weights, weigh
from adebug_lsp.tree.columns import Ints

Component = Callable[[Space], tuple[Weights, Score]]
"""Returns one component strategy as weights and a score over all nodes."""


def _heaviest(space: Space) -> tuple[Weights, Score]:
    return weigh(space), lambda w, _start, _stop: w


def _hirunkitti(space: Space) -> tuple[Weights, Score]:
    weights = weigh(space)
    return weights, nearest_half(weights)


def _less_yes(space: Space) -> tuple[Weights, Score]:
    return weigh(space, yes_weights(space)), lambda w, _start, _stop: w


def _divide_by_yes(space: Space) -> tuple[Weights, Score]:
    weights = weigh(space, yes_weights(space))
    return weights, nearest_half(weights)


def _marks(space: Space) -> tuple[Weights, Score]:
    weights = mark_weights(space)
    return weigh(space), lambda _w, start, stop: weights(start, stop)


def _one_rule(space: Space) -> tuple[Weights, Score]:
    """Example 19: a question that leaves a single rule, whatever the answer."""
    rules = rules_left(space)
    if len(rules) != 2:
        return weigh(space), lambda w, _start, _stop: np.zeros_like(w)
    site = space.tree.site
    first = weigh(space, lambda start, stop: (site[start:stop] == rules[0]).astype(np.int64))
    everything = weigh(space)

    def separates(of_first: Ints, start: int, stop: int) -> Ints:
        of_all = everything.between(start, stop)
        all_first = (of_first == of_all) & (of_first == first.total)
        all_second = (of_first == 0) & (of_all == everything.total - first.total)
        separating: Ints = (all_first | all_second).astype(np.int64)
        return separating

    return first, separates


COMPONENTS: Mapping[str, Component] = {
    "one-rule": _one_rule,
    "dynamic-weighting": _marks,
    "divide-by-yes": _divide_by_yes,
    "less-yes-first": _less_yes,
    "divide-and-query-hirunkitti": _hirunkitti,
    "heaviest-first": _heaviest,
}

LEXICOGRAPHIC: Mapping[str, float] = dict(zip(COMPONENTS, (47, 23, 11, 5, 2, 0), strict=True))
"""The addends of the thesis, in units of the bound C: each component only breaks ties of those before it."""


@frozen
class Combined:
    """The node with the highest sum: each component contributes its addend, scaled by its score from 0 to 1."""

    addends: Mapping[str, float] = field(default=LEXICOGRAPHIC)

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        low, high = space.area
        nodes = np.concatenate([np.flatnonzero(space.askable(start, stop)) + start for start, stop in space.blocks()])
        total = np.zeros(len(nodes))
        for name, addend in self.addends.items():
            weights, score = COMPONENTS[name](space)
            scores = [score(weights.between(start, stop), start, stop) for start, stop in blocks(low, high)]
            total += _contribution(np.concatenate(scores)[nodes - low].astype(np.float64), addend)
        return int(nodes[np.argmax(total)])


def _contribution(scores: NDArray[np.float64], addend: float) -> NDArray[np.float64]:
    lowest, highest = scores.min(), scores.max()
    if lowest == highest:
        return np.zeros_like(scores)  # the component has no favourite
    contribution: NDArray[np.float64] = (scores - lowest) / (highest - lowest) + addend * (scores == highest)
    return contribution


class AutoSwitch:
    """Heaviest first while the area is shallower than its logarithm, else Hirunkitti's divide and query."""

    def choose(self, space: Space) -> int:
        """See `Strategy`."""
        if depth(space) < np.log2(max(weigh(space).total, 1)):
            return TopDown(heaviest_first).choose(space)
        return Hirunkitti().choose(space)


def depth(space: Space) -> int:
    """The largest number of suspects on a path down the area."""
    low, high = space.area
    change = np.zeros(high - low + 1, dtype=np.int64)
    for start, stop in space.blocks():
        suspects = np.flatnonzero(space.suspects(start, stop)) + start
        change[suspects - low] += 1
        np.subtract.at(change, suspects + space.tree.size[suspects] - low, 1)
    return int(np.cumsum(change).max(initial=0))


def rules_left(space: Space) -> list[int]:
    """The rules that candidates of the area execute, as sites."""
    of_blocks = [np.unique(space.tree.site[start:stop][space.suspects(start, stop)]) for start, stop in space.blocks()]
    sites = {int(site) for block in of_blocks for site in block}
    if space.top is not None:
        sites.add(int(space.tree.site[space.top]))
    return sorted(sites)
