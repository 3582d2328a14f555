"""Routines recorded at level `calls` are executed again, with their calls answered from the recording."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from adebug_lsp.frontends.shared.open_session import SessionOptions, begin_session, open_recording
from adebug_lsp.languages.language import Request
from adebug_lsp.languages.python.language import OpenedPython, Python
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.languages.python.sandbox.reexecution import ReexecutedCall, Reexecution
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.store.digest import _digest
from tests.languages.python.recorded import node_of, record, silent


@frozen
class Looked:
    """A program recorded at the level of calls, and what executes its calls again."""

    subject: PythonSubject
    problems: list[str]

    def inside(self, call: str) -> list[str]:
        """Texts of the questions inside the first call whose behaviour begins like this."""
        inner = self.subject.inside(node_of(self.subject, call))
        assert inner is not None, self.problems
        return [inner.behaviour(node).text for node in range(1, len(inner.tree.size))]

    def refused(self, call: str) -> str:
        """Why there is no inside."""
        assert self.subject.inside(node_of(self.subject, call)) is None
        return self.problems[-1]


@pytest.fixture
def look(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., Looked]:
    def looked(program: str, **options: object) -> Looked:
        opened = record(tmp_path, program, level="calls", **options).opened
        subject = opened.subject(opened.entries[0])
        problems: list[str] = []
        around = opened.oracles(subject, None, problems.append)
        around.__enter__()
        request.addfinalizer(lambda: around.__exit__(None, None, None))
        return Looked(subject, problems)

    return looked


def test_statements_and_expressions_are_asked_about(look: Callable[..., Looked]) -> None:
    run = look("""
        def double(n):
            return n * 2

        def work(n):
            m = double(n) + 1
            if m > 5:
                m -= 1
            return m

        work(3)
    """)
    assert run.inside("work(3)") == [
        "m = double(n) + 1: m = 7",
        "double(n) + 1 = 7",
        "double(n) = 6",
        "`if m > 5` was True: m: 7 -> 6",
        "the condition `m > 5` was True",
        "m -= 1: m: 7 -> 6",
        "return m: returned 6",
    ]


def test_loops_and_iterations_have_their_variables(look: Callable[..., Looked]) -> None:
    subject = look("""
        def square(n):
            return n * n

        def work():
            total = 0
            for n in range(3):
                total += square(n)
            return total

        work()
    """).subject
    texts = [subject.behaviour(node).text for node in range(len(subject.tree.size))]
    assert "the loop `for n in range(3)` (line 7): total: 0 -> 5, n = 2" in texts
    assert "iteration 3 of `for n in range(3)` (line 7): total: 1 -> 5" in texts


def test_recorded_calls_are_answered_and_not_executed(look: Callable[..., Looked], tmp_path: Path) -> None:
    """The callee wrote to a file that no longer exists when its caller is executed again."""
    run = look("""
        import os, random

        def note(items):
            with open("note.txt", "a") as file:
                file.write("x")
            items.append(random.random())
            return len(items)

        def work():
            items = []
            count = note(items) + note(items)
            items.clear()
            return count

        work()
    """)
    (tmp_path / "note.txt").unlink()
    assert run.inside("work()")[0] == "items = []: items = []"
    assert not (tmp_path / "note.txt").exists()


def test_changes_by_calls_are_replayed(look: Callable[..., Looked]) -> None:
    run = look("""
        TOTAL = 0

        class Box:
            made = 0

            def __init__(self, n):
                self.n = n
                Box.made += 1

            def grow(self, by=[]):
                by.append(self.n)
                self.n += len(by)

        def add(n):
            global TOTAL
            TOTAL += n

        def work(**named):
            count = 0

            def up():
                nonlocal count
                count += 10

            box = Box(named["n"])
            box.grow()
            box.grow()
            add(box.n)
            up()
            return box.n + TOTAL + count + Box.made

        add(5)
        Box(1).grow()
        work(n=3)
    """)
    assert run.inside("work({'n': 3})")[-5:] == [
        "box.n + TOTAL + count + Box.made = 33",
        "box.n + TOTAL + count = 31",
        "box.n + TOTAL = 21",
        "box.n = 8",
        "Box.made = 2",
    ]


def test_an_exception_is_raised_again(look: Callable[..., Looked]) -> None:
    run = look("""
        class Bad(Exception):
            pass

        def check(n):
            if n > 1:
                raise Bad(n)

        def work():
            for n in range(3):
                check(n)

        def main():
            try:
                work()
            except Bad as bad:
                return bad.args[0]

        main()
    """)
    assert "bad.args[0] = 2" in run.inside("main()")


def test_a_generator_is_executed_from_the_call_that_requested_its_values(look: Callable[..., Looked]) -> None:
    run = look("""
        def half(n):
            return n // 2

        def numbers(n):
            while n:
                yield n
                n = half(n)

        def work():
            return sum(numbers(5))

        work()
    """)
    assert "half(n) = 2" in run.inside("a step of numbers(5) = 2")
    assert run.inside("work()") == ["sum(numbers(5)) = 8", "numbers(5) = <generator numbers>"]


def test_an_iterator_argument_comes_from_the_caller(look: Callable[..., Looked]) -> None:
    run = look("""
        def pairs(items):
            return zip(items, items[1:])

        def gaps(given):
            return [b - a for a, b in given]

        def work(items):
            return max(gaps(pairs(items)))

        work([1, 4, 9])
    """)
    assert run.inside("gaps(")[0] == "[b - a for a, b in given] = [3, 5]"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("return time.time() > 0", "time.time"),
        ("return random.random() < 2", "random.Random.random"),
        ("return len(open(__file__).read()) > 0", "io.open"),
        ("return id(work) > 0", "id"),
        ("return os.path.exists('x')", "posix.stat"),
        ("return datetime.date.today().year > 0", "date.today"),
    ],
)
def test_code_that_would_not_give_the_same_result_is_refused(look: Callable[..., Looked], body: str, why: str) -> None:
    refusal = look(f"import datetime, os, random, time\ndef work():\n    {body}\nwork()\n").refused("work()")
    assert refusal.replace("_io", "io").endswith(f"it calls {why}, which may give another result")


def test_a_reexecution_that_differs_is_refused(look: Callable[..., Looked]) -> None:
    """The order of a set of strings is another one in every process."""
    run = look("""
        def name(n):
            return n

        def work():
            return [name(n) for n in {str(n) for n in range(100)}]

        work()
    """)
    assert "differs from the recording" in run.refused("work()")


def test_a_stopped_call_is_not_reexecuted(look: Callable[..., Looked]) -> None:
    run = look("def work():\n    while True:\n        pass\nwork()\n", timeout=0.3)
    assert run.refused("work()").endswith("the program was stopped in it")
    assert NodeKind.LOOP not in run.subject.tree.kind.tolist()


def test_calls_beside_other_threads_are_refused(look: Callable[..., Looked]) -> None:
    run = look("""
        import threading

        def count(n):
            return sum(range(n))

        def work():
            thread = threading.Thread(target=count, args=(3,))
            thread.start()
            thread.join()
            return 1

        work()
    """)
    assert run.refused("work()").endswith("other threads or tasks ran meanwhile")


def test_a_recording_from_elsewhere_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording is data: only what the user has recorded is executed again."""
    program = "def work(n):\n    open('ran.txt', 'a').close()\n    return n\nwork(1)\n"
    record(tmp_path, program, level="calls")
    (tmp_path / "ran.txt").unlink()
    other = tmp_path / "other.adebug"
    shutil.copy(tmp_path / "run.adebug", other)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "of another user"))
    target = open_recording(other, Python(), silent)
    with begin_session(target, SessionOptions(), workspace=None, progress=silent, problem=print):
        subject = target.subject
        assert isinstance(subject, PythonSubject)
        assert subject.reexecute is None
        node = node_of(subject, "work(1)")
        assert subject.inside(node) is None
        with pytest.raises(BadAnswerError, match="its code is never run"):
            subject.holds("open('ran.txt', 'a').close()", node)
    assert not (tmp_path / "ran.txt").exists()


