"""The values of a recording, decoded on demand.

A number leads to a batch, a kind and a rank by arithmetic alone: each batch numbers its values in runs of one kind.
Atoms are plain Python data; all other values are described by the numbers of their parts. No code of the recorded
program runs.
"""

import json
import struct
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import frozen

from adebug_lsp.languages.python.reading.grouping import grouped
from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.recorder.contract import (
    BIG_INT,
    BYTES,
    COLUMNS,
    COMPLEX,
    COMPOSITE,
    DERIVED,
    ENUM,
    FIRST_FREQUENT,
    FIRST_VALUE,
    FLOAT,
    INT,
    LARGEST_INT,
    LAST_VALUE,
    NONE,
    OBJECT,
    OPAQUE,
    SINGLE,
    SINGLES,
    SLICE,
    SMALLEST_INT,
    STR,
    TUPLE,
    TYPE,
    VALUE_KINDS,
    WORD_BOOL,
    WORD_FLOAT,
    WORD_INT,
    WORD_MARKER,
    WORD_OTHER,
    ZERO,
)
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.native.shared_library import address, column, int64, library, uint32
from adebug_lsp.recording.segments import Segment

_NO_SUCH_WORD = "a word names something that does not exist"
FIRST_MADE = LAST_VALUE + 1
"""The first number for values made by the reader; no value of a file has one as large."""

STREAMS = "_io"
"""The module of the classes of files and other streams; a file's name is the one that it was opened by."""

_COLUMNS = len(COLUMNS)
FORMER = ZERO + LARGEST_INT + 1
"""The number after the singles and small ints that begin every recording."""
_FIRSTS = struct.Struct("<II")
_HEAD = struct.Struct("<6I")
_FEWEST = np.array([VALUE_KINDS[kind].fewest for kind in COMPOSITE])
_MOST_PARTS = np.array([VALUE_KINDS[kind].most for kind in COMPOSITE])
"""Limit of the number of parts of all values of a composite kind."""
_UNLISTED = [kind for kind, facts in VALUE_KINDS.items() if not facts.listed]


@frozen
class Atom:
    """None, a number, a text or bytes, unchanged."""

    type: str
    value: Any


@frozen
class TupleLike:
    """A tuple, frozenset, range or slice: its parts, as numbers of values."""

    type: str
    items: tuple[int, ...]


@frozen
class TypeInfo:
    """A class."""

    module: str
    name: str
    """The qualified name inside the module."""
    base: str = ""
    """The builtin that it derives from (`list`, `str`, `exception`...), `ordered` for OrderedDict, `built` for a type
    of the standard library whose values are given by their arguments, or empty.
    """
    is_user_class: bool = False
    enum: bool = False
    fields: tuple[tuple[str, bool, bool], ...] | None = None
    """For a dataclass or namedtuple: each field's name, whether it is shown, and whether it is compared."""
    equal: str = "identity"
    """How equality is decided: `identity`, `builtin`, `dataclass` or `user`."""
    attributes: bool = False
    bases: tuple[str, ...] = ()
    computed: frozenset[str] = frozenset()
    """Attributes whose assignment runs code; `*` means all."""

    @property
    def full_name(self) -> str:
        """Module and name, without the module for builtins."""
        return self.name if self.module in ("builtins", "") else f"{self.module}.{self.name}"


@frozen
class Derived:
    """An immutable value of a class that derives from a builtin, or that is made from arguments."""

    type: TypeInfo
    value: int
    """The plain value, or the tuple of arguments."""


@frozen
class Member:
    """A member of an enumeration."""

    type: TypeInfo
    name: int
    value: int


@frozen
class Opaque:
    """A value that is known by name only: a function, a method, a module, a generator, an iterator, a file."""

    type: TypeInfo
    module: str | None
    name: str | None
    receiver: int | None
    """The receiver of a bound method."""


@frozen
class Object:
    """A mutable object; the heap has its content at each moment."""

    type: TypeInfo
    extra: int | None = None
    """The part of the object that does not change: the plain value if its class derives from an immutable builtin, the
    arguments of an exception, the factory of a defaultdict, the maximum length of a deque.
    """


Described = Atom | TupleLike | Derived | Member | Opaque | Object | TypeInfo


