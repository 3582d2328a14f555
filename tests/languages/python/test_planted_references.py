"""Small planted bugs found by a reference alone, through the real command: the verdict is on the changed line."""

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.frontends.cli.test_commands import adebug

Files = dict[str, str]

SHAPES: dict[str, tuple[Files, str, str, str]] = {
    "a constant of the test's module": (
        {
            "test_it.py": """
                SEP = "+"

                def cut(text):
                    return text.split(SEP)

                def test_it():
                    assert cut("a-b") == ["a", "b"]
                """
        },
        "test_it.py",
        'SEP = "+"',
        'SEP = "-"',
    ),
    "a constant of an imported module": (
        {
            "lib.py": """
                SEP = "+"

                def cut(text):
                    return text.split(SEP)
                """,
            "test_it.py": """
                from lib import cut

                def test_it():
                    assert cut("a-b") == ["a", "b"]
                """,
        },
        "lib.py",
        'SEP = "+"',
        'SEP = "-"',
    ),
    "a default argument": (
        {
            "lib.py": """
                def times(x, k=1):
                    return x * k
                """,
            "test_it.py": """
                import lib

                def test_it():
                    assert lib.times(3) == 6
                """,
        },
        "lib.py",
        "k=1",
        "k=2",
    ),
    "a class attribute": (
        {
            "lib.py": """
                class Account:
                    rate = 3
                    names = ["a"]

                    def __init__(self, sum):
                        self.sum = sum

                    def interest(self):
                        return self.sum * self.rate
                """,
            "test_it.py": """
                from lib import Account

                def test_it():
                    assert Account(10).interest() == 20
                """,
        },
        "lib.py",
        "rate = 3",
        "rate = 2",
    ),
    "an environment variable that a mock sets": (
        {
            "lib.py": """
                import os

                def home(user):
                    return os.environ["LIB_ROOT"] + "/" + user.upper()

                def both(users):
                    return [home(user) for user in users]
                """,
            "test_it.py": """
                import os
                from unittest import mock

                import lib

                def test_it():
                    with mock.patch.dict(os.environ, {"LIB_ROOT": "/r"}):
                        assert lib.both(["a", "b"]) == ["/r/a", "/r/b"]
                """,
        },
        "lib.py",
        "user.upper()",
        "user",
    ),
    "a half-used iterator": (
        {
            "lib.py": """
                def header(lines):
                    return next(lines).strip()

                def rest(lines):
                    next(lines)
                    return [line.strip() for line in lines]

                def parse(text):
                    lines = iter(text.splitlines())
                    return header(lines), rest(lines)
                """,
            "test_it.py": """
                from lib import parse

                def test_it():
                    assert parse("a\\nb\\nc") == ("a", ["b", "c"])
                """,
        },
        "lib.py",
        "    next(lines)\n    return [",
        "    return [",
    ),
    "a class with a finaliser": (
        {
            "lib.py": """
                class Bar:
                    def __init__(self, n):
                        self.n = n

                    def __del__(self):
                        pass

                    @staticmethod
                    def text(n, total):
                        l_bar = f"{n / total * 10:3.0f}%|"
                        bar = "#" * n
                        return l_bar + bar + "|"

                    def show(self, total):
                        return self.text(self.n, total)
                """,
            "test_it.py": """
                from lib import Bar

                def test_it():
                    assert Bar(5).show(10) == " 50%|#####|"
                """,
        },
        "lib.py",
        "total * 10",
        "total * 100",
    ),
    "a temporary folder": (
        {
            "lib.py": """
                import os

                def save(folder, name, text):
                    path = os.path.join(folder, name)
                    with open(path, "w") as file:
                        file.write(text)
                    return path

                def size(folder):
                    return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)[1:])
                """,
            "test_it.py": """
                import lib

                def test_it(tmp_path):
                    lib.save(tmp_path, "a", "123")
                    assert lib.size(tmp_path) == 3
                """,
        },
        "lib.py",
        "os.listdir(folder)[1:]",
        "os.listdir(folder)",
    ),
    "tests in a folder that is no package": (
        {
            "lib.py": """
                def total(items):
                    result = 0
                    for item in items[1:]:
                        result += item
                    return result
                """,
            "tests/test_it.py": """
                import lib

                def test_it():
                    assert lib.total([1, 2, 3]) == 6
                """,
            "pytest.ini": "[pytest]\npythonpath = .\n",
        },
        "lib.py",
        "items[1:]",
        "items",
    ),
    "a module that a conftest loads": (
        {
            "lib.py": """
                LIMIT = 10

                def cut(items):
                    return items[:LIMIT]
                """,
            "conftest.py": """
                import lib
                """,
            "test_it.py": """
                import lib

                def test_it():
                    assert len(lib.cut("x" * 30)) == 20
                """,
        },
        "lib.py",
        "LIMIT = 10",
        "LIMIT = 20",
    ),
    "the head of a loop": (
        {
            "lib.py": """
                def last(items):
                    found = None
                    for found in items[:-1]:
                        if found is None:
                            found = 0
                    return found
                """,
            "test_it.py": """
                import lib

                def test_it():
                    assert lib.last([1, 2]) == 2
                """,
        },
        "lib.py",
        "items[:-1]",
        "items",
    ),
}
"""Files with a planted bug; the file with the bug, and the wrong and the right text there."""


def write(folder: Path, files: Files) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text), encoding="utf-8")


