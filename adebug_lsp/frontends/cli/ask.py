"""Holds a session about a recording or a tree in the front that suits the caller: keys, lines or JSON.

With `--answers` nothing is stored: the same file always gives the same dialogue.
"""

import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from adebug_lsp.frontends.cli.modes import json_lines, line_mode, screen
from adebug_lsp.frontends.cli.render.escape import complain, say
from adebug_lsp.frontends.cli.render.progress_bar import progress_for
from adebug_lsp.frontends.shared.beginning import Wishes, begin
from adebug_lsp.frontends.shared.inquiry import Inquiry
from adebug_lsp.frontends.shared.json_protocol import error_line
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.frontends.shared.talk import Case, Talk
from adebug_lsp.languages.language import Language, NothingToAskError
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.oracles.external_command import CommandOracle
from adebug_lsp.oracles.oracle import Oracle
from adebug_lsp.store.store import Store


def about_tree(case: Case, options: Namespace) -> int:
    """Ask about a tree until there is a verdict or nobody answers any more; gives the exit code."""
    with _store(options) as store, _command_oracle(options.oracle) as command:
        return _hold(begin(case, _wishes(options), store, command), options)


def about_recording(recording: Path, language: Language, recordings: Recordings, options: Namespace) -> int:
    """The same about a recorded run."""
    try:
        with progress_for(options.channel) as progress:
            inquiry = Inquiry.open(recording, language, progress)
    except NothingToAskError as error:
        complain(str(error))
        if options.channel is not None:
            options.channel.send(error_line(str(error)))
        return 1
    if inquiry.opened.problem:
        complain(inquiry.opened.problem)
    if options.channel is None and inquiry.entry.name:
        say(f"asking about {inquiry.entry.name}: {inquiry.entry.message}")
        if inquiry.others:
            say(f"failed too: {', '.join(inquiry.others)}")
    with _store(options) as store, _command_oracle(options.oracle) as command, ExitStack() as closing:
        if store is not None:
            inquiry.note_in(recordings, recording)
        problems = _Problems()
        with progress_for(options.channel) as progress:
            talk = inquiry.talk(
                _wishes(options), store, progress, reference=options.reference, oracles=command, problem=problems.tell
            )
            begun = closing.enter_context(talk)
        problems.matter(not begun.has_verdict)
        return _hold(begun, options)


class _Problems:
    """What oracles could not judge; nobody has to know of it who is not asked, because the others sufficed."""

    def __init__(self) -> None:
        self._kept: list[str] | None = []

    def tell(self, problem: str) -> None:
        if self._kept is None:
            complain(problem)
        else:
            self._kept.append(problem)

    def matter(self, asks: bool) -> None:
        """Say what was kept if a person is asked now, and everything from now on."""
        for problem in self._kept or () if asks else ():
            complain(problem)
        self._kept = None


def _hold(talk: Talk, options: Namespace) -> int:
    if options.channel is not None:
        return json_lines.hold(talk, options.channel)
    for note in talk.notes:
        say(f"{note}; --fresh begins anew" if talk.resumed and note not in talk.case.notes else note)
    return screen.hold(talk) if wants_screen(options) else line_mode.hold(talk, options.answers)


def _wishes(options: Namespace) -> Wishes:
    return Wishes(
        options.strategy,
        options.granularity,
        transform=tuple(options.transform),
        ask_root=options.ask_root,
        fresh=options.fresh,
    )


@contextmanager
def _store(options: Namespace) -> Iterator[Store | None]:
    if options.answers is not None:
        yield None
        return
    with Store.open(Path(options.workspace)) as store:
        yield store


@contextmanager
def _command_oracle(text: str | None) -> Iterator[list[Oracle]]:
    if not text:
        yield []
        return
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadInputError(f"--oracle: {error}") from error
    if not words:
        raise BadInputError("--oracle: which command?")
    with CommandOracle(words) as oracle:
        yield [oracle]


def wants_screen(options: Namespace) -> bool:
    """Whether a person sits at a terminal that can draw."""
    here = sys.stdin.isatty() and sys.stdout.isatty()
    return here and options.answers is None and os.environ.get("TERM") != "dumb"