@frozen(eq=False)
class Batch:
    """The values of one segment: first those that are listed, then whole numbers, then floats."""

    first: int
    listed: int
    """The number of listed values; numbers between them and the first int have no value."""
    first_int: int
    first_float: int
    end: int
    """The number after the last one."""
    segment: Segment

    def columns(self) -> "Columns":
        """The content."""
        raw = memoryview(self.segment.raw())
        if _HEAD.unpack_from(raw)[5] != _COLUMNS or len(raw) < _HEAD.size + 8 * _COLUMNS:
            raise BadInputError("the recording is damaged: columns are missing")
        sizes = np.frombuffer(raw, "<u8", _COLUMNS, _HEAD.size).tolist()
        offset = _HEAD.size + 8 * _COLUMNS
        if sum(sizes) != len(raw) - offset:
            raise BadInputError("the recording is damaged: columns have the wrong length")
        ends = np.cumsum([offset, *sizes]).tolist()
        return Columns(self, *(raw[start:end] for start, end in pairwise(ends)))


def read_batch(segment: Segment, expected: int) -> Batch:
    """Read the head of a `VALS` segment, whose values must begin at the expected number."""
    if segment.raw_length < _HEAD.size:
        raise BadInputError("a segment of values is too short")
    first, listed, first_int, ints, floats, _columns = _HEAD.unpack(segment.beginning(_HEAD.size))
    if first != expected or first + listed > first_int or first_int + ints + floats > LAST_VALUE + 1:
        raise BadInputError("the numbers of the values do not fit together")
    if listed + ints + floats > segment.raw_length:
        raise BadInputError("a segment says that it has more values than bytes")
    return Batch(first, listed, first_int, first_int + ints, first_int + ints + floats, segment)


@frozen(eq=False)
class Columns:
    """The columns of a batch, in the order of the file."""

    batch: Batch
    _numbers: memoryview
    _kinds: memoryview
    _singles: memoryview
    _big_lengths: memoryview
    _big: memoryview
    _complex: memoryview
    _str_lengths: memoryview
    _str: memoryview
    _bytes_lengths: memoryview
    _bytes: memoryview
    _type_lengths: memoryview
    _types: memoryview
    _ints: memoryview
    _floats: memoryview
    _lengths: memoryview
    _parts: memoryview

    def content(self, number: int) -> tuple[int, Any]:
        """The kind of a value and its description: an atom, text, or the numbers of its parts."""
        if number >= self.batch.first_float:
            return FLOAT, self._float(number - self.batch.first_float)
        if number >= self.batch.first_int:
            return INT, self.integers.item(number - self.batch.first_int)
        index = int(self._listed.searchsorted(np.uint32(number)))  # same type: numpy would convert the column
        if index == len(self._listed) or self._listed[index] != number:
            raise BadInputError(f"the recording is damaged: there is no value number {number}")
        kind = int(self._kind[index])
        return kind, self._readers[kind](int(self._ranks[index]))

    @cached_property
    def integers(self) -> Array:
        """All 64-bit integers."""
        return read_planes(self._ints, "<i8", self.batch.first_float - self.batch.first_int)

    @cached_property
    def _float(self) -> Callable[[int], float]:
        return read_planes(self._floats, "<f8", self.batch.end - self.batch.first_float).item

    @cached_property
    def _listed(self) -> Array:
        return read_planes(self._numbers, "<u4", self.batch.listed)

    @cached_property
    def _kind(self) -> Array:
        kinds = _array(self._kinds, "u1", self.batch.listed)
        if len(kinds) and (int(kinds.max()) >= len(VALUE_KINDS) or np.isin(kinds, _UNLISTED).any()):
            raise BadInputError("the recording is damaged: a value has no kind")
        return kinds

    @cached_property
    def _ranks(self) -> Array:
        """Index of each value among those of the same kind; all composite kinds count as one."""
        ranks = np.zeros(len(self._kind), np.int64)
        for kinds in ((SINGLE,), (BIG_INT,), (COMPLEX,), (STR,), (BYTES,), (TYPE,), COMPOSITE):
            own = np.flatnonzero(np.isin(self._kind, kinds))
            ranks[own] = np.arange(len(own))
        return ranks

    @cached_property
    def _readers(self) -> dict[int, Callable[[int], Any]]:
        """For each kind, a function from rank to content."""
        many = np.bincount(self._kind, minlength=len(VALUE_KINDS)).tolist()
        singles = _array(self._singles, "u1", many[SINGLE])
        if len(singles) and singles.max() >= len(SINGLES):
            raise BadInputError("the recording is damaged: there is no such single value")
        big = _slices(bytes(self._big), self._big_lengths, many[BIG_INT])
        return {
            SINGLE: lambda rank: SINGLES[singles[rank]],
            BIG_INT: lambda rank: _big_int(big(rank)),
            COMPLEX: read_planes(self._complex, "<f8", 2 * many[COMPLEX]).view(np.complex128).item,
            STR: _slices(_text(self._str), self._str_lengths, many[STR]),
            BYTES: _slices(bytes(self._bytes), self._bytes_lengths, many[BYTES]),
            TYPE: _slices(bytes(self._types), self._type_lengths, many[TYPE]),
            **dict.fromkeys(COMPOSITE, self._parts_reader()),
        }

    def _parts_reader(self) -> Callable[[int], tuple[int, ...]]:
        """A function from the rank of a composite value to the numbers of its parts."""
        words, bounds = self._composites
        return lambda rank: tuple(words[bounds[rank] : bounds[rank + 1]].tolist())

    @cached_property
    def _composites(self) -> tuple[Array, Array]:
        """The parts of all composite values one after the other, and where those of each begin and end."""
        kinds = self._kind[(self._kind >= TUPLE) & (self._kind < TYPE)] - np.uint8(TUPLE)
        lengths = read_planes(self._lengths, "<u4", len(kinds))
        if (lengths < _FEWEST[kinds]).any() or (lengths > _MOST_PARTS[kinds]).any():
            raise BadInputError("the recording is damaged: parts of values are missing")
        bounds = _bounds(lengths)
        words = read_words(self._parts, int(bounds[-1]), self.batch, lambda: self.integers)
        _within(words, FIRST_VALUE, self.batch.end)
        return words, bounds

    def types(self) -> list[tuple[int, TypeInfo]]:
        """Every class, with its number."""
        return [(number, _type_info(self.content(number)[1])) for number in self._listed[self._kind == TYPE].tolist()]

    def instances(self, classes: Array) -> Array:
        """The numbers of mutable and opaque objects of these classes, given by their numbers."""
        chosen = np.flatnonzero(np.isin(self._kind, (OBJECT, OPAQUE)))
        words, bounds = self._composites
        return self._listed[chosen[np.isin(words[bounds[self._ranks[chosen]]], classes)]]


