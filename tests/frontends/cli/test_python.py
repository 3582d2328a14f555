"""The commands with Python programs, from the first line of a shell to the expression."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.store.saved_verdicts import SavedVerdict
from adebug_lsp.store.store import Store
from tests.frontends.cli.test_commands import adebug
from tests.support import ROOT
from tests.warm_start import COMMAND

SHOP = """\
import sys


def price(item, count):
    return item * count + 1


def bill(items):
    return price(*items[0]) + price(*items[1])


if __name__ == "__main__":
    print("arguments", sys.argv[1:], "input", repr(sys.stdin.read()))
    print("bill", bill([(3, 2), (5, 1)]))
"""
TESTS = """\
from shop import bill, price


def test_nothing():
    assert price(0, 0) == 1


def test_bill():
    assert bill([(3, 2), (5, 1)]) == 11
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    (tmp_path / "test_shop.py").write_text(TESTS, encoding="utf-8")
    return tmp_path


def meant(question: dict[str, Any]) -> str:
    """The right answer, for prices without the extra one."""
    wrong = {
        "price(3, 2) = 7", "price(5, 1) = 6", "bill([(3, 2), (5, 1)]) = 13", "item * count + 1 = 7",
        "item * count + 1 = 6",
    }  # fmt: skip
    return "no" if any(text in question["text"] for text in wrong) or question["text"].startswith("return") else "yes"


def converse(*arguments: str, cwd: Path) -> tuple[list[dict[str, Any]], int, str]:
    """A whole conversation over JSON lines."""
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    lines = []
    for text in process.stdout:
        lines.append(json.loads(text))
        if lines[-1]["type"] == "question":
            process.stdin.write(json.dumps({"answer": meant(lines[-1])}) + "\n")
            process.stdin.flush()
    _rest, error = process.communicate(timeout=60)
    return lines, process.returncode, error


def test_a_run_that_is_right_by_the_reference_has_no_bug(workspace: Path) -> None:
    (workspace / "right").mkdir()
    (workspace / "right/shop.py").write_text(SHOP, encoding="utf-8")
    lines, code, _error = converse("run", "--json", "--reference", "right", "shop.py", cwd=workspace)
    assert (lines[-1]["kind"], lines[-1]["callable"], lines[-1]["buggy"], code) == ("none", "", [], 0)
    explanation = lines[-1]["explanation"]
    assert "all of this run is right by the reference (the reference gives the same result);" in explanation
    plain = adebug("run", "--fresh", "--reference", "right", "shop.py", cwd=workspace)
    assert "No bug found: all of this run is right by the reference" in plain.stdout
    assert "or the bug shows in another run (record that one)." in plain.stdout


def test_a_test_that_fails_with_the_code_of_the_reference_has_another_reason(workspace: Path) -> None:
    (workspace / "right").mkdir()
    for name in ("shop.py", "test_shop.py"):
        (workspace / "right" / name).write_bytes((workspace / name).read_bytes())
    lines, _code, _error = converse("test", "--json", "--reference", "right", "-q", "test_shop.py", cwd=workspace)
    assert (lines[-1]["kind"], lines[-1]["asked"]) == ("none", 0)
    assert "if the run is wrong, the reason is not in this code" in lines[-1]["explanation"]


def test_a_test_file_that_the_reference_cannot_load_either_has_another_reason(workspace: Path) -> None:
    (workspace / "test_shop.py").write_text("import nothing_of_this_name\n", encoding="utf-8")
    (workspace / "right").mkdir()
    (workspace / "right/test_shop.py").write_bytes((workspace / "test_shop.py").read_bytes())
    lines, _code, _error = converse("test", "--json", "--reference", "right", "-q", "test_shop.py", cwd=workspace)
    assert (lines[-1]["kind"], lines[-1]["asked"]) == ("none", 0)
    assert "if the run is wrong, the reason is not in this code" in lines[-1]["explanation"]


