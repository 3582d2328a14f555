"""Progress of work whose length is unknown."""

import threading
import time

from adebug_lsp.languages.elapsed_progress import ticking


def test_a_reader_that_has_gone_does_not_disturb_the_work() -> None:
    """An exception in the thread would show the user a traceback; here it fails the test."""
    threads = []

    def progress(doing: str, done: int = 0, total: int | None = None) -> None:
        threads.append(threading.current_thread())
        if len(threads) > 1:
            raise BrokenPipeError

    with ticking(progress, "reading"):
        time.sleep(1.2)
    assert len(threads) == 2
