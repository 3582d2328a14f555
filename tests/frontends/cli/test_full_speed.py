"""`adebug test` on suites: all tests run at full speed, one is recorded, with those that it depends on.

Real pytest and real pytest-xdist, in processes.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.languages.python.language import Python
from tests.frontends.cli.test_commands import adebug
from tests.frontends.cli.test_screen import Seat, needs_terminal

SHOP = """\
stock = {}


def price(item, count):
    return item * count + 1


def bill(items):
    return sum(price(item, count) for item, count in items)
"""
QUIET = ("-q", "--tb=no", "-p", "no:asyncio")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    return tmp_path


def write(workspace: Path, text: str, name: str = "test_shop.py") -> None:
    file = workspace / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def run(*arguments: str, cwd: Path, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return adebug("test", "--python", sys.executable, *arguments, *QUIET, cwd=cwd, stdin=stdin)


def phases(done: "subprocess.CompletedProcess[str]") -> list[str]:
    """The lines of adebug on standard error."""
    return [line.removeprefix("adebug: ") for line in done.stderr.splitlines() if line.startswith("adebug: ")]


def recorded(workspace: Path) -> list[str]:
    """The names of the tests in the newest recording."""
    newest = max((workspace / ".adebug/recordings").glob("*.adebug"))
    return sorted(entry.name for entry in Python().open(newest, silent).entries)


def note(workspace: Path) -> dict[str, Any]:
    newest = max((workspace / ".adebug/recordings").glob("*.json"))
    noted: dict[str, Any] = json.loads(newest.read_text(encoding="utf-8"))
    return noted


def silent(doing: str, done: int = 0, total: int | None = None) -> None:
    pass


SUITE = """\
from shop import bill, price


def test_nothing():
    assert price(0, 0) == 1


def test_bill():
    assert bill([(3, 2), (5, 1)]) == 11


def test_one():
    assert price(1, 1) == 1
