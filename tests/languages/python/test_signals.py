"""Signals that come while the tape is being written: they are held back, and come as soon as that is done."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.languages.python.recording.support import RECORDER_FOLDER

LOOP = """
import signal
import sys

def stop(number, frame):
    raise InterruptedError(number)

if "handles" in sys.argv:
    signal.signal(signal.SIGTERM, stop)
if "default" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

def loop(found):
    print("begun", flush=True)
    while found:
        pass

try:
    loop(True)
except (InterruptedError, KeyboardInterrupt) as error:
    print(type(error).__name__, *error.args)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize(
    ("number", "options", "shown"),
    [
        (signal.SIGTERM, [], ""),
        (signal.SIGTERM, ["default"], ""),
        (signal.SIGTERM, ["handles"], "InterruptedError 15\n"),
        (signal.SIGINT, [], "KeyboardInterrupt\n"),
    ],
)
def test_a_program_that_mostly_records_can_be_ended_at_once(
    tmp_path: Path, number: int, options: list[str], shown: str
) -> None:
    """Nearly always the tape is being written when the signal comes."""
    (tmp_path / "loop.py").write_text(LOOP, encoding="utf-8")
    command = [sys.executable, str(RECORDER_FOLDER), "--out", "out", "--workspace", ".", "loop.py", *options]
    for attempt in range(8):
        program = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        assert program.stdout is not None
        assert program.stdout.readline() == "begun\n"
        time.sleep(0.05 + 0.02 * attempt)
        program.send_signal(number)
        assert program.communicate(timeout=9)[0] == shown
