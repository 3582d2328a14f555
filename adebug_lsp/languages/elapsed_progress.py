"""Reports elapsed time every half second, for work of unknown length."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from adebug_lsp.languages.language import Progress

_INTERVAL = 0.5


@contextmanager
def ticking(progress: Progress, doing: str) -> Iterator[None]:
    """Report at once, then every half second until the block ends."""
    over = threading.Event()
    began = monotonic()

    def report() -> None:
        with suppress(BrokenPipeError):  # the reader is gone; the work itself will notice
            while not over.wait(_INTERVAL):
                progress(doing, int(monotonic() - began))

    progress(doing)
    reporter = threading.Thread(target=report, name="progress", daemon=True)
    reporter.start()
    try:
        yield
    finally:
        over.set()
        reporter.join()
