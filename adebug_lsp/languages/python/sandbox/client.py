"""The other end of `apart`: a process in the user's interpreter, asked in JSON lines, and started again when lost.

An answer is waited for no longer than the time limit and a moment more; then the process is ended.
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
"""Seconds for starting an interpreter and loading the user's modules, which may import much."""
_MOST_LOSSES = 5


class Sandbox:
    """A process to run the user's code in; to be closed, or used in a `with` statement. For one thread."""

    def __init__(self, interpreter: Path, opening: Mapping[str, object], time_limit: float = TIME_LIMIT) -> None:
        """Take the interpreter, and what the first request says about the user's modules."""
        self._interpreter = interpreter
        self._opening = {"do": "open", **opening}
        self._time_limit = time_limit
        self._process: _Process | None = None
        self._losses = 0
        self._last_id = 0

    def ask(self, request: Mapping[str, object]) -> Reply:
        """The reply: `{"cannot": why}` where the process has no answer, `{"late": True}` where it took too long."""
        if self._losses >= _MOST_LOSSES:
            return {"cannot": "the process for running code apart was lost too often"}
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
        """End the process; a later request starts it again."""
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
    """A running process. A thread reads its replies, since Windows has no other way to wait with a limit."""

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
        self._thread = Thread(target=self._read_lines, args=(stdout,), name="adebug apart", daemon=True)
        self._thread.start()

    def write(self, request: Mapping[str, object]) -> None:
        """Send a line; a process that is gone is noticed by the reader."""
        with suppress(OSError):
            self._stdin.write(json.dumps(request).encode("ascii") + b"\n")
            self._stdin.flush()

    def read(self, limit: float) -> Reply | None:
        """The next reply, or None if there is none in time or ever."""
        try:
            line = self._lines.get(timeout=limit)
        except Empty:
            return None
        return None if line is None else json.loads(line)

    def end(self) -> None:
        """Leave no process and no thread behind."""
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
