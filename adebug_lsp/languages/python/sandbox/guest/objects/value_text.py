"""Texts of live values: for people, and in a canonical form that is equal for equal structures in any process."""

import collections
import enum
import sys
import types
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, cast

from .comparison import attributes

_LONGEST = 2000
_USUAL = 1000
_MOST = 20_000
"""Maximum number of parts in a canonical text."""


@contextmanager
def usual_stack() -> Iterator[None]:
    """Context manager that sets the usual stack depth for the user's code, however deep our own stack is."""
    depth, frame = 0, cast("FrameType | None", sys._getframe())
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(_USUAL + depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def text(value: object) -> str:
    """Bounded `repr`."""
    try:
        with usual_stack():
            shown = repr(value)
    except Exception as error:
        return f"<{type(value).__qualname__}, whose repr raised {type(error).__name__}>"
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST // 2]}...{shown[-_LONGEST // 2 :]}"


def canonical(value: object) -> str:
    """Structure of a value as text; identities are replaced by order of occurrence."""
    writer = _CanonicalWriter()
    writer.write(value)
    return "".join(writer.words)


class _CanonicalWriter:
    """Writes the canonical text of one value."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.met: dict[int, int] = {}
        self.kept: list[Any] = []

    def write(self, value: Any) -> None:
        kind = type(value)
        if len(self.words) > _MOST:
            return
        if value is None or kind in (bool, int, str, bytes):
            self.words.append(repr(value))
        elif kind is float:
            self.words.append(f"{value:.9g}f")
        elif kind in (tuple, frozenset):
            self._items(kind.__name__, sorted(value, key=canonical) if kind is frozenset else value)
        elif isinstance(value, (enum.Enum, type, types.FunctionType, types.BuiltinFunctionType)):
            self.words.append(getattr(value, "__qualname__", None) or str(value))
        elif id(value) in self.met:
            self.words.append(f"#{self.met[id(value)]}")
        else:
            self.met[id(value)] = len(self.met)
            self.kept.append(value)
            self._object(value, kind)

    def _object(self, value: object, kind: type) -> None:
        name = kind.__qualname__
        if isinstance(value, (list, collections.deque)):
            self._items(name, value)
        elif isinstance(value, dict):
            self._items(name, [part for pair in value.items() for part in pair])
        elif isinstance(value, (set, frozenset)):
            self._items(name, sorted(value, key=canonical))
        elif isinstance(value, BaseException):
            self._items(name, value.args)
        elif attributes(value):
            self._items(name, [part for pair in attributes(value).items() for part in pair])
        else:
            shown = text(value)
            self.words.append(name if " at 0x" in shown else shown)

    def _items(self, name: str, items: Iterable[object]) -> None:
        self.words.append(f"{name}(")
        for item in items:
            self.write(item)
            self.words.append(",")
        self.words.append(")")
