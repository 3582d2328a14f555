"""run, test, record, open, verify and answers, with a small language, as a user runs them: real processes."""

import json
from pathlib import Path

import pytest

from adebug_lsp.frontends.cli.arguments import call_after
from adebug_lsp.frontends.cli.main import _parsed
from adebug_lsp.frontends.cli.render.progress_bar import picture
from adebug_lsp.languages.python.export_tests import check_of, export_tests
from adebug_lsp.model.answers import Judgement
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.store.store import Store
from tests.frontends.cli.test_json import calc

SHOP = """\
area(w, h) = w * h + 1
both(a) = area(a, 3) + area(1, a)
main() = both(2) - 1
"""
TESTS = """\
area(w, h) = w * h + 1
test_good() = area(1, 1)
test_first() = area(1, 1) - 2
test_second() = area(2, 2) - 5
"""
ANSWERS = "no\nno\nyes\nno\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "shop.calc").write_text(SHOP, encoding="utf-8")
    (tmp_path / "tests.calc").write_text(TESTS, encoding="utf-8")
    return tmp_path


# Arguments


@pytest.mark.parametrize(
    ("arguments", "rest"),
    [
        (["--json", "p.py", "--json"], ["p.py", "--json"]),
        (["--timeout", "3", "p.py"], ["p.py"]),
        (["--timeout=3", "--", "--fresh"], ["--fresh"]),
        (["-k", "total"], ["-k", "total"]),
        (["-m", "shop", "--json"], []),
        (["--js", "p.py"], ["--js", "p.py"]),
        ([], []),
    ],
)
def test_arguments_from_the_first_foreign_one_on_are_passed_on(arguments: list[str], rest: list[str]) -> None:
    assert _parsed(["run", *arguments]).rest == rest


def test_only_a_call_may_follow_the_program() -> None:
    assert call_after(["--call", "f(3)", "--", "-x"]) == ("f(3)", ["-x"])
    assert call_after(["--call=f(3)", "--call", "x"]) == ("f(3)", ["--call", "x"])
    assert call_after(["x", "--call", "f(3)"]) == (None, ["x", "--call", "f(3)"])


@pytest.mark.parametrize("arguments", [["--timeout", "soon"], ["--timeout", "-1"], ["--level", "some"], ["--timeout"]])
def test_bad_options_are_bad_usage(workspace: Path, arguments: list[str]) -> None:
    assert calc("run", *arguments, cwd=workspace).returncode == 2


@pytest.mark.parametrize("command", ["run", "test", "record", "verify", "answers"])
def test_every_command_has_help(workspace: Path, command: str) -> None:
    assert calc(command, "--help", cwd=workspace).returncode == 0


# Run


def test_a_program_is_run_and_asked_about(workspace: Path) -> None:
    done = calc("run", "shop.calc", "--json", "-x", cwd=workspace, stdin=ANSWERS)
    assert done.returncode == 0
    assert done.stdout.startswith("program output\nheard: \nran with ['--json', '-x']\n")
    assert "1. both(2) = 10?    at shop.calc:2:1    [about 2 left; h for help]" in done.stdout
    assert "Bug found after 4 answers, in calc.area\n  w * h + 1 = 7 is wrong" in done.stdout
    assert "  shop.calc:1:14\n    w * h + 1\n" in done.stdout
    with Store.open(workspace) as store:
        (verdict,) = store.verdicts.all()
        assert verdict.location is not None
        assert verdict.location.range.start.column == 13


def test_a_call_is_run_instead_of_the_program(workspace: Path) -> None:
    (workspace / "shop.calc").write_text(SHOP + "other() = area(5, 5)\n", encoding="utf-8")
    done = calc("run", "shop.calc", "--call", "other", cwd=workspace, stdin="")
    assert "1. area(5, 5) = 26?" in done.stdout


def test_a_second_run_needs_no_person(workspace: Path) -> None:
    assert calc("run", "shop.calc", cwd=workspace, stdin=ANSWERS).returncode == 0
    again = calc("run", "shop.calc", cwd=workspace)
    assert again.returncode == 0
    assert "both(2) = 10: no, by stored answer (answered in an earlier session)" in again.stdout
    assert "Bug found after 0 answers" in again.stdout


