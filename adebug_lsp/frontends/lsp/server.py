"""The server: what it holds, its threads, and how a change in the session reaches every feature.

Three kinds of threads: the event loop, which never waits for anything; the *worker*, on which sessions and the store
live; and one for each recorded program. Features read `view` and `shown`, which only the event loop replaces.
"""

import asyncio
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.uris import to_fs_path

from adebug_lsp import __version__
from adebug_lsp.frontends.lsp.documents import Documents
from adebug_lsp.frontends.lsp.followed_session import Followed, Following
from adebug_lsp.frontends.lsp.investigation import Investigation
from adebug_lsp.frontends.lsp.settings import Settings, read_settings
from adebug_lsp.frontends.lsp.shown_verdicts import Shown, Verdicts
from adebug_lsp.frontends.lsp.view import View
from adebug_lsp.model.errors import AdebugError

T = TypeVar("T")
LOOK = 0.5
"""Seconds between two looks at the store."""


class Protocol(LanguageServerProtocol):
    """pygls' own, but positions are in UTF-16 for every client, as all must understand them."""

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Begin."""
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = None
        return (yield from super().lsp_initialize(params))

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """End; requests that are under way are cancelled first.

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
        """Set by whoever will not wait for oracles any more, up to the next answer."""
        self.commands = 0
        """How many commands are under way."""
        self.changed: list[Callable[[], None]] = []
        """Told by the features that show the view, to be called when it is another one."""
        self.edited: list[Callable[[], None]] = []
        """The same, to be called when a text was edited."""
        self._investigation: Investigation | Following | None = None
        self._verdicts: Verdicts | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="adebug session")
        self._tasks: set[asyncio.Task[Any]] = set()

    # Beginning and end

    def begin(self, params: types.InitializeParams) -> None:
        """Take what the client says about itself."""
        folders = params.workspace_folders or []
        uri = folders[0].uri if folders else params.root_uri
        path = to_fs_path(uri) if uri else params.root_path
        if path:
            self.use_root(Path(path))
        self.documents.open = self.workspace
        self.settings, problems = read_settings(params.initialization_options)
        for problem in problems:
            self.tell(problem, types.MessageType.Warning)

    def use_root(self, root: Path) -> None:
        """Take a folder as the workspace."""
        self.documents.root = root
        self._verdicts = Verdicts(root)

    def root(self) -> Path:
        """The folder of the workspace."""
        if self.documents.root is None:
            raise AdebugError("no folder is open in the editor; open the one that your code is in")
        return self.documents.root

    @property
    def shows_documents(self) -> bool:
        """Whether the client goes where it is told."""
        window = self.client_capabilities.window
        return window is not None and window.show_document is not None and window.show_document.support

    def watch(self) -> None:
        """Look at the store from now on."""
        self.spawn(self._watch())

    def close(self) -> None:
        """Leave no process and no thread behind."""
        self.stop()
        with suppress(RuntimeError):  # it was closed before
            self._worker.submit(self._close)
        self._worker.shutdown()

    def stop(self) -> None:
        """Wait no longer for a program or for oracles."""
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
        """Do something on the worker."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, action)

    def spawn(self, coroutine: Any) -> None:
        """Let something go on beside all else."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def tell(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show the person a message."""
        self.window_show_message(types.ShowMessageParams(kind, message))

    def teller(self) -> Callable[[str], None]:
        """Shows warnings from any thread."""
        loop = asyncio.get_running_loop()

        def tell(text: str) -> None:
            loop.call_soon_threadsafe(self.tell, text, types.MessageType.Warning)

        return tell

    # The session

    async def investigate(self, begin: Callable[[], Investigation]) -> View:
        """Ask about a recording from now on, in place of what was asked about before."""

        self.stop_oracles.clear()

        def replace() -> View:
            investigation = begin()
            if self._investigation is not None:
                self._investigation.close()
            self._investigation = investigation
            return investigation.view()

        return await self._viewed(replace)

    async def follow(self, followed: Followed) -> View:
        """Show a session that another front end holds."""
        root = self.root()

        def go() -> View:
            held = self._investigation
            if not isinstance(held, Following) or not held.is_of(followed):
                held, before = Following(followed, root, _silent), held
                if before is not None:
                    before.close()
                self._investigation = held
            held.follow(followed)
            return held.view()

        return await self._viewed(go)

    async def follow_no_more(self) -> None:
        """The session that was followed has ended."""
        if isinstance(self._investigation, Following):
            await self.end_session()

    async def answer(self, words: str) -> tuple[View, list[str]]:
        """Take an answer; gives where the session is then, and what there is to tell."""
        told: list[str] = []
        self.stop_oracles.clear()

        def take() -> View:
            told.extend(self._held().answer(words))
            return self._held().view()

        return await self._viewed(take), told

    async def end_session(self) -> None:
        """Ask no more; what was answered is kept."""

        def end() -> None:
            self._held().close()
            self._investigation = None

        await self.work(end)
        self.view = None
        await self.look(anew=True)

    async def look(self, *, anew: bool = False) -> None:
        """Take from the store what others wrote; anew: also when it seems to have nothing new."""
        verdicts, view = self._verdicts, self.view
        if verdicts is not None:
            found = await self.work(lambda: verdicts.look(view, anew=anew))
            self.shown = self.shown if found is None else found
            if found is None and not anew:
                return
        self.show()

    async def dismiss(self, verdict: str) -> bool:
        """Show a verdict no more."""
        verdicts = self._verdicts
        gone = verdicts is not None and await self.work(lambda: verdicts.dismiss(verdict))
        await self.look(anew=True)
        return gone

    @property
    def recording(self) -> Path | None:
        """The recording that is asked about, if there is one."""
        return None if self._investigation is None else self._investigation.recording

    def show(self) -> None:
        """Let every feature show what is true now."""
        for feature in self.changed:
            feature()

    def _held(self) -> Investigation | Following:
        if self._investigation is None:
            raise AdebugError("there is no session; begin with adebug.findBug")
        return self._investigation

    async def _viewed(self, action: Callable[[], View]) -> View:
        view = self.view = await self.work(action)
        await self.look(anew=True)  # meanwhile the session may have been ended
        return view

    async def _watch(self) -> None:
        while True:
            with suppress(AdebugError):
                await self.look()
            await asyncio.sleep(LOOK)


def _silent(doing: str, done: int = 0, total: int | None = None) -> None:
    """Who holds the session has shown the progress."""


_INCREMENTAL = types.TextDocumentSyncKind.Incremental
