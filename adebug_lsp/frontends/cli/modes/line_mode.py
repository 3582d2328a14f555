"""A session in plain lines, for pipes and answer files: answers are echoed, and nothing is coloured."""

import sys
from collections.abc import Iterator
from pathlib import Path

from adebug_lsp.frontends.cli.render import dialogue
from adebug_lsp.frontends.cli.render.escape import print_error, print_lines
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.open_session import OpenSession, SessionTarget
from adebug_lsp.model.errors import BadAnswerError, BadInputError, UnknownNameError
from adebug_lsp.model.text import lines_of


def hold(open_session: OpenSession[SessionTarget], answers: str | None) -> int:
    """Ask until a verdict is accepted or the input ends; returns the exit code."""
    if not open_session.resumed:
        print_lines(wording.introduction(open_session.session))
    _show(open_session)
    for where, line in _typed() if answers is None else _from_file(answers):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        print_lines(f"> {line.strip()}")
        try:
            steps = open_session.session.steps
            messages = open_session.answer(line)
        except (BadAnswerError, UnknownNameError) as error:
            if where:
                raise BadInputError(f"{where}: {error}") from error
            print_lines(f"adebug: {error}")
            continue
        if messages is None:
            break
        print_lines(*messages) if messages else None
        if open_session.session.steps != steps:
            _show(open_session)
    _report(open_session)
    return 0 if open_session.has_verdict else 1


def _show(open_session: OpenSession[SessionTarget]) -> None:
    _report(open_session)
    print_lines(*dialogue.outcome(open_session.session, open_session.node_names()))


def _report(open_session: OpenSession[SessionTarget]) -> None:
    for problem in open_session.new_problems():
        print_error(problem)


def _from_file(name: str) -> Iterator[tuple[str, str]]:
    """Answers of a file, each with its line for errors."""
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{name}: cannot be read: {error}") from error
    return ((f"{name}:{number}", line) for number, line in enumerate(lines_of(text), start=1))


def _typed() -> Iterator[tuple[str, str]]:
    """Answers from standard input."""
    while True:
        if sys.stdin.isatty():
            print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            return
        yield "", line
