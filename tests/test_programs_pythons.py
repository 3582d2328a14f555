"""Every planted bug is found in programs of every interpreter that is named, also by what only a later one can run.

`make test-pythons` names them. Programs whose folder begins with `py314_` need that version.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fidelity.fetch import environment_of
from tests.fidelity.interpreters import interpreters
from tests.support import ROOT
from tests.test_programs import NAMES, PROGRAMS, check_verdict

PYTHONS = interpreters()
LATER = ROOT / "tests" / "programs_later"
FOLDERS = [*(PROGRAMS / name for name in NAMES), *sorted(path.parent for path in LATER.glob("*/about.json"))]


def runs(folder: Path, version: tuple[int, int]) -> bool:
    """Whether an interpreter of a version can run a program."""
    return folder.parent == PROGRAMS or (3, int(folder.name[3:5])) <= version


@pytest.mark.suites
@pytest.mark.parametrize("level", ["full", "calls"])
@pytest.mark.parametrize(
    ("folder", "version"),
    [
        pytest.param(folder, version, id=f"{folder.name}-{version[0]}.{version[1]}")
        for version in PYTHONS
        for folder in FOLDERS
        if runs(folder, version)
    ],
)
def test_the_planted_bug_is_found_in_each_version(
    folder: Path, version: tuple[int, int], level: str, tmp_path: Path
) -> None:
    workspace = tmp_path / folder.name
    shutil.copytree(folder, workspace)
    about = json.loads((workspace / "about.json").read_text(encoding="utf-8"))
    python = environment_of(PYTHONS[version]) if about.get("tests") else PYTHONS[version]
    check_verdict(folder.name, workspace, about, level, python)


@pytest.mark.suites
@pytest.mark.parametrize("folder", FOLDERS[len(NAMES) :], ids=lambda folder: folder.name)
def test_a_later_program_goes_wrong_and_its_twin_does_not(folder: Path) -> None:
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    for version, python in PYTHONS.items():
        if runs(folder, version):
            wrong, right = (
                subprocess.run([python, "-B", path / "program.py"], capture_output=True, text=True, check=True).stdout
                for path in (folder, folder / "fixed")
            )
            assert wrong.strip() != right.strip() == about["expects"]
