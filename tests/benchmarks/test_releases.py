"""The benchmark over releases finds bugs in pairs of releases, and compares verdicts with what the fix changed."""

import io
import os
import signal
import subprocess
import sys
import sysconfig
import tarfile
import time
from pathlib import Path

import pytest

from benchmarks.releases.changes import changed_lines, changes_between
from benchmarks.releases.corpus import PYTEST, Bug, Package, load
from benchmarks.releases.fetch import interpreter
from benchmarks.releases.find import is_behaviour, pairs_of
from benchmarks.releases.main import main
from benchmarks.releases.measure import Asked, Result, judged, shown_lines
from benchmarks.releases.person import replaced_lines
from benchmarks.releases.processes import run
from benchmarks.releases.report import by_hand, totals
from benchmarks.releases.suites import Outcome
from benchmarks.releases.talk import Talk

TALLY = Package("tally", ("tally",))
OLDER = '''\
"""Adds prices up."""

__version__ = "1.0.0"


def total(prices, percent):
    amount = 0
    for price in prices:
        amount += price
    return with_tax(amount, percent)


def with_tax(amount, percent):
    return amount + percent
'''
NEWER = OLDER.replace("1.0.0", "1.0.1").replace("amount + percent", "amount + amount * percent // 100") + (
    "\n\ndef discount(amount):\n    return amount - 1\n"
)
TESTS = """\
import tally


def test_nothing():
    assert tally.total([], 0) == 0


def test_total():
    assert tally.total([150, 50], 10) == 220


def test_discount():
    assert tally.discount(3) == 2
"""
BACKEND = """\
import pathlib


def prepare_metadata_for_build_wheel(folder, config_settings=None):
    info = pathlib.Path(folder, "tally.dist-info")
    info.mkdir()
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\\nName: tally\\nVersion: @\\n")
    return info.name


def build_wheel(folder, config_settings=None, metadata_directory=None):
    raise RuntimeError("only its metadata is asked for")
"""
PYPROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache whose environments were made without an index."""
    folder = tmp_path_factory.mktemp("releases")
    _environment(folder / "builder", "--system-site-packages", ready="")
    ready = "\n".join([PYTEST, "tally==1.0.1"])
    environment = _environment(folder / "environments" / "tally", "--without-pip", ready=ready)
    site = subprocess.check_output(
        [interpreter(environment), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
    )
    Path(site.strip(), "pytest.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with four source distributions, which pip downloads from."""
    folder = tmp_path_factory.mktemp("dists")
    _release(folder, "1.0.0", OLDER, TESTS.split("\n\n\ndef test_total", maxsplit=1)[0] + "\n")
    for version in ("1.0.1", "1.0.2", "1.0.3"):
        _release(folder, version, NEWER.replace("1.0.1", version), TESTS)
    return folder


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, releases: Path) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(releases))


def _environment(folder: Path, option: str, ready: str) -> Path:
    subprocess.run([sys.executable, "-m", "venv", option, str(folder)], check=True)
    (folder / "ready").write_text(ready, encoding="utf-8")
    return folder


def _release(folder: Path, version: str, code: str, tests: str) -> None:
    files = {
        "PKG-INFO": f"Metadata-Version: 2.1\nName: tally\nVersion: {version}\n",
        "pyproject.toml": PYPROJECT,
        "backend.py": BACKEND.replace("@", version),
        "tally/__init__.py": code,
        "tests/test_tally.py": tests,
    }
    with tarfile.open(folder / f"tally-{version}.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"tally-{version}/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))


