"""One recorded run, and queries on it: records of an activation, variables at a moment, values.

A *moment* is a position in the recording; it denotes the state after all records that start before it.
"""

from bisect import bisect_left
from collections import defaultdict
from functools import cached_property
from typing import Any

import numpy as np
from attrs import define, field, frozen

from adebug_lsp.languages.python.reading.grouping import grouped
from adebug_lsp.languages.python.reading.heap.object_states import Heap
from adebug_lsp.languages.python.reading.heap.writes import heap_writes, whole
from adebug_lsp.languages.python.reading.marker_index import Array, flags, places
from adebug_lsp.languages.python.reading.recording_file import Recording
from adebug_lsp.languages.python.reading.static import Marker, Module, Routine, read_module
from adebug_lsp.languages.python.reading.structure.fast_structure import nested
from adebug_lsp.languages.python.reading.structure.run_structure import (
    Program,
    Structure,
    detailed_until,
    pieces_of,
)
from adebug_lsp.languages.python.reading.structure.spans import Span, Spans
from adebug_lsp.languages.python.reading.structure.stopped_loops import was_stopped
from adebug_lsp.languages.python.reading.structure.structure_walk import walked
from adebug_lsp.languages.python.reading.value_formatter import ValueFormatter
from adebug_lsp.languages.python.recorder.contract import FIRST_OF_MODULES, FIRST_VALUE
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind

_SCANS = 8
"""Number of scans of all spans that cost less than sorting them by their parents."""


@frozen(eq=False)
class Record:
    """One record of the tape."""

    position: int
    marker: Marker
    words: tuple[int, ...]
    """The values of its slots."""

    @property
    def whole(self) -> bool:
        """Whether the record is complete; an interruption can come between two words."""
        return len(self.words) == len(self.marker.slots) and all(word >= FIRST_VALUE for word in self.words)

    @property
    def end(self) -> int:
        """The moment just after it."""
        return self.position + 1


