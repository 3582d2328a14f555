"""Saved trust: routines and modules that no session of their language asks about until the trust is removed."""

from adebug_lsp.model.answers import Scope, Source, Trust
from adebug_lsp.store.database import Database, Statement

_SELECT = "SELECT scope, name, oracle, reason FROM trust "


class Trusted:
    """Trust in the code of one language, one row per scope and name."""

    def __init__(self, database: Database, language: str = "") -> None:
        self._database = database
        self._language = language

    def save(self, trust: Trust) -> None:
        """Save trust in a routine or module."""
        values = (self._language, trust.scope.value, trust.name, trust.source.oracle, trust.source.reason)
        sql = "INSERT OR REPLACE INTO trust (language, scope, name, oracle, reason) VALUES (?, ?, ?, ?, ?)"
        self._database.write(self._removal(trust.scope, trust.name), (sql, values))

    def find(self, scope: Scope, name: str) -> Trust | None:
        """The trust in exactly this routine or module, if there is one; that of an unknown language counts, too."""
        return next((trust for trust in self.of_language() if (trust.scope, trust.name) == (scope, name)), None)

    def of_language(self) -> list[Trust]:
        """The trust that sessions of this language use, sorted by scope and name."""
        return self._read("WHERE language IN (?, '') ", (self._language,))

    def all(self) -> list[Trust]:
        """Every trust, in any language, sorted by scope and name; one where several languages have the same."""
        return self._read("")

    def forget(self, scope: Scope, name: str) -> bool:
        """Remove a trust of this language; returns whether there was one."""
        return self._database.write(self._removal(scope, name)) > 0

    def forget_everywhere(self, scope: Scope, name: str) -> bool:
        """Remove a trust of any language; returns whether there was one."""
        return self._database.write(("DELETE FROM trust WHERE scope = ? AND name = ?", (scope.value, name))) > 0

    def _removal(self, scope: Scope, name: str) -> Statement:
        """Deletes the rows that `find` reads, so that trust whose language was unknown does not come back."""
        sql = "DELETE FROM trust WHERE scope = ? AND name = ? AND language IN (?, '')"
        return sql, (scope.value, name, self._language)

    def _read(self, condition: str, values: tuple[str, ...] = ()) -> list[Trust]:
        rows = self._database.read(f"{_SELECT}{condition}ORDER BY scope, name, language DESC", values)
        first: dict[tuple[str, str], Trust] = {}
        for scope, name, oracle, reason in rows:
            first.setdefault((scope, name), Trust(Scope(scope), name, Source(oracle, reason)))
        return list(first.values())
