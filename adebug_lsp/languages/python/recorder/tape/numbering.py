"""Classifies the words of a tape, numbers values and decomposes them: the passes over all words.

Everything is done in bulk, by C functions over whole lists: a Python statement per word would be too slow.
`accelerator.c`, if available, does the same in one loop; both must return the same bytes.
"""

import struct
import sys
from array import array
from collections import Counter, deque
from collections.abc import Sequence
from itertools import accumulate, chain, compress, count, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ..contract import (
    BIRTH,
    FIRST_FREQUENT,
    FREQUENT_AFTER,
    MOST_FREQUENT,
    SHOWS,
    VALUE_KINDS,
    WORD_BOOL,
    WORD_FLOAT,
    WORD_INT,
    WORD_MARKER,
    WORD_NONE,
    WORD_OTHER,
)
from ..native.loader import accelerator
from ..observe.images import (
    BORN,
    IMAGE_ATTRS,
    IMAGE_BYTES,
    IMAGE_DEQUE,
    IMAGE_DICT,
    IMAGE_LIST,
    IMAGE_SET,
    Birth,
    Marker,
)
from ..observe.object_inspector import class_dict

if TYPE_CHECKING:
    from .batch import Inspectors

OWN: dict[int, type] = {}
"""The classes of frequent markers, one for each, by identity."""
_SHOWING = (IMAGE_LIST, IMAGE_DICT, IMAGE_SET, IMAGE_ATTRS, IMAGE_DEQUE, IMAGE_BYTES, BORN)
_SHOWING_CODES = range(FIRST_FREQUENT, FIRST_FREQUENT + len(_SHOWING))
"""The codes of markers of records that show the content of an object, assigned from the start."""

_OF_VALUES: dict[type, int] = {type(None): WORD_NONE, bool: WORD_BOOL, int: WORD_INT, float: WORD_FLOAT}
_CODES = {**_OF_VALUES, Marker: WORD_MARKER, Birth: WORD_MARKER}
_OF_NO_OBJECTS = getattr(sys.modules.get("typing"), "_UnionGenericAliasMeta", None)
"""Since 3.14, a metaclass of `typing` that overrides comparison; ignored, because its only class has no instances."""
_MOST_AT_ONCE = 64
_MANY = 1 << 11
_SWAP = sys.byteorder == "big"
_IS = [bytes(code == wanted for code in range(256)) for wanted in range(len(VALUE_KINDS))]
"""For each kind, the translation table that makes its mask."""
_IS_WHOLE = bytes(code in (WORD_BOOL, WORD_INT) for code in range(256))
_WITHOUT_MARKERS = bytes(code if WORD_MARKER < code < FIRST_FREQUENT else WORD_OTHER for code in range(256))

Taken = tuple[bytes, bytes, bytes, Any, bytes, bytes, list[Any], list[Any], list[Any]]
"""The result of sorting a slice of words, in the order of the words: their codes; ints (including bools) and floats, in
64 bits and native byte order; markers without a code of their own (for a native tape their numbers, 32 bits each);
`Numbered` for other values; objects whose content a record shows, even if the slice ends before them; new objects whose
`__init__` starts."""

Numbered = tuple[bytes, bytes, list[Any]]
"""The numbers of values, 32 bits each in native byte order; the new numbers among them; the values with new numbers."""

Parts = tuple[bytes, bytes, list[Any]]
"""The kinds of values; the number of parts of each composite value, 32 bits each; all parts."""

Registry = Any
"""Numbers by the identities of values: a dictionary, or a table of the accelerator with the methods used here."""


class _Numbers(dict[Any, int]):
    """Cache of the numbers of markers."""

    def __missing__(self, marker: Marker) -> int:
        self[marker] = marker.number
        return marker.number


class _ByType(dict[type, int]):
    """Word codes by type, used only while no metaclass defines hashing or comparison of classes."""

    def __missing__(self, cls: type) -> int:
        self[cls] = WORD_MARKER if id(cls) in OWN else WORD_OTHER
        return self[cls]


class _ByIdentity(dict[int, int]):
    """Word codes by the identity of a type. Only types that live forever have a code of their own."""

    def __missing__(self, cls: int) -> int:
        return WORD_MARKER if cls in OWN else WORD_OTHER


