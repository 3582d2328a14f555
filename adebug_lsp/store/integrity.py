"""Checks whether a database file is sound and has the tables of adebug. Nothing here writes."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from attrs import frozen

from adebug_lsp.store import schema
from adebug_lsp.store.open_files import is_held

FOLDER_NAME = ".adebug"
FILE_NAME = "adebug.sqlite3"
_LONGEST_DETAIL = 200
_MAGIC = b"SQLite format 3\0"
_WORDS_FOR_DAMAGE = ("not a database", "malformed", "unsupported file format")
"""Phrases in SQLite's messages about a damaged file; Python 3.10 does not expose SQLite's error codes."""


class DamagedError(Exception):
    """The file is damaged, truncated, or not a database of adebug."""


class NewerError(Exception):
    """The file was written by a newer adebug."""


@frozen
class Contents:
    """The number of rows in each table of a store."""

    answers: int
    trust: int
    sessions: int
    verdicts: int


def examine(workspace: Path) -> Contents | None:
    """Count the rows in the store of a workspace; None if there is no store.

    Raises `DamagedError`, `NewerError`, or an error of SQLite for a file that cannot be read.
    """
    file = workspace.absolute() / FOLDER_NAME / FILE_NAME
    check_file(file)
    if not file.exists():
        return None
    # If there is no log file, no process has the database open, and SQLite needs no lock, which it would have to write.
    in_use = file.with_name(file.name + "-wal").exists()
    with closing(sqlite3.connect(f"{file.as_uri()}?{'mode=ro' if in_use else 'immutable=1'}", uri=True)) as connection:
        check(connection)
        return Contents(*(_count(connection, table) for table in ("answers", "trust", "sessions", "verdicts")))


def check_file(file: Path) -> None:
    """Raise `DamagedError` for a file that SQLite must not open, because it would remove the log of a damaged file."""
    log = file.with_name(file.name + "-wal")
    log_size = log.stat().st_size if log.is_file() else 0  # first: a process that creates a store writes the log last
    if any(file.with_name(file.name + end).is_symlink() for end in ("", "-wal", "-shm", "-journal", ".lock")):
        raise DamagedError("it, or a file that belongs to it, is a link")
    if file.exists() and not file.is_file():
        raise DamagedError("it is not a file")
    if is_held(file):
        return  # already checked when it was opened
    start = b""
    if file.exists():
        with file.open("rb") as stream:
            start = stream.read(len(_MAGIC))
    if start != _MAGIC and (start or log_size):
        raise DamagedError("it is not a database" if start else "it is empty, but its write-ahead log is not")


def check(connection: sqlite3.Connection) -> None:
    """Raise `DamagedError` or `NewerError` unless the database is sound and of a known version. Writes nothing."""
    try:
        with _read_transaction(connection):
            _check(connection)
    except UnicodeDecodeError as error:  # SQLite's message quotes bytes of the file
        raise DamagedError("it is damaged") from error
    except sqlite3.DatabaseError as error:
        if any(words in str(error) for words in _WORDS_FOR_DAMAGE):
            raise DamagedError(f"it is damaged ({one_line(str(error))})") from error
        raise


def one_line(text: str) -> str:
    """A message of SQLite on one line, shortened for use inside another message."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_DETAIL else line[:_LONGEST_DETAIL] + "…"


@contextmanager
def _read_transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """One read transaction, in which all reads see the same state even if other processes write."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _check(connection: sqlite3.Connection) -> None:
    """Check the version, the tables and the soundness of an open database."""
    version = schema.version_of(connection)
    if version > schema.SCHEMA_VERSION:
        raise NewerError(
            f"a newer adebug wrote it (version {version}; this one knows versions up to {schema.SCHEMA_VERSION})"
        )
    # With a writable connection, this also checks the constraints of the tables.
    findings = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
    if findings != ["ok"]:
        raise DamagedError(f"it is damaged ({one_line('; '.join(map(str, findings)))})")
    if not schema.fits(connection, version):
        raise DamagedError("it is a database, but its tables are not those of adebug")


def _count(connection: sqlite3.Connection, table: str) -> int:
    if table not in schema.tables_of(connection):
        return 0  # the file was created a moment ago
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 (a name of ours)
