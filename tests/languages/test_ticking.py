"""Telling that work goes on."""

import threading
import time

from adebug_lsp.languages.elapsed_progress import ticking


def test_a_reader_that_has_gone_does_not_disturb_the_work() -> None:
    """What a thread raises would be shown to the user as a traceback; here it fails the test."""
    told = []

    def progress(doing: str, done: int = 0, total: int | None = None) -> None:
        told.append(threading.current_thread())
        if len(told) > 1:
            raise BrokenPipeError

    with ticking(progress, "reading"):
        time.sleep(1.2)
    assert len(told) == 2
