"""The default strategy asks last about what a failed value does not depend on, and drops nothing."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import Judgement, Mark, MarkOf
from adebug_lsp.search.expected_cost import ExpectedCost
from adebug_lsp.search.space import Space
from adebug_lsp.slicing.dependence_contract import KnownTraces, Trace
from adebug_lsp.tree.handmade import HandmadeTree
from tests.support import is_buggy, labelled

FLAGS = st.lists(st.booleans(), min_size=24, max_size=24)
"""As many as any of these trees has nodes."""


@settings(max_examples=60, deadline=None)
@given(handmade=labelled(), flags=FLAGS)
def test_what_is_not_needed_is_asked_about_when_nothing_else_is_left(handmade: HandmadeTree, flags: list[bool]) -> None:
    is_needed = np.array(flags[: len(handmade.tree)])
    trace = Trace(0, frozenset(range(len(handmade.tree))), needed=np.flatnonzero(is_needed))
    space = Space(handmade.tree, dependences=KnownTraces({(0, Mark(MarkOf.RESULT)): trace}))
    space.follow_failure()
    while space.any_askable():
        node = ExpectedCost().choose(space)
        assert space.is_askable(node)
        low, high = space.area
        assert is_needed[node] or not (space.askable(low, high) & is_needed[low:high]).any()
        space.judge(node, Judgement.NO if node in handmade.wrong else Judgement.YES)
    assert space.top is not None
    assert is_buggy(handmade, space.top, handmade.wrong | {0})
