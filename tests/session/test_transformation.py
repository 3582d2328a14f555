"""Transformations in a session: the verdict is a bug of the run, answers outlive them, undo and resume are exact."""

from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import PERSON, Answer, Judgement, Restart, Revoke, Scope, Transform, Trust
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.errors import AdebugError, BadAnswerError, UnknownNameError
from adebug_lsp.model.json import step_from_json, step_to_json
from adebug_lsp.model.kinds import Granularity, NodeKind
from adebug_lsp.model.transformations import (
    BALANCING,
    COMPRESSION,
    HALVING,
    LOOP_EXPANSION,
    ORIGINAL,
    SIMPLIFICATION,
    TRANSFORMATIONS,
)
from adebug_lsp.search.strategies import names
from adebug_lsp.session.handmade_subject import HandmadeSubject
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.persistence import SessionWriter
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.session.transformation import Simplification, listed
from adebug_lsp.store.saved_sessions import SavedSession
from adebug_lsp.store.store import Store
from adebug_lsp.tree.handmade import HandmadeTree, read_handmade
from adebug_lsp.tree.transform.simplification import Simplified
from tests.support import example, is_buggy, labelled

OF_THE_TREE = (COMPRESSION, BALANCING, HALVING)
KINDS = st.sampled_from([NodeKind.ROUTINE, NodeKind.LOOP, NodeKind.ITERATION, NodeKind.LAMBDA])
YES, NO, UNKNOWN = Judgement.YES, Judgement.NO, Judgement.UNKNOWN


def handmade_of(*nodes: dict[str, object]) -> HandmadeTree:
    return read_handmade({"nodes": [{"rule": "f", "text": str(node["id"]), **node} for node in nodes]})


def row(count: int, wrong: int = 0) -> HandmadeTree:
    """A root with many children, each of a rule of its own."""
    children = [{"id": n, "parent": 0, "rule": f"f{n}", "wrong": n == wrong} for n in range(1, count + 1)]
    return handmade_of({"id": 0, "rule": "main", "wrong": True}, *children)


def recursion(depth: int, wrong: int) -> HandmadeTree:
    """main calls f, which calls itself; every f calls g. Nodes up to `wrong` are wrong."""
    nodes: list[dict[str, object]] = [{"id": "main", "rule": "main", "wrong": True}]
    for level in range(depth):
        above = f"f{level - 1}" if level else "main"
        nodes.append({"id": f"f{level}", "parent": above, "rule": "f", "wrong": level <= wrong})
        nodes.append({"id": f"g{level}", "parent": f"f{level}", "rule": "g"})
    return handmade_of(*nodes)


def begin(handmade: HandmadeTree, *transformations: str, strategy: str = "top-down") -> Session:
    session = Session(HandmadeSubject(handmade), Options(strategy))
    for name in transformations:
        session.say(Transform(name))
    return session


def node_in(session: Session) -> int:
    assert isinstance(session.outcome, Ask)
    return session.outcome.question.node


def truth(session: Session, wrong: frozenset[int]) -> Judgement:
    """The truthful answer to the open question; a range is wrong if one of its parts is."""
    return NO if any(part in wrong for part in session.parts(node_in(session))) else YES


def finish(session: Session, wrong: frozenset[int]) -> list[tuple[int, ...]]:
    """Answer truthfully up to the verdict; returns the nodes of the run that each question was about."""
    asked = []
    while isinstance(session.outcome, Ask):
        asked.append(session.parts(node_in(session)))
        session.answer(truth(session, wrong))
    return asked


def try_transform(session: Session, name: str) -> None:
    """Transform, or be refused with nothing changed."""
    before = session.steps, session.outcome
    try:
        session.say(Transform(name))
    except BadAnswerError:
        assert (session.steps, session.outcome) == before


# Laws


@settings(max_examples=200, deadline=None)
@given(
    handmade=labelled(most=25),
    strategy=st.sampled_from(names()),
    said=st.lists(st.none() | st.sampled_from([*TRANSFORMATIONS]), max_size=12),
)
def test_a_truthful_oracle_ends_at_a_buggy_node_of_the_run(
    handmade: HandmadeTree, strategy: str, said: list[str | None]
) -> None:
    session = begin(handmade, strategy=strategy)
    for name in said:
        if isinstance(session.outcome, Ask):
            session.answer(truth(session, handmade.wrong)) if name is None else try_transform(session, name)
    finish(session, handmade.wrong)
    assert not isinstance(session.outcome, Ask)
    node = session.outcome.verdict.node
    assert node is not None
    assert is_buggy(handmade, node)
    assert not session.contradictions


