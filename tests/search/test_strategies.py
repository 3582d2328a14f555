"""Characteristic behaviour of each strategy that the thesis's tree does not show."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.errors import UnknownNameError
from adebug_lsp.search import strategies
from adebug_lsp.search.belief import ERROR_RATE, belief, chance, doubt
from adebug_lsp.search.combined import COMPONENTS, LEXICOGRAPHIC, depth
from adebug_lsp.search.divide_and_query import Biased
from adebug_lsp.search.hat_delta import fewest_yes, most_no, share_of_no
from adebug_lsp.search.interval_set import Spans
from adebug_lsp.search.rule_statistics import counts
from adebug_lsp.search.single_stepping import SingleStepping
from adebug_lsp.search.space import Space
from adebug_lsp.search.strategies import because, names, strategy
from adebug_lsp.search.weights import weigh
from adebug_lsp.tree.handmade import HandmadeTree, read_handmade
from tests.support import labelled, preorder_parents, tree_of


def first_question(name: str, handmade: HandmadeTree) -> object:
    return handmade.ids[strategy(name).choose(Space(handmade.tree))]


def test_hat_delta_statistics_of_example_2() -> None:
    """T2: each heuristic suspects a rule; two of the three the one that never ran."""
    yes, no = np.array([4, 8, 4, 4, 0]), np.array([0, 4, 0, 0, 0])
    assert share_of_no(yes, no).tolist() == [0, 1 / 3, 0, 0, 1 / 2]
    assert [int(np.argmax(heuristic(yes, no))) for heuristic in (fewest_yes, share_of_no, most_no)] == [4, 4, 1]


def test_a_judged_node_speaks_for_its_descendants() -> None:
    tree = tree_of([None, 0, 1, 1, 0], rules=[0, 1, 2, 2, 1])
    space = Space(tree)
    space.judge(1, Judgement.YES)
    space.judge(4, Judgement.NO)
    assert counts(space, Judgement.YES).tolist() == [0, 1, 2]
    assert counts(space, Judgement.NO).tolist() == [0, 1, 0]


def test_zooming_prefers_calls_of_the_same_routine() -> None:
    nodes = [{"id": "f", "parent": None, "rule": "f"}, {"id": "g", "parent": "f", "rule": "g"}]
    nodes.append({"id": "again", "parent": "f", "rule": "f"})
    assert first_question("top-down-zooming", read_handmade({"nodes": nodes})) == "again"


def test_exception_zooming_prefers_what_raised() -> None:
    nodes = [{"id": "f", "parent": None}, {"id": "g", "parent": "f"}, {"id": "h", "parent": "f", "raised": True}]
    assert first_question("exception-zooming", read_handmade({"nodes": nodes})) == "h"


def test_hirunkitti_differs_from_shapiro() -> None:
    """Nine nodes: the heaviest with at most half weighs 2, but 6 is nearer to the middle."""
    parents = [None, 0, 1, 1, 1, 1, 1, 0, 7, 0]
    tree = tree_of(parents)
    assert strategy("divide-and-query-shapiro").choose(Space(tree)) == 7
    assert strategy("divide-and-query-hirunkitti").choose(Space(tree)) == 1


def test_optimal_differs_from_hirunkitti() -> None:
    """Ten suspects, subtrees of 7 and 4: 7 leaves 6 or 3, 4 leaves 3 or 6; both are as good, Hirunkitti sees one."""
    parents = [None, 0, 1, 1, 1, 4, 4, 4, 0, 0, 0]
    tree = tree_of(parents)
    assert (int(tree.size[1]), int(tree.size[4])) == (7, 4)
    assert strategy("divide-and-query-hirunkitti").choose(Space(tree)) == 4
    assert strategy("divide-and-query-optimal").choose(Space(tree)) == 1


def test_a_kind_with_weight_0_is_set_aside() -> None:
    nodes = [
        {"id": 1, "parent": None},
        {"id": 2, "parent": 1, "kind": "lambda"},
        {"id": 3, "parent": 2, "kind": "loop"},
    ]
    handmade = read_handmade({"nodes": nodes})
    assert first_question("divide-and-query-biased:lambda=0", handmade) == 3
    assert first_question("divide-and-query-biased:loop=0", handmade) == 2
    space = Space(handmade.tree)
    space.judge(1, Judgement.UNKNOWN)
    assert Biased({}).choose(space) == 2


@settings(max_examples=40, deadline=None)
@given(handmade=labelled())
def test_single_stepping_is_post_order(handmade: HandmadeTree) -> None:
    tree = handmade.tree
    space = Space(tree)
    order = sorted(range(1, len(tree)), key=lambda node: (tree.end(node), -node))
    for node in order:
        assert SingleStepping().choose(space) == node
        space.judge(node, Judgement.YES)


def test_single_stepping_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adebug_lsp.search.space.BLOCK", 3)
    tree = tree_of([None, 0, 1, 2, 3, 4, 0])
    assert SingleStepping().choose(Space(tree)) == 5


def test_the_addends_are_lexicographic() -> None:
    """Each addend exceeds what all later components can add together."""
    addends = list(LEXICOGRAPHIC.values())
    for position, addend in enumerate(addends):
        later = addends[position + 1 :]
        assert addend > sum(later) + len(later) - 1 or not later


def test_combined_takes_addends() -> None:
    tree = tree_of([None, 0, 1, 2, 3, 0, 5])
    assert strategy("combined:heaviest-first=5").choose(Space(tree)) == 1
    assert strategy("combined:divide-and-query-hirunkitti=5,heaviest-first=0").choose(Space(tree)) == 2
    assert set(COMPONENTS) == set(LEXICOGRAPHIC)


def test_auto_switch_looks_at_depth() -> None:
    """Shallow: heaviest first, which asks a child of the top. Deep: Hirunkitti, which asks the middle."""
    shallow = tree_of([None, *[0] * 20, 20, 20])
    assert depth(Space(shallow)) == 2
    assert strategy("auto-switch").choose(Space(shallow)) == 20
    deep = tree_of([None, *range(20)])
    assert depth(Space(deep)) == 20
    assert strategy("auto-switch").choose(Space(deep)) == 11


def test_the_smallest_instance_first() -> None:
    """Eleven calls of one recursive routine, all wrong: the last one is asked about early, not at the end."""
    parents = [None, *range(11)]
    handmade = read_handmade(
        {"nodes": [{"id": n, "parent": p, "rule": "nfib", "size": 10, "wrong": True} for n, p in enumerate(parents)]}
    )
    space = Space(handmade.tree)
    asked = 0
    while space.any_askable():
        space.judge(strategy("expected-cost").choose(space), Judgement.NO)
        asked += 1
    assert asked <= 3


def test_among_equals_the_shorter_question_is_asked() -> None:
    tree = tree_of([None, 0, 0, 0], costs=[1, 900, 30, 900], rules=[0, 1, 2, 3])
    assert strategy("expected-cost").choose(Space(tree)) == 2


@settings(max_examples=60, deadline=None)
@given(handmade=labelled(), answers=st.lists(st.tuples(st.integers(1, 23), st.sampled_from(Judgement)), max_size=5))
def test_beliefs_are_probabilities_and_never_certain(
    handmade: HandmadeTree, answers: list[tuple[int, Judgement]]
) -> None:
    space = Space(handmade.tree)
    for node, judgement in answers:
        if node < len(handmade.tree):
            space.judge(node, judgement)
    if not space.any_askable():
        return
    candidates = weigh(space).total + (space.top is not None)
    nodes = np.array([n for n in range(len(handmade.tree)) if space.is_askable(n)])
    no = belief(space, candidates).of_no(nodes)
    assert np.all(no >= ERROR_RATE)
    assert np.all(no <= 1 - ERROR_RATE)


def test_the_chance_of_a_wrong_rule_is_an_integral() -> None:
    """1/(k+1) - 1/(k+m+1) is the mean of (1-q)^k (1 - (1-q)^m) over all q."""
    q = (np.arange(200_000) + 0.5) / 200_000
    for k, m in ((0, 1), (3, 2), (10, 50)):
        mean = float(np.mean((1 - q) ** k * (1 - (1 - q) ** m)))
        assert chance(np.array([k]), np.array([m]))[0] == pytest.approx(mean, rel=1e-4)


def test_answers_that_hide_more_are_doubted_more() -> None:
    """A "yes" on many different rules may hide a bug sooner than one on a rule that also ran right elsewhere."""
    tree = tree_of([None, 0, 1, 1, 0, 0], rules=[0, 1, 2, 3, 4, 4])
    space = Space(tree)
    for node in (1, 4, 5):
        space.judge(node, Judgement.YES)
    doubts = [doubt(space, node, Judgement.YES) for node in (1, 4)]
    assert doubts[0] > doubts[1] > 0
    assert doubt(space, 5, Judgement.NO) > 0


def test_a_rule_with_right_executions_is_less_suspect() -> None:
    tree = tree_of([None, 0, 0, 0], rules=[0, 1, 1, 2])
    space = Space(tree)
    nodes = np.array([2, 3])
    space.judge(1, Judgement.YES)
    again, never = belief(space, weigh(space).total + 1).of_no(nodes)
    assert again < never


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 10)), max_size=12), st.integers(0, 50), st.integers(0, 50))
def test_spans_are_sets(spans: list[tuple[int, int]], start: int, stop: int) -> None:
    merged, numbers = Spans(), set()
    for low, length in spans:
        merged.add(low, low + length)
        numbers |= set(range(low, low + length))
    assert {n for n in range(60) if merged.covers(n)} == numbers
    covered = [n for low, high in merged.within(start, stop) for n in range(low, high)]
    assert covered == sorted(numbers & set(range(start, stop)))


@settings(max_examples=40, deadline=None)
@given(parents=preorder_parents(most=30), data=st.data())
def test_small_blocks_change_nothing(parents: list[int | None], data: st.DataObject) -> None:
    """Looking at the tree in blocks of three gives the questions that one block gives."""
    tree = tree_of(parents, rules=[node % 4 for node in range(len(parents))])
    wrong = data.draw(st.sets(st.integers(0, len(parents) - 1)))
    name = data.draw(st.sampled_from(names()))

    def asked() -> list[int]:
        space, nodes = Space(tree), []
        while space.any_askable():
            nodes.append(strategy(name).choose(space))
            space.judge(nodes[-1], Judgement.NO if nodes[-1] in wrong else Judgement.YES)
        return nodes

    whole = asked()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adebug_lsp.search.space.BLOCK", 3)
        assert asked() == whole


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("heaviest", "unknown strategy 'heaviest'"),
        ("top-down:x=1", "no settings"),
        ("combined:magic=1", "unknown component of 'combined' 'magic'"),
        ("combined:heaviest-first=much", "expected NAME=NUMBER"),
        ("combined:heaviest-first=-1", "from 0 on"),
        ("combined:heaviest-first=nan", "from 0 on"),
        ("divide-and-query-biased:method=1", "unknown node kind 'method'"),
    ],
)
def test_bad_names_and_settings_are_named(spec: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=re.escape(message)):
        strategy(spec)


def test_every_strategy_says_why() -> None:
    reasons = [because(name) for name in names()]
    assert len(set(reasons)) == len(reasons)
    assert not [reason for reason in reasons if "chose it" in reason]
    assert because("mine:x=1") == "the strategy mine chose it"


def test_a_third_party_can_add_a_strategy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an installed package does: by its metadata."""
    about = tmp_path / "mine-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n", encoding="utf-8")
    entry = f"[{strategies.GROUP}]\nmine = tests.search.test_strategies:make_mine\n"
    (about / "entry_points.txt").write_text(entry, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert names()[-1] == "mine"
    assert isinstance(strategy("mine:depth=3"), SingleStepping)


def make_mine(settings: dict[str, float]) -> SingleStepping:
    assert settings == {"depth": 3}
    return SingleStepping()
