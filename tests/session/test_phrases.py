"""The phrases of a dialogue: each becomes the step it means, and nonsense is refused."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.model.answers import (
    AddRule,
    Answer,
    AskSkipped,
    Judgement,
    Mark,
    MarkOf,
    Reject,
    Restart,
    Revoke,
    Scope,
    Step,
    SwitchGranularity,
    SwitchStrategy,
    Transform,
    Trust,
    Untrust,
)
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.session.handmade_subject import HandmadeSubject
from adebug_lsp.session.phrases import HELP, Command, parse, read_mark
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from tests.support import example

NODE = 1


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(HandmadeSubject(example("sqrtest")), Options("top-down"))


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("y", Answer(NODE, Judgement.YES)),
        ("  YES ", Answer(NODE, Judgement.YES)),
        ("n", Answer(NODE, Judgement.NO)),
        ("d", Answer(NODE, Judgement.UNKNOWN)),
        ("don't know", Answer(NODE, Judgement.UNKNOWN)),
        ("i", Answer(NODE, Judgement.INADMISSIBLE)),
        ("expected [1, 2]", Answer(NODE, Judgement.NO, expected="[1, 2]")),
        ("mark result[2]", Answer(NODE, Judgement.NO, Mark(MarkOf.RESULT, (2,)))),
        ("mark argument[0].x", Answer(NODE, Judgement.INADMISSIBLE, Mark(MarkOf.ARGUMENT, (0, "x")))),
        ("yes mark argument['a b']", Answer(NODE, Judgement.YES, Mark(MarkOf.ARGUMENT, ("a b",)))),
        ("mark call", Answer(NODE, Judgement.INADMISSIBLE, Mark(MarkOf.CALL))),
        ("t", Trust(Scope.ROUTINE, "sqrtest")),
        ("trust listsum", Trust(Scope.ROUTINE, "listsum")),
        ("trust module lists", Trust(Scope.MODULE, "lists")),
        ("untrust listsum", Untrust(Scope.ROUTINE, "listsum")),
        ("rule * = False", AddRule("sqrtest", "* = False")),
        ("strategy heaviest-first", SwitchStrategy("heaviest-first")),
        ("transform halving", Transform("halving")),
        ("zoom", SwitchGranularity("expression")),
        ("zoom routine", SwitchGranularity("routine")),
        ("restart 20", Restart(20)),
        ("revoke 20", Revoke(20)),
        ("skipped", AskSkipped()),
    ],
)
def test_a_line_is_a_step(session: Session, line: str, step: Step) -> None:
    assert parse(line, session, int) == step


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("u", Command.UNDO),
        ("redo", Command.REDO),
        ("?", Command.HELP),
        ("w", Command.WHY),
        ("transform", Command.TRANSFORMATIONS),
        ("quit", Command.QUIT),
    ],
)
def test_a_line_is_a_command(session: Session, line: str, command: Command) -> None:
    assert parse(line, session, int) is command


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("maybe", "type h for help"),
        ("yes sir", "only a mark can follow"),
        ("mark", "mark what"),
        ("mark result[", "cannot be read"),
        ("expected", "which value"),
        ("expected nonsense(", "brackets do not match"),
        ("expected )(", "brackets do not match"),
        ("rule", "which rule"),
        ("reject", "no verdict"),
    ],
)
def test_nonsense_is_refused(session: Session, line: str, message: str) -> None:
    with pytest.raises(BadAnswerError, match=message):
        parse(line, session, int)


def test_without_a_question_there_is_nothing_to_answer() -> None:
    ended = Session(HandmadeSubject(example("sqrtest")), Options("top-down", root_is_wrong=False))
    ended.answer(Judgement.YES)
    with pytest.raises(BadAnswerError, match="no question"):
        parse("yes", ended, int)


def test_a_verdict_can_be_rejected() -> None:
    session = Session(HandmadeSubject(example("append")), Options("single-stepping"))
    session.answer(Judgement.NO)
    assert parse("reject", session, int) == Reject(4)


@given(st.text(max_size=40))
def test_any_line_is_understood_or_refused(line: str) -> None:
    session = Session(HandmadeSubject(example("append")), Options("single-stepping"))
    with suppress(BadAnswerError):
        parse(line, session, lambda _name: 0)


@given(st.text(max_size=20))
def test_any_mark_is_read_or_refused(text: str) -> None:
    with suppress(BadAnswerError):
        read_mark(text)


def test_help_explains_every_word() -> None:
    for word in ("yes", "no", "don't know", "bad input", "expected", "mark", "trust", "untrust", "rule", "why"):
        assert word in HELP
    for word in ("undo", "redo", "strategy", "transform", "zoom", "restart", "revoke", "skipped", "reject", "quit"):
        assert word in HELP