@settings(max_examples=150, deadline=None)
@given(
    handmade=labelled(most=20),
    kinds=st.lists(KINDS, min_size=20, max_size=20),
    answers=st.integers(0, 6),
    name=st.sampled_from([*TRANSFORMATIONS]),
    granularity=st.sampled_from(Granularity),
)
def test_undo_returns_to_the_same_question(
    handmade: HandmadeTree, kinds: list[NodeKind], answers: int, name: str, granularity: Granularity
) -> None:
    handmade.tree.kind[1:] = kinds[1 : len(handmade.tree)]
    session = Session(HandmadeSubject(handmade), Options("expected-cost", granularity=granularity))
    for _ in range(answers):
        if isinstance(session.outcome, Ask):
            session.answer(truth(session, handmade.wrong))
    outcome, steps = session.outcome, session.steps
    try_transform(session, name)
    assume(session.steps != steps)
    transformed = session.outcome, session.steps, session.transformations
    session.undo()
    assert (session.outcome, session.steps) == (outcome, steps)
    session.redo()
    assert (session.outcome, session.steps, session.transformations) == transformed


@settings(max_examples=150, deadline=None)
@given(handmade=labelled(most=20), name=st.sampled_from(OF_THE_TREE), answers=st.lists(st.sampled_from(Judgement)))
def test_answers_outlive_a_transformation_and_its_end(
    handmade: HandmadeTree, name: str, answers: list[Judgement]
) -> None:
    session = begin(handmade)
    for judgement in answers:
        if isinstance(session.outcome, Ask):
            session.answer(judgement)
    before = dict(session.state.answers)
    try_transform(session, name)
    assert session.state.answers == before
    view = session.levels.view
    if view is not None:
        judged = {view.subject.number(position): j for position, j in view.state.space.judged.items()}
        of_run = {node: judgement for node, judgement in judged.items() if not session.levels.is_made(node)}
        assert {node: answer.judgement for node, answer in before.items()} == of_run
        assert {judged[node] for node in judged.keys() - of_run.keys()} <= {YES}, "ranges whose parts were all right"
        session.say(Transform(ORIGINAL))
        assert session.state.answers == before


@settings(max_examples=100, deadline=None)
@given(
    handmade=labelled(most=20),
    moves=st.lists(st.sampled_from([*OF_THE_TREE, ORIGINAL, YES, NO, UNKNOWN]), max_size=12),
)
def test_the_steps_are_the_session(handmade: HandmadeTree, moves: list[str | Judgement]) -> None:
    session = begin(handmade, strategy="expected-cost")
    for move in moves:
        if isinstance(move, str):
            try_transform(session, move)
        elif isinstance(session.outcome, Ask):
            session.answer(move)
    steps = [step_from_json(step_to_json(step)) for step in session.steps]
    resumed = Session(session.subject, session.options, steps=steps)
    assert (resumed.outcome, resumed.steps) == (session.outcome, session.steps)
    assert resumed.transformations == session.transformations


@settings(max_examples=100, deadline=None)
@given(handmade=labelled(most=20), name=st.sampled_from(OF_THE_TREE))
def test_a_transformation_is_applied_once(handmade: HandmadeTree, name: str) -> None:
    session = begin(handmade)
    try_transform(session, name)
    assume(name in session.transformations)
    before = session.steps
    with pytest.raises(BadAnswerError, match="already"):
        session.say(Transform(name))
    assert session.steps == before


@settings(max_examples=100, deadline=None)
@given(handmade=labelled(most=25), name=st.sampled_from(OF_THE_TREE), strategy=st.sampled_from(names()))
def test_no_node_of_the_run_is_asked_about_twice(handmade: HandmadeTree, name: str, strategy: str) -> None:
    session = begin(handmade, strategy=strategy)
    try_transform(session, name)
    asked = finish(session, handmade.wrong)
    assert len(set(asked)) == len(asked)


# Each transformation


def test_halving_needs_about_log2_of_a_row() -> None:
    handmade = row(32, wrong=23)
    plain, halved = begin(handmade), begin(handmade, HALVING)
    assert len(finish(plain, handmade.wrong)) == 23
    assert len(finish(halved, handmade.wrong)) == 6
    assert plain.outcome == halved.outcome


def test_balancing_asks_about_ranges_by_weight() -> None:
    session = begin(row(8, wrong=7), BALANCING)
    assert session.parts(node_in(session)) == (1, 2, 3, 4)
    session.answer(YES)
    assert {node: answer.judgement for node, answer in session.state.answers.items()} == dict.fromkeys(range(1, 5), YES)


