"""The words of a tape and their new values: sorted by kind, numbered, and laid out in columns.

Everything is done in bulk, by C functions over whole lists: a Python statement per word would be too slow.
Ints, floats and bools on a tape go straight into columns; values with an identity are numbered by it.
"""

import json
import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, compress
from typing import TYPE_CHECKING, Any

from ..contract import (
    BIG_INT,
    BYTES,
    COMPLEX,
    COMPOSITE,
    INT,
    LAST_VALUE,
    OBJECT,
    OPAQUE,
    SINGLE,
    SINGLES,
    STR,
    TUPLE,
    TYPE,
    VALUE_KINDS,
    WORD_OTHER,
)
from ..native.loader import accelerator
from ..observe.object_inspector import MARKER, Inspector, describe_type
from .numbering import OWN, Numbering, Registry, Taken, planes, words_of

if TYPE_CHECKING:
    from ..native._accelerator import NativeTape

_SINGLE_CODES = {id(single): code for code, single in enumerate(SINGLES)}
_KEPT = (OBJECT, OPAQUE, TYPE)
"""Kinds whose values keep their numbers as long as they live."""
LONG = 1 << 12
"""Length from which a string, bytes or tuple also keeps its number, so that it is not written repeatedly."""
_SWAP = sys.byteorder == "big"


class Full(Exception):  # noqa: N818 - it is a state of the file, not a fault
    """The numbers for values are used up; the recording so far stays usable."""


def _same(value: object) -> Any:
    return value


