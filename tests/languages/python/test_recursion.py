"""Unbounded recursion is blamed on the routine that recurs, wherever the interpreter gave up."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.warm_start import COMMAND

WRONG = {
    "in the routine itself": "def depth(n):\n    if n < 0:\n        return 0\n    return 1 + depth(n + 1)\n",
    "in a helper": (
        "def half(n):\n    return sum(divmod(n, 2))\n\n"
        "def leaf(n):\n    return half(half(n)) <= 0\n\n"
        "def depth(n):\n    if leaf(n):\n        return 0\n    return 1 + depth(n + 1)\n"
    ),
    "in a loop": (
        "def depth(n):\n    total = 0\n    for _ in range(1):\n        if n < 0:\n            return 0\n"
        "        total += 1\n        total += depth(n + 1)\n    return total\n"
    ),
}


@pytest.mark.parametrize("program", WRONG.values(), ids=WRONG)
def test_infinite_recursion_is_blamed_on_the_recursive_call(program: str, tmp_path: Path) -> None:
    call = "\nprint(depth(3))\n"
    (tmp_path / "fixed").mkdir()
    (tmp_path / "program.py").write_text(program + call)
    (tmp_path / "fixed" / "program.py").write_text(program.replace("n + 1", "n // 2 - 1") + call)
    command = ["run", "--json", "--reference", "fixed", "--python", sys.executable, "program.py"]
    done = subprocess.run(
        [*COMMAND, *command],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    verdict = json.loads(done.stdout.splitlines()[-1])
    assert verdict["type"] == "verdict", verdict
    assert verdict["asked"] == 0
    assert [buggy["text"] for buggy in verdict["buggy"] if "n + 1" in buggy["text"]], verdict
    assert verdict["kind"] in ("statement", "expression"), verdict
