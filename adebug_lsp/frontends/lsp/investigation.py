"""A session about one recording. It stays on one thread, as its oracles require."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Event

from adebug_lsp.frontends.lsp.settings import Settings
from adebug_lsp.frontends.lsp.view import View, view_of
from adebug_lsp.frontends.shared.open_session import begin_session, open_recording
from adebug_lsp.languages.language import Language, Progress
from adebug_lsp.model.errors import BadAnswerError


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
        """Open a recording, and search for its first question; `stop` ends the waiting for oracles."""
        self.recording = recording
        self._problem = problem
        self._number = 0
        with ExitStack() as opening:
            target = open_recording(recording, language, progress)
            if target.opened.problem:
                problem(target.opened.problem)
            options = settings.session_options()
            beginning = begin_session(
                target, options, workspace=workspace, progress=progress, problem=problem, stop=stop
            )
            self._open_session = opening.enter_context(beginning)
            self._closing = opening.pop_all()

    def view(self) -> View:
        """The question or the verdict now."""
        self._number += 1
        for problem in self._open_session.new_problems():
            self._problem(problem)
        return view_of(self._open_session, self._number)

    def answer(self, line: str) -> list[str]:
        """Handle a typed answer; returns messages for the user."""
        messages = self._open_session.answer(line)
        if messages is None:
            raise BadAnswerError("adebug.stop ends a session")
        return messages

    def close(self) -> None:
        """Close the store and end the processes of oracles."""
        self._closing.close()
