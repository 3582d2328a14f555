"""The Erlang programs with planted bugs are what they say, on the Erlang that is installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

PROGRAMS = ROOT / "tests" / "programs_erlang"


@pytest.fixture(scope="module", autouse=True)
def _erlang() -> None:
    if shutil.which("erl") is None or shutil.which("erlc") is None:
        missing = "Erlang is not installed: the commands erl and erlc are missing"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)


def test_the_erlang_programs_are_what_they_say(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAMS / "check.py")],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
