"""Properties of every strategy on every tree, with a truthful oracle."""

from functools import cache
from math import ceil, log2

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.space import Space
from adebug_lsp.search.strategies import names, strategy
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.handmade import HandmadeTree
from benchmarks.worst_case import worst_case
from tests.support import is_buggy, labelled, preorder_parents, questions, tree_of

ALL = names()


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=60, deadline=None)
@given(handmade=labelled())
def test_ends_at_a_buggy_node(name: str, handmade: HandmadeTree) -> None:
    _asked, top = questions(strategy(name), handmade)
    assert top is not None
    assert is_buggy(handmade, top, handmade.wrong | {0})


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=60, deadline=None)
@given(handmade=labelled(root_wrong=False))
def test_asking_the_root_ends_at_a_buggy_node_or_clears_the_root(name: str, handmade: HandmadeTree) -> None:
    asked, top = questions(strategy(name), handmade, ask_root=True)
    if top is None:
        assert 0 in asked
        assert 0 not in handmade.wrong
    else:
        assert is_buggy(handmade, top)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=60, deadline=None)
@given(handmade=labelled())
def test_asks_nothing_twice_and_nothing_implied(name: str, handmade: HandmadeTree) -> None:
    """A question is never about a node below one that is right, nor about one that is not below the last wrong one."""
    tree = handmade.tree
    asked, _top = questions(strategy(name), handmade)
    assert len(asked) == len(set(asked))
    for position, node in enumerate(asked):
        for earlier in asked[:position]:
            if earlier in handmade.wrong:
                assert tree.contains(earlier, node)
            else:
                assert not tree.contains(earlier, node)


def measures(tree: ExecutionTree) -> tuple[int, int, int]:
    """Nodes, largest number of children, and depth in edges."""
    depths = [0] * len(tree)
    for node in range(1, len(tree)):
        depths[node] = depths[int(tree.parent[node])] + 1
    return len(tree), max(len(tree.children(node)) for node in range(len(tree))), max(depths)


@pytest.mark.parametrize("name", ["top-down", "top-down-zooming", "heaviest-first", "less-yes-first", "distinct-rules"])
@settings(max_examples=25, deadline=None)
@given(parents=preorder_parents(most=10), rules=st.lists(st.integers(0, 3), min_size=10, max_size=10))
def test_top_down_worst_case(name: str, parents: list[int | None], rules: list[int]) -> None:
    """At most b * d questions (Figure 7.3)."""
    tree = tree_of(parents, rules)
    _n, b, d = measures(tree)
    assert worst_case(strategy(name), tree) <= b * d


@pytest.mark.parametrize(
    ("name", "beyond"),
    [
        ("divide-and-query-shapiro", 1),
        ("divide-and-query-hirunkitti", 1),
        ("divide-and-query-biased", 1),
        ("divide-and-query-optimal", 0),
    ],
)
@settings(max_examples=25, deadline=None)
@given(parents=preorder_parents(most=12, least=2))
@example(parents=[None, 0, 1, 2])
@example(parents=[None, 0, 1, 2, 3, 4, 5, 6, 7, 8])
def test_divide_and_query_worst_case(name: str, beyond: int, parents: list[int | None]) -> None:
    """b * log2 n questions (Figure 7.3), the logarithm rounded up; on chains the classic divisions need one more."""
    tree = tree_of(parents)
    n, b, _d = measures(tree)
    assert worst_case(strategy(name), tree) <= b * ceil(log2(n)) + beyond


@pytest.mark.parametrize("name", ["single-stepping", "hat-delta", "subterm-tracking", "dynamic-weighting"])
@settings(max_examples=25, deadline=None)
@given(parents=preorder_parents(most=9), rules=st.lists(st.integers(0, 3), min_size=9, max_size=9))
def test_worst_case_is_the_number_of_nodes(name: str, parents: list[int | None], rules: list[int]) -> None:
    tree = tree_of(parents, rules)
    assert worst_case(strategy(name), tree) <= len(tree) - 1


@cache
def optimal_worst_case(parents: tuple[int | None, ...]) -> int:
    return worst_case(strategy("divide-and-query-optimal"), tree_of(parents))


@settings(max_examples=150, deadline=None)
@given(
    parents=preorder_parents(most=13),
    rules=st.lists(st.integers(0, 4), min_size=13, max_size=13),
    costs=st.lists(st.sampled_from([1, 10, 100, 5000]), min_size=13, max_size=13),
)
def test_expected_cost_needs_at_most_twice_the_optimal_worst_case(
    parents: list[int | None], rules: list[int], costs: list[int]
) -> None:
    tree = tree_of(parents, rules, costs)
    assert worst_case(strategy("expected-cost"), tree) <= 2 * optimal_worst_case(tuple(parents))


@settings(max_examples=60, deadline=None)
@given(parents=preorder_parents(most=13, least=3))
def test_optimal_is_never_worse_than_the_other_divisions(parents: list[int | None]) -> None:
    """Its next question leaves, in the worse case, no more suspects than any other question would."""
    tree = tree_of(parents)
    space = Space(tree)
    node = strategy("divide-and-query-optimal").choose(space)
    left = {n: max(int(tree.size[n]) - 1, len(tree) - 1 - int(tree.size[n])) for n in range(1, len(tree))}
    assert left[node] == min(left.values())


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=40, deadline=None)
@given(handmade=labelled(), unknown=st.sets(st.integers(0, 23)))
def test_dont_know_never_loses_the_bug(name: str, handmade: HandmadeTree, unknown: set[int]) -> None:
    """Either the end is a buggy node, or some buggy node is among the top and the skipped nodes."""
    space = Space(handmade.tree)
    chooser = strategy(name)
    wrong = handmade.wrong | {0}
    for _ in range(len(handmade.tree)):
        if not space.any_askable():
            break
        node = chooser.choose(space)
        if node in unknown:
            space.judge(node, Judgement.UNKNOWN)
        else:
            space.judge(node, Judgement.NO if node in wrong else Judgement.YES)
    assert not space.any_askable()
    assert space.top is not None
    candidates = {space.top, *space.skipped()}
    assert any(is_buggy(handmade, node, wrong) for node in candidates)


@settings(max_examples=60, deadline=None)
@given(handmade=labelled(), name=st.sampled_from(ALL))
def test_same_answers_give_the_same_questions(handmade: HandmadeTree, name: str) -> None:
    assume(len(handmade.tree) > 1)
    assert questions(strategy(name), handmade) == questions(strategy(name), handmade)
