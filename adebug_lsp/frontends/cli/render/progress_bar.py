"""Shows the progress of long work: as a line on a terminal, as JSON lines for a program, not at all in a pipe.

The recorded program may write to the same terminal at the same time. The bar is therefore the bottom line, outside the
scrolling region, and the cursor is restored after each update. While a program reads single keys (an editor, a game, a
prompt with line editing), nothing is drawn.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from attrs import define

if sys.platform != "win32":
    import termios

from adebug_lsp.frontends.cli.modes.json_lines import Channel
from adebug_lsp.frontends.cli.render.escape import print_error
from adebug_lsp.frontends.shared import wording
from adebug_lsp.languages.language import Progress

_WIDTH = 30
_PATIENCE = 1.0
"""Seconds before anything is shown."""
_LEAST_ROWS = 5
"""Minimum height of a terminal for a progress bar."""

_KEEP_PLACE, _TO_PLACE = "\x1b7", "\x1b8"
_MAKE_ROOM = "\x1bD\x1b[1A"  # one line down, scrolling if necessary, and up again; the column stays
_CLEAR_LINE = "\x1b[2K"
_SCROLL_ALL = "\x1b[r"


@contextmanager
def progress_for(channel: Channel | None) -> Iterator[Progress]:
    """Show progress, as JSON lines or on the bottom line of the terminal."""
    if channel is not None:
        yield channel.progress
        return
    bar = Bar(sys.stderr.isatty() and os.environ.get("TERM") != "dumb")
    try:
        yield bar
    finally:
        bar.clear()


@contextmanager
def phases_for(channel: Channel | None) -> Iterator[Progress]:
    """Show progress, and every new phase as a line that stays."""
    phases: list[str] = []
    with progress_for(channel) as progress:

        def report(doing: str, done: int = 0, total: int | None = None) -> None:
            if channel is None and doing not in phases[-1:]:
                phases.append(doing)
                print_error(doing)
            progress(doing, done, total)

        yield report


@define
class Bar:
    """The bottom line of the terminal of standard error."""

    visible: bool
    _began: float | None = None
    _rows: int = 0
    """The height of the terminal while its bottom line is the bar, otherwise 0."""

    def __call__(self, doing: str, done: int = 0, total: int | None = None) -> None:
        """See `Progress`."""
        now = monotonic()
        if self._began is None:
            self._began = now
        if self.visible and now - self._began > _PATIENCE and _is_by_lines():
            self._draw(picture(doing, done, total))

    def clear(self) -> None:
        """Remove the bar, and restore the scrolling region."""
        if self._rows:
            _write(f"{_KEEP_PLACE}{_at_row(self._rows)}{_CLEAR_LINE}{_SCROLL_ALL}{_TO_PLACE}")
            self._rows = 0

    def _draw(self, text: str) -> None:
        columns, rows = shutil.get_terminal_size()
        if rows != self._rows:
            self.clear()
            if rows < _LEAST_ROWS:
                return
            _write(f"{_MAKE_ROOM}{_KEEP_PLACE}\x1b[1;{rows - 1}r{_TO_PLACE}")
            self._rows = rows
        _write(f"{_KEEP_PLACE}{_at_row(rows)}{_CLEAR_LINE}{text[: columns - 1]}{_TO_PLACE}")


def picture(doing: str, done: int, total: int | None) -> str:
    """The bar, or text if the total is unknown."""
    if not total:
        return wording.progress(doing, done, total)
    filled = min(_WIDTH, _WIDTH * done // total)
    return f"{doing} [{'#' * filled}{'.' * (_WIDTH - filled)}] {min(100, 100 * done // total)} %"


def _at_row(row: int) -> str:
    return f"\x1b[{row};1H"


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _is_by_lines() -> bool:
    """Whether the terminal is in line mode, that is, no full-screen program is running."""
    if sys.platform == "win32":
        return True
    try:
        return bool(termios.tcgetattr(2)[3] & termios.ICANON)
    except termios.error:
        return True
