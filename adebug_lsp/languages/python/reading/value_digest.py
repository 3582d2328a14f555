"""Digests of recorded values: equal exactly if two values have the same structure.

The whole structure counts, however deep. Mutable objects are named by the order of their first occurrence, so that
sharing and cycles count and addresses do not. The order of sets and of plain dictionaries does not count.
"""

import hashlib
import math
import struct
from collections.abc import Callable

from attrs import evolve

from adebug_lsp.languages.python.reading.array_elements import checksum, is_exact
from adebug_lsp.languages.python.reading.heap.object_states import Heap, State
from adebug_lsp.languages.python.reading.recorded_values import (
    STREAMS,
    Atom,
    Derived,
    Described,
    Member,
    Object,
    Opaque,
    TupleLike,
    TypeInfo,
    Values,
)

HIDDEN = "?"
"""Suffix of the digest of a value with unrecorded state, such as an iterator or a file."""
_CODE = frozenset(
    [
        *("function", "method", "module", "builtin_function_or_method", "method-wrapper"),
        *("method_descriptor", "wrapper_descriptor", "classmethod_descriptor"),
    ]
)
"""Types of values that are identified by a name, and have no state except their receiver's."""
_SORT_DEPTH = 6
_MOST_VISITS = 1000
"""How often a tuple around mutable objects is expanded before it is named instead: tuples can share parts so that
expanding them would never end.
"""

Token = bytes | int
"""An item of the work list: bytes to hash, or the number of a value to visit."""


