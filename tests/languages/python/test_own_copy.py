"""A program against its own copy has no bug: the reference never says "no", and a session with it blames nothing."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from adebug_lsp.frontends.shared.open_session import SessionOptions, SessionTarget, session_about
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.session.subject import Subject
from tests.languages.own_copy import blamed
from tests.languages.python.recorded import record
from tests.support import EXAMPLES, ROOT

PROGRAMS = ROOT / "tests" / "programs"
NAMES = sorted(path.parent.name for path in PROGRAMS.glob("*/about.json"))
_MOST, _MOST_INSIDE = 16, 6
"""Nodes of a tree, and of the inside of each, that are judged of one program, evenly spread."""

SHAPES = {
    "constants and tables of a module": """
        SEP = "+"
        TABLE = {"a": [1, 2], "b": [3]}
        LIMITS = tuple(range(3))

        def cut(text):
            return text.split(SEP)

        def total(key):
            TABLE[key].append(len(LIMITS))
            return sum(TABLE[key])

        print(cut("a+b"), total("a"), total("a"))
        """,
    "default arguments": """
        def add(item, to=[], *, times=2, by=len("abc")):
            to += [item] * times
            return len(to) * by

        print(add(1), add(2), add(3, [], times=1))
        """,
    "class attributes": """
        class Account:
            made = 0
            names = []

            def __init__(self, name):
                Account.made += 1
                self.names.append(name)
                self.name = name

            @classmethod
            def count(cls):
                return cls.made, len(cls.names)

            @property
            def label(self):
                return f"{self.name}/{self.made}"

        one, two = Account("a"), Account("b")
        print(Account.count(), one.label, two.label)
        """,
    "half-used iterators": """
        import itertools

        def take(items, n):
            return [next(items) for _ in range(n)]

        def numbers():
            n = 0
            while True:
                got = yield n
                n += got or 1

        def rest(items):
            return list(items)

        items = iter([1, 2, 3, 4])
        pairs = enumerate("abc")
        chained = itertools.chain([1], [2, 3])
        gen = numbers()
        print(take(items, 2), rest(items), take(pairs, 1), rest(pairs), take(chained, 2), rest(chained))
        print(take(gen, 3), gen.send(5), take(gen, 1))
        """,
    "finalisers": """
        log = []

        class Handle:
            def __init__(self, n):
                self.n = n

            def twice(self):
                return 2 * self.n

            def __del__(self):
                log.append(self.n)

        def use(n):
            handle = Handle(n)
            return handle.twice()

        print(use(1), use(2), log)
        """,
    "temporary folders": """
        import os
        import tempfile
        from pathlib import Path

        def write(folder, text):
            path = Path(folder) / "a.txt"
            path.write_text(text)
            return path

        def size(path):
            return os.path.getsize(path)

        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "hello")
            print(size(path), path.name, len(os.listdir(folder)))
        """,
    "mocks": """
        from unittest import mock

        def fetch(url):
            raise OSError(url)

        def title(url):
            return fetch(url).upper()

        with mock.patch(f"{__name__}.fetch", return_value="page") as fake:
            print(title("x"), fake.call_count)
        service = mock.Mock()
        service.get.return_value = 3

        def ask(service):
            return service.get("k") + 1

        print(ask(service), service.get.call_args)
        """,
    "time and chance": """
        import random
        import time

        def roll(n):
            return [random.random() for _ in range(n)]

        def stamp():
            return time.time(), time.perf_counter()

        def wait():
            start = time.monotonic()
            time.sleep(0.001)
            return time.monotonic() - start

        random.seed()
        print(roll(2), stamp(), wait(), random.choice([1, 2, 3]))
        """,
    "identities and hashes": """
        def key(thing):
            return id(thing) % 1000

        def name(thing):
            return f"{thing!r} {hash(str(thing))}"

        class Plain:
            pass

        things = [Plain(), Plain()]
        print([key(one) for one in things], name(things[0]), sorted(things, key=id)[0] in things)
        """,
    "printing": """
        import sys

        def say(text, end="\\n"):
            print(text, end=end)
            sys.stderr.write(text)
            return len(text)

        def show(items):
            for item in items:
                say(str(item), end=" ")
            print()

        print(say("hello"))
        show([1, 2, object()])
        """,
    "an exception that ends the run": """
        def half(x):
            return 10 / x

        def all_halves(items):
            return [half(one) for one in items]

        print(all_halves([1, 2]))
        all_halves([1, 0])
        """,
    "sets and the order of hashes": """
        def letters(text):
            return {one for one in text}

        def first(items):
            return next(iter(items))

        found = letters("hello world")
        print(first(found), sorted(found), list(found))
        """,
    "environment and folders": """
        import os
        import sys

        def where():
            return os.getcwd(), os.environ.get("HOME"), sys.argv, os.getpid()

        os.environ["OWN_COPY"] = "1"
        print(where(), os.environ["OWN_COPY"])
        """,
    "closures that count": """
        def counter():
            n = 0

            def more(by=1):
                nonlocal n
                n += by
                return n

            return more

        one, two = counter(), counter()
        print(one(), one(2), two(), [f(3) for f in (one, two)])
        """,
}

FAILING = {
    "a constant of the test module": {
        "test_it.py": """
            SEP = "+"

            def cut(text):
                return text.split(SEP)

            def test_it():
                assert cut("a-b") == ["a", "b"]
            """
    },
    "a constant of another module": {
        "lib.py": """
            SEP = "+"

            def cut(text):
                return text.split(SEP)
            """,
        "test_it.py": """
            import lib

            def test_it():
                assert lib.cut("a-b") == ["a", "b"]
            """,
    },
    "a wrong default": {
        "lib.py": """
            def f(x, k=1):
                return x * k
            """,
        "test_it.py": """
            import lib

            def test_it(tmp_path, monkeypatch):
                monkeypatch.chdir(tmp_path)
                (tmp_path / "a").write_text("3")
                assert lib.f(int(open("a").read())) == 6
            """,
    },
}


def wrong_answers(workspace: Path, subject: PythonSubject, opened: Any, most: int = _MOST) -> Iterator[str]:
    """Questions to which the program's own copy answers "no", and verdicts."""
    with opened.oracles(subject, "copy", lambda _: None) as oracles:
        reference = next(oracle for oracle in oracles if oracle.name == "reference")
        for level, node, zoomed in nodes_of(subject, most):
            opinion = reference.opinion(Question(level.tree.facts(node), level.behaviour(node), zoomed=zoomed))
            if opinion is not None and opinion.judgement is Judgement.NO:
                yield f"{level.behaviour(node).text}: {opinion.reason}, {opinion.expected}"
        open_session = session_about(
            SessionTarget(subject, workspace.name, workspace.name), SessionOptions(ask_root=True), None, [reference]
        )
        yield from blamed(open_session)


