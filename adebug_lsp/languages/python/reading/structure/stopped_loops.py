"""Folds the iterations of a loop that was still running when the program was stopped: there can be millions.

The first and last iterations show why it does not end. Those between become one span, so that the tree stays small; the
recording stays complete, so values stay exact.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import frozen

from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.reading.recording_file import Recording
from adebug_lsp.languages.python.reading.structure.event_nesting import BEGINS, ENDS, OPENS
from adebug_lsp.languages.python.reading.structure.span_events import Table

_STOPPED = ("timeout", "interrupted", "killed", "full")
KEPT = 100_000
"""Events at the start and at the end of a loop that are always kept."""
MOST = 1_000_000
"""Events in between up to which a loop is not folded."""


def was_stopped(recording: Recording) -> bool:
    """Whether a run did not end by itself."""
    return recording.ending is None or recording.ending.get("how") in _STOPPED


def middle(does: Array, level: Array, kept: int = KEPT, most: int = MOST) -> tuple[int, int] | None:
    """The iterations to fold, in the last running loop: the event of the first, and of the first one after them.

    In nested loops, the outermost is folded, so that no iteration is split.
    """
    iterations = np.flatnonzero(_is_iteration(does, level))
    if len(iterations) == 0 or iterations[-1] < 2 * kept + most:
        return None
    last = int(iterations[-1])
    begins, ends = (does[: last + 1] == action for action in (BEGINS, ENDS))
    depth = np.cumsum(begins.astype(np.int32) - ends, dtype=np.int32) + ends
    if int(depth.min()) < 1:  # more ends than starts: forged
        return None
    running = np.zeros(int(depth.max()) + 2, np.int64)
    running[depth[begins]] = np.flatnonzero(begins)  # the last of several at one depth
    running[depth[-1] + 1] = last + 1
    for current in range(1, int(depth[-1]) + 1):
        start, end = running[current : current + 2]  # later events belong to the call inside it
        own = start + np.flatnonzero(depth[start:end] == current)
        for loop, iterations in _running_loops(own, level[own], does[own] == OPENS):
            first = int(np.searchsorted(iterations, loop + kept))
            after = int(np.searchsorted(iterations, last - kept)) - 1
            if after - first > 1 and iterations[after] - iterations[first] > most:
                return int(iterations[first]), int(iterations[after])
    return None


def _running_loops(own: Array, level: Array, opens: Array) -> Iterator[tuple[int, Any]]:
    """The loops that an activation was in at its last event: their first events, and their iterations."""
    for loop_level in range(1, int(level.max()) + 1, 2):
        loops = np.flatnonzero(opens & (level == loop_level))
        if len(loops) == 0 or np.any(level[loops[-1] + 1 :] <= loop_level):
            return  # it was in no loop of this level, so in none inside it
        inside = slice(loops[-1] + 1, None)
        yield int(own[loops[-1]]), own[inside][(opens & (level == loop_level + 1))[inside]]


@frozen
class Cut:
    """Iterations to fold into one span: start of the first, start of the one after them, and their number."""

    first: int
    after: int
    iterations: int


def cut(table: Table, numbers: Array, positions: Array) -> Cut | None:
    """The iterations to fold in the records of one thread, since the last switch of tasks.

    Marker numbers and positions are those of all records with an effect on spans.
    """
    does, level = table.does[numbers], table.level[numbers]
    iterations = np.flatnonzero(_is_iteration(does, level))
    last = int(iterations[-1]) if len(iterations) else 0
    apart = np.flatnonzero(table.apart[numbers[:last]])
    start = int(apart[-1]) + 1 if len(apart) else 0
    depth = np.cumsum((does[start:last] == BEGINS).astype(np.int32) - (does[start:last] == ENDS), dtype=np.int32)
    if len(depth) and (least := int(depth.min())) < 0:  # calls that had begun before have ended
        start += int(np.flatnonzero(depth == least)[-1]) + 1
    folded = middle(np.append(np.uint8(BEGINS), does[start:]), np.append(np.int16(0), level[start:]))
    if folded is None:
        return None
    first, after = (start + event - 1 for event in folded)
    return Cut(
        int(positions[first]), int(positions[after]), int(np.count_nonzero(numbers[first:after] == numbers[first]))
    )


def _is_iteration(does: Array, level: Array) -> Array:
    iterations: Array = (does == OPENS) & (level % 2 == 0)
    return iterations
