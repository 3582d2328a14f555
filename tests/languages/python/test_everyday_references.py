"""Everyday Python with one planted bug each, found by a reference alone, through the real command."""

from pathlib import Path

import pytest

from tests.languages.python.test_planted_references import answered, planted

SHAPES: dict[str, tuple[str, str, str, str]] = {
    "a table of a module": (
        """
        RATES = {
            "a": 1,
            "b": 3,
        }

        def price(kind, n):
            return RATES[kind] * n
        """,
        """
        import lib

        def test_it():
            assert lib.price("b", 2) == 4
        """,
        '"b": 3',
        '"b": 2',
    ),
    "an enum": (
        """
        from enum import Enum

        class Color(Enum):
            RED = "r"
            BLUE = "g"

        def code(color):
            return color.value.upper()
        """,
        """
        import lib

        def test_it():
            assert lib.code(lib.Color.BLUE) == "B"
        """,
        'BLUE = "g"',
        'BLUE = "b"',
    ),
    "a decorator's argument": (
        """
        import functools

        def times(n):
            def around(function):
                @functools.wraps(function)
                def inner(*args):
                    return n * function(*args)
                return inner
            return around

        @times(3)
        def one(x):
            return x
        """,
        """
        import lib

        def test_it():
            assert lib.one(5) == 10
        """,
        "times(3)",
        "times(2)",
    ),
    "a cached function": (
        """
        import functools

        @functools.cache
        def fib(n):
            return n if n < 2 else fib(n - 1) + fib(n - 3 + (n < 3))
        """,
        """
        import lib

        def test_it():
            assert lib.fib(6) == 8
        """,
        "fib(n - 3 + (n < 3))",
        "fib(n - 2)",
    ),
    "a property": (
        """
        class Box:
            def __init__(self, w, h):
                self.w, self.h = w, h

            @property
            def area(self):
                return self.w + self.h
        """,
        """
        import lib

        def test_it():
            assert lib.Box(2, 3).area == 6
        """,
        "self.w + self.h",
        "self.w * self.h",
    ),
    "a class method": (
        """
        class Point:
            def __init__(self, x, y):
                self.x, self.y = x, y

            @classmethod
            def parse(cls, text):
                x, y = text.split(",")
                return cls(int(y), int(x))
        """,
        """
        import lib

        def test_it():
            assert lib.Point.parse("1,2").x == 1
        """,
        "cls(int(y), int(x))",
        "cls(int(x), int(y))",
    ),
    "an inherited method": (
        """
        class Shape:
            sides = 0

            def describe(self):
                return f"{self.sides - 1} sides"

        class Square(Shape):
            sides = 4
        """,
        """
        import lib

        def test_it():
            assert lib.Square().describe() == "4 sides"
        """,
        "self.sides - 1",
        "self.sides",
    ),
    "a patched function": (
        """
        import os

        def cores():
            return os.cpu_count()

        def workers():
            return max(1, cores() + 1)
        """,
        """
        import lib

        def test_it(monkeypatch):
            monkeypatch.setattr(lib, "cores", lambda: 4)
            assert lib.workers() == 3
        """,
        "cores() + 1",
        "cores() - 1",
    ),
    "a file": (
        """
        def load(path):
            with open(path) as file:
                return [line.strip() for line in file][1:]
        """,
        """
        import lib

        def test_it(tmp_path):
            path = tmp_path / "a.txt"
            path.write_text("a\\nb\\n")
            assert lib.load(path) == ["a", "b"]
        """,
        "[line.strip() for line in file][1:]",
        "[line.strip() for line in file]",
    ),
    "a database": (
        """
        import sqlite3

        def total(connection):
            (found,) = connection.execute("select max(n) from t").fetchone()
            return found
        """,
        """
        import sqlite3

        import lib

        def test_it():
            connection = sqlite3.connect(":memory:")
            connection.execute("create table t (n)")
            connection.executemany("insert into t values (?)", [(1,), (2,)])
            assert lib.total(connection) == 3
        """,
        "select max(n) from t",
        "select sum(n) from t",
    ),
    "a child process": (
        """
        import subprocess
        import sys

        def evaluated(text):
            done = subprocess.run([sys.executable, "-c", f"print({text})"], capture_output=True, text=True)
            return done.stdout
        """,
        """
        import lib

        def test_it():
            assert lib.evaluated("1 + 1") == "2"
        """,
        "return done.stdout",
        "return done.stdout.strip()",
    ),
    "the time": (
        """
        import time

        def elapsed(start):
            return time.time() + start
        """,
        """
        import time

        import lib

        def test_it():
            assert lib.elapsed(time.time()) < 100
        """,
        "time.time() + start",
        "time.time() - start",
    ),
    "chance": (
        """
        import random

        def roll():
            return random.randint(7, 12)
        """,
        """
        import lib

        def test_it():
            assert 1 <= lib.roll() <= 6
        """,
        "random.randint(7, 12)",
        "random.randint(1, 6)",
    ),
    "threads": (
        """
        import threading

        def work(n, out):
            out.append(n + n)

        def run(count):
            out = []
            threads = [threading.Thread(target=work, args=(n, out)) for n in range(count)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return sorted(out)
        """,
        """
        import lib

        def test_it():
            assert lib.run(4) == [0, 1, 4, 9]
        """,
        "n + n",
        "n * n",
    ),
    "coroutines": (
        """
        import asyncio

        async def fetch(n):
            await asyncio.sleep(0)
            return n + 2

        async def gathered():
            return await asyncio.gather(*(fetch(n) for n in range(3)))

        def run():
            return asyncio.run(gathered())
        """,
        """
        import lib

        def test_it():
            assert lib.run() == [1, 2, 3]
        """,
        "n + 2",
        "n + 1",
    ),
    "a generator": (
        """
        def pairs(items):
            for first, second in zip(items, items[2:]):
                yield first, second
        """,
        """
        import lib

        def test_it():
            assert list(lib.pairs([1, 2, 3])) == [(1, 2), (2, 3)]
        """,
        "items[2:]",
        "items[1:]",
    ),
    "logging": (
        """
        import logging

        logger = logging.getLogger("shop")

        def sell(n):
            logger.warning("sold %d", n + 1)
        """,
        """
        import lib

        def test_it(caplog):
            lib.sell(2)
            assert caplog.messages == ["sold 2"]
        """,
        "n + 1",
        "n",
    ),
}
"""The module `lib` and its test; the wrong and the right text in `lib`."""