def test_with_an_answer_file_the_program_may_read_and_nothing_is_stored(workspace: Path) -> None:
    (workspace / "said").write_text(ANSWERS, encoding="utf-8")
    done = calc("run", "--answers", "said", "shop.calc", cwd=workspace, stdin="for the program")
    assert done.returncode == 0
    assert "heard: for the program" in done.stdout
    assert not (workspace / ".adebug" / "adebug.sqlite3").exists()


def test_granularity_can_be_changed_during_a_session(workspace: Path) -> None:
    calc("record", "-o", "run.rec", "shop.calc", cwd=workspace)
    done = calc("open", "--granularity", "routine", "run.rec", cwd=workspace, stdin="no\nno\n")
    assert "Bug found after 2 answers, in calc.area" in done.stdout
    calc("open", "--fresh", "run.rec", cwd=workspace, stdin="")
    finer = calc("open", "--granularity", "routine", "run.rec", cwd=workspace, stdin="zoom\nq\n")
    assert finer.stdout.startswith("resuming with 2 answers")
    assert "in calc.area" in finer.stdout


def test_five_recordings_are_kept_and_git_ignores_them(workspace: Path) -> None:
    for _ in range(7):
        calc("run", "shop.calc", cwd=workspace)
    folder = workspace / ".adebug" / "recordings"
    assert len(list(folder.glob("*.adebug"))) == len(list(folder.glob("*.json"))) == 5
    assert (workspace / ".adebug" / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_an_unwritable_workspace_is_reported_and_the_session_continues(workspace: Path) -> None:
    (workspace / ".adebug").write_text("in the way", encoding="utf-8")
    done = calc("run", "shop.calc", cwd=workspace, stdin=ANSWERS)
    assert done.returncode == 0
    assert "the recording is not kept" in done.stderr


def test_a_link_does_not_lead_recordings_out_of_the_workspace(
    workspace: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (workspace / ".adebug").mkdir()
    try:
        (workspace / ".adebug" / "recordings").symlink_to(outside, target_is_directory=True)
    except OSError:
        pytest.skip("this account may not make links")
    assert calc("run", "shop.calc", cwd=workspace, stdin=ANSWERS).returncode == 0
    assert list(outside.iterdir()) == []


# Record and open


def test_a_recording_is_opened_elsewhere(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    done = calc("record", "-o", "run.rec", "shop.calc", "3", cwd=workspace)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "run.rec: ran with ['3']")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "any.name").write_bytes((workspace / "run.rec").read_bytes())
    opened = calc("open", "any.name", cwd=elsewhere, stdin=ANSWERS)
    assert opened.returncode == 0
    assert "w * h + 1 = 7 is wrong" in opened.stdout


def test_recording_tests_and_recording_to_nowhere(workspace: Path) -> None:
    assert calc("record", "-o", "run.rec", "test", "-k", "x", cwd=workspace).returncode == 0
    assert "asking about test_first" in calc("open", "run.rec", cwd=workspace).stdout
    assert calc("record", "-o", "no/such/run.rec", "shop.calc", cwd=workspace).returncode == 2
    assert calc("record", "shop.calc", cwd=workspace).returncode == 2


# Test


def test_the_first_failing_test_is_asked_about_and_the_others_are_named(workspace: Path) -> None:
    done = calc("test", "-k", "first", cwd=workspace, stdin="no\nyes\nno\n")
    assert done.returncode == 0
    assert "asking about test_first: it is 0\nfailed too: test_second\n" in done.stdout
    assert "w * h + 1 = 2 is wrong" in done.stdout


def test_if_no_test_fails_there_is_nothing_to_find(workspace: Path) -> None:
    (workspace / "tests.calc").write_text(TESTS.partition("test_first")[0], encoding="utf-8")
    done = calc("test", cwd=workspace)
    assert (done.returncode, done.stderr) == (
        1,
        "adebug: recording\nadebug: no test failed, so there is nothing to find (1 recorded) [nothing-to-ask]\n",
    )
    lines = calc("test", "--json", cwd=workspace).stdout.splitlines()
    assert json.loads(lines[-1])["message"].startswith("no test failed")


# Verify


def test_verify_reports_which_answers_hold_after_an_edit(workspace: Path) -> None:
    assert calc("verify", cwd=workspace).returncode == 2
    calc("run", "shop.calc", "3", cwd=workspace, stdin="no\nexpected 6\nyes\nno\n")
    before = calc("verify", cwd=workspace)
    assert before.returncode == 1
    assert "0 of 2 intended results now hold" in before.stdout
    assert "not yet: area(2, 3) = 7; expected 6 (answered no: area(2, 3) = 7)" in before.stdout
    (workspace / "shop.calc").write_text(SHOP.replace(" + 1\n", "\n", 1), encoding="utf-8")
    after = calc("verify", cwd=workspace)
    assert after.returncode == 0
    assert "2 of 2 intended results now hold" in after.stdout
    assert "ran with ['3']" in after.stdout
    (workspace / "shop.calc").write_text("main() = 3 * 3\n", encoding="utf-8")
    gone = calc("verify", cwd=workspace)
    assert "no longer executed: both(2) = 10" in gone.stdout


def test_verify_tells_whether_the_test_passes_now(workspace: Path) -> None:
    calc("test", cwd=workspace, stdin="no\nyes\n")
    assert "test_first still fails" in calc("verify", cwd=workspace).stdout
    (workspace / "tests.calc").write_text(TESTS.replace(" + 1\n", "\n", 1), encoding="utf-8")
    assert "test_first passes now" in calc("verify", cwd=workspace).stdout


# Answers


def test_answers_are_listed_forgotten_and_exported(workspace: Path) -> None:
    assert "no answers are stored" in calc("answers", "list", cwd=workspace).stdout
    calc("run", "shop.calc", cwd=workspace, stdin="no\nexpected 6\nyes\ntrust main\n")
    listed = calc("answers", "list", cwd=workspace).stdout.splitlines()
    assert listed[:2] == ["   1  no            both(2) = 10", "   2  no            area(2, 3) = 7   should be 6"]
    assert listed[-1] == "      trusted       the routine main"
    assert calc("answers", "export", cwd=workspace).returncode == 0
    text = (workspace / "test_answers.py").read_text(encoding="utf-8")
    assert "import calc\n" in text
    assert "def test_area_1() -> None:\n    assert calc.area(2, 3) == 6\n" in text
    again = calc("answers", "export", cwd=workspace)
    assert again.returncode == 2
    assert "is not overwritten" in again.stderr
    assert calc("answers", "forget", "1", cwd=workspace).stdout == "forgot 1\n"
    assert calc("answers", "forget", "nothing", cwd=workspace).returncode == 2
    assert calc("answers", "forget", "--all", cwd=workspace).returncode == 0
    assert "no answers are stored" in calc("answers", "list", cwd=workspace).stdout
    assert calc("answers", "export", "-o", "other.py", cwd=workspace).returncode == 2
    assert not (workspace / "other.py").exists()


def saved(
    text: str,
    judgement: Judgement = Judgement.YES,
    expected: str | None = None,
    *,
    routine: str = "shop.f",
    module: str = "shop",
) -> SavedAnswer:
    return SavedAnswer("id", judgement, routine=routine, module=module, text=text, expected=expected)


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (saved("f(1, 'a = b') = [1]"), "assert shop.f(1, 'a = b') == [1]"),
        (saved("f(x=1, y={'k': (1,)}) = None"), "assert shop.f(x=1, y={'k': (1,)}) == None"),
        (saved("f(-1) = 2", Judgement.NO, "3"), "assert shop.f(-1) == 3"),
    ],
)
def test_an_answer_as_a_test(answer: SavedAnswer, line: str) -> None:
    assert line in export_tests([answer]).text


@pytest.mark.parametrize(
    "answer",
    [
        saved("f(1) = 2", Judgement.NO),
        saved("f(1) = 2", Judgement.INADMISSIBLE),
        saved("f(1) = <object>"),
        saved("f(object()) = 3"),
        saved("f([1, ...]) = 3"),
        saved("f(1) = 2", Judgement.NO, "__import__('os')"),
        saved("f(1) = 2", routine="shop.C.f"),
        saved("f(1) = 2", module="__main__", routine="f"),
        saved("f(1) = 2", module="a b", routine="f"),
        saved("not a call"),
        saved("f(" + "(" * 5000),
    ],
)
def test_answers_that_no_test_can_express_are_left_out(answer: SavedAnswer) -> None:
    assert check_of(answer) is None


def test_the_progress_bar() -> None:
    assert picture("recording", 0, None) == "recording ..."
    assert picture("recording", 12, None) == "recording: 12 s"
    assert picture("reading", 1, 2) == "reading [###############...............] 50 %"
    assert picture("reading", 9, 2).endswith(" 100 %")
