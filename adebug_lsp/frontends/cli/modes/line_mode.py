"""A session line by line, for pipes and answer files: what was said is repeated, and nothing is coloured."""

import sys
from collections.abc import Iterator
from pathlib import Path

from adebug_lsp.frontends.cli.render import dialogue
from adebug_lsp.frontends.cli.render.escape import complain, say
from adebug_lsp.frontends.shared.talk import Talk
from adebug_lsp.model.errors import BadAnswerError, BadInputError, UnknownNameError
from adebug_lsp.model.text import lines_of


def hold(talk: Talk, answers: str | None) -> int:
    """Question and answer until a verdict is accepted or nobody answers any more; gives the exit code."""
    talk.keep()
    if not talk.resumed:
        say(dialogue.introduction(talk.session))
    _show(talk)
    for where, line in _typed() if answers is None else _from_file(answers):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        say(f"> {line.strip()}")
        try:
            steps = talk.session.steps
            told = talk.answer(line)
        except (BadAnswerError, UnknownNameError) as error:
            if where:
                raise BadInputError(f"{where}: {error}") from error
            say(f"adebug: {error}")
            continue
        if told is None:
            break
        say(*told) if told else None
        if talk.session.steps != steps:
            _show(talk)
    _report(talk)
    return 0 if talk.has_verdict else 1


def _show(talk: Talk) -> None:
    _report(talk)
    say(*dialogue.outcome(talk.session, talk.names()))


def _report(talk: Talk) -> None:
    for problem in talk.reports():
        complain(problem)


def _from_file(name: str) -> Iterator[tuple[str, str]]:
    """Answers, each with the place it comes from."""
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
