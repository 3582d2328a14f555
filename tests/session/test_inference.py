"""The same behaviour is asked about once per session, for Python and Erlang; undo also undoes inferred answers."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.answers import SAME, Answer, AskSkipped, Judgement, Mark, MarkOf, Reject, Revoke
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.oracles.stored_answers import StoredAnswers
from adebug_lsp.session.outcome import Ask, DeadEnd, Found
from adebug_lsp.session.persistence import SessionWriter
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from adebug_lsp.session.subject import Subject
from adebug_lsp.store.saved_sessions import SavedSession
from adebug_lsp.store.store import Store
from tests.languages.erlang import recorded as erlang
from tests.languages.python import recorded as python

TWICE = """
    def f(x):
        return x + 1

    def g(x):
        return f(1) + f(1) + f(x) - 2

    print(g(2))
"""
YES, NO, UNKNOWN = Judgement.YES, Judgement.NO, Judgement.UNKNOWN
TOP_DOWN = Options("top-down")


def asked(session: Session, judge: Callable[[str], Judgement]) -> list[str]:
    """The texts of all questions up to the verdict."""
    texts = []
    while isinstance(session.outcome, Ask):
        texts.append(session.outcome.question.behaviour.text)
        session.answer(judge(texts[-1]))
    return texts


def is_dead_end(session: Session) -> bool:
    return isinstance(session.outcome, DeadEnd)


def text(session: Session) -> str:
    assert isinstance(session.outcome, Ask)
    return session.outcome.question.behaviour.text


def wrong_if(*begins: str) -> Callable[[str], Judgement]:
    return lambda text: NO if text.startswith(begins) else YES


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> PythonSubject:
    """A run in which g(2) calls f(1) twice."""
    return python.record(tmp_path_factory.mktemp("twice"), TWICE).subject()


def in_g(twice: PythonSubject) -> Session:
    """A session about g(2), which is wrong, at its first question inside: f(1)."""
    session = Session(twice, TOP_DOWN)
    session.answer(NO)
    assert text(session) == "f(1) = 2"
    return session


@pytest.mark.parametrize("strategy", ["top-down", "expected-cost", "divide-by-yes"])
def test_a_call_of_python(twice: PythonSubject, strategy: str) -> None:
    session = Session(twice, Options(strategy))
    texts = asked(session, wrong_if("g(2)", "f(1) + f(1) + f(x) - 2"))
    assert texts.count("f(1) = 2") == 1
    assert len(texts) == len(set(texts))
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.text == "f(1) + f(1) + f(x) - 2 = 5"


@pytest.mark.skipif(shutil.which("erl") is None, reason="needs Erlang")
@pytest.mark.parametrize("strategy", ["top-down", "expected-cost"])
def test_a_call_of_erlang(tmp_path: Path, strategy: str) -> None:
    program = "-export([main/0]).\nmain() -> g(2).\ng(X) -> f(1) + f(1) + f(X) - 2.\nf(X) -> X + 1.\n"
    session = Session(erlang.record(tmp_path, program).subject, Options(strategy))
    texts = asked(session, wrong_if("main()", "g(2)", "f(1) + f(1) + f(X) - 2"))
    assert texts.count("f(1) = 2") == 1
    assert len(texts) == len(set(texts))


def test_an_iteration_of_a_loop(tmp_path: Path) -> None:
    program = """
        def last(xs):
            for x in xs:
                y = x + 1
            return y - 5

        print(last([3, 3, 3, 3, 3, 3]))
    """
    session = Session(python.record(tmp_path, program).subject(), TOP_DOWN)
    texts = asked(session, wrong_if("last", "the loop", "iterations 1 to"))
    # y does not exist before the first iteration, and is 4 after it.
    assert sum(text.startswith("iteration ") for text in texts) == 2


def test_the_condition_of_a_skipped_statement(tmp_path: Path) -> None:
    """Both show one decision, which is asked about once; undo takes back both answers."""
    program = """
        def discount(amount):
            total = amount
            if amount > 100:
                total = total - 10
            return total

        print(discount(100))
    """
    session = Session(python.record(tmp_path, program).subject(), TOP_DOWN)
    texts = asked(session, wrong_if("discount", "`if", "the condition"))
    assert texts == [
        "discount(100) = 100",
        "total = amount: total = 100",
        "`if amount > 100` was False: so line 5 was skipped",
    ]
    assert isinstance(session.outcome, Found)
    assert session.outcome.verdict.text == "the condition `amount > 100` was False"
    session.undo()
    assert text(session) == texts[-1]


def test_a_statement_of_another_call(tmp_path: Path) -> None:
    """Rejecting the verdict leads into the second call, where the same statement did the same."""
    program = """
        def f(x, more):
            y = x + 1
            more.append(x)
            return y

        print(f(1, [1]), f(1, [2]))
    """
    subject = python.record(tmp_path, program).subject()
    first, second = (node for node in range(len(subject.tree)) if subject.behaviour(node).text.startswith("f("))
    inside = [subject.inside(node) for node in (first, second)]
    keys = [
        {subject.behaviour(n).text: subject.behaviour_key(n) for n in range(1, len(subject.tree))}
        for subject in inside
        if subject
    ]
    assert keys[0]["x + 1 = 2"] == keys[1]["x + 1 = 2"] != ""
    assert set(keys[0].values()) & set(keys[1].values()) >= {keys[0]["x + 1 = 2"]}
    appended = [next(key for text, key in texts.items() if text.startswith("more.append")) for texts in keys]
    assert appended[0] != appended[1]


def test_a_range_of_calls_whose_parts_are_known(tmp_path: Path) -> None:
    program = f"""
        def f(x):
            return x + 1

        def g():
            return sum([{", ".join(["f(1)"] * 30)}]) - 1

        print(g())
    """
    session = Session(python.record(tmp_path, program).subject(), TOP_DOWN)
    assert text(session) == "g() = 59"
    session.answer(NO)
    assert isinstance(session.subject, PythonSubject)
    node = python.node_of(session.subject, "f(1)")
    session.say(Answer(node, YES))
    texts = asked(session, wrong_if("sum([", "return sum"))
    assert not [text for text in texts if "calls, from f to f" in text or text == "f(1) = 2"]


def test_undo_removes_inferred_answers(twice: PythonSubject) -> None:
    session = in_g(twice)
    session.answer(YES)
    assert [answer.source for answer, _ in session.answers if answer.source == SAME] == [SAME]
    after = text(session)
    session.undo()
    assert text(session) == "f(1) = 2"
    assert not [answer for answer, _ in session.answers if answer.source == SAME]
    session.redo()
    assert text(session) == after
    assert sum(answer.source == SAME for answer, _ in session.answers) == 1


def test_a_resumed_session_includes_inferred_answers(twice: PythonSubject) -> None:
    session = in_g(twice)
    session.answer(YES)
    again = Session(session.run, TOP_DOWN, steps=session.steps)
    assert again.steps == session.steps
    assert text(again) == text(session)


def test_dont_know_is_asked_once_more_when_it_is_wanted(twice: PythonSubject) -> None:
    session = in_g(twice)
    session.answer(UNKNOWN)
    assert text(session) == "f(2) = 3"
    session.answer(YES)
    assert is_dead_end(session)
    session.say(AskSkipped())
    assert text(session) == "f(1) = 2"
    session.answer(YES)
    assert not is_dead_end(session)
    assert "f(1) = 2" not in asked(session, wrong_if("f(1) + f(1) + f(x) - 2"))


def test_revoking_an_inferred_answer_asks_once(twice: PythonSubject) -> None:
    session = in_g(twice)
    session.answer(YES)
    followed = next(answer.node for answer, _ in session.answers if answer.source == SAME)
    session.say(Revoke(followed))
    assert text(session) == "f(1) = 2"
    session.answer(YES)
    assert text(session) == "f(2) = 3"


def test_a_rejected_verdict_opens_the_same_behaviour_once(twice: PythonSubject) -> None:
    session = in_g(twice)
    texts = asked(session, wrong_if("f(1) + f(1) + f(x) - 2"))
    for _ in range(3):
        assert isinstance(session.outcome, Found)
        assert session.outcome.verdict.node is not None
        session.say(Reject(session.outcome.verdict.node))
        again = asked(session, wrong_if("g(2)", "f(1) + f(1) + f(x) - 2"))
        assert again.count("f(1) = 2") <= 1
    assert texts.count("f(1) = 2") == 1


def test_another_answer_to_the_same_behaviour_is_named_and_stands(twice: PythonSubject) -> None:
    session = in_g(twice)
    session.answer(YES)
    followed = next(answer.node for answer, _ in session.answers if answer.source == SAME)
    session.say(Answer(followed, NO))
    outermost = next(session.levels.all())
    answers = {node: answer for node, answer in outermost.answers.items() if twice.behaviour(node).text == "f(1) = 2"}
    assert [answer.judgement for answer in answers.values()] == [NO, NO]
    assert "f(1) = 2 was answered yes before and is now answered no" in [c.text for c in session.contradictions]


def test_a_mark_on_a_call_applies_only_to_that_call(twice: PythonSubject) -> None:
    session = in_g(twice)
    assert isinstance(session.outcome, Ask)
    node = session.outcome.question.node
    session.say(Answer(node, Judgement.INADMISSIBLE, Mark(MarkOf.CALL)))
    assert not [answer for answer, _ in session.answers if answer.source == SAME]


def test_values_read_below_a_call_are_part_of_its_behaviour(tmp_path: Path) -> None:
    """The global variable is read by a function below, and nothing in the question shows it."""
    program = """
        rate = 1

        def low(x):
            return x if rate else x

        def f(x):
            return low(x)

        def main():
            global rate
            first = f(1)
            rate = 2
            return first + f(1)

        main()
    """
    subject = python.record(tmp_path, program).subject()
    nodes = [node for node in range(len(subject.tree)) if subject.behaviour(node).text == "f(1) = 1"]
    first, second = map(subject.behaviour_key, nodes)
    assert first
    assert first != second


@pytest.mark.parametrize("made", ["iter([1, 1])", "(x for x in [1, 1])", "open(__file__)", "lambda: 1"])
def test_unrecorded_state_may_decide_the_result(tmp_path: Path, made: str) -> None:
    program = f"""
        def f(it):
            return 1

        it = {made}
        f(it) + f(it)
    """
    subject = python.record(tmp_path, program).subject()
    assert subject.behaviour_key(python.node_of(subject, "f(")) == ""


def test_an_answer_of_this_session_is_not_of_an_earlier_one(tmp_path: Path) -> None:
    """Not even one that the store would find: only what looks the same is asked again, and nothing else is said."""
    program = """
        def f(it):
            return next(it)

        def g():
            it = iter([1, 1, 1, 3])
            return f(it) + f(it) + f(it) + f(it)

        print(g())
    """
    subject: Subject = python.record(tmp_path, program).subject()
    with Store.open(tmp_path) as store:
        session = Session(subject, TOP_DOWN, oracles=Chain([StoredAnswers(store.answers)]))
        writer = SessionWriter(store, SavedSession("run", "run"))
        texts = []
        while isinstance(session.outcome, Ask):
            texts.append(text(session))
            session.answer(NO if texts[-1].startswith("g()") else YES)
            writer.save(session)
    assert len([text for text in texts if text.startswith("f(<")]) == 4
    assert {answer.source.oracle for answer, _ in session.answers} <= {"person", "your answer"}