"""


@pytest.mark.parametrize(
    "more", [(), ("-p", "xdist.plugin", "-n", "2"), ("--lf",), ("-k", "bill or one"), ("-p", "no:cacheprovider")]
)
def test_all_tests_run_and_only_the_first_that_failed_is_recorded(workspace: Path, more: tuple[str, ...]) -> None:
    write(workspace, SUITE)
    done = run(*more, cwd=workspace)
    assert "2 failed" in done.stdout
    assert recorded(workspace) == ["test_shop.py::test_bill"]
    assert phases(done) == ["running the tests", "recording test_shop.py::test_bill"]
    assert "asking about test_shop.py::test_bill: AssertionError" in done.stdout
    assert "failed too: test_shop.py::test_one\n" in done.stdout


def test_another_failing_test_is_chosen_by_its_name(workspace: Path) -> None:
    write(workspace, SUITE)
    done = run("--test", "test_shop.py::test_one", cwd=workspace)
    assert "asking about test_shop.py::test_one" in done.stdout
    assert recorded(workspace) == ["test_shop.py::test_one"]
    for name, reason in (("test_nothing", "did not fail"), ("test_else", "is not the name of a test that ran")):
        done = run("--test", f"test_shop.py::{name}", cwd=workspace)
        assert (done.returncode, phases(done)[-1]) == (1, f"test_shop.py::{name} {reason} [nothing-to-ask]")


def test_of_many_failures_a_few_are_named(workspace: Path) -> None:
    write(workspace, "import pytest\n\n@pytest.mark.parametrize('n', range(9))\ndef test(n):\n    assert n > 9\n")
    done = run(cwd=workspace)
    assert "asking about test_shop.py::test[0]" in done.stdout
    assert "failed too: test_shop.py::test[1], test_shop.py::test[2], " in done.stdout
    assert "test_shop.py::test[5] and 3 more\n" in done.stdout


def test_whole_records_all_tests_in_one_run(workspace: Path) -> None:
    write(workspace, SUITE)
    done = run("--whole", cwd=workspace)
    assert recorded(workspace) == [f"test_shop.py::test_{name}" for name in ("bill", "nothing", "one")]
    assert done.stdout.count("2 failed") == 1
    chosen = run("--whole", "--test", "test_shop.py::test_one", cwd=workspace)
    assert "asking about test_shop.py::test_one" in chosen.stdout


KINDS = {
    "parameters": (
        "import pytest, shop\n\n@pytest.mark.parametrize('n', ['a', 'b::c', 'd[e]', 'é\\n', ' f/g ', ''])\n"
        "def test(n):\n    assert shop.price(1, 1) == 1 or n != {value!r}\n"
    ),
    "unittest": (
        "import unittest, shop\n\nclass TestShop(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n"
        "        cls.count = 1\n    def test_a(self):\n        self.assertEqual(self.count, 1)\n"
        "    def test_b(self):\n        self.assertEqual(shop.price(1, self.count), 1)\n"
    ),
    "fixtures": (
        "import pytest, shop\n\n@pytest.fixture(scope='session')\ndef count():\n    yield 1\n\n"
        "class TestShop:\n    @pytest.fixture(scope='class')\n    def item(self, count):\n        return count\n"
        "    def test_a(self, item):\n        assert item\n"
        "    def test_b(self, item, count):\n        assert shop.price(item, count) == 1\n"
    ),
    "setup": (
        "import pytest, shop\n\n@pytest.fixture\ndef one():\n    assert shop.price(1, 1) == 1\n\n"
        "def test_a():\n    pass\n\ndef test_b(one):\n    pass\n"
    ),
    "teardown": (
        "import pytest, shop\n\n@pytest.fixture\ndef one():\n    yield\n    assert shop.price(1, 1) == 1\n\n"
        "def test_a():\n    pass\n\ndef test_b(one):\n    pass\n"
    ),
}


@pytest.mark.parametrize("value", ["b::c", "d[e]", "é\n", " f/g ", ""])
def test_parameters_of_any_characters_are_selected(workspace: Path, value: str) -> None:
    write(workspace, KINDS["parameters"].format(value=value))
    done = run(cwd=workspace)
    assert "1 failed, 5 passed" in done.stdout
    assert recorded(workspace) == [note(workspace)["entry"]]
    assert "price(1, 1) = 2" in done.stdout


@pytest.mark.parametrize("kind", ["unittest", "fixtures", "setup", "teardown"])
def test_classes_and_fixtures(workspace: Path, kind: str) -> None:
    write(workspace, KINDS[kind])
    done = run(cwd=workspace)
    (name,) = recorded(workspace)
    assert name.endswith("test_b")
    assert f"asking about {name}: AssertionError" in done.stdout


def test_a_doctest(workspace: Path) -> None:
    text = SHOP.replace("item, count):\n", 'item, count):\n    """\n    >>> price(2, 3)\n    6\n    """\n', 1)
    write(workspace, text, "shop.py")
    write(workspace, "def test_a():\n    pass\n")
    done = run("--doctest-modules", cwd=workspace)
    assert recorded(workspace) == ["shop.py::shop.price"]
    assert "asking about shop.py::shop.price" in done.stdout


def test_tests_below_folders_from_another_folder(workspace: Path) -> None:
    write(workspace, SUITE, "some tests/inner/test_shop.py")
    below = workspace / "some tests"
    done = run("-o", "pythonpath=.", "--workspace", "..", "inner", cwd=below)
    assert recorded(workspace) == ["some tests/inner/test_shop.py::test_bill"]
    assert "asking about some tests/inner/test_shop.py::test_bill" in done.stdout


# What is recorded by itself


def test_one_test_that_is_named_runs_once(workspace: Path) -> None:
    """A test runs unrecorded only if there is a choice."""
    write(workspace, "def test_it():\n    print('ran', file=open('log', 'a'))\n    assert False\n")
    done = run("test_shop.py::test_it", cwd=workspace)
    assert phases(done) == ["recording"]
    assert (workspace / "log").read_text(encoding="utf-8") == "ran\n"


CLASS = "class Test:\n    def test_a(self):\n        pass\n\n    def test_b(self):\n        assert False\n"
FILLED = "import pytest\n\n@pytest.mark.parametrize('n', [1, 2])\ndef test(n):\n    assert n == 1\n"


@pytest.mark.parametrize(
    ("text", "named", "kept"),
    [
        (CLASS, "test_shop.py::Test", "test_shop.py::Test::test_b"),
        (FILLED, "test_shop.py::test", "test_shop.py::test[2]"),
        (FILLED, "test_shop.py::test[2]", "test_shop.py::test[2]"),
    ],
)
def test_a_class_or_a_test_with_parameters_is_many_tests(workspace: Path, text: str, named: str, kept: str) -> None:
    write(workspace, text)
    done = run(named, cwd=workspace)
    assert recorded(workspace) == [kept]
    assert phases(done)[0] == ("recording" if named == kept else "running the tests")


def test_a_file_that_cannot_be_loaded_is_recorded_without_the_others(workspace: Path) -> None:
    write(workspace, "from shop import bill\n\nbill([(1, 'a', 2)])\n", "test_broken.py")
    write(workspace, SUITE)
    done = run(cwd=workspace)
    assert phases(done) == ["running the tests", "recording test_broken.py"]
    assert "bill([(1, 'a', 2)]) raised ValueError" in done.stdout
    assert note(workspace)["selected"] == ["test_broken.py"]


def test_verify_repeats_only_the_recorded_test(workspace: Path) -> None:
    write(
        workspace, SUITE.replace("def test_nothing():", "def test_nothing():\n    print('ran', file=open('log', 'a'))")
    )
    run("--granularity", "routine", cwd=workspace, stdin="no\n")
    (workspace / "shop.py").write_text(SHOP.replace(" + 1", ""), encoding="utf-8")
    verified = adebug("verify", cwd=workspace)
    assert "test_shop.py::test_bill passes now" in verified.stdout
    assert (workspace / "log").read_text(encoding="utf-8") == "ran\n"


# Tests that depend on others


def test_the_tests_that_one_depends_on_are_found_and_recorded_with_it(workspace: Path) -> None:
    harmless = "\n\n".join(f"def test_{n}():\n    assert shop.stock.get({n}) is None\n" for n in range(12))
    pollution = "def test_pollutes():\n    shop.stock['lamp'] = 5\n"
    victim = "def test_victim():\n    assert shop.stock.get('lamp', 0) == 0\n"
    write(workspace, f"import shop\n\n{harmless}\n\n{pollution}\n\n{harmless.replace('test_', 'test_b')}\n\n{victim}")
    done = run(cwd=workspace)
    assert phases(done) == [
        "running the tests",
        "recording test_shop.py::test_victim",
        "test_shop.py::test_victim passes alone; looking for the tests it depends on",
        "recording it with test_shop.py::test_pollutes",
    ]
    assert recorded(workspace) == ["test_shop.py::test_pollutes", "test_shop.py::test_victim"]
    assert "asking about test_shop.py::test_victim: AssertionError" in done.stdout
    note = "test_shop.py::test_victim passes alone; it was recorded with test_shop.py::test_pollutes"
    assert note in done.stdout
    reopened = adebug("open", *map(str, (workspace / ".adebug/recordings").glob("*.adebug")), cwd=workspace)
    assert note in reopened.stdout


def test_two_tests_that_only_matter_together(workspace: Path) -> None:
    write(
        workspace,
        "import shop\n\n\ndef test_a():\n    shop.stock['a'] = 1\n\n\ndef test_b():\n    pass\n\n\n"
        "def test_c():\n    shop.stock['c'] = shop.stock.get('a', 0)\n\n\ndef test_d():\n    pass\n\n\n"
        "def test_victim():\n    assert shop.stock.get('c', 0) == 0\n",
    )
    run(cwd=workspace)
    assert recorded(workspace) == [f"test_shop.py::test_{name}" for name in ("a", "c", "victim")]


def test_a_file_that_only_has_to_be_loaded(workspace: Path) -> None:
    """It is loaded before any test runs, though its own tests run later."""
    write(workspace, "import shop\n\n\ndef test_victim():\n    assert shop.stock == {}\n", "test_a.py")
    write(workspace, "import shop\n\nshop.stock['lamp'] = 5\n\n\ndef test_other():\n    pass\n", "test_b.py")
    write(workspace, "def test_last():\n    pass\n", "test_c.py")
    done = run(cwd=workspace)
    assert recorded(workspace) == ["test_a.py::test_victim", "test_b.py::test_other"]
    assert "asking about test_a.py::test_victim" in done.stdout


def test_a_test_that_needs_others_to_get_as_far_as_it_did(workspace: Path) -> None:
    """Alone it fails elsewhere, for another reason: that is not the failure to ask about."""
    write(
        workspace,
        "import shop\n\n\ndef test_a():\n    shop.stock['lamp'] = 5\n\n\n"
        "def test_victim():\n    lamps = shop.stock['lamp']\n    assert shop.price(lamps, 1) == 5\n",
    )
    done = run(cwd=workspace)
    assert "fails in another way alone" in done.stdout
    assert "asking about test_shop.py::test_victim: AssertionError" in done.stdout


def test_a_recursion_that_ends_elsewhere_when_it_is_recorded_is_the_same_failure(workspace: Path) -> None:
    recursion = "def even(n):\n    return odd(n)\n\n\ndef odd(n):\n    return even(n)\n"
    write(workspace, f"{recursion}\n\ndef test_a():\n    pass\n\n\ndef test_even():\n    assert even(3)\n")
    done = run(cwd=workspace)
    assert phases(done) == ["running the tests", "recording test_shop.py::test_even"]


def test_a_test_whose_outcome_differs_from_run_to_run(workspace: Path) -> None:
    write(
        workspace,
        "from pathlib import Path\n\n\ndef test_before():\n    pass\n\n\n"
        "def test_fickle():\n    ran = Path('ran').exists()\n    Path('ran').touch()\n    assert ran\n",
    )
    done = run(cwd=workspace)
    assert done.returncode == 1
    assert "test_fickle failed, but passes alone and when the tests before it are repeated; --whole" in done.stderr
    assert list((workspace / ".adebug/recordings").iterdir()) == []


def test_repetitions_leave_the_caches_and_reports_of_the_suite_alone(workspace: Path) -> None:
    write(
        workspace,
        "import shop\n\n\ndef test_a():\n    shop.stock['lamp'] = 5\n\n\n"
        "def test_victim():\n    assert shop.stock == {}\n",
    )
    done = run("--junitxml=report.xml", "-x", "--ff", "--cache-clear", cwd=workspace)
    assert "recorded with test_shop.py::test_a" in done.stdout
    assert 'tests="2"' in (workspace / "report.xml").read_text(encoding="utf-8")
    last = (workspace / ".pytest_cache/v/cache/lastfailed").read_text(encoding="utf-8")
    assert json.loads(last) == {"test_shop.py::test_victim": True}
    ids = (workspace / ".pytest_cache/v/cache/nodeids").read_text(encoding="utf-8")
    assert len(json.loads(ids)) == 2


def test_a_debugger_is_not_opened_where_nobody_sees_it(workspace: Path) -> None:
    write(workspace, SUITE)
    done = run("--pdb", cwd=workspace, stdin="c\n")
    assert "asking about test_shop.py::test_bill" in done.stdout


# Ends


def test_a_test_that_does_not_end_is_recorded_for_as_long(workspace: Path) -> None:
    write(
        workspace,
        "def test_a():\n    pass\n\n\ndef test_loops():\n    n = 0\n    while n != 7:\n        n += 2\n",
    )
    done = run("--timeout", "3", "test_shop.py", cwd=workspace)
    assert "recording test_shop.py::test_loops" in phases(done)
    assert "asking about test_shop.py::test_loops: the program was stopped after 3 seconds" in done.stdout


def test_a_test_that_ends_the_process_is_recorded(workspace: Path) -> None:
    write(workspace, "import os\n\n\ndef test_a():\n    pass\n\n\ndef test_dies():\n    os._exit(3)\n")
    done = run(cwd=workspace)
    assert "recording test_shop.py::test_dies" in phases(done)
    assert "asking about test_shop.py::test_dies" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-k", "nothing"), "no test failed, so there is nothing to find (1 ran)"),
        (("--no-such-option",), "adebug handed these arguments to pytest: --no-such-option -q --tb=no -p no:asyncio"),
        (("-k", "unheard-of"), "no tests ran; see the output of the test runner above"),
    ],
)
def test_where_nothing_failed_that_is_said(workspace: Path, arguments: tuple[str, ...], message: str) -> None:
    write(workspace, SUITE)
    done = run(*arguments, cwd=workspace)
    assert done.returncode == 1
    assert message in phases(done)[-1]
    lines = run("--json", *arguments, cwd=workspace).stdout.splitlines()
    assert message in json.loads(lines[-1])["message"]


def test_the_rest_of_pytest_failed(workspace: Path) -> None:
    write(workspace, "def test_a():\n    pass\n")
    write(workspace, "def pytest_sessionfinish(session):\n    session.exitstatus = 9\n", "conftest.py")
    done = run(cwd=workspace)
    assert "no test failed, but pytest ended with exit code 9; see its output" in done.stderr


SLOW = """\
import time


