"""The interpreters on this machine that adebug records: this one, and one for each other version that is found.

`FIDELITY_PYTHON` names the only ones to use, as a search path does.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

VERSIONS = tuple((3, minor) for minor in range(10, 16))


@cache
def interpreters() -> dict[tuple[int, int], str]:
    """By version; this one comes first, unless others are named."""
    named = os.environ.get("FIDELITY_PYTHON")
    if named:
        return {version_of(python): python for python in named.split(os.pathsep)}
    interpreters = {version_of(sys.executable): sys.executable}
    for python in _others():
        version = _version_or_none(python)
        if version in VERSIONS:
            interpreters.setdefault(version, python)
    return interpreters


def version_of(python: str) -> tuple[int, int]:
    """An interpreter's major and minor version."""
    asked = [python, "-c", "import sys; print(*sys.version_info[:2])"]
    major, minor = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    return int(major), int(minor)


def _version_or_none(python: str) -> tuple[int, int] | None:
    try:
        return version_of(python)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None  # a command that only points to an interpreter may point to none


def _others() -> Iterator[str]:
    kept = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    yield from sorted(str(python) for python in kept.glob("3.*/bin/python"))
    for major, minor in VERSIONS:
        python = shutil.which(f"python{major}.{minor}")
        if python is not None:
            yield python
