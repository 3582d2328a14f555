"""The store of a workspace, as the rest of adebug sees it: four small tables and a list of problems.

Opening always succeeds: at worst the store is in memory for this run, and `problems` says why. After that, an
operation that fails raises `StoreError` and has changed nothing.
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
    """What is kept under `.adebug/`; to be closed, or used in a `with` statement."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.answers = Answers(database)
        self.trust = Trusted(database)
        self.sessions = Sessions(database)
        self.verdicts = Verdicts(database)

    @classmethod
    def open(cls, workspace: Path) -> "Store":
        """The store of a workspace, made if there is none yet."""
        return cls(Database(workspace / FOLDER_NAME))

    def for_language(self, language: str) -> "Store":
        """The same store for a session about a program in a language: its answers are those of this language."""
        store = Store(self.database)
        store.answers = Answers(self.database, language)
        return store

    @property
    def problems(self) -> list[str]:
        """What a person should know about the store, oldest first."""
        return self.database.problems

    @property
    def in_memory(self) -> bool:
        """Whether all that is saved is gone when the process ends."""
        return self.database.file is None

    def changes(self) -> int:
        """A number that is another one once another process has saved something. Cheap: ask several times a second."""
        return self.database.changes()

    def close(self) -> None:
        """Let go of the file; a second time does nothing."""
        self.database.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()
