"""Progress of work: seconds, or the percentage that the work itself notes."""

import threading
import time

from adebug_lsp.languages.elapsed_progress import UNKNOWN, ticking


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


def test_work_that_knows_its_length_is_shown_as_a_percentage() -> None:
    reports: list[tuple[int, int | None]] = []
    with ticking(lambda _doing, done=0, total=None: reports.append((done, total)), "reading") as percentage:
        percentage(30, 120)
        time.sleep(0.7)
        percentage.done = UNKNOWN
        time.sleep(0.5)
    assert reports[:3] == [(0, None), (25, 100), (1, None)]
