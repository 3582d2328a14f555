"""Python's probes for `adebug doctor`: the part in C, the workspace's interpreter, other interpreters, pytest."""

import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from adebug_lsp.languages.diagnosis import Finding, Probe, Status, dotted, install_command, output_of
from adebug_lsp.languages.python.accelerator_check import check_accelerator

OLDEST_PYTHON = (3, 10)
NEWEST_PYTHON = (3, 15)


def probes(workspace: Path) -> list[Probe]:
    """See `LanguageDescriptor.diagnosis`."""
    minors = range(OLDEST_PYTHON[1], NEWEST_PYTHON[1] + 1)
    return [_accelerator, partial(_workspace_python, workspace), *(partial(_other_python, minor) for minor in minors)]


def _accelerator() -> list[Finding]:
    """Whether programs are recorded with the C part, loaded as the recorder loads it."""
    check = check_accelerator(Path(sys.executable))
    if check.library is not None:
        return [Finding("python", "accelerator", Status.OK, f"in use: {check.library}")]
    compiler = install_command(apt="gcc python3-dev", brew="gcc", winget="Microsoft.VisualStudio.2022.BuildTools")
    advice = f"recording works without it, and takes longer; to build it: {compiler}, then install adebug again"
    return [Finding("python", "accelerator", Status.MISSING, f"not in use: {check.problem}", advice)]


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
"""Script for other interpreters, also old ones. It takes the current folder off the path, which may have a `json.py`.
"""


def _workspace_python(workspace: Path) -> list[Finding]:
    """The interpreter that would run the workspace's programs, and its pytest.

    That is the interpreter of the active virtual environment, or else of the workspace's own, the first on PATH, or
    ours.
    """
    active = os.environ.get("VIRTUAL_ENV")
    environment = next((workspace / name for name in (".venv", "venv") if (workspace / name).is_dir()), None)
    if environment is not None and not active:
        python, about = environment / _INSIDE, _environment_facts(environment)
    else:
        python = Path(active) / _INSIDE if active else Path(shutil.which("python") or sys.executable)
        about = _probed([str(python)])
    name = "workspace"
    if about is None:
        advice = "make the virtual environment anew, or repair this interpreter"
        return [Finding("python", name, Status.BROKEN, f"{python} does not run", advice)]
    return [_python_finding(name, about), _pytest(about)]


_INSIDE = Path("Scripts", "python.exe") if sys.platform == "win32" else Path("bin", "python")


def _environment_facts(environment: Path) -> dict[str, Any] | None:
    """The same facts, read from the files of a virtual environment: its interpreter may be any program."""
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


def _other_python(minor: int) -> list[Finding]:
    """The finding about another version of Python."""
    name = f"python3.{minor}"
    path = shutil.which(name)
    command = [path] if path else ["py", f"-3.{minor}"] if shutil.which("py") else None
    if command is None:
        return [Finding("python", name, Status.MISSING, "", _python_advice(minor))]
    about = _probed(command)
    if about is not None:
        return [_python_finding(name, about)]
    if path is None:  # the Windows launcher does not know this version
        return [Finding("python", name, Status.MISSING, "", _python_advice(minor))]
    return [Finding("python", name, Status.BROKEN, f"{path} does not run", _broken_python_advice(path))]


def _probed(command: Sequence[str]) -> dict[str, Any] | None:
    """The facts that an interpreter reports about itself; None if it cannot be run."""
    output = output_of([*command, "-c", _ABOUT_PYTHON])
    try:
        about = json.loads((output or "").strip().splitlines()[-1])
        return about if isinstance(about, dict) and "version" in about else None
    except (IndexError, ValueError):
        return None


def _python_finding(name: str, about: dict[str, Any]) -> Finding:
    """The finding about an interpreter, from the facts that it reported."""
    version = tuple(about["version"])
    detail = f"{dotted(version)}, {about['executable']}"
    if about.get("free_threaded"):
        detail += ", free-threaded: programs are recorded without the accelerator, which takes longer"
    if version[:2] >= OLDEST_PYTHON:
        return Finding("python", name, Status.OK, detail)
    return Finding(
        "python", name, Status.OLD, detail, f"use Python {dotted(OLDEST_PYTHON)} or newer for programs to debug"
    )


def _pytest(about: dict[str, Any]) -> Finding:
    version = about.get("pytest")
    if version:
        return Finding("python", "pytest", Status.OK, str(version))
    advice = f"{about['executable']} -m pip install pytest"
    return Finding("python", "pytest", Status.MISSING, "for debugging a failing test", advice)


def _python_advice(minor: int) -> str:
    return "only if your programs need it: " + install_command(
        apt=f"python3.{minor}", brew=f"python@3.{minor}", winget=f"Python.Python.3.{minor}"
    )


def _broken_python_advice(path: str) -> str:
    if "shims" in Path(path).parts:
        return "the version is installed but not chosen; see `pyenv help global`"
    return "reinstall it, or remove it from PATH"
