"""Zooming: the session continues inside the buggy routine, and every answer works across levels."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import (
    AddRule,
    Answer,
    Judgement,
    Reject,
    Revoke,
    Scope,
    Step,
    SwitchGranularity,
    Trust,
    Untrust,
    Zoom,
)
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.json import step_from_json, step_to_json
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.model.verdicts import Verdict, VerdictKind
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.oracle import Opinion
from adebug_lsp.oracles.stored_answers import StoredAnswers
from adebug_lsp.search.strategies import names
from adebug_lsp.session.outcome import Ask, DeadEnd, Found
from adebug_lsp.session.persistence import SessionWriter
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.store.saved_sessions import SavedSession
from adebug_lsp.store.store import Store
from adebug_lsp.tree.handmade import read_handmade
from tests.session.test_random_sessions import MOVES, STEPS, apply, check_undo, snapshot
from tests.session.two_levels import Nested, nested
from tests.support import is_buggy

RUN = [
    {"id": "main", "parent": None, "rule": "main", "module": "app", "text": "main() = 7", "wrong": True},
    {"id": "half", "parent": "main", "rule": "half", "module": "app", "text": "half(9) = 4"},
    {"id": "add", "parent": "main", "rule": "add", "module": "app", "text": "add(4, 2) = 7", "wrong": True},
    {"id": "one", "parent": "add", "rule": "one", "module": "library", "text": "one() = 1"},
]
ADD = [
    {"id": 1, "parent": None, "rule": "add", "module": "app", "text": "add(4, 2) = 7", "wrong": True},
    {"id": 2, "parent": 1, "rule": "s1", "routine": "add", "kind": "statement", "text": "total = 4"},
    {"id": 3, "parent": 1, "rule": "s2", "routine": "add", "kind": "statement", "text": "return 7", "wrong": True},
    {"id": 4, "parent": 3, "rule": "e1", "routine": "add", "kind": "expression", "text": "total + 3", "wrong": True},
    {"id": 5, "parent": 4, "rule": "e2", "routine": "add", "kind": "expression", "text": "b + 1", "wrong": True},
]
MAIN = [
    {"id": 1, "parent": None, "rule": "main", "module": "app", "text": "main() = 7", "wrong": True},
    {"id": 2, "parent": 1, "rule": "s1", "routine": "main", "kind": "statement", "text": "x = 4"},
]


def subject() -> Nested:
    add, main = (Nested(read_handmade({"nodes": nodes})) for nodes in (ADD, MAIN))
    return Nested(read_handmade({"nodes": RUN}), {0: main, 2: add})


def begin(*words: str, granularity: Granularity = Granularity.EXPRESSION, oracles: Chain | None = None) -> Session:
    session = Session(subject(), Options("top-down", granularity), oracles=oracles)
    say(session, *words)
    return session


def say(session: Session, *words: str) -> None:
    for word in words:
        session.answer(Judgement(word))


def question(session: Session) -> Question:
    assert isinstance(session.outcome, Ask)
    return session.outcome.question


def asked(session: Session) -> str:
    return question(session).behaviour.text


def verdict(session: Session) -> Verdict:
    assert isinstance(session.outcome, Found)
    return session.outcome.verdict


def verdict_text(session: Session) -> str:
    return verdict(session).text


PHASE_1 = ("yes", "no", "yes")
PHASE_2 = ("yes", "no", "no", "no")


def test_the_session_continues_inside_the_buggy_routine() -> None:
    session = begin(*PHASE_1)
    assert session.steps[-1] == Zoom(2)
    assert asked(session) == "total = 4"
    assert question(session).zoomed == (2,)
    assert session.subject is session.run.inside(2)
    say(session, *PHASE_2)
    assert verdict_text(session) == "b + 1"
    assert verdict(session).node == 4
    assert not verdict(session).can_zoom
    assert len(session.answers) == 7


def test_questions_about_routines_end_at_the_routine() -> None:
    session = begin(*PHASE_1, granularity=Granularity.ROUTINE)
    assert verdict_text(session) == "add(4, 2) = 7"
    assert verdict(session).can_zoom
    session.say(SwitchGranularity("statement"))
    say(session, "yes", "no")
    assert verdict_text(session) == "return 7"
    assert verdict(session).can_zoom
    session.say(SwitchGranularity("expression"))
    assert asked(session) == "total + 3"


def test_switching_to_routines_and_back_keeps_the_answers_inside() -> None:
    session = begin(*PHASE_1, "yes", "no")
    assert asked(session) == "total + 3"
    session.say(SwitchGranularity("routine"))
    assert verdict_text(session) == "add(4, 2) = 7"
    assert session.subject is session.run
    session.say(SwitchGranularity("expression"))
    assert asked(session) == "total + 3"
    session.undo()
    session.undo()
    assert asked(session) == "total + 3"
    session.undo()
    assert asked(session) == "return 7"


def test_undo_and_redo_cross_the_levels() -> None:
    session = begin(*PHASE_1, *PHASE_2)
    for _ in range(5):
        session.undo()
    assert asked(session) == "one() = 1"
    assert session.steps[-1] == Answer(2, Judgement.NO)
    for _ in range(5):
        session.redo()
    assert verdict_text(session) == "b + 1"


def test_if_nothing_inside_is_wrong_the_routine_itself_is_the_bug() -> None:
    session = begin(*PHASE_1, "yes", "yes")
    assert verdict_text(session) == "add(4, 2) = 7"
    assert verdict(session).node == 0
    assert verdict(session).kind is VerdictKind.BUG


def test_zooming_into_code_without_questions_is_not_a_dead_end() -> None:
    nodes = [{"id": 1, "parent": None, "rule": "f", "text": "f() = 1", "wrong": True}]
    lonely = Nested(read_handmade({"nodes": nodes}), {0: Nested(read_handmade({"nodes": nodes}))})
    session = Session(lonely, Options("top-down"))
    assert session.steps == (Zoom(0),)
    assert verdict_text(session) == "f() = 1"
    with pytest.raises(BadAnswerError, match="nothing to undo"):
        session.undo()


def test_even_the_root_inside_may_be_answered_right() -> None:
    session = begin(*PHASE_1)
    session.say(Answer(0, Judgement.YES))
    assert verdict_text(session) == "add(4, 2) = 7"


def test_the_caller_of_an_inadmissible_call_is_looked_into() -> None:
    session = begin("yes", "inadmissible")
    assert asked(session) == "x = 4"
    session.say(Answer(1, Judgement.NO))
    assert verdict_text(session) == "x = 4"
    assert verdict(session).explanation.endswith("it led to the inadmissible call add(4, 2) = 7")
    session.undo()
    say(session, "yes")
    assert verdict(session).kind is VerdictKind.INADMISSIBLE


def test_a_dead_end_inside() -> None:
    session = begin(*PHASE_1, "yes", "no", "unknown", "yes")
    assert isinstance(session.outcome, DeadEnd)
    assert [c.text for c in session.outcome.verdict.known_wrong] == ["return 7"]


# Reject


def test_rejecting_opens_the_answers_inside_and_then_those_outside() -> None:
    session = begin(*PHASE_1, *PHASE_2)
    session.say(Reject(4))
    assert (asked(session), question(session).default) == ("b + 1", "no")
    say(session, "no")
    assert verdict_text(session) == "b + 1"
    session.say(Reject(4))
    assert session.subject is session.run
    assert question(session).default is not None
    opened = {session.run.behaviour(node).text for node in session.state.reopened}
    assert opened == {"add(4, 2) = 7", "one() = 1"}
    say(session, *(session.state.reopened[n].judgement.value for n in list(session.state.reopened)))
    assert verdict_text(session) == "b + 1"  # the same answers: the same verdict, and nothing inside is asked twice
    session.say(Reject(4))
    assert len(session.state.reopened) == 3
    assert question(session).default is not None


def test_rejecting_and_answering_otherwise_leads_elsewhere() -> None:
    session = begin(*PHASE_1, *PHASE_2)
    session.say(Reject(4))
    say(session, "yes")
    assert verdict_text(session) == "total + 3"
    session.say(Reject(3))  # its own answer was not opened yet
    assert asked(session) == "total + 3"
    say(session, "no", "yes")
    session.say(Reject(3))
    assert session.subject is session.run


def test_rejecting_a_verdict_without_any_answers_changes_nothing() -> None:
    nodes = [{"id": 1, "parent": None, "rule": "f", "text": "f() = 1", "wrong": True}]
    lonely = Nested(read_handmade({"nodes": nodes}), {0: Nested(read_handmade({"nodes": nodes}))})
    session = Session(lonely, Options("top-down"))
    session.say(Reject(0))
    assert verdict_text(session) == "f() = 1"


def test_an_answer_inside_can_be_revoked() -> None:
    session = begin(*PHASE_1, "yes")
    assert asked(session) == "return 7"
    session.say(Revoke(1))
    assert asked(session) == "total = 4"


# Trust, rules, oracles


def test_trust_applies_inside_and_outside_a_zoom() -> None:
    session = begin(*PHASE_1, "yes")
    session.say(Trust(Scope.ROUTINE, "half"))
    assert asked(session) == "return 7"
    session.say(SwitchGranularity("routine"))
    assert (Scope.ROUTINE, "half") in session.state.trusted
    session = begin()
    session.say(Trust(Scope.ROUTINE, "add"))
    session.say(Answer(2, Judgement.NO))
    say(session, "yes")
    assert verdict_text(session) == "add(4, 2) = 7"
    assert len(session.contradictions) == 1


def test_removing_trust_inside_reopens_the_questions_outside() -> None:
    session = begin()
    session.say(Trust(Scope.MODULE, "library"))
    say(session, "yes", "no")
    assert asked(session) == "total = 4"
    say(session, "yes")
    session.say(Untrust(Scope.MODULE, "library"))
    assert asked(session) == "one() = 1"
    say(session, "yes")
    assert asked(session) == "return 7"


def test_a_rule_speaks_of_calls_and_not_of_the_code_inside() -> None:
    session = begin(*PHASE_1)
    session.say(AddRule("add", "add*"))
    assert asked(session) == "total = 4"
    assert session.steps[-1] == AddRule("add", "add*")
    with pytest.raises(BadAnswerError, match="no routine 'subtract'"):
        session.say(AddRule("subtract", "*"))


class Reference:
    """An oracle that knows one answer on each level."""

    name = "reference"

    def opinion(self, question: Question) -> Opinion | None:
        known = {((), 1): Judgement.YES, ((2,), 1): Judgement.YES, ((2,), 2): Judgement.NO}
        judgement = known.get((question.zoomed, question.node))
        return None if judgement is None else Opinion(judgement)


def test_oracles_know_the_level_of_a_question() -> None:
    session = begin("no", "yes", oracles=Chain([Reference()]))
    assert asked(session) == "total + 3"
    assert [answer.source.is_person for answer, _subject in session.answers] == [False, True, True, False, False]
    session.undo()
    assert asked(session) == "one() = 1"


def test_zooming_elsewhere_is_refused() -> None:
    session = begin("yes")
    with pytest.raises(BadAnswerError, match="not a buggy node"):
        session.say(Zoom(2))
    assert asked(session) == "add(4, 2) = 7"


# Saving


def test_answers_of_all_levels_are_kept_and_resumed(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        session, writer = begin(*PHASE_1, *PHASE_2[:2]), SessionWriter(store, SavedSession("run"))
        writer.save(session)
        assert {"half(9) = 4", "add(4, 2) = 7", "return 7"} <= {answer.text for answer in store.answers.all()}
        (saved,) = store.sessions.of_subject("run")
        assert Session(subject(), session.options, steps=saved.steps).outcome == session.outcome
        say(session, "no", "no")
        writer.save(session)
        again = begin(oracles=Chain([StoredAnswers(store.answers)]))
        assert verdict_text(again) == "b + 1"
        assert not [answer for answer, _ in again.answers if answer.source.is_person]
        for _ in range(7):
            session.undo()
        writer.save(session)
        assert store.answers.all() == []


# Properties


@settings(max_examples=150, deadline=None)
@given(run=nested(), moves=st.lists(MOVES, max_size=25), strategy=st.sampled_from(names()), ask_root=st.booleans())
def test_any_mix_of_answers_is_survived(
    run: Nested, moves: list[Step | str | Judgement], strategy: str, ask_root: bool
) -> None:
    session = Session(run, Options(strategy, root_is_wrong=not ask_root))
    for move in moves:
        apply(session, move)
        if isinstance(session.outcome, Ask):
            node = session.outcome.question.node
            assert session.levels.is_made(node) or session.state.space.is_askable(node)
    rebuilt = Session(run, session.options, steps=session.steps)
    assert snapshot(rebuilt) == snapshot(session)
    assert [step_from_json(step_to_json(step)) for step in session.steps] == list(session.steps)
    for _ in range(200):
        if not isinstance(session.outcome, Ask):
            break
        session.answer(Judgement.YES)
    assert not isinstance(session.outcome, Ask)


@settings(max_examples=100, deadline=None)
@given(run=nested(), moves=st.lists(STEPS | st.sampled_from(Judgement), max_size=15))
def test_undo_restores_all_levels_exactly(run: Nested, moves: list[Step | Judgement]) -> None:
    check_undo(Session(run, Options("expected-cost")), moves)


@settings(max_examples=150, deadline=None)
@given(
    run=nested(),
    strategy=st.sampled_from(names()),
    unknown=st.sets(st.tuples(st.integers(0, 2), st.integers(0, 9)), max_size=6),
    granularity=st.sampled_from(Granularity),
    rejections=st.integers(0, 3),
)
def test_a_truthful_oracle_finds_a_bug_on_the_finest_level_there_is(
    run: Nested, strategy: str, unknown: set[tuple[int, int]], granularity: Granularity, rejections: int
) -> None:
    """Also when the verdict is rejected and the same answers are given again."""
    session = Session(run, Options(strategy, granularity))
    for left in reversed(range(rejections + 1)):
        while isinstance(session.outcome, Ask):
            node = session.outcome.question.node
            if (len(session.levels.path), node) in unknown:
                session.answer(Judgement.UNKNOWN)
            else:
                assert isinstance(session.subject, Nested)
                session.answer(Judgement.NO if node in session.subject.handmade.wrong else Judgement.YES)
        if isinstance(session.outcome, DeadEnd):
            return
        if left:
            rejected = session.outcome.verdict.node
            assert rejected is not None
            session.say(Reject(rejected))
    level = session.subject
    assert isinstance(level, Nested)
    buggy = verdict(session).node
    assert buggy is not None
    if granularity is Granularity.EXPRESSION:
        assert is_buggy(level.handmade, buggy)
        assert (session.levels.path and buggy == 0) or level.inside(buggy) is None
    if granularity is Granularity.ROUTINE:
        assert session.subject is run
        assert is_buggy(run.handmade, buggy)
