"""Protocol for the outcomes of recorded calls, which requests to the sandbox contain."""

from typing import Protocol

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.structure.spans import Span


class CallOutcomes(Protocol):
    """How the calls of one run ended."""

    run: Run

    def outcome(self, span: Span) -> tuple[int | None, int | None]:
        """The words of the value that a call returned or yielded, and of the exception that it raised."""

    def yields(self, span: Span) -> bool:
        """Whether a step of a generator yielded."""

    def yields_from(self, span: Span) -> bool:
        """Whether a step delegated to an iterator that is not recorded."""

    def unfinished(self, span: Span) -> bool:
        """Whether a span was still running when the program was stopped."""