class Numbering:
    """Classifies and numbers words without running code of the program."""

    def __init__(self) -> None:
        self.markers = _Numbers()
        self._wait = self._blocks = 0
        """Number of blocks to skip before looking for frequent markers again, and number skipped so far."""
        self.own: list[int] = []
        """The numbers of the markers that have their own class, and so their own code."""
        self._by_type = _ByType(_CODES)
        self._by_identity = _ByIdentity((id(cls), code) for cls, code in _CODES.items())
        self._plain = False
        self._births: list[int] = []
        """Codes of markers that begin an `__init__`."""
        for marker in _SHOWING:
            self._give_class(marker)

    def check_metaclasses(self) -> None:
        """Switch to identities once a metaclass defines how classes hash or compare."""
        waiting, self._plain = [type], True
        while waiting:
            below = [metaclass for metaclass in type.__subclasses__(waiting.pop()) if metaclass is not _OF_NO_OBJECTS]
            waiting += below
            if any("__hash__" in class_dict(metaclass) or "__eq__" in class_dict(metaclass) for metaclass in below):
                self._plain = False

    def promote_frequent(self, markers: "array[int]") -> None:
        """Create a class for each of the most frequent markers, so that their type identifies them.

        Four words of ten are markers, and their type is read anyway: this makes writing a fifth faster.
        """
        room, self._blocks = min(_MOST_AT_ONCE, MOST_FREQUENT - len(self.own)), self._blocks + 1
        if not room or len(markers) < _MANY or self._blocks <= self._wait:
            return
        before = len(self.own)
        by_number = {number: marker for marker, number in self.markers.items()}
        counted = sorted(Counter(markers).items(), key=itemgetter(1), reverse=True)
        for number, times in counted[:room]:  # `most_common` would import a module, perhaps one of the user's
            if times >= FREQUENT_AFTER:
                self._give_class(by_number[number])
        self._blocks, self._wait = 0, 0 if len(self.own) > before else 2 * self._wait + 1

    def _give_class(self, marker: Marker) -> None:
        """Give a marker a class of its own."""
        cls = type(marker)
        if cls is Marker or cls is Birth:
            cls = marker.__class__ = type("Marker", (cls,), {"__slots__": ()})
            OWN[id(cls)] = cls
        if issubclass(cls, Birth):
            self._births.append(FIRST_FREQUENT + len(self.own))
        self._by_type[cls] = self._by_identity[id(cls)] = FIRST_FREQUENT + len(self.own)
        self.own.append(marker.number)

    def take(self, words: list[Any], start: int, stop: int, known: Registry, first: int, *, is_tape: bool) -> Taken:
        """Sort a slice of words, and number its other values. Off a tape, a marker counts as a value."""
        part = words[start:stop]
        codes = self._codes(part)
        if not is_tape:
            codes = codes.translate(_WITHOUT_MARKERS)
        ints = b""
        if WORD_INT in codes or WORD_BOOL in codes:
            codes, ints = _integers(part, codes)
        floats = words_of(part, codes, WORD_FLOAT)
        packed = struct.pack(f"{len(floats)}d", *floats)  # twice as fast as an array
        markers, others = words_of(part, codes, WORD_MARKER), words_of(part, codes, WORD_OTHER)
        shown = _shown(words, start, codes) if is_tape else []
        numbers, new, fresh = self.number(others, known, first)
        begun = self._begun(codes, markers) if is_tape else []
        assigned = memoryview(numbers).cast("I")
        # the number of a new value follows from its index
        born = [others[index] for index in begun if assigned[index] == first + index]
        return codes, ints, packed, markers, numbers, new, fresh, shown, born

    def _begun(self, codes: bytes, markers: list[Any]) -> list[int]:
        """The indices, among other values, of objects whose `__init__` starts."""
        begun = [index for code in self._births for index in _all(codes, code)]
        if any(issubclass(type(marker), Birth) for marker in markers):
            pairs = zip(_all(codes, WORD_MARKER), markers)  # noqa: B905
            begun += [index for index, marker in pairs if issubclass(type(marker), Birth)]
        if not begun:
            return []
        places = list(accumulate(codes.translate(_IS[WORD_OTHER])))
        after = [index + 1 for index in sorted(begun) if index + 1 < len(codes) and codes[index + 1] == WORD_OTHER]
        return [places[index] - 1 for index in after]

    def _codes(self, part: list[Any]) -> bytes:
        """The code of each word."""
        if self._plain:
            return bytes(map(self._by_type.__getitem__, map(type, part)))
        return bytes(map(self._by_identity.__getitem__, map(id, map(type, part))))

    def registry(self) -> Registry:
        """Create an empty registry."""
        return {}

    def of_markers(self, markers: list[Any]) -> bytes:
        """The numbers of markers."""
        return array("I", list(map(self.markers.__getitem__, markers))).tobytes()

    def look_up(self, values: list[Any], known: Registry) -> bytes:
        """The numbers of values that have one."""
        return array("I", list(map(known.__getitem__, map(id, values)))).tobytes()

    def number(self, values: list[Any], known: Registry, first: int) -> Numbered:
        """Number values by their identity; those that have a number in `known` keep it, the others are added.

        A value may occur several times. Every occurrence gets a number, counting from `first`, and those of known
        values remain unused: this is faster than looking up twice.
        """
        before = len(known)
        numbers = array("I", list(map(known.setdefault, map(id, values), count(first))))
        fresh = list(islice(reversed(known.values()), len(known) - before))
        fresh.reverse()
        return numbers.tobytes(), array("I", fresh).tobytes(), [values[number - first] for number in fresh]

    def forget(self, values: list[Any], known: Registry) -> None:
        """Remove values from a registry."""
        deque(map(known.__delitem__, map(id, values)), 0)

    def alone(self, objects: list[Any]) -> tuple[list[Any], list[Any]]:
        """Split objects into those that only this list refers to, and the others."""
        dead = [references <= _ALONE for references in map(sys.getrefcount, objects)]
        return list(compress(objects, dead)), [o for o, is_dead in zip(objects, dead) if not is_dead]  # noqa: B905

    def unshown(self, objects: list[Any], shown: list[Any], born: list[Any], inspectors: "Inspectors") -> list[Any]:
        """The objects that no record shows; objects of some classes count as shown from their creation."""
        excluded = set(map(id, shown))
        excluded.update(id(o) for o in born if id(type(o)) in inspectors.born)
        return [o for o in objects if id(o) not in excluded]

    def apart(self, values: list[Any], owners: list[list[Any]], inspectors: "Inspectors") -> Parts:
        """Decompose values, and add each to those of its kind."""
        kinds = inspectors.kinds_of(values)
        for kind in set(kinds):
            owners[kind] += words_of(values, kinds, kind)
        parts = inspectors.parts_of(values, kinds)
        words = list(chain.from_iterable(parts))
        if not inspectors.plain.keys() >= set(map(id, map(type, words))):
            words = [word if type(word) is tuple else inspectors.held(word) for word in words]
        return kinds, array("I", map(len, parts)).tobytes(), words


