"""The default strategy asks about plumbing when nothing else is left, and about loops when no call is."""

import numpy as np
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
    with space.without_plumbing():
        assert weigh(space).total == 1
        assert space.suspected_executions().sum() == 2, "the root and the last"
    assert weigh(space).total == 4


ROUTINE, LOOP, ITERATION = NodeKind.ROUTINE, NodeKind.LOOP, NodeKind.ITERATION


def asked(kinds: list[NodeKind], parents: list[int | None], judge: Judgement) -> list[NodeKind]:
    """Kinds of all questions, each answered alike."""
    space, found = Space(tree_of(parents, [*range(len(kinds))], kinds=kinds)), list[NodeKind]()
    while space.any_askable():
        node = ExpectedCost().choose(space)
        found.append(kinds[node])
        space.judge(node, judge)
    return found


def test_calls_come_before_a_loop() -> None:
    kinds = [ROUTINE, LOOP, ITERATION, ITERATION, ROUTINE, ROUTINE, ROUTINE, ROUTINE]
    found = asked(kinds, [None, 0, 1, 1, 0, 0, 0, 0], Judgement.YES)
    assert found[:4] == [ROUTINE] * 4
    assert set(found[4:]) <= LOOP_KINDS


def test_a_loop_in_a_call_that_is_not_known_to_be_wrong_waits() -> None:
    kinds = [ROUTINE, ROUTINE, LOOP, *[ITERATION] * 9]
    assert asked(kinds, [None, 0, 1, *[2] * 9], Judgement.YES) == [ROUTINE]


def test_one_loop_that_holds_most_is_asked_about_by_its_iterations() -> None:
    kinds, parents = [ROUTINE, LOOP], [None, 0]
    for _ in range(MANY):
        kinds += [ITERATION, ROUTINE]
        parents += [1, len(kinds) - 2]
    assert LOOP in asked(kinds, parents, Judgement.YES)[:1]
