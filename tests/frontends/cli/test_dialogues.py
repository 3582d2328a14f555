"""Whole dialogues about programs that use frameworks, by the real command, kept beside the programs.

The first line of a program has the command and the answers. ADEBUG_ACCEPT=1 writes the dialogues as they are now.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warm_start import COMMAND

FOLDER = Path(__file__).parent / "dialogues"
PROGRAMS = sorted(FOLDER.glob("*.py"))
_HEAD = re.compile(r"# adebug (?P<command>.*); answers: (?P<answers>.*)\n")
_BEGINNING = re.compile(r"(asking about|The run went wrong)")
_TELL_PYTEST_OF_CI = ("CI", "BUILD_NUMBER")
"""Pytest shows whole differences then: https://docs.pytest.org/en/stable/explanation/ci.html"""
_VOLATILE = ((re.compile(r"[^ '\"]*/bin/python[\w.]*"), "PYTHON"), (re.compile(r"\d+\.\d+\.\d+"), "VERSION"))


def dialogue(program: Path, folder: Path) -> str:
    """The dialogue, without the output of the program before it."""
    text = program.read_text(encoding="utf-8")
    head = _HEAD.match(text)
    assert head is not None, f"{program} does not begin with its command"
    (folder / program.name).write_text(text, encoding="utf-8")
    (folder / "answers").write_text("\n".join(head["answers"].split()), encoding="utf-8")
    first, *rest = head["command"].split()
    command = [*COMMAND, first, "--python", sys.executable, "--answers", "answers", *rest]
    environment = {name: value for name, value in os.environ.items() if name not in _TELL_PYTEST_OF_CI}
    done = subprocess.run(
        [*command, program.name], cwd=folder, capture_output=True, text=True, timeout=120, check=False, env=environment
    )
    begun = _BEGINNING.search(done.stdout)
    assert begun is not None, done.stdout + done.stderr
    shown = done.stdout[begun.start() :]
    for pattern, stable in _VOLATILE:
        shown = pattern.sub(stable, shown)
    return shown


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_the_dialogue_is_as_it_was(program: Path, tmp_path: Path) -> None:
    shown, kept = dialogue(program, tmp_path), program.with_suffix(".expected")
    if os.environ.get("ADEBUG_ACCEPT"):
        kept.write_text(shown, encoding="utf-8")
    assert shown == kept.read_text(encoding="utf-8")
    assert "Bug found" in shown
    assert not shown.rstrip().rpartition("\n")[2].startswith("> "), "there are answers left over"
