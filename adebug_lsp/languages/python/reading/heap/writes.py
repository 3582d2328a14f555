"""Heap writes in records of the program's own code, as columns for the heap.

The marker has the name or method as a static fact; objects, keys and values are slots of the record.
"""

from typing import Any

import numpy as np

from adebug_lsp.languages.python.reading.grouping import grouped_places
from adebug_lsp.languages.python.reading.heap.object_states import Writes, arguments_at
from adebug_lsp.languages.python.reading.marker_index import Array, flags, places
from adebug_lsp.languages.python.reading.recorded_values import Described, Object, Values
from adebug_lsp.languages.python.reading.structure.run_structure import Program
from adebug_lsp.languages.python.recorder.contract import (
    BORN,
    CALL_METHOD,
    DEL_ATTR,
    DEL_ITEM,
    FIRST_VALUE,
    SET_ATTR,
    SET_ITEM,
    WRITES,
)


def heap_writes(program: Program, words: Array, values: Values) -> Writes:
    """All heap writes in module records, in no particular order."""
    columns: list[tuple[Any, ...]] = [_births(program, words)]
    writing = [number for number, marker in program.markers.items() if marker.writes]
    for number, starts in grouped_places(words, writing).items():
        marker = program.markers[number]
        positions = whole(words, starts, len(marker.slots))
        columns += [_column(words, positions, write, values) for write in marker.writes]
    position, kinds, objects, keys, written = (np.concatenate(column) for column in zip(*columns, strict=True))
    exact = _have_known_effect(kinds, objects, keys, values)
    return Writes(position[exact], kinds[exact], objects[exact], keys[exact], written[exact])


def _have_known_effect(kinds: Array, objects: Array, keys: Array, values: Values) -> Array:
    """A mask of the writes with the builtin effect; writes that run code of a class have records of their own."""
    numbers, places = np.unique(objects, return_inverse=True)
    described = [values.value(int(number)) for number in numbers]
    exact = np.fromiter(map(_is_exact, described), bool, len(numbers))[places]
    computes = np.fromiter((bool(_computed(value)) for value in described), bool, len(numbers))[places]
    known = exact | ~np.isin(kinds, (SET_ITEM, DEL_ITEM, CALL_METHOD))
    for row in np.flatnonzero(computes & np.isin(kinds, (SET_ATTR, DEL_ATTR))):
        computed = _computed(described[places[row]])
        known[row] = "*" not in computed and values.atom(int(keys[row])) not in computed
    return known


def _is_exact(described: Described) -> bool:
    """Whether an object is a builtin container; a class that derives from one may override its methods."""
    return isinstance(described, Object) and described.type.full_name in _EXACT


def _computed(described: Described) -> frozenset[str]:
    return described.type.computed if isinstance(described, Object) else frozenset()


_EXACT = frozenset(
    [
        *("list", "dict", "set", "bytearray", "collections.deque"),
        *("collections.defaultdict", "collections.OrderedDict", "collections.Counter"),
    ]
)


def whole(words: Array, positions: Array, count: int) -> Array:
    """The positions of complete records; an interruption can come between two words."""
    positions = positions[positions + count < len(words)]
    for offset in range(1, count + 1):
        positions = positions[words[positions + offset] >= FIRST_VALUE]
    return positions


def _column(words: Array, positions: Array, write: tuple[Any, ...], values: Values) -> tuple[Any, ...]:
    """The columns of all writes with one marker."""
    kind, key, owner, value = write
    count = len(positions)
    objects = words[positions + 1 + owner].astype(np.int64)
    if kind in ("set_item", "del_item"):
        keys = words[positions + 1 + key].astype(np.int64)
    else:
        keys = np.full(count, values.make(key), np.int64)
    if kind == "call":
        written = arguments_at(positions + 2 + owner, len(value))
    elif value is None:
        written = np.zeros(count, np.int64)
    else:
        written = words[positions + 1 + value].astype(np.int64)
    return positions, np.full(count, WRITES[kind], np.uint8), objects, keys, written


def _births(program: Program, words: Array) -> tuple[Any, ...]:
    """The births of objects: the starts of their first `__init__`."""
    makers = [
        number
        for number, marker in program.markers.items()
        if marker.kind == "enter" and marker.module.routines[marker.routine].name == "__init__" and marker.stores
    ]
    positions = whole(words, places(words, flags(makers)), 1)
    objects, first = np.unique(words[positions + 1], return_index=True)
    begins = positions[first]
    none = np.zeros(len(begins), np.int64)
    return begins, np.full(len(begins), BORN, np.uint8), objects.astype(np.int64), none, none