class NativeNumbering(Numbering):
    """`Numbering` with the accelerator."""

    def __init__(self) -> None:
        super().__init__()
        self._types: Any = None
        self._marked = accelerator.registry()
        self._up_to = (-1, -1)
        self._kinds: Any = None
        self._inspectors: tuple[Any, int] = (None, 0)
        """The inspectors that the kinds were taken from, and their number then."""

    def take(self, words: list[Any], start: int, stop: int, known: Registry, first: int, *, is_tape: bool) -> Taken:
        """Sort a slice of words, and number its other values. Off a tape, a marker counts as a value."""
        types = self._types_of_tape() if is_tape else _TYPES_OF_VALUES
        taken: Taken = accelerator.take(words, start, stop, types, known, first)
        return taken

    def registry(self) -> Registry:
        """Create an empty registry."""
        return accelerator.registry()

    def of_markers(self, markers: list[Any]) -> bytes:
        """The numbers of markers."""
        numbers: bytes | None = accelerator.look_up(markers, self._marked)
        if numbers is not None:
            return numbers
        for marker in markers:
            self._marked[id(marker)] = self.markers[marker]
        return self.of_markers(markers)

    def look_up(self, values: list[Any], known: Registry) -> bytes:
        """The numbers of values that have one."""
        numbers: bytes = accelerator.look_up(values, known)
        return numbers

    def number(self, values: list[Any], known: Registry, first: int) -> Numbered:
        """Number values by their identity; those that have a number in `known` keep it, the others are added."""
        numbered: Numbered = accelerator.number(values, known, first)
        return numbered

    def forget(self, values: list[Any], known: Registry) -> None:
        """Remove values from a registry."""
        accelerator.forget(values, known)

    def alone(self, objects: list[Any]) -> tuple[list[Any], list[Any]]:
        """Split objects into those that only this list refers to, and the others."""
        split: tuple[list[Any], list[Any]] = accelerator.alone(objects)
        return split

    def apart(self, values: list[Any], owners: list[list[Any]], inspectors: "Inspectors") -> Parts:
        """Decompose values, and add each to those of its kind."""
        parts: Parts | None = accelerator.apart(values, self._types_of(inspectors), owners)
        if parts is not None:
            return parts
        inspectors.kinds_of(values)  # some are of a new class
        return self.apart(values, owners, inspectors)

    def unshown(self, objects: list[Any], shown: list[Any], born: list[Any], inspectors: "Inspectors") -> list[Any]:
        """The objects that no record shows; objects of some classes count as shown from their creation."""
        unseen: list[Any] = accelerator.unshown(objects, shown, born, self._types_of(inspectors))
        return unseen

    def _types_of(self, inspectors: "Inspectors") -> object:
        """All inspected classes, the kinds of their objects, and whether those count as shown from their creation."""
        if self._inspectors[0] is not inspectors or self._inspectors[1] != len(inspectors):
            self._inspectors, every = (inspectors, len(inspectors)), list(inspectors.values())
            kinds, born = (
                bytes(map(inspectors.kinds.__getitem__, inspectors)),
                bytes(map(inspectors.born.__contains__, inspectors)),
            )
            parts = [inspector.alone or inspector.apart for inspector in every]
            self._kinds = accelerator.types([inspector.cls for inspector in every], kinds, born, parts)
        return self._kinds

    def _types_of_tape(self) -> object:
        """All types with a code, their codes, and the flags for the next word."""
        if self._up_to != (len(OWN), len(self.own)):
            self._up_to = (len(OWN), len(self.own))
            types = [*_CODES, *OWN.values()]
            codes = bytes(map(self._by_identity.__getitem__, map(id, types)))
            shows = [SHOWS * (code in _SHOWING_CODES) for code in codes]
            flags = [BIRTH * issubclass(cls, Birth) | shown for cls, shown in zip(types, shows)]  # noqa: B905
            self._types = accelerator.types(types, codes, bytes(flags), [None] * len(types))
        return self._types


