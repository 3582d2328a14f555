"""Answers of earlier sessions: used silently while the code is the same, suggested when it has changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Behaviour, Question
from adebug_lsp.oracles.stored_answers import StoredAnswers
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.store import Store
from tests.support import example


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as store:
        yield store


def question(identity: str, code_hash: str = "") -> Question:
    return Question(example("sqrtest").tree.facts(22), Behaviour("sum2 3 = 2", identity=identity, code_hash=code_hash))


def test_the_same_behaviour_is_answered(store: Store) -> None:
    store.answers.save(SavedAnswer("sum2(3)=2", Judgement.NO, expected="3", code_hash="a"))
    opinion = StoredAnswers(store.answers).opinion(question("sum2(3)=2", "a"))
    assert opinion is not None
    assert (opinion.judgement, opinion.expected, opinion.sure) == (Judgement.NO, "3", True)


def test_after_a_change_of_the_code_it_is_only_suggested(store: Store) -> None:
    store.answers.save(SavedAnswer("sum2(3)=2", Judgement.NO, code_hash="a"))
    opinion = StoredAnswers(store.answers).opinion(question("sum2(3)=2", "b"))
    assert opinion is not None
    assert not opinion.sure
    assert "changed" in opinion.reason


@pytest.mark.parametrize("identity", ["", "another"])
def test_another_behaviour_is_not(store: Store, identity: str) -> None:
    store.answers.save(SavedAnswer("sum2(3)=2", Judgement.NO))
    assert StoredAnswers(store.answers).opinion(question(identity)) is None
