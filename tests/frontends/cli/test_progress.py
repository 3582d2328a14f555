"""The line that shows progress shares a terminal with the program that is recorded."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import sys, time
for number in range(4):
    print("line", number)
    time.sleep(0.6)
sys.stdout.write("no end")
sys.stdout.flush()
time.sleep(0.6)
print(" of line")
"""
PIECE = re.compile(r"\x1b7\x1b\[\d+;1H\x1b\[2K([^\x1b]*)(\x1b\[r)?\x1b8|\x1bD\x1b\[1A\x1b7\x1b\[1;(\d+)r\x1b8")
"""One picture, the last clearing, or the making of room: nothing else is ever written."""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_the_program_s_output_is_as_it_was_around_the_bottom_line(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(PROGRAM, encoding="utf-8")
    shown = _on_a_terminal(["record", "-o", "slow.rec", "slow.py"], tmp_path)
    pieces = list(PIECE.finditer(shown))
    assert pieces[0][3] == "19"  # of 20 rows
    assert [piece[1] for piece in pieces[1:-1]].count("recording: 2 s") == 2
    assert pieces[-1][2] == "\x1b[r"
    plain = PIECE.sub("", shown).replace("\r\n", "\n")
    assert plain.startswith("line 0\nline 1\nline 2\nline 3\nno end of line\n")
    assert "\x1b" not in plain


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_no_progress_is_drawn_over_a_full_screen_program(tmp_path: Path) -> None:
    (tmp_path / "keys.py").write_text("import time, tty\ntty.setcbreak(0)\ntime.sleep(2.5)\n", encoding="utf-8")
    assert "recording" not in _on_a_terminal(["record", "-o", "keys.rec", "keys.py"], tmp_path)


def _on_a_terminal(arguments: list[str], folder: Path) -> str:
    import pty  # noqa: PLC0415 - not on Windows

    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "LINES": "20", "COLUMNS": "80"}
    process = subprocess.Popen(
        [sys.executable, "-m", "adebug_lsp", *arguments], cwd=folder, env=environment,
        stdin=theirs, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while block := os.read(ours, 65536):
            shown += block
    except OSError:  # Linux's word for the end
        pass
    os.close(ours)
    assert process.wait(20) == 0
    return shown.decode()
