"""`adebug doctor`: what is installed, what is missing, and how to get it.

Only what adebug itself cannot do without is an error; everything else that is missing is advice. A probe runs another
program for a few seconds at most, never raises, and changes nothing. What lies in the workspace is read, never run.
"""

import importlib.metadata
import json
import os
import platform
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

import adebug_lsp
from adebug_lsp import __version__
from adebug_lsp.model.json import to_json
from adebug_lsp.store.integrity import FILE_NAME, FOLDER_NAME, DamagedError, NewerError, examine

OLDEST_PYTHON = (3, 10)
TIME_LIMIT = 4.0
"""Seconds that one probe may take; all probes run at once."""


class Status(Enum):
    """How a thing was found."""

    OK = "ok"
    MISSING = "missing"
    OLD = "old"
    BROKEN = "broken"
    """It is there and does not work."""


@frozen
class Finding:
    """One thing that adebug needs or can use."""

    topic: str
    name: str
    status: Status
    detail: str = ""
    """Version and place, or what is wrong."""
    advice: str = ""
    """What to do; empty when nothing is to be done."""


NEEDED = "adebug"
"""The topic whose findings must all be ok."""


def report() -> list[Finding]:
    """All findings for this installation and the current directory, in the order of topics."""
    workspace = Path.cwd()
    probes: list[Callable[[], list[Finding]]] = [
        _adebug,
        _accelerator,
        lambda: _workspace_python(workspace),
        *(_probe_python(minor) for minor in range(10, 16)),
        _erlang,
        _git,
        *(_probe_editor(program) for program in _EDITORS),
        lambda: _store(workspace),
    ]
    with ThreadPoolExecutor(len(probes)) as pool:
        return [finding for findings in pool.map(lambda probe: probe(), probes) for finding in findings]


def render(findings: Sequence[Finding]) -> str:
    """The findings as text for people: a block for each topic, a line for each thing, advice below it."""
    width = max((len(finding.name) for finding in findings), default=0)
    lines: list[str] = []
    topic = ""
    for finding in findings:
        if finding.topic != topic:
            topic = finding.topic
            lines += ["", topic] if lines else [topic]
        lines.append(f"  {finding.status.value:<8} {finding.name:<{width}}  {finding.detail}".rstrip())
        if finding.advice:
            lines.append(f"  {'':<8} {'':<{width}}  -> {finding.advice}")
    return "\n".join(lines)


def run(json_output: bool) -> int:
    """Print the report; the exit code is 0 unless adebug itself cannot work."""
    findings = report()
    works = all(finding.status is Status.OK for finding in findings if finding.topic == NEEDED)
    if json_output:
        text = json.dumps({"ok": works, "findings": [to_json(finding) for finding in findings]})
    else:
        text = render(findings)
    encoding = sys.stdout.encoding or "utf-8"  # a path may have letters that the terminal does not
    print(text.encode(encoding, "backslashreplace").decode(encoding))
    return 0 if works else 1


def _adebug() -> list[Finding]:
    python = f"Python {_dotted(sys.version_info[:3])}, {sys.executable}"
    return [
        Finding(NEEDED, "adebug", Status.OK, f"{__version__}, on {python}"),
        *(_needed_package(name) for name in ("attrs", "cattrs", "debugpy", "numpy", "pygls")),
        Finding(NEEDED, "SQLite", Status.OK, sqlite3.sqlite_version),
    ]


