"""Reports progress every half second: elapsed time, or the percentage that the work itself notes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from attrs import define

from adebug_lsp.languages.language import Progress

UNKNOWN = -1
"""The percentage of work of unknown length."""
_INTERVAL = 0.5


@define
class Percentage:
    """The part of some work that is done."""

    done: int = UNKNOWN

    def __call__(self, done: int, total: int) -> None:
        """Note that this much is done."""
        self.done = 100 * done // max(total, 1)


@contextmanager
def ticking(progress: Progress, doing: str) -> Iterator[Percentage]:
    """Report at once, then every half second until the block ends: seconds, or the percentage that the block notes."""
    over = threading.Event()
    began = monotonic()
    percentage = Percentage()

    def report() -> None:
        with suppress(BrokenPipeError):  # the reader is gone; the work itself will notice
            while not over.wait(_INTERVAL):
                if percentage.done == UNKNOWN:
                    progress(doing, int(monotonic() - began))
                else:
                    progress(doing, percentage.done, 100)

    progress(doing)
    reporter = threading.Thread(target=report, name="progress", daemon=True)
    reporter.start()
    try:
        yield percentage
    finally:
        over.set()
        reporter.join()
