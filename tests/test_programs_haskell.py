"""Every planted bug of the Haskell programs is found with its fixed twin as the reference, by the real command.

The verdict is one expression, and it covers the changed one. Nobody is asked.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.languages.haskell.recorded import output_of
from tests.support import ROOT, one_in
from tests.test_programs import covers
from tests.warm_start import COMMAND

PROGRAMS = ROOT / "tests" / "programs_haskell"
ABOUT = {
    path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(PROGRAMS.glob("*/about.json"))
}


def verdict_of(workspace: Path) -> dict[str, Any]:
    """The last line of the command, which nobody answers."""
    done = subprocess.run(
        [*COMMAND, "run", "--json", "--reference", "fixed", "program.hs"],
        cwd=workspace, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", timeout=180,
        check=False,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"type"')]
    assert lines, done.stderr[-2000:]
    assert lines[-1]["type"] == "verdict", (lines[-1], done.stderr[-2000:])
    verdict: dict[str, Any] = lines[-1]
    return verdict


@pytest.mark.parametrize("name", one_in(3, ABOUT))
def test_the_planted_bug_is_found_with_the_twin(name: str, tmp_path: Path) -> None:
    workspace = tmp_path / name
    shutil.copytree(PROGRAMS / name, workspace)
    verdict = verdict_of(workspace)
    assert verdict["kind"] == "expression", verdict
    assert verdict["asked"] == 0
    assert len(verdict["buggy"]) == 1, verdict
    assert covers(verdict["buggy"][0], ABOUT[name]["buggy"], workspace), verdict


@pytest.mark.parametrize("name", one_in(3, ABOUT, first=1))
def test_the_twins_differ_in_one_expression_and_in_what_they_print(name: str) -> None:
    wrong, right = (
        (folder / "program.hs").read_text(encoding="utf-8") for folder in (PROGRAMS / name, PROGRAMS / name / "fixed")
    )
    lines, others = wrong.splitlines(), right.splitlines()
    changed = [number for number, (a, b) in enumerate(zip(lines, others, strict=True), 1) if a != b]
    buggy = ABOUT[name]["buggy"]
    assert changed == [buggy["line"]]
    assert buggy["text"] in lines[buggy["line"] - 1]
    (output, ended), (expected, good) = output_of(wrong), output_of(right)
    assert output != expected or ended != good
    assert good.how == "finished"


def test_there_are_enough_programs() -> None:
    assert len(ABOUT) >= 30
