"""From the records of a run to its activations, loops and iterations: who was inside whom.

Only the records that begin or end something are looked at, in order. An activation ends with its own record, or (a
lambda that raised) when a record of an activation around it comes. Generators have one span for every step, from one
`yield` to the next; a coroutine is one span however often it waited; top calls of other threads have no parent.
"""

from typing import Any

import numpy as np
from attrs import define, field, frozen

from adebug_lsp.languages.python.spans import Spans
from adebug_lsp.languages.python.static import Marker, Module, Routine
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.recording.reader import Piece, Recording
from adebug_lsp.recording.values import Atom, Values

FIRST_OF_MODULES = 64
FIRST_VALUE = 1 << 24
TRUE = FIRST_VALUE + 2
"""The number of `True`: the singletons None, False, True come first in every recording."""
TEST_BEGIN, TEST_END, TEST_FAILED = 14, 15, 16

_KINDS = {
    "routine": NodeKind.ROUTINE,
    "module": NodeKind.ROUTINE,
    "lambda": NodeKind.LAMBDA,
    "generator": NodeKind.GENERATOR,
    "async_generator": NodeKind.GENERATOR,
    "coroutine": NodeKind.COROUTINE,
}
_ENTER, _LEAVE, _LOOP, _TURN, _AFTER, _SUSPEND, _RESUME, _RESUMED, _TEST = range(1, 10)
_CODES = {
    "enter": _ENTER,
    "return": _LEAVE,
    "raised": _LEAVE,
    "loop": _LOOP,
    "iteration": _TURN,
    "after": _AFTER,
    "handler": _AFTER,
    "yield": _LEAVE,
    "delegate": _LEAVE,
    "resume": _RESUME,
    "resumed": _RESUMED,
}
_STEPPED = frozenset({"generator", "async_generator", "coroutine"})


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


@define(eq=False)
class Structure:
    """The spans of a recording, and the tests that ran."""

    spans: Spans
    tests: list[Test] = field(factory=list)


def structure(recording: Recording, program: Program) -> Structure:
    """Find all spans."""
    found = Structure(Spans(program.routines))
    facts = _Facts(program)
    walkers: dict[int, _Walker] = {}
    for piece in recording.threads:
        walker = walkers.setdefault(piece.thread, _Walker(found, facts, recording))
        walker.walk(piece)
    for walker in walkers.values():
        walker.finish(len(recording.words))
    return found


class _Facts:
    """What the walk asks about markers, by number."""

    def __init__(self, program: Program) -> None:
        count = max([FIRST_OF_MODULES, *(number + 1 for number in program.markers)])
        self.codes = np.zeros(count, dtype=np.uint8)
        self.codes[[TEST_BEGIN, TEST_END, TEST_FAILED]] = _TEST
        self.routine, self.arity = [-1] * count, [0] * count
        self.markers = program.markers
        self.raised = [False] * count
        self.around: dict[int, frozenset[int]] = {}
        numbers = {id(routine): index for index, routine in enumerate(program.routines)}
        for number, marker in program.markers.items():
            self.codes[number] = _CODES.get(marker.kind, 0)
            self.routine[number] = numbers[id(marker.module.routines[marker.routine])]
            self.arity[number] = len(marker.slots)
            self.raised[number] = marker.kind == "raised"

    def loops_around(self, number: int) -> frozenset[int]:
        """The loops that a record is inside of; an iteration is inside its own."""
        found = self.around.get(number)
        if found is None:
            marker = self.markers[number]
            own = (marker.node,) if marker.kind == "iteration" else ()
            found = self.around[number] = frozenset((*own, *marker.module.loops_around(marker.node)))
        return found


class _Frame:
    """An activation that has begun: its routine, its span, and its open loops with their current iterations."""

    __slots__ = ("loops", "routine", "span", "token", "top")

    def __init__(self, routine: int, span: int, token: int) -> None:
        self.routine, self.span, self.token = routine, span, token
        self.top = span
        """The innermost open span of it."""
        self.loops: list[list[int]] = []
        """For each open loop: its node, its span, the span of its current iteration or -1."""


