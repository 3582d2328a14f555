"""The store of a workspace: four tables and a list of problems.

Opening always succeeds: if need be, the store is in memory for this run, and `problems` says why. A failed operation
raises `StoreError` and changes nothing.
"""

from pathlib import Path
from types import TracebackType

from adebug_lsp.store.database import Database
from adebug_lsp.store.integrity import FOLDER_NAME
from adebug_lsp.store.saved_answers import Answers
from adebug_lsp.store.saved_sessions import Sessions
from adebug_lsp.store.saved_trust import Trusted
from adebug_lsp.store.saved_verdicts import Verdicts


class Store:
    """The database in `.adebug/`; close it, or use it in a `with` statement."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.answers = Answers(database)
        self.trust = Trusted(database)
        self.sessions = Sessions(database)
        self.verdicts = Verdicts(database)

    @classmethod
    def open(cls, workspace: Path) -> "Store":
        """Open the store of a workspace; creates one if there is none."""
        return cls(Database(workspace / FOLDER_NAME))

    def for_language(self, language: str) -> "Store":
        """The same store, restricted to the answers and the trust of one language."""
        store = Store(self.database)
        store.answers, store.trust = Answers(self.database, language), Trusted(self.database, language)
        return store

    @property
    def problems(self) -> list[str]:
        """Messages about the store for the user, oldest first."""
        return self.database.problems

    @property
    def in_memory(self) -> bool:
        """Whether the store is lost when the process ends."""
        return self.database.file is None

    def changes(self) -> int:
        """A number that changes when another process saves something; cheap enough to read several times a second."""
        return self.database.changes()

    def close(self) -> None:
        """Close the database; a second call does nothing."""
        self.database.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()
