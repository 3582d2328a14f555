"""The dialogues in the documentation equal the output of the real command, except for pids."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.frontends.cli.test_commands import adebug
from tests.languages.erlang.beam import needs_erlang
from tests.support import ROOT

PAGE = ROOT / "docs" / "reference" / "erlang-dialogues.md"
BLOCKS = re.findall(r"```text\n\$ adebug (.*?)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)

pytestmark = needs_erlang


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command.split()[-1] for command, _ in BLOCKS])
def test_the_page_shows_what_the_command_says(command: str, shown: str, tmp_path: Path) -> None:
    name = next(word for word in command.split() if word.endswith(".erl")).removesuffix(".erl")
    workspace = Path(shutil.copytree(ROOT / "tests" / "programs_erlang" / name, tmp_path / name))
    answers = re.findall(r"^> (.*)$", shown, re.MULTILINE)
    (workspace / "answers").write_text("\n".join(answers) + "\n", encoding="utf-8")
    verb, *options = shlex.split(command)
    done = adebug(verb, "--answers", "answers", *options, cwd=workspace)
    assert done.returncode == 0, done.stderr
    assert masked(done.stdout) == masked(shown)


def masked(text: str) -> str:
    """Without what is another number in each run, and without the end that says what could come next."""
    text = re.sub(r"<0\.\d+\.\d+>|#Ref<[\d.]+>", "_", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines() if "Not the bug?" not in line)
