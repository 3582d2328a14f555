"""Describes recorded values so that another process can rebuild them.

A description is JSON: a flat list of nodes that refer to each other by index, so that sharing, cycles and depth are no
problem. Classes and functions are given by module and qualified name. Values that cannot be rebuilt are refused.
"""

from typing import Any

from adebug_lsp.languages.python.reading.heap.object_states import Heap
from adebug_lsp.languages.python.reading.recorded_values import (
    Atom,
    Derived,
    Member,
    Object,
    Opaque,
    TupleLike,
    TypeInfo,
    Values,
)
from adebug_lsp.model.errors import AdebugError

Node = list[Any]
"""A tag and its operands; `docs/reference/recording.md` lists them."""

_BUFFERS = ("array", "frame", "series")
_EXACT = 1 << 53
"""Integers up to this are exact in every JSON parser."""


class CannotRebuild(AdebugError):  # noqa: N818 - an answer that oracles expect
    """The value cannot be rebuilt in another process; the message says why."""


def describe(values: Values, heap: Heap, number: int, position: int) -> dict[str, Any]:
    """The description of a value as it was just before a position."""
    describer = _Describer(values, heap, position)
    root = describer.index(number)
    while describer.waiting:
        describer.next()
    return {"root": root, "values": describer.nodes}


class _Describer:
    """A description under construction. Nodes get their index first and are filled later."""

    def __init__(self, values: Values, heap: Heap, position: int) -> None:
        self._values = values
        self._heap = heap
        self._position = position
        self._indices: dict[int, int] = {}
        self.nodes: list[Node] = []
        self.waiting: list[int] = []

    def index(self, number: int) -> int:
        """The index of a value's node."""
        if number not in self._indices:
            self._indices[number] = len(self.nodes)
            self.nodes.append([])
            self.waiting.append(number)
        return self._indices[number]

    def next(self) -> None:
        """Fill one node."""
        number = self.waiting.pop()
        self.nodes[self._indices[number]].extend(self._node(number))

    def _node(self, number: int) -> Node:
        """The node of a value."""
        value = self._values.value(number)
        if isinstance(value, Atom):
            return _atom(value.value)
        if isinstance(value, TupleLike):
            return [value.type, self._all(value.items)]
        if isinstance(value, Derived):
            tag = "built" if value.type.base == "built" else "derived"
            return [tag, *_name(value.type.module, value.type.name), self.index(value.value)]
        if isinstance(value, Member):
            name = _name(value.type.module, value.type.name)
            return ["member", *name, self._values.atom(value.name), self.index(value.value)]
        if isinstance(value, TypeInfo):
            return ["class", *_name(value.module, value.name)]
        return self._opaque(value) if isinstance(value, Opaque) else self._object(number, value)

    def _all(self, numbers: tuple[int, ...]) -> list[int]:
        return [self.index(number) for number in numbers]

    def _opaque(self, opaque: Opaque) -> Node:
        kind, name = opaque.type.name, opaque.name
        if kind == "function":
            return ["function", *_name(opaque.module, name)]
        if kind == "module" and name:
            return ["module", name]
        if kind == "method" and name and opaque.receiver is not None:
            return ["method", self.index(opaque.receiver), name.rpartition(".")[2]]
        if kind == "builtin_function_or_method" and name:
            if opaque.module:
                return ["function", opaque.module, name]
            if opaque.receiver is not None:
                return ["method", self.index(opaque.receiver), name]
        raise CannotRebuild(f"a value of type {opaque.type.full_name} cannot be built again")

    def _object(self, number: int, obj: Object) -> Node:
        state = self._heap.state(number, self._position)
        if obj.type.base in _BUFFERS:
            raise CannotRebuild(f"a value of type {obj.type.full_name} cannot be built again")
        if state.uncertain:
            raise CannotRebuild(f"the content of an object of type {obj.type.full_name} is uncertain")
        content: Any = None
        if state.shape == "mapping":
            content = [self._all(pair) for pair in state.pairs]
        elif state.shape == "bytes":
            content = state.data.hex()
        elif state.shape:
            content = self._all(state.items)
        return [
            "object",
            *_name(obj.type.module, obj.type.name),
            obj.type.base,
            None if obj.extra is None else self.index(obj.extra),
            content,
            {name: self.index(value) for name, value in state.attributes},
        ]


def _name(module: str | None, name: str | None) -> tuple[str, str]:
    if not module or not name or "<" in name:
        raise CannotRebuild(f"{name or 'something without a name'} cannot be found by name in another process")
    return module, name


def _atom(value: Any) -> Node:
    if isinstance(value, bool) or value is None:
        return ["constant", value]
    if isinstance(value, int):
        return ["int", value if abs(value) < _EXACT else hex(value)]
    if isinstance(value, float):
        return ["float", value.hex()]
    if isinstance(value, complex):
        return ["complex", value.real.hex(), value.imag.hex()]
    if isinstance(value, str):
        return ["str", value]
    return ["bytes", value.hex()] if isinstance(value, bytes) else ["named", repr(value)]
