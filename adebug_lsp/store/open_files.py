"""Counts the connections of this process to each database file.

A POSIX lock is dropped when the process closes any descriptor of the file (https://www.sqlite.org/howtocorrupt.html,
section 2.2). Another process would then remove the log that this one still writes to, so open files are not read.
"""

import os
import threading
from collections import Counter
from pathlib import Path

Identity = tuple[int, int]

OPENING = threading.RLock()
"""Locked while a database is opened or closed, so that checking the file and connecting to it are one atomic step."""
_held: Counter[Identity] = Counter()


def identity(file: Path | None) -> Identity | None:
    """Device and inode of a file, which survive a rename; None if there is no file."""
    try:
        status = os.stat(file) if file is not None else None
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status else None


def is_held(file: Path) -> bool:
    """Whether this process has a connection to a file."""
    key = identity(file)
    return key is not None and _held[key] > 0


def hold(file: Identity | None) -> None:
    """Count one more connection to a file."""
    if file is not None:
        _held[file] += 1


def let_go(file: Identity | None) -> None:
    """Count one connection fewer."""
    if file is not None:
        _held[file] -= 1
