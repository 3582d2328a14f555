"""Asks about a recording or a tree, in the mode that suits the caller: screen, lines or JSON.

With `--answers` nothing is stored, so that the same file always gives the same dialogue.
"""

import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from adebug_lsp.frontends.cli.modes import json_lines, line_mode, screen
from adebug_lsp.frontends.cli.render.escape import print_error, print_lines
from adebug_lsp.frontends.cli.render.progress_bar import progress_for
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.json_protocol import error_line
from adebug_lsp.frontends.shared.open_session import (
    OpenSession,
    SessionOptions,
    SessionTarget,
    begin_session,
    open_recording,
)
from adebug_lsp.languages.language import Language, NothingToAskError
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.oracles.external_command import CommandOracle
from adebug_lsp.oracles.oracle import Oracle


def about_tree(target: SessionTarget, options: Namespace) -> int:
    """Ask about a tree until there is a verdict or the answers end; returns the exit code."""
    return _ask(target, options)


def about_recording(recording: Path, language: Language, options: Namespace, entry: str | None = None) -> int:
    """Ask about a recorded run, or about the test with this name in it; returns the exit code."""
    try:
        with progress_for(options.channel) as progress:
            target = open_recording(recording, language, progress, entry)
    except NothingToAskError as error:
        return nothing_to_ask(error, options)
    if target.opened.problem:
        print_error(target.opened.problem)
    if options.channel is None and target.entry.name:
        print_lines(*wording.asking_about(target.entry, target.other_failures))
    return _ask(target, options)


def nothing_to_ask(error: BadInputError, options: Namespace) -> int:
    """Print why there is nothing to ask; returns the exit code."""
    print_error(wording.error(error))
    if options.channel is not None:
        options.channel.send(error_line(error))
    return 1


def _ask(target: SessionTarget, options: Namespace) -> int:
    """Open a session about a target, and hold it; returns the exit code."""
    problems = _Problems()
    with _command_oracle(options.oracle) as oracles, ExitStack() as closing:
        with progress_for(options.channel) as progress:
            beginning = begin_session(
                target,
                _session_options(options),
                workspace=None if options.answers is not None else Path(options.workspace),
                progress=progress,
                problem=problems.add,
                oracles=oracles,
            )
            open_session = closing.enter_context(beginning)
        problems.show(not open_session.has_verdict)
        return _hold(open_session, options)


class _Problems:
    """Collects problems of oracles, which are printed only if a person must answer instead."""

    def __init__(self) -> None:
        self._kept: list[str] | None = []

    def add(self, problem: str) -> None:
        if self._kept is None:
            print_error(problem)
        else:
            self._kept.append(problem)

    def show(self, asks: bool) -> None:
        """Print the collected problems if a person is asked now, and from then on every problem at once."""
        for problem in self._kept or () if asks else ():
            print_error(problem)
        self._kept = None


def _hold(open_session: OpenSession[SessionTarget], options: Namespace) -> int:
    """Hold a session in the mode that the options ask for; returns the exit code."""
    if options.channel is not None:
        return json_lines.hold(open_session, options.channel)
    for note in open_session.notes:
        is_resumption = open_session.resumed and note not in open_session.target.notes
        print_lines(f"{note}; --fresh starts over" if is_resumption else note)
    return screen.hold(open_session) if wants_screen(options) else line_mode.hold(open_session, options.answers)


def _session_options(options: Namespace) -> SessionOptions:
    return SessionOptions(
        options.strategy,
        options.granularity,
        transform=tuple(options.transform),
        ask_root=options.ask_root,
        fresh=options.fresh,
        reference=f"git:{options.since}" if options.since and options.reference is None else options.reference,
        oracle_seconds=options.oracleTime,
    )


@contextmanager
def _command_oracle(text: str | None) -> Iterator[list[Oracle]]:
    """The oracle of `--oracle`, if there is one."""
    if not text:
        yield []
        return
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadInputError(f"--oracle: {error}") from error
    if not words:
        raise BadInputError("--oracle: the command is empty")
    with CommandOracle(words) as oracle:
        yield [oracle]


def wants_screen(options: Namespace) -> bool:
    """Whether input and output are a terminal that can draw."""
    here = sys.stdin.isatty() and sys.stdout.isatty()
    return here and options.answers is None and os.environ.get("TERM") != "dumb"