_FIXTURE = """
import pytest


@pytest.fixture(scope="{}")
def rate():
    return 3
"""
_USES_FIXTURE = """
def test_it(rate):
    assert 10 * rate == 20
"""


@pytest.mark.parametrize("name", SHAPES)
def test_everyday_code_is_found_by_the_reference(name: str, tmp_path: Path) -> None:
    lib, test, wrong, right = SHAPES[name]
    _found_in(tmp_path, {"lib.py": lib, "test_it.py": test}, "lib.py", (wrong, right))


@pytest.mark.parametrize("scope", ["function", "class", "module", "package", "session"])
def test_a_fixture_of_each_scope_is_found_by_the_reference(scope: str, tmp_path: Path) -> None:
    files = {"conftest.py": _FIXTURE.format(scope), "test_it.py": _USES_FIXTURE}
    _found_in(tmp_path, files, "conftest.py", ("return 3", "return 2"))


def _found_in(tmp_path: Path, files: dict[str, str], path: str, texts: tuple[str, str]) -> None:
    folder, lines = planted(tmp_path, (files, path, *texts))
    verdict = answered(folder)
    (place, *others) = verdict["buggy"]
    assert not others
    assert (verdict["asked"], place["path"]) == (0, path)
    assert {place["range"]["start"]["line"], place["range"]["end"]["line"]} <= lines
