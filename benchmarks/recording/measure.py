"""Runs one program under one tool in a process of its own, and says what that took.

CPU time is the program's own (`main` alone, as the program measures it) and the whole process's. What a process held in
memory and when it ended its work it says itself; the rest is measured from outside.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from benchmarks.recording.cases import PROGRAMS

try:
    import resource
except ImportError:  # not on Windows
    resource = None

RECORDER = Path(__file__).parents[2] / "adebug_lsp" / "languages" / "python" / "recorder"
UNDER = Path(__file__).parent / "under.py"
DETAILED = json.dumps({"detailed": 1 << 40})
"""What is measured is recording with all details, however long it is."""
LEVELS = {"adebug calls": "calls", "adebug full": "full"}


@frozen
class Recorded:
    """What a recording consists of, and the most memory that its making took."""

    events: int
    file_bytes: int
    memory: int


@frozen
class Sample:
    """One run. Seconds are CPU time, but for `closing`."""

    seconds: float
    """Of the program's `main`."""

    whole: float | None
    """Of the process from start to end, where the system tells."""

    closing: float
    """From the end of `main` to the end of the process, by the clock."""

    memory: int | None
    """The most bytes held, up to the end of the recording if there is one."""

    result: str
    recorded: Recorded | None


@frozen
class Finished:
    """A process that ended well."""

    output: str
    ended: float
    cpu: float | None


def pin() -> str:
    """Keep this process and all that it starts on one core, where the system can; says what was done."""
    if sys.platform != "linux":
        return "not pinned to a core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"pinned to core {core}"


def compile_recorder(python: str) -> None:
    """Compile the recorder's own modules, as an installer does: else every recorded process would do it anew."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([python, "-m", "compileall", "-q", str(RECORDER)], env=environment, check=True)


def run(command: Sequence[str], folder: Path, limit: float) -> Finished:
    """Run a command to its end; what went wrong is raised with the command's own last words."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    before = _children()
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=limit,
        check=False,
    )
    ended = time.time()
    after = _children()
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-2000:]}")
    return Finished(done.stdout, ended, None if after is None or before is None else after - before)


def command_of(tool: str, python: str, out: Path, workspace: Path, program: Sequence[str]) -> list[str]:
    """The command that runs a program under a tool; a recording goes to `out`."""
    if tool == "bare":
        return [python, *program]
    if tool in LEVELS:
        options = ["--out", str(out), "--stats", f"{out}.stats", "--workspace", str(workspace), "--settings", DETAILED]
        return [python, str(RECORDER), *options, "--level", LEVELS[tool], *program]
    return [python, str(UNDER), tool, *program]


def sample(tool: str, python: str, name: str, size: int, *, least: float = 0.0, limit: float = 300.0) -> Sample:
    """Run a program of the suite under a tool; at least so many CPU seconds, by repeating it."""
    with tempfile.TemporaryDirectory(prefix="adebug-bench-") as folder:
        out = Path(folder) / "recording"
        program = [str(PROGRAMS / "run.py"), name, str(size), *([str(least)] if least else [])]
        done = run(command_of(tool, python, out, PROGRAMS, program), PROGRAMS, limit)
        said = json.loads(done.output.splitlines()[-1])
        recorded = recorded_in(out) if tool in LEVELS else None
    return Sample(
        seconds=said["seconds"],
        whole=done.cpu,
        closing=done.ended - said["ended"],
        memory=said["memory"] if recorded is None else recorded.memory,
        result=said["result"],
        recorded=recorded,
    )


def recorded_in(out: Path) -> Recorded:
    """What the recorder says of a recording, and what lies on the disk."""
    said = json.loads(Path(f"{out}.stats").read_text(encoding="utf-8"))
    return Recorded(events=said["events"], file_bytes=out.stat().st_size, memory=said["peak_rss"])


def _children() -> float | None:
    """The CPU seconds of all processes that this one started and that have ended."""
    if resource is None:
        return None
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