def test_a():
    assert False


def test_slow():
    print('waiting', flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent to a process group")
def test_interrupted_tests_are_not_recorded_and_the_message_says_how_to_go_on(workspace: Path) -> None:
    write(workspace, SLOW)
    command = [sys.executable, "-m", "adebug_lsp", "test", "--python", sys.executable, "-s", *QUIET]
    process = subprocess.Popen(
        command, cwd=workspace, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )  # fmt: skip
    assert process.stdout is not None
    while "waiting" not in process.stdout.readline():
        pass
    os.killpg(process.pid, signal.SIGINT)
    _out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error.splitlines()[-1] == (
        "adebug: the tests were interrupted; test_shop.py::test_slow was running; to record test_shop.py::test_a: "
        "adebug test test_shop.py::test_a [tests-interrupted]"
    )
    assert list((workspace / ".adebug/recordings").iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent to a process group")
def test_the_search_for_other_tests_can_be_interrupted(workspace: Path) -> None:
    write(
        workspace,
        "import shop, time\n\n\ndef test_a():\n    shop.stock['a'] = 1\n    time.sleep(2)\n\n\n"
        "def test_victim():\n    assert shop.stock == {}\n",
    )
    command = [sys.executable, "-m", "adebug_lsp", "test", "--python", sys.executable, *QUIET]
    process = subprocess.Popen(
        command, cwd=workspace, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        start_new_session=True, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )  # fmt: skip
    assert process.stderr is not None
    while "looking for the tests" not in process.stderr.readline():
        pass
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    _out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "test_shop.py::test_victim passes alone; interrupted while looking for the tests it depends on" in error


# The command line and the terminal


@pytest.mark.parametrize(
    "arguments",
    [
        ("test_shop.py", "--json"),
        ("test_shop.py", "--strategy", "top-down", "-x", "--json"),
        ("--json", "--", "test_shop.py"),
    ],
)
def test_options_of_adebug_may_stand_after_the_path(workspace: Path, arguments: tuple[str, ...]) -> None:
    write(workspace, SUITE)
    done = adebug("test", "--python", sys.executable, *arguments, cwd=workspace)
    assert json.loads(done.stdout.splitlines()[-1])["type"] == "question"


def test_after_two_hyphens_all_options_are_those_of_pytest(workspace: Path) -> None:
    write(workspace, SUITE)
    done = adebug("test", "--python", sys.executable, "test_shop.py", "--", "--json", cwd=workspace)
    assert "unrecognized arguments: --json" in done.stderr
    assert "adebug handed these arguments to pytest: test_shop.py --json" in done.stderr


@needs_terminal
def test_pytest_keeps_its_colours_in_a_terminal(workspace: Path) -> None:
    write(workspace, SUITE)
    seat = Seat(workspace, "adebug_lsp", "test", "--python", sys.executable, "-p", "no:asyncio")
    seat.sees("price(3, 2) = 7")
    assert "\x1b[31mFAILED\x1b[0m" in seat.seen
    seat.presses("q")
    seat.ends()


def test_the_interpreter_without_pytest_is_named(workspace: Path, tmp_path: Path) -> None:
    write(workspace, SUITE)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    python = tmp_path / "bare" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = adebug("test", "--python", str(python), cwd=workspace)
    assert "no test failed, so there is nothing to find; `python -m unittest` ran the tests, because" in done.stderr
    assert "there is no pytest for this project" in done.stderr
    assert not list(workspace.glob(".adebug/recordings/*"))
