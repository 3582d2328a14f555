"""Every planted bug is found with its fixed twin as the reference, by the real command in a process of its own.

The verdict is one statement or less, and covers the changed code. Where the twin could not judge all that happened, the
candidates that are left would have to cover it.
"""

import json
import os
import shutil
import subprocess
import sys
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT, one_in
from tests.warm_start import COMMAND

PROGRAMS = ROOT / "tests" / "programs"
NAMES = sorted(path.parent.name for path in PROGRAMS.glob("*/about.json"))
NOT_INSIDE = {
    "integer_root": "the call never ended",
    "packets": "what was done to a stream is not in the recording",
}
"""Programs for which a recording of calls is not enough: the search ends at the buggy routine."""


def verdict_of(workspace: Path, about: dict[str, Any], level: str, python: str) -> dict[str, Any]:
    command = ["test" if about.get("tests") else "run", "--json", "--reference", "fixed", "--python", python]
    command += ["--level", level]
    command += ["--timeout", "1"] if about.get("endless") else []
    command += ["-p", "no:cacheprovider", "tests"] if about.get("tests") else ["program.py"]
    plain = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    plain["ADEBUG_PURE"] = os.environ.get("ADEBUG_PURE", "")
    done = subprocess.run(
        [*COMMAND, *command],
        cwd=workspace, env={"PYTHONPATH": str(ROOT), **plain},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines, done.stderr[-2000:]
    assert lines[-1]["type"] == "verdict", (lines[-1], done.stderr[-2000:])
    assert done.returncode == 0
    verdict: dict[str, Any] = lines[-1]
    return verdict


def covers(place: dict[str, Any], buggy: dict[str, Any], workspace: Path) -> bool:
    """Whether a range covers the wrong text, or the part of it that differs from the twin."""
    wrong, right = ((folder / buggy["path"]).read_text("utf-8") for folder in (workspace, workspace / "fixed"))
    lines = wrong.splitlines(keepends=True)
    line = sum(map(len, lines[: buggy["line"] - 1]))
    start = wrong.index(buggy["text"], line)
    assert start < line + len(lines[buggy["line"] - 1])
    low, high = (
        sum(map(len, lines[: place["range"][end]["line"]])) + place["range"][end]["character"]
        for end in ("start", "end")
    )
    if place["path"] != buggy["path"] or buggy.get("missing"):
        return bool(place["path"] == buggy["path"] and low < start + len(buggy["text"]) and start < high)
    if low <= start and start + len(buggy["text"]) <= high:
        return True
    same = SequenceMatcher(None, wrong, right, autojunk=False).get_matching_blocks()
    gaps = [(before.a + before.size, after.a) for before, after in pairwise(same)]
    end = start + len(buggy["text"])
    added = [offset for offset, until in gaps if offset == until and start <= offset <= end]
    changed = [offset for gap in gaps for offset in range(*gap) if start <= offset < end and wrong[offset] not in " ()"]
    covered = all(low <= offset < high for offset in changed) and all(low <= offset <= high for offset in added)
    return start <= low < high <= end and bool(changed or added) and covered


@pytest.mark.parametrize("name", one_in(3, NAMES, first=1))
def test_the_planted_bug_is_found_with_the_twin(name: str, tmp_path: Path) -> None:
    """The level `calls`, and other interpreters, are in `test_programs_pythons.py`."""
    workspace = tmp_path / name
    shutil.copytree(PROGRAMS / name, workspace)
    about = json.loads((workspace / "about.json").read_text(encoding="utf-8"))
    check_verdict(name, workspace, about, "full", sys.executable)


def check_verdict(name: str, workspace: Path, about: dict[str, Any], level: str, python: str) -> None:
    """A program of an interpreter is recorded, and its twin leads to the bug."""
    verdict = verdict_of(workspace, about, level, python)
    assert any(covers(place, about["buggy"], workspace) for place in verdict["buggy"]), verdict
    if level == "calls" and name in NOT_INSIDE:
        assert verdict["kind"] in ("routine", "candidates"), verdict
    else:
        assert verdict["kind"] in ("expression", "statement"), verdict
        assert len(verdict["buggy"]) == 1, verdict
    assert verdict["asked"] == 0


def test_there_are_enough_programs() -> None:
    assert len(NAMES) >= 40
    assert sum(json.loads((PROGRAMS / name / "about.json").read_text()).get("tests", False) for name in NAMES) >= 10


@pytest.mark.parametrize("names", [NAMES[::8], pytest.param([], marks=pytest.mark.suites)], ids=["some", "all"])
def test_the_programs_match_their_descriptions(names: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAMS / "check.py"), *names],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
