"""The verdicts to show: all that are in the store, whichever front end found them.

A verdict of another front end gets its chain of answers and its source text from the recording, while that exists.
"""

from pathlib import Path

from attrs import frozen

from adebug_lsp.frontends.lsp.view import ChainAnswer, View, chain
from adebug_lsp.frontends.shared.open_session import open_recording, replayed_session
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import silent
from adebug_lsp.model.errors import AdebugError
from adebug_lsp.session.session import Session
from adebug_lsp.store.integrity import FOLDER_NAME
from adebug_lsp.store.saved_sessions import SavedSession
from adebug_lsp.store.saved_verdicts import SavedVerdict
from adebug_lsp.store.store import Store


@frozen
class Shown:
    """A verdict with its chain of answers and its sources."""

    saved: SavedVerdict
    chain: tuple[ChainAnswer, ...] = ()
    sources: Sources = Sources({})


class Verdicts:
    """The verdicts of a workspace's store; for use by one thread."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._store: Store | None = None
        self._changes: int | None = None
        self._known: dict[str, Shown] = {}

    def read(self, own: View | None, *, force: bool = False) -> list[Shown] | None:
        """All verdicts to show, or None if nothing changed; `own` is the view of the session that this server holds."""
        if self._store is None:
            if not (self._workspace / FOLDER_NAME).is_dir():
                return None  # no session was held here: create no folder
            self._store = Store.open(self._workspace)
        changes = self._store.changes()
        if changes == self._changes and not force:
            return None
        self._changes = changes
        saved = [verdict for verdict in self._store.verdicts.all() if not verdict.dismissed and verdict.location]
        self._known = {verdict.id: self._shown(verdict, own) for verdict in saved}
        return list(self._known.values())

    def dismiss(self, verdict: str) -> bool:
        """Dismiss a verdict; returns whether it was there."""
        return self._store is not None and self._store.verdicts.dismiss(verdict)

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()

    def _shown(self, verdict: SavedVerdict, own: View | None) -> Shown:
        if own is not None and own.session == verdict.session:
            return Shown(verdict, own.chain, own.sources)
        known = self._known.get(verdict.id)
        return known or self._from_recording(verdict)

    def _from_recording(self, verdict: SavedVerdict) -> Shown:
        """A verdict with its answers and sources, replayed from the recording."""
        session = None if self._store is None else self._store.sessions.find(verdict.session)
        recording = None if session is None else _recording(self._workspace, session)
        if session is None or recording is None:
            return Shown(verdict)
        try:
            ended = _session(recording, session)
            return Shown(verdict, chain(ended), Sources(ended.run.sources()))
        except AdebugError:
            return Shown(verdict)


def _recording(workspace: Path, session: SavedSession) -> Path | None:
    recordings = Recordings(workspace)
    for recording in recordings.newest_first():
        note = recordings.note(recording)
        if note is not None and note.subject == session.subject:
            return recording
    return None


def _session(recording: Path, saved: SavedSession) -> Session:
    language = registry.language_of_recording(recording)
    if language is None:
        raise AdebugError("the language of the recording is unknown")
    entry = saved.subject.partition(" ")[2]
    return replayed_session(open_recording(recording, language, silent, entry, identity=saved.subject), saved.steps)
