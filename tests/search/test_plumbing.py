"""The default strategy asks about plumbing when nothing else is left, and about loops when no call is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.kinds import LOOP_KINDS, NodeKind
from adebug_lsp.search.expected_cost import MANY, ExpectedCost
from adebug_lsp.search.space import Space
from adebug_lsp.search.weights import weigh
from adebug_lsp.tree.handmade import HandmadeTree
from tests.support import is_buggy, labelled, tree_of

FLAGS = st.lists(st.booleans(), min_size=24, max_size=24)
"""As many as any of these trees has nodes."""


@settings(max_examples=60, deadline=None)
@given(handmade=labelled(), flags=FLAGS)
def test_plumbing_is_asked_about_when_nothing_else_is_left(handmade: HandmadeTree, flags: list[bool]) -> None:
    plumbing = np.array(flags[: len(handmade.tree)])
    space = Space(handmade.tree, plumbing=plumbing)
    while space.any_askable():
        node = ExpectedCost().choose(space)
        assert space.is_askable(node)
        low, high = space.area
        others = space.askable(low, high) & ~plumbing[low:high]
        in_plumbing = space.top is not None and plumbing[space.top]
        assert not plumbing[node] or in_plumbing or not others.any()
        space.judge(node, Judgement.NO if node in handmade.wrong else Judgement.YES)
    assert space.top is not None
    assert is_buggy(handmade, space.top, handmade.wrong | {0})


def test_the_weight_of_plumbing_does_not_count() -> None:
    space = Space(tree_of([None, 0, 1, 1, 0]), plumbing=np.array([False, True, True, True, False]))
    with space.without_postponed():
        assert weigh(space).total == 1
        assert space.suspected_executions().sum() == 2, "the root and the last"
    assert weigh(space).total == 4


ROUTINE, LOOP, ITERATION = NodeKind.ROUTINE, NodeKind.LOOP, NodeKind.ITERATION


def asked(kinds: list[NodeKind], parents: list[int | None], judge: Judgement) -> list[NodeKind]:
    """Kinds of all questions, each answered alike."""
    tree, asked_kinds = tree_of(parents, [*range(len(kinds))], kinds=kinds), list[NodeKind]()
    space = Space(tree, plumbing=np.zeros(len(tree), np.bool_))
    while space.any_askable():
        node = ExpectedCost().choose(space)
        asked_kinds.append(kinds[node])
        space.judge(node, judge)
    return asked_kinds


def test_calls_come_before_a_loop_of_another_call() -> None:
    kinds = [ROUTINE, ROUTINE, LOOP, *[ITERATION] * 9, ROUTINE, ROUTINE]
    assert LOOP_KINDS.isdisjoint(asked(kinds, [None, 0, 1, *[2] * 9, 0, 0], Judgement.YES))


def test_a_loop_of_the_wrong_call_is_asked_about() -> None:
    kinds = [ROUTINE, LOOP, *[ITERATION] * 9, ROUTINE]
    assert asked(kinds, [None, 0, *[1] * 9, 0], Judgement.YES)[0] is LOOP


@pytest.mark.parametrize(("iterations", "first"), [(2, ROUTINE), (MANY, LOOP)])
def test_one_loop_that_holds_most_is_halved_at_once(iterations: int, first: NodeKind) -> None:
    kinds: list[NodeKind] = [ROUTINE, ROUTINE, LOOP]
    parents: list[int | None] = [None, 0, 1]
    for _ in range(iterations):
        kinds += [ITERATION, ROUTINE]
        parents += [2, len(kinds) - 2]
    asked_kinds = asked(kinds, parents, Judgement.NO)
    assert next(kind for kind in asked_kinds if kind is not ROUTINE or first is ROUTINE) is first