def read_words(
    data: memoryview, count: int, batch: Batch, integers: Callable[[], Any], own: Array | tuple[()] = ()
) -> Array:
    """Decode words from their columns: first the kind of each word, then one column per kind.

    `batch` has the numbers among them, and `integers` all its ints. `own` are the markers with a code of their own.
    """
    if count > len(data) - _FIRSTS.size:
        raise BadInputError("words have another length than they say")
    first_int, first_float = _FIRSTS.unpack_from(data)
    codes = np.frombuffer(data, np.uint8, count, _FIRSTS.size)
    many = np.bincount(codes, minlength=FIRST_FREQUENT).tolist()
    if len(many) > FIRST_FREQUENT + len(own):
        raise BadInputError("there is no such kind of word")
    data = data[_FIRSTS.size + count :]
    length = 1 + (data[0] if len(data) else 0).bit_count() * many[WORD_MARKER]
    markers = _within(read_planes(data[:length], "<u4", many[WORD_MARKER]), 1, FIRST_VALUE)
    others = _within(read_planes(data[length:], "<u4", many[WORD_OTHER]), FIRST_VALUE, LAST_VALUE + 1)
    whole = many[WORD_BOOL] + many[WORD_INT]
    if whole and (first_int < batch.first_int or first_int + whole > batch.first_float):
        raise BadInputError("words have other values than they say")
    if many[WORD_FLOAT] and (first_float < batch.first_float or first_float + many[WORD_FLOAT] > batch.end):
        raise BadInputError("words have other values than they say")
    held = integers()[first_int - batch.first_int :][:whole] if whole else np.empty(0, np.int64)
    if len(held) != whole:
        raise BadInputError("words have other values than they say")
    table = np.array([0, NONE, 0, 0, 0, 0, *own], np.uint32)
    columns = WordColumns(codes, table, markers, others, held, first_int, first_float)
    return words_by_arrays(columns) if library is None else _words_in_c(columns)


