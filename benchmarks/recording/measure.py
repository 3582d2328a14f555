"""Runs one program under one tool in its own process, and measures it.

CPU time is that of the program (`main` alone, as the program measures it) and of the whole process. A process reports
its peak memory and the end of its work itself; the rest is measured from outside.
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
"""Options with which details are recorded regardless of the length of the run."""
LEVELS = {"adebug calls": "calls", "adebug full": "full"}


@frozen
class Recorded:
    """Contents of a recording, and the peak memory of recording it."""

    events: int
    file_bytes: int
    memory: int


@frozen
class Sample:
    """One run. Seconds are CPU time, except `closing`."""

    seconds: float
    """Of the program's `main`."""

    whole: float | None
    """Of the process from start to end, if the system reports it."""

    closing: float
    """Wall-clock time from the end of `main` to the end of the process."""

    memory: int | None
    """Peak memory in bytes, up to the end of the recording if there is one."""

    result: str
    recorded: Recorded | None


@frozen
class Finished:
    """A process that ended successfully."""

    output: str
    ended: float
    cpu: float | None


def pin() -> str:
    """Pins this process and its children to one core, if the system supports it; returns a description."""
    if sys.platform != "linux":
        return "not pinned to a core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"pinned to core {core}"


def compile_recorder(python: str) -> None:
    """Compiles the recorder's modules, as an installer does, so that recorded processes need not."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([python, "-m", "compileall", "-q", str(RECORDER)], env=environment, check=True)


def run(command: Sequence[str], folder: Path, limit: float) -> Finished:
    """Runs a command to its end; raises an error with the end of its output if it fails."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    before = children_cpu()
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
    after = children_cpu()
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
    """Runs a program of the suite under a tool, repeatedly until it has taken this many CPU seconds."""
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
    """The recorder's statistics of a recording, and the size of its file."""
    said = json.loads(Path(f"{out}.stats").read_text(encoding="utf-8"))
    return Recorded(events=said["events"], file_bytes=out.stat().st_size, memory=said["peak_rss"])


def children_cpu() -> float | None:
    """CPU seconds of all child processes that have ended."""
    if resource is None:
        return None
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
