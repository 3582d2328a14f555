"""Runs a program under its recorder until it ends, in the terminal or with its output passed to a callback."""

import os
import signal
import subprocess
import threading
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any

from adebug_lsp.languages.language import Output, Request
from adebug_lsp.model.errors import BadInputError

_INTERVAL = 0.1
"""Seconds between two checks of the stop event."""
_PATIENCE = 10.0
"""Seconds after SIGTERM for a program to write its recording and exit."""
_STREAMS = range(3)
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def run_program(command: Sequence[str], request: Request) -> int:
    """Run a program to its end, even after Ctrl-C, which is meant for the program; returns its exit code."""
    with _terminal_as_it_was():
        return _run(command, request)


def _run(command: Sequence[str], request: Request) -> int:
    """Run a program to its end, or until a stop is requested; returns its exit code."""
    with _endings_forwarded() as forward_to:
        process = _start(command, request)
        forward_to(process)
        readers = [] if request.output is None else _listen(process, request.output)
        while process.returncode is None:
            with suppress(KeyboardInterrupt):  # the program received it too, and ends with a recording
                _wait(process, request.stop)
    for reader in readers:
        reader.join(_PATIENCE / 5)  # a child process left behind by the program may hold the pipe open forever
    return process.returncode


def _start(command: Sequence[str], request: Request) -> "subprocess.Popen[bytes]":
    piped = None if request.output is None else subprocess.PIPE
    try:
        return subprocess.Popen(  # noqa: S603 - the user's own program
            command,
            cwd=request.folder,
            env=request.environment,
            stdin=None if piped is None else subprocess.DEVNULL,
            stdout=piped,
            stderr=piped,
        )
    except OSError as error:
        raise BadInputError(f"{command[0]} cannot be run: {error}") from error


@contextmanager
def _terminal_as_it_was() -> Iterator[None]:
    """Restore blocking mode: a BEAM that is killed leaves the terminal's descriptors non-blocking."""
    was: dict[int, bool] = {}
    for stream in _STREAMS if hasattr(os, "get_blocking") else ():
        with suppress(OSError):
            was[stream] = os.get_blocking(stream)
    try:
        yield
    finally:
        for stream, blocking in was.items():
            with suppress(OSError):
                os.set_blocking(stream, blocking)


@contextmanager
def _endings_forwarded() -> Iterator[Callable[["subprocess.Popen[bytes]"], None]]:
    """Forward signals that end this process to the program, which would otherwise run on.

    Yields a function that takes the program. A signal that comes while the program is being started is forwarded then.
    """
    came: list[int] = []
    running: list[subprocess.Popen[bytes]] = []

    def end(number: int, _frame: Any) -> None:
        came.append(number)
        for process in running:
            process.terminate()

    def forward_to(process: "subprocess.Popen[bytes]") -> None:
        running.append(process)
        if came:
            process.terminate()

    caught = _ENDING if threading.current_thread() is threading.main_thread() else []
    before = {number: signal.getsignal(number) for number in caught}
    changed = [number for number, handler in before.items() if handler == signal.SIG_DFL]
    for number in changed:
        signal.signal(number, end)
    try:
        yield forward_to
    finally:
        for number in changed:
            signal.signal(number, before[number])
    if came:
        raise SystemExit(128 + came[0])


def _wait(process: "subprocess.Popen[bytes]", stop: threading.Event | None) -> None:
    """Wait for a program; if a stop is requested, terminate it, and kill it if it does not end."""
    if stop is None:
        process.wait()
        return
    while process.poll() is None and not stop.wait(_INTERVAL):
        pass
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _listen(process: "subprocess.Popen[bytes]", output: Output) -> list[threading.Thread]:
    """Start threads that forward the program's output as it arrives."""
    readers = []
    for name, stream in (("stdout", process.stdout), ("stderr", process.stderr)):
        if stream is not None:
            readers.append(threading.Thread(target=_pass_on, args=(name, stream, output), daemon=True))
            readers[-1].start()
    return readers


def _pass_on(name: str, stream: IO[bytes], output: Output) -> None:
    decoder = getincrementaldecoder("utf-8")("replace")
    with stream:
        while block := stream.read1(1 << 16):  # type: ignore[attr-defined]
            output(name, decoder.decode(block))
        if rest := decoder.decode(b"", final=True):
            output(name, rest)
