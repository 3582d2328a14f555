"""A scripted client: a real adapter process, every message checked against the schemas, no wait without a limit."""

import importlib.util
import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from jsonschema import Draft4Validator, Draft7Validator

from adebug_lsp.frontends.dap.protocol import generate
from tests.support import ROOT
from tests.warm_start import COMMAND

LIMIT = 60.0
"""Time limit of every wait, in seconds; an idle machine needs one or two."""

Message = dict[str, Any]


@cache
def protocol() -> Message:
    """The schema of the protocol that debugpy ships."""
    debugpy = importlib.util.find_spec("debugpy")
    assert debugpy is not None
    assert debugpy.origin is not None
    folder = Path(debugpy.origin).parent / "_vendored/pydevd/_pydevd_bundle/_debug_adapter"
    schema: Message = json.loads((folder / "debugProtocol.json").read_text(encoding="utf-8"))
    return schema


@cache
def validator(kind: str, name: str) -> Draft4Validator:
    schema = protocol()
    definition = name[:1].upper() + name[1:] + kind.capitalize()
    assert definition in schema["definitions"], f"there is no {definition}"
    return Draft4Validator({**schema, "$ref": f"#/definitions/{definition}"})


@cache
def own_validator(part: str, name: str, what: str) -> Draft7Validator:
    """Validator of a request or event that adebug adds to the protocol."""
    schema = generate.load()
    return Draft7Validator({"definitions": schema["definitions"], **schema[part][name][what]})


def check(message: Message) -> None:
    """Raise if a message does not match its schema."""
    kind = message["type"]
    name = message["event" if kind == "event" else "command"]
    if kind == "response" and not message["success"]:
        validator("response", "error").validate(message)
    elif name.startswith("adebug/"):
        protocol_schema = {**protocol(), "$ref": f"#/definitions/{kind.capitalize()}"}
        Draft4Validator(protocol_schema).validate(message)
        what = "arguments" if kind == "request" else "body"
        part = "events" if kind == "event" else "requests"
        own_validator(part, name, what).validate(message.get(what, {}))
    else:
        validator(kind, name).validate(message)


def body_of(message: Message) -> Message:
    """The body of a message; empty where it has none."""
    body: Message = message.get("body", {})
    return body


