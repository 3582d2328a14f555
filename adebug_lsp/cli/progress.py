"""Shows that long work goes on: a bar on a terminal, JSON lines for a program, nothing when piped."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from attrs import define

from adebug_lsp.cli.jsonlines import Channel
from adebug_lsp.languages.language import Progress

_WIDTH = 30
_PATIENCE = 0.3
"""Seconds before anything is shown, and between two pictures."""


@contextmanager
def progress_for(channel: Channel | None) -> Iterator[Progress]:
    """Whom to tell how far the work has come."""
    if channel is not None:
        yield channel.progress
        return
    bar = Bar(sys.stderr.isatty())
    try:
        yield bar
    finally:
        bar.clear()


@define
class Bar:
    """One line on standard error that is drawn over and over, and is gone at the end."""

    visible: bool
    _drawn: float | None = None
    _length: int = 0

    def __call__(self, doing: str, done: int = 0, total: int | None = None) -> None:
        """See `Progress`."""
        now = monotonic()
        if self._drawn is None:
            self._drawn = now
        if self.visible and now - self._drawn > _PATIENCE:
            self._drawn = now
            self._draw(picture(doing, done, total))

    def clear(self) -> None:
        """Leave the line empty, as it was."""
        if self._length:
            self._draw("")
            self._length = 0

    def _draw(self, text: str) -> None:
        print(f"\r{text:{self._length}}\r{text}", end="", file=sys.stderr, flush=True)
        self._length = len(text)


def picture(doing: str, done: int, total: int | None) -> str:
    """The bar, or the plain count where nobody knows how much there is to do."""
    if not total:
        return f"{doing}: {done:,}" if done else f"{doing} ..."
    filled = min(_WIDTH, _WIDTH * done // total)
    return f"{doing} [{'#' * filled}{'.' * (_WIDTH - filled)}] {min(100, 100 * done // total)} %"
