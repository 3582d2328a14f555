"""A recording made by one version of Python is read by an adebug that runs on another."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import adebug
from tests.fidelity.interpreters import interpreters
from tests.support import EXAMPLES, ROOT

PYTHONS = interpreters()
OLDEST, NEWEST = min(PYTHONS), max(PYTHONS)


@pytest.mark.parametrize(("recorded", "read"), [(OLDEST, NEWEST), (NEWEST, OLDEST)])
def test_recordings_go_from_version_to_version(
    recorded: tuple[int, int], read: tuple[int, int], tmp_path: Path
) -> None:
    for name in ("prime.py", "prime.answers"):
        shutil.copy(EXAMPLES / name, tmp_path)
    made = adebug("record", "-o", "prime.rec", "--python", PYTHONS[recorded], "prime.py", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    command = [_adebug_on(PYTHONS[read], tmp_path / "other"), "open", "--answers", "prime.answers", "prime.rec"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Bug found after 4 answers, in prime.is_prime\n" in done.stdout
    assert "\n  prime.py:25:11\n    i < lim\n" in done.stdout


def _adebug_on(python: str, folder: Path) -> str:
    """Install adebug for an interpreter, as a user does."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    install = [scripts / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ROOT]
    subprocess.run(install, check=True, stdout=sys.stderr)
    return str(scripts / "adebug")