@frozen(eq=False)
class WordColumns:
    """The kinds of words, and the columns that their values come from."""

    codes: Array
    table: Array
    """The words of kinds that are one word."""
    markers: Array
    others: Array
    integers: Array
    """The values of bools and ints."""
    first_int: int
    first_float: int


def _words_in_c(columns: WordColumns) -> Array:
    """The words, decoded in one pass in C."""
    words = np.empty(len(columns.codes), np.uint32)
    markers, others = column(columns.markers, "u4"), column(columns.others, "u4")
    integers = column(columns.integers, "i8")
    good = library.adebug_words(
        address(columns.codes), int64(len(words)), address(columns.table),
        WORD_MARKER, WORD_OTHER, WORD_BOOL, WORD_INT, WORD_FLOAT, address(markers), address(others),
        address(integers), uint32(columns.first_int), uint32(columns.first_float),
        SMALLEST_INT, LARGEST_INT, uint32(ZERO), uint32(FIRST_VALUE + 1), address(words),
    )  # fmt: skip
    if not good:
        raise BadInputError(_NO_SUCH_WORD)
    return words


def words_by_arrays(columns: WordColumns) -> Array:
    """The words, decoded by array operations."""
    codes, words = columns.codes, columns.table[columns.codes]
    words[codes == WORD_MARKER] = columns.markers
    words[codes == WORD_OTHER] = columns.others
    if len(columns.integers):
        _fill_integers(words, codes, columns.integers, columns.first_int)
    reals = codes == WORD_FLOAT
    words[reals] = np.arange(columns.first_float, columns.first_float + np.count_nonzero(reals))
    return words


def _fill_integers(words: Array, codes: Array, held: Array, first: int) -> None:
    """Fill in the words of ints and bools: small ints have fixed numbers, every other int has a number of its own."""
    numbers = np.arange(first, first + len(held))
    small = (held >= SMALLEST_INT) & (held <= LARGEST_INT)
    numbers[small] = held[small] + ZERO
    whole = (codes == WORD_BOOL) | (codes == WORD_INT)
    is_bool = codes[whole] == WORD_BOOL
    numbers[is_bool] = _within(held[is_bool], 0, 2) + (FIRST_VALUE + 1)
    words[whole] = numbers


def _within(column: Array, least: int, end: int) -> Array:
    if len(column) and (int(column.min()) < least or int(column.max()) >= end):
        raise BadInputError(_NO_SUCH_WORD)
    return column


def _bounds(lengths: Array) -> Array:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


