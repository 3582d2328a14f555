"""Finds the spans of a run by following its records one by one; works for every run.

Only records that start or end something are examined, in order. An activation ends with its own record, or, for a
lambda that raised, at the next record of an enclosing activation. The spans of a task are under the span that created
its coroutine, those of a thread under the span that started it.

Generators have one span for every step, from one `yield` to the next; a step that delegates (`yield from`) is around
the steps of the other generator. A coroutine is one span however often it waited.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from adebug_lsp.languages.python.reading.marker_index import Array, places
from adebug_lsp.languages.python.reading.recording_file import Piece, Recording
from adebug_lsp.languages.python.reading.structure.marker_facts import Facts
from adebug_lsp.languages.python.reading.structure.run_structure import (
    AWAITED,
    KINDS,
    STEPPED,
    Program,
    Spawn,
    Structure,
    detailed_until,
    token_at,
)
from adebug_lsp.languages.python.reading.structure.span_events import Table
from adebug_lsp.languages.python.reading.structure.spans import Spans
from adebug_lsp.languages.python.reading.structure.stopped_loops import Cut, cut, was_stopped
from adebug_lsp.languages.python.recorder.contract import (
    AFTER,
    DELEGATE,
    ELSE,
    ENTER,
    ITERATION,
    LEAVE,
    LOOP,
    NO_RECORD,
    NONE,
    RECORD_KINDS,
    RESUME,
    RESUMED,
    TEST_BEGIN,
    TEST_END,
    TEST_FAILED,
    THREAD_BEGUN,
    THREAD_STARTED,
    THROW,
    TRUE,
)
from adebug_lsp.model.kinds import NodeKind

_TEST, _THREAD, _SEEN, _OTHER = range(RESUMED + 1, RESUMED + 5)
"""Codes of records besides the effects of the contract: about tests, about threads, the first mention of a coroutine,
any record of another routine than the one before.
"""
_OF_LOOPS = (LOOP, ITERATION, AFTER, ELSE)


def walked(recording: Recording, program: Program, pieces: list[Piece]) -> Structure:
    """Find the spans of any run, record by record."""
    structure = Structure(Spans(program.routines))
    facts = Facts(program)
    facts.find_tasks(recording.words)
    walkers: dict[int, _Walker] = {}
    cuts = _cuts(recording, facts, pieces) if was_stopped(recording) else {}
    for piece in pieces:
        if piece.thread not in walkers:
            walkers[piece.thread] = _Walker(structure, facts, recording, cuts.get(piece.thread))
        walkers[piece.thread].walk(piece)
    for walker in walkers.values():
        walker.finish(len(recording.words))
    return structure


def _cuts(recording: Recording, facts: Facts, pieces: list[Piece]) -> dict[int, Cut | None]:
    """For each thread, the iterations of an unfinished loop to fold into one span."""
    table, of_thread = Table(facts), defaultdict(list)
    for piece in pieces:
        words = recording.words[piece.start : piece.stop]
        offsets = places(words, table.does != 0)
        of_thread[piece.thread].append((words[offsets], offsets + piece.start))
    both = {
        thread: [np.concatenate(column) for column in zip(*columns, strict=True)]
        for thread, columns in of_thread.items()
    }
    return {thread: cut(table, numbers, positions) for thread, (numbers, positions) in both.items()}


def _codes(facts: Facts) -> Array:
    """The effect of each marker, by its number."""
    codes = np.zeros(facts.count, dtype=np.uint8)
    codes[[TEST_BEGIN, TEST_END, TEST_FAILED]] = _TEST
    codes[[THREAD_STARTED, THREAD_BEGUN]] = _THREAD
    for number, marker in facts.markers.items():
        codes[number] = RECORD_KINDS.get(marker.kind, NO_RECORD).effect
    return codes


class _Frame:
    """An open activation: its routine, its span, and its open loops with their current iterations."""

    __slots__ = ("delegates", "loops", "returns", "routine", "span", "token", "top")

    def __init__(self, routine: int, span: int, token: int) -> None:
        self.routine, self.span, self.token = routine, span, token
        self.top = span
        """Its innermost open span."""
        self.loops: list[list[int]] = []
        """For each open loop: its node, its span, and the span of its current iteration or -1."""
        self.delegates = False
        """Whether another generator runs in its place."""
        self.returns = False
        """Whether it has returned, and only enclosing `finally` and `with` code is still to run."""


class _Flow:
    """A thread or a task: its open spans, and the span that they are under."""

    __slots__ = ("number", "parent", "stack")

    def __init__(self, number: int, parent: int) -> None:
        self.number, self.parent = number, parent
        self.stack: list[_Frame] = []


class _Walker:
    """Follows the records of one thread."""

    def __init__(self, structure: Structure, facts: Facts, recording: Recording, cut_out: Cut | None) -> None:
        self.structure, self.spans, self.facts = structure, structure.spans, facts
        self.cut = cut_out
        self.recording, self.words = recording, recording.words
        self.codes, self.detailed = _codes(facts), detailed_until(recording)
        self.home = self.flow = self._new_flow()
        self.stack = self.home.stack
        self.tasks: dict[int, _Flow] = {}
        """The flows of tasks, by the words of their coroutines."""
        self.where: dict[int, _Flow] = {}
        """The flows of open steps and coroutines, by token."""
        self.outer: dict[int, tuple[int, int]] = {}
        """Routine and token of the delegating generator, by the token of the generator delegated to."""
        self.pool: Spawn | None = None
        """The start of this thread, if it belongs to a pool."""

    def _new_flow(self, parent: int = -1) -> _Flow:
        self.structure.flows += 1
        return _Flow(self.structure.flows - 1, parent)

    def walk(self, piece: Piece) -> None:
        """Process the structural records of a piece, in order."""
        self.structure.switch(piece.start, self.flow.number)
        take: dict[int, Callable[[int, int], None]] = {
            DELEGATE: self._leave,
            LOOP: self._loop,
            ITERATION: self._iteration,
            ELSE: self._else,
            AFTER: self._after,
            RESUME: self._resume,
            THROW: self._resume,
            RESUMED: self._resumed,
            _TEST: self._test,
            _THREAD: self._thread,
            _SEEN: self._note_maker,
            _OTHER: self._back,
        }
        for position, number, code in self._steps(piece):
            if code == ENTER:
                self._enter(position, number)
            elif code == LEAVE:
                self._leave(position, number)
            else:
                take[code](position, number)

    def _steps(self, piece: Piece) -> Any:
        """Position, number and code of all records to look at."""
        codes, tasks = self.codes, len(self.facts.made[0]) > 0
        words = self.words[piece.start : piece.stop]
        positions = places(words, (codes != 0) | tasks)
        numbers = words[positions]
        row_codes = codes[numbers]
        if tasks:  # then every change of routine may be a change of flow
            routines = np.array(self.facts.routine, np.int64)[numbers]
            other = np.concatenate([[False], (routines[1:] != routines[:-1]) & (routines[1:] >= 0)])
            row_codes = np.where((row_codes == 0) & other, _OTHER, row_codes)
        kept = row_codes != 0
        positions, numbers, row_codes = positions[kept] + piece.start, numbers[kept], row_codes[kept]
        if tasks:
            low, high = np.searchsorted(self.facts.made[0], [piece.start, piece.stop])
            positions = np.concatenate([positions, self.facts.made[0][low:high]])
            numbers = np.concatenate([numbers, self.facts.made[1][low:high]])
            row_codes = np.concatenate([row_codes, np.full(high - low, _SEEN, row_codes.dtype)])
            order = np.argsort(positions, kind="stable")
            positions, numbers, row_codes = positions[order], numbers[order], row_codes[order]
        kept = (positions <= self.detailed) | ~np.isin(row_codes, _OF_LOOPS)
        positions, numbers, row_codes = positions[kept], numbers[kept], row_codes[kept]
        if self.cut is not None:
            kept = (positions <= self.cut.first) | (positions >= self.cut.after)
            positions, numbers, row_codes = positions[kept], numbers[kept], row_codes[kept]
        return zip(positions.tolist(), numbers.tolist(), row_codes.tolist(), strict=True)

    def finish(self, end: int) -> None:
        """Mark the spans that are still open as unfinished."""
        flows = {flow.number: flow for flow in (self.home, *self.tasks.values())}
        for frame in (frame for flow in flows.values() for frame in flow.stack):
            for _, loop, iteration in frame.loops:
                self.spans.last[loop] = end - 1
                if iteration >= 0:
                    self.spans.last[iteration] = end - 1
            self.spans.last[frame.span] = end - 1

    # Flows

    def _switch(self, position: int, flow: _Flow) -> None:
        if flow is not self.flow:
            self.flow, self.stack = flow, flow.stack
            self.spans.in_order = False
            self.structure.switch(position, flow.number)

    def _top(self) -> int:
        """The innermost span that is open in the current flow."""
        return self.stack[-1].top if self.stack else self.flow.parent

    def _back(self, position: int, number: int) -> None:
        """Handle a record without a token: control went back to the flow whose innermost frame is of its routine."""
        routine = self.facts.routine[number]
        if not self.tasks or any(frame.routine == routine for frame in self.stack):
            return
        for flow in (self.home, *reversed(self.tasks.values())):
            if flow.stack and flow.stack[-1].routine == routine:
                self._switch(position, flow)
                return

    def _note_maker(self, _position: int, word: int) -> None:
        """Note that the innermost activation created a coroutine."""
        self.structure.makers[word] = self._top()

    def _task(self, position: int, word: int) -> None:
        """Switch to the flow of the task whose coroutine an event loop starts."""
        flow = self.tasks.get(word)
        if flow is None:
            maker = self.structure.makers.get(word)
            if maker is None:  # the first of the tasks that run is most likely the one that others are made by
                around = next((task for task in self.tasks.values() if task.stack), self.home)
                maker = around.stack[-1].top if around.stack else around.parent
            flow = self.tasks[word] = self._new_flow(maker)
        self._switch(position, flow)

    def _thread(self, position: int, number: int) -> None:
        """Process the start of a thread, or the first record of one."""
        token = self._token(position + 1)
        if number == THREAD_STARTED:
            pooled = int(self.words[position + 2]) == TRUE
            self.structure.spawned[token] = Spawn(self._top(), pooled)
        else:
            spawn = self.structure.spawned.get(token)
            if spawn is not None:
                self.home.parent = spawn.span
                self.pool = spawn if spawn.pooled else None
                self.spans.in_order = False

    # Activations

    def _enter(self, position: int, number: int) -> None:
        """Begin an activation, in the flow of its coroutine if it has one."""
        routine = self.facts.routine[number]
        kind, arity = self.spans.routines[routine].kind, self.facts.arity[number]
        token = -1
        if kind in AWAITED:
            token, started = self._token(position + arity - 1), int(self.words[position + arity])
            if started not in (TRUE, NONE):
                self._task(position, started)
        elif kind in STEPPED:
            token = self._token(position + arity)
        self._push(position, routine, token)

    def _push(self, position: int, routine: int, token: int) -> None:
        about = self.spans.routines[routine]
        if self.pool is not None and not self.stack:
            while self.flow.parent >= 0 and self.spans.last[self.flow.parent] >= 0:
                self.flow.parent = self.spans.parent[self.flow.parent]
        span = self.spans.add(self._top(), KINDS[about.kind], routine, about.node, position, flow=self.flow.number)
        if token >= 0:
            self.spans.tokens[span] = token
            self.where[token] = self.flow
        self.stack.append(_Frame(routine, span, token))

    def _token(self, position: int) -> int:
        return token_at(self.recording, position)

    def _leave(self, position: int, number: int) -> None:
        """End the activation that a record belongs to, and the ones above it."""
        depth = self._depth(position, number)
        if depth < 0:
            return
        stack, marker = self.stack, self.facts.markers[number]
        end = position + self.facts.arity[number]
        while len(stack) - 1 > depth:
            self._end(stack.pop(), position - 1, raised=True)
        frame = stack[-1]
        if marker.lingers is not None:
            frame.returns = True
            self._leave_loops(frame, end + 1, number)
        elif marker.kind == "delegate" and self._continues(end + 1, frame.token):
            frame.delegates = True
        else:
            self._end(stack.pop(), end, raised=marker.kind == "raised")
            if marker.kind == "yield":
                self._pass_on(frame, end)
        if not stack:
            self._switch(end + 1, self.home)

    def _depth(self, position: int, number: int) -> int:
        """Find the activation that a record ends: its flow, and its index on the stack of that flow, or -1."""
        routine = self.facts.routine[number]
        if self.spans.routines[routine].kind in STEPPED:
            token = self._token(position + self.facts.token_slot(number))
            flow = self.where.get(token)
            if flow is not None:
                self._switch(position, flow)
            return next((index for index in reversed(range(len(self.stack))) if self.stack[index].token == token), -1)
        self._back(position, number)
        depth = len(self.stack) - 1
        while depth >= 0 and self.stack[depth].routine != routine:
            depth -= 1
        return depth

    def _end(self, frame: _Frame, position: int, *, raised: bool) -> None:
        spans = self.spans
        for _, loop, iteration in frame.loops:
            spans.end(loop, position, raised=raised)
            if iteration >= 0:
                spans.end(iteration, position, raised=raised)
        spans.end(frame.span, position, raised=raised)
        if frame.token >= 0:
            self.where.pop(frame.token, None)

    # Loops

    def _own(self, position: int, number: int) -> _Frame | None:
        """The innermost frame, if the record belongs to it and it has loops; ends the frames of lambdas that raised."""
        self._back(position, number)
        routine, stack = self.facts.routine[number], self.stack
        while stack:
            frame = stack[-1]
            if frame.routine == routine:
                return None if self.spans.kind[frame.span] == NodeKind.GENERATOR else frame
            if self.spans.kind[frame.span] != NodeKind.LAMBDA:
                return None
            self._end(stack.pop(), position - 1, raised=True)
        return None

    def _leave_loops(self, frame: _Frame, position: int, number: int, *, raised: bool = False) -> None:
        """End the loops that do not contain the record."""
        around = self.facts.loops_around(number)
        while frame.loops and frame.loops[-1][0] not in around:
            _, loop, iteration = frame.loops.pop()
            self.spans.end(loop, position - 1, raised=raised)
            if iteration >= 0:
                self.spans.end(iteration, position - 1, raised=raised)
        if frame.loops:
            _, loop, iteration = frame.loops[-1]
            frame.top = iteration if iteration >= 0 else loop
        else:
            frame.top = frame.span

    def _loop(self, position: int, number: int) -> None:
        frame = self._own(position, number)
        if frame is None:
            return
        self._leave_loops(frame, position, number)
        node = self.facts.markers[number].node
        frame.top = loop = self._part(frame, frame.top, NodeKind.LOOP, node, position)
        frame.loops.append([node, loop, -1])

    def _part(self, frame: _Frame, parent: int, kind: NodeKind, node: int, position: int) -> int:
        return self.spans.add(parent, kind, frame.routine, node, position, activation=frame.span, flow=self.flow.number)

    def _iteration(self, position: int, number: int) -> None:
        """Begin an iteration of the innermost loop."""
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
        frame.top = entry[2] = self._part(frame, entry[1], NodeKind.ITERATION, node, position)
        if self.cut is not None and self.cut.first == position:
            self.spans.several[entry[2]] = self.cut.iterations

    def _else(self, position: int, number: int) -> None:
        """End the iterations of a loop, but not the loop."""
        frame = self._own(position, number)
        if frame is not None and frame.loops and frame.loops[-1][0] == self.facts.markers[number].node:
            entry = frame.loops[-1]
            if entry[2] >= 0:
                self.spans.end(entry[2], position - 1)
            frame.top, entry[2] = entry[1], -1

    def _after(self, position: int, number: int) -> None:
        """End loops after a statement; at the start of a handler, they ended by an exception."""
        frame = self._own(position, number)
        if frame is not None and frame.loops:
            raised = self.facts.markers[number].kind != "after" and not frame.returns
            self._leave_loops(frame, position, number, raised=raised)

    # Generators and coroutines

    def _continues(self, position: int, token: int) -> bool:
        """Whether the generator that a step delegates to is recorded, so that its record comes next."""
        marker = self.facts.markers.get(int(self.words[position])) if position < len(self.words) else None
        if marker is None or self.spans.routines[self.facts.routine[int(self.words[position])]].kind != "generator":
            return False
        return marker.kind == "enter" or (marker.kind in ("resume", "thrown") and self._token(position + 1) != token)

    def _pass_on(self, frame: _Frame, end: int) -> None:
        """End the steps of all generators that delegate to a generator that yields."""
        while self.stack and self.stack[-1].delegates:
            around = self.stack.pop()
            self._end(around, end, raised=False)
            self.outer[frame.token] = (around.routine, around.token)
            frame = around

    def _resume(self, position: int, number: int) -> None:
        routine, token = self.facts.routine[number], self._token(position + 1)
        if self.stack and self.stack[-1].token == token >= 0:  # the generator that it delegated to has ended
            self.stack[-1].delegates = False
        elif not self.facts.is_closed(self.recording, position, number):
            self._step(position, routine, token)

    def _step(self, position: int, routine: int, token: int) -> None:
        """Start the next step of a generator, inside the steps of the generators that delegate to it."""
        around = [(routine, token)]
        while around[-1][1] in self.outer:
            around.append(self.outer.pop(around[-1][1]))
        for its_routine, its_token in reversed(around):
            self._push(position, its_routine, its_token)
            self.stack[-1].delegates = True
        self.stack[-1].delegates = False

    def _resumed(self, position: int, _number: int) -> None:
        token = self._token(position + 1)
        flow = self.where.get(token)
        if flow is None:
            return
        self._switch(position, flow)
        while self.stack and self.stack[-1].token != token:
            self._end(self.stack.pop(), position - 1, raised=True)

    # Tests

    def _test(self, position: int, number: int) -> None:
        if number == TEST_BEGIN:
            self._switch(position, self.home)
            while self.stack:  # spans that a test left open end when the next test starts
                self._end(self.stack.pop(), position - 1, raised=True)
        self.structure.note_test(number, int(self.words[position + 1]), position)
