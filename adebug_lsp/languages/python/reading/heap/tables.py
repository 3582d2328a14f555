"""Dictionaries and sets that are being rebuilt: the effect of each method on a table of keys.

Keys that the recorded program compares by its own code are distinguished by identity. Once that could matter, because
another such key is there, the effect is unknown.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from attrs import field, mutable

from adebug_lsp.languages.python.reading.heap.apply_record import (
    CannotApply,
    Draft,
    Part,
    World,
    integer,
    iterate,
    members,
)
from adebug_lsp.languages.python.reading.heap.keys import OwnEquality
from adebug_lsp.languages.python.reading.recorded_values import Object


@mutable
class Table(Draft):
    """A dictionary, as an ordered map from keys to the numbers of key and value. In a set, both numbers are equal."""

    pairs: dict[Hashable, tuple[int, int]] = field(factory=dict)
    kind: str = "dict"
    """`dict`, `ordered`, `counter` or `set`."""
    ordered: bool = True
    own: int = 0
    """The number of keys with an equality of their own."""

    def size(self) -> int:
        """The cost of a copy, in items."""
        return len(self.pairs)

    def copy(self) -> "Table":
        """An independent copy."""
        return Table(self.certain, dict(self.pairs), self.kind, self.ordered, self.own)

    def freeze(self) -> Part:
        """The content as it is now."""
        if self.kind == "set":
            items = tuple(number for number, _same in self.pairs.values())
            return Part("set", items=items, uncertain=not self.certain, ordered=self.ordered)
        return Part("mapping", pairs=tuple(self.pairs.values()), uncertain=not self.certain)

    def fill(self, world: World, position: int, pairs: Iterable[tuple[int, int]]) -> None:
        """Take over an image, whose keys all differ even if ours are equal."""
        for number, value in pairs:
            key = self._key(world, position, number, new=True)
            self.put(("own", number) if key in self.pairs else key, number, value)

    def put(self, key: Hashable, number: int, value: int) -> None:
        """Store a value; a key that is already there stays the same object."""
        held = self.pairs.get(key)
        if held is None:
            self.own += _is_own(key)
        self.pairs[key] = (number if held is None else held[0], value)

    def drop(self, key: Hashable) -> bool:
        """Remove a key, if it is there."""
        if self.pairs.pop(key, None) is None:
            return False
        self.own -= _is_own(key)
        return True

    def key(self, world: World, position: int, number: int) -> Hashable:
        """The key of a value to store or to look up."""
        return self._key(world, position, number, new=False)

    def _key(self, world: World, position: int, number: int, *, new: bool) -> Hashable:
        try:
            return world.key(number, position)
        except OwnEquality:
            key = ("own", number)
            if not new and self.own and key not in self.pairs:
                raise CannotApply from None
            return key

    def set_item(self, world: World, position: int, key: int, value: int) -> None:
        """`o[key] = value`."""
        self.put(self.key(world, position, key), key, value)

    def del_item(self, world: World, position: int, key: int) -> None:
        """`del o[key]`."""
        if not self.drop(self.key(world, position, key)):
            raise CannotApply

    def call(self, world: World, position: int, name: str, arguments: tuple[int, ...]) -> None:
        """Apply a call of a mutating method."""
        known = _SET if self.kind == "set" else _DICT
        method = known.get((name, len(arguments))) or known.get((name, -1))
        if method is None:
            raise CannotApply
        method(self, world, position, *arguments)
        if self.kind == "set" and name != "clear":
            self.ordered = len(self.pairs) < 2

    def clear(self, _world: World, _position: int) -> None:
        """`o.clear()`."""
        self.pairs.clear()
        self.own = 0
        self.ordered = True

    def pop(self, world: World, position: int, key: int, _default: int = 0) -> None:
        """`o.pop(key)`."""
        self.drop(self.key(world, position, key))

    def popitem(self, world: World, _position: int, last: int | None = None) -> None:
        """`o.popitem()`, for an OrderedDict also `o.popitem(last)`."""
        if not self.pairs:
            raise CannotApply
        at_end = last is None or bool(integer(world, last))
        self.drop(next(reversed(self.pairs)) if at_end else next(iter(self.pairs)))

    def setdefault(self, world: World, position: int, key: int, default: int | None = None) -> None:
        """`o.setdefault(key, default)`."""
        table_key = self.key(world, position, key)
        if table_key not in self.pairs:
            self.put(table_key, key, world.make(None) if default is None else default)

    def move_to_end(self, world: World, position: int, key: int, last: int | None = None) -> None:
        """`o.move_to_end(key, last)`."""
        at_end = last is None or bool(integer(world, last))
        table_key = self.key(world, position, key)
        if table_key not in self.pairs:
            raise CannotApply
        moved = self.pairs.pop(table_key)
        self.pairs = {**self.pairs, table_key: moved} if at_end else {table_key: moved, **self.pairs}

    def update(self, world: World, position: int, number: int | None = None) -> None:
        """`o.update(number)` for a mapping or pairs."""
        if number is None:
            return
        new = _pairs(world, number, position)
        keys = [self.key(world, position, key) for key, _value in new]
        if len([key for key in keys if _is_own(key)]) > 1:
            raise CannotApply
        for key, (of_key, value) in zip(keys, new, strict=True):
            self.put(key, of_key, value)

    def count(self, world: World, position: int, number: int | None = None, by: int = 1) -> None:
        """`o.update(number)` and `o.subtract(number)` of a Counter."""
        if number is None:
            return
        described = world.describe(number)
        if isinstance(described, Object) and described.type.base in ("dict", "ordered"):
            new = [(key, by * integer(world, value)) for key, value in _pairs(world, number, position)]
        else:
            new = [(key, by) for key in iterate(world, number, position)]
        keys = [self.key(world, position, key) for key, _value in new]
        old = [integer(world, self.pairs[key][1]) for key in keys if key in self.pairs]
        if len(old) > len(new) or len([key for key in keys if _is_own(key)]) > 1:
            raise CannotApply
        for key, (of_key, value) in zip(keys, new, strict=True):
            before = integer(world, self.pairs[key][1]) if key in self.pairs else 0
            self.put(key, of_key, world.make(before + value))

    def add(self, world: World, position: int, number: int) -> None:
        """`o.add(number)`."""
        key = self.key(world, position, number)
        if key not in self.pairs:
            self.put(key, number, number)

    def discard(self, world: World, position: int, number: int) -> None:
        """`o.discard(number)` and `o.remove(number)`."""
        self.drop(self.key(world, position, number))

    def pop_any(self, _world: World, _position: int) -> None:
        """`o.pop()` of a set: only known if it has one element."""
        if len(self.pairs) != 1:
            raise CannotApply
        self.drop(next(iter(self.pairs)))

    def others(self, world: World, position: int, numbers: tuple[int, ...]) -> list[dict[Hashable, int]]:
        """The members of the arguments by key; of equal ones, the first."""
        tables = []
        for number in numbers:
            keyed: dict[Hashable, int] = {}
            for item in members(world, number, position):
                keyed.setdefault(self.key(world, position, item), item)
            if len([key for key in keyed if _is_own(key)]) > 1:
                raise CannotApply
            tables.append(keyed)
        return tables

    def update_set(self, world: World, position: int, *numbers: int) -> None:
        """`o.update(...)` of a set."""
        for other in self.others(world, position, numbers):
            for key, number in other.items():
                if key not in self.pairs:
                    self.put(key, number, number)

    def difference_update(self, world: World, position: int, *numbers: int) -> None:
        """`o.difference_update(...)`."""
        for other in self.others(world, position, numbers):
            for key in other:
                self.drop(key)

    def intersection_update(self, world: World, position: int, *numbers: int) -> None:
        """`o.intersection_update(...)`: of two equal members, the one in the smaller set stays."""
        for number, other in zip(numbers, self.others(world, position, numbers), strict=True):
            described = world.describe(number)
            a_set = (isinstance(described, Object) and described.type.base == "set") or described.type == "frozenset"
            theirs = not a_set or len(other) <= len(self.pairs)
            for key in list(self.pairs):
                if key not in other:
                    self.drop(key)
                elif theirs:
                    self.pairs[key] = (other[key], other[key])

    def symmetric_difference_update(self, world: World, position: int, number: int) -> None:
        """`o.symmetric_difference_update(number)`."""
        for key, item in self.others(world, position, (number,))[0].items():
            if not self.drop(key):
                self.put(key, item, item)


def _is_own(key: Hashable) -> bool:
    return isinstance(key, tuple) and key[:1] == ("own",)


def _pairs(world: World, number: int, position: int) -> list[tuple[int, int]]:
    """The items of `dict(number)`."""
    described = world.describe(number)
    if isinstance(described, Object) and described.type.base in ("dict", "ordered"):
        part = world.content(number, position)
        if part is None or part.uncertain:
            raise CannotApply
        return list(part.pairs)
    pairs = [iterate(world, item, position) for item in iterate(world, number, position)]
    if any(len(pair) != 2 for pair in pairs):
        raise CannotApply
    return [(pair[0], pair[1]) for pair in pairs]


def _update(draft: Table, world: World, position: int, *numbers: int) -> None:
    (draft.count if draft.kind == "counter" else draft.update)(world, position, *numbers)


def _subtract(draft: Table, world: World, position: int, number: int) -> None:
    draft.count(world, position, number, -1)


def _merge(draft: Table, world: World, position: int, number: int) -> None:
    if draft.kind == "counter":
        raise CannotApply
    draft.update(world, position, number)


_DICT: dict[tuple[str, int], Callable[..., Any]] = {
    ("clear", 0): Table.clear,
    ("pop", 1): Table.pop,
    ("pop", 2): Table.pop,
    ("popitem", 0): Table.popitem,
    ("popitem", 1): Table.popitem,
    ("setdefault", 1): Table.setdefault,
    ("setdefault", 2): Table.setdefault,
    ("move_to_end", 1): Table.move_to_end,
    ("move_to_end", 2): Table.move_to_end,
    ("update", 0): _update,
    ("update", 1): _update,
    ("subtract", 1): _subtract,
    ("__ior__", 1): _merge,
    ("__setitem__", 2): Table.set_item,
    ("__delitem__", 1): Table.del_item,
}

_SET: dict[tuple[str, int], Callable[..., Any]] = {
    ("add", 1): Table.add,
    ("discard", 1): Table.discard,
    ("remove", 1): Table.discard,
    ("pop", 0): Table.pop_any,
    ("popped", 1): Table.discard,
    ("clear", 0): Table.clear,
    ("update", -1): Table.update_set,
    ("difference_update", -1): Table.difference_update,
    ("intersection_update", -1): Table.intersection_update,
    ("symmetric_difference_update", 1): Table.symmetric_difference_update,
    ("__ior__", 1): Table.update_set,
    ("__isub__", 1): Table.difference_update,
    ("__iand__", 1): Table.intersection_update,
    ("__ixor__", 1): Table.symmetric_difference_update,
}
