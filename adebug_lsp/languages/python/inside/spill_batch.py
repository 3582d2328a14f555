"""The words of a tape and the values that they bring: sorted by kind, numbered, and laid out in columns.

All is done in bulk, by functions of C over whole lists: a Python statement per word would cost more than recording it.
Numbers and truth values on a tape go straight into columns; whatever has an identity worth knowing gets a number by it.
"""

import json
import sys
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, compress
from typing import Any

from .frozen import kept as __builtins__  # type: ignore[no-redef]  # noqa: F401
from .spill_look import (
    BIG_INT,
    BYTES,
    COMPLEX,
    INT,
    MARKER,
    OBJECT,
    OPAQUE,
    PARTS,
    SINGLE,
    STR,
    TAGS,
    TUPLE,
    TYPE,
    Look,
    describe_type,
)
from .spill_sort import OWN, SHOWING_CODES, Sorter, planes, words_of

FIRST_VALUE = 1 << 24
LAST_VALUE = (1 << 32) - 1
SINGLES = (None, False, True, Ellipsis, NotImplemented)
FOREVER = (*SINGLES, *range(-5, 257), "", *map(chr, range(128)))
"""The first values of every recording: those that Python itself keeps forever."""

_SINGLE_CODES = {id(single): code for code, single in enumerate(SINGLES)}
_KEPT = (OBJECT, OPAQUE, TYPE)
"""Kinds whose values keep their numbers for as long as they live."""
_SWAP = sys.byteorder == "big"


class Full(Exception):  # noqa: N818 - it is a state of the file, not a fault
    """There are no numbers left for further values; what was written stays usable."""


class Looks(dict[int, Look]):
    """What is known about each class, by its identity."""

    def __init__(self, is_mine: Callable[[str], bool]) -> None:
        super().__init__()
        self.is_mine = is_mine
        self.kinds: dict[int, int] = {}
        """The kind of value, for the same classes."""

    def of(self, cls: type) -> Look:
        """What is known about a class; the entry keeps the class alive, so that its identity stays its own."""
        found = self.get(id(cls))
        if found is None:
            found = self[id(cls)] = Look(cls, self.is_mine)
            # An int that is no word of a column is too large for one. A marker can be in the constants of a function.
            self.kinds[id(cls)] = {INT: BIG_INT, MARKER: OPAQUE}.get(MARKER if id(cls) in OWN else found.tag, found.tag)
        return found

    def kinds_of(self, values: list[Any]) -> bytes:
        """The kinds of values."""
        try:
            return bytes(map(self.kinds.__getitem__, map(id, map(type, values))))
        except KeyError:  # some are of a new class
            for cls in dict(zip(map(id, map(type, values)), map(type, values))).values():  # noqa: B905 - of one list
                self.of(cls)
            return self.kinds_of(values)

    def parts_of(self, values: list[Any], kinds: bytes) -> list[tuple[Any, ...]]:
        """What those of the values consist of that consist of others; a tuple is its own parts."""
        mask = kinds.translate(_HAS_PARTS)
        return [
            o if kind == TUPLE else (look := self[id(type(o))]).alone or look.apart(o)
            for o, kind in zip(compress(values, mask), compress(kinds, mask))  # noqa: B905 - the mask is the same
        ]


_HAS_PARTS = bytes(kind in PARTS for kind in range(256))


class Words:
    """Words one after the other as columns: what each is, the numbers, the markers, and the numbers of other values."""

    def __init__(self, sorter: Sorter) -> None:
        self.ints, self.floats = array("q"), array("d")
        """What stands here and nowhere else; truth values are among the ints."""
        self.markers, self.numbers = array("I"), array("I")
        self._sorter = sorter
        self._codes: list[bytes] = []

    def take(self, words: list[Any], start: int, stop: int, *, is_tape: bool) -> tuple[bytes, list[Any], list[Any]]:
        """Take a slice of words; gives what each is, and the markers and others whose numbers the caller adds."""
        codes, ints, floats, markers, others = self._sorter.sort(words, start, stop, is_tape=is_tape)
        self._codes.append(codes)
        self.ints.frombytes(ints)
        self.floats.frombytes(floats)
        return codes, markers, others

    def columns(self, first_int: int, first_float: int) -> list[bytes]:
        """The columns, in the order of the file."""
        codes = b"".join(self._codes)
        return [packed("I", [first_int, first_float]), codes, _planes(self.markers), _planes(self.numbers)]