def nodes_of(subject: PythonSubject, most: int) -> Iterator[tuple[Subject, int, tuple[int, ...]]]:
    """The nodes of the tree, and those inside of each."""
    for node in spread(len(subject.tree), most):
        yield subject, node, ()
        inner = subject.inside(node)
        for part in spread(len(inner.tree), _MOST_INSIDE) if inner is not None else ():
            if part:
                assert inner is not None
                yield inner, part, (node,)


def spread(count: int, most: int) -> range:
    return range(0, count, -(-count // most))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_small_program_is_right_by_its_own_copy(shape: str, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "program.py").write_text(dedent(SHAPES[shape]), encoding="utf-8")
    recorded = record(tmp_path, SHAPES[shape])
    assert list(wrong_answers(tmp_path, recorded.subject(), recorded.opened)) == []


@pytest.mark.parametrize("shape", FAILING)
def test_a_failing_test_is_right_by_its_own_copy(shape: str, tmp_path: Path) -> None:
    for name, text in FAILING[shape].items():
        for folder in (tmp_path, tmp_path / "copy"):
            folder.mkdir(exist_ok=True)
            (folder / name).write_text(dedent(text), encoding="utf-8")
    recorded = record(tmp_path, {}, tests=["-p", "no:cacheprovider", "test_it.py"])
    (entry,) = [entry for entry in recorded.opened.entries if entry.failed]
    assert list(wrong_answers(tmp_path, recorded.opened.subject(entry), recorded.opened)) == []


@pytest.mark.suites
@pytest.mark.parametrize("name", NAMES)
def test_a_planted_program_is_right_by_its_own_copy(name: str, tmp_path: Path) -> None:
    workspace = tmp_path / name
    shutil.copytree(PROGRAMS / name, workspace)
    shutil.copytree(PROGRAMS / name, workspace / "copy", ignore=shutil.ignore_patterns("fixed"))
    about = json.loads((workspace / "about.json").read_text(encoding="utf-8"))
    options: dict[str, Any] = {"tests": ["-p", "no:cacheprovider", "tests"]} if about.get("tests") else {}
    if about.get("endless"):
        options["timeout"] = 1.0
    files = {} if about.get("tests") else {"program.py": (workspace / "program.py").read_text(encoding="utf-8")}
    recorded = record(workspace, files, **options)
    entry = next((candidate for candidate in recorded.opened.entries if candidate.failed), recorded.opened.entries[0])
    most = 4 if about.get("endless") else _MOST  # there each takes all the time that it is given
    assert list(wrong_answers(workspace, recorded.opened.subject(entry), recorded.opened, most)) == []


def test_the_examples_are_right_by_their_own_copies(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "copy"):
        folder.mkdir(exist_ok=True)
        shutil.copy(EXAMPLES / "prime.py", folder)
    recorded = record(tmp_path, {"prime.py": (EXAMPLES / "prime.py").read_text(encoding="utf-8")})
    assert list(wrong_answers(tmp_path, recorded.subject(), recorded.opened)) == []
