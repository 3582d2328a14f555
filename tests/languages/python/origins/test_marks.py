"""Marks whose value is right where it was made, and marks of variables that several calls share."""

from pathlib import Path

import pytest

from adebug_lsp.model.answers import Answer, Judgement, Mark, MarkOf
from adebug_lsp.search.strategies import names
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from tests.languages.python.recorded import node_of, record

OMITTED = """
def old():
    return 1

def is_outdated():
    return False

def build():
    x = old()
    if is_outdated():
        x = 2
    return x

result = build()
"""

SHARED = """
def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step

step = counter()
step()
step()
"""


@pytest.mark.parametrize("strategy", names())
def test_code_that_should_have_replaced_the_marked_value_is_asked_about(tmp_path: Path, strategy: str) -> None:
    subject = record(tmp_path, OMITTED).subject()
    session = Session(subject, Options(strategy))
    session.say(Answer(node_of(subject, "build() = "), Judgement.NO, mark=Mark(MarkOf.RESULT)))
    session.say(Answer(node_of(subject, "old() = "), Judgement.YES))
    assert isinstance(session.outcome, Ask)
    assert session.outcome.question.behaviour.text == "is_outdated() = False"


def test_a_variable_declared_nonlocal_is_followed_to_the_call_before(tmp_path: Path) -> None:
    subject = record(tmp_path, SHARED).subject()
    second = node_of(subject, "counter.<locals>.step() = 2")
    trace = subject.dependences.trace(second, Mark(MarkOf.ARGUMENT, ("n",)))
    assert trace is not None
    assert subject.behaviour(trace.origin).text == "counter.<locals>.step() = 1"


JOINED = """
def joined(words):
    text = ""
    for word in words:
        text = text + word
    return text

def shown(words):
    return {"text": joined(words)}

shown(["a", "b"])
"""


def test_a_call_is_asked_about_before_its_iterations(tmp_path: Path) -> None:
    subject = record(tmp_path, JOINED).subject()
    session = Session(subject)
    session.say(Answer(node_of(subject, "shown("), Judgement.NO, mark=Mark(MarkOf.RESULT, ("'text'",))))
    assert isinstance(session.outcome, Ask)
    assert session.outcome.question.behaviour.text == "joined(['a', 'b']) = 'ab'"
    session.say(Answer(session.outcome.question.node, Judgement.NO, mark=Mark(MarkOf.RESULT)))
    assert isinstance(session.outcome, Ask)
    assert session.outcome.question.behaviour.text.startswith("iteration 2 of `for word in words`")
