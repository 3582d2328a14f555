"""The state of any mutable object at any position, rebuilt from images and from the log of writes.

A state holds from one record about an object to the next. An image describes the object at its own position; the first
one also describes it before, since it is taken before the first write. A later image may have been taken after code
that is not recorded changed the object, so it says nothing about the time before it. Rebuilding starts at the last
image before the position and caches every rebuilt state, so that walking through all states of an object costs in
proportion to its records.
"""

from bisect import bisect_right
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
from attrs import frozen

from adebug_lsp.languages.python.reading.heap.apply_record import (
    Attributes,
    Bytes,
    CannotApply,
    Draft,
    Part,
    Sequence,
    has_effect_in_other_records,
)
from adebug_lsp.languages.python.reading.heap.keys import Keys, OwnEquality
from adebug_lsp.languages.python.reading.heap.tables import Table
from adebug_lsp.languages.python.reading.marker_index import Array, places
from adebug_lsp.languages.python.reading.recorded_values import Atom, Object, TupleLike, TypeInfo, Values
from adebug_lsp.languages.python.reading.recording_file import LateImages
from adebug_lsp.languages.python.recorder.contract import (
    BORN,
    CALL_METHOD,
    DEL_ATTR,
    DEL_ITEM,
    FIRST_VALUE,
    IMAGE_ATTRS,
    IMAGE_BYTES,
    IMAGE_LIST,
    MARKERS,
    SET_ATTR,
    SET_ITEM,
)

_ABOUT_OBJECTS = (*range(IMAGE_LIST, CALL_METHOD + 1), BORN)
_VALUES_OF = {number: MARKERS[number].arity for number in _ABOUT_OBJECTS}
"""Number of values that follow the marker of a record about an object."""
_IS_RECORD = np.isin(np.arange(BORN + 1), _ABOUT_OBJECTS)
_OF_ATTRIBUTES = np.isin(np.arange(BORN + 1), (IMAGE_ATTRS, SET_ATTR, DEL_ATTR))
_MOST_KEPT = 1 << 22
_STEP = 64


@frozen
class Writes:
    """Records about objects from module markers, as columns of equal length.

    Kinds are those of the fixed markers; a key or value that a kind does not have is 0.
    """

    position: Any
    kind: Any
    object: Any
    key: Any
    value: Any


def arguments_at(positions: Array, count: int) -> Array:
    """For the column `Writes.value`: a method's arguments are `count` words from these positions."""
    return -(np.asarray(positions, np.int64) * _MOST_ARGUMENTS + count)


_MOST_ARGUMENTS = 256


@frozen
class Record:
    """One record about an object."""

    position: int
    kind: int
    key: int
    """Key, name, method name, or the tuple of an image; 0 if there is none."""
    value: int


@frozen
class State:
    """The content of an object at one moment."""

    shape: str
    """`sequence`, `mapping`, `set`, `bytes`, or empty for an object that has only attributes."""
    items: tuple[int, ...] = ()
    """Of a sequence or set: numbers of values."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Of a mapping: numbers of key and value."""
    data: bytes = b""
    attributes: tuple[tuple[str, int], ...] = ()
    uncertain: bool = False
    """Whether the content may be wrong: a change could not be followed, or nothing is known."""


class _Need(Exception):  # noqa: N818 - control flow
    """Raised if another part must be rebuilt first."""

    def __init__(self, track: int, index: int) -> None:
        super().__init__()
        self.part = (track, index)


