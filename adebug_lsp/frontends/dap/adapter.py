"""The adapter: handles the requests of one client, in order, through the phases of a debug session.

A session is launched, then configured. Then the program runs: under the recorder alone (`recorder`), or with debugpy
in front (`live`). When it has ended, the session stays open on its recording (`replay`) until the client disconnects.

Three things run concurrently: this event loop, a thread that owns the replay, and a thread that runs the program. A
request waits for the one before it, except those that end something.
"""

import asyncio
import threading
import traceback
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TypeVar

from adebug_lsp.frontends.dap.live.client_breakpoints import BREAKPOINTS, Breakpoints
from adebug_lsp.frontends.dap.live.debugpy_session import Live
from adebug_lsp.frontends.dap.live.launch import Launch, read_launch
from adebug_lsp.frontends.dap.live.program_runner import Recorder, output_to
from adebug_lsp.frontends.dap.progress_events import Progress
from adebug_lsp.frontends.dap.protocol import capabilities
from adebug_lsp.frontends.dap.protocol.channel import Channel
from adebug_lsp.frontends.dap.protocol.dap_client import Client
from adebug_lsp.frontends.dap.protocol.framing import BadMessageError, Message
from adebug_lsp.frontends.dap.protocol.request_arguments import Arguments
from adebug_lsp.frontends.dap.replay import custom_requests, evaluate, move, show, tree_nodes
from adebug_lsp.frontends.dap.replay.events import console_line, go_to_outcome
from adebug_lsp.frontends.dap.replay.replay import THREAD, Event, Handler, Outside, Replay, open_replay
from adebug_lsp.frontends.shared import wording
from adebug_lsp.frontends.shared.recordings import Recordings
from adebug_lsp.model.errors import AdebugError, BadInputError

T = TypeVar("T")
HANDLERS: dict[str, Handler] = {
    **show.HANDLERS,
    **move.HANDLERS,
    **evaluate.HANDLERS,
    **custom_requests.HANDLERS,
    **tree_nodes.HANDLERS,
}
"""The requests of a replay."""
_UNQUEUED = ("cancel", "disconnect", "terminate", "pause")
"""Requests that do not wait for the ones before them, which may take long."""

FIND = "find the bug"
"""Typed in the debug console of a running program, this ends the program and opens its recording."""
_SILENT_SECONDS = 1.0
"""Seconds of work after which progress is reported."""
_UNCAUGHT = ["uncaught"]
"""Uncaught exceptions end the program, and the replay shows them: no debugger is needed."""