@define(eq=False)
class Run:
    """A recording, with queries on it."""

    recording: Recording
    program: Program
    structure: Structure
    _by_parent: tuple[Any, Any] | None = None
    """The spans grouped by parent: the parents, and the numbers of the spans."""
    _scanned: int = 0
    """The number of spans that were scanned for children."""
    _globals: dict[int, frozenset[str]] = field(factory=dict)
    _own: dict[int, Any] = field(factory=dict)
    _variables: dict[int, "Variables"] = field(factory=dict)
    _markers: dict[tuple[int, int], Any] = field(factory=dict)

    @cached_property
    def heap(self) -> Heap:
        """The states of mutable objects at every moment."""
        return Heap(
            self.recording.words,
            self.recording.values,
            self.recording.images,
            heap_writes(self.program, self.recording.words, self.recording.values),
        )

    @cached_property
    def formatter(self) -> ValueFormatter:
        """Formats values as text."""
        return ValueFormatter(self.recording, self.heap)

    @cached_property
    def marks(self) -> Array:
        """The positions of all markers of modules."""
        words = self.recording.words
        return places(words, np.arange(max(self.program.markers, default=-1) + 1) >= FIRST_OF_MODULES)

    @cached_property
    def stores(self) -> Array:
        """By marker number: whether its record binds a variable, including those of comprehensions."""
        column = np.zeros(max(self.program.markers, default=-1) + 1, np.bool_)
        markers = self.program.markers.items()
        column[[number for number, marker in markers if marker.stores or marker.iteration_stores]] = True
        return column

    @cached_property
    def _by_routine(self) -> dict[int, Any]:
        """The numbers of the activations of every routine, in order."""
        spans = self.spans
        numbers = np.flatnonzero(np.frombuffer(spans.activation, np.int32) == np.arange(len(spans)))
        return grouped(np.frombuffer(spans.routine, np.int32)[numbers], numbers)

    def activations_of(self, routine: Routine, position: int) -> list[int]:
        """The activations of a routine that had started before a position, in order."""
        number = self.spans.routines.index(routine)
        activations = self._by_routine.get(number, np.empty(0, np.int64))
        firsts = np.frombuffer(self.spans.first, np.int64)[activations]
        begun: list[int] = activations[: np.searchsorted(firsts, position, "right")].tolist()
        return begun

    @property
    def by_calls(self) -> bool:
        """Whether the program was recorded at level `calls`, where only module bodies have an inside."""
        return self.recording.meta.get("level") == "calls"

    @cached_property
    def detailed_until(self) -> int:
        """The position from which details are missing; the end of the recording in most runs."""
        return detailed_until(self.recording)

    def is_detailed(self, activation: Span) -> bool:
        """Whether details were still being recorded when an activation ended.

        Spans that were open when the program was stopped are asked about as far as they are known.
        """
        running = activation.open or (activation.raised and was_stopped(self.recording))
        return running or activation.last < self.detailed_until

    def has_inside(self, activation: Span) -> bool:
        """Whether the sub-expressions of an activation were recorded."""
        return (not self.by_calls or activation.routine.kind == "module") and self.is_detailed(activation)

    @property
    def spans(self) -> Spans:
        """All spans."""
        return self.structure.spans

    @cached_property
    def tops(self) -> list[int]:
        """The outermost recorded spans, in order, without roots that were added later."""
        return self.children(-1)

    def children(self, number: int) -> list[int]:
        """The spans directly inside a span, in order; -1 gives the outermost ones."""
        inside: list[int] = self._inside(number).tolist()
        return inside

    def place(self, number: int) -> int:
        """Index of a span among siblings of the same kind."""
        beside = self._inside(self.spans.parent[number])
        before = beside[: np.searchsorted(beside, number)]
        return int(np.count_nonzero(np.frombuffer(self.spans.kind, np.int8)[before] == self.spans.kind[number]))

    def _inside(self, number: int) -> Any:
        """The spans directly inside one, in order."""
        sizes = self.structure.sizes
        if sizes is not None and len(sizes) == len(self.spans):
            low, high = (0, len(sizes)) if number < 0 else (number + 1, number + int(sizes[number]))
            self._scanned += high - low
            if self._scanned <= _SCANS * len(sizes):
                return low + np.flatnonzero(np.frombuffer(self.spans.parent, np.int32)[low:high] == number)
        if self._by_parent is None:
            parents = np.array(self.spans.parent)
            order = np.argsort(parents, kind="stable")
            self._by_parent = parents[order], order
        parents, order = self._by_parent
        low, high = np.searchsorted(parents, np.array([number, number + 1], parents.dtype))  # avoids a conversion
        return order[low:high]

    def add_root(self, routine: Routine, tops: list[int]) -> Span:
        """Add an artificial span around several recorded ones."""
        spans = self.spans
        spans.routines.append(routine)
        last = max(spans.last[top] for top in tops)
        root = spans.add(-1, NodeKind.ROUTINE, len(spans.routines) - 1, -1, spans.first[tops[0]])
        spans.end(root, last)
        for top in tops:
            spans.parent[top] = root
        self._by_parent = None
        return spans[root]

    @cached_property
    def _steps(self) -> dict[int, list[int]]:
        """The steps of every generator, by its token."""
        steps: dict[int, list[int]] = defaultdict(list)
        for number, token in self.spans.tokens.items():
            steps[token].append(number)
        return steps

    def steps_to(self, number: int) -> list[Span]:
        """All steps of a generator up to and including one; empty for other spans."""
        steps = self._steps.get(self.spans.tokens.get(number, -1), ())
        return [self.spans[step] for step in steps if step <= number]

    def steps_of(self, span: Span) -> list[Span]:
        """All steps of the generator of a step."""
        return [self.spans[step] for step in self._steps.get(span.token, ())]

    def steps_begun(self, name: str, position: int) -> list[Span]:
        """All steps of the first generator of a routine of this name that began after a position."""
        for steps in self._steps.values():
            span = self.spans[steps[0]]
            if span.first > position and span.routine.name == name:
                return [self.spans[step] for step in steps]
        return []

    def latest_steps(self, moment: int) -> list[int]:
        """The latest step of each generator before a moment, in the order in which the steps began."""
        begun = bisect_left(self.spans.first, moment)
        latest = (steps[bisect_left(steps, begun) - 1] for steps in self._steps.values() if steps[0] < begun)
        return [number for number in latest if self.spans.kind[number] == NodeKind.GENERATOR]

    def record(self, position: int) -> Record:
        """The record at a position."""
        words = self.recording.words
        marker = self.program.markers[int(words[position])]
        count = len(marker.slots)
        return Record(position, marker, tuple(words[position + 1 : position + 1 + count].tolist()))

    def record_around(self, place: int) -> Record:
        """The record that contains the word at a place."""
        words, start = self.recording.words, place
        while words[start] >= FIRST_VALUE:
            start -= 1
        return self.record(start)

    def own(self, activation: Span) -> Array:
        """The positions of an activation's own records, without those of its calls."""
        positions = self._own.get(activation.number)
        if positions is None:
            positions = self._own[activation.number] = self._positions(activation)
        return positions

    def _positions(self, activation: Span) -> Array:
        """The positions of an activation's own records, uncached."""
        words = self.recording.words[activation.first : activation.last + 1]
        routine = activation.routine
        positions = activation.first + places(words, self._markers_of(routine), routine.module.first)
        if self.structure.flows > 1:
            positions = positions[self._flows_at(positions) == self.spans.flow[activation.number]]
        firsts, lasts = self._inner(activation)
        if len(firsts):
            before = np.searchsorted(firsts, positions, "right") - 1
            positions = positions[(before < 0) | (positions > lasts[before])]
        return positions

    def _markers_of(self, routine: Routine) -> Any:
        """A mask of the markers that belong to a routine."""
        key = (routine.module.first, routine.index)
        if key not in self._markers:
            own = [marker.routine == routine.index for marker in routine.module.markers]
            self._markers[key] = np.array(own, dtype=np.bool_)
        return self._markers[key]

    def _flows_at(self, positions: Array) -> Array:
        """The flow that ran at each position."""
        begins, flows = self._switches
        running: Array = flows[np.searchsorted(begins, positions, "right") - 1]
        return running

    def switches_in(self, first: int, last: int) -> bool:
        """Whether another flow ran between two positions."""
        low, high = np.searchsorted(self._switches[0], [first, last], "right")
        return bool(high > low)

    @cached_property
    def _switches(self) -> tuple[Any, Any]:
        begins, flows = zip(*self.structure.switches, strict=True)
        return np.array(begins, np.int64), np.array(flows, np.int32)

    def _inner(self, activation: Span) -> tuple[Any, Any]:
        """First and last positions of the outermost recursive activations of the same routine during this one."""
        spans = self.spans
        same = self._by_routine.get(spans.routine[activation.number], np.empty(0, np.int64))
        same = same[np.searchsorted(same, activation.number, "right") :]
        firsts, lasts = np.frombuffer(spans.first, np.int64)[same], np.frombuffer(spans.last, np.int64)[same]
        during = (firsts <= activation.last) & (
            np.frombuffer(spans.flow, np.int32)[same] == spans.flow[activation.number]
        )
        firsts, lasts = firsts[during], lasts[during]
        if len(firsts) == 0:
            return firsts, lasts
        outermost = np.concatenate([[True], firsts[1:] > np.maximum.accumulate(lasts)[:-1]])
        return firsts[outermost], lasts[outermost]

    def within(self, span: Span) -> list[Record]:
        """The records of an activation's own code between the first and the last record of one of its spans."""
        return self.between(self.spans[span.activation], span.first, span.last)

    def between(self, activation: Span, first: int, last: int) -> list[Record]:
        """The records of an activation's own code between two positions."""
        return self._records(self._slice(activation, first, last))

    def beginning(self, activation: Span, first: int, last: int, most: int) -> list[Record]:
        """The first `most` records of an activation's own code between two positions."""
        return self._records(self._slice(activation, first, last)[:most])

    def summary(self, activation: Span, first: int, last: int) -> list[Record]:
        """Like `between`, but only the first record for each marker, because there may be millions."""
        return self._records(self._firsts(self._slice(activation, first, last)))

    def summary_of_all(self, first: int, last: int) -> list[Record]:
        """The first record for each marker between two positions, in any span."""
        low, high = np.searchsorted(self.marks, [first, last + 1])
        return self._records(self._firsts(self.marks[low:high]))

    def _firsts(self, positions: Array) -> Array:
        """The first record for each marker, among the records at the given positions."""
        backwards = positions[::-1]
        firsts = np.full(len(self.stores), -1, np.int64)
        firsts[self.recording.words[backwards]] = backwards  # for duplicates, the last assignment wins
        return np.sort(firsts[firsts >= 0])

    def globals_of(self, module: Module) -> frozenset[str]:
        """The variables that a module's own statements bind."""
        names = self._globals.get(module.first)
        if names is None:
            stores = (name for m in module.markers if m.routine == 0 for name, _ in m.stores)
            names = self._globals[module.first] = frozenset(stores)
        return names

    def last(self, span: Span) -> Record | None:
        """The last record of an activation's own code in a span of it."""
        records = self._records(self._slice(self.spans[span.activation], span.first, span.last)[-1:])
        return records[0] if records else None

    def after(self, activation: Span, position: int) -> Record | None:
        """The next record of an activation's own code after a position."""
        own = self.own(activation)
        records = self._records(own[np.searchsorted(own, position, "right") :][:1])
        return records[0] if records else None

    def with_markers(self, activation: Span, first: int, last: int, numbers: list[int]) -> list[int]:
        """The positions of an activation's own whole records with one of these markers."""
        positions = self._slice(activation, first, last)
        matching: list[int] = positions[np.isin(self.recording.words[positions], numbers)].tolist()
        return matching if not matching or self.record(matching[-1]).whole else matching[:-1]

    def positions(self, numbers: list[int]) -> Array:
        """The positions of the records with one of these markers, of any span."""
        return places(self.recording.words, flags(numbers))

    def _slice(self, activation: Span, first: int, last: int) -> Array:
        positions = self.own(activation)
        low, high = np.searchsorted(positions, [first, last + 1])
        return positions[low:high]

    def _records(self, positions: Array) -> list[Record]:
        return [record for record in map(self.record, positions.tolist()) if record.whole]

    def variables(self, activation: Span) -> "Variables":
        """The local variables of an activation."""
        variables = self._variables.get(activation.number)
        if variables is None:
            steps = self._steps.get(activation.token, [activation.number])
            variables = Variables(self, [self.spans[step] for step in steps])
            self._variables |= dict.fromkeys(steps, variables)
        return variables

    def ending(self, span: Span) -> Record | None:
        """The record of how an activation or step ended, if its own code wrote one."""
        record = self.last(span)
        if record is None or record.marker.kind != "left":
            return record
        before = (self.record(position) for position in reversed(self._slice(span, span.first, span.last).tolist()))
        return next((record for record in before if record.marker.kind == "return" and record.whole), None)


