"""The store always matches the session: after every answer, after undo, and for the next session."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adebug_lsp.model.answers import Answer, Judgement, Scope, Trust
from adebug_lsp.model.errors import StoreError
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.stored_answers import StoredAnswers
from adebug_lsp.session.handmade_subject import HandmadeSubject
from adebug_lsp.session.outcome import Ask, Found
from adebug_lsp.session.persistence import SessionWriter
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.store.saved_sessions import SavedSession, SessionState
from adebug_lsp.store.store import Store
from tests.support import example

ANSWERS = ["no", "yes", "no", "yes", "yes", "no", "yes", "no", "yes", "no", "yes"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as store:
        yield store


def new_session(store: Store | None = None) -> Session:
    chain = Chain([StoredAnswers(store.answers)]) if store else None
    return Session(HandmadeSubject(example("sqrtest")), Options("top-down"), oracles=chain)


def test_answers_and_steps_are_stored_after_every_step(store: Store) -> None:
    session, writer = new_session(), SessionWriter(store, SavedSession("sqrtest"))
    for count, word in enumerate(ANSWERS, start=1):
        session.answer(Judgement(word))
        writer.save(session)
        assert len(store.answers.all()) == count
        (saved,) = store.sessions.of_subject("sqrtest")
        assert saved.steps == session.steps
    assert saved.state is SessionState.ENDED
    (verdict,) = store.verdicts.all()
    assert verdict.text == "sum2 3 = 2"


def test_undo_removes_stored_answers(store: Store) -> None:
    session, writer = new_session(), SessionWriter(store, SavedSession("sqrtest"))
    for word in ANSWERS:
        session.answer(Judgement(word))
        writer.save(session)
    session.undo()
    writer.save(session)
    assert len(store.answers.all()) == len(ANSWERS) - 1
    assert store.verdicts.all() == []
    assert store.sessions.all()[0].state is SessionState.OPEN


def test_trust_is_stored_and_removed(store: Store) -> None:
    session, writer = new_session(), SessionWriter(store, SavedSession("sqrtest"))
    session.say(Trust(Scope.ROUTINE, "list"))
    writer.save(session)
    assert [trust.name for trust in store.trust.all()] == ["list"]
    session.undo()
    writer.save(session)
    assert store.trust.all() == []


def test_dont_know_is_not_kept_as_an_answer(store: Store) -> None:
    session, writer = new_session(), SessionWriter(store, SavedSession("sqrtest"))
    session.answer(Judgement.UNKNOWN)
    writer.save(session)
    assert store.answers.all() == []


def test_the_next_session_needs_no_person(store: Store) -> None:
    session, writer = new_session(), SessionWriter(store, SavedSession("sqrtest"))
    for word in ANSWERS:
        session.answer(Judgement(word))
    writer.save(session)
    again = new_session(store)
    assert isinstance(again.outcome, Found)
    assert again.outcome.verdict.rule == "sum2"


def test_a_session_resumes_where_it_stopped(store: Store) -> None:
    session, writer = new_session(), SessionWriter(store, SavedSession("sqrtest"))
    for word in ANSWERS[:5]:
        session.answer(Judgement(word))
    writer.save(session)
    saved = store.sessions.of_subject("sqrtest")[0]
    resumed = Session(session.subject, session.options, steps=saved.steps)
    assert isinstance(resumed.outcome, Ask)
    assert resumed.outcome == session.outcome


def test_a_full_disk_loses_nothing(store: Store) -> None:
    session, writer = new_session(), SessionWriter(store, SavedSession("sqrtest"))
    session.answer(Judgement.NO)
    writer.save(session)
    connection = store.database.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    refused = []
    for node in (3, 15, 19):
        session.say(Answer(node, Judgement.NO, expected="3" * 100_000))
        try:
            writer.save(session)
        except StoreError as error:
            refused.append(str(error))
    assert refused
    assert all("is full; make room" in message for message in refused)
    said = session.steps
    connection.execute("PRAGMA max_page_count = 1000000")
    writer.save(session)
    assert session.steps == said
    assert store.sessions.of_subject("sqrtest")[0].steps == said
