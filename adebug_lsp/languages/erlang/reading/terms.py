"""Decodes and encodes the external term format (https://www.erlang.org/doc/apps/erts/erl_ext_dist.html).

Decoding runs nothing and is not recursive, so that deep terms need no deep stack. Large parts of recorded values are
stored elsewhere and read from there. A part that the recorder left out is `Omitted`.
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType, UnionType
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from adebug_lsp.model.errors import BadInputError

Term: TypeAlias = object
"""A decoded Erlang term: `int`, `float`, `bytes`, `list`, `tuple`, or a class below. Narrow it before use."""


class Atom(str):
    """An atom."""

    __slots__ = ()


@frozen
class Bits:
    """A bit string whose length is not a multiple of 8."""

    data: bytes
    last: int
    """Bits used in the last byte."""


@frozen
class Improper:
    """A list whose tail is not a list."""

    items: tuple[Any, ...]
    tail: Any


@frozen
class MapTerm:
    """A map as pairs."""

    pairs: tuple[tuple[Any, Any], ...]


@frozen
class Record(MapTerm):
    """A native record of OTP 29, with its fields as pairs."""

    module: Atom = Atom("")
    name: Atom = Atom("")
    is_exported: bool = False


@frozen
class Pid:
    """A pid of the recorded node."""

    number: int
    serial: int

    @property
    def text(self) -> str:
        """As Erlang prints it on its own node."""
        return f"<0.{self.number}.{self.serial}>"


@frozen
class Opaque:
    """A reference or a port, as bytes."""

    kind: str
    data: bytes


EVALUATOR = "erl_eval"
"""Module of the funs that an evaluated expression makes."""


@frozen
class Fun:
    """A fun: its module, and its captured variables."""

    module: str
    name: str
    arity: int
    index: int | None = None
    environment: tuple[Any, ...] = field(default=(), eq=False)
    source_text: str = field(default="", eq=False)
    """Text of a fun that the expression made with which the run began."""

    @property
    def expression_place(self) -> tuple[int, int] | None:
        """For a fun of `erl_eval` (OTP 25 to 29), its line and column in the expression."""
        match self.environment if self.module == EVALUATOR else ():
            case (((int() as line, int() as column), [*_], *_),):
                return line, column
        return None

    @property
    def creation(self) -> tuple[int, int] | None:
        """For a fun of recorded code: the frame that made it, and its site."""
        tags = (tag for tag in self.environment if isinstance(tag, tuple) and len(tag) == 3 and tag[0] == "adebug_fun")
        return next(((int(tag[1]), int(tag[2])) for tag in tags), None)


@frozen
class Omitted:
    """A part of a large value that was left out."""

    count: int
    """Number of elements; 0 if unknown."""


MORE, DEEP, BITS = Atom("$adebug_more"), Atom("$adebug_deep"), Atom("$adebug_bits")
_REF, _MAP, _JOIN, _FUN, _RECORD = (Atom(f"$adebug_{name}") for name in ("ref", "map", "join", "fun", "record"))
_NODE_ATOM = b"d\x00\x0dnonode@nohost"
_SMALL_MAP_SIZE = 32
"""Largest map that the BEAM keeps sorted by key (`MAP_SMALL_MAP_LIMIT`)."""
_MAX_PARTS = 5_000_000
"""Parts of the largest value that is assembled."""


def decode(data: bytes) -> Any:
    """Decode a message in the external format, with its version byte."""
    if data[:1] != b"\x83":
        raise BadInputError("this is not in the external term format")
    return _Decoder(data, 1).term()


Names = Mapping[tuple[object, ...], str]
"""Function of a fun by module and index; text of a fun by its place in the expression that started the run."""


def decode_at(
    data: bytes, offset: int, large: Mapping[int, int] | None = None, names: Names = MappingProxyType({})
) -> Any:
    """Decode the term at an offset, without version byte; its large parts are at the offsets in `large`."""
    return _Decoder(data, offset, large, names).term()


def term_end(data: bytes, offset: int) -> int:
    """Offset of the end of the term at an offset."""
    decoder = _Decoder(data, offset)
    decoder.term()
    return decoder.offset


@frozen
class _Pending:
    """A structure whose parts are still being decoded."""

    make: Any
    size: int
    parts: list[Any] = field(factory=list)


class _Decoder:
    """Decodes one term."""

    def __init__(
        self, data: bytes, offset: int = 0, large: Mapping[int, int] | None = None, names: Names = MappingProxyType({})
    ) -> None:
        self._data, self.offset, self._names = data, offset, names
        self._large, self._left = large, _MAX_PARTS
        self._around: int | None = None
        """Number of the large part that is being decoded."""
        self.tuples = _make_tuple if large is None else _make_recorded_tuple

    def term(self) -> Term:
        try:
            return self._term()
        except (struct.error, IndexError, ValueError) as error:
            raise BadInputError(f"a term is damaged at byte {self.offset}: {error}") from None

    def _term(self) -> Term:
        """Decode a term, without recursion; parts of large values are read where they are stored."""
        waiting: list[_Pending] = []
        while True:
            term = self._read_next()
            if isinstance(term, _Pending):
                if term.size > len(self._data) - self.offset:
                    raise BadInputError(f"a term is damaged at byte {self.offset}: it is too long")
                if term.size:
                    waiting.append(term)
                    continue
                term = term.make(())
            while waiting:
                top = waiting[-1]
                top.parts.append(term)
                if len(top.parts) < top.size:
                    break
                waiting.pop()
                term = top.make(tuple(top.parts))
                if self._large is not None and isinstance(term, tuple) and term[:1] == (_REF,):
                    waiting.append(self._elsewhere(term, self._large))
                    break
                self._left -= top.size
                if self._left < 0:
                    raise BadInputError("a value of the recording is too large")
            else:
                return term

    def _elsewhere(self, ref: tuple[Term, ...], large: Mapping[int, int]) -> _Pending:
        """Decode a large part at its own offset, then continue here; parts inside it have smaller numbers."""
        here, around = self.offset, self._around
        number = ref[1] if len(ref) == 2 and type(ref[1]) is int else -1
        if number not in large or (around is not None and number >= around):
            raise BadInputError(f"a term is damaged at byte {here}: a part of it is missing")
        self.offset, self._around = large[number], number

        def come_back(parts: tuple[Term, ...]) -> Term:
            self.offset, self._around = here, around
            return parts[0]

        return _Pending(come_back, 1)

    def _unpack(self, shape: str) -> Any:
        values = struct.unpack_from(shape, self._data, self.offset)
        self.offset += struct.calcsize(shape)
        return values[0] if len(values) == 1 else values

    def _bytes(self, length: int) -> bytes:
        data = self._data[self.offset : self.offset + length]
        if len(data) < length:
            raise IndexError("it is cut short")
        self.offset += length
        return data

    def _read_next(self) -> Any:
        tag = self._data[self.offset]
        self.offset += 1
        reader = _TAG_READERS.get(tag)
        if reader is None:
            raise BadInputError(f"a term is damaged at byte {self.offset}: there is no tag {tag}")
        return reader(self)

    def _atom(self, shape: str, encoding: str) -> Atom:
        return Atom(self._bytes(self._unpack(shape)).decode(encoding))

    def _big(self, shape: str) -> int:
        length = self._unpack(shape)
        negative = self._unpack("B")
        number = int.from_bytes(self._bytes(length), "little")
        return -number if negative else number

    def _pid(self, shape: str) -> Pid:
        self._read_next()
        number, serial = self._unpack(">II")
        self._unpack(shape)
        return Pid(number, serial)

    def _other(self, kind: str, length: int) -> Opaque:
        self._read_next()
        return Opaque(kind, self._bytes(length))

    def _reference(self, each: int) -> Opaque:
        count = self._unpack(">H")
        self._read_next()
        return Opaque("reference", self._bytes(each + 4 * count))

    def _fun(self) -> _Pending:
        """Decode a fun (NEW_FUN_EXT), whose captured terms follow."""
        self._unpack(">I")
        arity = self._unpack("B")
        self._bytes(16)
        index, free = self._unpack(">II")
        module = self._read_next()
        if not isinstance(module, Atom):
            raise BadInputError(f"a term is damaged at byte {self.offset}: a fun is of no module")
        self._read_next()
        self._read_next()
        self._read_next()
        name = self._names.get((module, index))

        def make(environment: tuple[Term, ...]) -> Fun:
            fun = Fun(module, "", arity, index, environment)
            if name or not fun.expression_place:
                return Fun(module, name, arity) if name else fun
            return evolve(fun, source_text=self._names.get(fun.expression_place, ""))

        return _Pending(make, free)

    def _record(self) -> _Pending:
        """A native record of OTP 29: its module and name, the names of its fields, their values."""
        count, is_exported = self._unpack(">IB")

        def make(parts: tuple[Term, ...]) -> Record:
            module, name, *fields = parts
            if not (isinstance(module, Atom) and isinstance(name, Atom)) or not all(map(_is_atom, fields[:count])):
                raise BadInputError(f"a term is damaged at byte {self.offset}: a record has no names")
            pairs = tuple(zip(fields[:count], fields[count:], strict=True))
            return Record(pairs, module, name, bool(is_exported))

        return _Pending(make, 2 + 2 * count)

    def _bits(self) -> Bits:
        length, last = self._unpack(">IB")
        return Bits(self._bytes(length), last)


def _is_atom(term: Term) -> bool:
    return isinstance(term, Atom)


def _make_tuple(parts: tuple[Term, ...]) -> Term:
    if parts and parts[0] == MORE and len(parts) == 2 and type(parts[1]) is int:
        return Omitted(parts[1])
    return parts


def _make_recorded_tuple(parts: tuple[Term, ...]) -> Term:
    """A tuple of a recorded value, which may encode another kind of value."""
    match parts:
        case (tag, [*groups]) if tag == _MAP:
            return MapTerm(_ordered([pair for group in groups for pair in _pairs(group)]))
        case (tag, bytes(first), bytes(rest)) if tag == _JOIN:
            return first + rest
        case (tag, Atom() as module, int(arity), tuple() as creation) if tag == _FUN:
            return Fun(module, "", arity, None, (creation,))
        case (tag, Atom() as module, Atom() as name, Atom() as exported, [*fields]) if tag == _RECORD:
            return Record(tuple(_pairs(fields)), module, name, exported == "true")
    return _make_tuple(parts)


def _pairs(group: Term) -> list[tuple[Term, Term]]:
    if not isinstance(group, list) or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in group):
        raise BadInputError("a map of the recording is damaged")
    return group


def _make_list(parts: tuple[Term, ...]) -> Term:
    *items, tail = parts
    if isinstance(tail, list):
        return items + tail if tail else items
    if isinstance(tail, Improper):
        return Improper((*items, *tail.items), tail.tail)
    return [*items, tail] if isinstance(tail, Omitted) else Improper(tuple(items), tail)


def _make_map(parts: tuple[Term, ...]) -> MapTerm:
    return MapTerm(_ordered(list(zip(parts[::2], parts[1::2], strict=True))))


def _ordered(pairs: list[tuple[Term, Term]]) -> tuple[tuple[Term, Term], ...]:
    """Pairs in a fixed order, because the order of a large map is an internal of the BEAM."""
    if len(pairs) > _SMALL_MAP_SIZE:
        with suppress(RecursionError):  # a key may be very deep
            pairs.sort(key=lambda pair: (0, pair[0], "") if type(pair[0]) is int else (1, 0, repr(pair[0])))
    return tuple(pairs)


def _make_atom(atom: Atom) -> Term:
    return Omitted(0) if atom == DEEP else atom


def _make_export(parts: tuple[Any, ...]) -> Fun:
    module, name, arity = parts
    return Fun(module, name, arity)


_TAG_READERS: dict[int, Any] = {
    67: lambda d: d._record(),
    70: lambda d: d._unpack(">d"),
    77: lambda d: d._bits(),
    88: lambda d: d._pid(">I"),
    89: lambda d: d._other("port", 8),
    90: lambda d: d._reference(4),
    97: lambda d: d._unpack("B"),
    98: lambda d: d._unpack(">i"),
    99: lambda d: float(d._bytes(31).rstrip(b"\0")),
    100: lambda d: _make_atom(d._atom(">H", "latin-1")),
    102: lambda d: d._other("port", 5),
    103: lambda d: d._pid("B"),
    104: lambda d: _Pending(d.tuples, d._unpack("B")),
    105: lambda d: _Pending(d.tuples, d._unpack(">I")),
    106: lambda _: [],
    107: lambda d: list(d._bytes(d._unpack(">H"))),
    108: lambda d: _Pending(_make_list, d._unpack(">I") + 1),
    109: lambda d: d._bytes(d._unpack(">I")),
    110: lambda d: d._big("B"),
    111: lambda d: d._big(">I"),
    112: lambda d: d._fun(),
    113: lambda _: _Pending(_make_export, 3),
    114: lambda d: d._reference(1),
    115: lambda d: d._atom("B", "latin-1"),
    116: lambda d: _Pending(_make_map, 2 * d._unpack(">I")),
    118: lambda d: _make_atom(d._atom(">H", "utf-8")),
    119: lambda d: _make_atom(d._atom("B", "utf-8")),
    120: lambda d: d._other("port", 12),
}


def canonical(term: Term) -> Iterator[str]:
    """Pieces of text that are equal exactly if the terms are, however deep."""
    waiting: list[Term] = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, MapTerm):
            inside: Sequence[Term] = [part for pair in part.pairs for part in pair]
            if isinstance(part, Record):
                inside = [part.module, part.name, part.is_exported, *inside]
        elif isinstance(part, Improper):
            inside = (*part.items, part.tail)
        elif isinstance(part, list | tuple):
            inside = part
        else:
            yield f"{type(part).__name__} {part!r};"
            continue
        yield f"{type(part).__name__} {len(inside)};"
        waiting += reversed(inside)


def encode(term: Term) -> bytes:
    """Encode a term; a `str` that is not an `Atom` becomes a binary."""
    return b"\x83" + _encoded(term)


def _encoded(term: Term) -> bytes:
    """Encode a term in the external term format, without the version byte."""
    if isinstance(term, Atom):
        name = term.encode()
        return struct.pack(">BH", 118, len(name)) + name
    if isinstance(term, bool):
        return _encoded(Atom("true" if term else "false"))
    if isinstance(term, int):
        return _encoded_int(term)
    if isinstance(term, str):
        return _encoded(term.encode())
    if isinstance(term, bytes):
        return struct.pack(">BI", 109, len(term)) + term
    if isinstance(term, float):
        return struct.pack(">Bd", 70, term)
    if isinstance(term, Bits):
        return struct.pack(">BIB", 77, len(term.data), term.last) + term.data
    if isinstance(term, Record):
        parts = [term.module, term.name, *(key for key, _ in term.pairs), *(value for _, value in term.pairs)]
        return struct.pack(">BIB", 67, len(term.pairs), term.is_exported) + b"".join(map(_encoded, parts))
    if isinstance(term, MapTerm):
        parts = [_encoded(part) for pair in term.pairs for part in pair]
        return struct.pack(">BI", 116, len(term.pairs)) + b"".join(parts)
    if isinstance(term, Improper):
        items = b"".join(map(_encoded, term.items))
        return struct.pack(">BI", 108, len(term.items)) + items + _encoded(term.tail)
    if isinstance(term, Pid):
        return b"X" + _NODE_ATOM + struct.pack(">III", term.number, term.serial, 0)
    if isinstance(term, Opaque) and term.kind == "reference":
        return struct.pack(">BH", 90, len(term.data) // 4 - 1) + _NODE_ATOM + term.data
    if isinstance(term, tuple):
        return struct.pack(">BI", 105, len(term)) + b"".join(map(_encoded, term))
    if isinstance(term, Mapping):
        pairs = [_encoded(key) + _encoded(value) for key, value in term.items()]
        return struct.pack(">BI", 116, len(pairs)) + b"".join(pairs)
    if isinstance(term, Sequence):
        items = b"".join(map(_encoded, term))
        return struct.pack(">BI", 108, len(term)) + items + b"j" if term else b"j"
    raise TypeError(f"{type(term).__name__} is no Erlang term")


def _encoded_int(number: int) -> bytes:
    if -(1 << 31) <= number < 1 << 31:
        return struct.pack(">Bi", 98, number)
    data = abs(number).to_bytes((number.bit_length() + 7) // 8, "little")
    return struct.pack(">BIB", 111, len(data), number < 0) + data


def is_run_specific(values: Term) -> bool:
    """Whether a value contains a pid, reference, port or fun, which another run does not have."""
    return _contains_any(values, Pid | Opaque | Fun)


def contains_fun(values: Term) -> bool:
    """Whether a value contains a fun."""
    return _contains_any(values, Fun)


def _contains_any(values: Term, kinds: type | UnionType) -> bool:
    waiting: list[Term] = [values]
    while waiting:
        part = waiting.pop()
        if isinstance(part, kinds):
            return True
        if isinstance(part, list | tuple):
            waiting += part
        elif isinstance(part, MapTerm):
            waiting += [part for pair in part.pairs for part in pair]
        elif isinstance(part, Improper):
            waiting += (*part.items, part.tail)
    return False
