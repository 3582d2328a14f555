"""The structure of a run that nests properly in time, in C or by array operations on its events."""

import numpy as np

from adebug_lsp.languages.python.reading.marker_index import Array, flags, places
from adebug_lsp.languages.python.reading.recording_file import Recording
from adebug_lsp.languages.python.reading.structure.event_nesting import BEGINS, ENDS, Events, Nested, nest
from adebug_lsp.languages.python.reading.structure.marker_facts import Facts
from adebug_lsp.languages.python.reading.structure.native_structure import native_spans
from adebug_lsp.languages.python.reading.structure.run_structure import (
    KINDS,
    Program,
    Structure,
    detailed_until,
    token_at,
    tokens_at,
)
from adebug_lsp.languages.python.reading.structure.span_events import NOT_NESTED, THROWN, Table
from adebug_lsp.languages.python.reading.structure.spans import OPEN, RAISED, Spans
from adebug_lsp.languages.python.reading.structure.stopped_loops import middle, was_stopped
from adebug_lsp.languages.python.recorder.contract import TEST_BEGIN, TEST_END, TEST_FAILED
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.native.shared_library import library


def nested(recording: Recording, program: Program) -> Structure | None:
    """The structure of a run that nests properly in time; None if it does not, or might not."""
    words, facts = recording.words, Facts(program)
    table = Table(facts)
    thrown = places(words, table.does == THROWN)
    if not all(facts.is_closed(recording, position, int(words[position])) for position in thrown.tolist()):
        return None
    native = library is not None and not was_stopped(recording)
    made = by_native(recording, facts, table) if native else by_arrays(recording, facts, table)
    if made is None:
        return None
    made.spans.tokens.update(_tokens(recording, facts, made.spans))
    made.switch(0, 0)
    for position in places(words, flags((TEST_BEGIN, TEST_END, TEST_FAILED))).tolist():
        made.note_test(int(words[position]), int(words[position + 1]), position)
    return made


def by_native(recording: Recording, facts: Facts, table: Table) -> Structure | None:
    """The spans from one pass in C; None if they do not nest."""
    spans = Spans(facts.routines)
    sizes = native_spans(recording.words, table, spans, detailed_until(recording))
    return None if sizes is None or not len(sizes) else Structure(spans, flows=1, sizes=sizes)


def by_arrays(recording: Recording, facts: Facts, table: Table) -> Structure | None:
    """The spans by array operations; iterations of a loop that was stopped are folded."""
    words = recording.words
    positions = places(words, table.does != 0)
    numbers = words[positions]
    does = table.does[numbers]
    if np.any(does == NOT_NESTED):
        return None
    thrown = np.flatnonzero(does == THROWN)
    does[thrown], does[thrown + 1] = 0, 0  # includes the record of its end
    coarse = int(np.searchsorted(positions, detailed_until(recording)))
    does[coarse:][(does[coarse:] > ENDS) & ~table.returns[numbers[coarse:]]] = 0
    cut = int(np.searchsorted(positions, len(words) - int(table.arity.max(initial=0)) - 1))  # may be incomplete
    does[cut:][(positions[cut:] + table.arity[numbers[cut:]] >= len(words)) & (does[cut:] <= ENDS)] = 0
    if len(dropped := np.flatnonzero(does == 0)):
        numbers, positions, does = (np.delete(column, dropped) for column in (numbers, positions, does))
    several = middle(does, table.level[numbers]) if was_stopped(recording) else None
    if several is not None and _goes_on(recording, facts, numbers[several[1] :], positions[several[1] :]):
        several = None
    if several is not None:
        first, after = several
        iterations = np.count_nonzero(numbers[first:after] == numbers[first])
        rest = np.r_[0 : first + 1, after : len(numbers)]
        numbers, positions, does = numbers[rest], positions[rest], does[rest]
    events = table.events(numbers, positions, does)
    nesting = nest(events)
    if nesting is None or not _alone(words, events):
        return None
    made = Structure(_spans(recording, facts, events, nesting), flows=1)
    if several is not None:
        made.spans.several[int(np.searchsorted(nesting.event, first))] = int(iterations)
    return made


def _goes_on(recording: Recording, facts: Facts, numbers: Array, positions: Array) -> bool:
    """Whether a generator that had started earlier is resumed; its variables depend on all of its steps."""
    begun = set()
    for number, position in zip(numbers.tolist(), positions.tolist(), strict=True):
        marker = facts.markers.get(number)
        if marker is not None and marker.kind == "resume" and token_at(recording, position + 1) not in begun:
            return True
        if marker is not None and marker.kind == "enter" and facts.routines[facts.routine[number]].kind == "generator":
            begun.add(token_at(recording, position + facts.arity[number]))
    return False


def _alone(words: Array, events: Events) -> bool:
    """Whether nothing was running when a test began."""
    indexes = np.searchsorted(events.position, places(words, flags([TEST_BEGIN])))
    running = np.cumsum((events.does == BEGINS).astype(np.int32) - (events.does == ENDS))
    return not np.any(np.append(0, running)[indexes])


def _spans(recording: Recording, facts: Facts, events: Events, nesting: Nested) -> Spans:
    """Nested events as spans."""
    spans, event = Spans(facts.routines), nesting.event
    kinds = np.array([KINDS[routine.kind] for routine in spans.routines], np.int8)
    routine, level = events.routine[event], events.level[event]
    kind = np.where(level % 2 == 1, NodeKind.LOOP, np.where(level > 0, NodeKind.ITERATION, kinds[routine]))
    is_open = nesting.last < 0
    columns = {
        "parent": nesting.parent,
        "kind": kind,
        "routine": routine,
        "node": events.node[event],
        "first": events.position[event],
        "last": np.where(is_open, len(recording.words) - 1, nesting.last),
        "flags": OPEN * is_open + RAISED * (nesting.raised & ~is_open),
        "activation": nesting.activation,
        "flow": np.zeros(len(event)),
    }
    for name, column in columns.items():
        into = getattr(spans, name)
        into.frombytes(column.astype(into.typecode).tobytes())
    return spans


def _tokens(recording: Recording, facts: Facts, spans: Spans) -> dict[int, int]:
    """The numbers of generators' activations, by step."""
    steps = np.flatnonzero(np.frombuffer(spans.kind, np.int8) == NodeKind.GENERATOR)
    if len(steps) == 0:
        return {}
    slot = np.array(facts.arity)
    slot[[number for number, marker in facts.markers.items() if marker.kind == "resume"]] = 1
    positions = np.frombuffer(spans.first, np.int64)[steps]
    tokens = tokens_at(recording, positions + slot[recording.words[positions]])
    return dict(zip(steps.tolist(), tokens.tolist(), strict=True))
