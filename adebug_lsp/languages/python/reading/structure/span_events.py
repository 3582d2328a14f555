"""The effects of records on the spans of a run, by marker: begin or end one, open or close a loop."""

import numpy as np

from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.reading.structure.event_nesting import BEGINS, CLOSES, ENDS, OPENS, Events
from adebug_lsp.languages.python.reading.structure.marker_facts import Facts
from adebug_lsp.languages.python.reading.structure.run_structure import AWAITED, STEPPED
from adebug_lsp.languages.python.recorder.contract import (
    AFTER,
    DELEGATE,
    ELSE,
    ENTER,
    ITERATION,
    LEAVE,
    LOOP,
    NO_RECORD,
    RECORD_KINDS,
    RESUME,
    RESUMED,
    THREAD_BEGUN,
    THREAD_STARTED,
    THREAD_SWITCH,
    THROW,
)

NOT_NESTED, THROWN = 255, 254
_EVENTS = {
    ENTER: BEGINS,
    RESUME: BEGINS,
    LEAVE: ENDS,
    LOOP: OPENS,
    ITERATION: OPENS,
    ELSE: CLOSES,
    AFTER: CLOSES,
    THROW: THROWN,
    DELEGATE: NOT_NESTED,
    RESUMED: NOT_NESTED,
}
"""The kind of event for each effect on spans."""


class Table:
    """Facts about events, by the number of their marker."""

    def __init__(self, facts: Facts) -> None:
        count = facts.count
        self.does, self.raised, self.returns = (np.zeros(count, kind) for kind in (np.uint8, np.bool_, np.bool_))
        self.level, self.node = np.zeros(count, np.int16), np.full(count, -1, np.int32)
        self.arity, self.routine = np.array(facts.arity, np.int64), np.array(facts.routine, np.int32)
        self.apart = np.zeros(count, np.bool_)
        """Whether the record may switch to other code: another task, or a step of a generator."""
        self.apart[[THREAD_STARTED, THREAD_BEGUN]] = True
        self.does[[THREAD_STARTED, THREAD_BEGUN, THREAD_SWITCH]] = NOT_NESTED
        for number, marker in facts.markers.items():
            about = facts.routines[facts.routine[number]]
            kind = RECORD_KINDS.get(marker.kind, NO_RECORD)
            does = _EVENTS.get(kind.effect, 0)
            if marker.lingers is not None:
                does, self.returns[number] = CLOSES, True
            if does in (OPENS, CLOSES):
                loops = len(facts.loops_around(number)) - (kind.effect == ITERATION)
                self.level[number] = 2 * loops + (2 if kind.effect in (ITERATION, ELSE) else 1)
                self.node[number] = marker.node
                does = 0 if about.kind in ("generator", "async_generator") else does
            elif does == BEGINS:
                does, self.node[number] = (NOT_NESTED if about.kind in AWAITED else does), about.node
            self.does[number] = does
            self.apart[number] = does in (BEGINS, ENDS, NOT_NESTED, THROWN) and about.kind in (*AWAITED, *STEPPED)
            self.raised[number] = kind.raises

    def events(self, numbers: Array, positions: Array, does: Array) -> Events:
        """Convert records to events."""
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
