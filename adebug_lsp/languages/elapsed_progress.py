"""Tells, twice a second, for how many seconds some work goes on whose length nobody knows."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

from adebug_lsp.languages.language import Progress

_TURN = 0.5


@contextmanager
def ticking(progress: Progress, doing: str) -> Iterator[None]:
    """Tell at once, and again while the work inside goes on; nothing is told after it."""
    over = threading.Event()
    began = monotonic()

    def tell() -> None:
        with suppress(BrokenPipeError):  # nobody reads any more: who does the work will find out
            while not over.wait(_TURN):
                progress(doing, int(monotonic() - began))

    progress(doing)
    teller = threading.Thread(target=tell, name="progress", daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
