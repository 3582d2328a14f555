"""The spans of a run in which all nests in time: its records as events, and what was found of them as spans."""

from typing import Any

import numpy as np

from adebug_lsp.languages.python.endless import middle
from adebug_lsp.languages.python.facts import Facts
from adebug_lsp.languages.python.nesting import BEGINS, CLOSES, ENDS, OPENS, Events, Nested, nest
from adebug_lsp.languages.python.spans import OPEN, RAISED, Spans
from adebug_lsp.languages.python.structure import (
    AWAITED,
    BEGUN,
    KINDS,
    SPAWN,
    TEST_BEGIN,
    TEST_FAILED,
    TURN,
    Program,
    Structure,
    token_at,
)
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.recording.reader import Recording

_STOPPED = ("timeout", "interrupted", "killed")
_NOT_NESTED, _THROWN = 255, 254
_DOES = {"loop": OPENS, "iteration": OPENS, **dict.fromkeys(("else", "after", "handler", "finally", "passes"), CLOSES)}
_DOES |= {"enter": BEGINS, "resume": BEGINS, "return": ENDS, "left": ENDS, "raised": ENDS, "yield": ENDS}
_DOES |= {**dict.fromkeys(("delegate", "resumed", "awaited"), _NOT_NESTED), "thrown": _THROWN}


def nested(recording: Recording, program: Program) -> Structure | None:
    """The same for a run in which all nests in time; None for one in which something does not, or might not."""
    words, facts = recording.words, Facts(program)
    numbers, positions = _markers(words, facts.count)
    table = _Table(facts)
    does = table.does[numbers]
    thrown = np.flatnonzero(does == _THROWN)
    closed = all(facts.is_closed(recording, int(positions[at]), int(numbers[at])) for at in thrown)
    if not closed or np.any(does == _NOT_NESTED):
        return None
    does[thrown], does[thrown + 1] = 0, 0  # and what says that it was closed
    kept = (does != 0) & ((positions + table.arity[numbers] < len(words)) | (does > ENDS))
    numbers, positions, does = numbers[kept], positions[kept], does[kept]
    several = middle(does, table.level[numbers]) if _was_stopped(recording) else None
    if several is not None:
        first, after = several
        turns = np.count_nonzero(numbers[first:after] == numbers[first])
        rest = np.r_[0 : first + 1, after : len(numbers)]
        numbers, positions, does = numbers[rest], positions[rest], does[rest]
    events = table.events(numbers, positions, does)
    found = nest(events)
    if found is None or not _alone(words, events):
        return None
    made = Structure(_spans(recording, facts, events, found, numbers), flows=1)
    if several is not None:
        made.spans.several[int(np.searchsorted(found.event, first))] = int(turns)
    made.switch(0, 0)
    for position in np.flatnonzero((words >= TEST_BEGIN) & (words <= TEST_FAILED)).tolist():
        made.note_test(int(words[position]), int(words[position + 1]), position)
    return made


def _was_stopped(recording: Recording) -> bool:
    return recording.ending is None or recording.ending.get("how") in _STOPPED


def _markers(words: Any, count: int) -> tuple[Any, Any]:
    positions = np.flatnonzero(words < count)
    return words[positions], positions


def _alone(words: Any, events: Events) -> bool:
    """Whether nothing was running when a test began."""
    at = np.searchsorted(events.position, np.flatnonzero(words == TEST_BEGIN))
    running = np.cumsum((events.does == BEGINS).astype(np.int32) - (events.does == ENDS))
    return not np.any(np.append(0, running)[at])


class _Table:
    """What events there are, by the number of their marker."""

    def __init__(self, facts: Facts) -> None:
        count = facts.count
        self.does, self.raised, self.returns = (np.zeros(count, kind) for kind in (np.uint8, np.bool_, np.bool_))
        self.level, self.node = np.zeros(count, np.int16), np.full(count, -1, np.int32)
        self.arity, self.routine = np.array(facts.arity, np.int64), np.array(facts.routine, np.int32)
        self.does[[SPAWN, BEGUN, TURN]] = _NOT_NESTED
        for number, marker in facts.markers.items():
            about = facts.routines[facts.routine[number]]
            does = _DOES.get(marker.kind, 0)
            if marker.lingers is not None:
                does, self.returns[number] = CLOSES, True
            if does in (OPENS, CLOSES):
                loops = len(facts.loops_around(number)) - (marker.kind == "iteration")
                self.level[number] = 2 * loops + (2 if marker.kind in ("iteration", "else") else 1)
                self.node[number] = marker.node
                does = 0 if about.kind in ("generator", "async_generator") else does
            elif does == BEGINS:
                does, self.node[number] = (_NOT_NESTED if about.kind in AWAITED else does), about.node
            self.does[number] = does
            self.raised[number] = marker.kind in ("raised", "handler", "finally", "passes")

    def events(self, numbers: Any, positions: Any, does: Any) -> Events:
        """The events that records are."""
        returns = self.returns[numbers]
        whole = (does == ENDS) | returns
        until = np.where(whole, positions + self.arity[numbers], positions - 1)
        return Events(
            does,
            level=self.level[numbers],
            routine=self.routine[numbers],
            node=self.node[numbers],
            position=positions,
            until=until,
            raised=self.raised[numbers],
            returns=returns,
        )


def _spans(recording: Recording, facts: Facts, events: Events, found: Nested, numbers: Any) -> Spans:
    """What was found, as spans."""
    spans, event = Spans(facts.routines), found.event
    kinds = np.array([KINDS[routine.kind] for routine in spans.routines], np.int8)
    routine, level = events.routine[event], events.level[event]
    kind = np.where(level % 2 == 1, NodeKind.LOOP, np.where(level > 0, NodeKind.ITERATION, kinds[routine]))
    is_open = found.last < 0
    columns = {
        "parent": found.parent,
        "kind": kind,
        "routine": routine,
        "node": events.node[event],
        "first": events.position[event],
        "last": np.where(is_open, len(recording.words) - 1, found.last),
        "flags": OPEN * is_open + RAISED * (found.raised & ~is_open),
        "activation": found.activation,
        "flow": np.zeros(len(event)),
    }
    for name, column in columns.items():
        into = getattr(spans, name)
        into.frombytes(column.astype(into.typecode).tobytes())
    for span in np.flatnonzero(kind == NodeKind.GENERATOR).tolist():
        number = int(numbers[event[span]])
        slot = 1 if facts.markers[number].kind == "resume" else facts.arity[number]
        spans.tokens[span] = token_at(recording, int(events.position[event[span]]) + slot)
    return spans
