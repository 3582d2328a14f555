"""A marked part of a result leads to the call that made it, whatever the value went through, in every strategy."""

import pytest

from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.answers import Answer, Judgement, Mark
from adebug_lsp.search.strategies import names
from adebug_lsp.session.addresses import find
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from tests.languages.python.origins.constructs import MAKER, Construct, constructs, program
from tests.languages.python.origins.table import PAGE, page
from tests.languages.python.recorded import record, walk


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> PythonSubject:
    return record(tmp_path_factory.mktemp("constructs"), program()).subject()


def marked(subject: PythonSubject, construct: Construct) -> tuple[int, Mark]:
    """The call of `build`, and the mark on the wrong part of its result."""
    spans = ((node, subject.span(node).routine) for node, _ in walk(subject))
    node = next(n for n, routine in spans if routine.module.name == construct.module and routine.qualname == "build")
    part = find(subject.behaviour(node), construct.part)
    assert part is not None
    return node, part.mark


@pytest.mark.parametrize("construct", constructs(), ids=lambda construct: construct.name)
def test_a_marked_part_leads_to_its_maker(subject: PythonSubject, construct: Construct) -> None:
    node, mark = marked(subject, construct)
    trace = subject.dependences.trace(node, mark)
    assert trace is not None
    assert subject.behaviour(trace.origin).text == MAKER
    assert subject.span(trace.origin).routine.module.name == construct.module
    assert trace.origin in trace.influencers


@pytest.mark.parametrize("strategy", names())
def test_its_maker_is_the_next_question_in_every_strategy(subject: PythonSubject, strategy: str) -> None:
    for construct in constructs()[::8]:
        node, mark = marked(subject, construct)
        session = Session(subject, Options(strategy))
        session.say(Answer(node, Judgement.NO, mark=mark))
        assert isinstance(session.outcome, Ask), construct.name
        assert session.outcome.question.behaviour.text == MAKER, construct.name
        assert "what you marked was" in session.why().because


def test_the_page_lists_every_construct() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
