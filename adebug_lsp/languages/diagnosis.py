"""Probes for `adebug doctor`: the findings that they return, and helpers that look for programs.

A probe runs another program for a few seconds at most, never raises, and changes nothing. Files of the workspace are
read, never run. Nothing here imports numpy, whose absence the doctor reports.
"""

import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from enum import Enum

from attrs import frozen

TIME_LIMIT = 4.0
"""Seconds that one probe may take; all probes run at once."""


class Status(Enum):
    """The state of something that adebug needs or can use."""

    OK = "ok"
    MISSING = "missing"
    OLD = "old"
    BROKEN = "broken"
    """It exists and does not work."""


@frozen
class Finding:
    """The result of a probe for one thing that adebug needs or can use."""

    topic: str
    name: str
    status: Status
    detail: str = ""
    """Version and path, or the problem."""
    advice: str = ""
    """The remedy; empty if none is needed."""


Probe = Callable[[], list[Finding]]
"""Examines one thing; the doctor calls it from a thread."""


def install_command(*, apt: str, brew: str, winget: str) -> str:
    """The command that installs a package on this platform."""
    system = platform.system()
    if system == "Windows":
        return f"winget install {winget}"
    if system == "Darwin":
        return f"brew install {brew}"
    return f"sudo apt install {apt}" if shutil.which("apt") else f"install {apt} with your system's package manager"


def output_of(command: Sequence[str]) -> str | None:
    """The standard output of a program; None if it fails, takes too long or cannot be started."""
    # A file instead of a pipe: on Windows, a child that keeps the pipe open would block us beyond the time limit.
    with tempfile.TemporaryFile() as file:
        try:
            done = subprocess.run(  # noqa: S603 (a fixed command, found on PATH)
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.DEVNULL,
                timeout=TIME_LIMIT,
                check=False,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return None
        file.seek(0)
        return file.read(100_000).decode("utf-8", "replace") if done.returncode == 0 else None


def version_in(output: str | None) -> str | None:
    """The first version number in the output of a program."""
    match = re.search(r"\d+\.\d+[\w.+-]*", output or "")
    return match.group().rstrip(".") if match else None


def dotted(version: Sequence[object]) -> str:
    """A version with dots between its numbers."""
    return ".".join(map(str, version))
