"""Pairs live objects with objects of the recording.

An activation that is executed again makes objects of its own. When it passes one to a call that is answered, the
recording has the arguments of that call: walking through both at once pairs the objects, and checks that the activation
does the same as before.
"""

import collections
import types
from typing import Any

from ..modules import CannotAnswer
from ..protocol import Row
from . import array_rows
from .rebuild import Rebuilder, Standin
from .refill import refill

_ATOMS = frozenset({"single", "int", "float", "complex", "str", "bytes"})
_NAMED = frozenset({"type", "function", "module", "method", "descriptor", "lock", "missing", "sentinel"})


class Diverged(CannotAnswer):
    """The activation does not do what was recorded."""


class Matching:
    """Pairs the objects of one table with live ones."""

    def __init__(self, made: Rebuilder) -> None:
        self._made = made
        self._numbers: dict[int, int] = {}
        """Recorded number of live objects, by identity."""
        self._met: list[Any] = []
        """Keeps live objects alive, so that identities stay unique."""

    def match(self, index: int, live: object, what: str) -> None:
        """Pairs a row with a live value, and everything that they refer to."""
        waiting = [(index, live)]
        while waiting:
            row_index, part = waiting.pop()
            row = self._made.rows[row_index]
            if not (
                self._identified(row, part, waiting) if "id" in row else self._equal(row_index, row, part, waiting)
            ):
                raise Diverged(f"{what} differs from the recording")

    def relate(self, index: int, live: object) -> None:
        """Pairs the current content of a known object."""
        waiting: list[tuple[int, Any]] = []
        row = self._made.rows[index]
        if row["k"] == "missing" or type(live) is Standin:
            return
        if not self._matches_content(row, live, waiting):
            raise Diverged("the content of an object differs from the recording")
        for row_index, part in waiting:
            self.match(row_index, part, "the content of an object")

    def adopt(self, index: int, live: object) -> None:
        """Pairs existing objects with those of a row, as far as they are of the same type, and refills them."""
        waiting, adopted = [(index, live)], []
        while waiting:
            row_index, part = waiting.pop()
            row = self._made.rows[row_index]
            new = "id" in row and row["k"] not in _NAMED and row["k"] != "known" and row["id"] not in self._made.objects
            if new and id(part) not in self._numbers and _is_of(row, part):
                self.pair(row["id"], part)
                adopted.append(row)
                waiting += self._parts(row, part)
        for row in adopted:
            refill(self._made, row)

    @staticmethod
    def _parts(row: Row, live: Any) -> list[tuple[int, object]]:
        """The recorded and live values of the attributes and items that both have."""
        parts = [(index, held) for name, index in row.get("attrs", ()) if (held := _attribute(live, name)) is not _NO]
        if row["k"] == "list":
            parts += zip(row["items"], list.__iter__(live), strict=False)
        elif row["k"] == "dict":
            parts += zip(row["values"], dict.values(live), strict=False)
        return parts

    def pair(self, number: int, live: object) -> None:
        """Pairs a recorded object with a live one."""
        self._made.objects[number] = live
        self._numbers[id(live)] = number
        self._met.append(live)

    def _identified(self, row: Row, live: object, waiting: list[tuple[int, object]]) -> bool:
        """Matches a value with an identity: known already, or new."""
        number, objects = row["id"], self._made.objects
        if number in objects:
            known = objects[number]
            return known is live or (row["k"] in _NAMED and _same_name(known, live))
        if self._numbers.get(id(live), number) != number:
            return False
        self.pair(number, live)
        if row["k"] in _NAMED or row["k"] == "known" or type(live) is Standin:
            return True
        return _is_of(row, live) and self._matches_content(row, live, waiting)

    def _equal(self, index: int, row: Row, live: object, waiting: list[tuple[int, object]]) -> bool:
        """Matches a value without an identity."""
        kind = row["k"]
        if kind in _NAMED:
            return True
        if kind == "tuple":
            if type(live) is not tuple or len(live) != len(row["items"]):
                return False
            waiting += zip(row["items"], live, strict=True)
            return True
        value = self._made.all([index])[0]
        if kind in _ATOMS:
            return type(value) is type(live) and (value == live or (value != value and live != live))  # noqa: PLR0124
        return type(value) is Standin or type(value) is type(live)

    def _matches_content(self, row: Row, live: Any, waiting: list[tuple[int, object]]) -> bool:
        """Match the content of an object; values to match are added to `waiting`."""
        kind, content = row["k"], None
        if (
            kind == "exception" and "extra" in row and not isinstance(live, AssertionError)
        ):  # pytest rewrites their messages
            waiting.append((row["extra"], live.args))
        if kind == "partial":
            waiting.append((row["extra"], (live.func, live.args, live.keywords)))
        if kind == "list":
            content = list(list.__iter__(live))
        elif kind == "deque":
            content = list(collections.deque.__iter__(live))
        elif kind == "dict":
            content = [*dict.keys(live), *dict.values(live)]
        if content is not None:
            expected = [*row["items"], *row.get("values", ())]
            if len(content) != len(expected):
                return False
            waiting += zip(expected, content, strict=True)
        if kind == "set" and len(row["items"]) != set.__len__(live):
            return False
        if kind == "array" and "items" not in row:
            return array_rows.differing(self._made.names.module("numpy"), live, row)[0] is not False
        if kind == "bytearray" and bytes.fromhex(row["v"]) != bytes(live):
            return False
        waiting += [
            (index, held) for name, index in row.get("attrs", ()) if (held := _attribute(live, name)) is not _NO
        ]
        return True


_NO = object()


def _attribute(live: object, name: str) -> object:
    """Attribute in an object's own dictionary or slots, bypassing its class."""
    for cls in type(live).__mro__:
        held: Any = cls.__dict__.get(name)
        if isinstance(held, types.MemberDescriptorType):
            try:
                return held.__get__(live)
            except AttributeError:
                return _NO
    try:
        return object.__getattribute__(live, "__dict__").get(name, _NO)
    except AttributeError:
        return _NO


def _is_of(row: Row, live: object) -> bool:
    return [type(live).__module__, type(live).__qualname__] == list(row["type"])


def _same_name(known: object, live: object) -> bool:
    own = getattr(known, "__qualname__", None)
    return type(known) is type(live) and own is not None and own == getattr(live, "__qualname__", None)
