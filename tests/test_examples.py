"""The examples lead to the documented verdicts, and the README shows the actual screens."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.frontends.cli.test_commands import adebug
from tests.frontends.cli.test_screen import Seat, needs_terminal
from tests.support import EXAMPLES, ROOT


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """A copy, so that no recording is left among the examples."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples"))


def test_the_prime_example_ends_at_the_comparison(examples: Path) -> None:
    done = adebug("run", "--python", sys.executable, "--answers", "prime.answers", "prime.py", cwd=examples)
    assert done.returncode == 0
    assert "Bug found after 4 answers, in prime.is_prime\n" in done.stdout
    assert "\n  prime.py:25:11\n    i < lim\n" in done.stdout


def test_the_shop_needs_no_answers_with_a_reference(examples: Path) -> None:
    done = adebug("test", "--python", sys.executable, "--reference", "fixed", "-q", cwd=examples / "shop")
    assert done.returncode == 0
    assert "Bug found after 0 answers, in cart.discount\n" in done.stdout
    assert "\n    amount > 100\n" in done.stdout


def test_the_readme_has_the_questions_of_the_shop(examples: Path, tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (`.+`) \| (yes|no) \| ", text, re.MULTILINE)
    rows = [(code.strip("`").strip(), answer) for code, answer in cells]
    answers = tmp_path / "answers"
    answers.write_text("".join(f"{answer}\n" for _question, answer in rows), encoding="utf-8")
    done = adebug("test", "--python", sys.executable, "--answers", str(answers), "-q", cwd=examples / "shop")
    assert re.findall(r"^\d\. (.+)\?    at ", done.stdout, re.MULTILINE) == [question for question, _answer in rows]
    assert f"Bug found after {len(rows)} answers, in cart.discount\n" in done.stdout
    assert "\n  cart.py:8:8\n    amount > 100\n" in done.stdout


@needs_terminal
def test_the_readme_shows_what_the_terminal_shows(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    question, verdict = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    seat = Seat(examples, "adebug_lsp", "run", "--python", sys.executable, "prime.py")
    for key, shown in (("n", "the loop `while"), ("y", "is_divisible(9, 2)"), ("y", "iteration 1 of")):
        screen(seat, shown)
        seat.presses(key)
    assert without_ends(question.partition("\n\n")[2]) in screen(seat, "the condition `i < lim` was False")
    seat.presses("n")
    assert without_ends(verdict) in screen(seat, "Bug found")
    seat.presses("q")
    assert seat.ends() == 0


def screen(seat: Seat, text: str) -> str:
    """A whole screen that has this text on it."""
    seat.sees(text)
    return without_ends(seat.sees("   q "))


def without_ends(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