class Variables:
    """The values of the variables of one activation, in all its steps, moment by moment."""

    def __init__(self, run: Run, steps: list[Span]) -> None:
        self._words = run.recording.words
        self._moments: dict[str, Any] = {}
        self._places: dict[str, Any] = {}
        """For each variable, the positions of the words that it was bound to."""
        self._iterations: dict[str, tuple[Any, Any]] = {}
        """Moments and positions for variables of comprehensions."""
        bindings: dict[str, list[tuple[Any, Any]]] = defaultdict(list)
        in_iterations: dict[str, list[tuple[Any, Any]]] = defaultdict(list)
        positions = np.concatenate([run.own(step) for step in steps])
        positions = positions[run.stores[self._words[positions]]]
        for number, candidates in grouped(self._words[positions], positions).items():
            marker = run.program.markers[number]
            starts = whole(self._words, candidates, len(marker.slots))
            for name, slot in marker.stores:
                bindings[name].append((starts, starts + 1 + slot))
            for name, slot in marker.iteration_stores:
                in_iterations[name].append((starts, starts + 1 + slot))
        for name, columns in bindings.items():
            moments, bound = _in_order(columns)
            if len(moments):
                self._moments[name], self._places[name] = moments, bound
        self._iterations = {name: _in_order(columns) for name, columns in in_iterations.items()}

    @property
    def names(self) -> list[str]:
        """Every variable that was ever bound, in the order of first bindings."""
        return sorted(self._moments, key=lambda name: int(self._moments[name][0]))

    def at(self, name: str, moment: int) -> int | None:
        """The word that a variable was bound to, or None while it had no value."""
        return self._word(self.place(name, moment))

    def in_iteration(self, name: str, moment: int) -> int | None:
        """The word of a comprehension's variable, which only code inside the comprehension sees."""
        return self._word(self.place_in_iteration(name, moment))

    def place(self, name: str, moment: int) -> int | None:
        """The position of the word that a variable was bound to."""
        return _latest(self._moments.get(name, ()), self._places.get(name, ()), moment)

    def place_in_iteration(self, name: str, moment: int) -> int | None:
        """The position of the word that a comprehension's variable was bound to."""
        return _latest(*self._iterations.get(name, ((), ())), moment)

    def _word(self, place: int | None) -> int | None:
        return None if place is None else int(self._words[place])


def _latest(moments: Any, places: Any, moment: int) -> int | None:
    """The last of some places that was written before a moment."""
    index = int(np.searchsorted(moments, moment)) if len(moments) else 0
    return int(places[index - 1]) if index else None


def _in_order(columns: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    """Moments and places, sorted by moment."""
    moments, places = (np.concatenate(column) for column in zip(*columns, strict=True))
    order = np.argsort(moments, kind="stable")
    return moments[order], places[order]


def read_run(recording: Recording) -> Run:
    """Interpret the words of a recording; raises `BadInputError` if they are invalid."""
    try:
        modules: list[Module] = [read_module(facts) for facts in recording.modules]
        markers = {module.first + index: m for module in modules for index, m in enumerate(module.markers)}
        if any(not FIRST_OF_MODULES <= number < FIRST_VALUE for number in markers):
            raise ValueError("a marker has a number that none can have")
        program = Program(modules, markers)
        pieces = pieces_of(recording)
        structure = nested(recording, program) if len(pieces) == 1 else None
        return Run(recording, program, structure or walked(recording, program, pieces))
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise BadInputError(f"{recording.path}: the recording contradicts itself: {error!r}") from error
