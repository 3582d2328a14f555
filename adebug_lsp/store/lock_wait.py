"""Waits for other processes that have the store locked. Each of them holds it for a few milliseconds at a time."""

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 15.0
"""Seconds after which something must be wrong with whoever has the lock."""


def patiently(action: Callable[[], T]) -> T:
    """Do something again for as long as another process has the file locked, within reason."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:  # noqa: PERF203 (the loop is there for the exception)
            if not _is_busy(error) or time.monotonic() >= deadline:
                raise
            time.sleep(0.01)


def _is_busy(error: sqlite3.Error) -> bool:
    # Python 3.10 gives SQLite's messages only, not its error codes.
    return "locked" in str(error) or "locking protocol" in str(error)
