"""The evaluation dependency tree: reductions of the user's functions, each below the one that created its redex."""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from adebug_lsp.languages.haskell.engine.machine import Trail
from adebug_lsp.languages.haskell.engine.units import SITE_BITS, Unit

Ints = NDArray[np.int64]


@frozen(eq=False)
class EvaluationTree:
    """The reductions with questions, and their parents among them."""

    reductions: Ints
    """Reductions in the order in which they began; the first is `main`."""
    parents: Ints
    """Positions in `reductions`; -1 for the first."""
    nearest: Ints
    """For every reduction of the run, the position of the one with a question that it belongs to."""


def evaluation_tree(trail: Trail, units: list[Unit]) -> EvaluationTree:
    """The tree of Definition 14, without reductions of trusted and generated functions, whose children move up."""
    redexes = np.frombuffer(trail.redexes, dtype=np.int64)
    kinds = np.frombuffer(trail.units, dtype=np.int32)
    asked_units = np.array([is_asked(unit) for unit in units], dtype=bool)
    asked = asked_units[kinds]
    asked[0] = True
    parents = redexes >> SITE_BITS
    parents[0] = 0
    above = parents.copy()
    while True:  # pointer doubling: the nearest asked reduction above each
        hidden = ~asked[above]
        if not hidden.any():
            break
        above[hidden] = above[above[hidden]]
    chosen = np.flatnonzero(asked)
    position = np.full(len(redexes), -1, dtype=np.int64)
    position[chosen] = np.arange(len(chosen))
    own = position[above[chosen]]
    own[0] = -1
    nearest = np.where(asked, position, position[above])
    return EvaluationTree(chosen, own, nearest)


def is_asked(unit: Unit) -> bool:
    """Whether questions are asked about a unit."""
    return not unit.trusted and not unit.generated
