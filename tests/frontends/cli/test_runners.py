"""Every way to run a project: unittest with and without pytest, Django, console scripts, environments found."""

import json
import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

from adebug_lsp.languages.python.interpreter import find_interpreter, find_script
from adebug_lsp.model.errors import BadInputError
from tests.warm_start import COMMAND

CALC = "def add(a, b):\n    return a + b + (a == 4)\n"
TESTS = """\
import unittest
from calc import add

class TestAdd(unittest.TestCase):
    def test_small(self):
        self.assertEqual(add(1, 2), 3)

    def test_parts(self):
        for a in (1, 4):
            with self.subTest(a=a):
                self.assertEqual(add(a, 2), a + 2)

class TestSetUp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        {set_up}

    def test_any(self):
        pass

if __name__ == "__main__":
    unittest.main()
"""
NAME = "test_calc.py::TestAdd::test_parts"
WITHOUT = {name: text for name, text in os.environ.items() if name not in ("VIRTUAL_ENV", "DJANGO_SETTINGS_MODULE")}


def adebug(folder: Path, *words: str, answers: str = "yes\nyes\n", environment: Mapping[str, str] = WITHOUT) -> str:
    """What adebug prints in a folder."""
    (folder / "answers").write_text(answers, encoding="utf-8")
    command = [*COMMAND, words[0], "--answers", "answers", *words[1:]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False, env=environment)
    return done.stdout + done.stderr


