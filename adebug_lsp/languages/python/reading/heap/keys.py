"""Equality of recorded values, as far as dictionaries and sets need it.

Two values have the same key exactly when the recorded program would have found one in place of the other: 1, 1.0 and
True are one key, tuples are compared part by part, dataclasses by their fields, other objects by identity.
"""

from collections.abc import Callable, Hashable
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from adebug_lsp.languages.python.reading.recorded_values import (
    Atom,
    Derived,
    Described,
    Member,
    Object,
    TupleLike,
    TypeInfo,
    Values,
)

Attributes = Callable[[int, int], dict[str, int]]
"""The attributes of an object at a position."""

_DEEPEST = 100


class OwnEquality(Exception):  # noqa: N818 - says what is the case, not what went wrong
    """The recorded program itself decides whether the value equals another; the reader cannot know."""


class Keys:
    """Keys of values."""

    def __init__(self, values: Values, attributes: Attributes) -> None:
        self._values = values
        self._attributes = attributes

    def key(self, number: int, position: int, depth: int = 0) -> Hashable:
        """The key of a value in a table; raises `OwnEquality`."""
        if depth > _DEEPEST:
            raise OwnEquality
        found = self._values.value(number)
        if isinstance(found, Atom):
            return ("nan", number) if found.value != found.value else found.value
        if isinstance(found, TupleLike):
            parts = (self.key(item, position, depth + 1) for item in found.items)
            return (found.type, frozenset(parts) if found.type == "frozenset" else tuple(parts))
        if isinstance(found, Derived):
            return self._derived(found, position, depth)
        if isinstance(found, Member):
            return ("member", found.type.full_name, self._values.atom(found.name))
        return self._object(number, found, position, depth)

    def _derived(self, found: Derived, position: int, depth: int) -> Hashable:
        if found.type.base != "built":
            if found.type.equal == "user":
                raise OwnEquality
            return self.key(found.value, position, depth + 1)
        arguments = [self._values.atom(item) for item in self._values.items(found.value)]
        try:
            if found.type.name == "Decimal":
                number = Decimal(arguments[0])
                return ("nan", found) if number.is_nan() else number
            if found.type.name == "Fraction":
                return Fraction(arguments[0], arguments[1])
        except (InvalidOperation, TypeError, ValueError, ZeroDivisionError, IndexError):
            raise OwnEquality from None
        return ("built", found.type.full_name, self.key(found.value, position, depth + 1))

    def _object(self, number: int, found: Described, position: int, depth: int) -> Hashable:
        if not isinstance(found, Object):
            return ("type", found.full_name, number) if isinstance(found, TypeInfo) else ("object", number)
        if found.type.equal == "dataclass" and found.type.fields is not None:
            held = self._attributes(number, position)
            names = [name for name, _shown, compared in found.type.fields if compared]
            if any(name not in held for name in names):
                raise OwnEquality
            parts = tuple(self.key(held[name], position, depth + 1) for name in names)
            return ("dataclass", found.type.full_name, parts)
        if found.type.equal == "user":
            raise OwnEquality
        if found.type.equal == "builtin" and found.extra is not None and found.type.base in _PLAIN:
            return self.key(found.extra, position, depth + 1)
        return ("object", number)


_PLAIN = frozenset(("int", "float", "complex", "str", "bytes", "tuple", "frozenset"))
