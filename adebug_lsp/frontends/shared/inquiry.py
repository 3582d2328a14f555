"""Asking about a recording: which part of the run to start from, with which oracles, under which identity.

Every front end opens recordings here, so that a session begun in one can be gone on with in another.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from attrs import frozen

from adebug_lsp.frontends.shared.beginning import Wishes, begin
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.frontends.shared.talk import Case, Talk
from adebug_lsp.languages.elapsed_progress import ticking
from adebug_lsp.languages.language import Entry, Language, NothingToAskError, Opened, Progress, RecordedSubject
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.oracles.oracle import Oracle
from adebug_lsp.store.digest import digest
from adebug_lsp.store.store import Store


@frozen
class Inquiry:
    """One part of an opened recording, ready to be asked about."""

    opened: Opened
    entry: Entry
    subject: RecordedSubject
    case: Case
    language: str = ""
    """The name of the language, whose answers of earlier sessions count."""

    @classmethod
    def open(cls, recording: Path, language: Language, progress: Progress, entry: str | None = None) -> "Inquiry":
        """Open a recording at the named test, or at the first that failed, or at the whole run."""
        opened = language.open(recording, progress)
        chosen = _chosen(opened.entries, entry)
        try:
            subject = opened.subject(chosen)
        except BadInputError as error:
            raise BadInputError(f"{opened.problem}; {error}" if opened.problem else str(error)) from error
        identity = f"{digest(recording)} {chosen.name}".strip()
        case = Case(subject, identity, chosen.name or recording.name, opened.trusted, chosen.failed, notes=opened.notes)
        return cls(opened, chosen, subject, case, language.name)

    @property
    def others(self) -> list[str]:
        """The names of the other tests that failed."""
        return [entry.name for entry in self.opened.entries if entry.failed and entry.name != self.entry.name]

    def note_in(self, recordings: Recordings, recording: Path) -> None:
        """Write to the recording's note what is asked about, so that an edit can be verified later."""
        recordings.asked_about(recording, self.entry.name, self.case.identity)

    @contextmanager
    def talk(
        self,
        wishes: Wishes,
        store: Store | None,
        progress: Progress,
        *,
        reference: str | None = None,
        oracles: Sequence[Oracle] = (),
        problem: Callable[[str], None],
        stop: Event | None = None,
    ) -> Iterator[Talk]:
        """A session about it, with the oracles of the language before those that are given; `stop` silences them."""
        with self.opened.oracles(self.subject, reference, problem) as of_language:
            with ticking(progress, "looking for the first question"):
                known = None if store is None else store.for_language(self.language)
                talk = begin(self.case, wishes, known, [*of_language, *oracles], stop)
            yield talk


def _chosen(entries: Sequence[Entry], name: str | None) -> Entry:
    if name is not None:
        found = next((entry for entry in entries if entry.name == name), None)
        if found is None:
            raise BadInputError(f"the recording has no test {name!r}")
        return found
    failed = [entry for entry in entries if entry.failed]
    whole = [entry for entry in entries if not entry.name]
    chosen = next(iter([*failed, *whole]), None)
    if not entries:
        raise NothingToAskError("no test was run, so there is nothing to find; what ran the tests has said why")
    if chosen is None:
        raise NothingToAskError(f"no test failed, so there is nothing to find ({len(entries)} recorded)")
    return chosen