def test_a_program_leads_to_its_wrong_expression(workspace: Path) -> None:
    lines, code, error = converse("run", "--json", "shop.py", "--json", "3", cwd=workspace)
    verdict = lines[-1]
    assert (verdict["kind"], verdict["callable"], code) == ("expression", "shop.price", 0)
    assert verdict["buggy"] == [
        {
            "path": "shop.py",
            "range": {"start": {"line": 4, "character": 11}, "end": {"line": 4, "character": 27}},
            "text": "item * count + 1",
        }
    ]
    assert "arguments ['--json', '3'] input ''" in error
    assert "bill 13" in error


def test_values_are_traced_over_json_lines(workspace: Path) -> None:
    words = ["track output 'bill 13'", "track output '13'", "history result", "show result", "quit"]
    stdin = "".join(json.dumps({"answer": word}) + "\n" for word in words)
    command = ["run", "--json", "--strategy", "top-down", "shop.py"]
    done = adebug(*command, cwd=workspace, stdin=stdin)
    lines = [line for line in map(json.loads, done.stdout.splitlines()) if line["type"] != "progress"]
    assert [line["type"] for line in lines] == ["question", "track", "track", "error", "show"]
    _question, text, value, refused, shown = lines
    assert text["stages"][0]["text"] == 'made by `"bill"`'
    assert value["stages"][-1]["text"] == 'printed by `print("bill", bill([(3, 2), (5, 1)]))`'
    assert (value["id"], value["address"], value["certainty"]) == (1, "output '13'", "exact")
    assert "result is no variable, attribute or element" in refused["message"]
    assert (shown["address"], shown["lines"]) == ("result", ["result = 13"])


def test_a_program_keeps_its_typed_name_when_verified_from_another_folder(workspace: Path) -> None:
    shop = workspace / "shop.py"
    shop.write_text(SHOP.replace("sys.argv[1:]", "sys.argv"), encoding="utf-8")
    _lines, _code, error = converse("run", "--json", "shop.py", "3", cwd=workspace)
    assert "arguments ['shop.py', '3']" in error
    shop.write_text(shop.read_text(encoding="utf-8").replace("count + 1", "count"), encoding="utf-8")
    verified = adebug("verify", "--workspace", str(workspace), cwd=workspace.parent)
    assert verified.returncode == 0, verified.stderr
    assert "arguments ['shop.py', '3']" in verified.stdout


@pytest.mark.parametrize(
    "what", [["shop.py", "--call", "bill([(3, 2), (5, 1)])"], ["--call", "bill([(3, 2), (5, 1)])", "-m", "shop"]]
)
def test_an_evaluated_call_leads_to_the_verdict(workspace: Path, what: list[str]) -> None:
    lines, code, error = converse("run", "--json", *what, cwd=workspace)
    assert (lines[-1]["buggy"][0]["text"], code) == ("item * count + 1", 0)
    assert "arguments" not in error


def test_a_module_leads_to_the_verdict(workspace: Path) -> None:
    lines, code, error = converse("run", "--json", "-m", "shop", "-v", cwd=workspace)
    assert (lines[-1]["buggy"][0]["text"], code) == ("item * count + 1", 0)
    assert "arguments ['-v']" in error


def test_a_failing_test_leads_to_the_verdict(workspace: Path) -> None:
    lines, code, _error = converse("test", "--json", "--python", sys.executable, "-q", cwd=workspace)
    assert (lines[-1]["buggy"][0]["text"], code) == ("item * count + 1", 0)


@pytest.mark.parametrize("arguments", [["-k", "unheard"], ["--unheard-of"], ["--collect-only"]])
def test_without_tests_nothing_is_asked(workspace: Path, arguments: list[str]) -> None:
    done = adebug("test", "--python", sys.executable, "-q", *arguments, cwd=workspace)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("adebug: no tests ran; see the output of the test runner above")


def test_a_module_that_a_test_cannot_import_is_asked_about(workspace: Path) -> None:
    (workspace / "shop.py").write_text("items = [3, 2]\nlast = items[2]\n", encoding="utf-8")
    done = adebug("test", "--python", sys.executable, "-q", cwd=workspace, stdin="no\n" * 9)
    assert "items[2]" in done.stdout[done.stdout.index("Bug found") :]


def test_a_missing_reference_is_reported_before_the_program_runs(workspace: Path) -> None:
    for reference in ("nowhere", "git:nowhere"):
        done = adebug("run", "--reference", reference, "shop.py", cwd=workspace)
        assert (done.returncode, done.stdout) == (2, "")
        assert "nowhere" in done.stderr or "not a git repository" in done.stderr