def test_compression_puts_recursive_calls_off() -> None:
    handmade = recursion(4, wrong=2)
    names_asked = [
        [handmade.ids[node] for (node,) in finish(session, handmade.wrong)]
        for session in (begin(handmade), begin(handmade, COMPRESSION))
    ]
    assert names_asked == [
        ["f0", "g0", "f1", "g1", "f2", "g2", "f3"],
        ["f0", "g0", "g1", "g2", "g3", "f1", "f2", "f3"],
    ]


def test_a_collapsed_chain_is_expanded_at_the_end() -> None:
    handmade = handmade_of(
        {"id": 0, "rule": "main", "wrong": True},
        {"id": 1, "parent": 0, "wrong": True},
        {"id": 2, "parent": 1, "wrong": True},
        {"id": 3, "parent": 2},
        {"id": 4, "parent": 3, "rule": "g"},
    )
    session = begin(handmade, BALANCING)
    assert finish(session, handmade.wrong) == [(1,), (4,), (2,), (3,)]
    assert not isinstance(session.outcome, Ask)
    assert session.outcome.verdict.node == 2
    step = session.steps[-3]
    assert isinstance(step, Transform)
    assert step == Transform(ORIGINAL, step.source)
    assert step.source != PERSON


def test_transformations_can_be_applied_one_after_the_other() -> None:
    handmade = recursion(6, wrong=4)
    session = begin(handmade, COMPRESSION, ORIGINAL, COMPRESSION, BALANCING)
    assert session.transformations == (COMPRESSION, BALANCING)
    finish(session, handmade.wrong)
    assert not isinstance(session.outcome, Ask)
    assert handmade.ids[session.outcome.verdict.node or 0] == "f4"


def test_an_answer_on_a_range_stays_when_another_transformation_follows() -> None:
    handmade = handmade_of(
        {"id": 0, "rule": "main", "wrong": True},
        *({"id": n, "parent": 0, "rule": f"f{n}"} for n in range(1, 7)),
        {"id": 7, "parent": 6, "rule": "f6", "wrong": True},
    )
    session = begin(handmade, HALVING)
    session.answer(NO)
    session.say(Transform(COMPRESSION))
    view = session.levels.view
    assert view is not None
    assert view.state.space.top != 0
    assert [view.subject.parts(answer.node - 8) for answer in view.made] == [(1, 2, 3)]


def loops(wrong: int) -> HandmadeTree:
    return handmade_of(
        {"id": 0, "rule": "main", "wrong": True},
        {"id": 1, "parent": 0, "rule": "loop", "kind": "loop", "wrong": True},
        *(
            {"id": n, "parent": 1, "rule": "loop", "kind": "iteration", "wrong": n == wrong, "text": f"iteration {n}"}
            for n in range(2, 6)
        ),
    )


def test_loop_expansion_asks_about_loops_at_the_granularity_of_routines() -> None:
    handmade = loops(wrong=4)
    session = Session(HandmadeSubject(handmade), Options("top-down", Granularity.ROUTINE))
    assert not isinstance(session.outcome, Ask)
    session.say(Transform(LOOP_EXPANSION))
    assert finish(session, handmade.wrong) == [(1,), (2,), (3,), (4,)]
    assert not isinstance(session.outcome, Ask)
    assert session.outcome.verdict.node == 4


def test_the_original_tree_has_its_loops_left_aside_again() -> None:
    session = Session(HandmadeSubject(loops(wrong=4)), Options("top-down", Granularity.ROUTINE))
    before = session.outcome
    session.say(Transform(LOOP_EXPANSION))
    assert isinstance(session.outcome, Ask)
    session.say(Transform(ORIGINAL))
    assert session.outcome == before


def test_ranges_of_iterations_are_not_asked_about_at_the_granularity_of_routines() -> None:
    handmade = loops(wrong=4)
    session = Session(HandmadeSubject(handmade), Options("top-down", Granularity.ROUTINE))
    session.say(Transform(BALANCING))
    assert not isinstance(session.outcome, Ask)


@frozen
class Lazy(HandmadeSubject):
    """A lazy program in which the question about node 1 becomes one about values, and node 2 moves under the root."""

    def simplification(self) -> Simplification:
        simplified = {1: Simplified(7, 5, (1, 2))}
        return Simplification(simplified, {2: 0}, {1: Behaviour("f(3) = 4")})


