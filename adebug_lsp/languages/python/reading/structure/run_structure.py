"""The structure of a run: its program, its tests, and its spans with the flows that they ran in.

A *flow* is one line of execution, properly nested in time: a thread, or a task of an event loop.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from attrs import define, field, frozen

from adebug_lsp.languages.python.reading.marker_index import Array, flags, places
from adebug_lsp.languages.python.reading.recorded_values import Atom
from adebug_lsp.languages.python.reading.recording_file import Piece, Recording
from adebug_lsp.languages.python.reading.static import Marker, Module, Routine
from adebug_lsp.languages.python.reading.structure.spans import Spans
from adebug_lsp.languages.python.recorder.contract import (
    COARSE,
    FIRST_VALUE,
    TEST_BEGIN,
    TEST_FAILED,
    THREAD_SWITCH,
)
from adebug_lsp.model.kinds import NodeKind

KINDS = {
    "routine": NodeKind.ROUTINE,
    "module": NodeKind.ROUTINE,
    "lambda": NodeKind.LAMBDA,
    "generator": NodeKind.GENERATOR,
    "async_generator": NodeKind.GENERATOR,
    "coroutine": NodeKind.COROUTINE,
}
AWAITED = frozenset({"coroutine", "async_generator"})
STEPPED = frozenset({"generator", *AWAITED})


@frozen(eq=False)
class Program:
    """All modules of a recording, and all markers by number."""

    modules: list[Module]
    markers: dict[int, Marker]

    @property
    def routines(self) -> list[Routine]:
        """All routines, module by module."""
        return [routine for module in self.modules for routine in module.routines]


@define(eq=False)
class Test:
    """One test of a recorded test run."""

    name: int
    """The word with its name."""
    first: int
    last: int = -1
    failure: int | None = None
    """Position of the record of its failure."""


@frozen
class Spawn:
    """The start of a thread."""

    span: int
    """The span that started it."""
    pooled: bool
    """Whether the thread belongs to a pool; then its calls are under the innermost of these spans still running."""


@define(eq=False)
class Structure:
    """The spans of a recording, and the tests that ran."""

    spans: Spans
    tests: list[Test] = field(factory=list)
    switches: list[tuple[int, int]] = field(factory=list)
    """Switches between flows: position, number of the flow that continues."""
    flows: int = 0
    """Number of flows."""
    spawned: dict[int, "Spawn"] = field(factory=dict)
    """The starts of threads, by their numbers."""
    makers: dict[int, int] = field(factory=dict)
    """The spans that created coroutines, by the words of the coroutines."""
    sizes: Any = None
    """Number of spans in each subtree, if spans nest in time and it is known."""

    def switch(self, position: int, flow: int) -> None:
        """Note that another flow runs from a position on."""
        if not self.switches or self.switches[-1][1] != flow:
            self.switches.append((position, flow))

    def note_test(self, number: int, name: int, position: int) -> None:
        """Process a record about a test."""
        if number == TEST_BEGIN:
            self.tests.append(Test(name, position))
        elif number == TEST_FAILED:
            if self.tests and self.tests[-1].failure is None:
                self.tests[-1].failure = position
        elif self.tests:
            self.tests[-1].last = position


def pieces_of(recording: Recording) -> list[Piece]:
    """The pieces of the recording between thread switches, in order."""
    pieces = []
    for piece in recording.threads:
        switches = piece.start + places(recording.words[piece.start : piece.stop], flags([THREAD_SWITCH]))
        ends = [*switches.tolist(), piece.stop]
        if ends[0] > piece.start:
            pieces.append(Piece(piece.thread, piece.start, ends[0]))
        for start, stop in pairwise(ends):
            thread = recording.values.atom(int(recording.words[start + 1])) if start + 1 < stop else None
            pieces.append(Piece(thread if isinstance(thread, int) else -1, start, stop))
    return pieces


def detailed_until(recording: Recording) -> int:
    """The position from which on details are missing; in most runs, the end."""
    coarse = places(recording.words, flags([COARSE]))
    return int(coarse[0]) if len(coarse) else len(recording.words)


def token_at(recording: Recording, position: int) -> int:
    """The number of an activation or a thread, decoded from its word; -1 if there is none."""
    words = recording.words
    if position >= len(words) or words[position] < FIRST_VALUE:
        return -1
    value = recording.values.value(int(words[position]))
    return value.value if isinstance(value, Atom) and isinstance(value.value, int) else -1


def tokens_at(recording: Recording, positions: Array) -> Array:
    """Like `token_at`, for many positions."""
    words, tokens = recording.words, np.full(len(positions), -1, np.int64)
    inside = np.flatnonzero(positions < len(words))
    numbers = words[positions[inside]]
    is_value = numbers >= FIRST_VALUE
    tokens[inside[is_value]] = recording.values.integers(numbers[is_value])
    return tokens