def test_own_recordings_are_recognised_by_hash_in_other_processes(tmp_path: Path) -> None:
    record(tmp_path, "def work(n):\n    return n\nwork(1)\n")
    shutil.copy(tmp_path / "run.adebug", tmp_path / "copy.adebug")
    asked = "import sys, pathlib; from adebug_lsp.languages.python.own_recordings import own_interpreter as own"
    asked += "; print(*(own(pathlib.Path(name)) for name in sys.argv[1:]))"
    (tmp_path / "changed.adebug").write_bytes((tmp_path / "run.adebug").read_bytes() + b"x")
    command = [sys.executable, "-c", asked, str(tmp_path / "copy.adebug"), str(tmp_path / "changed.adebug")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed == f"{sys.executable} None\n"


def test_a_recording_is_read_once_to_be_registered_and_identified(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def work(n):\n    return n\nwork(1)\n", encoding="utf-8")
    python = Python()
    request = Request(tmp_path, program=tmp_path / "a.py", interpreter=Path(sys.executable))
    before = _digest.cache_info().misses
    for run in (1, 2):
        python.record(request, tmp_path / "run.adebug", silent)
        opened = open_recording(tmp_path / "run.adebug", python, silent)
        assert opened.identity == hashlib.sha256((tmp_path / "run.adebug").read_bytes()).hexdigest()
        assert _digest.cache_info().misses == before + run


def test_a_difference_is_noticed(tmp_path: Path) -> None:
    """A negative control: the recording of another program with the same calls does not pass for this one."""
    text = "def f(n):\n    return n\ndef work(n):\n    m = f(n)\n    return m + 1\nwork(1)\n"
    first = record(tmp_path / "a", text, level="calls").opened
    second = record(tmp_path / "b", text.replace("m + 1", "m + 2"), level="calls").opened
    problems: list[str] = []
    executed = _again(first, second, problems)
    assert executed is None
    assert "its result differs from the recording" in problems[0]


def _again(opened: OpenedPython, other: OpenedPython, problems: list[str]) -> ReexecutedCall | None:
    """Execute a call again with the code of another program."""
    subject = opened.subject(opened.entries[0])
    for mine, theirs in zip(opened.run.program.modules, other.run.program.modules, strict=True):
        mine.source = theirs.source
    folder, python = Path(str(opened.run.recording.meta["workspace"])), Path(sys.executable)
    with Reexecution(opened.run, subject.behaviours, folder, python, problems.append) as again:
        return again.of(subject.span(node_of(subject, "work(1)")))