def _needed_package(name: str) -> Finding:
    try:
        return Finding(NEEDED, name, Status.OK, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        advice = f"{sys.executable} -m pip install {name}"
        return Finding(NEEDED, name, Status.MISSING, f"not installed for {sys.executable}", advice)


def _accelerator() -> list[Finding]:
    """The library that makes recording faster; only looked for, because the user's interpreter is what loads it."""
    folder = Path(adebug_lsp.__file__).parent / "languages" / "python" / "recorder"
    found = next((path for path in map(folder.joinpath, _LIBRARIES) if path.exists()), None)
    if found is None:
        compiler = _install(apt="gcc python3-dev", brew="gcc", winget="Microsoft.VisualStudio.2022.BuildTools")
        advice = f"recording works without it, and takes longer; to build it: {compiler}, then install adebug again"
        return [Finding("python", "accelerator", Status.MISSING, "", advice)]
    switched_off = ", switched off by ADEBUG_PURE" if os.environ.get("ADEBUG_PURE") == "1" else ""
    return [Finding("python", "accelerator", Status.OK, f"{found}{switched_off}")]


_LIBRARIES = ("_accelerator.abi3.so", "_accelerator.pyd")

# Interpreters

_ABOUT_PYTHON = """
import sys
sys.path = [folder for folder in sys.path if folder]
import json
about = {"version": sys.version_info[:3], "executable": sys.executable}
import sysconfig
about["free_threaded"] = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
try:
    from importlib.metadata import PackageNotFoundError, version
except ImportError:
    pass
else:
    try:
        about["pytest"] = version("pytest")
    except PackageNotFoundError:
        about["pytest"] = None
print(json.dumps(about))
"""
"""Run by other interpreters, even old ones. The current directory leaves the path first: it may hold a `json.py`."""


def _workspace_python(workspace: Path) -> list[Finding]:
    """The interpreter that the workspace's programs run on, and what adebug can use in it.

    That of the active virtual environment, else of the workspace's own, else the first on PATH, else ours.
    """
    active = os.environ.get("VIRTUAL_ENV")
    environment = next((workspace / name for name in (".venv", "venv") if (workspace / name).is_dir()), None)
    if environment is not None and not active:
        python, about = environment / _INSIDE, _about_environment(environment)
    else:
        python = Path(active) / _INSIDE if active else Path(shutil.which("python") or sys.executable)
        about = _about([str(python)])
    name = "workspace"
    if about is None:
        advice = "make the virtual environment anew, or repair this interpreter"
        return [Finding("python", name, Status.BROKEN, f"{python} does not run", advice)]
    return [_judged_python(name, about), _pytest(about)]


_INSIDE = Path("Scripts", "python.exe") if sys.platform == "win32" else Path("bin", "python")


def _about_environment(environment: Path) -> dict[str, Any] | None:
    """What the files of a virtual environment tell; its interpreter may be anything, so it is not run."""
    try:
        settings = (environment / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    version = re.search(r"^version(?:_info)?\s*=\s*(\d+)\.(\d+)\.(\d+)", settings, re.MULTILINE)
    if version is None or not (environment / _INSIDE).exists():
        return None
    about: dict[str, Any] = {
        "version": [int(part) for part in version.groups()],
        "executable": str(environment / _INSIDE),
        "free_threaded": any(environment.glob("lib/python3.*t")),
    }
    for info in environment.glob("**/site-packages/*.dist-info"):
        name, _, number = info.name.removesuffix(".dist-info").partition("-")
        about[name] = number
    return about


def _probe_python(minor: int) -> Callable[[], list[Finding]]:
    return lambda: _other_python(minor)


def _other_python(minor: int) -> list[Finding]:
    name = f"python3.{minor}"
    path = shutil.which(name)
    command = [path] if path else ["py", f"-3.{minor}"] if shutil.which("py") else None
    if command is None:
        return [Finding("python", name, Status.MISSING, "", _python_advice(minor))]
    about = _about(command)
    if about is not None:
        return [_judged_python(name, about)]
    if path is None:  # the launcher of Windows knows no such version
        return [Finding("python", name, Status.MISSING, "", _python_advice(minor))]
    return [Finding("python", name, Status.BROKEN, f"{path} does not run", _broken_python_advice(path))]


def _about(command: Sequence[str]) -> dict[str, Any] | None:
    output = _output([*command, "-c", _ABOUT_PYTHON])
    try:
        about = json.loads((output or "").strip().splitlines()[-1])
        return about if isinstance(about, dict) and "version" in about else None
    except (IndexError, ValueError):
        return None


def _judged_python(name: str, about: dict[str, Any]) -> Finding:
    version = tuple(about["version"])
    detail = f"{_dotted(version)}, {about['executable']}"
    if about.get("free_threaded"):
        detail += ", free-threaded: programs are recorded without the accelerator, which takes longer"
    if version[:2] >= OLDEST_PYTHON:
        return Finding("python", name, Status.OK, detail)
    return Finding(
        "python", name, Status.OLD, detail, f"use Python {_dotted(OLDEST_PYTHON)} or newer for programs to debug"
    )


def _pytest(about: dict[str, Any]) -> Finding:
    version = about.get("pytest")
    if version:
        return Finding("python", "pytest", Status.OK, str(version))
    advice = f"{about['executable']} -m pip install pytest"
    return Finding("python", "pytest", Status.MISSING, "for debugging a failing test", advice)


def _python_advice(minor: int) -> str:
    return "only if your programs need it: " + _install(
        apt=f"python3.{minor}", brew=f"python@3.{minor}", winget=f"Python.Python.3.{minor}"
    )


def _broken_python_advice(path: str) -> str:
    if "shims" in Path(path).parts:
        return "the version is installed but not chosen; see `pyenv help global`"
    return "reinstall it, or remove it from PATH"


# Other programs


OLDEST_ERLANG = 25
_ABOUT_ERLANG = (
    'Parts = [P || {P, F} <- [{runtime_tools, "ebin/dbg.beam"}, {eunit, "include/eunit.hrl"}], '
    "D <- [code:lib_dir(P)], is_list(D), filelib:is_regular(filename:join(D, F))], "
    '[io:format("~s ", [T]) || T <- [erlang:system_info(otp_release) | Parts]], halt().'
)
_ERLANG_PARTS = (
    ("runtime_tools", "nothing can be recorded without it", "erlang-runtime-tools"),
    ("eunit", "for debugging a failing test", "erlang-eunit erlang-dev"),
)


def _erlang() -> list[Finding]:
    erl, erlc = shutil.which("erl"), shutil.which("erlc")
    advice = "to debug Erlang: " + _install(
        apt="erlang-base erlang-runtime-tools", brew="erlang", winget="Erlang.ErlangOTP"
    )
    missing = [name for name, path in (("erl", erl), ("erlc", erlc)) if path is None]
    if erl is None or missing:
        return [Finding("erlang", "Erlang/OTP", Status.MISSING, f"no {' and no '.join(missing)} on PATH", advice)]
    told = (_output([erl, "-noshell", "-eval", _ABOUT_ERLANG]) or "").split()
    if not told or not told[0].isdigit():
        return [Finding("erlang", "Erlang/OTP", Status.BROKEN, f"{erl} does not run", advice)]
    detail = f"{told[0]}, {erl}"
    if int(told[0]) < OLDEST_ERLANG:
        return [Finding("erlang", "Erlang/OTP", Status.OLD, detail, f"use Erlang/OTP {OLDEST_ERLANG} or newer")]
    lacking = [
        Finding(
            "erlang", name, Status.MISSING, purpose, _install(apt=packages, brew="erlang", winget="Erlang.ErlangOTP")
        )
        for name, purpose, packages in _ERLANG_PARTS
        if name not in told
    ]
    return [Finding("erlang", "Erlang/OTP", Status.OK, detail), *lacking]


def _git() -> list[Finding]:
    path = shutil.which("git")
    advice = "to compare with an earlier version: " + _install(apt="git", brew="git", winget="Git.Git")
    if path is None:
        return [Finding("git", "git", Status.MISSING, "", advice)]
    version = _version(_output([path, "--version"]))
    if version is None:
        return [Finding("git", "git", Status.BROKEN, f"{path} does not run", advice)]
    return [Finding("git", "git", Status.OK, f"{version}, {path}")]


_EDITORS = {
    "code": "VS Code",
    "code-server": "code-server",
    "nvim": "Neovim",
    "emacs": "Emacs",
    "hx": "Helix",
    "kate": "Kate",
}
"""Each editor's program on PATH, and its name."""


def _probe_editor(program: str) -> Callable[[], list[Finding]]:
    return lambda: _editor(program)


def _editor(program: str) -> list[Finding]:
    path = shutil.which(program)
    if path is None:
        return [Finding("editors", _EDITORS[program], Status.MISSING, f"no {program} on PATH", _editor_advice(program))]
    # Some editors cannot tell their version without a display; they are there all the same.
    version = _version(_output([path, "--version"]))
    return [Finding("editors", _EDITORS[program], Status.OK, f"{version}, {path}" if version else path)]


def _editor_advice(program: str) -> str:
    if program == "code":
        return "if you have it, run 'Shell Command: Install code command in PATH' in it; else see code.visualstudio.com"
    return (
        "if you want it: "
        + {
            "code-server": "npm install --global code-server",
            "nvim": _install(apt="neovim", brew="neovim", winget="Neovim.Neovim"),
            "emacs": _install(apt="emacs", brew="emacs", winget="GNU.Emacs"),
            "hx": "see docs.helix-editor.com/install.html",
            "kate": "see kate-editor.org/get-it",
        }[program]
    )


def _install(*, apt: str, brew: str, winget: str) -> str:
    """What installs a package on this platform."""
    system = platform.system()
    if system == "Windows":
        return f"winget install {winget}"
    if system == "Darwin":
        return f"brew install {brew}"
    return f"sudo apt install {apt}" if shutil.which("apt") else f"install {apt} with your system's package manager"


# The store


def _store(workspace: Path) -> list[Finding]:
    file = str(workspace / FOLDER_NAME / FILE_NAME)
    name = "store"
    try:
        contents = examine(workspace)
    except NewerError as error:
        return [Finding(name, name, Status.OLD, f"{file}: {error}", "upgrade adebug: pip install --upgrade adebug-lsp")]
    except DamagedError as error:
        advice = "nothing to do: the next session sets it aside and begins a new one"
        return [Finding(name, name, Status.BROKEN, f"{file}: {error}", advice)]
    except (OSError, sqlite3.Error) as error:
        advice = "check who may read and write it; until then sessions save nothing"
        return [Finding(name, name, Status.BROKEN, f"{file}: {error}", advice)]
    if contents is None:
        return [Finding(name, name, Status.OK, "none here yet; the first session makes it")]
    counts = ", ".join(f"{count} {kind}" for kind, count in asdict(contents).items())
    return [Finding(name, name, Status.OK, f"{counts}; {file}")]


# Running programs


def _output(command: Sequence[str]) -> str | None:
    """What a program writes to its standard output; None if it fails, takes too long or cannot be started."""
    # A file and no pipe: on Windows a child that keeps the pipe open would hold us up for longer than the limit.
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


def _version(output: str | None) -> str | None:
    found = re.search(r"\d+\.\d+[\w.+-]*", output or "")
    return found.group().rstrip(".") if found else None


def _dotted(version: Sequence[object]) -> str:
    return ".".join(map(str, version))
