"""Suspicion from other runs affects only the questions of the default strategy, and within bounds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.belief import MOST_SWAY, belief, doubt, prior_of_rules
from adebug_lsp.search.space import Floats, Space
from adebug_lsp.search.strategies import DEFAULT, names, strategy
from adebug_lsp.search.weights import weigh
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.handmade import HandmadeTree
from benchmarks.worst_case import worst_case
from tests.support import is_buggy, labelled, preorder_parents, tree_of

SUSPICIONS = st.lists(st.floats(0, 1), min_size=6, max_size=6)
"""More than any of these trees has sites."""


def suspected(tree: ExecutionTree, suspicion: list[float]) -> Floats:
    return np.array(suspicion[: len(tree.sites)])


def asked(name: str, handmade: HandmadeTree, suspicion: Floats | None) -> tuple[list[int], int | None]:
    """The questions to an oracle that tells the truth, and where they end."""
    space, chooser, nodes = Space(handmade.tree, suspicion=suspicion), strategy(name), list[int]()
    while space.any_askable():
        nodes.append(chooser.choose(space))
        space.judge(nodes[-1], Judgement.NO if nodes[-1] in handmade.wrong else Judgement.YES)
    return nodes, space.top


@settings(max_examples=100, deadline=None)
@given(handmade=labelled(), suspicion=st.sampled_from([0.0, 0.5, 1.0]))
def test_the_same_suspicion_everywhere_changes_nothing(handmade: HandmadeTree, suspicion: float) -> None:
    """Powers of two: not even the last bit of a probability."""
    same = np.full(len(handmade.tree.sites), suspicion)
    assert asked(DEFAULT, handmade, same) == asked(DEFAULT, handmade, None)


@pytest.mark.parametrize("name", [name for name in names() if name != DEFAULT])
@settings(max_examples=10, deadline=None)
@given(handmade=labelled(), suspicion=SUSPICIONS)
def test_other_strategies_do_not_look_at_it(name: str, handmade: HandmadeTree, suspicion: list[float]) -> None:
    assert asked(name, handmade, suspected(handmade.tree, suspicion)) == asked(name, handmade, None)


@settings(max_examples=100, deadline=None)
@given(handmade=labelled(), suspicion=SUSPICIONS)
def test_whatever_is_suspect_the_bug_is_found(handmade: HandmadeTree, suspicion: list[float]) -> None:
    questions, top = asked(DEFAULT, handmade, suspected(handmade.tree, suspicion))
    assert top is not None
    assert is_buggy(handmade, top, handmade.wrong | {0})
    assert len(questions) == len(set(questions))


@settings(max_examples=60, deadline=None)
@given(
    parents=preorder_parents(most=12),
    rules=st.lists(st.integers(0, 5), min_size=12, max_size=12),
    suspicion=SUSPICIONS,
)
def test_misleading_suspicion_keeps_the_bound(
    parents: list[int | None], rules: list[int], suspicion: list[float]
) -> None:
    """At most twice the worst case of optimal divide and query, as without it."""
    tree = tree_of(parents, rules)
    ours = worst_case(strategy(DEFAULT), tree, suspicion=suspected(tree, suspicion))
    assert ours <= 2 * worst_case(strategy("divide-and-query-optimal"), tree)


@given(suspicion=st.lists(st.floats(-1, 2), min_size=2, max_size=2))
def test_the_factor_is_bounded_and_grows_with_suspicion(suspicion: list[float]) -> None:
    space = Space(tree_of([None, 0], rules=[0, 1]), suspicion=np.array(sorted(suspicion)))
    low, high = prior_of_rules(space)
    assert 1 / MOST_SWAY <= low <= high <= MOST_SWAY


def test_suspect_code_is_asked_about_first() -> None:
    tree = tree_of([None, 0, 0, 0], rules=[0, 1, 2, 3])
    space = Space(tree, suspicion=np.array([0.5, 0.2, 0.9, 0.5]))
    least, most, between = belief(space, weigh(space).total + 1).of_no(np.array([1, 2, 3]))
    assert least < between < most
    assert strategy(DEFAULT).choose(Space(tree)) == 1
    assert strategy(DEFAULT).choose(space) == 2


def test_executions_that_are_counted_have_their_rules_suspicion_too() -> None:
    """Both rules ran twice, so that their executions are counted one by one."""
    tree = tree_of([None, 0, 0, 0, 0], rules=[0, 1, 1, 2, 2])
    space = Space(tree, suspicion=np.array([0.5, 0.1, 0.9]))
    first, second = belief(space, weigh(space).total + 1).of_no(np.array([1, 3]))
    assert first < second


def test_an_answer_that_hides_suspect_code_is_doubted_more() -> None:
    tree = tree_of([None, 0, 0], rules=[0, 1, 2])
    space = Space(tree, suspicion=np.array([0.5, 0.1, 0.9]))
    for node in (1, 2):
        space.judge(node, Judgement.YES)
    assert doubt(space, 2, Judgement.YES) > doubt(space, 1, Judgement.YES)
