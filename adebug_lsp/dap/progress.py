"""Progress of long work as events, for clients that show it. May be told from any thread."""

import asyncio
from contextlib import suppress
from time import monotonic

from adebug_lsp.dap.client import Client
from adebug_lsp.fronts.progress import progress_text

_SECONDS_BETWEEN_REPORTS = 0.5


class Progress:
    """One piece of long work, from its start to its end; called as `languages.language.Progress` says."""

    id = "adebug"
    """There is one in a session."""

    def __init__(self, client: Client) -> None:
        self._client = client if client.can("supportsProgressReporting") else None
        self._loop = asyncio.get_running_loop()
        self._title = ""
        self._reported = 0.0

    def __call__(self, doing: str, done: int = 0, total: int | None = None) -> None:
        """Say what goes on."""
        with suppress(RuntimeError):  # the loop has ended, and nobody listens
            self._loop.call_soon_threadsafe(self._tell, doing, done, total)

    def end(self) -> None:
        """Say that it is over; to be called in the event loop."""
        if self._client is not None and self._title:
            self._client.event("progressEnd", {"progressId": self.id})
            self._title = ""

    def _tell(self, doing: str, done: int, total: int | None) -> None:
        if self._client is None:
            return
        message = progress_text(doing, done, total)
        if not self._title:
            self._title = "adebug"
            body = {"progressId": self.id, "title": "adebug", "cancellable": True, "message": message}
            self._client.event("progressStart", body)
        elif monotonic() - self._reported > _SECONDS_BETWEEN_REPORTS:
            self._reported = monotonic()
            self._client.event("progressUpdate", {"progressId": self.id, "message": message})