def test_a_missing_answer_file_is_reported_before_the_program_runs(workspace: Path) -> None:
    done = adebug("run", "--answers", "nowhere", "shop.py", cwd=workspace)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "adebug: --answers nowhere: the file does not exist or cannot be read [missing-file]\n"


def test_a_reference_with_another_layout_is_rejected_before_the_program_runs(workspace: Path) -> None:
    (workspace / "right/inner").mkdir(parents=True)
    (workspace / "right/inner/shop.py").write_text(SHOP, encoding="utf-8")
    done = adebug("run", "--reference", "right", "shop.py", cwd=workspace)
    assert (done.returncode, done.stdout) == (2, "")
    assert "adebug: the reference right has no file of the workspace" in done.stderr
    for command in ("init -q", "add right", "-c user.name=a -c user.email=a@b commit -qm right"):
        subprocess.run(["git", *command.split()], cwd=workspace, check=True)
    shutil.rmtree(workspace / "right")
    done = adebug("run", "--reference", "git:HEAD", "shop.py", cwd=workspace)
    assert (done.returncode, done.stdout) == (2, "")
    assert "adebug: the reference git:HEAD has no file of the workspace" in done.stderr


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"test_b.py": "x = 1\ndef g(:\n"}, "pytest cannot collect test_b.py: SyntaxError: invalid syntax (line 2)"),
        ({"a/test_shop.py": "", "a/conftest.py": ""}, "pytest cannot collect test_shop.py: import file mismatch"),
        (
            {"lib/boom.py": "def pytest_collection_finish():\n    raise OSError(2)\n"},
            "pytest itself failed: OSError: 2",
        ),
    ],
)
def test_the_reason_why_pytest_ran_no_tests_is_reported(files: dict[str, str], said: str, workspace: Path) -> None:
    project = "[tool.adebug]\nexclude = ['lib/*']\n\n[tool.pytest.ini_options]\npythonpath = ['lib']\n"
    (workspace / "pyproject.toml").write_text(project, encoding="utf-8")
    for name, text in files.items():
        (workspace / name).parent.mkdir(exist_ok=True)
        (workspace / name).write_text(text, encoding="utf-8")
    plug_in = ("-p", "boom") if "lib/boom.py" in files else ()
    done = adebug("test", "--json", "--python", sys.executable, *plug_in, cwd=workspace)
    assert (done.returncode, said in json.loads(done.stdout.splitlines()[-1])["message"]) == (1, True)
    assert f"adebug: no test was run: {said}" in done.stderr


STEPS = """
def numbers():
    yield 1
    yield 3

def total():
    found = 0
    for number in numbers():
        found += number
    return found

print(total())
"""


ADDRESS = STEPS.replace("3", "id([])")
"""It gives another result each time."""
TWO_CHANGES = STEPS.replace("3", "id(object())").replace("return found", "return found + 0")


@pytest.mark.parametrize(
    ("program", "right", "kind"), [(STEPS, STEPS.replace("3", "2"), "statement"), (ADDRESS, TWO_CHANGES, "candidates")]
)
def test_problems_of_a_reference_are_printed_only_if_the_user_is_asked(
    program: str, right: str, kind: str, tmp_path: Path
) -> None:
    (tmp_path / "program.py").write_text(program, "utf-8")
    (tmp_path / "right.py").write_text(right, "utf-8")
    done = adebug("run", "--json", "--strategy", "top-down", "--reference", "right.py", "program.py", cwd=tmp_path)
    assert json.loads(done.stdout.splitlines()[-1])["kind"] == kind
    assert ("the reference cannot judge some code" in done.stderr) == (kind == "candidates")


def test_a_recording_is_opened_later(workspace: Path) -> None:
    recorded = adebug("record", "-o", "run.rec", "shop.py", "x", cwd=workspace)
    assert recorded.returncode == 0
    assert "arguments ['x']" in recorded.stdout
    lines, code, error = converse("open", "--json", "run.rec", cwd=workspace)
    assert (lines[-1]["buggy"][0]["text"], code, error) == ("item * count + 1", 0, "")


