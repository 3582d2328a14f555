"""What records do to the spans of a run, by the numbers of their markers: begin or end one, open or close a loop."""

from typing import Any

import numpy as np

from adebug_lsp.languages.python.reading.structure.event_nesting import BEGINS, CLOSES, ENDS, OPENS, Events
from adebug_lsp.languages.python.reading.structure.marker_facts import Facts
from adebug_lsp.languages.python.reading.structure.run_structure import AWAITED, BEGUN, SPAWN, STEPPED, TURN

NOT_NESTED, THROWN = 255, 254
_DOES = {"loop": OPENS, "iteration": OPENS, **dict.fromkeys(("else", "after", "handler", "finally", "passes"), CLOSES)}
_DOES |= {"enter": BEGINS, "resume": BEGINS, "return": ENDS, "left": ENDS, "raised": ENDS, "yield": ENDS}
_DOES |= {**dict.fromkeys(("delegate", "resumed", "awaited"), NOT_NESTED), "thrown": THROWN}


class Table:
    """What events there are, by the number of their marker."""

    def __init__(self, facts: Facts) -> None:
        count = facts.count
        self.does, self.raised, self.returns = (np.zeros(count, kind) for kind in (np.uint8, np.bool_, np.bool_))
        self.level, self.node = np.zeros(count, np.int16), np.full(count, -1, np.int32)
        self.arity, self.routine = np.array(facts.arity, np.int64), np.array(facts.routine, np.int32)
        self.apart = np.zeros(count, np.bool_)
        """Whether it says that something else goes on than what came before: another task, a step of a generator."""
        self.apart[[SPAWN, BEGUN]] = True
        self.does[[SPAWN, BEGUN, TURN]] = NOT_NESTED
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
                does, self.node[number] = (NOT_NESTED if about.kind in AWAITED else does), about.node
            self.does[number] = does
            self.apart[number] = does in (BEGINS, ENDS, NOT_NESTED, THROWN) and about.kind in (*AWAITED, *STEPPED)
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