def answered(folder: Path, *options: str) -> dict[str, Any]:
    """The last line of a session that nobody answers: its verdict, or the first question."""
    done = adebug("test", "--json", "--reference", "../right", *options, cwd=folder)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert lines, done.stderr
    last: dict[str, Any] = lines[-1]
    return last


def planted(tmp_path: Path, shape: tuple[Files, str, str, str]) -> tuple[Path, set[int]]:
    """Write both versions; the folder of the wrong one, and its lines (from 0) with the wrong text."""
    files, name, wrong, right = shape
    files = {path: dedent(text) for path, text in files.items()}
    assert files[name].count(wrong) == 1
    write(tmp_path / "wrong", files)
    write(tmp_path / "right", {**files, name: files[name].replace(wrong, right)})
    start = files[name].index(wrong)
    first = files[name][:start].count("\n")
    return tmp_path / "wrong", set(range(first, first + wrong.count("\n") + 1))


@pytest.mark.parametrize("name", SHAPES)
def test_a_planted_bug_is_found_by_the_reference(name: str, tmp_path: Path) -> None:
    folder, lines = planted(tmp_path, SHAPES[name])
    verdict = answered(folder)
    (place, *others) = verdict["buggy"]
    assert not others
    assert verdict["asked"] == 0
    assert place["path"] == SHAPES[name][1]
    assert {place["range"]["start"]["line"], place["range"]["end"]["line"]} <= lines


@pytest.mark.parametrize("name", SHAPES)
def test_its_own_copy_finds_no_bug(name: str, tmp_path: Path) -> None:
    files = SHAPES[name][0]
    write(tmp_path / "wrong", files)
    write(tmp_path / "right", files)
    verdict = answered(tmp_path / "wrong")
    assert (verdict["kind"], verdict["asked"]) == ("none", 0)


SEVERAL = {
    "lib.py": """
        import time

        def stamp():
            return time.time()

        def names(service):
            return sorted(service.list())[1:]

        def label(names):
            return ", ".join(f"{name}!" for name in names)

        def report(service):
            stamp()
            return label(names(service))
        """,
    "test_it.py": """
        from unittest import mock

        import lib

        def test_it():
            service = mock.Mock()
            service.list.return_value = ["b", "a"]
            with mock.patch("lib.stamp", return_value=1):
                assert lib.report(service) == "a!, b!"
        """,
}
"""A bug that shows only with the mocks of its test."""
REWRITTEN = ('", ".join(f"{name}!" for name in names)', '", ".join([name + "!" for name in names])')
FIXED = ("sorted(service.list())[1:]", "sorted(service.list())")
OTHERWISE = ("sorted(service.list())[1:]", "sorted(list(service.list()))[1:]")


def versions(tmp_path: Path, *changes: tuple[str, str]) -> Path:
    """The files above, and a reference with these changes; the folder of the first."""
    files = {name: dedent(text) for name, text in SEVERAL.items()}
    write(tmp_path / "wrong", files)
    for old, new in changes:
        assert old in files["lib.py"]
        files["lib.py"] = files["lib.py"].replace(old, new)
    write(tmp_path / "right", files)
    return tmp_path / "wrong"


def test_of_several_changes_the_run_of_the_test_in_the_reference_finds_the_wrong_one(tmp_path: Path) -> None:
    folder = versions(tmp_path, REWRITTEN, FIXED)
    done = adebug("test", "--reference", "../right", cwd=folder)
    assert "(the same test gives another result there in the reference)" in done.stdout
    assert "of what ran, the reference has other code for lib.label, lib.names" in done.stdout
    (place,) = answered(folder)["buggy"]
    assert place["text"] == "sorted(service.list())[1:]"


def test_a_reference_with_the_same_bug_in_other_words_is_no_reason_for_a_verdict(tmp_path: Path) -> None:
    verdict = answered(versions(tmp_path, REWRITTEN, OTHERWISE))
    assert verdict["kind"] == "candidates"
    assert verdict["left_out"] == 0


def test_when_its_time_is_over_a_person_is_asked(tmp_path: Path) -> None:
    folder = versions(tmp_path, REWRITTEN, FIXED)
    done = adebug("test", "--reference", "../right", "--oracle-time", "0.001", cwd=folder)
    assert "the reference has used its time (--oracle-time)" in done.stdout + done.stderr
    assert "1. names(Mock(call_count=0, list=Mock(call_count=0))):" in done.stdout


def test_a_reference_that_differs_in_much_suggests_and_does_not_decide(tmp_path: Path) -> None:
    names = [f"f{number}" for number in range(9)]
    wrong = "".join(f"def {name}(x):\n    return x + 1\n\n" for name in names)
    test = f"import lib\n\ndef test_it():\n    x = 0\n    for f in [{', '.join(f'lib.{name}' for name in names)}]:\n"
    test += "        x = f(x)\n    assert x == 99\n"
    write(tmp_path / "wrong", {"lib.py": wrong, "test_it.py": test})
    write(tmp_path / "right", {"lib.py": wrong.replace("x + 1", "x + 11"), "test_it.py": test})
    done = adebug("test", "--reference", "../right", cwd=tmp_path / "wrong")
    assert "another result there is only a suggestion" in done.stdout + done.stderr
    assert "Bug found" not in done.stdout
    verdict = answered(tmp_path / "wrong", "--fresh")
    assert verdict["type"] == "question"
    assert verdict["default"] == "no"
