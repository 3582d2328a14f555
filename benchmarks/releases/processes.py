"""Child processes with a time limit that leave nothing running."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
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


def run(command: Sequence[str], folder: Path, seconds: float, environment: Mapping[str, str] | None = None) -> Done:
    """Runs a command to its end or to the time limit, then ends all that it started."""
    begun = time.monotonic()
    process = start(command, folder, environment, stdin=subprocess.DEVNULL)
    try:
        output, errors = process.communicate(timeout=seconds)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        end(process)
        output, errors = process.communicate()
        code = None
    finally:
        end(process)
    return Done(code, output, errors, time.monotonic() - begun)


def start(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None, stdin: int = subprocess.PIPE
) -> subprocess.Popen[str]:
    """Starts a command in a process group of its own, so that `end` reaches its children."""
    return subprocess.Popen(
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


def leave_nothing_when_terminated() -> None:
    """Makes a termination of this process an ordinary exit, so that what it started is ended."""
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))


def end(process: subprocess.Popen[str]) -> None:
    """Ends a process and its group."""
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
