"""Saved rows are found unchanged in a store opened later."""

import json
import sqlite3
from pathlib import Path

import pytest
from attrs import evolve

from adebug_lsp.model.answers import (
    AddRule,
    Answer,
    AskSkipped,
    Judgement,
    Mark,
    MarkOf,
    Reject,
    Restart,
    Scope,
    Source,
    SwitchStrategy,
    Trust,
    Untrust,
)
from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.model.verdicts import VerdictKind
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.saved_sessions import SavedSession, SessionState
from adebug_lsp.store.saved_verdicts import SavedVerdict
from adebug_lsp.store.store import Store

ANSWER = SavedAnswer(
    identity="mod.sum2(3)=2",
    judgement=Judgement.NO,
    routine="mod.sum2",
    module="mod",
    text="sum2(3) = 2",
    expected="6",
    code_hash="abc",
    source=Source("reference", "differs"),
    answered=12.5,
)
PLACE = Location("src/mod.py", Range(Position(3, 4), Position(3, 9)))
STRANGE = ["", "a\0b", "\ud800", "\\ud800", "x\udcffy", "😀 ünï", "\r\n\t", "'; DROP TABLE answers; --"]


def test_an_answer_outlives_the_store_that_saved_it(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.answers.save(ANSWER)
    with Store.open(tmp_path) as store:
        assert store.answers.find(ANSWER.identity) == ANSWER
        assert store.answers.all() == [ANSWER]
        assert store.problems == []
        assert not store.in_memory


def test_the_latest_answer_about_a_behaviour_counts(tmp_path: Path) -> None:
    later = evolve(ANSWER, judgement=Judgement.YES, code_hash="def", answered=13.0)
    with Store.open(tmp_path) as store:
        store.answers.save(ANSWER)
        store.answers.save(later)
        assert store.answers.all() == [later]
        answer = store.answers.find(ANSWER.identity)
        assert answer is not None
        assert answer.code_hash == "def"


def test_answers_are_found_by_routine_and_forgotten_one_by_one(tmp_path: Path) -> None:
    other = evolve(ANSWER, identity="other", routine="mod.other", answered=1.0)
    with Store.open(tmp_path) as store:
        store.answers.save(ANSWER)
        store.answers.save(other)
        assert store.answers.of_routine("mod.other") == [other]
        assert store.answers.all() == [other, ANSWER]
        assert store.answers.forget("other")
        assert not store.answers.forget("other")
        assert store.answers.all() == [ANSWER]
        assert store.answers.find("other") is None


def test_answers_of_another_language_are_never_used(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        python, erlang = store.for_language("python"), store.for_language("erlang")
        python.answers.save(evolve(ANSWER, expected="1"))
        assert erlang.answers.find(ANSWER.identity) is None
        assert store.answers.find(ANSWER.identity) is None, "a hand-made tree is of no language"
        erlang.answers.save(evolve(ANSWER, expected="2"))
        answers = [store.answers.find(ANSWER.identity) for store in (python, erlang)]
        assert [(answer.language, answer.expected) for answer in answers if answer is not None] == [
            ("python", "1"),
            ("erlang", "2"),
        ]
        assert erlang.answers.forget(ANSWER.identity)
        assert [answer.language for answer in store.answers.all()] == ["python"]
        assert store.answers.forget(ANSWER.identity, "python")


def test_an_answer_of_an_unknown_language_is_used_until_there_is_a_known_one(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.answers.save(ANSWER)
        python = store.for_language("python").answers
        assert python.find(ANSWER.identity) == ANSWER
        python.save(evolve(ANSWER, judgement=Judgement.YES))
        assert [(answer.language, answer.judgement) for answer in store.answers.all()] == [("python", Judgement.YES)]
        store.answers.save(evolve(ANSWER, identity="other"))
        assert python.forget("other")
        assert len(store.answers.all()) == 1


def test_trust_in_another_language_is_never_used(tmp_path: Path) -> None:
    trust = Trust(Scope.MODULE, "shop")
    with Store.open(tmp_path) as store:
        python, erlang = store.for_language("python").trust, store.for_language("erlang").trust
        python.save(trust)
        assert erlang.of_language() == store.trust.of_language() == []
        assert erlang.find(Scope.MODULE, "shop") is None
        erlang.save(evolve(trust, source=Source("reference")))
        assert python.of_language() == [trust]
        assert erlang.find(Scope.MODULE, "shop") == evolve(trust, source=Source("reference"))
        assert len(store.trust.all()) == 1
        assert erlang.forget(Scope.MODULE, "shop")
        assert not erlang.forget(Scope.MODULE, "shop")
        assert python.of_language() == store.trust.all() == [trust]
        assert store.trust.forget_everywhere(Scope.MODULE, "shop")
        assert store.trust.all() == []


def test_trust_of_an_unknown_language_is_used_until_there_is_a_known_one(tmp_path: Path) -> None:
    trust = Trust(Scope.ROUTINE, "total")
    with Store.open(tmp_path) as store:
        store.trust.save(trust)
        python = store.for_language("python").trust
        assert python.of_language() == [trust]
        python.save(evolve(trust, source=Source("reference")))
        assert python.of_language() == store.trust.all() == [evolve(trust, source=Source("reference"))]
        assert store.trust.of_language() == []
        store.trust.save(Trust(Scope.ROUTINE, "other"))
        assert python.forget(Scope.ROUTINE, "other")
        assert len(store.trust.all()) == 1


def test_an_answer_needs_an_identity() -> None:
    with pytest.raises(ValueError, match="identity"):
        SavedAnswer(identity="", judgement=Judgement.YES)


@pytest.mark.parametrize("text", STRANGE)
def test_any_text_round_trips(tmp_path: Path, text: str) -> None:
    answer = SavedAnswer(f"id{text}", Judgement.NO, text, text, text, text, text, Source(text, text))
    session = SavedSession(text, text, (AddRule(text, text),))
    verdict = SavedVerdict(
        session.id, VerdictKind.BUG, text, Location(text, Range(Position(0, 0), Position(0, 0))), text
    )
    trust = Trust(Scope.ROUTINE, text, Source(text, text))
    with Store.open(tmp_path) as store:
        store.answers.save(answer)
        store.trust.save(trust)
        store.sessions.save(session)
        store.verdicts.save(verdict)
    with Store.open(tmp_path) as store:
        assert store.problems == []
        assert store.answers.find(f"id{text}") == answer
        assert store.answers.of_routine(text) == [answer]
        assert store.trust.find(Scope.ROUTINE, text) == trust
        assert store.sessions.of_subject(text) == [session]
        assert store.verdicts.of_session(session.id) == [verdict]


def test_a_lone_surrogate_and_its_escape_are_two_identities(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.answers.save(SavedAnswer("\ud800", Judgement.NO))
        store.answers.save(SavedAnswer("\\ud800", Judgement.YES))
        assert store.answers.find("\ud800") is not None
        assert {answer.judgement for answer in store.answers.all()} == {Judgement.NO, Judgement.YES}


def test_texts_of_ten_megabytes_are_stored(tmp_path: Path) -> None:
    text = "é" * 5_000_000
    with Store.open(tmp_path) as store:
        store.answers.save(evolve(ANSWER, identity=text, text=text))
    with Store.open(tmp_path) as store:
        answer = store.answers.find(text)
        assert answer is not None
        assert answer.text == text


def test_trust_is_stored_by_scope_and_name(tmp_path: Path) -> None:
    routine = Trust(Scope.ROUTINE, "m", Source("rule", "tested"))
    module = Trust(Scope.MODULE, "m")
    with Store.open(tmp_path) as store:
        store.trust.save(routine)
        store.trust.save(module)
        assert store.trust.all() == [module, routine]
        assert store.trust.forget(Scope.ROUTINE, "m")
        assert not store.trust.forget(Scope.ROUTINE, "m")
        assert store.trust.find(Scope.ROUTINE, "m") is None
        assert store.trust.find(Scope.MODULE, "m") == module


def test_a_session_keeps_every_kind_of_step(tmp_path: Path) -> None:
    steps = (
        Answer(3, Judgement.NO, Mark(MarkOf.RESULT, ("a", 0)), "6"),
        Trust(Scope.MODULE, "m"),
        Untrust(Scope.MODULE, "m"),
        AddRule("f", "result > 0"),
        SwitchStrategy("top-down"),
        Restart(2),
        Reject(3),
        AskSkipped(),
    )
    session = SavedSession("run 1", "failing test", steps)
    ended = evolve(session, state=SessionState.ENDED, updated=session.updated + 1)
    with Store.open(tmp_path) as store:
        store.sessions.save(session)
        assert store.sessions.find(session.id) == session
        store.sessions.save(ended)
        assert store.sessions.all() == [ended]


def test_sessions_of_a_subject_come_latest_first(tmp_path: Path) -> None:
    first, second, other = SavedSession("a", updated=1.0), SavedSession("a", updated=2.0), SavedSession("b")
    with Store.open(tmp_path) as store:
        for session in (second, first, other):
            store.sessions.save(session)
        assert store.sessions.of_subject("a") == [second, first]


def test_forgetting_a_session_forgets_its_verdicts_only(tmp_path: Path) -> None:
    mine, other = SavedSession("a"), SavedSession("b")
    kept = SavedVerdict(other.id, VerdictKind.BUG, "g() = 2", PLACE)
    with Store.open(tmp_path) as store:
        store.sessions.save(mine)
        store.sessions.save(other)
        store.verdicts.save(SavedVerdict(mine.id, VerdictKind.BUG, "f() = 1", PLACE))
        store.verdicts.save(kept)
        assert store.sessions.forget(mine.id)
        assert not store.sessions.forget(mine.id)
        assert store.sessions.find(mine.id) is None
        assert store.verdicts.all() == [kept]


@pytest.mark.parametrize(
    ("bad", "good", "words"),
    [
        ('[{"step": "AskSkipped"}, {"step": "Fly"}, {"step": "AskSkipped"}]', 1, "step 2"),
        ('[{"step": "AskSkipped"}, 7]', 1, "step 2"),
        ('[{"step": "AskSkipped"}', 0, "not JSON"),
        ("[" * 100_000, 0, "not JSON"),
        ('{"step": "AskSkipped"}', 0, "not a list"),
    ],
)
def test_steps_up_to_the_first_bad_one_are_used(tmp_path: Path, bad: str, good: int, words: str) -> None:
    session = SavedSession("run", "my session")
    with Store.open(tmp_path) as store:
        store.sessions.save(session)
        store.database.write(("UPDATE sessions SET steps = ?", (bad,)))
        stored = store.sessions.find(session.id)
        assert stored is not None
        assert stored.steps == (AskSkipped(),) * good
        store.sessions.all()
        assert len(store.problems) == 1, "the same problem is told once"
        assert "my session" in store.problems[0]
        assert words in store.problems[0]


def test_verdicts_are_dismissed_and_forgotten(tmp_path: Path) -> None:
    bug = SavedVerdict("s", VerdictKind.BUG, "f() = 1", PLACE, "because", created=1.0)
    nowhere = SavedVerdict("s", VerdictKind.NONE, "", None, created=2.0)
    with Store.open(tmp_path) as store:
        store.verdicts.save(nowhere)
        store.verdicts.save(bug)
        assert store.verdicts.all() == [bug, nowhere]
        assert store.verdicts.dismiss(bug.id)
        assert store.verdicts.find(bug.id) == evolve(bug, dismissed=True)
        assert store.verdicts.find(nowhere.id) == nowhere
        assert store.verdicts.forget(bug.id)
        assert not store.verdicts.forget(bug.id)
        assert not store.verdicts.dismiss(bug.id)
        assert store.verdicts.all() == [nowhere]


def test_the_columns_are_plain_sql_for_other_tools(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.answers.save(ANSWER)
        store.sessions.save(SavedSession("run", steps=(SwitchStrategy("top-down"),)))
        with sqlite3.connect(tmp_path / ".adebug" / "adebug.sqlite3") as connection:
            assert connection.execute("SELECT judgement, expected FROM answers").fetchall() == [("no", "6")]
            ((steps,),) = connection.execute("SELECT steps FROM sessions").fetchall()
        connection.close()
    assert json.loads(steps) == [{"step": "SwitchStrategy", "strategy": "top-down"}]
