"""Progress of long work as events, for clients that show it. Can be called from any thread."""

import asyncio
from contextlib import suppress
from time import monotonic

from adebug_lsp.frontends.dap.protocol.dap_client import Client
from adebug_lsp.frontends.shared import wording

_SECONDS_BETWEEN_REPORTS = 0.5


class Progress:
    """Reports several operations, one after another; implements `languages.language.Progress`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._loop = asyncio.get_running_loop()
        self._count = 0
        self._goes_on = False
        self._reported = 0.0

    @property
    def id(self) -> str:
        """The id of the current operation."""
        return f"adebug-{self._count}"

    def __call__(self, doing: str, done: int = 0, total: int | None = None) -> None:
        """Report progress."""
        with suppress(RuntimeError):  # the event loop is closed
            self._loop.call_soon_threadsafe(self._send, doing, done, total)

    def end(self) -> None:
        """Send the end; to be called in the event loop."""
        if self._goes_on:
            self._client.event("progressEnd", {"progressId": self.id})
            self._goes_on = False

    def _send(self, doing: str, done: int, total: int | None) -> None:
        if not self._client.can("supportsProgressReporting"):
            return
        message = wording.progress(doing, done, total)
        if not self._goes_on:
            self._goes_on, self._count = True, self._count + 1
            body = {"progressId": self.id, "title": "adebug", "cancellable": True, "message": message}
            self._client.event("progressStart", body)
        elif monotonic() - self._reported > _SECONDS_BETWEEN_REPORTS:
            self._reported = monotonic()
            self._client.event("progressUpdate", {"progressId": self.id, "message": message})
