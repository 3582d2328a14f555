"""`pytest --adebug` in real processes: what it records afterwards, what it says, and a session in the same terminal."""

import os
import re
import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from adebug_lsp.languages.python.language import Python
from adebug_lsp.languages.python.reading.recording_file import open_recording
from adebug_lsp.languages.python.recorder.contract import COARSE
from tests.frontends.cli.test_commands import adebug
from tests.frontends.cli.test_screen import Seat, needs_terminal
from tests.support import ROOT, one_in

LOADED = ["-p", "adebug_lsp.frontends.pytest_plugin"]
"""How pytest comes to know the plug-in where it loads none by itself."""

SHOP = """\
def price(item, count):
    return item * count + 1


def bill(items):
    return sum(price(item, count) for item, count in items)
"""
TESTS = """\
from shop import bill, price


def test_nothing():
    assert price(0, 0) == 1


def test_bill():
    assert bill([(3, 2), (5, 1)]) == 11


def test_one():
    assert price(1, 1) == 1
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (tmp_path / "conftest.py").write_text("import shop\n", encoding="utf-8")
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    (tmp_path / "test_shop.py").write_text(TESTS, encoding="utf-8")
    return tmp_path


def python(*arguments: str, cwd: Path, plain: bool = True) -> "subprocess.CompletedProcess[str]":
    """Run Python; pytest loads the plug-ins of its environment only if it is not plain."""
    ours = "PYTEST_DISABLE_PLUGIN_AUTOLOAD" if plain else ""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_") or name == ours}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
        env={**env, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def run(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    return python("-m", "pytest", *LOADED, *arguments, cwd=cwd)


def command_of(done: "subprocess.CompletedProcess[str]") -> list[str]:
    """The arguments of the command that the last line tells."""
    last = done.stdout.splitlines()[-1]
    assert last.startswith("adebug: to find the bug: adebug open "), done.stdout + done.stderr
    return shlex.split(last.partition("adebug open")[2])


def recordings(workspace: Path) -> list[Path]:
    return sorted((workspace / ".adebug" / "recordings").glob("*.adebug"))


def results(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.match("PASSED|FAILED|ERROR", line)]


@pytest.mark.parametrize(
    "more", one_in(5, [[], ["--assert=plain"], ["-s"], ["--capture=sys"], ["-p", "no:cacheprovider"]])
)
def test_a_failing_test_is_recorded_and_the_last_line_tells_how_to_go_on(workspace: Path, more: list[str]) -> None:
    done = run("--adebug", "-rA", *more, cwd=workspace)
    assert done.returncode == 1
    assert results(done.stdout) == results(run("-rA", *more, cwd=workspace).stdout)
    assert len(results(done.stdout)) == 3
    asked = adebug("open", "--granularity", "routine", *command_of(done), cwd=workspace, stdin="no\nno\n")
    assert "asking about test_shop.py::test_bill: AssertionError" in asked.stdout
    assert "failed too: test_shop.py::test_one\n" in asked.stdout
    assert re.search(r"Bug found after \d answers?, in shop.price\n", asked.stdout)
    assert "return item * count + 1\n" in asked.stdout


def test_pytest_has_the_option_if_adebug_is_installed(workspace: Path) -> None:
    if not entry_points(group="pytest11", name="adebug") and not os.environ.get("CI"):
        pytest.skip("adebug runs from its sources")
    done = python("-m", "pytest", "--adebug", cwd=workspace, plain=False)
    assert "asking about test_shop.py::test_bill" in opened(done, workspace)


def test_the_failing_assertion_answers(workspace: Path) -> None:
    assert "bill([(3, 2), (5, 1)]) = 13: no, by the failing test" in opened(run("--adebug", cwd=workspace), workspace)


def test_after_the_first_failure_and_the_last_failed_only(workspace: Path) -> None:
    assert "asking about test_shop.py::test_bill" in opened(run("--adebug", "-x", cwd=workspace), workspace)
    last = run("--adebug", "--lf", "-q", cwd=workspace)
    assert "1 failed" in last.stdout
    assert "failed too" not in opened(last, workspace)
    assert len(recordings(workspace)) == 2


def opened(done: "subprocess.CompletedProcess[str]", cwd: Path) -> str:
    return adebug("open", *command_of(done), cwd=cwd).stdout


def test_from_another_folder_the_command_names_the_workspace(workspace: Path) -> None:
    below = workspace / "some tests"
    below.mkdir()
    (workspace / "test_shop.py").rename(below / "test_shop.py")
    done = run("--adebug", "-o", "pythonpath=.", "test_shop.py", cwd=below)
    assert command_of(done)[:2] == ["--workspace", workspace.resolve().as_posix()]
    assert "asking about some tests/test_shop.py::test_bill" in opened(done, below)
    assert "price(3, 2) = 7?    at shop.py:1:1" in opened(done, below)
    assert not (below / ".adebug").exists()


def test_a_file_that_cannot_be_collected_is_asked_about(workspace: Path) -> None:
    (workspace / "test_shop.py").write_text("from shop import bill\n\nbill([(1, 'a', 2)])\n", encoding="utf-8")
    done = run("--adebug", cwd=workspace)
    assert done.returncode == 2
    assert "bill([(1, 'a', 2)]) raised ValueError" in opened(done, workspace)


def test_if_no_test_fails_there_is_nothing_to_find(workspace: Path) -> None:
    done = run("--adebug", "-k", "nothing", cwd=workspace)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "adebug: no test failed, so there is nothing to find"


@pytest.mark.parametrize(("what", "code"), [("--collect-only", 0), ("--help", 0), ("--fixtures", 0), ("--nonsense", 4)])
def test_without_tests_no_recording_is_kept(workspace: Path, what: str, code: int) -> None:
    done = run("--adebug", what, cwd=workspace)
    assert done.returncode == code
    assert "\nadebug: " not in done.stdout
    assert recordings(workspace) == []


def test_without_the_option_nothing_is_imported_and_nothing_written(workspace: Path) -> None:
    script = (
        "import sys, pytest\n"
        f"code = pytest.main([*{LOADED!r}, '-q', '-p', 'no:cacheprovider'])\n"
        "print(int(code), sorted(name for name in sys.modules if name.startswith('adebug')))\n"
    )
    done = python("-c", script, cwd=workspace)
    loaded = ["adebug_lsp", "adebug_lsp.frontends", "adebug_lsp.frontends.pytest_plugin"]
    assert done.stdout.splitlines()[-1] == f"1 {loaded}"
    assert not (workspace / ".adebug").exists()


def test_calls_only(workspace: Path) -> None:
    run("--adebug", "--adebug-level=calls", cwd=workspace)
    (file,) = recordings(workspace)
    assert open_recording(file).meta["level"] == "calls"


def test_settings_are_obeyed_and_bad_ones_are_bad_usage(workspace: Path) -> None:
    (workspace / "pyproject.toml").write_text('[tool.adebug]\nexclude = ["shop.py"]\n', encoding="utf-8")
    assert "at shop.py" not in opened(run("--adebug", cwd=workspace), workspace)
    (workspace / "pyproject.toml").write_text("[tool.adebug]\nexcluded = []\n", encoding="utf-8")
    done = run("--adebug", cwd=workspace)
    assert done.returncode == 4
    assert "[tool.adebug] has no setting 'excluded'" in done.stderr


def test_under_adebug_test_only_one_recording_is_made(workspace: Path) -> None:
    done = adebug("test", "--python", sys.executable, *LOADED, "--adebug", cwd=workspace)
    assert "asking about test_shop.py::test_bill" in done.stdout
    assert len(recordings(workspace)) == 1


def test_an_unwritable_workspace_is_reported(workspace: Path) -> None:
    (workspace / ".adebug").write_text("in the way", encoding="utf-8")
    done = run("--adebug", cwd=workspace)
    assert "the recording is not kept" in done.stdout
    assert "asking about test_shop.py::test_bill" in opened(done, workspace)


def test_tests_that_workers_ran_are_recorded_afterwards(workspace: Path) -> None:
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    spread = run("-p", "xdist", "--adebug", "-n", "2", cwd=workspace)
    assert "2 failed, 1 passed" in spread.stdout
    output = opened(spread, workspace)
    assert "asking about test_shop.py::test_bill" in output
    assert "failed too: test_shop.py::test_one\n" in output


def test_only_the_failing_test_is_recorded_or_all_where_that_is_wanted(workspace: Path) -> None:
    run("--adebug", cwd=workspace)
    run("--adebug", "--adebug-whole", cwd=workspace)
    counts = [len(Python().open(file, _silent).entries) for file in recordings(workspace)]
    assert counts == [1, 3]


def _silent(doing: str, done: int = 0, total: int | None = None) -> None:
    pass


def test_a_test_that_depends_on_another_is_recorded_with_it(workspace: Path) -> None:
    text = (
        "import shop\n\n\ndef test_a():\n    shop.stock = 1\n\n\ndef test_b():\n    assert not hasattr(shop, 'stock')\n"
    )
    (workspace / "test_shop.py").write_text(text, encoding="utf-8")
    done = run("--adebug", cwd=workspace)
    assert "adebug: test_shop.py::test_b passes alone; looking for the tests it depends on" in done.stderr
    assert "test_b passes alone; it was recorded with test_shop.py::test_a" in opened(done, workspace)


WORKERS = {
    "-n 2": ("-n", "2"),
    "-n auto": ("-n", "auto"),
    "-nauto": ("-nauto",),
    "--numprocesses=2": ("--numprocesses=2",),
    "--dist loadfile -n 2": ("--dist", "loadfile", "-n", "2"),
    "--dist load alone": ("--dist", "load"),
    "--tx": ("-d", "--tx", "2*popen"),
    "addopts": (),
    "PYTEST_ADDOPTS": (),
}


@pytest.mark.parametrize("how", one_in(4, WORKERS))
def test_workers_run_the_suite_and_not_what_is_recorded(
    workspace: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However pytest-xdist is told to start workers."""
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-n 2" if how == "PYTEST_ADDOPTS" else "")
    (workspace / "pytest.ini").write_text("[pytest]\naddopts = -n 2\n" * (how == "addopts"), encoding="utf-8")
    done = adebug("test", "-p", "xdist.plugin", *WORKERS[how], cwd=workspace)
    assert "asking about test_shop.py::test_bill" in done.stdout, done.stdout + done.stderr
    assert ("[gw" in done.stdout) is (how != "--dist load alone")
    whole = adebug("test", "--whole", "-p", "xdist.plugin", *WORKERS[how], cwd=workspace)
    assert "failed too: test_shop.py::test_one" in whole.stdout
    assert ("adebug: the tests run in one process" in whole.stdout) is (how != "--dist load alone")


