"""One recording that is asked about. It lives on one thread from its opening to its end, as its oracles want it."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Event

from adebug_lsp.frontends.lsp.settings import Settings
from adebug_lsp.frontends.lsp.view import View, view_of
from adebug_lsp.frontends.shared.inquiry import Inquiry
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.languages.language import Language, Progress
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.store.store import Store


class Investigation:
    """A session with its store and its oracles; to be closed."""

    def __init__(
        self,
        recording: Path,
        language: Language,
        workspace: Path,
        settings: Settings,
        *,
        progress: Progress,
        problem: Callable[[str], None],
        stop: Event,
    ) -> None:
        """Open a recording, and come to its first question; `stop` silences the oracles."""
        self.recording = recording
        self._problem = problem
        self._number = 0
        self._language = language
        with ExitStack() as opening:
            self._inquiry = Inquiry.open(recording, language, progress)
            if self._inquiry.opened.problem:
                problem(self._inquiry.opened.problem)
            store = opening.enter_context(Store.open(workspace))
            self._inquiry.note_in(Recordings(workspace), recording)
            talk = self._inquiry.talk(
                settings.wishes(), store, progress, reference=settings.reference, problem=problem, stop=stop
            )
            self._talk = opening.enter_context(talk)
            self._talk.keep()
            self._closing = opening.pop_all()

    def view(self) -> View:
        """Where it stands."""
        self._number += 1
        for problem in self._talk.reports():
            self._problem(problem)
        return view_of(self._talk, self._inquiry, self._language, self._number)

    def answer(self, words: str) -> list[str]:
        """Take words as a person types them; gives what there is to tell."""
        told = self._talk.answer(words)
        if told is None:
            raise BadAnswerError("adebug.stop ends a session")
        return told

    def close(self) -> None:
        """Let go of the store and of the processes of oracles."""
        self._closing.close()