def verdicts(workspace: Path) -> list[SavedVerdict]:
    with Store.open(workspace) as store:
        return store.verdicts.all()


def test_a_fix_also_settles_the_verdict_of_an_earlier_session_about_the_same_test(workspace: Path) -> None:
    test = ("test", "--python", sys.executable, "-q")
    lines, _code, _error = converse(*test[:1], "--json", *test[1:], cwd=workspace)
    assert lines[-1]["type"] == "verdict"
    adebug(*test, "test_shop.py", cwd=workspace, stdin="quit\n")
    (workspace / "shop.py").write_text(SHOP.replace(" + 1", ""), encoding="utf-8")
    adebug("verify", cwd=workspace)
    assert [verdict.dismissed for verdict in verdicts(workspace)] == [True]


def test_the_fix_is_verified_and_exported(workspace: Path) -> None:
    said = "strategy top-down\nexpected 6\n"
    asked = adebug(
        "run", "--granularity", "routine", "--call", "bill([(3, 2), (5, 1)])", "shop.py", cwd=workspace, stdin=said
    )
    assert "Bug found" in asked.stdout
    assert adebug("verify", cwd=workspace).returncode == 1
    assert [verdict.dismissed for verdict in verdicts(workspace)] == [False]
    (workspace / "shop.py").write_text(SHOP.replace(" + 1", ""), encoding="utf-8")
    verified = adebug("verify", cwd=workspace)
    assert "intended results now hold" in verified.stdout
    assert verified.returncode == 0
    assert [verdict.dismissed for verdict in verdicts(workspace)] == [True]
    assert adebug("answers", "export", cwd=workspace).returncode == 0
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "test_answers.py"], cwd=workspace, capture_output=True, check=False
    )
    assert run.returncode == 0, run.stdout


def test_the_fix_of_an_opened_recording_is_verified(workspace: Path) -> None:
    recorded = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "adebug_lsp.frontends.pytest_plugin", "--adebug"],
        cwd=workspace, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    command = recorded.stdout.partition("to find the bug: adebug ")[2].split()
    assert adebug("verify", cwd=workspace).returncode == 2
    assert "Bug found" in adebug(*command, "--strategy", "top-down", cwd=workspace, stdin="no\n" * 4).stdout
    assert adebug("verify", cwd=workspace).returncode == 1
    (workspace / "shop.py").write_text(SHOP.replace(" + 1", ""), encoding="utf-8")
    (workspace / "test_shop.py").write_text(TESTS.replace("== 1\n", "== 0\n"), encoding="utf-8")
    verified = adebug("verify", cwd=workspace)
    assert "test_shop.py::test_bill passes now" in verified.stdout
    assert verified.returncode == 0


@pytest.mark.parametrize("name", ["shop.price", "shop"])
def test_code_trusted_by_settings_is_neither_asked_about_nor_stored(workspace: Path, name: str) -> None:
    (workspace / "pyproject.toml").write_text(f'[tool.adebug]\ntrust = ["{name}"]\n', encoding="utf-8")
    lines, _code, _error = converse("run", "--json", "shop.py", cwd=workspace)
    assert not [line for line in lines if line["type"] == "question" and line["callable"] == "shop.price"]
    with Store.open(workspace) as store:
        assert store.trust.all() == []


def test_a_rule_answers_for_a_routine(workspace: Path) -> None:
    said = "strategy top-down\nno\nrule result ==\nrule result == item * count\n"
    shown = adebug("run", "--call", "bill([(3, 2), (5, 1)])", "--ask-root", "shop.py", cwd=workspace, stdin=said).stdout
    assert "adebug: the rule 'result ==' cannot be read" in shown
    assert "price(3, 2) = 7: no, by rule (result == item * count)" in shown


def test_an_endless_loop_is_stopped_and_asked_about(workspace: Path) -> None:
    (workspace / "loop.py").write_text(
        "def f(n):\n    i = 0\n    while i < n:\n        i += 0\n\n\nf(3)\n", encoding="utf-8"
    )
    shown = adebug("run", "--timeout", "0.5", "loop.py", cwd=workspace)
    assert shown.returncode == 1
    assert "stopped after" in shown.stdout
    assert "while i < n" in shown.stdout