class _Walker:
    """Follows the records of one thread."""

    def __init__(self, found: Structure, facts: _Facts, recording: Recording) -> None:
        self.found, self.spans, self.facts = found, found.spans, facts
        self.words: Any = recording.words
        self.values: Values = recording.values
        self.stack: list[_Frame] = []
        self.suspended: dict[int, list[_Frame]] = {}

    def walk(self, piece: Piece) -> None:
        """Take the structural records of a piece, in order."""
        codes = self.facts.codes
        words = self.words[piece.start : piece.stop]
        markers = np.flatnonzero(words < len(codes))
        numbers = words[markers]
        kept = codes[numbers] != 0
        markers, numbers = markers[kept] + piece.start, numbers[kept]
        steps = zip(markers.tolist(), numbers.tolist(), codes[numbers].tolist(), strict=True)
        take = {_LOOP: self._loop, _TURN: self._turn, _AFTER: self._after, _RESUME: self._resume}
        take |= {_RESUMED: self._resumed, _TEST: self._test}
        for position, number, code in steps:
            if code == _ENTER:
                self._enter(position, number)
            elif code == _LEAVE:
                self._leave(position, number)
            else:
                take[code](position, number)

    def finish(self, end: int) -> None:
        """What is still open at the end never ended."""
        for frame in [*self.stack, *(f for chain in self.suspended.values() for f in chain)]:
            for _, loop, turn in frame.loops:
                self.spans.last[loop] = end - 1
                if turn >= 0:
                    self.spans.last[turn] = end - 1
            self.spans.last[frame.span] = end - 1

    # Activations

    def _enter(self, position: int, number: int) -> None:
        routine = self.facts.routine[number]
        about = self.spans.routines[routine]
        token = -1
        if about.kind in _STEPPED:
            token = self._token(position + 1 + len(about.parameters))
            started = int(self.words[position + 2 + len(about.parameters)]) if about.kind == "coroutine" else TRUE
            if started != TRUE:
                self._suspend()
                self._push(position, routine, token, self._maker(started, position))
                return
        self._push(position, routine, token)

    def _maker(self, word: int, position: int) -> int | None:
        """The span that was running when a coroutine came up for the first time: who made it for a task."""
        seen = np.flatnonzero(self.words[:position] == word)
        if len(seen) == 0:
            return None
        number = int(np.searchsorted(np.array(self.spans.first), seen[0], "right")) - 1
        while number >= 0 and -1 < self.spans.last[number] < seen[0]:
            number = self.spans.parent[number]
        return number if number >= 0 else None

    def _push(self, position: int, routine: int, token: int, parent: int | None = None) -> None:
        stack, about = self.stack, self.spans.routines[routine]
        if parent is None:
            parent = stack[-1].top if stack else -1
        span = self.spans.add(parent, _KINDS[about.kind], routine, about.node, position)
        if token >= 0:
            self.spans.tokens[span] = token
        stack.append(_Frame(routine, span, token))

    def _token(self, position: int) -> int:
        """The number of an activation: an int, which may have another word every time."""
        value = self.values.value(int(self.words[position]))
        return value.value if isinstance(value, Atom) and isinstance(value.value, int) else -1

    def _leave(self, position: int, number: int) -> None:
        routine, stack = self.facts.routine[number], self.stack
        depth = len(stack) - 1
        while depth >= 0 and stack[depth].routine != routine:
            depth -= 1
        if depth < 0:
            return
        while len(stack) - 1 > depth:
            self._end(stack.pop(), position - 1, raised=True)
        self._end(stack.pop(), position + self.facts.arity[number], raised=self.facts.raised[number])

    def _end(self, frame: _Frame, position: int, *, raised: bool) -> None:
        spans = self.spans
        for _, loop, turn in frame.loops:
            spans.end(loop, position, raised=raised)
            if turn >= 0:
                spans.end(turn, position, raised=raised)
        spans.end(frame.span, position, raised=raised)

    # Loops

    def _own(self, position: int, number: int) -> _Frame | None:
        """The innermost frame, if the record is its own and has loops; frames of lambdas that raised are over."""
        routine, stack = self.facts.routine[number], self.stack
        while stack:
            frame = stack[-1]
            if frame.routine == routine:
                return None if self.spans.kind[frame.span] == NodeKind.GENERATOR else frame
            if self.spans.kind[frame.span] != NodeKind.LAMBDA:
                return None
            self._end(stack.pop(), position - 1, raised=True)
        return None

    def _leave_loops(self, frame: _Frame, position: int, number: int) -> None:
        """End the loops that the record is not inside of."""
        around = self.facts.loops_around(number)
        while frame.loops and frame.loops[-1][0] not in around:
            _, loop, turn = frame.loops.pop()
            self.spans.end(loop, position - 1)
            if turn >= 0:
                self.spans.end(turn, position - 1)
        if frame.loops:
            _, loop, turn = frame.loops[-1]
            frame.top = turn if turn >= 0 else loop
        else:
            frame.top = frame.span

    def _loop(self, position: int, number: int) -> None:
        frame = self._own(position, number)
        if frame is None:
            return
        self._leave_loops(frame, position, number)
        node = self.facts.markers[number].node
        frame.top = loop = self.spans.add(
            frame.top, NodeKind.LOOP, frame.routine, node, position, activation=frame.span
        )
        frame.loops.append([node, loop, -1])

    def _turn(self, position: int, number: int) -> None:
        frame = self._own(position, number)
        if frame is None:
            return
        node = self.facts.markers[number].node
        if not frame.loops or frame.loops[-1][0] != node:
            self._leave_loops(frame, position, number)
            if not frame.loops:
                return
        entry = frame.loops[-1]
        if entry[2] >= 0:
            self.spans.end(entry[2], position - 1)
        frame.top = entry[2] = self.spans.add(
            entry[1], NodeKind.ITERATION, frame.routine, node, position, activation=frame.span
        )

    def _after(self, position: int, number: int) -> None:
        frame = self._own(position, number)
        if frame is not None and frame.loops:
            self._leave_loops(frame, position, number)

    # Generators and coroutines

    def _resume(self, position: int, number: int) -> None:
        self._push(position, self.facts.routine[number], self._token(position + 1))

    def _resumed(self, position: int, number: int) -> None:
        token, stack = self._token(position + 1), self.stack
        routine = self.facts.routine[number]
        for depth in reversed(range(len(stack))):
            if stack[depth].token == token and stack[depth].routine == routine:
                while len(stack) - 1 > depth:
                    self._end(stack.pop(), position - 1, raised=True)
                return
        if token in self.suspended:
            chain = self.suspended.pop(token)
            self._suspend()
            stack.extend(chain)

    def _suspend(self) -> None:
        """Other code runs now: the coroutines at the top of the stack wait."""
        stack, depth = self.stack, len(self.stack)
        while depth and self.spans.kind[stack[depth - 1].span] == NodeKind.COROUTINE:
            depth -= 1
        chain = stack[depth:]
        del stack[depth:]
        if chain:
            self.suspended[chain[-1].token] = chain
            self.spans.in_order = False

    # Tests

    def _test(self, position: int, number: int) -> None:
        tests, name = self.found.tests, int(self.words[position + 1])
        if number == TEST_BEGIN:
            tests.append(Test(name, position))
            while self.stack:  # what a test left open is over when the next one begins
                self._end(self.stack.pop(), position - 1, raised=True)
        elif number == TEST_FAILED:
            if tests and tests[-1].failure is None:
                tests[-1].failure = position
        elif tests:
            tests[-1].last = position
