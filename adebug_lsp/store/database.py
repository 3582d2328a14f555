"""A connection to the store's database: reads, and short write transactions that wait for other processes.

A write is atomic, and every failure is a `StoreError`. Strings are stored losslessly, even with lone surrogates.
"""

import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adebug_lsp.model.errors import StoreError
from adebug_lsp.store.lock_wait import retry_while_locked
from adebug_lsp.store.open_database import open_database
from adebug_lsp.store.open_files import OPENING, hold, identity, let_go

Statement = tuple[str, Sequence[Any]]
"""SQL and the values for its question marks."""


class Database:
    """The tables of a store, on disk or in memory; safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        self.problems: list[str] = []
        """Messages for the user, oldest first."""
        self._folder = folder
        self._lock = threading.RLock()
        self._closed = False
        self._times_opened = 0
        self._open()

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        try:
            with self._lock:
                self._follow_file()
                rows = retry_while_locked(lambda: self.connection.execute(sql, _stored(values)).fetchall())
            return [tuple(_loaded(value) for value in row) for row in rows]
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise StoreError(f"{self._where}: could not be read: {_explained(error)}") from error

    def write(self, *statements: Statement) -> int:
        """Execute all statements in one transaction; returns the number of rows that they changed."""
        try:
            with self._lock:
                self._follow_file()
                return retry_while_locked(lambda: self._transaction(statements))
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
            raise StoreError(f"{self._where}: nothing was saved: {_explained(error)}") from error

    def changes(self) -> int:
        """A number that changes whenever another connection writes, but not when this one does."""
        with self._lock:
            ((version,),) = self.read("PRAGMA data_version")
            return (self._times_opened << 32) + int(version)

    def report(self, problem: str) -> None:
        """Add a message for the user, unless it was added before."""
        if problem not in self.problems:
            self.problems.append(problem)

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._let_go()

    def _open(self) -> None:
        with OPENING:
            opened = open_database(self._folder)
            self._file_identity = identity(opened.file)
            hold(self._file_identity)
        self.connection = opened.connection
        self.file = opened.file
        self._times_opened += 1
        for problem in opened.problems:
            self.report(problem)

    def _let_go(self) -> None:
        with OPENING:
            self.connection.close()
            let_go(self._file_identity)

    def _follow_file(self) -> None:
        """Reopen if the file was removed or replaced: `git clean` may do that while an editor is running."""
        if self.file is None or self._closed or identity(self.file) == self._file_identity:
            return
        self._let_go()
        self._open()

    def _transaction(self, statements: Sequence[Statement]) -> int:
        """Execute statements in one write transaction; returns the number of changed rows."""
        before = self.connection.total_changes
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            for sql, values in statements:
                self.connection.execute(sql, _stored(values))
            self.connection.execute("COMMIT")
        except BaseException:
            # On some errors, a full disk among them, SQLite has already rolled back.
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise
        return self.connection.total_changes - before

    @property
    def _where(self) -> str:
        return str(self.file or "the store in memory")


def _explained(error: Exception) -> str:
    """The message of an error of SQLite, with advice for the user."""
    text = str(error)
    if "is full" in text:
        return f"{text}; make room and save again"
    if "locked" in text:
        return f"{text} by another program; end that one and try again"
    return text


# File names and strings of Python programs can contain lone surrogates, which UTF-8, and so SQLite, cannot encode.
# Such a text is stored as bytes. SQLite never considers bytes equal to a text, so distinct texts stay distinct.


def _stored(values: Sequence[Any]) -> list[Any]:
    """Python values as SQLite parameters."""
    return [_bytes_if_needed(value) if isinstance(value, str) else value for value in values]


def _bytes_if_needed(text: str) -> str | bytes:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def _loaded(value: Any) -> Any:
    """The Python value of a column; inverse of `_stored`."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value
