"""Saved verdicts, which every editor of the workspace shows.

A saved verdict marks one range; a verdict about several pieces of code is saved as several. Dismissed verdicts stay in
the table, so that they can be shown again.
"""

import time
import uuid
from typing import Any

from attrs import field, frozen

from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.model.verdicts import VerdictKind
from adebug_lsp.store.database import Database

_SELECT = """
    SELECT id, session, kind, text, explanation, created, dismissed,
           path, start_line, start_column, end_line, end_column
    FROM verdicts
"""


@frozen
class SavedVerdict:
    """A piece of code that a session found to be wrong."""

    session: str
    """The id of the session."""
    kind: VerdictKind
    text: str
    """The buggy behaviour on one line."""
    location: Location | None = None
    """None if the tree has no source."""
    explanation: str = ""
    created: float = field(factory=time.time)
    """Seconds since 1970."""
    dismissed: bool = False
    """Whether the user has dismissed it; then it is not shown."""
    id: str = field(factory=lambda: uuid.uuid4().hex)


class Verdicts:
    """The table of verdicts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, verdict: SavedVerdict) -> None:
        """Save a verdict, replacing its earlier state."""
        values = (
            verdict.id,
            verdict.session,
            verdict.kind.value,
            verdict.text,
            verdict.explanation,
            verdict.created,
            int(verdict.dismissed),
            *_place(verdict.location),
        )
        sql = """
            INSERT OR REPLACE INTO verdicts
                (id, session, kind, text, explanation, created, dismissed,
                 path, start_line, start_column, end_line, end_column)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
        self._database.write((sql, values))

    def find(self, verdict: str) -> SavedVerdict | None:
        """The verdict with an id, if there is one."""
        rows = self._database.read(_SELECT + "WHERE id = ?", (verdict,))
        return _verdict(rows[0]) if rows else None

    def of_session(self, session: str) -> list[SavedVerdict]:
        """The verdicts of one session, oldest first, dismissed ones too."""
        rows = self._database.read(_SELECT + "WHERE session = ? ORDER BY created, rowid", (session,))
        return [_verdict(row) for row in rows]

    def all(self) -> list[SavedVerdict]:
        """Every verdict, oldest first, dismissed ones too."""
        return [_verdict(row) for row in self._database.read(_SELECT + "ORDER BY created, rowid")]

    def dismiss(self, verdict: str) -> bool:
        """Dismiss a verdict; returns whether there is one."""
        return self._database.write(("UPDATE verdicts SET dismissed = 1 WHERE id = ?", (verdict,))) > 0

    def forget(self, verdict: str) -> bool:
        """Remove a verdict; returns whether there was one."""
        return self._database.write(("DELETE FROM verdicts WHERE id = ?", (verdict,))) > 0


def _place(location: Location | None) -> tuple[str | int | None, ...]:
    if location is None:
        return (None,) * 5
    start, end = location.range.start, location.range.end
    return (location.path, start.line, start.column, end.line, end.column)


def _verdict(row: tuple[Any, ...]) -> SavedVerdict:
    verdict, session, kind, text, explanation, created, dismissed, path, *place = row
    location = None
    if path is not None:
        start_line, start_column, end_line, end_column = place
        location = Location(path, Range(Position(start_line, start_column), Position(end_line, end_column)))
    return SavedVerdict(session, VerdictKind(kind), text, location, explanation, created, bool(dismissed), verdict)