class Digester:
    """Computes the digests of the values of one recording."""

    def __init__(self, values: Values, heap: Heap, plain: Callable[[str], str] = str) -> None:
        """`plain` removes parts of a text that do not count."""
        self._plain = plain
        self._values = values
        self._heap = heap
        self._pure: dict[int, bytes | None] = {}

    def digest(self, number: int, position: int) -> str:
        """The digest of a value as it was just before a position."""
        taken = hashlib.blake2b(digest_size=20)
        names: dict[int, int] = {}
        visits: dict[int, int] = {}
        hidden = False
        waiting: list[Token] = [number]
        while waiting:
            token = waiting.pop()
            if isinstance(token, bytes):
                taken.update(token)
                continue
            pure = self._pure_digest(token)
            if pure is not None:
                taken.update(pure)
                continue
            if token in names:
                taken.update(_text("again", names[token]))
                continue
            value = self._values.value(token)
            hidden = hidden or (isinstance(value, Opaque) and _hides(value)) or self._is_sampled(token, value, position)
            visits[token] = visits.get(token, 0) + 1
            if isinstance(value, Object | Opaque) or visits[token] > _MOST_VISITS:
                names[token] = len(names)
            waiting.extend(reversed(self._tokens(token, value, position, _SORT_DEPTH)))
        return taken.hexdigest() + HIDDEN * hidden

    def _is_sampled(self, number: int, value: Described, position: int) -> bool:
        """Whether only some elements of an array count."""
        return (
            isinstance(value, Object)
            and value.type.base == "array"
            and not is_exact(self._values, self._heap.state(number, position))
        )

    def _tokens(self, number: int, value: Described, position: int, depth: int) -> list[Token]:
        """The parts of a value that leads to mutable objects; unordered parts are sorted by their digests so far."""
        if isinstance(value, TupleLike):
            items = self._sorted(value.items, position, depth) if value.type == "frozenset" else value.items
            return [_text(value.type, len(items)), *items]
        if isinstance(value, Derived):
            return [_text("derived", value.type.full_name), value.value]
        if isinstance(value, Opaque):
            is_file = value.type.module == STREAMS  # which one it is differs between two runs of a test
            head = _text("opaque", value.type.full_name, value.module, None if is_file else value.name)
            return [head] if value.receiver is None else [head, value.receiver]
        if isinstance(value, Object):
            return self._object(number, value, position, depth)
        return [self._name(value), *self._parts(value)]

    def _object(self, number: int, obj: Object, position: int, depth: int) -> list[Token]:
        """The parts of a mutable object, which is named at its first occurrence."""
        state = self._heap.state(number, position)
        if obj.type.base == "array":
            return self._array(obj, state)
        tokens: list[Token] = [_text("object", obj.type.full_name, state.shape, state.uncertain)]
        if obj.extra is not None:
            tokens.append(obj.extra)
        if state.shape == "mapping":
            pairs = list(state.pairs)
            if obj.type.base != "ordered":
                pairs.sort(key=lambda pair: self._rank(pair[0], position, depth))
            tokens += [_text(len(pairs)), *(token for pair in pairs for token in pair)]
        elif state.shape == "set":
            tokens += [_text(len(state.items)), *self._sorted(state.items, position, depth)]
        else:
            tokens += [_text(len(state.items)), *state.items, _text(state.data)]
        for name, value in sorted(state.attributes):
            tokens += [_text("attribute", name), value]
        return [*tokens, b";"]

    def _array(self, obj: Object, state: State) -> list[Token]:
        """An array by its checksum, because one recording of it may be whole and another have only that."""
        held = dict(state.attributes)
        parts = [held[name] for name in ("shape", "dtype", "items", "sample") if name in held]
        return [_text("array", obj.type.full_name, state.uncertain, checksum(self._values, state)), *parts, b";"]

    def _sorted(self, numbers: tuple[int, ...], position: int, depth: int) -> list[int]:
        return sorted(numbers, key=lambda number: self._rank(number, position, depth))

    def _rank(self, number: int, position: int, depth: int) -> bytes:
        """A digest of limited depth, which sorts the items of a set in the same order in every run."""
        pure = self._pure_digest(number)
        if pure is not None:
            return pure
        if not depth:
            return b""
        taken = hashlib.blake2b(digest_size=16)
        for token in self._tokens(number, self._values.value(number), position, depth - 2):
            taken.update(token if isinstance(token, bytes) else self._rank(token, position, depth - 2))
        return taken.digest()

    def _pure_digest(self, number: int) -> bytes | None:
        """The cached digest of a value without mutable parts; None for other values."""
        waiting = [number]
        while waiting:
            top = waiting[-1]
            if top in self._pure:
                waiting.pop()
                continue
            value = self._values.value(top)
            parts = (
                value.items if isinstance(value, TupleLike) else (value.value,) if isinstance(value, Derived) else ()
            )
            missing = [part for part in parts if part not in self._pure]
            if missing and not set(missing) & set(waiting):
                waiting.extend(missing)
            else:
                self._pure[top] = self._join(value, [self._pure.get(part) for part in parts])
        return self._pure[number]

    def _parts(self, value: Described) -> tuple[int, ...]:
        """The parts of an immutable value."""
        if isinstance(value, TupleLike):
            return value.items
        if isinstance(value, Derived) or (isinstance(value, Member) and self._values.atom(value.name) is None):
            return (value.value,)
        return ()

    def _join(self, value: Described, parts: list[bytes | None]) -> bytes | None:
        """The digest of an immutable value from those of its parts; None if a part is mutable."""
        if isinstance(value, Object | Opaque) or None in parts:
            return None
        inner = [part for part in parts if part is not None]
        if isinstance(value, Atom):
            return _atom(evolve(value, value=self._plain(value.value)) if isinstance(value.value, str) else value)
        if isinstance(value, TupleLike):
            if value.type == "frozenset":
                inner.sort()
            return _short(_text(value.type, len(inner)) + b"".join(inner))
        if isinstance(value, Derived):
            return _short(_text("derived", value.type.full_name) + inner[0])
        return _short(self._name(value) + b"".join(inner))

    def _name(self, value: Described) -> bytes:
        """The key of an enumeration member or a class."""
        if isinstance(value, Member):
            return _text("member", value.type.full_name, self._values.atom(value.name))
        return _text("class", value.full_name if isinstance(value, TypeInfo) else "")


def _hides(opaque: Opaque) -> bool:
    """Whether a value has unrecorded state; a nested function has the variables of the enclosing one."""
    return opaque.type.name not in _CODE or "<" in str(opaque.name)


def _atom(atom: Atom) -> bytes:
    value = atom.value
    if isinstance(value, str):
        data = value.encode("utf-8", "surrogatepass")
    elif isinstance(value, bytes):
        data = value
    elif isinstance(value, float):
        data = b"nan" if math.isnan(value) else struct.pack("<d", value)
    elif isinstance(value, int) and not isinstance(value, bool):
        data = hex(value).encode()
    else:
        data = repr(value).encode()
    whole = _text(atom.type, len(data)) + data
    return whole if len(whole) <= 40 else _short(whole)


def _short(data: bytes) -> bytes:
    return b"#" + hashlib.blake2b(data, digest_size=20).digest()


def _text(*parts: object) -> bytes:
    """Encodes parts so that different parts have different bytes."""
    data = repr(parts).encode("utf-8", "backslashreplace")
    return struct.pack("<I", len(data)) + data
