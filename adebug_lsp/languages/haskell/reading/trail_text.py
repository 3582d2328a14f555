"""Formats values of the trail: `_` for what was never evaluated, functions by their applications."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import define, field

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.compiler import IO_RESULT
from adebug_lsp.languages.haskell.engine.machine import show_character, show_double, show_string
from adebug_lsp.languages.haskell.engine.units import Unit
from adebug_lsp.languages.haskell.reading.graph import (
    WORLD,
    Bottom,
    Constant,
    Data,
    Dictionary,
    Function,
    Graph,
    Ref,
    Unevaluated,
    deep,
)
from adebug_lsp.model.values import Part, Value

_MOST_ITEMS = 40
_MOST_DEPTH = 12
_MOST_APPLICATIONS = 6
_MOST_SEARCHED = 2000


@define(eq=False)
class ValueText:
    """Formats the values of one run."""

    graph: Graph
    _by_unit: dict[int, Any] = field(factory=dict)
    _showing: set[int] = field(factory=set)

    def value(self, ref: Ref) -> Value:
        """A value with its parts."""
        return deep(lambda: self._value(ref, 0))

    def text(self, ref: Ref, precedence: int = 0) -> str:
        """A value on one line."""
        return deep(lambda: self._text(ref, precedence, 0))

    def _value(self, ref: Ref, depth: int) -> Value:
        """A value with its parts, down to a depth."""
        value = self.graph.value(ref)
        text = self._text(ref, 0, 0)
        if not isinstance(value, Data) or depth > 4 or self.graph.string(value) is not None:
            return Value(text)
        if value.info.type_name == "[]":
            items, _ = self.items(value)
            parts = [Part(i, self._value(item, depth + 1)) for i, item in enumerate(items)]
            return Value(text, "list", parts=tuple(parts))
        labels: list[Any] = list(value.info.labels) or list(range(len(value.fields)))
        parts = [Part(label, self._value(field, depth + 1)) for label, field in zip(labels, value.fields, strict=True)]
        return Value(text, c.short(value.info.type_name), parts=tuple(parts))

    def items(self, value: Ref) -> tuple[list[Ref], str]:
        """The evaluated items of a list, and its end: `[]`, `_`, or another text."""
        items: list[Ref] = []
        while True:
            value = self.graph.value(value)
            if isinstance(value, Constant) and value.is_string:
                value = self.graph.listed(value)
            if isinstance(value, Data) and value.info.name == "[]":
                return items, "[]"
            if not isinstance(value, Data):
                return items, self._text(value, 0, 0)
            if len(items) == _MOST_ITEMS:
                return items, "..."
            items.append(value.fields[0])
            value = value.fields[1]

    def _text(self, ref: Ref, precedence: int, depth: int) -> str:
        """The text of a value; a precedence decides about parentheses."""
        value = self.graph.value(ref)
        match value:
            case Constant():
                return self._constant(value, precedence)
            case Data():
                return self._data(value, precedence, depth) if depth < _MOST_DEPTH else "..."
            case Function():
                return self._function(value, precedence, depth)
            case Bottom(message=message):
                return f"error {show_string(message)}" if not precedence else f"(error {show_string(message)})"
            case Dictionary():
                return "<dictionary>"
            case Unevaluated():
                return "_"

    def _constant(self, value: Constant, precedence: int) -> str:
        content = value.value
        if value.is_string:
            return show_string(content)
        if isinstance(content, str):
            return show_character(content)
        text = show_double(content) if isinstance(content, float) else str(content)
        return f"({text})" if text.startswith("-") and precedence > 6 else text

    def _data(self, value: Data, precedence: int, depth: int) -> str:
        info = value.info
        if info is IO_RESULT:
            return self._text(value.fields[0], precedence, depth)
        if info.type_name == "[]":
            return self._list(value, precedence, depth)
        if info.type_name == "Data.Map.Map":
            text = f"fromList [{', '.join(self._entries(value, depth + 1))}]"
            return f"({text})" if precedence > 10 else text
        if info.name.startswith("(,"):
            return f"({', '.join(self._text(f, 0, depth + 1) for f in value.fields)})"
        name = info.short
        if not value.fields:
            return f"({name})" if name.startswith(":") else name
        if name.startswith(":") and len(value.fields) == 2:
            sides = [self._text(f, info.precedence + 1, depth + 1) for f in value.fields]
            text, limit = f"{sides[0]} {name} {sides[1]}", info.precedence
        elif info.labels:
            pairs = zip(info.labels, value.fields, strict=True)
            text = f"{name} {{{', '.join(f'{label} = {self._text(f, 0, depth + 1)}' for label, f in pairs)}}}"
            limit = 10
        else:
            text, limit = " ".join([name, *(self._text(f, 11, depth + 1) for f in value.fields)]), 10
        return f"({text})" if precedence > limit else text

    def _entries(self, tree: Ref, depth: int) -> list[str]:
        """The keys and values of a Data.Map in order, `_` where they were never evaluated."""
        value = self.graph.value(tree)
        if not isinstance(value, Data):
            return [self._text(value, 0, depth)]
        if not value.fields:
            return []
        _, key, content, left, right = value.fields
        own = f"({self._text(key, 0, depth)}, {self._text(content, 0, depth)})"
        return [*self._entries(left, depth), own, *self._entries(right, depth)]

    def _list(self, value: Data, precedence: int, depth: int) -> str:
        if value.fields:
            whole = self.graph.string(value)
            if whole is not None:
                return show_string(whole)
        items, end = self.items(value)
        if end == "[]":
            return f"[{', '.join(self._text(item, 0, depth + 1) for item in items)}]"
        if end == "...":
            return f"[{', '.join([*(self._text(item, 0, depth + 1) for item in items), '...'])}]"
        text = ":".join([*(self._text(item, 6, depth + 1) for item in items), end])
        return f"({text})" if precedence > 5 else text

    def _function(self, value: Function, precedence: int, depth: int) -> str:
        target = value.target
        name = target.short if isinstance(target, c.ConstructorInfo) else self._name(target)
        shown = [a for a in value.arguments if not isinstance(a, Dictionary)]
        is_local = isinstance(target, Unit) and target.outer is not None
        if is_local and depth < 3:
            return self._finite_map(value, depth)
        if is_local or not shown:
            return f"({name})" if not (name[0].isalpha() or name[0] in "_\\<") else name
        inside = [self._text(a, 11, depth + 1) for a in shown]
        text = " ".join([name if name[0].isalpha() else f"({name})", *inside])
        return f"({text})" if precedence > 10 else text

    def _name(self, target: Unit | str) -> str:
        name = target if isinstance(target, str) else target.name
        text = c.short(name)
        return text.removeprefix("prim") if isinstance(target, str) else text

    # Functions as finite maps

    def _finite_map(self, value: Function, depth: int) -> str:
        """`{3 -> 9, 4 -> 16}`: all applications of this function in the run."""
        assert isinstance(value.target, Unit)
        if value.origin in self._showing:
            return "{...}"
        self._showing.add(value.origin)
        try:
            pairs = list(dict.fromkeys(self._application(q, depth) for q in self.applications(value)))
        finally:
            self._showing.discard(value.origin)
        more = ["..."] if len(pairs) > _MOST_APPLICATIONS else []
        return f"{{{', '.join([*pairs[:_MOST_APPLICATIONS], *more])}}}"

    def applications(self, value: Function) -> list[int]:
        """The reductions of a function value."""
        assert isinstance(value.target, Unit)
        number = value.target.number
        if number not in self._by_unit:
            units = np.frombuffer(self.graph.trail.units, dtype=np.int32)
            self._by_unit[number] = np.flatnonzero(units == number)[:_MOST_SEARCHED].tolist()
        return [q for q in self._by_unit[number] if self._is_of(value, q)]

    def _is_of(self, value: Function, q: int) -> bool:
        own = self.graph.arguments(q)[: len(value.arguments)]
        return all(
            a is b or (isinstance(a, int) and a == b) or _same(a, b) for a, b in zip(own, value.arguments, strict=True)
        )

    def _application(self, q: int, depth: int) -> str:
        unit = self.graph.unit(q)
        first = len(unit.captured) + len(unit.dicts)
        arguments = self.graph.arguments(q)[first : first + unit.arity]
        left = " ".join(self._text(a, 11, depth + 1) for a in arguments) or "()"
        return f"{left} -> {self._text(self.node_of(q), 0, depth + 1)}"

    def node_of(self, q: int) -> Ref:
        """The redex of a reduction, as a reference to its result."""
        redex = self.graph.trail.redexes[q]
        return self.graph.result(q) if redex == -1 else redex


def _same(a: object, b: object) -> bool:
    """Whether two references are the same node, or equal constants."""
    if isinstance(a, Constant) and isinstance(b, Constant):
        return bool(a.value == b.value)
    if isinstance(a, Function) and isinstance(b, Function):
        same = len(a.arguments) == len(b.arguments) and all(
            x == y or _same(x, y) for x, y in zip(a.arguments, b.arguments, strict=True)
        )
        return a.target is b.target and same
    if isinstance(a, Dictionary) and isinstance(b, Dictionary):
        return a.instance is b.instance
    if isinstance(a, Data) and isinstance(b, Data):
        same = len(a.fields) == len(b.fields)
        return a.info is b.info and same and all(x == y or _same(x, y) for x, y in zip(a.fields, b.fields, strict=True))
    return False


def shown_arguments(graph: Graph, q: int) -> list[tuple[int, Ref]]:
    """Positions and references of the arguments that a question shows, without dictionaries and world."""
    unit = graph.unit(q)
    first = len(unit.captured) + len(unit.dicts)
    arguments = graph.arguments(q)[first : first + unit.arity]
    return [(i, ref) for i, ref in enumerate(arguments) if ref is not WORLD]