@pytest.mark.usefixtures("offline")
def test_a_bug_is_found_and_measured(cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--find", "tally", "--cache", str(cache)])
    written = (cache / "candidates" / "tally 1.0.0 1.0.1.toml").read_text("utf-8")
    assert written.count("[[bug]]") == 1, capsys.readouterr().err

    corpus = tmp_path / "corpus.toml"
    corpus.write_text(f'[[package]]\nname = "tally"\n\n{written}', encoding="utf-8")
    bug = Bug(TALLY, "1.0.0", "1.0.1", "1.0.3", "tests/test_tally.py::test_total")
    assert load(corpus).bugs == (bug,)

    shown = []
    for mode in ([], ["--drift"], ["--by-hand"]):
        main([*mode, "--corpus", str(corpus), "--cache", str(cache)])
        shown.append(capsys.readouterr().out)
    assert all("| tally 1.0.1 | test_total | line | 1 |" in table for table in shown), shown
    assert "- asked of a person: median 0, most 0" in shown[0]
    assert "- ended at a changed function: 1 of 1 (100 %)" in shown[2]
    assert "| routine |" in shown[2]

    results = [path for path in (cache / "results").rglob("*.json") if path.parent.name == "reference"]
    results[0].write_text(results[0].read_text("utf-8").replace('"line"', '"crash"'), encoding="utf-8")
    main(["--kept", "--corpus", str(corpus), "--cache", str(cache)])
    assert "| crash | 1 |" in capsys.readouterr().out, "a result is kept until the code of adebug changes"


# Differences


def _trees(tmp_path: Path, older: str, newer: str) -> tuple[Path, Path]:
    for name, text in (("older", older), ("newer", newer)):
        (tmp_path / name / "tally").mkdir(parents=True)
        (tmp_path / name / "tally" / "__init__.py").write_text(text, encoding="utf-8")
    return tmp_path / "older", tmp_path / "newer"


def test_scopes_are_changed_by_their_own_code_only(tmp_path: Path) -> None:
    older = "RATE = 1\nclass A:\n    step = 1\n    def f(self):\n        return 1\n    def g(self):\n        return 2\n"
    newer = older.replace("return 1", '"""Says more."""\n        return 1  # and why').replace("return 2", "return 3")
    changes = changes_between(*_trees(tmp_path, older, newer), TALLY)
    assert {scope.name for scope in changes.scopes} == {"A.g"}
    assert changes.lines == {"tally/__init__.py": {7}}
    assert changes.executed({"tally/__init__.py": frozenset({4, 5, 6})}) == {}
    (scope,) = changes.executed({"tally/__init__.py": frozenset({7})})
    assert (scope.name, scope.routine) == ("A.g", True)


def test_tables_and_class_attributes_are_code(tmp_path: Path) -> None:
    older = "RATES = {1: 2}\nclass A:\n    step = 1\n"
    newer = "RATES = {1: 3}\nclass A:\n    step = 2\n"
    changes = changes_between(*_trees(tmp_path, older, newer), TALLY)
    assert {(scope.name, scope.routine) for scope in changes.scopes} == {("<module>", False), ("A", False)}
    assert changes.names == {"RATES", "step"}


def test_annotations_and_new_neighbours_are_no_change(tmp_path: Path) -> None:
    rest = "\n\ndef g():\n    return 1\n\n\ndef h():\n    return 1\n"
    older = "def f(a):\n    b = a\n    return b\n" + rest
    newer = "def f(a: int) -> int:\n    b: int = a\n    return b\n\n\ndef new():\n    pass\n" + rest[:-2] + "2\n"
    changes = changes_between(*_trees(tmp_path, older, newer), TALLY)
    assert {scope.name for scope in changes.scopes if scope.routine} == {"h"}
    assert changes.lines == {"tally/__init__.py": {11}}


def test_the_number_of_the_version_is_no_change(tmp_path: Path) -> None:
    assert not changes_between(*_trees(tmp_path, OLDER, OLDER.replace("1.0.0", "1.0.1")), TALLY).scopes


def test_an_added_statement_counts_for_its_neighbours() -> None:
    assert changed_lines("a = 1\n\n# why\nb = 2\nc = 3\n", "a = 1\nx = 5\n\nb = 2\nc = 3\n") == {1, 4}
    assert changed_lines("a = 1\nb = 2\nc = 3\n", "a = 1\nc = 3\n") == {2}
    assert changed_lines("a = f(1)\n", "a = f( 1)  # the same\n") == set()


# The finder


def test_pairs_that_only_fix_bugs_come_first() -> None:
    versions = ["1.0", "1.0.1", "1.1.0", "1.1.1", "2.0", "2.1", "2.2"]
    assert pairs_of(versions) == [("1.1.0", "1.1.1"), ("1.0", "1.0.1"), ("1.1.1", "2.0"), ("1.0.1", "1.1.0")]


@pytest.mark.parametrize(
    ("exception", "message", "file", "expected"),
    [
        ("AssertionError", "assert 1 == 2", "tests/test_tally.py", True),
        ("TypeError", "unsupported operand", "tally/__init__.py", True),
        ("TypeError", "total() got an unexpected keyword argument 'tax'", "tally/__init__.py", False),
        ("AttributeError", "module 'tally' has no attribute 'discount'", "tests/test_tally.py", False),
        ("ImportError", "cannot import name 'discount'", "tests/test_tally.py", False),
    ],
)
def test_what_the_code_does_not_have_yet_is_no_bug(
    tmp_path: Path, exception: str, message: str, file: str, *, expected: bool
) -> None:
    older, _newer = _trees(tmp_path, OLDER, NEWER)
    (older / "tests").mkdir()
    outcome = Outcome(
        "test", passed=False, failed=True, exception=exception, message=message, place=str(older.resolve() / file)
    )
    assert is_behaviour(outcome, older, TALLY) is expected


# Verdicts


def _question(**more: object) -> dict[str, object]:
    plain = {"kind": "routine", "callable": "tally.total", "text": "total() = 1", "path": "tally/__init__.py"}
    return {**plain, "before": {}, "after": {}, "result": "1", "raised": None, **more}


def _verdict(kind: str, path: str, first: int, last: int) -> dict[str, object]:
    place = {
        "path": path,
        "range": {"start": {"line": first - 1, "character": 4}, "end": {"line": last - 1, "character": 9}},
    }
    return {"kind": kind, "buggy": [place], "questions": 3, "explanation": "it is wrong"}


@pytest.mark.parametrize(
    ("verdict", "outcome", "lines"),
    [
        (_verdict("expression", "tally/__init__.py", 14, 14), "line", 1),
        (_verdict("routine", "tally/__init__.py", 13, 13), "function", 1),
        (_verdict("statement", "tally/__init__.py", 8, 9), "neither", 2),
        (_verdict("expression", "tests/test_tally.py", 14, 14), "neither", 1),
        (_verdict("candidates", "tally/__init__.py", 7, 14), "candidates", 8),
        (_verdict("none", "tally/__init__.py", 14, 14), "none", 1),
        (None, "silence", 0),
    ],
)
def test_a_verdict_is_compared_with_what_changed(
    tmp_path: Path, verdict: dict[str, object] | None, outcome: str, lines: int
) -> None:
    changes = changes_between(*_trees(tmp_path, OLDER, NEWER), TALLY)
    result = judged(Talk((_question(),), ("unknown",), verdict, "", "", 1.0, 2.0), changes, ["tests"], 0.5)
    assert (result.outcome, result.lines) == (outcome, lines)
    assert (
        judged(Talk((), (), None, "exit code 2: KeyError", "", None, 2.0), changes, ["tests"], 0.5).outcome == "crash"
    )


def test_questions_about_the_test_itself_and_about_modules_are_plumbing(tmp_path: Path) -> None:
    changes = changes_between(*_trees(tmp_path, OLDER, NEWER), TALLY)
    asked = [
        _question(),
        _question(path="tests/conftest.py"),
        _question(text="module tally: nothing changed"),
        _question(callable="tally.Total.__repr__"),
    ]
    result = judged(Talk(tuple(asked), ("yes", "no", "yes", "yes"), None, "", "", 1.0, 2.0), changes, ["tests"], 0.5)
    assert [question.plumbing for question in result.asked] == [False, True, True, True]


def test_lines_of_a_question_are_those_of_a_terminal() -> None:
    assert shown_lines(_question()) == 1
    assert shown_lines(_question(text="x" * 81, before={"a": "1"}, after={"a": "2", "b": "y" * 200})) == 6


def test_totals_count_what_is_right() -> None:
    bug = Bug(TALLY, "1.0.0", "1.0.1", None, "tests/test_tally.py::test_total")
    question = Asked("routine", 30, plumbing=True, answer="no", text="total() = 1")
    results = [Result("line", lines=1, holds=True, questions=4, asked=(question,)), Result("candidates", lines=40)]
    table = totals([(bug, result) for result in results])
    assert "- verdict in a changed function: 1 of 2 (50 %)" in table
    assert "- lists of candidates: 1, 0 with a changed line, 1 longer than a screen" in table
    person = by_hand([(bug, result) for result in results])
    assert "| tally 1.0.1 | test_total | 1 | 0 / 1 / 0 | line in a changed function | routine | 1 |" in person
    assert "| routine | 1 | 30 | 30 | 0 of 1 (0 %) | 0 of 1 (0 %) |" in person


def test_a_changed_line_stands_for_the_one_in_its_place() -> None:
    assert replaced_lines("a\nb\nc\nd\n", "x\na\nB\nc\nD\nE\n") == {1: 2}


# Processes and the corpus


BEATING = "for i in $(seq 300); do touch beat; sleep 0.1; done"


@pytest.mark.skipif(os.name == "nt", reason="a process group is a session of POSIX")
def test_no_child_outlives_the_time_limit(tmp_path: Path) -> None:
    done = run(["sh", "-c", f"({BEATING}) & wait"], tmp_path, 1)
    assert done.code is None
    assert not _beats(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="a process group is a session of POSIX")
def test_no_child_outlives_a_terminated_benchmark(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path\n"
        "from benchmarks.releases.processes import leave_nothing_when_terminated, run\n"
        "leave_nothing_when_terminated()\n"
        f"run(['sh', '-c', {BEATING!r}], Path.cwd(), 60)\n"
    )
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, env=variables) as process:
        while not (tmp_path / "beat").exists():
            time.sleep(0.05)
        process.terminate()
    assert not _beats(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="a process group is a session of POSIX")
def test_a_child_that_is_being_started_does_not_outlive_a_terminated_benchmark(tmp_path: Path) -> None:
    script = (
        "import os, signal, subprocess\n"
        "from pathlib import Path\n"
        "from benchmarks.releases.processes import leave_nothing_when_terminated, run\n"
        "class Interrupted(subprocess.Popen):\n"
        "    def __init__(self, *arguments, **options):\n"
        "        super().__init__(*arguments, **options)\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "subprocess.Popen = Interrupted\n"
        "leave_nothing_when_terminated()\n"
        f"run(['sh', '-c', {BEATING!r}], Path.cwd(), 60)\n"
    )
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=variables, check=False, timeout=60)
    assert done.returncode == 128 + signal.SIGTERM
    assert not _beats(tmp_path)


def _beats(folder: Path) -> bool:
    (folder / "beat").unlink(missing_ok=True)
    time.sleep(1)
    return (folder / "beat").exists()


def test_the_corpus_is_large_and_says_everything_once() -> None:
    bugs = load().bugs
    assert len(bugs) >= 40
    assert len({bug.package.name for bug in bugs}) >= 15
    assert len({bug.name for bug in bugs}) == len(bugs)