class Inspectors(dict[int, Inspector]):
    """The inspectors of classes, by the identity of the class."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        super().__init__()
        self.is_user_code = is_user_code
        self.kinds: dict[int, int] = {}
        """Kinds of values, by the same identities."""
        self.born: set[int] = set()
        """Classes whose objects are empty at the start of their `__init__`."""
        self.held: Callable[[Any], Any] = _same
        """Returns what the recording holds in place of a value; see `stand_ins.py`."""
        self.plain: dict[int, type] = {}
        """The classes of values that are held themselves."""
        self.large: set[int] = set()
        """Classes whose objects can be large buffers."""

    def of(self, cls: type) -> Inspector:
        """The inspector of a class, which keeps the class alive, so that its identity is not reused."""
        inspector = self.get(id(cls))
        if inspector is None:
            inspector = self[id(cls)] = Inspector(cls, self.is_user_code)
            # An int here is too large for a column. A marker can be among the constants of a function.
            self.kinds[id(cls)] = {INT: BIG_INT, MARKER: OPAQUE}.get(
                MARKER if id(cls) in OWN else inspector.tag, inspector.tag
            )
            if inspector.is_born():
                self.born.add(id(cls))
            if inspector.array or inspector.frame or inspector.container == "bytearray":
                self.large.add(id(cls))
        return inspector

    def kinds_of(self, values: list[Any]) -> bytes:
        """The kinds of values."""
        try:
            return bytes(map(self.kinds.__getitem__, map(id, map(type, values))))
        except KeyError:  # some are of a new class
            for cls in dict(zip(map(id, map(type, values)), map(type, values))).values():  # noqa: B905 - of one list
                self.of(cls)
            return self.kinds_of(values)

    def parts_of(self, values: list[Any], kinds: bytes) -> list[tuple[Any, ...]]:
        """The parts of each composite value; a tuple is its own parts."""
        mask = kinds.translate(_HAS_PARTS)
        return [
            o if kind == TUPLE else self[id(type(o))].apart(o)
            for o, kind in zip(compress(values, mask), compress(kinds, mask))  # noqa: B905 - the mask is the same
        ]


_HAS_PARTS = bytes(kind in COMPOSITE for kind in range(256))


class Words:
    """A sequence of words as columns: their codes, ints and floats, markers, and the numbers of other values."""

    def __init__(self, numbering: Numbering) -> None:
        self.ints: list[bytes] = []
        self.floats: list[bytes] = []
        """Values stored only in these columns; bools are among the ints."""
        self.markers = array("I")
        self.numbers: list[bytes] = []
        self._numbering = numbering
        self._codes: list[bytes] = []

    def add(self, codes: bytes, ints: bytes, floats: bytes, numbers: bytes, markers: bytes) -> None:
        """Add a slice of words."""
        self._codes.append(codes)
        self.ints.append(ints)
        self.floats.append(floats)
        self.numbers.append(numbers)
        self.markers.frombytes(markers)

    def columns(self, first_int: int, first_float: int) -> list[bytes]:
        """The columns, in the order of the file."""
        firsts = packed("I", [first_int, first_float])
        return [firsts, *self._codes, _planes(self.markers.tobytes(), "I"), _planes(b"".join(self.numbers), "I")]


class Batch:
    """New values, which are not in `known` yet; they keep their numbers there until `forget`."""

    def __init__(
        self, inspectors: Inspectors, numbering: Numbering, known: Registry, far: dict[int, int], first: int
    ) -> None:
        self.known = known
        self.far = far
        """Numbers of objects that occurred before and were not inspected."""
        self.again: list[Any] = []
        """Objects of `far` that occurred again."""
        self.first = self.next = first
        self.owners: list[list[Any]] = [[] for _ in range(len(VALUE_KINDS))]
        self._inspectors = inspectors
        self._numbering = numbering
        self._kinds: list[bytes] = []
        """The kinds of the values, in the order of their numbers."""
        self._waiting: list[Any] = []
        """Numbered values that are not inspected yet."""
        self._parts = Words(numbering)
        """The parts of all composite values, concatenated."""
        self._lengths: list[bytes] = []
        self._listed: list[bytes] = []
        """The numbers of the values."""

    def numbers_of(self, values: list[Any]) -> bytes:
        """The numbers of values; new values get one. A value may occur several times."""
        first = self._first(len(values))
        numbers, new, fresh = self._numbering.number(values, self.known, first)
        return self.look_up(values) if self._add_new(len(values), new, fresh) else numbers

    def take(self, to: Words, words: list[Any], start: int, stop: int, *, is_tape: bool) -> tuple[list[Any], list[Any]]:
        """Process a slice of words; returns the objects whose content a record shows, and the newly created ones."""
        first = self._first(stop - start)
        codes, ints, floats, markers, numbers, new, fresh, shown, born = self._numbering.take(
            words, start, stop, self.known, first, is_tape=is_tape
        )
        met = self._add_new(len(numbers) // 4, new, fresh)
        if met:
            numbers = self.look_up(words_of(words[start:stop], codes, WORD_OTHER))
            born = [o for o in born if id(o) not in met]
        to.add(codes, ints, floats, numbers, self._numbering.of_markers(markers) if markers else b"")
        return shown, born

    def take_tape(self, to: Words, tape: "NativeTape") -> tuple[list[Any], list[Any]]:
        """Like `take`, for a whole native tape."""
        first = self._first(len(tape))
        taken: Taken = accelerator.take_tape(tape, self.known, first)
        codes, ints, floats, markers, numbers, new, fresh, shown, born = taken
        met = self._add_new(len(numbers) // 4, new, fresh)
        if met:
            numbers = self.look_up(tape.held(0))
            born = [o for o in born if id(o) not in met]
        to.add(codes, ints, floats, numbers, markers)
        return shown, born

    def _add_new(self, count: int, new: bytes, fresh: list[Any]) -> set[int]:
        """Add the new ones among `count` values. Returns the identities of those that were not inspected before."""
        if not new:
            return set()
        met: set[int] = set()
        self._advance(count)
        if self.far and not self.far.keys().isdisjoint(map(id, fresh)):
            new, fresh, met = self._without_far(array("I", new), fresh)
        self._listed.append(new)
        self._waiting += fresh
        return met

    def look_up(self, values: list[Any]) -> bytes:
        """The numbers of values that have one."""
        return self._numbering.look_up(values, self.known)

    def _without_far(self, new: "array[int]", fresh: list[Any]) -> tuple[bytes, list[Any], set[int]]:
        """The values that are really new; objects that were not inspected before get their old numbers back."""
        returned = [value for value in fresh if id(value) in self.far]
        self.again += returned
        for i in map(id, returned):
            self.known[i] = self.far.pop(i)
        is_new = [self.known[id(value)] == number for number, value in zip(new, fresh)]  # noqa: B905
        return array("I", compress(new, is_new)).tobytes(), list(compress(fresh, is_new)), set(map(id, returned))

    def _first(self, count: int) -> int:
        """Reserve `count` numbers and return the first; raises `Full`."""
        if self.next + count > LAST_VALUE:
            raise Full("the recording is full: it has no numbers left for further values")
        return self.next

    def _advance(self, by: int) -> int:
        first = self._first(by)
        self.next += by
        return first

    def settle(self) -> None:
        """Inspect all numbered values, and number their parts."""
        while self._waiting:
            fresh, self._waiting = self._waiting, []
            kinds, lengths, words = self._numbering.apart(fresh, self.owners, self._inspectors)
            self._kinds.append(kinds)
            self._lengths.append(lengths)
            self.take(self._parts, words, 0, len(words), is_tape=False)

    def add(self, values: list[Any]) -> None:
        """Number new values and, recursively, their immutable parts."""
        self.numbers_of(values)
        self.settle()

    def finish(self, tape: Words | None = None) -> tuple[list[bytes], list[bytes]]:
        """Number ints and floats; returns the content of a `VALS` segment, and that of a `TAPE` segment."""
        self.settle()
        parts = self._parts
        tape = tape or Words(self._numbering)
        ints, floats = b"".join(parts.ints + tape.ints), b"".join(parts.floats + tape.floats)
        counts = len(ints) // 8, len(floats) // 8
        first_int, first_float = self._advance(counts[0]), self._advance(counts[1])
        listed = b"".join(self._listed)
        columns = [_planes(listed, "I"), *self._columns(), _planes(ints, "q"), _planes(floats, "d")]
        columns += [_planes(b"".join(self._lengths), "I"), b"".join(parts.columns(first_int, first_float))]
        sizes = packed("Q", map(len, columns))
        head = packed("I", [self.first, len(listed) // 4, first_int, *counts, len(columns)])
        of_parts = sum(map(len, parts.ints)) // 8, sum(map(len, parts.floats)) // 8
        return [head, sizes, *columns], tape.columns(first_int + of_parts[0], first_float + of_parts[1])

    def _columns(self) -> list[bytes]:
        """The kinds, and for each kind of atom and for classes their columns."""
        owners = self.owners
        return [
            b"".join(self._kinds),
            bytes([_SINGLE_CODES[id(value)] for value in owners[SINGLE]]),
            *_texts([hex(value).encode("ascii") for value in owners[BIG_INT]]),
            _planes(
                array("d", chain.from_iterable((value.real, value.imag) for value in owners[COMPLEX])).tobytes(), "d"
            ),
            _lengths(owners[STR]),
            "".join(owners[STR]).encode("utf-8", "surrogatepass"),
            *_texts(owners[BYTES]),
            *_texts([json.dumps(describe_type(self._inspectors.of(cls))).encode("ascii") for cls in owners[TYPE]]),
        ]

    def forget(self) -> list[Any]:
        """Drop the numbers of values without identity, which frees them. Returns the long values, which keep theirs.

        A long string that a program iterates over would otherwise be written once per batch.
        """
        kept: list[Any] = []
        for kind in range(len(VALUE_KINDS)):
            short = self.owners[kind]
            if kind in (STR, BYTES, TUPLE) and max(map(len, short), default=0) >= LONG:
                kept += [value for value in short if len(value) >= LONG]
                short = [value for value in short if len(value) < LONG]
            if kind not in _KEPT:
                self._numbering.forget(short, self.known)
        return kept


class Tape:
    """A part of a tape: its words and new values."""

    def __init__(self, numbering: Numbering, batch: Batch) -> None:
        self.words = Words(numbering)
        self.shown: list[Any] = []
        """Objects whose content a record shows."""
        self.born: list[Any] = []
        """Objects whose first occurrence was the start of their `__init__`."""
        self._batch = batch

    def add(self, chunk: list[Any], start: int, stop: int) -> None:
        """Add a slice of a chunk."""
        self._add(*self._batch.take(self.words, chunk, start, stop, is_tape=True))

    def add_native(self, tape: "NativeTape") -> None:
        """Add all words of a native tape."""
        self._add(*self._batch.take_tape(self.words, tape))

    def _add(self, shown: list[Any], born: list[Any]) -> None:
        self.shown += shown
        self.born += born


def packed(code: str, values: Iterable[Any]) -> bytes:
    """Numbers as little-endian bytes."""
    column = array(code, values)
    if _SWAP:
        column.byteswap()
    return column.tobytes()


def _planes(raw: bytes, code: str) -> bytes:
    """The byte planes of numbers in native byte order."""
    column = array(code)
    if _SWAP:
        column.frombytes(raw)
        column.byteswap()
        raw = column.tobytes()
    return planes(raw, column.itemsize)


def _lengths(values: Sequence[Any]) -> bytes:
    return _planes(array("I", map(len, values)).tobytes(), "I")


def _texts(texts: list[bytes]) -> list[bytes]:
    return [_lengths(texts), b"".join(texts)]