class Values:
    """All values of a recording, by number."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self._batches = batches
        self._firsts = [batch.first for batch in batches]
        self.end = batches[-1].end if batches else FIRST_VALUE
        self._decoded = lru_cache(maxsize=64)(self._decode)
        self._known: dict[int, Described] = {}
        self._made: dict[tuple[str, Any], int] = {}
        self._made_atoms: list[Atom] = []

    def make(self, value: str | int | None) -> int:
        """Return a number for an atom that is on no tape, such as a character of a text."""
        key = (type(value).__name__, value)
        if key not in self._made:
            self._made[key] = FIRST_MADE + len(self._made_atoms)
            self._made_atoms.append(Atom(*key))
        return self._made[key]

    def value(self, number: int) -> Described:
        """The value with this number."""
        described = self._known.get(number)
        if described is None:
            if len(self._known) > 1 << 20:
                self._known.clear()
            described = self._known[number] = self._look_up(number)
        return described

    def atom(self, number: int) -> Any:
        """The plain Python value of an atom; None if the value is not an atom."""
        described = self.value(number)
        return described.value if isinstance(described, Atom) else None

    def integers(self, numbers: Array) -> Array:
        """The ints with these numbers; -1 for other values."""
        integers = numbers.astype(np.int64) - ZERO
        larger = np.flatnonzero((integers < SMALLEST_INT) | (integers > LARGEST_INT))
        for index, rows in grouped(np.searchsorted(self._firsts, numbers[larger], "right") - 1, larger).items():
            batch = self._batches[index]
            ranks = numbers[rows].astype(np.int64) - batch.first_int
            listed = (ranks >= 0) & (ranks < batch.first_float - batch.first_int)
            integers[rows[listed]] = self._decoded(index).integers[ranks[listed]]
            for row in rows[~listed].tolist():
                value = self.atom(int(numbers[row]))
                integers[row] = value if isinstance(value, int) else -1
        return integers

    def instances(self, wanted: Callable[[TypeInfo], bool]) -> Array:
        """The numbers of the mutable and opaque objects whose class is wanted."""
        columns = [self._decoded(index) for index in range(len(self._batches))]
        classes = [number for each in columns for number, info in each.types() if wanted(info)]
        return np.concatenate([np.empty(0, np.uint32), *(each.instances(np.array(classes)) for each in columns)])

    def items(self, number: int) -> tuple[int, ...]:
        """The parts of a tuple."""
        described = self.value(number)
        return described.items if isinstance(described, TupleLike) else ()

    def _look_up(self, number: int) -> Described:
        if FIRST_MADE <= number < FIRST_MADE + len(self._made_atoms):
            return self._made_atoms[number - FIRST_MADE]
        if not FIRST_VALUE <= number < self.end:
            raise BadInputError(f"the recording is damaged: there is no value number {number}")
        index = bisect_right(self._firsts, number) - 1
        return self._describe(*self._decoded(index).content(number))

    def _describe(self, tag: int, content: Any) -> Described:
        """The description of a value from its kind and content."""
        if tag <= BYTES:
            return Atom(type(content).__name__, content)
        if tag == TYPE:
            return _type_info(content)
        if tag <= SLICE:
            return TupleLike(("tuple", "frozenset", "range", "slice")[tag - TUPLE], content)
        kind = self.value(content[0])
        if not isinstance(kind, TypeInfo):
            raise BadInputError("the recording is damaged: a type is no type")
        if tag == DERIVED:
            return Derived(kind, content[1])
        if tag == ENUM:
            return Member(kind, content[1], content[2])
        if tag == OBJECT:
            return Object(kind, content[1] if len(content) > 1 else None)
        module, name = self.atom(content[1]), self.atom(content[2])
        receiver = None if content[3] == NONE else content[3]
        return Opaque(kind, module, name, receiver)

    def _decode(self, index: int) -> Columns:
        return self._batches[index].columns()


def _array(data: memoryview, kind: str, count: int) -> Array:
    if len(data) != count * np.dtype(kind).itemsize:
        raise BadInputError("the recording is damaged: a column has the wrong length")
    return np.frombuffer(data, kind)


def _slices(data: Any, lengths: memoryview, count: int) -> Callable[[int], Any]:
    bounds = _bounds(read_planes(lengths, "<u4", count))
    if bounds[-1] != len(data):
        raise BadInputError("the recording is damaged: texts have the wrong length")
    return lambda rank: data[bounds[rank] : bounds[rank + 1]]


def _text(data: memoryview) -> str:
    try:
        return bytes(data).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise BadInputError("the recording is damaged: a text is not UTF-8") from None


def read_planes(data: memoryview, kind: str, count: int) -> Array:
    """Decode `count` numbers from byte planes; the first byte is the mask of present planes."""
    width = np.dtype(kind).itemsize
    kept = [byte for byte in range(8) if data[:1] and data[0] >> byte & 1]
    if len(data) != 1 + len(kept) * count or (kept and kept[-1] >= width) or (count and kept[:1] != [0]):
        raise BadInputError("the recording is damaged: a column has the wrong length")
    numbers = np.zeros((count, width), np.uint8)
    planes = np.frombuffer(data, np.uint8, offset=1).reshape(len(kept), count)
    for plane, byte in enumerate(kept):
        numbers[:, byte] = planes[plane]
    return numbers.view(kind).reshape(-1)


def _big_int(text: bytes) -> int:
    try:
        return int(text, 16)
    except ValueError:
        raise BadInputError("the recording is damaged: a whole number cannot be read") from None


def _type_info(text: bytes) -> TypeInfo:
    try:
        description = json.loads(text)
        fields = description["fields"]
        return TypeInfo(
            module=str(description["module"]),
            name=str(description["name"]),
            base=str(description["base"]),
            is_user_class=bool(description["user_code"] if "user_code" in description else description["mine"]),
            enum=bool(description["enum"]),
            fields=None if fields is None else tuple((str(name), bool(a), bool(b)) for name, a, b in fields),
            equal=str(description["equal"]),
            attributes=bool(description["attributes"]),
            bases=tuple(map(str, description["bases"])),
            computed=frozenset(map(str, description.get("computed", ()))),
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BadInputError("the recording is damaged: a type cannot be read") from None
