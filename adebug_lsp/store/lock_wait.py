"""Waits for other processes that have the store locked, each for a few milliseconds at a time."""

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 15.0
"""Seconds after which the process that holds the lock must be stuck."""


def retry_while_locked(action: Callable[[], T]) -> T:
    """Call `action` again while another process has the file locked, at most for `PATIENCE` seconds."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:  # noqa: PERF203 (the loop is there for the exception)
            if not _is_busy(error) or time.monotonic() >= deadline:
                raise
            time.sleep(0.01)


def _is_busy(error: sqlite3.Error) -> bool:
    # Python 3.10 has SQLite's messages only; `sqlite_errorcode` came with 3.11 (https://docs.python.org/3/library/sqlite3.html).
    return "locked" in str(error) or "locking protocol" in str(error)
