"""Which calls a failure depends on, so that they are asked about first."""

from pathlib import Path

import pytest

from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.answers import Mark, MarkOf
from tests.languages.python.recorded import node_of, record

TEST = """\
class Songs:
    def __init__(self, titles):
        self.titles = titles
        self.position = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.position == len(self.titles):
            raise StopIteration
        self.position += 1
        return self.titles[self.position - 1]


def noise(n):
    return n + 1


def test_twice():
    songs = Songs(["Dawn", "Dusk"])
    level = noise(3)
    first = list(songs)
    assert list(songs) == first
"""


def needed(subject: PythonSubject, text: str) -> set[int]:
    trace = subject.dependences.trace(node_of(subject, text), Mark(MarkOf.RESULT))
    assert trace is not None
    assert trace.needed is not None
    return set(trace.needed.tolist())


def calls(subject: PythonSubject, name: str) -> list[int]:
    return [n for n in range(len(subject.tree)) if subject.tree.site_of(n).routine.endswith(f".{name}")]


@pytest.mark.parametrize("assertion", ["assert list(songs) == first", "assert first == [*songs]"])
def test_calls_of_the_failed_assertion_are_needed(tmp_path: Path, assertion: str) -> None:
    files = {"test_songs.py": TEST.replace("assert list(songs) == first", assertion)}
    run = record(tmp_path, files, tests=("-p", "no:cacheprovider", "test_songs.py"))
    subject = run.subject("test_songs.py::test_twice")
    nodes = needed(subject, "test_twice")
    assert len(calls(subject, "__iter__")) == 2
    assert set(calls(subject, "__iter__")) <= nodes
    assert not set(calls(subject, "noise")) & nodes


def test_the_variables_of_a_statement_that_raised_are_needed(tmp_path: Path) -> None:
    program = """\
        def key(n):
            return n + 5

        def other(n):
            return n

        def look(table, n):
            return table[key(n)]

        table = {1: 2}
        spare = other(4)
        look(table, 3)
        """
    subject = record(tmp_path, program).subject()
    nodes = needed(subject, "module")
    assert set(calls(subject, "key")) <= nodes
    assert not set(calls(subject, "other")) & nodes