def test_simplification_asks_as_if_the_program_were_eager() -> None:
    handmade = handmade_of(
        {"id": 0, "rule": "main", "wrong": True},
        {"id": 1, "parent": 0, "text": "f(_) = 4", "wrong": True},
        {"id": 2, "parent": 1, "rule": "g", "text": "g(1) = 2"},
    )
    session = Session(Lazy(handmade), Options("top-down"))
    session.say(Transform(SIMPLIFICATION))
    texts = []
    while isinstance(session.outcome, Ask):
        texts.append(session.outcome.question.behaviour.text)
        session.answer(YES if session.node_to_show(node_in(session)) == 2 else NO)
    assert texts == ["f(3) = 4", "f(_) = 4", "g(1) = 2"]
    assert session.outcome.verdict.node == 1


# Refusals


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (LOOP_EXPANSION, "no loop of this run was recorded"),
        (COMPRESSION, "no routine called itself"),
        (BALANCING, "no node has more than two children"),
        (HALVING, "more than two calls or iterations in a row"),
        (SIMPLIFICATION, "evaluated eagerly"),
        (ORIGINAL, "is not transformed"),
    ],
)
def test_a_transformation_that_does_not_apply_says_why(name: str, message: str) -> None:
    session = begin(row(2, wrong=2))
    before = session.steps, session.outcome
    with pytest.raises(BadAnswerError, match=message):
        session.say(Transform(name))
    assert (session.steps, session.outcome) == before


def test_loops_that_are_asked_about_already_are_not_expanded() -> None:
    with pytest.raises(BadAnswerError, match="already asked about"):
        begin(loops(wrong=4), LOOP_EXPANSION)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'halving'"):
        begin(row(3), "halfing")


def test_the_list_has_a_line_for_each() -> None:
    assert [line.split()[0] for line in listed()] == [*TRANSFORMATIONS]


@pytest.mark.parametrize("node", [9, 9 + 40, -1])
def test_an_unknown_node_number_is_refused(node: int) -> None:
    session = begin(row(8), HALVING)
    with pytest.raises(AdebugError, match="no node"):
        session.say(Answer(node, YES))


# With the other steps


def test_an_answer_on_a_range_can_be_revoked() -> None:
    session = begin(row(8, wrong=8), HALVING)
    node = node_in(session)
    session.answer(YES)
    assert session.state.answers
    session.say(Revoke(node))
    assert not session.state.answers
    assert node_in(session) == node


def test_trust_is_for_the_routine_around_the_range() -> None:
    session = begin(row(4, wrong=4), HALVING)
    session.say(Trust(Scope.ROUTINE, "f1"))
    session.say(Trust(Scope.ROUTINE, "f2"))
    assert session.parts(node_in(session)) == (3, 4)


def test_restart_holds_in_the_transformed_tree() -> None:
    handmade = recursion(5, wrong=1)
    session = begin(handmade, COMPRESSION)
    session.say(Restart(handmade.ids.index("f1")))
    assert handmade.ids[node_in(session)] in ("f2", "g1", "f0")
    finish(session, handmade.wrong)
    assert not isinstance(session.outcome, Ask)
    assert handmade.ids[session.outcome.verdict.node or 0] == "f1"


def test_why_counts_the_candidates_of_the_transformed_tree() -> None:
    session = begin(row(8, wrong=8), HALVING)
    why = session.why()
    assert why.yes_leaves + why.no_leaves == why.candidates == 15


def test_answers_refer_to_their_nodes() -> None:
    session = begin(row(4, wrong=4), HALVING)
    session.answer(YES)
    answer, subject = session.answers[0]
    assert subject.behaviour(answer.node).text == "2 in a row: 1; 2"


def test_long_ranges_show_their_ends() -> None:
    session = begin(row(32, wrong=32), HALVING)
    assert isinstance(session.outcome, Ask)
    assert session.outcome.question.behaviour.text == "16 in a row, 1 to 16"
    assert session.outcome.question.behaviour.coarse


def test_a_stored_session_includes_its_transformations(tmp_path: Path) -> None:
    session = begin(row(8, wrong=8), HALVING)
    session.answer(YES)
    with Store.open(tmp_path) as store:
        SessionWriter(store, SavedSession("run", id="here")).save(session)
        saved = store.sessions.find("here")
    assert saved is not None
    resumed = Session(session.subject, session.options, steps=saved.steps)
    assert resumed.outcome == session.outcome
    assert resumed.transformations == (HALVING,)


def test_the_example_of_the_thesis_ends_alike_under_every_transformation() -> None:
    handmade = example("sqrtest")
    for name in OF_THE_TREE:
        for strategy in names():
            session = begin(handmade, strategy=strategy)
            try_transform(session, name)
            finish(session, handmade.wrong)
            assert not isinstance(session.outcome, Ask)
            assert handmade.ids[session.outcome.verdict.node or 0] == 23
