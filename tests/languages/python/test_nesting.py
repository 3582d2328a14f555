"""Spans computed by array operations equal those of a walk from record to record."""

from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.structure.fast_structure import nested
from adebug_lsp.languages.python.reading.structure.run_structure import Structure, pieces_of
from adebug_lsp.languages.python.reading.structure.structure_walk import walked
from tests.languages.python.recorded import record

PROGRAM = """
    import random, sys

    chance = random.Random(int(sys.argv[1]))
    left = 3000

    class Stop(Exception):
        pass

    class Door:
        def __enter__(self):
            return act(8)

        def __exit__(self, *error):
            act(8)

    def act(depth):
        global left
        left -= 1
        if depth > 8 or left < 0:
            return depth
        if chance.random() < 0.05:
            raise Stop(depth)
        return chance.choice([looping, nesting, catching, lingering, stepping, act])(depth + 1)

    def looping(depth):
        for i in range(chance.randrange(4)):
            for j in range(chance.randrange(3)):
                if chance.random() < 0.1:
                    break
                act(depth)
            else:
                act(depth)
            if chance.random() < 0.1:
                return i
            while chance.random() < 0.3:
                act(depth)
        return depth

    def nesting(depth):
        try:
            for i in range(2):
                try:
                    while chance.random() < 0.5:
                        act(depth)
                        if chance.random() < 0.2:
                            continue
                        act(depth)
                finally:
                    act(depth)
        except Stop as stop:
            return stop.args[0]

    def catching(depth):
        for i in range(3):
            try:
                act(depth)
            except Stop:
                for j in range(2):
                    pass
        return [act(depth) for k in range(2)]

    def lingering(depth):
        for i in range(2):
            with Door():
                for j in range(2):
                    if chance.random() < 0.4:
                        return act(depth)
            try:
                if chance.random() < 0.5:
                    return (lambda x: x)(i)
            finally:
                act(depth)

    def steps(depth):
        for i in range(3):
            yield i
            act(depth)

    def stepping(depth):
        for one, other in zip(steps(depth), steps(depth)):
            act(depth)
        return sum(steps(depth))

    for _ in range(int(sys.argv[2])):
        try:
            act(0)
        except Stop:
            pass
    """
STOPPED_AT_ONCE = """
    import os

    def inner(n):
        for i in range(3):
            while True:
                if n == 0:
                    os._exit(0)
                inner(n - 1)

    inner(2)
    """


def columns(structure: Structure) -> dict[str, Any]:
    spans = structure.spans
    names = ("parent", "kind", "routine", "node", "first", "last", "flags", "activation", "flow")
    return {name: list(getattr(spans, name)) for name in names} | {"tokens": spans.tokens}


def both(run: Run) -> tuple[Structure | None, Structure]:
    return nested(run.recording, run.program), walked(run.recording, run.program, pieces_of(run.recording))


@pytest.mark.parametrize("level", ["full", "calls"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_both_ways_find_the_same_spans(tmp_path: Path, seed: int, level: str) -> None:
    fast, expected = both(record(tmp_path, PROGRAM, args=(str(seed), "30"), level=level).opened.run)
    assert fast is not None
    assert len(expected.spans) > 3000
    assert columns(fast) == columns(expected)


def test_unfinished_calls_are_the_same_in_both_structures(tmp_path: Path) -> None:
    fast, expected = both(record(tmp_path, STOPPED_AT_ONCE).opened.run)
    assert fast is not None
    assert columns(fast) == columns(expected)
    assert set(columns(fast)["flags"]) == {1}


def test_the_tests_of_a_recording_are_the_same_both_ways(tmp_path: Path) -> None:
    files = {"test_it.py": "def test_a():\n    for i in range(2):\n        pass\n\ndef test_b():\n    assert 0\n"}
    fast, expected = both(record(tmp_path, files, tests=("-q", "-p", "no:cacheprovider")).opened.run)
    assert fast is not None
    assert columns(fast) == columns(expected)
    tests = [[(t.name, t.first, t.last, t.failure) for t in test.tests] for test in (fast, expected)]
    assert tests[0] == tests[1]
    assert len(tests[0]) == 2


def test_a_run_in_which_something_has_no_end_of_its_own_is_walked(tmp_path: Path) -> None:
    program = """
        def careful(x):
            try:
                return (lambda v: 1 / v)(x)
            except ZeroDivisionError:
                return 0

        careful(0)
        """
    fast, expected = both(record(tmp_path, program).opened.run)
    assert fast is None
    assert len(expected.spans) == 3
