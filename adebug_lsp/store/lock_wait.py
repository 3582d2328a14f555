"""Waits for other processes that hold the lock of the store, normally for a few milliseconds."""

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 15.0
"""Seconds after which the process that holds the lock is assumed to be stuck."""


def retry_while_locked(action: Callable[[], T]) -> T:
    """Call `action` until it succeeds or `PATIENCE` seconds have passed, as long as another process holds the lock."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:  # noqa: PERF203 (the loop is there for the exception)
            if not _is_busy(error) or time.monotonic() >= deadline:
                raise
            time.sleep(0.01)


def _is_busy(error: sqlite3.Error) -> bool:
    # Python 3.10 exposes only SQLite's messages; `sqlite_errorcode` came with 3.11 (https://docs.python.org/3/library/sqlite3.html).
    return "locked" in str(error) or "locking protocol" in str(error)
