"""Runs a program bare or recorded, each in a copy of its workspace, and keeps everything observable from outside.

Paths of the copy and addresses of objects are masked; everything else is kept byte by byte. Strings hash alike in
every run.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from attrs import frozen

from tests.support import ROOT

RECORDER = ROOT / "adebug_lsp" / "languages" / "python" / "recorder"
INSIDE = Path(__file__).parent / "inside"
ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,16}\b")
LIMIT = 120.0


@frozen
class How:
    """A way to run a program: bare when there is no recorder, else at a level."""

    name: str
    recorder: Path | None = None
    level: str = "full"


BARE = How("bare")
FULL = How("full", RECORDER, "full")
CALLS = How("calls", RECORDER, "calls")
UNCHANGED = How("unchanged", INSIDE / "careless.py", "calls")
CARELESS = How("careless", INSIDE / "careless.py", "full")
WAYS = {how.name: how for how in (BARE, FULL, CALLS, UNCHANGED, CARELESS)}


@frozen
class Program:
    """A program to run: its workspace, the arguments of the interpreter, and the environment."""

    fill: Callable[[Path], None]
    command: tuple[str, ...]
    python: str
    path: tuple[str, ...] = ()
    """Folders for PYTHONPATH; a relative one lies in the workspace."""

    settings: Mapping[str, str] = {}
    """More for the environment."""


@frozen
class Seen:
    """The observable result of one run."""

    code: int | None
    """None if it was stopped at the time limit."""

    output: str
    errors: str
    tests: Mapping[str, Sequence[str]]
    warnings: Sequence[str]
    recording: int
    """Size of the recording in bytes; 0 if there is none."""


def run_both(program: Program, how: How, other: How = BARE) -> tuple[Seen, Seen]:
    """The program run both ways, at the same time: first `other`, which is bare unless said."""
    with ThreadPoolExecutor(2) as pool:
        first, second = (pool.submit(run, program, way) for way in (other, how))
        return first.result(), second.result()


def run(program: Program, how: How) -> Seen:
    """The program run in a fresh workspace."""
    with tempfile.TemporaryDirectory(prefix="adebug-fidelity-") as name:
        folder = Path(name).resolve()
        workspace, out, outcomes = folder / "workspace", folder / "recording", folder / "outcomes.json"
        workspace.mkdir()
        program.fill(workspace)
        command = [*_prefix(how, program.python, workspace, out), *program.command]
        code, output, errors = _ended(command, workspace, _environment(program, workspace, outcomes))
        mask = _masker(folder)
        said = json.loads(mask(outcomes.read_text(encoding="utf-8"))) if outcomes.exists() else {}
        return Seen(
            code,
            mask(output.decode("utf-8", "backslashreplace")),
            mask(errors.decode("utf-8", "backslashreplace")),
            said.get("tests", {}),
            sorted(said.get("warnings", [])),
            out.stat().st_size if out.exists() else 0,
        )


def copy_of(folder: Path) -> Callable[[Path], None]:
    """Fills a workspace with what is in a folder."""

    def fill(workspace: Path) -> None:
        ignored = shutil.ignore_patterns("__pycache__", ".git")
        shutil.copytree(folder, workspace, dirs_exist_ok=True, ignore=ignored)

    return fill


def _ended(command: list[str], folder: Path, environment: dict[str, str]) -> tuple[int | None, bytes, bytes]:
    """The exit code and both outputs of a command that is stopped when it takes too long."""
    settings: dict[str, Any] = {"cwd": folder, "env": environment, "stdin": subprocess.DEVNULL, "capture_output": True}
    try:
        done = subprocess.run(command, timeout=LIMIT, check=False, **settings)
    except subprocess.TimeoutExpired as late:
        return None, late.stdout or b"", late.stderr or b""
    return done.returncode, done.stdout, done.stderr


def _prefix(how: How, python: str, workspace: Path, out: Path) -> list[str]:
    if how.recorder is None:
        return [python]
    return [python, str(how.recorder), "--out", str(out), "--workspace", str(workspace), "--level", how.level]


def _environment(program: Program, workspace: Path, outcomes: Path) -> dict[str, str]:
    others = ("PYTHON", "PYTEST", "COV_")
    ours = {name: value for name, value in os.environ.items() if not name.startswith(others) and name != "CI"}
    temporary = outcomes.parent / "tmp"
    temporary.mkdir()
    return {
        **ours,
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONPATH": os.pathsep.join(str(workspace / folder) for folder in program.path),
        "FIDELITY_OUTCOMES": str(outcomes),
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary)),
        **program.settings,
    }


_TEMPORARY = re.compile(r"(?<=FOLDER/tmp/)tmp[a-z0-9_]{8}")
"""A name chosen at random by `tempfile`, which Python 3.14 shows in a warning."""


def _masker(folder: Path) -> Callable[[str], str]:
    escaped = json.dumps(str(folder))[1:-1]

    def mask(text: str) -> str:
        text = text.replace(escaped, "FOLDER").replace(str(folder), "FOLDER")
        return ADDRESS.sub("0xADDRESS", _TEMPORARY.sub("tmpNAME", text))

    return mask
