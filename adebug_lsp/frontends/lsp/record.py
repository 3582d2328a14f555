"""Records a program for the server, in a separate thread, with progress that can be cancelled."""

import asyncio
import io
import threading
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from attrs import evolve
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from adebug_lsp.frontends.lsp.server import Server
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.frontends.shared.recordings import record as record_and_keep
from adebug_lsp.languages.language import Language, Output, Progress, Request, silent
from adebug_lsp.model.errors import AdebugError, BadInputError

T = TypeVar("T")
_MOST_OUTPUT = 20_000
"""Characters of the program's output that are passed on to the editor's log."""


_PATIENCE = 5.0
"""Seconds to wait for the client's reply to `window/workDoneProgress/create`."""


class StoppedError(AdebugError):
    """The user stopped the run."""

    slug = "stopped"
    code = 42
    cause = "The progress was cancelled, or `adebug.stop` was executed."
    remedy = "Nothing; start again when you like."


async def record(server: Server, language: Language, request: Request, progress: Progress) -> Path:
    """Record a run; returns the recording, which has a note."""
    recordings = Recordings(request.workspace)
    recording = recordings.new()
    if recordings.problem:
        server.show_message(recordings.problem, types.MessageType.Warning)

    def run(output: Output, stop: threading.Event) -> None:
        record_and_keep(recordings, recording, language, evolve(request, output=output, stop=stop), progress)

    await run_program(server, run)
    return recording


async def run_program(server: Server, run: Callable[[Output, threading.Event], T]) -> T:
    """Run a program in a thread, one at a time; its output goes to the editor's log."""
    if server.stop_run is not None:
        raise BadInputError("a program is already being recorded; adebug.stop ends it")
    stop = server.stop_run = threading.Event()
    printed = io.StringIO()

    def output(_stream: str, text: str) -> None:
        printed.write(text[: _MOST_OUTPUT - printed.tell()])

    try:
        result = await asyncio.to_thread(run, output, stop)
    except asyncio.CancelledError:
        stop.set()  # the thread ends soon after the program
        raise
    except AdebugError as error:
        raise StoppedError("stopped") if stop.is_set() else error from None
    finally:
        server.stop_run = None
        if printed.getvalue():
            server.window_log_message(types.LogMessageParams(types.MessageType.Log, printed.getvalue()))
    if stop.is_set():
        raise StoppedError("stopped")
    return result


@asynccontextmanager
async def progress_shown(server: Server, title: str) -> AsyncIterator[Progress]:
    """Show progress that can be cancelled, in clients that support it."""
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        yield silent
        return
    shown, token = server.work_done_progress, uuid.uuid4().hex
    try:
        await asyncio.wait_for(shown.create_async(token), _PATIENCE)
    except (asyncio.TimeoutError, JsonRpcException):  # progress is optional
        yield silent
        return
    shown.begin(token, types.WorkDoneProgressBegin(title, cancellable=True))
    shown.tokens[token].add_done_callback(lambda _future: server.stop())
    loop = asyncio.get_running_loop()

    def report(doing: str, done: int = 0, total: int | None = None) -> None:
        percentage = None if not total else min(100 * done // total, 100)
        value = types.WorkDoneProgressReport(message=wording.progress(doing, done, total), percentage=percentage)
        loop.call_soon_threadsafe(shown.report, token, value)

    try:
        yield report
    finally:
        # Queued reports from threads are sent first.
        loop.call_soon(shown.end, token, types.WorkDoneProgressEnd())
        shown.tokens.pop(token, None)
