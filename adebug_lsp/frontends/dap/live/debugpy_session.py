"""The live phase: a proxy for debugpy, which runs the program with the recorder inside.

Requests of the client are forwarded to debugpy and its responses back, renumbered in both directions. The events
with which debugpy ends a session are withheld: the program has ended, but the session continues with its recording.
"""

import asyncio
import importlib.util
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from adebug_lsp.frontends.dap.live.launch import Launch
from adebug_lsp.frontends.dap.protocol.channel import Channel, of_reader
from adebug_lsp.frontends.dap.protocol.dap_client import Body, Client
from adebug_lsp.frontends.dap.protocol.framing import BadMessageError, Message
from adebug_lsp.frontends.shared.options import CONSOLES
from adebug_lsp.model.errors import BadInputError

FORWARDED = frozenset(
    {
        "completions", "configurationDone", "continue", "evaluate", "exceptionInfo", "goto", "gotoTargets", "modules",
        "next", "pause", "scopes", "setBreakpoints", "setExceptionBreakpoints", "setExpression",
        "setFunctionBreakpoints", "setVariable", "source", "stackTrace", "stepIn", "stepInTargets", "stepOut",
        "threads", "variables",
    }
)  # fmt: skip
"""Requests that debugpy answers; it may ignore any other."""
_PATIENCE = 10.0
"""Seconds for a program to end by itself and write its recording."""
_STARTING = 60.0
"""Seconds for debugpy and the program to start."""

Done = Callable[[Message], None]