class Batch:
    """New values: those that nothing in `known` has a number for. They are in there until they are forgotten."""

    def __init__(self, looks: Looks, sorter: Sorter, known: dict[int, int], far: dict[int, int], first: int) -> None:
        self.known = known
        self.far = far
        """Numbers of objects that were met before and not looked at."""
        self.again: list[Any] = []
        """Those of them that were met again."""
        self.first = self.next = first
        self.owners: list[list[Any]] = [[] for _ in range(TAGS)]
        self._looks = looks
        self._sorter = sorter
        self._kinds: list[bytes] = []
        """The kinds of the values, in the order of their numbers."""
        self._waiting: list[Any] = []
        """Values that have a number and were not looked at."""
        self._parts = Words(sorter)
        """Of all values that consist of others, one after the other."""
        self._lengths = array("I")
        self._listed = array("I")
        """The numbers of the values."""

    def numbers_of(self, values: list[Any]) -> "array[int]":
        """The numbers of values; those that have none get one. A value may be there several times."""
        first = self._advance(len(values))
        raw, new, fresh = self._sorter.number(values, self.known, first)
        numbers = array("I", raw)
        if not new:
            self.next = first
            return numbers
        if self.far and not self.far.keys().isdisjoint(map(id, fresh)):
            new, fresh = self._without_far(new, fresh)
            numbers = array("I", list(map(self.known.__getitem__, map(id, values))))
        self._listed.fromlist(new)
        self._waiting += fresh
        return numbers

    def _without_far(self, new: list[int], fresh: list[Any]) -> tuple[list[int], list[Any]]:
        """Those that are really new; objects that were far away get their old numbers back."""
        found = [value for value in fresh if id(value) in self.far]
        self.again += found
        self.known.update((id(value), self.far.pop(id(value))) for value in found)
        is_new = [self.known[id(value)] == number for number, value in zip(new, fresh)]  # noqa: B905
        return list(compress(new, is_new)), list(compress(fresh, is_new))

    def _advance(self, by: int) -> int:
        first = self.next
        self.next += by
        if self.next > LAST_VALUE:
            raise Full("the recording is full: it has no numbers left for further values")
        return first

    def settle(self) -> None:
        """Look at all values that have a number, and number what they consist of."""
        while self._waiting:
            fresh, self._waiting = self._waiting, []
            kinds = self._looks.kinds_of(fresh)
            self._kinds.append(kinds)
            for kind in set(kinds):
                self.owners[kind] += words_of(fresh, kinds, kind)
            parts = self._looks.parts_of(fresh, kinds)
            self._lengths.extend(map(len, parts))
            words = list(chain.from_iterable(parts))
            _codes, _markers, others = self._parts.take(words, 0, len(words), is_tape=False)
            self._parts.numbers += self.numbers_of(others)

    def add(self, values: list[Any]) -> None:
        """Number the values that are new, and all that their immutable parts are."""
        self.numbers_of(values)
        self.settle()

    def finish(self, tape: Words | None = None) -> tuple[list[bytes], list[bytes]]:
        """Number what stands in columns of its own; gives the content of a segment of values, and that of a tape."""
        self.settle()
        parts = self._parts
        tape = tape or Words(self._sorter)
        ints, floats = parts.ints + tape.ints, parts.floats + tape.floats
        first_int, first_float = self._advance(len(ints)), self._advance(len(floats))
        columns = [*self._columns(), _planes(ints), _planes(floats)]
        columns += [_planes(self._lengths), b"".join(parts.columns(first_int, first_float))]
        sizes = packed("Q", map(len, columns))
        head = packed("I", [self.first, len(self._listed), first_int, len(ints), len(floats), len(columns)])
        of_tape = tape.columns(first_int + len(parts.ints), first_float + len(parts.floats))
        return [head, sizes, *columns], of_tape

    def _columns(self) -> list[bytes]:
        """The numbers and kinds, and for each kind of atom and for classes their columns."""
        owners = self.owners
        return [
            _planes(self._listed),
            b"".join(self._kinds),
            bytes([_SINGLE_CODES[id(one)] for one in owners[SINGLE]]),
            *_texts([hex(one).encode("ascii") for one in owners[BIG_INT]]),
            _planes(array("d", chain.from_iterable((one.real, one.imag) for one in owners[COMPLEX]))),
            _lengths(owners[STR]),
            "".join(owners[STR]).encode("utf-8", "surrogatepass"),
            *_texts(owners[BYTES]),
            *_texts([json.dumps(describe_type(self._looks.of(cls))).encode("ascii") for cls in owners[TYPE]]),
        ]

    def forget(self) -> None:
        """Take the values without an identity of their own out of what is known: they may die now."""
        for kind in range(TAGS):
            if kind not in _KEPT:
                deque(map(self.known.__delitem__, map(id, self.owners[kind])), 0)


class Tape:
    """A stretch of a tape, as words and the values that are new in it."""

    def __init__(self, sorter: Sorter, batch: Batch) -> None:
        self.words = Words(sorter)
        self._sorter = sorter
        self._batch = batch

    def add(self, chunk: list[Any], start: int, stop: int) -> set[int]:
        """Take a slice of a chunk; gives the identities of objects whose content a record there shows."""
        codes, markers, others = self.words.take(chunk, start, stop, is_tape=True)
        if others:
            self.words.numbers += self._batch.numbers_of(others)
        if markers:
            self.words.markers.fromlist(list(map(self._sorter.markers.__getitem__, markers)))
        return _shown(chunk, start, codes)


def _shown(chunk: list[Any], start: int, codes: bytes) -> set[int]:
    """The identities of the objects after markers of image and birth records; an interruption may have cut the last."""
    found: set[int] = set()
    for code in SHOWING_CODES:
        if code in codes:
            after = chunk[start + 1 : start + len(codes) + 1]
            found.update(map(id, words_of(after, codes[: len(after)], code)))
    return found


def packed(code: str, values: Iterable[Any]) -> bytes:
    """Numbers as little-endian bytes."""
    column = array(code, values)
    if _SWAP:
        column.byteswap()
    return column.tobytes()


def _planes(column: "array[Any]") -> bytes:
    if _SWAP:
        column = column[:]
        column.byteswap()
    return planes(column.tobytes(), column.itemsize)


def _lengths(values: Sequence[Any]) -> bytes:
    return _planes(array("I", map(len, values)))


def _texts(texts: list[bytes]) -> list[bytes]:
    return [_lengths(texts), b"".join(texts)]
