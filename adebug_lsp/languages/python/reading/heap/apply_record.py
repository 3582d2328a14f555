"""Applies one record to the content of a container or to the attributes of an object.

A draft is content that is being rebuilt, in numbers of values. Each method mirrors the one of the builtin type that it
is named after. A record whose effect cannot be known raises `CannotApply`, always before anything was changed.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import Any, Protocol

from attrs import field, frozen, mutable

from adebug_lsp.languages.python.reading.heap.keys import OwnEquality
from adebug_lsp.languages.python.reading.recorded_values import Atom, Object, TupleLike

MOST_MADE = 1 << 20
"""Maximum number of items derived from a range or a string."""
_CONTAINERS = ("list", "deque", "dict", "ordered", "set", "bytearray")


class CannotApply(Exception):  # noqa: N818 - expected; not a fault
    """The effect of a record is unknown."""


@frozen
class Part:
    """The content of an object, or its attributes, at one moment."""

    shape: str
    items: tuple[int, ...] = ()
    """For a sequence or set: the numbers of its items."""
    pairs: tuple[tuple[int, int], ...] = ()
    """For a mapping: the numbers of each key and value."""
    names: tuple[tuple[str, int], ...] = ()
    """For an object: its attributes."""
    data: bytes = b""
    uncertain: bool = False
    ordered: bool = True
    """Whether the order of the items is known; for a changed set it may not be."""


class World(Protocol):
    """The parts of the recording that a draft needs."""

    def describe(self, number: int) -> Any:
        """The value with this number."""

    def make(self, value: str | int | None) -> int:
        """The number of an atom that no tape names."""

    def key(self, number: int, position: int) -> Hashable:
        """The key of a value in a table; raises `OwnEquality`."""

    def content(self, number: int, position: int) -> Part | None:
        """The state of a mutable object just before a position."""


def has_effect_in_other_records(world: World, name: str, arguments: tuple[int, ...]) -> bool:
    """Whether other records describe the effect of a method, because it consumed an iterator and cannot be replayed.

    Its own record has None for the iterator, with which the method would have failed.
    """
    if name not in ITERATING or len(arguments) != 1:
        return False
    described = world.describe(arguments[0])
    return isinstance(described, Atom) and described.value is None


ITERATING = frozenset(
    [
        *("extend", "extendleft", "update", "subtract"),
        *("difference_update", "intersection_update", "symmetric_difference_update"),
    ]
)
"""Methods that iterate over their argument."""


@mutable
class Draft(ABC):
    """Content that is being rebuilt."""

    certain: bool = True

    @abstractmethod
    def size(self) -> int:
        """The cost of a copy, in items."""

    @abstractmethod
    def copy(self) -> "Draft":
        """An independent copy."""

    @abstractmethod
    def freeze(self) -> Part:
        """The content as it is now."""

    @abstractmethod
    def set_item(self, world: World, position: int, key: int, value: int) -> None:
        """`o[key] = value`, or `o.key = value`."""

    @abstractmethod
    def del_item(self, world: World, position: int, key: int) -> None:
        """`del o[key]`, or `del o.key`."""

    @abstractmethod
    def call(self, world: World, position: int, name: str, arguments: tuple[int, ...]) -> None:
        """Apply a call of a mutating method."""


def integer(world: World, number: int) -> int:
    """A whole number that must be known."""
    described = world.describe(number)
    if isinstance(described, Atom) and isinstance(described.value, int):
        return described.value
    raise CannotApply


def slice_of(world: World, number: int) -> slice | None:
    """A slice of whole numbers, or None if the value is no slice."""
    described = world.describe(number)
    if not (isinstance(described, TupleLike) and described.type == "slice"):
        return None
    return slice(*(_bound(world, item) for item in described.items))


def _bound(world: World, number: int) -> int | None:
    described = world.describe(number)
    if isinstance(described, Atom) and described.value is None:
        return None
    return integer(world, number)


def iterate(world: World, number: int, position: int) -> list[int]:
    """The items of a value, if iterating over it runs no code of the program."""
    described = world.describe(number)
    if isinstance(described, TupleLike):
        return _iterate_range(world, described) if described.type == "range" else _items_of(described)
    if isinstance(described, Atom) and isinstance(described.value, str | bytes) and len(described.value) <= MOST_MADE:
        return [world.make(item) for item in described.value]
    if isinstance(described, Object) and described.type.base in _CONTAINERS:
        part = world.content(number, position)
        if part is None or part.uncertain or not part.ordered:
            raise CannotApply
        if part.shape == "bytes":
            return [world.make(item) for item in part.data]
        return list(part.items) if part.shape != "mapping" else [key for key, _value in part.pairs]
    raise CannotApply


def _items_of(sequence: TupleLike) -> list[int]:
    if sequence.type == "slice":
        raise CannotApply
    return list(sequence.items)


def _iterate_range(world: World, sequence: TupleLike) -> list[int]:
    try:
        numbers = range(*(integer(world, item) for item in sequence.items))
        if len(numbers) > MOST_MADE:
            raise CannotApply
    except (ValueError, OverflowError, TypeError):
        raise CannotApply from None
    return [world.make(item) for item in numbers]


def members(world: World, number: int, position: int) -> list[int]:
    """Like `iterate`, if the order does not matter."""
    described = world.describe(number)
    if isinstance(described, Object) and described.type.base == "set":
        part = world.content(number, position)
        if part is None or part.uncertain:
            raise CannotApply
        return list(part.items)
    return iterate(world, number, position)


@mutable
class Sequence(Draft):
    """A list or deque."""

    items: list[int] = field(factory=list)
    most: int | None = None
    """The maximum length of a deque."""

    def size(self) -> int:
        """The cost of a copy, in items."""
        return len(self.items)

    def copy(self) -> "Sequence":
        """An independent copy."""
        return Sequence(self.certain, list(self.items), self.most)

    def freeze(self) -> Part:
        """The content as it is now."""
        return Part("sequence", items=tuple(self.items), uncertain=not self.certain)

    def set_item(self, world: World, position: int, key: int, value: int) -> None:
        """`o[key] = value`."""
        where = slice_of(world, key)
        new: Any = value if where is None else iterate(world, value, position)
        try:
            self.items[integer(world, key) if where is None else where] = new
        except (IndexError, ValueError):
            raise CannotApply from None

    def del_item(self, world: World, _position: int, key: int) -> None:
        """`del o[key]`."""
        where = slice_of(world, key)
        try:
            del self.items[integer(world, key) if where is None else where]
        except IndexError:
            raise CannotApply from None

    def call(self, world: World, position: int, name: str, arguments: tuple[int, ...]) -> None:
        """Apply a call of a mutating method."""
        method = _SEQUENCE.get((name, len(arguments)))
        if method is None:
            raise CannotApply
        method(self, world, position, *arguments)
        if self.most is not None and len(self.items) > self.most:
            excess = len(self.items) - self.most
            self.items = self.items[:-excess] if name in ("appendleft", "extendleft") else self.items[excess:]

    def extend(self, world: World, position: int, number: int) -> None:
        """`o.extend(number)`."""
        self.items += iterate(world, number, position)

    def extendleft(self, world: World, position: int, number: int) -> None:
        """`o.extendleft(number)`."""
        self.items[:0] = reversed(iterate(world, number, position))

    def insert(self, world: World, _position: int, index: int, number: int) -> None:
        """`o.insert(index, number)`."""
        self.items.insert(integer(world, index), number)

    def pop(self, world: World, _position: int, index: int | None = None) -> None:
        """`o.pop(index)`."""
        try:
            self.items.pop(-1 if index is None else integer(world, index))
        except IndexError:
            raise CannotApply from None

    def remove(self, world: World, position: int, number: int) -> None:
        """`o.remove(number)`: the first that is the same or equal."""
        for index, item in enumerate(self.items):
            if item == number or _equal(world, position, item, number):
                del self.items[index]
                return
        raise CannotApply

    def rotate(self, world: World, _position: int, steps: int | None = None) -> None:
        """`o.rotate(steps)`."""
        if self.items:
            by = (1 if steps is None else integer(world, steps)) % len(self.items)
            self.items = self.items[-by:] + self.items[:-by]

    def multiply(self, world: World, _position: int, times: int) -> None:
        """`o *= times`."""
        by = integer(world, times)
        if by * len(self.items) > MOST_MADE:
            raise CannotApply
        self.items *= by


def _equal(world: World, position: int, first: int, other: int) -> bool:
    try:
        return world.key(first, position) == world.key(other, position)
    except OwnEquality:
        raise CannotApply from None


_SEQUENCE: dict[tuple[str, int], Callable[..., None]] = {
    ("append", 1): lambda draft, _world, _position, number: draft.items.append(number),
    ("appendleft", 1): lambda draft, _world, _position, number: draft.items.insert(0, number),
    ("extend", 1): Sequence.extend,
    ("__iadd__", 1): Sequence.extend,
    ("__imul__", 1): Sequence.multiply,
    ("extendleft", 1): Sequence.extendleft,
    ("insert", 2): Sequence.insert,
    ("pop", 0): Sequence.pop,
    ("pop", 1): Sequence.pop,
    ("popped", 1): lambda draft, world, position, _item: draft.pop(world, position),
    ("popleft", 0): lambda draft, world, position: draft.pop(world, position, world.make(0)),
    ("remove", 1): Sequence.remove,
    ("clear", 0): lambda draft, _world, _position: draft.items.clear(),
    ("reverse", 0): lambda draft, _world, _position: draft.items.reverse(),
    ("rotate", 0): Sequence.rotate,
    ("rotate", 1): Sequence.rotate,
    ("__setitem__", 2): Sequence.set_item,
    ("__delitem__", 1): Sequence.del_item,
}


@mutable
class Bytes(Draft):
    """A bytearray."""

    data: bytearray = field(factory=bytearray)

    def size(self) -> int:
        """The cost of a copy, in items."""
        return len(self.data)

    def copy(self) -> "Bytes":
        """An independent copy."""
        return Bytes(self.certain, bytearray(self.data))

    def freeze(self) -> Part:
        """The content as it is now."""
        return Part("bytes", data=bytes(self.data), uncertain=not self.certain)

    def set_item(self, world: World, position: int, key: int, value: int) -> None:
        """`o[key] = value`."""
        where = slice_of(world, key)
        self._try(
            lambda: self._put(integer(world, key) if where is None else where, self._bytes(world, position, value))
        )

    def _put(self, where: int | slice, new: Any) -> None:
        self.data[where] = new

    def del_item(self, world: World, _position: int, key: int) -> None:
        """`del o[key]`."""
        where = slice_of(world, key)
        self._try(lambda: self.data.__delitem__(integer(world, key) if where is None else where))

    def call(self, world: World, position: int, name: str, arguments: tuple[int, ...]) -> None:
        """Apply a call of a mutating method."""
        method = {"__iadd__": "extend", "__imul__": "__imul__", "__setitem__": "", "__delitem__": ""}.get(name, name)
        if name == "__setitem__" and len(arguments) == 2:
            self.set_item(world, position, *arguments)
        elif name == "__delitem__" and len(arguments) == 1:
            self.del_item(world, position, *arguments)
        elif name == "popped":
            self._try(self.data.pop)
        elif method in ("append", "extend", "insert", "pop", "remove", "clear", "reverse", "__imul__"):
            operands = [self._bytes(world, position, argument) for argument in arguments]
            if method == "__imul__" and (not isinstance(operands[0], int) or operands[0] * len(self.data) > MOST_MADE):
                raise CannotApply
            self._try(lambda: getattr(self.data, method)(*operands))
        else:
            raise CannotApply

    def _bytes(self, world: World, position: int, number: int) -> Any:
        """A whole number, or bytes."""
        described = world.describe(number)
        if isinstance(described, Atom):
            return described.value
        return bytes(integer(world, item) for item in iterate(world, number, position))

    def _try(self, change: Callable[[], Any]) -> None:
        try:
            change()
        except (TypeError, ValueError, IndexError):
            raise CannotApply from None


@mutable
class Attributes(Draft):
    """The attributes of an object."""

    names: dict[str, int] = field(factory=dict)

    def size(self) -> int:
        """The cost of a copy, in items."""
        return len(self.names)

    def copy(self) -> "Attributes":
        """An independent copy."""
        return Attributes(self.certain, dict(self.names))

    def freeze(self) -> Part:
        """The content as it is now."""
        return Part("attributes", names=tuple(self.names.items()), uncertain=not self.certain)

    def set_item(self, world: World, _position: int, key: int, value: int) -> None:
        """`o.key = value`."""
        self.names[self._name(world, key)] = value

    def del_item(self, world: World, _position: int, key: int) -> None:
        """`del o.key`."""
        if self.names.pop(self._name(world, key), None) is None:
            raise CannotApply

    def call(self, _world: World, _position: int, _name: str, _arguments: tuple[int, ...]) -> None:
        """No known method changes attributes."""
        raise CannotApply

    def _name(self, world: World, number: int) -> str:
        described = world.describe(number)
        if isinstance(described, Atom) and isinstance(described.value, str):
            return described.value
        raise CannotApply
