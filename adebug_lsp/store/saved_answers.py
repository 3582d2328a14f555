"""Saved answers, by the language and the identity of a behaviour, which is the same in every run.

An answer has the hash of the code that it was given for; a different current hash means that the routine has changed.
"""

import time
from typing import Any

from attrs import field, frozen, validators

from adebug_lsp.model.answers import PERSON, Judgement, Source
from adebug_lsp.store.database import Database, Statement

_SELECT = """
    SELECT identity, judgement, routine, module, text, expected, code_hash, oracle, reason, answered, language
    FROM answers
"""


@frozen
class SavedAnswer:
    """An answer that any later session can use."""

    identity: str = field(validator=validators.min_len(1))
    """`Behaviour.identity`; must not be empty, which would match nothing."""
    judgement: Judgement
    routine: str = ""
    module: str = ""
    text: str = ""
    """The behaviour on one line, for display."""
    expected: str | None = None
    code_hash: str = ""
    """`Behaviour.code_hash` at the time of the answer; empty: unknown."""
    source: Source = PERSON
    answered: float = field(factory=time.time)
    """Seconds since 1970."""
    language: str = ""
    """The language of the program; empty: unknown, or a hand-made tree."""


class Answers:
    """The answers of one language, the latest for each identity; those of other languages are never used."""

    def __init__(self, database: Database, language: str = "") -> None:
        self._database = database
        self._language = language

    def save(self, answer: SavedAnswer) -> None:
        """Save an answer, replacing an earlier one about the same behaviour."""
        language = answer.language or self._language
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
            language,
        )
        sql = """
            INSERT OR REPLACE INTO answers
                (identity, judgement, routine, module, text, expected, code_hash, oracle, reason, answered, language)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
        self._database.write(self._removal(answer.identity, language), (sql, values))

    def find(self, identity: str) -> SavedAnswer | None:
        """Return the answer about a behaviour, or None; an answer of unknown language is used if there is no other."""
        condition = "WHERE identity = ? AND language IN (?, '') ORDER BY language = '' LIMIT 1"
        rows = self._database.read(_SELECT + condition, (identity, self._language))
        return _answer(rows[0]) if rows else None

    def of_routine(self, routine: str) -> list[SavedAnswer]:
        """The answers about all behaviours of a routine, in any language, oldest first."""
        rows = self._database.read(_SELECT + "WHERE routine = ? ORDER BY answered, rowid", (routine,))
        return [_answer(row) for row in rows]

    def all(self) -> list[SavedAnswer]:
        """Every answer, in any language, oldest first."""
        return [_answer(row) for row in self._database.read(_SELECT + "ORDER BY answered, rowid")]

    def forget(self, identity: str, language: str | None = None) -> bool:
        """Remove an answer of this language or of the given one; returns whether there was one."""
        return self._database.write(self._removal(identity, self._language if language is None else language)) > 0

    def _removal(self, identity: str, language: str) -> Statement:
        """SQL that deletes all rows that `find` reads, including an answer of unknown language."""
        return "DELETE FROM answers WHERE identity = ? AND language IN (?, '')", (identity, language)


def _answer(row: tuple[Any, ...]) -> SavedAnswer:
    identity, judgement, routine, module, text, expected, code_hash, oracle, reason, answered, language = row
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
        language=language,
    )
