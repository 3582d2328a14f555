"""Saved answers: what was said of a behaviour, under the identity that the behaviour has in every run.

An answer keeps the hash of the code it was given for, so that a caller can tell that the routine has changed since.
"""

import time
from typing import Any

from attrs import field, frozen, validators

from adebug_lsp.model.answers import PERSON, Judgement, Source
from adebug_lsp.store.database import Database

_SELECT = """
    SELECT identity, judgement, routine, module, text, expected, code_hash, oracle, reason, answered FROM answers
"""


@frozen
class SavedAnswer:
    """An answer that any later session can use."""

    identity: str = field(validator=validators.min_len(1))
    """`Behaviour.identity`; an empty one would be equal to nothing."""
    judgement: Judgement
    routine: str = ""
    module: str = ""
    text: str = ""
    """The behaviour on one line, for people."""
    expected: str | None = None
    code_hash: str = ""
    """`Behaviour.code_hash` at the time of the answer; empty: unknown."""
    source: Source = PERSON
    answered: float = field(factory=time.time)
    """Seconds since 1970."""


class Answers:
    """The table of answers: one for each identity, the latest."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, answer: SavedAnswer) -> None:
        """Keep an answer, in place of an earlier one about the same behaviour."""
        values = (
            answer.identity,
            answer.judgement.value,
            answer.routine,
            answer.module,
            answer.text,
            answer.expected,
            answer.code_hash,
            answer.source.oracle,
            answer.source.reason,
            answer.answered,
        )
        sql = """
            INSERT OR REPLACE INTO answers
                (identity, judgement, routine, module, text, expected, code_hash, oracle, reason, answered)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
        self._database.write((sql, values))

    def find(self, identity: str) -> SavedAnswer | None:
        """The answer about a behaviour, if there is one."""
        rows = self._database.read(_SELECT + "WHERE identity = ?", (identity,))
        return _answer(rows[0]) if rows else None

    def of_routine(self, routine: str) -> list[SavedAnswer]:
        """The answers about all behaviours of a routine, oldest first."""
        rows = self._database.read(_SELECT + "WHERE routine = ? ORDER BY answered, rowid", (routine,))
        return [_answer(row) for row in rows]

    def all(self) -> list[SavedAnswer]:
        """Every answer, oldest first."""
        return [_answer(row) for row in self._database.read(_SELECT + "ORDER BY answered, rowid")]

    def forget(self, identity: str) -> bool:
        """Remove an answer, and say whether there was one."""
        return self._database.write(("DELETE FROM answers WHERE identity = ?", (identity,))) > 0


def _answer(row: tuple[Any, ...]) -> SavedAnswer:
    identity, judgement, routine, module, text, expected, code_hash, oracle, reason, answered = row
    return SavedAnswer(
        identity=identity,
        judgement=Judgement(judgement),
        routine=routine,
        module=module,
        text=text,
        expected=expected,
        code_hash=code_hash,
        source=Source(oracle, reason),
        answered=answered,
    )