_TYPES_OF_VALUES = accelerator and accelerator.types(
    list(_OF_VALUES), bytes(_OF_VALUES.values()), bytes(len(_OF_VALUES)), [None] * len(_OF_VALUES)
)


def new_numbering() -> Numbering:
    """Create the fastest available implementation."""
    return Numbering() if accelerator is None else NativeNumbering()


def planes(raw: bytes, width: int) -> bytes:
    """Little-endian numbers of 4 or 8 bytes as planes: the lowest byte of each, then the next...

    The first byte is the mask of present planes; planes of zeros are left out, except the lowest, so that no
    column has more numbers than bytes.
    """
    if accelerator is not None:
        fast: bytes = accelerator.planes(raw, width)
        return fast
    nothing = bytes(len(raw) // width)
    columns = [raw[byte::width] for byte in range(width)]
    kept = [byte for byte in range(width) if byte == 0 or columns[byte] != nothing]
    return b"".join([bytes([sum(1 << byte for byte in kept)]), *(columns[byte] for byte in kept)])


def _integers(part: list[Any], codes: bytes) -> tuple[bytes, bytes]:
    """The codes, corrected for ints that do not fit into 64 bits, and the ints."""
    try:
        return codes, _whole_numbers(list(compress(part, codes.translate(_IS_WHOLE))))
    except OverflowError:
        fits = [code != WORD_INT or -(1 << 63) <= word < 1 << 63 for code, word in zip(codes, part)]  # noqa: B905
        codes = bytes([code if ok else WORD_OTHER for code, ok in zip(codes, fits)])  # noqa: B905
        return codes, _whole_numbers(list(compress(part, codes.translate(_IS_WHOLE))))


def _whole_numbers(values: list[int]) -> bytes:
    """Ints in 64 bits each. An unsigned array is three times as fast, so it is tried first."""
    try:
        raw = array("Q", values).tobytes()
        if not raw[0 if _SWAP else 7 :: 8].translate(None, _SMALL_BYTES):
            return raw
    except OverflowError:  # some are negative
        pass
    return array("q", values).tobytes()


_SMALL_BYTES = bytes(range(128))


def _shown(words: list[Any], start: int, codes: bytes) -> list[Any]:
    """The objects that follow markers of image and birth records; an interruption may have cut the last."""
    markers = sorted(index for code in _SHOWING_CODES if code in codes for index in _all(codes, code))
    return [words[start + index + 1] for index in markers if start + index + 1 < len(words)]


def _all(codes: bytes, code: int) -> Sequence[int]:
    """The indices of a code."""
    return list(compress(range(len(codes)), codes.translate(_is(code)))) if code in codes else ()


def _is(code: int) -> bytes:
    """The translation table that turns codes into a mask for one code."""
    return _IS[code] if code < len(_IS) else bytes(other == code for other in range(256))


_ALONE = next(map(sys.getrefcount, [object()]))
"""`sys.getrefcount` of an object that only one list refers to; it depends on the version of CPython."""


def words_of(part: list[Any], codes: bytes, kind: int) -> list[Any]:
    """The words of one kind."""
    if 16 * codes.count(kind) > len(codes):
        return list(compress(part, codes.translate(_IS[kind])))
    words = []
    index = codes.find(kind)
    while index >= 0:
        words.append(part[index])
        index = codes.find(kind, index + 1)
    return words
