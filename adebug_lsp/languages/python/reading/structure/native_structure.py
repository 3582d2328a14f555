"""The spans of a run that nests properly in time, from one pass over its words in C."""

from array import array

import numpy as np

from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.reading.structure.event_nesting import BEGINS, OPENS
from adebug_lsp.languages.python.reading.structure.run_structure import KINDS
from adebug_lsp.languages.python.reading.structure.span_events import Table
from adebug_lsp.languages.python.reading.structure.spans import Spans
from adebug_lsp.languages.python.recorder.contract import TEST_BEGIN
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.native.shared_library import address, column, int64, library

_TABLE = {"does": "u1", "raised": "u1", "returns": "u1", "level": "i2", "node": "i4", "routine": "i4", "arity": "i8"}
_NO_MEMORY = -2
_MADE = ("parent", "kind", "routine", "node", "first", "last", "flags", "activation")


def native_spans(words: Array, table: Table, spans: Spans, coarse: int) -> Array | None:
    """Fill the columns of `spans`, and return the number of spans in each subtree; None if the run is not nested.

    Loops and iterations are left out from the position `coarse` on.
    """
    routines = table.routine[table.does == BEGINS]
    if len(routines) and not 0 <= routines.min() <= routines.max() < len(spans.routines):
        return None  # a forged recording: C checks no index
    begins = column((table.does == BEGINS) | (table.does == OPENS), "u1")
    room = library.adebug_places(address(words), int64(len(words)), address(begins), len(begins), 0, None)
    facts = [column(getattr(table, name), kind) for name, kind in _TABLE.items()]
    kinds = np.array([KINDS[routine.kind] for routine in spans.routines], np.int8)
    columns = {name: _zeros(getattr(spans, name), room) for name in (*_MADE, "flow")}
    sizes = np.zeros(room, np.int32)
    count = library.adebug_spans(
        address(words), int64(len(words)), len(table.does), *map(address, facts), int64(coarse), TEST_BEGIN,
        address(kinds), int(NodeKind.LOOP), int(NodeKind.ITERATION), int64(room),
        *(address(np.frombuffer(columns[name], np.uint8)) for name in _MADE), address(sizes),
    )  # fmt: skip
    if count == _NO_MEMORY:
        raise MemoryError
    if count < 0:
        return None
    for name, filled in columns.items():
        del filled[count:]
        setattr(spans, name, filled)
    return sizes[:count]


def _zeros(like: "array[int]", count: int) -> "array[int]":
    """A column of zeros, which C fills in place, because copying it would take memory."""
    return array(like.typecode, bytes(like.itemsize)) * count