class Adapter:
    """One debug session."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._client = Client(channel)
        self._launch: Launch | None = None
        self._recorder: Recorder | None = None
        self._replay: Replay | None = None
        self._running: asyncio.Task[None] | None = None
        self._progress = Progress(self._client)
        self._live: Live | None = None
        self._recording: Path | None = None
        self._breakpoints = Breakpoints()
        self._exit_code = 0
        self._ended = asyncio.Event()
        self._requests: asyncio.Queue[Message] = asyncio.Queue()
        self._taken: Message = {}
        """The request that is being answered."""
        self._cancelled: set[int] = set()
        """The numbers of requests that the client has cancelled."""
        self._outside = Outside(threading.Event(), output_to(self._client))
        self._worker = ThreadPoolExecutor(1, "adebug replay")
        self._closing = False

    async def serve(self) -> None:
        """Serve until the client disconnects or vanishes; no process that was started outlives this."""
        tasks = [asyncio.create_task(coroutine) for coroutine in (self._listen(), self._work(), self._ended.wait())]
        try:
            await asyncio.wait([tasks[0], tasks[2]], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._stop_everything()

    async def _listen(self) -> None:
        """Read messages until the client disconnects, and queue requests, except those that may interrupt another."""
        async for message in self._channel.messages():
            if isinstance(message, BadMessageError):
                self._client.refuse({}, str(message), kind=type(message))
            elif message.get("type") == "response":
                self._client.take_response(message)
            elif message.get("type") != "request" or not isinstance(message.get("command"), str):
                self._client.refuse(message, "a message is a request with a command")
            elif message["command"] in _UNQUEUED:
                await self._take(message)
            else:
                self._requests.put_nowait(message)

    async def _work(self) -> None:
        """Handle the queued requests one after the other, except cancelled ones."""
        while True:
            self._taken = await self._requests.get()
            seq = self._taken.get("seq")
            if isinstance(seq, int) and seq in self._cancelled:
                self._client.refuse(self._taken, "cancelled")
            else:
                await self._take(self._taken)

    async def _take(self, request: Message) -> None:
        """Handle one request; an error becomes its response."""
        try:
            await self._handle(request)
        except Exception as error:
            kind = type(error) if isinstance(error, AdebugError) else None
            self._client.refuse(request, _message_of(error), cancelled=self._outside.stop.is_set(), kind=kind)

    async def _handle(self, request: Message) -> None:
        """Dispatch a request by the phase of the session: before the launch, live, recording, or replay."""
        command, arguments = request["command"], Arguments.of(request.get("arguments"))
        own: dict[str, Callable[[Message, Arguments], Awaitable[None]]] = {
            "initialize": self._initialize,
            "launch": self._on_launch,
            "attach": self._attach,
            "configurationDone": self._configured,
            "adebug/find": self._find,
            "cancel": self._cancel,
            "disconnect": self._disconnect,
            "terminate": self._terminate,
        }
        if not self._client.facts and command not in ("initialize", "disconnect"):
            raise BadInputError(f"{command}: initialize comes first")
        if command in own:
            await own[command](request, arguments)
        elif self._replay is not None:
            await self._in_replay(request, self._replay)
        elif self._launch is None:
            raise BadInputError(f"{command}: launch comes first")
        elif self._live is not None or await self._must_go_live(command, arguments):
            await self._while_live(request, arguments)
        else:
            self._while_recording(request, arguments)

    # The beginning

    async def _initialize(self, request: Message, arguments: Arguments) -> None:
        """Handle `initialize`: keep the client's capabilities, and respond with ours."""
        if self._client.facts:
            raise BadInputError("initialize: already initialized")
        self._client.facts = {"adapterID": "adebug", **arguments.fields}
        self._client.respond(request, capabilities.at_first())

    async def _on_launch(self, request: Message, arguments: Arguments) -> None:
        """Handle `launch`: check the configuration, and wait for breakpoints."""
        if self._launch is not None:
            raise BadInputError("launch: already launched")
        launch = read_launch(arguments.fields)
        if launch.needs_terminal and not self._client.can("supportsRunInTerminalRequest"):
            raise BadInputError("console: this client cannot run a program in a terminal")
        self._launch = launch
        self._client.custom_events = launch.custom_events
        self._client.respond(request)
        self._client.event("initialized")

    async def _attach(self, _request: Message, _arguments: Arguments) -> None:
        raise BadInputError("attach: adebug records a program from its start; use launch")

    async def _configured(self, request: Message, _arguments: Arguments) -> None:
        """Handle `configurationDone`: start the program, or open the recording."""
        if self._launch is None:
            raise BadInputError("configurationDone: launch comes first")
        if self._running is not None:
            raise BadInputError("configurationDone: already configured")
        launch = self._launch
        if launch.needs_terminal or (launch.stop_on_entry and launch.recording is None):
            await self._go_live(launch)
        if self._live is not None:
            self._live.forward(request)
        else:
            self._client.respond(request)
        self._running = asyncio.create_task(self._run(launch))

    # The program runs

    async def _run(self, launch: Launch) -> None:
        """Record, then open the recording."""
        try:
            recording = launch.recording or await self._record(launch, self._progress)
            if not self._closing:
                await self._open(recording, launch, self._progress)
        except Exception as error:
            self._progress.end()
            self._client.output(f"adebug: {_with_slug(error)}\n", "stderr")
            self._send_end()
        finally:
            self._progress.end()

    async def _record(self, launch: Launch, progress: Progress) -> Path:
        """Record the program, live or in the background; returns the path of the recording."""
        recording, began = self._new_recording(launch), monotonic()
        if self._live is not None:
            await self._live.ended.wait()
            await self._live.close()
            self._exit_code, self._live = self._live.exit_code, None
            Recordings(launch.workspace).keep(recording, launch.note(monotonic() - began))
        else:
            self._recorder = Recorder(self._client, launch)
            self._client.event("process", {"name": launch.target_name, "startMethod": "launch"})
            self._client.event("thread", {"reason": "started", "threadId": THREAD})
            ended = await self._recorder.record(recording, progress)
            self._exit_code, self._recorder = ended.exit_code, None
        return recording

    def _new_recording(self, launch: Launch) -> Path:
        if self._recording is None:
            recordings = Recordings(launch.workspace)
            self._recording = recordings.new()
            if recordings.problem:
                self._client.output(f"adebug: {recordings.problem}\n")
        return self._recording

    def _while_recording(self, request: Message, arguments: Arguments) -> None:
        """Answer a request before the program runs, or while it runs without a debugger."""
        command = request["command"]
        if command in BREAKPOINTS:
            self._client.respond(request, self._breakpoints.note(command, arguments))
        elif command == "threads":
            self._client.respond(request, {"threads": self._threads()})
        elif command == "pause" and self._recorder is not None:
            self._recorder.find()
            self._client.respond(request)
        elif command == "evaluate" and self._recorder is not None:
            self._evaluate_while_recording(request, arguments, self._recorder)
        elif command in HANDLERS:
            raise BadInputError(f"{command}: there is no recording yet")
        else:
            raise BadInputError(f"unknown request {command!r}")

    def _evaluate_while_recording(self, request: Message, arguments: Arguments, recorder: Recorder) -> None:
        """Handle input in the debug console while the program runs without a debugger."""
        if arguments.text("expression").strip().lower() != FIND:
            raise BadInputError(f"the program is running; {FIND!r} ends it, and asks about what it did so far")
        recorder.find()
        self._client.respond(request, {"result": "", "variablesReference": 0})

    def _threads(self) -> list[dict[str, object]]:
        """One thread for the program that is being recorded: some clients can only pause a thread that they know."""
        if self._launch is None or self._recorder is None:
            return []
        return [{"id": THREAD, "name": f"recording {self._launch.target_name}"}]

    # The live phase

    async def _must_go_live(self, command: str, arguments: Arguments) -> bool:
        """Whether a request needs debugpy: it sets the first breakpoint before the program runs."""
        launch = self._launch
        if launch is None or self._running is not None or launch.no_debug or launch.recording is not None:
            return False
        if command not in BREAKPOINTS:
            return False
        filters = [name for name in arguments.texts("filters") if name not in _UNCAUGHT]
        if not (arguments.items("breakpoints") or filters):
            return False
        return await self._go_live(launch)

    async def _go_live(self, launch: Launch) -> bool:
        """Start debugpy, if the language has a debugger; returns whether it runs."""
        if launch.language().descriptor.debugger is None:
            return False
        live = Live(self._client, launch, self._new_recording(launch))
        try:
            await live.start()
        except BaseException:
            await live.close()
            raise
        self._live = live
        if self._breakpoints.exceptions is not None:
            live.send_request("setExceptionBreakpoints", self._breakpoints.exceptions.fields)
        return True

    async def _while_live(self, request: Message, arguments: Arguments) -> None:
        """Forward a request to debugpy, or end the program to ask about it."""
        live, command = self._live, request["command"]
        if live is None:
            raise AssertionError("only called when there is one")
        if command == "evaluate" and arguments.text("expression").strip().lower() == FIND:
            self._client.respond(request, {"result": "", "variablesReference": 0})
            await live.find()
        elif command == "setBreakpoints":
            live.forward(request, lambda answer: self._breakpoints.take(arguments, answer))
        else:
            live.forward(request)

    async def _find(self, request: Message, _arguments: Arguments) -> None:
        """End the program, and go to its recording."""
        if self._live is None and self._recorder is None:
            raise BadInputError("adebug/find: no program is running")
        self._client.respond(request)
        if self._recorder is not None:
            self._recorder.find()
        elif self._live is not None:
            await self._live.find()

    # The replay

    async def _open(self, recording: Path, launch: Launch, progress: Progress) -> None:
        """Open the recording, and stop at the first question."""
        problems: list[str] = []
        facts, outside = self._client.facts, self._outside
        opening = partial(open_replay, recording, launch, facts, outside, progress, problems.append)
        replay = await self._in_worker(opening)
        self._replay = replay
        events = await self._in_worker(partial(_begin, replay, self._breakpoints))
        progress.end()
        for problem in problems:
            self._client.output(f"adebug: {problem}\n")
        self._report_cancellation()
        self._client.event("capabilities", {"capabilities": capabilities.in_replay()})
        for name, body in events:
            self._client.event(name, body)

    async def _in_replay(self, request: Message, replay: Replay) -> None:
        """Answer a request from the recording, then send the events that follow."""
        handler = HANDLERS.get(request["command"])
        if handler is None:
            raise BadInputError(f"unknown request {request['command']!r} in a recording")
        if self._closing:
            raise BadInputError(f"{request['command']}: the session has ended")
        arguments = Arguments.of(request.get("arguments"))
        self._outside.stop.clear()
        work = self._in_worker(partial(handler, replay, arguments))
        reply = await self._with_progress(work, "verifying" if request["command"] == "adebug/verify" else "working")
        self._report_cancellation()
        self._client.respond(request, reply.body)
        for name, body in reply.events:
            self._client.event(name, body)

    def _in_worker(self, action: Callable[[], T]) -> "asyncio.Future[T]":
        """Run a function in the thread that owns the replay."""
        return asyncio.get_running_loop().run_in_executor(self._worker, action)

    async def _with_progress(self, work: "asyncio.Future[T]", doing: str) -> T:
        """Wait for work of unknown length; long work reports progress and can be cancelled."""
        began = monotonic()
        while not (await asyncio.wait([work], timeout=_SILENT_SECONDS))[0]:
            self._progress(doing, int(monotonic() - began))
        self._progress.end()
        return work.result()

    def _report_cancellation(self) -> None:
        if self._outside.stop.is_set() and not self._closing:
            self._client.output(f"{wording.CANCELLED}\n")

    # The end

    async def _cancel(self, request: Message, arguments: Arguments) -> None:
        """End the run and ask about it so far, or stop the oracles and ask the user."""
        wanted = arguments.fields.get("requestId")
        if isinstance(wanted, int) and wanted != self._taken.get("seq"):
            self._cancelled.add(wanted)
        elif isinstance(wanted, int) or arguments.maybe_text("progressId") == self._progress.id:
            stop = self._outside.stop.set if self._recorder is None else self._recorder.find
            stop()
        self._client.respond(request)

    async def _terminate(self, request: Message, _arguments: Arguments) -> None:
        await self._stop_everything()
        self._send_end()
        self._client.respond(request)

    async def _disconnect(self, request: Message, arguments: Arguments) -> None:
        await self._terminate(request, arguments)
        self._ended.set()

    def _send_end(self) -> None:
        """Send `terminated` and `exited`. Clients end the session at the first of them, so they are sent last."""
        if self._launch is not None:
            self._client.event("exited", {"exitCode": self._exit_code})
            self._client.event("terminated")
            self._launch = None

    async def _stop_everything(self) -> None:
        """Stop every process and thread of this session."""
        self._closing = True
        self._outside.stop.set()
        if self._recorder is not None:
            self._recorder.stop()
        if self._live is not None:
            await self._live.find()
            await self._live.close()
        if self._running is not None:
            with suppress(Exception):
                await self._running
            self._running = None
        if self._replay is not None:
            await self._in_worker(self._replay.close)
            self._replay = None
        self._worker.shutdown()


def _with_slug(error: Exception) -> str:
    return wording.error(error) if isinstance(error, AdebugError) else _message_of(error)


def _message_of(error: Exception) -> str:
    """The message for the user; the traceback of a bug in adebug goes to standard error, and the session goes on."""
    if isinstance(error, AdebugError):
        return str(error)
    traceback.print_exception(error)
    return f"adebug failed: {type(error).__name__}: {error}"


def _begin(replay: Replay, breakpoints: Breakpoints) -> list[Event]:
    """Set the pending breakpoints, and go to the first question."""
    changed = [("breakpoint", {"reason": "changed", "breakpoint": point}) for point in breakpoints.hand_over(replay)]
    replay.open_session.save()
    target = replay.target
    notes = [wording.run_ended(target.opened.ended), *wording.asking_about(target.entry, target.other_failures)]
    shown = [console_line(f"adebug: {note}") for note in (*notes, *replay.open_session.notes)]
    return [*changed, *shown, console_line(wording.INTRODUCTION), *go_to_outcome(replay)]
