"""Checks of open documents, made in a thread a moment after each edit."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from adebug_lsp.frontends.lsp.documents import Document
from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.languages.language import Checked

_PAUSE = 0.3
"""Seconds without an edit before a check; shorter pauses are normal while typing."""


class Checks:
    """The last check of every open document."""

    def __init__(self, server: Server, done: Callable[[], None]) -> None:
        self._server, self._done = server, done
        self._known: dict[str, tuple[str, Checked]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def schedule(self, uri: str) -> None:
        """Check a document soon, in place of a check that has not begun."""
        document = self._server.documents.at(uri)
        if document is None or "checks" in document.language.descriptor.gaps:
            return
        earlier = self._tasks.pop(uri, None)
        if earlier is not None:
            earlier.cancel()
        self._tasks[uri] = asyncio.get_running_loop().create_task(self._check(document))

    def forget(self, uri: str) -> None:
        """Drop the check of a document that was closed."""
        task = self._tasks.pop(uri, None)
        if task is not None:
            task.cancel()
        self._known.pop(uri, None)

    def of(self, document: Document) -> Checked | None:
        """The check of a document's current text; None if there is none yet, or the language has no checks."""
        text, checked = self._known.get(document.uri, ("", None))
        return checked if text == document.text else None

    @property
    def documents(self) -> list[Document]:
        """Documents with a check."""
        documents = [self._server.documents.at(uri) for uri in self._known]
        return [document for document in documents if document is not None]

    async def _check(self, document: Document) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(_PAUSE)
            text = document.text
            checked = await asyncio.to_thread(document.language.check, document.file, text)
            if checked is not None:
                self._known[document.uri] = text, checked
                self._done()