class Live:
    """A program under debugpy."""

    def __init__(self, client: Client, launch: Launch, out: Path) -> None:
        self.exit_code = 0
        self.ended = asyncio.Event()
        """Set when the program has ended."""
        self._client = client
        self._launch = launch
        self._command = launch.language().command(launch.request(), out)
        self._recorder = Path(self._command[1])
        self._initialized = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self._program: int | None = None
        self._stopped: int | None = None
        """The thread that stopped last."""
        self._channel: Channel | None = None
        self._reading: asyncio.Task[None] | None = None
        self._reverse: set[asyncio.Task[None]] = set()
        self._seq = 0
        self._waiting: dict[int, tuple[Message | None, Done]] = {}
        """Pending requests to debugpy by number: the client's request, and the callback for the response."""

    # Calls from the adapter

    async def start(self) -> None:
        """Start debugpy and the program, up to the point where breakpoints can be set; raises `BadInputError`."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", _debugpy(),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env=self._launch.request().environment,
        )  # fmt: skip
        reader, writer = self._process.stdout, self._process.stdin
        if reader is None or writer is None:
            raise AssertionError("both are pipes")
        self._channel = Channel(of_reader(reader), writer.write)
        self._reading = asyncio.create_task(self._read(self._channel))
        facts = {**self._client.facts, "clientID": "adebug", "supportsStartDebuggingRequest": False}
        _check(await self._ask("initialize", facts))
        launched = asyncio.ensure_future(self._ask("launch", self._configuration()))
        ready = asyncio.ensure_future(self._initialized.wait())
        await asyncio.wait([launched, ready], timeout=_STARTING, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if not self._initialized.is_set():
            launched.cancel()
            _check(launched.result() if launched.done() else {"success": False, "message": "it does not start"})

    def forward(self, request: Message, done: Done | None = None) -> None:
        """Forward a client's request to debugpy; `done` is called with the response that went to the client."""
        if request["command"] not in FORWARDED:
            raise BadInputError(f"{request['command']}: possible only in the recording, after the program has ended")

        def answer(response: Message) -> None:
            shown = _shown(response)
            self._client.send({**shown, "request_seq": request.get("seq", 0)})
            if done is not None:
                done(shown)

        self._send(request["command"], request.get("arguments"), answer, request)

    def send_request(self, command: str, arguments: object) -> None:
        """Send a request of our own, and ignore its response."""
        self._send(command, arguments, _nothing)

    async def find(self) -> None:
        """End the program where it is, so that it keeps its recording."""
        if self._program is None:
            await self.close()
            return
        with suppress(OSError):
            os.kill(self._program, signal.SIGTERM)
        try:
            await asyncio.wait_for(self.ended.wait(), _PATIENCE)
        except asyncio.TimeoutError:
            await self.close()

    async def close(self) -> None:
        """Leave no process behind."""
        self.ended.set()
        self._send_continued()
        for request, _done in self._waiting.values():
            if request is not None:
                self._client.refuse(request, "the program has ended")
        self._waiting.clear()
        if self._reading is not None:
            self._reading.cancel()
        if self._process is None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()  # it ends, and takes the program with it
        try:
            await asyncio.wait_for(self._process.wait(), _PATIENCE)
        except asyncio.TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        if self._program is not None:
            with suppress(OSError):
                os.kill(self._program, signal.SIGTERM)
        self._process = None

    def _send_continued(self) -> None:
        """Report that no thread is stopped: nvim-dap remembers one, and continues any other, such as the replay's."""
        if self._stopped is not None:
            self._client.event("continued", {"threadId": self._stopped, "allThreadsContinued": True})
            self._stopped = None

    # Messages from debugpy

    async def _read(self, channel: Channel) -> None:
        """Read debugpy's messages until it ends; pending requests then fail."""
        async for message in channel.messages():
            if isinstance(message, BadMessageError):
                break
            kind = message.get("type")
            if kind == "response":
                self._take_response(message)
            elif kind == "event":
                self._take_event(message)
            else:
                asking = asyncio.create_task(self._ask_client(message))
                self._reverse.add(asking)
                asking.add_done_callback(self._reverse.discard)
        self.ended.set()
        for request, done in list(self._waiting.values()):
            if request is None:
                done({"success": False, "message": "it has ended"})

    def _take_response(self, response: Message) -> None:
        _request, done = self._waiting.pop(response["request_seq"], (None, _nothing))
        done(response)

    def _take_event(self, event: Message) -> None:
        """Forward an event, unless the adapter itself has to handle it."""
        name, body = event["event"], event.get("body") or {}
        if name == "initialized":
            self._initialized.set()
        elif name == "exited":
            self.exit_code = body.get("exitCode", 0)
            self._program = None
        elif name == "terminated":
            self.ended.set()
        elif name == "process":
            self._program = body.get("systemProcessId")
            self._client.event(name, {**body, "name": self._launch.target_name})
        elif not _is_internal(name, body) and not self._is_of_recorder(name, body):
            self._stopped = body.get("threadId") if name == "stopped" else self._stopped
            self._client.event(name, body)

    def _is_of_recorder(self, name: str, body: Body) -> bool:
        """Whether an event is about a module of the recorder."""
        path = (body.get("module") or {}).get("path") if name == "module" else None
        return isinstance(path, str) and Path(path).is_relative_to(self._recorder)

    async def _ask_client(self, request: Message) -> None:
        """A request in the other direction, such as to run something in a terminal."""
        response = await self._client.request(request["command"], request.get("arguments"))
        self._write({**response, "request_seq": request["seq"]})

    # Parts

    def _configuration(self) -> Body:
        """The launch configuration for debugpy, which starts the recorder."""
        launch = self._launch
        interpreter, recorder, *arguments = self._command
        return {
            "name": "adebug",
            "type": "debugpy",
            "request": "launch",
            "python": [interpreter],
            "program": str(Path(recorder, "__main__.py")),
            "args": arguments,
            "cwd": str(launch.cwd),
            "env": {name: value for name, value in launch.env.items() if value is not None},
            "console": launch.console,
            "redirectOutput": launch.console == CONSOLES[0],
            "stopOnEntry": launch.stop_on_entry,
            "noDebug": launch.no_debug,
            "justMyCode": launch.just_my_code,
            "rules": [{"path": f"{recorder}/**", "include": False}],
            "subProcess": False,
            # Groups cannot be filtered, and may contain temporary variables of the recorder.
            "variablePresentation": {"class": "inline", "function": "inline"},
        }

    async def _ask(self, command: str, arguments: object) -> Message:
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._send(command, arguments, lambda response: None if answer.done() else answer.set_result(response))
        return await answer

    def _send(self, command: str, arguments: object, done: Done, request: Message | None = None) -> None:
        number = self._write({"type": "request", "command": command, "arguments": arguments})
        self._waiting[number] = (request, done)

    def _write(self, message: Message) -> int:
        self._seq += 1
        if self._channel is not None:
            self._channel.send({**message, "seq": self._seq})
        return self._seq


def _debugpy() -> str:
    """The folder of debugpy's adapter. Run as a folder in isolated mode, it imports nothing from the workspace."""
    spec = importlib.util.find_spec("debugpy")
    if spec is None or spec.origin is None:
        raise BadInputError("debugpy: not installed; it is needed only for breakpoints")
    return str(Path(spec.origin).parent / "adapter")


def _check(response: Message) -> None:
    if not response["success"]:
        raise BadInputError(f"debugpy: {response.get('message', 'it does not start')}")


def _nothing(_response: Message) -> None:
    pass


def _is_internal(name: str, body: Body) -> bool:
    """Whether an event is internal to debugpy and its own clients; some clients fail on unknown events."""
    return name.startswith("debugpy") or (name == "output" and body.get("category") == "telemetry")


def _shown(response: Message) -> Message:
    """A response without the recorder's temporary variables, whose names are not valid identifiers."""
    variables = (response.get("body") or {}).get("variables")
    if response["command"] != "variables" or not isinstance(variables, list):
        return response
    kept = [variable for variable in variables if not str(variable.get("name", "")).startswith("@")]
    return {**response, "body": {**response["body"], "variables": kept}}
