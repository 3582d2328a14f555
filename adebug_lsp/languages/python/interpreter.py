"""Finds the interpreter for the user's program: a named one, the active environment's, the workspace's, or ours."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from adebug_lsp.model.errors import BadInputError

_ENVIRONMENTS = (".venv", "venv", "env")
_MANAGERS = (
    ("pipenv", ("Pipfile",), ("--venv",)),
    ("poetry", ("poetry.lock",), ("env", "info", "--path")),
)
"""Tools that keep environments outside of the project: the file that shows their use, and the command that prints the
folder.
"""


def find_interpreter(named: Path | None, workspace: Path) -> Path:
    """The interpreter to use; raises `BadInputError` if a named one cannot be run."""
    if named is not None:
        return _checked(named)
    active = os.environ.get("VIRTUAL_ENV")
    if active and (python := _interpreter_of(Path(active))) is not None:
        return python
    for folder in _project_folders(workspace):
        for name in _ENVIRONMENTS:
            if (python := _interpreter_of(folder / name)) is not None:
                return python
    return _from_manager(workspace.absolute()) or Path(sys.executable)


def find_script(name: str, interpreter: Path) -> Path:
    """The console script of this name beside an interpreter; raises `BadInputError` if there is none."""
    for file in (interpreter.parent / name, interpreter.parent / f"{name}-script.py"):
        with suppress(OSError), file.open("rb") as script:
            first, second = script.readline(), script.readline()
            # A path that is too long for the first line stands in the second: the file is one of the shell, too.
            if (first.startswith(b"#!") and b"python" in first) or second.startswith(b"'''exec' "):
                return file
    raise BadInputError(f"--script {name}: there is no such Python script in {interpreter.parent}; is it installed?")


def _interpreter_of(environment: Path) -> Path | None:
    """The interpreter of a virtual environment; None for any other folder."""
    if not (environment / "pyvenv.cfg").is_file():
        return None
    pythons = (environment / "bin" / "python", environment / "Scripts" / "python.exe")
    return next(filter(Path.is_file, pythons), None)


def _project_folders(workspace: Path) -> Iterator[Path]:
    """The workspace and its parent folders up to the root of the repository; without a repository, only the workspace.

    The environment of a uv workspace is in the root folder, not in its members.
    """
    around = [workspace.absolute(), *workspace.absolute().parents]
    root = next((index for index, folder in enumerate(around) if (folder / ".git").exists()), 0)
    yield from around[: root + 1]


@cache
def _from_manager(workspace: Path) -> Path | None:
    """The interpreter of an environment that Pipenv or Poetry keeps elsewhere; None if there is none.

    The tools are run to find it, because they choose the folder's name.
    """
    for tool, files, arguments in _MANAGERS:
        if shutil.which(tool) and any((workspace / file).is_file() for file in files):
            command = [shutil.which(tool) or tool, *arguments]
            with suppress(OSError, subprocess.SubprocessError):
                result = subprocess.run(command, cwd=workspace, capture_output=True, text=True, timeout=20, check=True)  # noqa: S603
                return _interpreter_of(Path(result.stdout.strip()))
    return None


def _checked(named: Path) -> Path:
    """Run an interpreter to check its version; raises `BadInputError` if it cannot be used."""
    executable = shutil.which(str(named))
    if executable is None:
        raise BadInputError(f"--python {named}: not found")
    asked = "import sys; print('%d %d' % sys.version_info[:2])"
    try:
        answer = subprocess.run(  # noqa: S603 - the user named it
            [executable, "-I", "-c", asked], capture_output=True, text=True, timeout=20, check=True
        )
        major, minor = (int(word) for word in answer.stdout.split())
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise BadInputError(f"--python {named}: not a Python interpreter ({error})") from error
    if (major, minor) < (3, 10):
        raise BadInputError(f"--python {named}: is Python {major}.{minor}; adebug needs 3.10 or later")
    return Path(executable)
