"""The Erlang programs with planted bugs match their descriptions on the installed Erlang.

So are the modules that use all constructs: their results are the same each time, and hold nothing that could differ.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs_erlang import check
from tests.support import ROOT

PROGRAMS = ROOT / "tests" / "programs_erlang"


@pytest.fixture(scope="module", autouse=True)
def _erlang() -> None:
    if shutil.which("erl") is None or shutil.which("erlc") is None:
        missing = "Erlang is not installed: the commands erl and erlc are missing"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)


def test_the_erlang_programs_match_their_descriptions(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAMS / "check.py")],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


def result_of(module: str, call: str) -> str:
    files = [str(PROGRAMS / f"{name}.erl") for name in (module, "constructs_server")]
    results, _ = check.run([("the constructs", files, call, check.PATIENCE)])
    return results["the constructs"]


@pytest.mark.parametrize("module", ["constructs", "constructs_maybe"])
def test_the_constructs_give_the_same_each_time(module: str) -> None:
    first = result_of(module, f"{module}:main()")
    assert first.startswith(("[{", "{["))
    assert first == result_of(module, f"{module}:main()")
    assert not any(volatile in first for volatile in ("<0.", "#Ref", "#Fun", "#Port"))


def test_a_long_loop_stays_in_constant_memory() -> None:
    assert ",constant_memory," in result_of("constructs", "constructs:main(1000000)")
