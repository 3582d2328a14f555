"""Every planted bug of the Erlang programs is found with its fixed twin as the reference, by the real command.

The twin judges calls and what is inside them; what processes did it cannot judge, so that candidates are left there.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.languages.erlang.beam import needs_erlang
from tests.support import ROOT

PROGRAMS = ROOT / "tests" / "programs_erlang"
ABOUT = {
    path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(PROGRAMS.glob("*/about.json"))
}
ELSEWHERE = {"alarm", "frames"}
"""The wrong code is a record's default or a macro: the verdict names it beside the code that uses it."""
LEFT_OPEN = {
    *(name for name, about in ABOUT.items() if about["concurrent"]),
    *(
        "bisect",
        "digits",
        "editor",
        "frames",
        "memo",
        "merge_sort",
        "retry",
        "safe_load",
        "word_count",
    ),
}
"""Programs of which the twin cannot judge enough."""

pytestmark = needs_erlang


def verdict_of(name: str, workspace: Path) -> dict[str, Any]:
    about = ABOUT[name]
    limit = ["--timeout", str(about["timeout"] / 1000)] if "timeout" in about else []
    program = about["call"].partition(":")[0] + ".erl"
    command = [sys.executable, "-m", "adebug_lsp", "run", "--json", "--reference", "fixed", *limit, program]
    done = subprocess.run(
        [*command, "--call", about["call"]],
        cwd=workspace, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines, done.stderr[-2000:]
    assert lines[-1]["type"] == "verdict", (lines[-1], done.stderr[-2000:])
    return lines[-1]


def covers(place: dict[str, Any], path: str, line: int) -> bool:
    start, end = place["range"]["start"]["line"] + 1, place["range"]["end"]["line"] + 1
    return place["path"] == path and start <= line <= end


@pytest.mark.parametrize("name", sorted(ABOUT))
def test_the_planted_bug_is_found_with_the_twin(name: str, tmp_path: Path) -> None:
    workspace, about = tmp_path / name, ABOUT[name]
    shutil.copytree(PROGRAMS / name, workspace)
    verdict = verdict_of(name, workspace)
    assert verdict["asked"] == 0
    buggy = about["buggy"]
    assert any(covers(place, buggy["path"], buggy["line"]) for place in verdict["buggy"]), verdict
    if name not in LEFT_OPEN:
        assert verdict["kind"] != "candidates", verdict
        assert len(verdict["buggy"]) == 1 + (name in ELSEWHERE), verdict
