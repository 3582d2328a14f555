"""`adebug verify` of a fix that does not end: it is limited, and Ctrl-C ends it with all that it has started."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from adebug_lsp.frontends.shared import verify as verifying
from adebug_lsp.frontends.shared.verify import verify
from adebug_lsp.model.errors import BadInputError
from tests.frontends.cli.test_commands import adebug
from tests.frontends.dap.test_live import processes_of
from tests.support import ROOT

RIGHT = """\
def double(n):
    return n + 1


print(double(3))
"""
ENDLESS = """\
import pathlib
import signal
import time

signal.signal(signal.SIGINT, signal.SIG_IGN)


def double(n):
    pathlib.Path("running").touch()
    while n:
        time.sleep(0.01)


print(double(3))
"""


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """A workspace with a session about a program that ended, and an edit after which it does not."""
    (tmp_path / "double.py").write_text(RIGHT, encoding="utf-8")
    asked = adebug("run", "--strategy", "top-down", "double.py", cwd=tmp_path, stdin="no\nno\nno\n")
    assert "Bug found" in asked.stdout, asked
    (tmp_path / "double.py").write_text(ENDLESS, encoding="utf-8")
    return tmp_path


def quiet(doing: str, done: int = 0, total: int | None = None) -> None:
    """No progress."""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
def test_a_run_that_takes_far_longer_than_the_recorded_one_is_ended(
    edited: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "LEAST_SECONDS", 1.0)
    began = time.monotonic()
    with pytest.raises(BadInputError, match=r"stopped after \d+ s, .* the recorded run took [\d.]+ s"):
        verify(edited, quiet, quiet)
    assert time.monotonic() - began < 30
    assert processes_of(edited) == []


def test_whoever_wants_no_more_of_it_does_not_wait(edited: Path) -> None:
    stop = threading.Event()

    def stop_when_it_runs() -> None:
        wait_for(edited / "running")
        stop.set()

    threading.Thread(target=stop_when_it_runs).start()
    with pytest.raises(BadInputError, match="was stopped, so nothing was compared"):
        verify(edited, quiet, quiet, stop=stop)


@pytest.mark.skipif(os.name != "posix", reason="the signal goes to a group of processes")
def test_ctrl_c_ends_it_with_the_program(edited: Path) -> None:
    command = [sys.executable, "-m", "adebug_lsp", "verify"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, cwd=edited, env=environment, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        wait_for(edited / "running")
        os.killpg(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, out) == (130, "")
    assert errors.strip().splitlines()[-1] == "adebug: interrupted"
    assert "Traceback" not in errors
    assert processes_of(edited) == []


def wait_for(file: Path) -> None:
    end = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < end, f"{file} did not come"
        time.sleep(0.05)
