"""Child processes with a time limit that leave nothing running."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import frozen


@frozen
class Done:
    """How a process ended."""

    code: int | None
    """Exit code; none if it was stopped at the time limit."""

    output: str
    errors: str
    seconds: float


class _Termination:
    """Turns SIGTERM into an ordinary exit; not while a child is being started, which nothing could end yet."""

    def __init__(self) -> None:
        self._starting = False
        self._came: int | None = None

    def handle(self, number: int, _frame: object) -> None:
        """Handles the signal."""
        self._came = number
        self._exit()

    @contextmanager
    def delayed(self) -> Iterator[None]:
        """Delays the exit to the end of the block."""
        self._starting = True
        try:
            yield
        finally:
            self._starting = False
        self._exit()

    def _exit(self) -> None:
        if self._came is not None and not self._starting:
            sys.exit(128 + self._came)


_TERMINATION = _Termination()


def leave_nothing_when_terminated() -> None:
    """Makes a termination of this process an ordinary exit, so that what it started is ended."""
    signal.signal(signal.SIGTERM, _TERMINATION.handle)


def run(command: Sequence[str], folder: Path, seconds: float, environment: Mapping[str, str] | None = None) -> Done:
    """Runs a command to its end or to the time limit, then ends all that it started."""
    begun = time.monotonic()
    with started(command, folder, environment, stdin=subprocess.DEVNULL) as process:
        try:
            output, errors = process.communicate(timeout=seconds)
            code: int | None = process.returncode
        except subprocess.TimeoutExpired:
            _end(process)
            output, errors = process.communicate()
            code = None
    return Done(code, output, errors, time.monotonic() - begun)


@contextmanager
def started(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None, stdin: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """Starts a command in a process group of its own; at the end of the block, ends it and its children."""
    process: subprocess.Popen[str] | None = None
    try:
        with _TERMINATION.delayed():
            process = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, **(environment or {})},
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=sys.platform != "win32",
            )
        yield process
    finally:
        if process is not None:
            _end(process)
            process.wait()
            for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
                with suppress(OSError):
                    stream.close()


def _end(process: subprocess.Popen[str]) -> None:
    """Ends a process and its group."""
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
