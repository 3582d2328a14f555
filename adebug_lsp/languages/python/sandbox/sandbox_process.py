"""Client of a sandbox process: JSON lines over pipes to the user's interpreter, restarted if lost.

Waits for a reply until the time limit plus a margin, then kills the process.
"""

import json
import os
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from types import TracebackType
from typing import IO, cast

from adebug_lsp.languages.python.sandbox.guest.protocol import Reply
from adebug_lsp.model.errors import OracleError

FOLDER = Path(__file__).parent / "guest"
TIME_LIMIT = 2.0
"""Seconds that the user's code may run for one request."""
_STARTING = 20.0
"""Seconds for starting an interpreter and importing the user's modules."""
_MOST_LOSSES = 5


class Sandbox:
    """A process that runs the user's code; close it, or use it in a `with` statement. Not thread-safe."""

    def __init__(self, interpreter: Path, opening: Mapping[str, object], time_limit: float = TIME_LIMIT) -> None:
        """Takes the interpreter and the first request, which names the user's modules."""
        self._interpreter = interpreter
        self._opening = {"do": "open", **opening}
        self._time_limit = time_limit
        self._process: _Process | None = None
        self._losses = 0
        self._last_id = 0

    def ask(self, request: Mapping[str, object]) -> Reply:
        """Sends a request and returns the reply: `{"cannot": why}` without an answer, `{"late": True}` on timeout."""
        if self._losses >= _MOST_LOSSES:
            return {"cannot": "the sandbox process crashed or hung too often"}
        if self._process is None:
            self._process = _Process(self._interpreter)
            self._send(self._opening, _STARTING)
        first = self._last_id == 1
        reply = self._send(request, self._time_limit + (_STARTING if first or not hasattr(os, "fork") else 1.0))
        return {"late": True} if reply is None else reply

    def _send(self, request: Mapping[str, object], limit: float) -> Reply | None:
        if self._process is None:
            return None
        self._last_id += 1
        self._process.write({"id": self._last_id, "limit": self._time_limit, **request})
        reply = self._process.read(limit)
        if reply is None:
            self._losses += 1
            self.close()
        return reply

    def close(self) -> None:
        """Ends the process; the next request starts it again."""
        if self._process is not None:
            self._process.end()
            self._process, self._last_id = None, 0

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()


class _Process:
    """A running process. A thread reads its replies, since pipes on Windows have no read with a timeout."""

    def __init__(self, interpreter: Path) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 (the interpreter that the user's program runs in)
                [str(interpreter), "-I", str(FOLDER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise OracleError(f"{interpreter} cannot be run: {error.strerror or error}") from error
        self._stdin: IO[bytes] = cast("IO[bytes]", self._process.stdin)
        stdout = cast("IO[bytes]", self._process.stdout)
        self._lines: Queue[bytes | None] = Queue()
        self._thread = Thread(target=self._read_lines, args=(stdout,), name="adebug sandbox", daemon=True)
        self._thread.start()

    def write(self, request: Mapping[str, object]) -> None:
        """Writes a line; the reader notices if the process is gone."""
        with suppress(OSError):
            self._stdin.write(json.dumps(request).encode("ascii") + b"\n")
            self._stdin.flush()

    def read(self, limit: float) -> Reply | None:
        """The next reply; None on timeout or end of file."""
        try:
            line = self._lines.get(timeout=limit)
        except Empty:
            return None
        return None if line is None else json.loads(line)

    def end(self) -> None:
        """Kills the process and joins the thread."""
        self._process.kill()
        self._process.wait()
        self._thread.join()
        with suppress(OSError):
            self._stdin.close()

    def _read_lines(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                self._lines.put(line)
        self._lines.put(None)
