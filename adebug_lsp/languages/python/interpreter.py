"""Finds the interpreter for the user's program: the one named, the active environment's, the workspace's, or ours."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from adebug_lsp.model.errors import BadInputError

_ENVIRONMENTS = (".venv", "venv", "env")


def find_interpreter(named: Path | None, workspace: Path) -> Path:
    """The interpreter to use; raises `BadInputError` if a named one cannot be run."""
    if named is not None:
        return _checked(named)
    active = os.environ.get("VIRTUAL_ENV")
    folders = [Path(active)] if active else []
    folders += [workspace / name for name in _ENVIRONMENTS]
    for folder in folders:
        if (folder / "pyvenv.cfg").is_file():
            for python in (folder / "bin" / "python", folder / "Scripts" / "python.exe"):
                if python.is_file():
                    return python
    return Path(sys.executable)


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
