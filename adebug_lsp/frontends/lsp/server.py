"""The server: its state, its threads, and the notification of features when the session changes.

Three kinds of threads: the event loop, which never blocks; the *worker*, which owns sessions and the store; and one for
each recorded program. Features read `view` and `shown`, which only the event loop assigns.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.uris import to_fs_path

from adebug_lsp import __version__
from adebug_lsp.frontends.lsp.documents import Document, Documents
from adebug_lsp.frontends.lsp.followed_session import Followed, Following
from adebug_lsp.frontends.lsp.investigation import Investigation
from adebug_lsp.frontends.lsp.settings import Settings, read_settings
from adebug_lsp.frontends.lsp.shown_verdicts import Shown, Verdicts
from adebug_lsp.frontends.lsp.view import View
from adebug_lsp.languages.language import Checked, silent
from adebug_lsp.model.errors import AdebugError

T = TypeVar("T")
POLL_SECONDS = 0.5
"""Seconds between two reads of the store."""


class Protocol(LanguageServerProtocol):
    """The protocol of pygls, with UTF-16 positions for every client, since all must support them."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Handle `initialize`."""
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Handle `shutdown`; pending requests are cancelled first.

        pygls 2.1 cancels them while it iterates over them, and those of commands are removed at once: it would fail
        with "dictionary changed size during iteration".
        """
        for number, request in list(self._request_futures.items()):
            if number != self.msg_id:
                request.cancel()
        return (yield from super().lsp_shutdown(*args))


class Server(LanguageServer):
    """A language server for one workspace."""

    def __init__(self) -> None:
        super().__init__("adebug", __version__, protocol_cls=Protocol, text_document_sync_kind=_INCREMENTAL)
        self.settings = Settings()
        self.documents = Documents()
        self.view: View | None = None
        self.shown: list[Shown] = []
        self.stop_run: threading.Event | None = None
        """Ends the program that is being recorded, while there is one."""
        self.stop_oracles = threading.Event()
        """Set to stop waiting for oracles; cleared by the next answer."""
        self.commands = 0
        """Number of commands that are running."""
        self.changed: list[Callable[[], None]] = []
        """Callbacks of features that show the view, for when it changes."""
        self.edited: list[Callable[[], None]] = []
        """Callbacks for when a document is edited."""
        self.checked: Callable[[Document], Checked | None] = lambda _document: None
        """Returns the check of a document's current text, if there is one."""
        self._investigation: Investigation | Following | None = None
        self._verdicts: Verdicts | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="adebug session")
        self._tasks: set[asyncio.Task[Any]] = set()

    # Beginning and end

    def begin(self, params: types.InitializeParams) -> None:
        """Take the workspace and the settings of the client."""
        folders = params.workspace_folders or []
        uri = folders[0].uri if folders else params.root_uri
        path = to_fs_path(uri) if uri else params.root_path
        if path:
            self.use_root(Path(path))
        self.documents.open = self.workspace
        self.settings, problems = read_settings(params.initialization_options)
        for problem in problems:
            self.show_message(problem, types.MessageType.Warning)

    def use_root(self, root: Path) -> None:
        """Take a folder as the workspace."""
        self.documents.root = root
        self._verdicts = Verdicts(root)

    def root(self) -> Path:
        """The folder of the workspace."""
        if self.documents.root is None:
            raise AdebugError("no folder is open in the editor; open the folder of your code")
        return self.documents.root

    @property
    def shows_documents(self) -> bool:
        """Whether the client supports `window/showDocument`."""
        window = self.client_capabilities.window
        return window is not None and window.show_document is not None and window.show_document.support

    def watch(self) -> None:
        """Poll the store from now on."""
        self.spawn(self._watch())

    def close(self) -> None:
        """End every process and thread."""
        self.stop()
        with suppress(RuntimeError):  # it was closed before
            self._worker.submit(self._close)
        self._worker.shutdown()

    def stop(self) -> None:
        """Stop the recorded program, and waiting for oracles."""
        self.stop_oracles.set()
        if self.stop_run is not None:
            self.stop_run.set()

    def _close(self) -> None:
        if self._investigation is not None:
            self._investigation.close()
            self._investigation = None
        if self._verdicts is not None:
            self._verdicts.close()

    # Work

    async def work(self, action: Callable[[], T]) -> T:
        """Run a function on the worker."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, action)

    def spawn(self, coroutine: Coroutine[object, object, None]) -> None:
        """Run a coroutine in the background."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def show_message(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show a message by `window/showMessage`."""
        self.window_show_message(types.ShowMessageParams(kind, message))

    def problem_handler(self) -> Callable[[str], None]:
        """A function that shows warnings from any thread."""
        loop = asyncio.get_running_loop()

        def show(text: str) -> None:
            loop.call_soon_threadsafe(self.show_message, text, types.MessageType.Warning)

        return show

    # The session

    async def investigate(self, begin: Callable[[], Investigation]) -> View:
        """Replace the session with one about another recording."""

        self.stop_oracles.clear()

        def replace() -> View:
            investigation = begin()
            if self._investigation is not None:
                self._investigation.close()
            self._investigation = investigation
            return investigation.view()

        return await self._viewed(replace)

    async def follow(self, followed: Followed) -> View:
        """Show the session of another front end."""
        root = self.root()

        def go() -> View:
            held = self._investigation
            if not isinstance(held, Following) or not held.is_of(followed):
                held, before = Following(followed, root, silent), held
                if before is not None:
                    before.close()
                self._investigation = held
            held.follow(followed)
            return held.view()

        return await self._viewed(go)

    async def follow_no_more(self) -> None:
        """Stop following another front end's session."""
        if isinstance(self._investigation, Following):
            await self.end_session()

    async def answer(self, words: str) -> tuple[View, list[str]]:
        """Handle a typed answer; returns the new view, and messages for the user."""
        messages: list[str] = []
        self.stop_oracles.clear()

        def take() -> View:
            messages.extend(self._held().answer(words))
            return self._held().view()

        return await self._viewed(take), messages

    async def end_session(self) -> None:
        """End the session; its answers stay in the store."""

        def end() -> None:
            self._held().close()
            self._investigation = None

        await self.work(end)
        self.view = None
        await self.refresh(force=True)

    async def refresh(self, *, force: bool = False) -> None:
        """Read the verdicts of the store and show them; `force`: also without a change."""
        verdicts, view = self._verdicts, self.view
        if verdicts is not None:
            shown = await self.work(lambda: verdicts.read(view, force=force))
            self.shown = self.shown if shown is None else shown
            if shown is None and not force:
                return
        self.show()

    async def dismiss(self, verdict: str) -> bool:
        """Stop showing a verdict."""
        verdicts = self._verdicts
        gone = verdicts is not None and await self.work(lambda: verdicts.dismiss(verdict))
        await self.refresh(force=True)
        return gone

    @property
    def recording(self) -> Path | None:
        """The recording that is asked about, if there is one."""
        return None if self._investigation is None else self._investigation.recording

    def show(self) -> None:
        """Let every feature show the current state."""
        for feature in self.changed:
            feature()

    def _held(self) -> Investigation | Following:
        if self._investigation is None:
            raise AdebugError("there is no session; start one with adebug.findBug")
        return self._investigation

    async def _viewed(self, action: Callable[[], View]) -> View:
        view = self.view = await self.work(action)
        await self.refresh(force=True)  # the session may have ended in the meantime
        return view

    async def _watch(self) -> None:
        while True:
            with suppress(AdebugError):
                await self.refresh()
            await asyncio.sleep(POLL_SECONDS)


_INCREMENTAL = types.TextDocumentSyncKind.Incremental
