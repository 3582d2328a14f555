"""A marked part of a result leads to the call that made it, whatever the value went through, in every strategy."""

from pathlib import Path

import pytest

from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.answers import Answer, Judgement, Mark
from adebug_lsp.search.registry import names
from adebug_lsp.session.addresses import find
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from tests.languages.python.origins.constructs import Construct, read_constructs
from tests.languages.python.recorded import node_of, record

CONSTRUCTS = [*read_constructs("language"), *read_constructs("library")]


def marked(subject: PythonSubject, construct: Construct) -> tuple[int, Mark]:
    """The call of `build`, and the mark on the wrong part of its result."""
    node = node_of(subject, "build() = ")
    part = find(subject.behaviour(node), construct.part)
    assert part is not None
    return node, part.mark


@pytest.mark.parametrize("construct", CONSTRUCTS, ids=lambda construct: construct.name)
def test_a_marked_part_leads_to_its_maker(tmp_path: Path, construct: Construct) -> None:
    subject = record(tmp_path, construct.program).subject()
    node, mark = marked(subject, construct)
    trace = subject.dependences.trace(node, mark)
    assert trace is not None
    assert subject.behaviour(trace.origin).text == "bad(2) = 6"
    for strategy in names():
        session = Session(subject, Options(strategy))
        session.say(Answer(node, Judgement.NO, mark=mark))
        assert isinstance(session.outcome, Ask), strategy
        assert session.outcome.question.behaviour.text == "bad(2) = 6", strategy