class Client:
    """A client with an adapter process of its own."""

    def __init__(self, cwd: Path, *, path: Path | None = None, **facts: Any) -> None:
        self.log: list[Message] = []
        """Every message received."""
        self.process = subprocess.Popen(
            [*COMMAND, "dap"],
            cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(str(folder) for folder in (path, ROOT) if folder)},
        )  # fmt: skip
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.stdin: IO[bytes] = self.process.stdin
        self._stdout: IO[bytes] = self.process.stdout
        self._stderr: IO[bytes] = self.process.stderr
        self.facts = facts
        self.handlers: dict[str, Callable[[Message], Message]] = {}
        """Handlers of reverse requests, by command."""
        self._seq = 0
        self._incoming: queue.Queue[Message | None] = queue.Queue()
        self._unread: list[Message] = []
        self.errors = b""
        self._threads = [threading.Thread(target=read, daemon=True) for read in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    # Sending

    def send_bytes(self, data: bytes) -> None:
        self.stdin.write(data)
        self.stdin.flush()

    def send(self, message: Message) -> int:
        self._seq += 1
        body = json.dumps({"seq": self._seq, **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return self._seq

    def ask(self, command: str, **arguments: Any) -> Message:
        """Send a request; returns its response, successful or not."""
        request = {"type": "request", "command": command, "arguments": arguments}
        check({"seq": 1, **request})
        seq = self.send(request)
        return self.wait(lambda m: m["type"] == "response" and m["request_seq"] == seq)

    def do(self, command: str, **arguments: Any) -> Message:
        """Send a request that must succeed; returns the body of its response."""
        response = self.ask(command, **arguments)
        assert response["success"], response
        return body_of(response)

    def refused(self, command: str, **arguments: Any) -> str:
        """Send a request that must fail; returns the error message."""
        response = self.ask(command, **arguments)
        assert not response["success"], response
        message: str = response["message"]
        return message

    # Receiving

    def wait(self, wanted: Callable[[Message], bool], limit: float = LIMIT) -> Message:
        """The next message that matches; others stay unread."""
        for number, message in enumerate(self._unread):
            if wanted(message):
                return self._unread.pop(number)
        end = time.monotonic() + limit
        while True:
            try:
                incoming = self._incoming.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty:
                raise AssertionError(f"it did not come; unread: {self._unread[-8:]}") from None
            assert incoming is not None, f"the adapter has gone; unread: {self._unread[-8:]}; {self.errors.decode()}"
            if wanted(incoming):
                return incoming
            self._unread.append(incoming)

    def event(self, name: str, limit: float = LIMIT) -> Message:
        """The body of the next event with a name."""
        return body_of(self.wait(lambda m: m["type"] == "event" and m["event"] == name, limit))

    def output(self, category: str = "console") -> str:
        """The output of a category so far."""
        return "".join(
            m["body"]["output"]
            for m in self.log
            if m.get("event") == "output" and m["body"].get("category", "console") == category
        )

    def events(self) -> list[str]:
        return [m["event"] for m in self.log if m["type"] == "event"]

    # Sequences of requests

    def launch(self, *, breakpoints: dict[Path, list[int]] | None = None, **configuration: Any) -> None:
        """All requests up to `configurationDone`, after which the program runs."""
        self.do("initialize", adapterID="adebug", **self.facts)
        self.do("launch", **configuration)
        self.event("initialized")
        for path, lines in (breakpoints or {}).items():
            self.do("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": line} for line in lines])
        self.do("configurationDone")

    def question(self) -> str:
        """The next question or verdict: the description of the next `stopped` event."""
        description: str = self.event("stopped")["description"]
        return description

    def answer(self, word: str) -> str:
        """Type a word in the console; returns the next question or verdict."""
        self.do("evaluate", expression=word, context="repl")
        return self.question()

    def top(self) -> Message:
        frame: Message = self.do("stackTrace", threadId=1, startFrame=0, levels=1)["stackFrames"][0]
        return frame

    def values(self, scope: str, frame: int | None = None) -> dict[str, str]:
        scopes = self.do("scopes", frameId=self.top()["id"] if frame is None else frame)["scopes"]
        reference = next(shown["variablesReference"] for shown in scopes if shown["name"] == scope)
        if not reference:
            return {}
        variables = self.do("variables", variablesReference=reference)["variables"]
        return {variable["name"]: variable["value"] for variable in variables}

    def close(self) -> int:
        """Disconnect, and wait for the end of the process."""
        self.do("disconnect")
        return self.end()

    def end(self) -> int:
        """Close the pipes and wait for the process; returns its exit code."""
        with suppress(OSError):
            self.stdin.close()
        try:
            code = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        for thread in self._threads:
            thread.join(LIMIT)
        self._stdout.close()
        self._stderr.close()
        for message in self.log:
            check(message)
        answered = [m["request_seq"] for m in self.log if m["type"] == "response" and m["request_seq"]]
        assert len(answered) == len(set(answered)), "a request was answered twice"
        return code

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()  # a test that failed; one that did not has ended the session
        if not self._stdout.closed:
            self.end()

    # Threads

    def _read(self) -> None:
        stream = self._stdout
        problem: Message | None = None
        while header := stream.readline():
            if not header.strip():
                continue
            if not header.startswith(b"Content-Length: "):
                problem = {"type": "event", "event": "NOT THE PROTOCOL", "body": {"text": header.decode()}}
                break
            length = int(header.split()[1])
            stream.readline()
            message = json.loads(stream.read(length))
            self.log.append(message)
            if message["type"] == "request":
                body = self.handlers[message["command"]](message)
                self.send({"type": "response", "request_seq": message["seq"], "command": message["command"],
                           "success": True, "body": body})  # fmt: skip
            else:
                self._incoming.put(message)
        if problem is not None:
            self._incoming.put(problem)
        self._incoming.put(None)

    def _read_errors(self) -> None:
        for line in self._stderr:
            self.errors += line