def test_without_xdist_its_options_are_an_error(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    done = adebug("test", "-n", "2", cwd=workspace)
    assert "unrecognized arguments: -n" in done.stderr
    assert "no tests ran" in done.stderr
    assert done.returncode == 1


def test_the_setting_detailed_counts(workspace: Path) -> None:
    """As for `adebug test`: with no words for details, the recording says at once that it has none."""
    (workspace / "pyproject.toml").write_text("[tool.adebug]\ndetailed = 0\n", encoding="utf-8")
    run("--adebug", cwd=workspace)
    (recording,) = recordings(workspace)
    assert COARSE in open_recording(recording).words.tolist()


# In a terminal


@needs_terminal
@pytest.mark.parametrize("capture", one_in(3, ["fd", "sys", "no"]))
def test_the_questions_come_in_the_same_terminal(workspace: Path, capture: str) -> None:
    seat = Seat(workspace, "pytest", *LOADED, "--adebug", f"--capture={capture}")
    screen = seat.sees("price(3, 2) = 7?")
    assert ">     2 |     return item * count + 1" in screen
    seat.presses("n")
    seat.sees("inside price(3, 2) = 7")
    seat.presses("q")
    assert seat.ends() == 1


@needs_terminal
def test_after_an_interrupt_nothing_is_asked(workspace: Path) -> None:
    (workspace / "test_shop.py").write_text(f"{TESTS}\n\ndef test_stop():\n    raise KeyboardInterrupt\n", "utf-8")
    seat = Seat(workspace, "pytest", *LOADED, "--adebug")
    seat.sees("test_shop.py::test_stop was running; to record test_shop.py::test_bill: adebug test")
    assert seat.ends() == 2
    assert recordings(workspace) == []
