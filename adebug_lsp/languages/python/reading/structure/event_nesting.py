"""Finds the spans of a run that is properly nested in time, by array operations: most runs, and the longest.

Every record that begins or ends something is an *event* with a *level*: an activation has level 0, a loop inside k
others 2k + 1, its iterations 2k + 2. An event ends everything of its own activation that has its level or a deeper one.
So a span lasts until the next such event, and its parent is the innermost one that the last shallower event left open.
"""

from typing import Any

import numpy as np
from attrs import define, frozen

from adebug_lsp.languages.python.reading.marker_index import Array

BEGINS, ENDS, OPENS, CLOSES = range(1, 5)
"""Kinds of events: begin an activation, end it, begin a part of it, end parts of it."""


@frozen
class Events:
    """Columns of one length, in order of time."""

    does: Any
    level: Any
    routine: Any
    node: Any
    position: Any
    until: Any
    """The last position of the span that an event ends, with its own record if that belongs to the span."""
    raised: Any
    """Whether an exception ends the span."""
    returns: Any
    """Whether the activation goes on after a return; from there on, no exception ends its loops."""


@define
class Nested:
    """Spans as columns, in order of time."""

    event: Any
    """The event that begins the span."""
    parent: Any
    activation: Any
    last: Any
    """-1 for a span that never ended."""
    raised: Any


def nest(events: Events) -> Nested | None:
    """Find all spans; None if some activation has no end of its own before that of its caller."""
    does, count = events.does, len(events.does)
    begins, ends = does == BEGINS, does == ENDS
    depth = np.cumsum(begins.astype(np.int32) - ends, dtype=np.int32) + ends
    if count == 0 or int(depth.min()) < 1:
        return None
    event, is_call = _rows(begins, depth)
    act = np.maximum.accumulate(np.where(begins[event] & ~is_call, np.arange(len(event)), -1))
    own = ~is_call
    if act[0] < 0 or not _agree(events, event, act, own):
        return None
    level = np.where(is_call, _NO_LEVEL, events.level[event])
    opens = own & ((does == BEGINS) | (does == OPENS))[event]
    before = _before(level, opens)
    parents = np.full(count, -1, np.int64)
    for some in (opens & (level > 0), is_call):
        parents[event[some]] = event[before[some]]
    spans = np.flatnonzero(begins | (does == OPENS))
    number = np.full(count, -1, np.int64)
    number[spans] = np.arange(len(spans))
    last, raised = _ends(events, event, act, level, opens)
    activation = np.empty(count, np.int64)
    activation[event[own]] = event[act[own]]
    above = parents[spans]
    nesting = Nested(
        spans, np.where(above < 0, -1, number[above]), number[activation[spans]], last[spans], raised[spans]
    )
    return nesting if _are_iterations_in_loops(events, nesting) else None


_NO_LEVEL = 1 << 14


def _different(levels: Array) -> list[int]:
    distinct: list[int] = np.flatnonzero(np.bincount(levels)).tolist()
    return distinct


def _rows(begins: Array, depth: Array) -> tuple[Any, Any]:
    """All events by depth and time, so that those of an activation are adjacent; calls also appear in the caller's.

    Returns the event of each row, and whether the row is a call that the activation made.
    """
    event = np.repeat(np.arange(len(begins)), 1 + begins)
    is_call = np.zeros(len(event), np.bool_)
    is_call[:-1] = event[1:] == event[:-1]
    row_depth = depth[event] - is_call
    order = np.argsort(row_depth.astype(np.uint16) if int(row_depth.max()) < 1 << 16 else row_depth, kind="stable")
    order = order[int(np.count_nonzero(row_depth == 0)) :]  # the first activations have no caller
    return event[order], is_call[order]


def _agree(events: Events, event: Array, act: Array, own: Array) -> bool:
    """Whether every event has the same routine as the activation that it would belong to."""
    return bool(np.all(events.routine[event[own]] == events.routine[event[act[own]]]))


def _before(level: Array, opens: Array) -> Array:
    """For each row, the row of the enclosing span at a shallower level; calls have the deepest level."""
    enclosing = np.full(len(level), -1, np.int64)
    index = np.arange(len(level))
    for current in _different(level):
        here = level == current
        enclosing[here] = np.maximum.accumulate(np.where(level < current, index, -1))[here]
    while True:  # an event that only closes leaves the shallower spans before it open
        closed = (enclosing >= 0) & ~opens[enclosing]
        if not closed.any():
            return enclosing
        enclosing[closed] = enclosing[enclosing[closed]]


def _ends(events: Events, event: Array, act: Array, level: Array, opens: Array) -> tuple[Any, Any]:
    """The last position of each span, and whether an exception ended it."""
    rows, index = len(level), np.arange(len(level))
    last, raised = np.full(len(events.does), -1, np.int64), np.zeros(len(events.does), np.bool_)
    returned = np.maximum.accumulate(np.where(events.returns[event], index, -1)) > act
    ends = events.does[event] == ENDS
    for current in _different(level[opens]):
        closing = np.where((level <= current) & (ends | (current > 0)), index, rows)
        after = np.minimum.accumulate(closing[::-1])[::-1]
        here = np.flatnonzero(opens & (level == current))
        by = np.append(after[1:], rows)[here]
        good = by < rows
        good[good] = act[by[good]] == act[here[good]]
        here, by = here[good], by[good]
        last[event[here]] = events.until[event[by]]
        raised[event[here]] = events.raised[event[by]] & (ends[by] | ~returned[by])
    return last, raised


def _are_iterations_in_loops(events: Events, nesting: Nested) -> bool:
    """Whether every iteration is inside its loop."""
    level, node = events.level[nesting.event], events.node[nesting.event]
    iterations = np.flatnonzero((level > 0) & (level % 2 == 0))
    loops = nesting.parent[iterations]
    return bool(np.all((level[loops] == level[iterations] - 1) & (node[loops] == node[iterations])))
