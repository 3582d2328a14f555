"""Opens the database of a store, whatever the state of its file: `open_database` never raises and never deletes a file.

A damaged file is renamed and replaced by an empty one. If the file must be left alone (it is not writable, or from a
newer version), this run uses a database in memory. Either way there is a message.
"""

import errno
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from attrs import frozen

from adebug_lsp.store import schema
from adebug_lsp.store.integrity import FILE_NAME, DamagedError, NewerError, check, check_file, one_line
from adebug_lsp.store.lock_wait import PATIENCE, retry_while_locked

_COMPANIONS = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps next to a database and that are part of it."""


@frozen
class Opened:
    """A usable database, and the problems with opening it."""

    connection: sqlite3.Connection
    file: Path | None
    """None for a database in memory, which is lost when the process ends."""
    problems: tuple[str, ...] = ()


def open_database(folder: Path) -> Opened:
    """Open the database in a folder, which is created if it does not exist."""
    file = folder / FILE_NAME
    problems: list[str] = []
    try:
        _make_folder(folder)
        return Opened(_connect_or_replace(file, problems), file, tuple(problems))
    except NewerError as error:
        problems.append(f"{file}: {error}. It is left alone; this run neither uses nor saves answers.")
    except DamagedError as error:
        problems.append(f"{file}: {error}, and could not be replaced; this run saves nothing.")
    except (OSError, sqlite3.Error) as error:
        problems.append(f"{file}: cannot be used ({_reason(error)}); this run saves nothing.")
    connection = _plain_connection(":memory:")
    schema.migrate(connection)
    return Opened(connection, None, tuple(problems))


def _make_folder(folder: Path) -> None:
    # Symbolic links are not followed: an untrusted workspace must not make us write outside of it.
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise NotADirectoryError(
            errno.ENOTDIR, f"{folder.name} is {'a link' if folder.is_symlink() else 'not a folder'}"
        )
    folder.mkdir(exist_ok=True)
    with suppress(FileExistsError), (folder / ".gitignore").open("x", encoding="utf-8") as ignore:
        ignore.write("*\n")


def _connect_or_replace(file: Path, problems: list[str]) -> sqlite3.Connection:
    """Connect; a damaged file is set aside first, by one process only."""
    try:
        return _connect(file)
    except DamagedError:
        with _only_one_process(file):
            try:
                return _connect(file)  # another process may have replaced it by now
            except DamagedError as damage:
                aside = _set_aside(file)
                problems.append(f"{file}: {damage}. It was renamed to {aside.name}, and a new, empty store begun.")
                return _connect(file)


def _connect(file: Path) -> sqlite3.Connection:
    check_file(file)
    connection = _plain_connection(file)
    try:
        retry_while_locked(lambda: _prepare(connection))
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    check(connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    schema.migrate(connection)


def _plain_connection(file: Path | str) -> sqlite3.Connection:
    """A connection in autocommit mode, for use by one thread at a time."""
    connection = sqlite3.connect(file, timeout=PATIENCE / 3, isolation_level=None, check_same_thread=False)
    # A flipped bit in a text appears as a replacement character and has no other effect.
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


@contextmanager
def _only_one_process(file: Path) -> Iterator[None]:
    """A lock between processes, made of a second database: SQLite's locks are portable and end with their process."""
    path = file.with_name(file.name + ".lock")
    if path.is_symlink():
        raise OSError(errno.EINVAL, f"{path.name} is a link")
    with closing(_plain_connection(path)) as lock:
        retry_while_locked(lambda: lock.execute("BEGIN EXCLUSIVE"))
        yield


def _set_aside(file: Path) -> Path:
    """Rename a damaged file and its companions; returns the new path."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    aside = file.with_name(f"{file.name}.damaged-{stamp}")
    count = 1
    while any(aside.with_name(aside.name + end).exists() for end in ("", *_COMPANIONS)):
        count += 1
        aside = file.with_name(f"{file.name}.damaged-{stamp}.{count}")
    # The companions go first: next to a new file, SQLite would take them for its own.
    for end in (*_COMPANIONS, ""):
        source = file.with_name(file.name + end)
        if source.exists() or source.is_symlink():
            source.rename(aside.with_name(aside.name + end))
    return aside


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or one_line(str(error))
