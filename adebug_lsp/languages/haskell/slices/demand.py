"""Slicing patterns: the part of a value that a slice is taken of (Definition 22 of Silva's thesis).

No demand, the thesis's ⊥, is written `_`; `⊤`, or `*` on keyboards without it, means all that was evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from attrs import field, frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.reading.graph import Constant, Data, Graph, Ref
from adebug_lsp.model.errors import BadInputError

_TOKENS = re.compile(r"\s*(?:(⊤|\*)|(_)|([A-Z][\w.']*)|(\[|\]|\(|\)|,|:[^\s\w()\[\],⊤*_]*)|(\S))")


@frozen
class Demand:
    """The needed part of a value: its constructor, and parts of its fields."""

    whole: bool = False
    """Whether everything that the run evaluated of it is needed."""
    parts: tuple[tuple[int, Demand], ...] = field(default=())
    """Demands on fields, by position; empty if `whole`."""

    def of_field(self, index: int) -> Demand | None:
        """The demand on a field; None if it is not needed."""
        return ALL if self.whole else dict(self.parts).get(index)

    def covers(self, other: Demand) -> bool:
        """Whether this demand includes the other one."""
        if self.whole or not (other.whole or other.parts):
            return True
        if other.whole:
            return False
        own = dict(self.parts)
        return all(i in own and own[i].covers(part) for i, part in other.parts)

    def joined(self, other: Demand) -> Demand:
        """The union of both demands."""
        if self.covers(other):
            return self
        if other.covers(self):
            return other
        parts = dict(self.parts)
        for i, part in other.parts:
            parts[i] = parts[i].joined(part) if i in parts else part
        return Demand(parts=tuple(sorted(parts.items(), key=lambda item: item[0])))


ALL = Demand(whole=True)
HEAD = Demand()
"""The demand on the constructor alone."""


def at_path(indices: Sequence[int], demand: Demand = ALL) -> Demand:
    """The demand on the part at a path."""
    for index in reversed(indices):
        demand = Demand(parts=((index, demand),))
    return demand


def read_pattern(text: str, graph: Graph, result: Ref) -> Demand:
    """Parse a pattern such as `(_, ⊤)` for a result; raises `BadInputError` if the result has another shape."""
    reader = _Reader(text, graph)
    demand = reader.pattern(result)
    reader.end()
    if demand is None:
        raise BadInputError(f"{text}: nothing is asked for; write * in place of the parts that matter")
    return demand


class _Reader:
    """Parses a pattern alongside its value, which determines arities and constructors."""

    def __init__(self, text: str, graph: Graph) -> None:
        self.text, self.graph = text, graph
        self.tokens = [next(filter(None, groups)) for groups in _TOKENS.findall(text)]
        self.at = 0

    def end(self) -> None:
        if self.at < len(self.tokens):
            raise self._error(f"{self.tokens[self.at]} is not expected")

    def pattern(self, ref: Ref) -> Demand | None:
        """Parse `p : p`, a constructor with patterns, or a pattern in parentheses."""
        return self._cons(ref) or self._applied(ref)

    def _cons(self, ref: Ref) -> Demand | None:
        """Parse a pattern with an operator; returns None and reads nothing for any other one."""
        value, start = self._data(ref), self.at
        if value is None or not value.info.short.startswith(":"):
            return None
        with suppress(BadInputError):
            first = self._applied(value.fields[0])
            if self._peek() == value.info.short:
                self.at += 1
                return self._built((first, self.pattern(value.fields[1])))
        self.at = start
        return None

    def _applied(self, ref: Ref) -> Demand | None:
        value, word = self._data(ref), self._next()
        if word in ("⊤", "*"):
            return ALL
        if word == "_":
            return None
        if word == "[":
            return self._list(ref)
        if word == "(":
            return self._parenthesised(ref)
        if value is None or word != value.info.short:
            raise self._error(f"{word} does not match")
        return self._built([self._applied(field) for field in value.fields])

    def _parenthesised(self, ref: Ref) -> Demand | None:
        value = self._data(ref)
        if value is None or not value.info.name.startswith("(,"):
            inner = self.pattern(ref)
            self._expect(")")
            return inner
        if self._peek() in ("*", "⊤", "_") and self.tokens[self.at + 1 : self.at + 2] == [")"]:
            inner = self._applied(ref)
            self._expect(")")
            return inner
        demands = []
        for position, content in enumerate(value.fields):
            if position:
                self._expect(",")
            demands.append(self.pattern(content))
        self._expect(")")
        return self._built(demands)

    def _list(self, ref: Ref) -> Demand:
        items: list[Demand | None] = []
        while self._peek() != "]":
            if items:
                self._expect(",")
            value = self._data(ref)
            if value is None or value.info.name != ":":
                raise self._error("the list is shorter")
            items.append(self.pattern(value.fields[0]))
            ref = value.fields[1]
        self._expect("]")
        demand = HEAD
        for item in reversed(items):
            demand = self._built((item, demand))
        return demand

    def _built(self, demands: Sequence[Demand | None]) -> Demand:
        return Demand(parts=tuple((i, demand) for i, demand in enumerate(demands) if demand is not None))

    def _data(self, ref: Ref) -> Data | None:
        value = self.graph.value(ref)
        if isinstance(value, Constant) and value.is_string:
            value = self.graph.listed(value)
        return value if isinstance(value, Data) else None

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        if not token:
            raise self._error("it ends too early")
        self.at += 1
        return token

    def _expect(self, token: str) -> None:
        if self._next() != token:
            raise self._error(f"{token} is missing, or the result has another shape")

    def _error(self, reason: str) -> BadInputError:
        return BadInputError(f"the pattern {self.text}: {reason}; write one like (_, *) in the shape of the result")


def shape(pattern: c.Pattern, ref: Ref, graph: Graph) -> tuple[Demand | None, bool]:
    """The demand of matching a pattern, and whether it went on; parts are matched from left to right."""
    match pattern:
        case c.PVar(strict=True):
            return HEAD, True
        case c.PAs(pattern=inner):
            return shape(inner, ref, graph)
        case c.PCon(info=info, parts=[only]) if info.is_newtype:
            return shape(only, ref, graph)
        case c.PCon(info=info, parts=parts):
            fields = graph.fields(info, ref)
            return (HEAD, False) if fields is None else _shape_of_parts(parts, fields, graph)
        case c.PLit(test=test) if test is not None:
            return None, True
        case c.PLit(value=wanted):
            value = graph.value(ref)
            return HEAD, isinstance(value, Constant) and bool(value.value == wanted)
    return None, True


def _shape_of_parts(parts: Sequence[c.Pattern], fields: Sequence[Ref], graph: Graph) -> tuple[Demand, bool]:
    """The demands of matching parts from left to right, and whether all matched."""
    demands: list[tuple[int, Demand]] = []
    for index, (part, content) in enumerate(zip(parts, fields, strict=True)):
        demand, matched = shape(part, content, graph)
        if demand is not None:
            demands.append((index, demand))
        if not matched:
            return Demand(parts=tuple(demands)), False
    return Demand(parts=tuple(demands)), True
