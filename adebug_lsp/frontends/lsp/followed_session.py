"""Follows a session that another front end holds, such as a debug adapter, by its recording and its stored steps."""

from pathlib import Path

from attrs import evolve, frozen

from adebug_lsp.frontends.lsp.view import View, view_of
from adebug_lsp.frontends.shared.open_session import OpenSession, open_recording, replayed_session
from adebug_lsp.languages import registry
from adebug_lsp.languages.language import Progress
from adebug_lsp.model.errors import BadAnswerError, BadInputError
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.session.state import Options
from adebug_lsp.store.store import Store


@frozen
class Followed:
    """The session to follow, as the adapter describes it with `adebug/session`."""

    session: str
    recording: str
    test: str
    strategy: str
    granularity: str


def read_followed(description: object) -> Followed:
    """Read the description that a client sends, which may have more keys; raises `BadInputError`."""
    fields = ("session", "recording", "test", "strategy", "granularity")
    if not isinstance(description, dict) or not all(isinstance(description.get(name), str) for name in fields):
        raise BadInputError(f"a session to follow is an object with the texts {', '.join(fields)}")
    return Followed(**{name: description[name] for name in fields})


class Following:
    """A read-only view of another front end's session about a recording: asks nothing, stores nothing."""

    def __init__(self, followed: Followed, workspace: Path, progress: Progress) -> None:
        self._followed = followed
        self._number = 0
        recording = self.recording = Path(followed.recording)
        language = registry.language_of_recording(recording)
        if language is None:
            raise BadInputError(f"recording: {recording} is not a recording of adebug")
        self._target = open_recording(recording, language, progress, followed.test)
        self._store = Store.open(workspace)

    def is_of(self, other: Followed) -> bool:
        """Whether this is the same session, perhaps at another question."""
        return (self._followed.session, self._followed.recording) == (other.session, other.recording)

    def follow(self, followed: Followed) -> None:
        """Take the new state of the session."""
        self._followed = followed

    def view(self) -> View:
        """The session as it is stored now."""
        saved = self._store.sessions.find(self._followed.session)
        if saved is None:
            raise BadInputError("the session to follow is not in the store")
        self._number += 1
        options = Options(self._followed.strategy, granularity=Granularity(self._followed.granularity))
        session = replayed_session(self._target, saved.steps, options)
        view = view_of(OpenSession(self._target, session, None), self._number)
        return evolve(view, session=saved.id, followed=True)

    def answer(self, _words: str) -> list[str]:
        """Refuse: the front end that holds the session takes answers."""
        raise BadAnswerError("another front end asks; answer there")

    def close(self) -> None:
        """Close the store."""
        self._store.close()
