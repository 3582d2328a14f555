"""Every planted bug is found from answers that a person who knows the program gave, by the real command.

`NAME.answers` beside the programs has one answer for each question, with the question and the reason as comments. The
command refuses a file with answers left over, and has no verdict with one that has too few.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.model.plural import counted
from tests.support import ROOT, one_in
from tests.test_programs import NAMES, PROGRAMS, covers
from tests.warm_start import COMMAND

ROUTINES = {"phone_tree", "playlist", "postage", "teams"}
"""Programs in which something is missing from a routine, so that the routine is the smallest code that is wrong."""
_PLACE = re.compile(r"  (?P<path>[\w/]+\.py):(?P<line>\d+):(?P<column>\d+)")


def play(name: str, workspace: Path, about: dict[str, Any]) -> list[str]:
    """The lines of the verdict that the answer file of a program leads to."""
    command = ["test" if about.get("tests") else "run", "--answers", str(PROGRAMS / f"{name}.answers")]
    command += ["--python", sys.executable, *(["--timeout", "1"] if about.get("endless") else [])]
    # The answers are to the questions that follow from all tests: those that pass are evidence.
    command += ["--whole", "-p", "no:cacheprovider", "tests"] if about.get("tests") else ["program.py"]
    done = subprocess.run(
        [*COMMAND, *command],
        cwd=workspace, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    lines = done.stdout.splitlines()
    verdicts = [number for number, line in enumerate(lines) if line.startswith("Bug found")]
    assert len(verdicts) == 1, done.stdout[-2000:]
    return lines[verdicts[0] :]


def answered(name: str) -> int:
    """Number of answers of a file in effect at the end: not undone, and neither trust nor strategies."""
    standing: list[bool] = []
    for line in (PROGRAMS / f"{name}.answers").read_text(encoding="utf-8").splitlines():
        if line == "undo":
            standing.pop()
        elif line and not line.startswith("#"):
            standing.append(line.split()[0] not in ("trust", "strategy"))
    return sum(standing)


@pytest.mark.parametrize("name", one_in(3, NAMES, first=2))
def test_the_planted_bug_is_found_with_answers(name: str, tmp_path: Path) -> None:
    workspace = tmp_path / name
    shutil.copytree(PROGRAMS / name, workspace, ignore=shutil.ignore_patterns("fixed"))
    about = json.loads((workspace / "about.json").read_text(encoding="utf-8"))
    verdict = play(name, workspace, about)
    assert f"after {counted(answered(name), 'answer')}" in verdict[0]
    places = [(number, match) for number, line in enumerate(verdict) if (match := _PLACE.fullmatch(line))]
    assert len(places) == 1, verdict
    number, place = places[0]
    code = [line[4:] for line in verdict[number + 1 :] if line.startswith("    ")]
    assert covers(shown(place, code), about["buggy"], PROGRAMS / name), verdict
    assert code[0].lstrip().startswith("def ") == (name in ROUTINES), verdict


def shown(place: re.Match[str], code: list[str]) -> dict[str, Any]:
    """The range of a verdict that is printed as a location and lines of code."""
    line, column = int(place["line"]) - 1, int(place["column"]) - 1
    end = {"line": line + len(code) - 1, "character": len(code[-1]) + (column if len(code) == 1 else 0)}
    return {"path": place["path"], "range": {"start": {"line": line, "character": column}, "end": end}}


def test_nine_of_ten_verdicts_are_one_statement_at_most() -> None:
    assert len(ROUTINES) <= len(NAMES) / 10
    assert not ROUTINES - set(NAMES)


def test_one_wrong_iteration_of_ten_thousand_is_found_in_twenty_questions() -> None:
    assert answered("ten_thousand") <= 20
