"""Equality of recorded values, as dictionaries and sets need it.

Two values have the same key exactly if the recorded program would have found one by the other: 1, 1.0 and True are one
key, tuples are compared part by part, dataclasses by their fields, other objects by identity.
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


class OwnEquality(Exception):  # noqa: N818 - names a condition, not an error
    """Raised if the program's own `__eq__` decides about equality, which the reader cannot know."""


class Keys:
    """Keys of values."""

    def __init__(self, values: Values, attributes: Attributes) -> None:
        self._values = values
        self._attributes = attributes

    def key(self, number: int, position: int, depth: int = 0) -> Hashable:
        """The key of a value in a table; raises `OwnEquality`."""
        if depth > _DEEPEST:
            raise OwnEquality
        value = self._values.value(number)
        if isinstance(value, Atom):
            return ("nan", number) if value.value != value.value else value.value
        if isinstance(value, TupleLike):
            parts = (self.key(item, position, depth + 1) for item in value.items)
            return (value.type, frozenset(parts) if value.type == "frozenset" else tuple(parts))
        if isinstance(value, Derived):
            return self._derived(value, position, depth)
        if isinstance(value, Member):
            return ("member", value.type.full_name, self._values.atom(value.name))
        return self._object(number, value, position, depth)

    def _derived(self, derived: Derived, position: int, depth: int) -> Hashable:
        """The key of a value of a derived class."""
        if derived.type.base != "built":
            if derived.type.equal == "user":
                raise OwnEquality
            return self.key(derived.value, position, depth + 1)
        arguments = [self._values.atom(item) for item in self._values.items(derived.value)]
        try:
            if derived.type.name == "Decimal":
                number = Decimal(arguments[0])
                return ("nan", derived) if number.is_nan() else number
            if derived.type.name == "Fraction":
                return Fraction(arguments[0], arguments[1])
        except (InvalidOperation, TypeError, ValueError, ZeroDivisionError, IndexError):
            raise OwnEquality from None
        return ("built", derived.type.full_name, self.key(derived.value, position, depth + 1))

    def _object(self, number: int, value: Described, position: int, depth: int) -> Hashable:
        """The key of an object: by its fields for a dataclass, otherwise by identity."""
        if not isinstance(value, Object):
            return ("type", value.full_name, number) if isinstance(value, TypeInfo) else ("object", number)
        if value.type.equal == "dataclass" and value.type.fields is not None:
            held = self._attributes(number, position)
            names = [name for name, _shown, compared in value.type.fields if compared]
            if any(name not in held for name in names):
                raise OwnEquality
            parts = tuple(self.key(held[name], position, depth + 1) for name in names)
            return ("dataclass", value.type.full_name, parts)
        if value.type.equal == "user":
            raise OwnEquality
        if value.type.equal == "builtin" and value.extra is not None and value.type.base in _PLAIN:
            return self.key(value.extra, position, depth + 1)
        return ("object", number)


_PLAIN = frozenset(("int", "float", "complex", "str", "bytes", "tuple", "frozenset"))
