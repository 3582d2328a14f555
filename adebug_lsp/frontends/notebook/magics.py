"""`%%adebug` on a cell, and `%adebug` after one: runs the cells of this session again, recorded, and asks about them.

The cells run in a process of their own, so the state of this one stays as it is, and the recorder cannot disturb it.
"""

import argparse
import os
import shlex
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, magics_class

from adebug_lsp.frontends.cli.modes import screen
from adebug_lsp.frontends.notebook import inline_prompt
from adebug_lsp.frontends.notebook.session_cells import SessionCells
from adebug_lsp.frontends.shared.open_session import SessionOptions, begin_session, open_recording
from adebug_lsp.frontends.shared.options import add_argument
from adebug_lsp.frontends.shared.recordings import Recordings, record
from adebug_lsp.frontends.shared.wording import error as error_text
from adebug_lsp.frontends.shared.wording import run_ended
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import Ended, Request
from adebug_lsp.languages.reference_tree import check_reference
from adebug_lsp.model.errors import AdebugError, BadInputError

_OPTIONS = ("answers", "reference", "strategy", "granularity", "askRoot", "fresh", "timeout", "level")


class _Parser(argparse.ArgumentParser):
    """Reports bad usage as an error of ours; `SystemExit` would look like the end of the kernel."""

    def error(self, message: str) -> NoReturn:
        raise BadInputError(f"{message}; %adebug? lists the options")


def _parser() -> _Parser:
    parser = _Parser(prog="%adebug", add_help=False, allow_abbrev=False)
    for name in _OPTIONS:
        add_argument(parser, name)
    parser.add_argument(
        "--prompt", action="store_true", help="ask in a line of text, also where buttons could be shown"
    )
    return parser


def _progress(doing: str, done: int = 0, total: int | None = None) -> None:
    """A `Progress` that shows nothing; a kernel has no terminal to draw on."""


@magics_class
class AdebugMagics(Magics):
    """The magics; one object for each shell."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self._shell = shell
        self.cells = SessionCells(shell)
        self._folder, self._environment = Path.cwd(), dict(os.environ)
        """Those in which the first cells ran, if the extension was loaded by one of them."""
        self._asking = ExitStack()
        """The session that the buttons answer; a new one closes it."""

    @line_cell_magic
    def adebug(self, line: str, cell: str | None = None) -> None:
        """Find a bug by answering questions.

        %%adebug as the first line of a cell runs the cell, then runs the cells of this session again, recorded, in a
        process of their own, and asks about them. %adebug alone does so for the cell before, which may have raised.

        Options: --answers FILE (answers, one per line), --prompt (a line of text instead of buttons), --timeout S,
        --level calls (records less, faster), --reference PATH, --strategy NAME, --granularity NAME, --ask-root,
        --fresh.
        """
        try:
            options = _parser().parse_args(shlex.split(line))
            if cell is not None:
                self.cells.run(cell)
            self._find(options)
        except (AdebugError, ValueError) as error:
            print(f"adebug: {error_text(error) if isinstance(error, AdebugError) else error}", file=sys.stderr)

    def _find(self, options: argparse.Namespace) -> None:
        """Record the cells of this session, and ask."""
        self._asking.close()
        answers = None if options.answers is None else inline_prompt.from_file(options.answers)
        if options.reference is not None:
            check_reference(options.reference, self._folder, (".py", ".ipynb"))
        recordings = Recordings(self._folder)
        recording = recordings.new()
        notebook = recording.with_suffix(".ipynb")
        request = Request(
            self._folder,
            program=notebook,
            interpreter=Path(sys.executable),
            level=options.level,
            timeout=options.timeout,
            folder=self._folder,
            environment=self._environment,
            output=lambda _stream, _text: None,
        )
        cells = self.cells.write(notebook)
        print(f"adebug: running {cells.text} again, recorded, in a process of their own", flush=True)
        language = registry.language(registry.DEFAULT_LANGUAGE)
        recorded = record(recordings, recording, language, request, _progress)
        print("\n".join(_remarks(recorded.ended, cells.raised)))
        target = open_recording(recording, language, _progress)
        beginning = begin_session(
            target,
            SessionOptions(
                options.strategy,
                options.granularity,
                ask_root=options.ask_root,
                fresh=options.fresh,
                reference=options.reference,
            ),
            workspace=None if options.answers is not None else self._folder,
            progress=_progress,
            problem=lambda text: print(f"adebug: {text}", file=sys.stderr),
        )
        with ExitStack() as closing:
            open_session = closing.enter_context(beginning)
            in_kernel = hasattr(self._shell, "kernel")
            if answers is not None:
                inline_prompt.hold(open_session, answers, echo=True)
            elif not in_kernel and sys.stdin.isatty() and sys.stdout.isatty():
                screen.hold(open_session)
            elif in_kernel and not options.prompt and inline_prompt.has_widgets():
                from adebug_lsp.frontends.notebook.answer_buttons import AnswerButtons  # noqa: PLC0415 (optional)

                self.buttons = AnswerButtons(open_session)
                self._asking = closing.pop_all()
            elif not inline_prompt.hold(open_session, inline_prompt.typed()):
                print(f"adebug: to find the bug: adebug open {shlex.quote(str(recording))}")


def _remarks(ended: Ended, expected: str) -> list[str]:
    """How the run ended, and whether it ended with the same exception as before."""
    remarks = [f"adebug: {run_ended(ended)}"]
    if expected and expected not in ended.message:
        remarks.append(f"adebug: it raised {expected} before; what a cell read, or its state, was not the same again")
    elif not expected and ended.how == "raised":
        remarks.append("adebug: it did not raise before; what a cell read, or its state, was not the same again")
    return remarks


def load(shell: InteractiveShell) -> None:
    """Register the magics."""
    magics = AdebugMagics(shell)
    shell.register_magics(magics)
    shell.events.register("post_run_cell", magics.cells.note)
