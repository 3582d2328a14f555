"""Saved trust: routines and modules that no session asks about until the trust is removed."""

from adebug_lsp.model.answers import Scope, Source, Trust
from adebug_lsp.store.database import Database

_SELECT = "SELECT scope, name, oracle, reason FROM trust "


class Trusted:
    """The table of trust, one row per scope and name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, trust: Trust) -> None:
        """Save trust in a routine or module."""
        values = (trust.scope.value, trust.name, trust.source.oracle, trust.source.reason)
        sql = "INSERT OR REPLACE INTO trust (scope, name, oracle, reason) VALUES (?, ?, ?, ?)"
        self._database.write((sql, values))

    def find(self, scope: Scope, name: str) -> Trust | None:
        """The trust in exactly this routine or module, if there is one."""
        rows = self._database.read(_SELECT + "WHERE scope = ? AND name = ?", (scope.value, name))
        return _trust(*rows[0]) if rows else None

    def all(self) -> list[Trust]:
        """Every trust, sorted by scope and name."""
        return [_trust(*row) for row in self._database.read(_SELECT + "ORDER BY scope, name")]

    def forget(self, scope: Scope, name: str) -> bool:
        """Remove a trust; returns whether there was one."""
        return self._database.write(("DELETE FROM trust WHERE scope = ? AND name = ?", (scope.value, name))) > 0


def _trust(scope: str, name: str, oracle: str, reason: str) -> Trust:
    return Trust(Scope(scope), name, Source(oracle, reason))
