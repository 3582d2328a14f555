"""Holds a session in the output of a cell: pages, and answers as lines of text from a prompt or a file."""

from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from adebug_lsp.frontends.cli.render.escape import escape
from adebug_lsp.frontends.notebook.page import show
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.open_session import OpenSession, SessionTarget
from adebug_lsp.model.errors import BadAnswerError, BadInputError, UnknownNameError
from adebug_lsp.model.text import lines_of

PROMPT = "y, n, d, i, ... (? lists all answers, q stops): "


def has_widgets() -> bool:
    """Whether buttons can be shown: ipywidgets is optional."""
    return find_spec("ipywidgets") is not None


def from_file(name: str) -> Iterator[str]:
    """The answers in a file, one per line; `#` starts a comment."""
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{name}: cannot be read: {error}") from error
    return (line for line in lines_of(text) if line.strip() and not line.lstrip().startswith("#"))


def typed() -> Iterator[str]:
    """The answers that a person types, until the front end has no input."""
    with suppress(EOFError, RuntimeError):  # `StdinNotImplementedError` of ipykernel is a RuntimeError
        while True:
            yield input(PROMPT)


def hold(open_session: OpenSession[SessionTarget], answers: Iterator[str], *, echo: bool = False) -> bool:
    """Ask until the user stops, or there are no more answers; returns whether there is a verdict."""
    if not open_session.resumed:
        print(escape(wording.introduction(open_session.session)))
    show(open_session)
    for line in answers:
        if echo:
            print(f"> {escape(line.strip())}")
        steps = open_session.session.steps
        messages = said(open_session, line)
        if messages is None or (open_session.has_verdict and not line.strip()):
            break
        for message in messages:
            print(escape(message))
        if open_session.session.steps != steps:
            show(open_session)
    return open_session.has_verdict


def said(open_session: OpenSession[SessionTarget], line: str) -> list[str] | None:
    """Handle one line; returns messages for the user, or None for "quit"."""
    if not line.strip():
        return []
    try:
        messages = open_session.answer(line)
    except (BadAnswerError, UnknownNameError) as error:
        messages = [f"adebug: {error}"]
    return None if messages is None else [*messages, *(f"adebug: {text}" for text in open_session.new_problems())]