class Heap:
    """The states of all objects at all positions."""

    def __init__(self, words: Array, values: Values, late: LateImages, extra: Writes | None = None) -> None:
        self._words = words
        self._values = values
        self._index(words, late, extra)
        self._keys = Keys(values, self._attributes)
        self._parts: dict[tuple[int, int], Part] = {}
        self._drafts: dict[int, list[tuple[int, Draft]]] = {}
        """For each track, drafts at some rows, in ascending order; the last may be reused and advanced."""
        self._kept = 0

    def state(self, number: int, position: int) -> State:
        """The state of an object after all records before a position."""
        described = self._values.value(number)
        shape = _SHAPES.get(described.type.base, "") if isinstance(described, Object) else ""
        held = self._part(2 * number, position) if shape else Part("")
        named = self._part(2 * number + 1, position)
        has_attributes = isinstance(described, TypeInfo) or (
            isinstance(described, Object) and described.type.attributes
        )
        lost = held is None or (named is None and has_attributes and not shape)
        held, named = held or Part(shape), named or Part("attributes")
        return State(shape, held.items, held.pairs, held.data, named.names, held.uncertain or named.uncertain or lost)

    def records(self, number: int, start: int = 0, stop: int | None = None) -> Iterator[Record]:
        """The records about an object from `start` up to `stop`, in order, without late images."""
        rows: list[int] = []
        for track in (2 * number, 2 * number + 1):
            low, high = self._bounds(track)
            rows += range(low, high)
        for row in sorted(set(rows), key=self._order.__getitem__):
            position, is_record = divmod(int(self._order[row]), 2)
            if is_record and start <= position and (stop is None or position < stop):
                yield Record(position, int(self._kind[row]), int(self._key[row]), int(self._value[row]))

    def changes_before(self, number: int, moment: int, *, of_attributes: bool) -> Iterator[Record]:
        """Records that may have changed an object, from a moment backwards: writes, and all images but the first."""
        low, row, _ = self._row(2 * number + of_attributes, moment)
        for index in range(row - 1, low - 1, -1):
            position, is_record = divmod(int(self._order[index]), 2)
            kind = int(self._kind[index])
            if is_record and kind != BORN and (kind > IMAGE_BYTES or index > low):
                yield Record(position, kind, int(self._key[index]), int(self._value[index]))

    def method_arguments(self, record: Record) -> tuple[int, ...]:
        """The arguments of a method that changed an object; empty if they are not recorded."""
        try:
            return self._arguments(record.value) if record.kind == CALL_METHOD else ()
        except CannotApply:
            return ()

    def written(self, first: int, last: int) -> set[int]:
        """The objects written to between two positions."""
        position = self._order >> 1
        writes = (self._kind > IMAGE_BYTES) & (self._kind != BORN)
        numbers = self._track[writes & (position >= first) & (position <= last)] >> 1
        return set(numbers.tolist())

    def touched(self, first: int, last: int) -> tuple[Any, Any]:
        """The records about objects between two positions: their positions, in order, and the objects."""
        position = self._order >> 1
        rows = np.flatnonzero((self._order & 1 == 1) & (position >= first) & (position <= last))
        rows = rows[np.argsort(position[rows], kind="stable")]
        return position[rows], self._track[rows] >> 1

    def describe(self, number: int) -> Any:
        """The value with this number."""
        return self._values.value(number)

    def make(self, value: str | int | None) -> int:
        """Return a number for an atom that is on no tape."""
        return self._values.make(value)

    def key(self, number: int, position: int) -> Hashable:
        """The key of a value in a table; raises `_Need` while a table is rebuilt."""
        return self._keys.key(number, position)

    def is_same_key(self, left: int, right: int, position: int) -> bool:
        """Whether two values are the same key of a table; objects with an `__eq__` of their own only by identity."""
        if left == right:
            return True
        first, second = (self._complete_key(number, position) for number in (left, right))
        return first is not None and first == second

    def _complete_key(self, number: int, position: int) -> Hashable | None:
        """The key of a value, after the states that it depends on have been rebuilt; None if it has none."""
        missing: tuple[int, int] | None = None
        while missing is None or self._part(missing[0], position) is not None:
            try:
                return self._keys.key(number, position)
            except OwnEquality:  # noqa: PERF203 - at most once for each part
                return None
            except _Need as need:
                if need.part == missing:
                    return None
                missing = need.part
        return None

    def content(self, number: int, position: int) -> Part | None:
        """The state of a container, for a draft that is being rebuilt."""
        return self._needed(2 * number, position)

    def _attributes(self, number: int, position: int) -> dict[str, int]:
        draft = self._needed(2 * number + 1, position)
        return dict(draft.names) if draft is not None and not draft.uncertain else {}

    # The index: all records about objects, by track (object and content, or object and attributes) and then by order.

    def _index(self, words: Array, late: LateImages, extra: Writes | None) -> None:
        """Sort the records by track, so that those of one object are adjacent."""
        columns = [_of_tape(words), _of_images(late)]
        if extra is not None:
            position = np.asarray(extra.position, np.int64)
            columns.append((2 * position + 1, extra.kind, extra.object, extra.key, extra.value))
        order, kind, o, key, value = (np.concatenate(column) for column in zip(*columns, strict=True))
        kind, o = kind.astype(np.uint8), o.astype(np.int64)
        good = (kind <= BORN) & _IS_RECORD[np.minimum(kind, BORN)] & (o >= FIRST_VALUE) & (o < self._values.end)
        order, kind, o, key, value = (column[good] for column in (order, kind, o, key, value))
        born = kind == BORN
        track = np.concatenate((2 * o + _OF_ATTRIBUTES[kind], 2 * o[born] + 1))
        rows = np.concatenate((np.arange(len(o)), np.flatnonzero(born)))
        rows = rows[np.lexsort((order[rows], track))]
        self._track = np.sort(track)
        self._order, self._kind = order[rows], kind[rows]
        self._key, self._value = key[rows].astype(np.int64), value[rows].astype(np.int64)
        anchor = (self._kind <= IMAGE_BYTES) | (self._kind == BORN)
        self._anchor = np.maximum.accumulate(np.where(anchor, np.arange(len(rows)), -1)) if len(rows) else rows
        """For each row, the last image or birth up to it, possibly of another track."""

    def _bounds(self, track: int) -> tuple[int, int]:
        return int(np.searchsorted(self._track, track, "left")), int(np.searchsorted(self._track, track, "right"))

    def _row(self, track: int, position: int) -> tuple[int, int, int]:
        """First row of a track, the row after the last record before a position, and the row after the last of all."""
        low, high = self._bounds(track)
        return low, low + int(np.searchsorted(self._order[low:high], 2 * position + 1, "left")), high

    # Rebuilding. An index is a row: the part at index i is the result of the track's rows before i.

    def _part(self, track: int, position: int) -> Part | None:
        """The cached state of a track at a position."""
        low, row, high = self._row(track, position)
        if low == high:
            return None
        if self._kept > _MOST_KEPT:
            self._drafts, self._parts, self._kept = {}, {}, 0
        waiting = [(track, row)]
        begun = set(waiting)
        while waiting:
            missing = self._build(*waiting[-1])
            if missing is None:
                waiting.pop()
            elif missing in begun:  # only a forged file can have this
                return None
            else:
                waiting.append(missing)
                begun.add(missing)
        return self._parts[track, row]

    def _needed(self, track: int, position: int) -> Part | None:
        low, row, high = self._row(track, position)
        if low == high:
            return None
        if (track, row) not in self._parts:
            raise _Need(track, row)
        return self._parts[track, row]

    def _build(self, track: int, row: int) -> tuple[int, int] | None:
        """Build the part at a row; raises `_Need` if another part must be built first."""
        if (track, row) in self._parts:
            return None
        low, high = self._bounds(track)
        try:
            draft = self._replay(track, low, row)
            if draft is None and row < high and self._kind[row] <= IMAGE_BYTES:
                draft = self._start(track, row)
        except _Need as need:
            return need.part
        self._parts[track, row] = Part("", uncertain=True) if draft is None else draft.freeze()
        self._kept += 1 + (0 if draft is None else draft.size())
        return None

    def _replay(self, track: int, low: int, row: int) -> Draft | None:
        """The draft at a row, rebuilt from the nearest known state before it."""
        anchor = int(self._anchor[row - 1]) if row > low else -1
        if anchor < low:
            return None
        current, draft = self._nearest(track, anchor, row)
        if draft is None:
            current, draft = anchor + 1, self._start(track, anchor)
        since = 0
        try:
            while current < row:
                self._apply(draft, current)
                current += 1
                since += 1
                if since > max(_STEP, draft.size()):
                    self._keep(track, current, draft.copy())
                    since = 0
        finally:
            self._keep(track, current, draft)
        return draft

    def _nearest(self, track: int, anchor: int, row: int) -> tuple[int, Draft | None]:
        """The nearest rebuilt state before a row: its row, and the draft."""
        drafts = self._drafts.get(track, [])
        index = bisect_right(drafts, row, key=_row_of) - 1
        if index < 0 or drafts[index][0] <= anchor:
            return 0, None
        start, draft = drafts[index]
        if index == len(drafts) - 1 and start < row:
            drafts.pop()
            return start, draft
        return start, draft.copy()

    def _keep(self, track: int, row: int, draft: Draft) -> None:
        drafts = self._drafts.setdefault(track, [])
        index = bisect_right(drafts, row, key=_row_of)
        if index == 0 or drafts[index - 1][0] != row:
            drafts.insert(index, (row, draft))
            self._kept += 1 + draft.size()

    def _start(self, track: int, row: int) -> Draft:
        """The state that an image or a birth describes."""
        number, position, kind = track // 2, int(self._order[row]) // 2, int(self._kind[row])
        if track % 2:
            names = self._values.items(int(self._key[row])) if kind != BORN else ()
            decoded = (self._values.atom(name) for name in names[::2])
            pairs = zip(decoded, names[1::2], strict=False)
            return Attributes(names={name: value for name, value in pairs if isinstance(name, str)})
        items = self._values.items(int(self._key[row])) if kind != BORN else ()
        return self._start_content(number, position, items)

    def _start_content(self, number: int, position: int, items: tuple[int, ...]) -> Draft:
        """The draft that begins with the content of an image."""
        described = self._values.value(number)
        kind, extra = (described.type, described.extra) if isinstance(described, Object) else (TypeInfo("", ""), None)
        if kind.base in ("list", "deque"):
            most = self._values.atom(extra) if kind.base == "deque" and extra else None
            return Sequence(items=list(items), most=most if isinstance(most, int) else None)
        if kind.base == "bytearray":
            data = self._values.atom(items[0]) if items else b""
            return Bytes(data=bytearray(data if isinstance(data, bytes) else b""))
        if kind.base == "set":
            table = Table(kind="set")
            table.fill(self, position, zip(items, items, strict=True))
            return table
        counter = "collections.Counter" in (kind.full_name, *kind.bases)
        table = Table(kind="counter" if counter else "ordered" if kind.base == "ordered" else "dict")
        table.fill(self, position, zip(items[::2], items[1::2], strict=False))
        return table

    def _arguments(self, value: int) -> tuple[int, ...]:
        """The arguments of a method: a tuple value, or words on the tape."""
        if value < 0:
            start, count = divmod(-value, _MOST_ARGUMENTS)
            return tuple(self._words[start : start + count].tolist())
        arguments = self._values.value(value)
        if not isinstance(arguments, TupleLike):
            raise CannotApply
        return arguments.items

    def _apply(self, draft: Draft, row: int) -> None:
        """Apply a record to a draft; images take effect only through their anchor."""
        position, kind = int(self._order[row]) // 2, int(self._kind[row])
        key, value = int(self._key[row]), int(self._value[row])
        try:
            if kind in (SET_ITEM, SET_ATTR):
                draft.set_item(self, position, key, value)
            elif kind in (DEL_ITEM, DEL_ATTR):
                draft.del_item(self, position, key)
            else:
                name = self._values.value(key)
                if not isinstance(name, Atom):
                    raise CannotApply
                arguments = self._arguments(value)
                if not has_effect_in_other_records(self, str(name.value), arguments):
                    draft.call(self, position, str(name.value), arguments)
        except CannotApply:
            draft.certain = False


_SHAPES = {
    "list": "sequence",
    "deque": "sequence",
    "dict": "mapping",
    "ordered": "mapping",
    "set": "set",
    "bytearray": "bytes",
}


def _row_of(kept: tuple[int, Draft]) -> int:
    return kept[0]


def _of_tape(words: Array) -> tuple[Any, ...]:
    """Columns of the records on the tapes: order, kind, object, key and value."""
    positions = places(words, _IS_RECORD)
    kinds = words[positions]
    follow = np.array([_VALUES_OF.get(kind, 1) for kind in range(14)])[kinds]
    whole = positions + follow < len(words)
    positions, kinds, follow = positions[whole], kinds[whole], follow[whole]
    columns = [np.where(follow >= n, words[np.minimum(positions + n, len(words) - 1)], 0) for n in (1, 2, 3)]
    good = np.ones(len(positions), bool)
    for n, column in enumerate(columns, 1):
        good &= (follow < n) | (column >= FIRST_VALUE)
    return (2 * positions[good] + 1, kinds[good], *(column[good] for column in columns))


def _of_images(late: LateImages) -> tuple[Any, ...]:
    return (2 * late.position, late.kind, late.object, late.content, np.zeros(len(late.content), np.uint32))
