"""Digests of recorded values: equal for two values exactly when they have the same structure.

The whole structure counts, however deep. Mutable objects are named by the order in which they are first met, so that
sharing and cycles count and addresses do not; the order of sets and of plain dictionaries does not count.
"""

import hashlib
import math
import struct

from adebug_lsp.languages.python.reading.heap.object_states import Heap
from adebug_lsp.languages.python.reading.recorded_values import (
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
"""Ends the digest of a value that leads to a state that is not recorded, such as that of an iterator or a file."""
_CODE = frozenset(
    [
        *("function", "method", "module", "builtin_function_or_method", "method-wrapper"),
        *("method_descriptor", "wrapper_descriptor", "classmethod_descriptor"),
    ]
)
"""Types of what is known by its name, and has no state but its receiver's."""
_SORT_DEPTH = 6
_MOST_VISITS = 1000
"""How often a tuple around mutable objects is written out before it is named instead: tuples can share their parts so
that writing them out would never end."""

Token = bytes | int
"""Work list: bytes to hash, or the number of a value to visit."""


class Digester:
    """Digests of the values of one recording."""

    def __init__(self, values: Values, heap: Heap) -> None:
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
            found = self._values.value(token)
            hidden = hidden or (isinstance(found, Opaque) and _hides(found))
            visits[token] = visits.get(token, 0) + 1
            if isinstance(found, Object | Opaque) or visits[token] > _MOST_VISITS:
                names[token] = len(names)
            waiting.extend(reversed(self._tokens(token, found, position, _SORT_DEPTH)))
        return taken.hexdigest() + HIDDEN * hidden

    def _tokens(self, number: int, found: Described, position: int, depth: int) -> list[Token]:
        """The parts of a value that leads to mutable objects; unordered parts are sorted by what is known so far."""
        if isinstance(found, TupleLike):
            items = self._sorted(found.items, position, depth) if found.type == "frozenset" else found.items
            return [_text(found.type, len(items)), *items]
        if isinstance(found, Derived):
            return [_text("derived", found.type.full_name), found.value]
        if isinstance(found, Opaque):
            head = _text("opaque", found.type.full_name, found.module, found.name)
            return [head] if found.receiver is None else [head, found.receiver]
        if isinstance(found, Object):
            return self._object(number, found, position, depth)
        return [self._name(found), *self._parts(found)]

    def _object(self, number: int, found: Object, position: int, depth: int) -> list[Token]:
        state = self._heap.state(number, position)
        tokens: list[Token] = [_text("object", found.type.full_name, state.shape, state.uncertain)]
        if found.extra is not None:
            tokens.append(found.extra)
        if state.shape == "mapping":
            pairs = list(state.pairs)
            if found.type.base != "ordered":
                pairs.sort(key=lambda pair: self._rank(pair[0], position, depth))
            tokens += [_text(len(pairs)), *(token for pair in pairs for token in pair)]
        elif state.shape == "set":
            tokens += [_text(len(state.items)), *self._sorted(state.items, position, depth)]
        else:
            tokens += [_text(len(state.items)), *state.items, _text(state.data)]
        for name, value in sorted(state.attributes):
            tokens += [_text("attribute", name), value]
        return [*tokens, b";"]

    def _sorted(self, numbers: tuple[int, ...], position: int, depth: int) -> list[int]:
        return sorted(numbers, key=lambda number: self._rank(number, position, depth))

    def _rank(self, number: int, position: int, depth: int) -> bytes:
        """A digest that looks only so far, to put the items of a set in an order that is the same in every run."""
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
        """The digest of a value in which there is nothing mutable, or None; each is computed once."""
        waiting = [number]
        while waiting:
            top = waiting[-1]
            if top in self._pure:
                waiting.pop()
                continue
            found = self._values.value(top)
            parts = (
                found.items if isinstance(found, TupleLike) else (found.value,) if isinstance(found, Derived) else ()
            )
            missing = [part for part in parts if part not in self._pure]
            if missing and not set(missing) & set(waiting):
                waiting.extend(missing)
            else:
                self._pure[top] = self._join(found, [self._pure.get(part) for part in parts])
        return self._pure[number]

    def _parts(self, found: Described) -> tuple[int, ...]:
        """The parts of an immutable value."""
        if isinstance(found, TupleLike):
            return found.items
        if isinstance(found, Derived) or (isinstance(found, Member) and self._values.atom(found.name) is None):
            return (found.value,)
        return ()

    def _join(self, found: Described, parts: list[bytes | None]) -> bytes | None:
        if isinstance(found, Object | Opaque) or None in parts:
            return None
        inner = [part for part in parts if part is not None]
        if isinstance(found, Atom):
            return _atom(found)
        if isinstance(found, TupleLike):
            if found.type == "frozenset":
                inner.sort()
            return _short(_text(found.type, len(inner)) + b"".join(inner))
        if isinstance(found, Derived):
            return _short(_text("derived", found.type.full_name) + inner[0])
        return _short(self._name(found) + b"".join(inner))

    def _name(self, found: Described) -> bytes:
        """The key of an enumeration member or a class."""
        if isinstance(found, Member):
            return _text("member", found.type.full_name, self._values.atom(found.name))
        return _text("class", found.full_name if isinstance(found, TypeInfo) else "")


def _hides(found: Opaque) -> bool:
    """Whether something has a state that is not recorded; a function made inside another has the other's variables."""
    return found.type.name not in _CODE or "<" in str(found.name)


def _atom(found: Atom) -> bytes:
    value = found.value
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
    whole = _text(found.type, len(data)) + data
    return whole if len(whole) <= 40 else _short(whole)


def _short(data: bytes) -> bytes:
    return b"#" + hashlib.blake2b(data, digest_size=20).digest()


def _text(*parts: object) -> bytes:
    """Bytes that no other parts give, and that end where they end."""
    data = repr(parts).encode("utf-8", "backslashreplace")
    return struct.pack("<I", len(data)) + data
