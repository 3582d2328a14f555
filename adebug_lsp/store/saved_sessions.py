"""Saved sessions: the steps of a search, which another process or front end can resume.

A session is replayed from its steps alone. The first step that cannot be read ends the list, with a message.
"""

import json
import time
import uuid
from enum import Enum
from typing import Any

from attrs import field, frozen

from adebug_lsp.model.answers import Step
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.json import step_from_json, step_to_json
from adebug_lsp.store.database import Database

_SELECT = "SELECT id, subject, title, steps, state, updated FROM sessions "


class SessionState(Enum):
    """Whether a session has questions left."""

    OPEN = "open"
    ENDED = "ended"


@frozen
class SavedSession:
    """A session as it was when it was saved."""

    subject: str
    """The identity of the run that is searched."""
    title: str = ""
    """A description, for display."""
    steps: tuple[Step, ...] = ()
    state: SessionState = SessionState.OPEN
    updated: float = field(factory=time.time)
    """Seconds since 1970."""
    id: str = field(factory=lambda: uuid.uuid4().hex)


class Sessions:
    """The table of sessions, one row per id. A session is always saved as a whole; the last write wins."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, session: SavedSession) -> None:
        """Save a session, replacing its earlier state."""
        steps = json.dumps([step_to_json(step) for step in session.steps])
        values = (session.id, session.subject, session.title, steps, session.state.value, session.updated)
        sql = "INSERT OR REPLACE INTO sessions (id, subject, title, steps, state, updated) VALUES (?, ?, ?, ?, ?, ?)"
        self._database.write((sql, values))

    def find(self, session: str) -> SavedSession | None:
        """The session with an id, if there is one."""
        rows = self._database.read(_SELECT + "WHERE id = ?", (session,))
        return self._session(rows[0]) if rows else None

    def of_subject(self, subject: str) -> list[SavedSession]:
        """The sessions about one run, the latest first."""
        rows = self._database.read(_SELECT + "WHERE subject = ? ORDER BY updated DESC, rowid DESC", (subject,))
        return [self._session(row) for row in rows]

    def all(self) -> list[SavedSession]:
        """Every session, the latest first."""
        return [self._session(row) for row in self._database.read(_SELECT + "ORDER BY updated DESC, rowid DESC")]

    def forget(self, session: str) -> bool:
        """Remove a session and its verdicts; returns whether there was one."""
        there = bool(self._database.read("SELECT 1 FROM sessions WHERE id = ?", (session,)))
        self._database.write(
            ("DELETE FROM verdicts WHERE session = ?", (session,)),
            ("DELETE FROM sessions WHERE id = ?", (session,)),
        )
        return there

    def _session(self, row: tuple[Any, ...]) -> SavedSession:
        session, subject, title, text, state, updated = row
        steps, problem = _readable_steps(text)
        if problem:
            name = title or session
            self._database.report(f"session '{name}': only the first {len(steps)} steps can be used: {problem}")
        return SavedSession(subject, title, steps, SessionState(state), updated, session)


def _readable_steps(text: str) -> tuple[tuple[Step, ...], str]:
    """The steps before the first that cannot be parsed, and the problem with that one."""
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        return (), f"the list of steps is not JSON ({error})"
    if not isinstance(items, list):
        return (), "the steps are not a list"
    steps: list[Step] = []
    try:
        for item in items:
            steps.append(step_from_json(item))  # noqa: PERF401 (what was read before the bad one is kept)
    except BadInputError as error:
        return tuple(steps), f"step {len(steps) + 1} is {error}"
    return tuple(steps), ""
