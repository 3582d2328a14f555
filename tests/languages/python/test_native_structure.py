"""The passes over words in C give the same columns as their twins in numpy."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.languages.python.questions.span_tree import below, below_added, levels_of, subtree_sizes
from adebug_lsp.languages.python.reading.marker_index import places, places_by_blocks
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.structure.fast_structure import by_arrays, by_native
from adebug_lsp.languages.python.reading.structure.marker_facts import Facts
from adebug_lsp.languages.python.reading.structure.run_structure import Structure
from adebug_lsp.languages.python.reading.structure.span_events import Table
from adebug_lsp.native.shared_library import library
from tests.languages.python.recorded import record
from tests.languages.python.test_nesting import PROGRAM, columns

pytestmark = pytest.mark.skipif(library is None, reason="there is no library in C: no compiler, or ADEBUG_PURE=1")

CLOSED = """
    def numbers():
        for i in range(3):
            yield i

    def first():
        for number in numbers():
            return number

    def run():
        for _ in range(4):
            first()
        return sum(n for n in numbers() if n)

    run()
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
RAISING = """
    def careful(x):
        try:
            return (lambda v: 1 / v)(x)
        except ZeroDivisionError:
            return 0

    careful(0)
    """


def both(run: Run) -> tuple[Structure | None, Structure | None]:
    facts = Facts(run.program)
    table = Table(facts)
    return by_native(run.recording, facts, table), by_arrays(run.recording, facts, table)


@pytest.mark.parametrize("level", ["full", "calls"])
@pytest.mark.parametrize("program", [PROGRAM, CLOSED, STOPPED_AT_ONCE], ids=["random", "closed", "stopped"])
def test_spans_in_c_equal_those_by_array_operations(tmp_path: Path, program: str, level: str) -> None:
    run = record(tmp_path, program, args=("4", "30"), level=level).opened.run
    native, arrays = both(run)
    assert native is not None
    assert arrays is not None
    assert columns(native) == columns(arrays)
    parent = np.array(native.spans.parent, np.int64)
    assert native.sizes.tolist() == subtree_sizes(parent, levels_of(parent)).tolist()


def test_both_leave_a_run_to_the_walk_that_is_not_nested(tmp_path: Path) -> None:
    assert both(record(tmp_path, RAISING).opened.run) == (None, None)


def test_spans_of_a_cut_recording_are_the_same(tmp_path: Path) -> None:
    run = record(tmp_path, PROGRAM, args=("5", "30")).opened.run
    words = run.recording.words
    for length in range(0, len(words), max(len(words) // 40, 1)):
        object.__setattr__(run.recording, "words", words[:length])
        native, arrays = both(run)
        assert (native is None) == (arrays is None)
        if native is not None and arrays is not None:
            assert columns(native) == columns(arrays)


@given(
    st.lists(st.integers(0, 40) | st.integers(0, 2**32 - 1), max_size=60),
    st.lists(st.booleans(), max_size=30),
    st.integers(0, 20),
)
def test_markers_are_found_in_the_same_places(numbers: list[int], wanted: list[bool], first: int) -> None:
    words, marked = np.array(numbers, np.uint32), np.array(wanted, np.bool_)
    assert places(words, marked, first).tolist() == places_by_blocks(words, marked, first).tolist()


@pytest.mark.parametrize("routine", [-1, 1 << 20])
def test_a_marker_of_a_routine_that_does_not_exist_is_not_followed_in_c(tmp_path: Path, routine: int) -> None:
    """A recording may be forged, and C reads whatever is at an index."""
    run = record(tmp_path, PROGRAM, args=("4", "30")).opened.run
    facts = Facts(run.program)
    table = Table(facts)
    table.routine[:] = routine
    assert by_native(run.recording, facts, table) is None


@pytest.mark.parametrize("tops", [[0], [0, 3], [3, 4]])
def test_nodes_below_an_added_root_are_those_that_a_walk_finds(tops: list[int]) -> None:
    parent = np.array([-1, 0, 1, -1, -1, 4, 4, 6, -1], np.int32)
    sizes = subtree_sizes(parent.astype(np.int64), levels_of(parent.astype(np.int64)))
    parent[tops] = len(parent)
    walked = below(len(parent), np.append(parent, -1).astype(np.int64))
    assert [c.tolist() for c in below_added(len(parent), parent, sizes)] == [c.tolist() for c in walked]
