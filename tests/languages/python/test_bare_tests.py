"""Suites that run unrecorded: nothing but their outcomes is noted, and nobody notices that."""

import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from adebug_lsp.languages.language import Request
from adebug_lsp.languages.python.bare_tests import Failure, run_bare
from adebug_lsp.languages.python.failing_test import minimised
from tests.support import ROOT

LAUNCHER = ROOT / "adebug_lsp/languages/python/recorder/run/bare_pytest.py"

CURIOUS = """\
import gc, json, os, sys, threading


def test_what_can_be_seen(pytestconfig):
    main = sys.modules["__main__"]
    facts = {
        "path": sys.path,
        "arguments": sys.argv,
        "main": sorted(set(vars(main)) - {"__annotations__"}),
        "file": main.__file__,
        "spec": main.__spec__.name,
        "modules": sorted(name for name in sys.modules if "adebug" in name or "outcomes" in name or "bare_" in name),
        "environment": sorted(os.environ),
        "threads": threading.active_count(),
        "limit": sys.getrecursionlimit(),
        "folder": os.getcwd(),
    }
    print(json.dumps(facts, indent=1))
    assert False


def depth():
    frame, count = sys._getframe(), 0
    while frame := frame.f_back:
        count += 1
    return count


def test_depth():
    print("depth", depth())
    assert False


def test_replaced_functions(monkeypatch):
    for name in ("write", "open", "getpid"):
        monkeypatch.setattr(os, name, None)
    monkeypatch.setattr(json, "dumps", None)
    monkeypatch.setattr(json.encoder, "encode_basestring_ascii", None)


def test_fork():
    if hasattr(os, "fork"):
        child = os.fork()
        if not child:
            os._exit(0)
        os.waitpid(child, 0)


def test_pytest_in_pytest(tmp_path):
    import pytest
    (tmp_path / "test_inner.py").write_text("def test_inner():\\n    assert False\\n")
    assert pytest.main(["-q", "--rootdir", str(tmp_path), "-p", "no:cacheprovider", str(tmp_path)]) == 1
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\nnorecursedirs = base\n", encoding="utf-8")
    (tmp_path / "test_it.py").write_text(CURIOUS, encoding="utf-8")
    return tmp_path


def pytest_output(command: Sequence[str], cwd: Path) -> str:
    """Standard output and error, without durations and addresses."""
    more = ["-p", "no:cacheprovider", "-rA", "--basetemp=base", "-W", "ignore"]
    done = subprocess.run(
        [sys.executable, *command, *more], cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )
    return re.sub(r"in \d+\.\d+s|0x[0-9a-f]+", "", done.stdout + done.stderr)


def test_the_output_is_that_of_pytest(workspace: Path) -> None:
    bare = pytest_output(["-m", "pytest"], workspace)
    noted = pytest_output([str(LAUNCHER), "--outcomes", str(workspace.parent / "outcomes")], workspace)
    assert "2 failed, 3 passed" in bare
    if sys.version_info >= (3, 12):  # before, a call from C has a frame of its own
        assert noted == bare
    assert re.sub(r"depth \d+", "", noted) == re.sub(r"depth \d+", "", bare)


def test_the_outcomes_are_those_of_the_tests(workspace: Path) -> None:
    outcomes = run_bare(request(workspace))
    assert outcomes.exit_code == 1
    assert outcomes.processes == {
        "": [f"test_it.py::test_{name}" for name in CURIOUS_TESTS],
    }
    assert [failure.name for failure in outcomes.failures] == [
        "test_it.py::test_what_can_be_seen",
        "test_it.py::test_depth",
    ]
    assert outcomes.failures[1].place == f"{workspace / 'test_it.py'}:31"


CURIOUS_TESTS = ("what_can_be_seen", "depth", "replaced_functions", "fork", "pytest_in_pytest")


def request(workspace: Path, *arguments: str, selected: tuple[str, ...] = ()) -> Request:
    return Request(
        workspace,
        tests=("-p", "no:cacheprovider", *arguments),
        selected=selected,
        interpreter=Path(sys.executable),
        folder=workspace,
        output=lambda _stream, _text: None,
    )


ORDER = """\
import pytest

RAN = []

@pytest.mark.parametrize("name", ["a", "b::c", "d[e]"])
def test(name):
    RAN.append(name)

class TestIt:
    def test(self):
        assert RAN == ["d[e]", "a"]
"""


def test_selected_tests_run_in_their_order(workspace: Path) -> None:
    (workspace / "test_it.py").write_text(ORDER, encoding="utf-8")
    names = ("test_it.py::test[d[e]]", "test_it.py::test[a]", "test_it.py::TestIt::test")
    outcomes = run_bare(request(workspace, "-k", "not nothing", selected=names))
    assert (outcomes.processes, outcomes.failures) == ({"": [*names]}, ())


def test_with_workers_the_tests_of_each_are_known(workspace: Path) -> None:
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    text = "\n".join(f"def test_{n}():\n    assert {n} not in (1, 4)\n" for n in range(6))
    (workspace / "test_it.py").write_text(text, encoding="utf-8")
    outcomes = run_bare(request(workspace, "-p", "xdist.plugin", "-n", "2"))
    assert sorted(outcomes.processes) == ["gw0", "gw1"]
    assert outcomes.count == 6
    assert [failure.name for failure in outcomes.failures] == ["test_it.py::test_1", "test_it.py::test_4"]
    before, after = outcomes.ran_with("test_it.py::test_4")
    assert [*before, "test_it.py::test_4", *after] in outcomes.processes.values()


def test_a_process_that_is_killed_leaves_the_test_that_was_running(workspace: Path) -> None:
    text = "import os\n\ndef test_a():\n    pass\n\ndef test_b():\n    os._exit(9)\n"
    (workspace / "test_it.py").write_text(text, encoding="utf-8")
    outcomes = run_bare(request(workspace))
    assert (outcomes.exit_code, outcomes.failures) == (9, (Failure("test_it.py::test_b", "unfinished"),))


def test_the_plug_in_is_as_good_as_not_there() -> None:
    """It takes no part in hooks that decide something."""
    hooks = set(re.findall(r"def (pytest_\w+)", LAUNCHER.read_text(encoding="utf-8").partition("class Selection")[0]))
    reporting = {"runtest_logstart", "runtest_logreport", "collectreport", "internalerror", "keyboard_interrupt"}
    assert hooks == {f"pytest_{name}" for name in reporting}


# The tests that a test depends on

ITEMS = [f"test_{n}" for n in range(40)]


@pytest.mark.parametrize("needed", [*combinations(range(0, 40, 13), 1), *combinations(range(0, 40, 13), 2), (0, 1, 39)])
def test_only_the_items_that_matter_are_left(needed: tuple[int, ...]) -> None:
    wanted, runs = {ITEMS[n] for n in needed}, []

    def fails(items: Sequence[str]) -> bool:
        runs.append(items)
        assert [*items] == sorted(items, key=ITEMS.index)
        return wanted <= {*items}

    assert minimised(ITEMS, fails, lambda: True) == [ITEMS[n] for n in needed]
    assert len(runs) <= 7 * len(needed)


def test_a_search_that_may_not_go_on_gives_what_is_known_to_fail() -> None:
    runs: list[Sequence[str]] = []

    def fails(items: Sequence[str]) -> bool:
        runs.append(items)
        return "test_30" in items

    assert minimised(ITEMS, fails, lambda: len(runs) < 2) == ITEMS[30:]
    assert minimised(ITEMS, fails, lambda: False) == ITEMS