def environment_in(folder: Path) -> Path:
    """A new virtual environment without packages; returns its interpreter."""
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "calc.py").write_text(CALC, encoding="utf-8")
    (tmp_path / "test_calc.py").write_text(TESTS.format(set_up="pass"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "words", ["run -m unittest", "run -m unittest -v test_calc", "run test_calc.py", "run -m test_calc"]
)
def test_a_failing_test_of_unittest_is_found_in_any_run(project: Path, words: str) -> None:
    text = adebug(project, *words.split())
    assert f"asking about {NAME}: AssertionError: 7 != 6" in text
    assert "add(4, 2) = 7: no, by the failing test (line 11: self.assertEqual(add(a, 2), a + 2))" in text
    assert "1. a + b = 6?" in text


def test_without_pytest_unittest_runs_the_tests(project: Path) -> None:
    environment_in(project / ".venv")
    text = adebug(project, "test")
    assert "adebug: recording `python -m unittest`, because there is no pytest for this project" in text
    assert f"asking about {NAME}" in text
    passed = adebug(project, "test", "test_calc.TestAdd.test_small")
    assert "no test failed, so there is nothing to find; `python -m unittest` ran the tests" in passed


def test_a_failing_set_up_of_a_class_is_one_of_the_whole_run(project: Path) -> None:
    (project / "test_calc.py").write_text(TESTS.format(set_up="add(None, 1)"), encoding="utf-8")
    text = adebug(project, "run", "-m", "unittest", "test_calc.TestSetUp")
    assert "asking about" not in text
    assert "1. TestSetUp.setUpClass(<class 'test_calc.TestSetUp'>):" in text
    assert "raised    TypeError(" in text


def test_a_run_in_which_all_tests_pass_is_asked_about_as_a_whole(project: Path) -> None:
    text = adebug(project, "run", "-m", "unittest", "test_calc.TestAdd.test_small")
    assert "asking about" not in text
    assert "1. " in text


def test_the_methods_of_unittest_look_as_before(project: Path) -> None:
    program = """\
import inspect, unittest
result = unittest.TestResult
print(result.startTest.__qualname__, result.addError.__module__, inspect.isfunction(result.addSubTest))
print([name for name in vars(result) if "adebug" in name])
result().addFailure(unittest.FunctionTestCase(print), (ValueError, ValueError(1), None))
"""
    (project / "looks.py").write_text(program, encoding="utf-8")
    text = adebug(project, "run", "looks.py")
    assert text.startswith("TestResult.startTest unittest.result True\n[]\n")


def test_django(tmp_path: Path) -> None:
    for words in ("startproject shop .", "startapp cart"):
        subprocess.run(
            [sys.executable, "-m", "django", *words.split()], cwd=tmp_path, check=True, timeout=60, env=WITHOUT
        )
    total = "def total(prices, discount=0):\n    whole = sum(prices)\n    return whole - whole * discount // 10\n"
    (tmp_path / "cart" / "models.py").write_text(total, encoding="utf-8")
    tests = "from django.test import TestCase\nfrom cart.models import total\n\nclass TotalTests(TestCase):\n"
    tests += "    def test_discount(self):\n        self.assertEqual(total([50, 50], 20), 80)\n"
    (tmp_path / "cart" / "tests.py").write_text(tests, encoding="utf-8")
    text = adebug(tmp_path, "test", "cart", answers="no\nyes\n")
    assert "adebug: recording `manage.py test`" in text
    assert "asking about cart/tests.py::TotalTests::test_discount: AssertionError: -100 != 80" in text
    assert "1. whole - whole * discount // 10 = -100?" in text


FLASK = """\
import flask
import click

app = flask.Flask(__name__)

def rate(item):
    return {"pen": 2, "book": 12}[item] - (item == "pen")

@app.cli.command("price")
@click.argument("item")
@click.option("--count", default=1)
def price(item, count):
    click.echo(f"{item}: {rate(item) * count}")
"""


@pytest.mark.skipif(os.name == "nt", reason="console scripts are programs of their own there")
def test_a_console_script(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(FLASK, encoding="utf-8")
    words = ["--python", sys.executable, "--script", "flask", "--app", "shop", "price", "pen", "--count", "3"]
    text = adebug(tmp_path, "run", *words)
    assert text.startswith("pen: 3\n")
    assert "rate('pen') = 1?" in text
    (tmp_path / "test_shop.py").write_text("import shop\n\ndef test_it():\n    assert shop.rate('pen') == 2\n")
    text = adebug(tmp_path, "run", "--python", sys.executable, "--script", "pytest", "test_shop.py")
    assert "asking about test_shop.py::test_it" in text


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "shell").write_text("#!/bin/sh\necho\n", encoding="utf-8")
    (tmp_path / "long").write_text("#!/bin/sh\n'''exec' /a/very/long/python \"$0\" \"$@\"\n' '''\n", encoding="utf-8")
    assert find_script("long", tmp_path / "python") == tmp_path / "long"
    for name in ("shell", "nothing"):
        with pytest.raises(BadInputError, match="there is no such Python script"):
            find_script(name, tmp_path / "python")


def test_a_script_is_verified_again(tmp_path: Path) -> None:
    """The note of a recording keeps the name, so that the run can be repeated."""
    (tmp_path / "shop.py").write_text(FLASK, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "adebug_lsp",
        "run",
        "--python",
        sys.executable,
        "--script",
        "flask",
        "--app",
        "shop",
    ]
    subprocess.run([*command, "price", "pen"], cwd=tmp_path, input="", text=True, timeout=60, check=False, env=WITHOUT)
    (note,) = (tmp_path / ".adebug" / "recordings").glob("*.json")
    kept = json.loads(note.read_text(encoding="utf-8"))
    assert (kept["script"], kept["program"], kept["args"]) == ("flask", None, ["--app", "shop", "price", "pen"])


def test_the_environment_of_a_repository_is_found_from_a_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a workspace of uv; but not that of a folder around the repository."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    member = tmp_path / "repository" / "packages" / "one"
    member.mkdir(parents=True)
    outside = environment_in(tmp_path / ".venv")
    assert find_interpreter(None, member) == Path(sys.executable)
    (tmp_path / "repository" / ".git").mkdir()
    assert find_interpreter(None, member) == Path(sys.executable)
    root = environment_in(tmp_path / "repository" / ".venv")
    assert find_interpreter(None, member) == root
    own = environment_in(member / ".venv")
    assert find_interpreter(None, member) == own
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / ".venv"))
    assert find_interpreter(None, member) == outside


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for the tool is a script of the shell")
@pytest.mark.parametrize(
    ("tool", "file", "words"), [("pipenv", "Pipfile", "--venv"), ("poetry", "poetry.lock", "env info --path")]
)
def test_an_environment_that_a_tool_keeps_elsewhere_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str, file: str, words: str
) -> None:
    """The tool is a stand-in with the documented output; the environment is real."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    elsewhere = environment_in(tmp_path / "elsewhere")
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / tool).write_text(f'#!/bin/sh\n[ "$*" = "{words}" ] && echo {tmp_path}/elsewhere\n', encoding="utf-8")
    (tmp_path / tool).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert find_interpreter(None, project) == Path(sys.executable)
    find_interpreter.__globals__["_from_manager"].cache_clear()
    (project / file).touch()
    assert find_interpreter(None, project) == elsewhere
