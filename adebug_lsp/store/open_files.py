"""Which database files this process has open. There, closing a descriptor of our own would drop SQLite's locks (POSIX).

Then another process would take itself for the last one, and remove the log that this one still writes to.
"""

import os
import threading
from collections import Counter
from pathlib import Path

Identity = tuple[int, int]

OPENING = threading.RLock()
"""Held while a database is opened or closed, so that looking at its file and connecting to it are one step."""
_held: Counter[Identity] = Counter()


def identity(file: Path | None) -> Identity | None:
    """What tells a file from any other, also when it was renamed; None where there is none."""
    try:
        found = os.stat(file) if file is not None else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


def is_held(file: Path) -> bool:
    """Whether this process has a connection to a file."""
    found = identity(file)
    return found is not None and _held[found] > 0


def hold(file: Identity | None) -> None:
    """There is one more connection."""
    if file is not None:
        _held[file] += 1


def let_go(file: Identity | None) -> None:
    """There is one less."""
    if file is not None:
        _held[file] -= 1
