"""Describes recorded values as a table of rows, which the sandbox rebuilds and compares.

One table holds all values of a fragment. Rows refer to each other by index, and mutable objects carry their number in
the recording, so that sharing between arguments, results and positions is kept. A value that cannot be described
becomes a row with the reason; only code that uses it fails.
"""

from attrs import define

from adebug_lsp.languages.python.reading.array_elements import read_elements
from adebug_lsp.languages.python.reading.heap.object_states import Heap, State
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
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.value_formatter import BUILTIN, DESCRIPTORS
from adebug_lsp.languages.python.sandbox.closures import Closures
from adebug_lsp.languages.python.sandbox.fragment import ValueAt
from adebug_lsp.languages.python.sandbox.generators import Argument, Generators
from adebug_lsp.languages.python.sandbox.guest.protocol import Row
from adebug_lsp.languages.python.sandbox.streams import KINDS, Streams
from adebug_lsp.model.errors import BadInputError

MOST_ROWS = 200_000
"""Maximum number of rows in a table; further values are not described."""
_LOCKS = frozenset({"lock", "RLock"})
_METHODS = {"method": "method", BUILTIN: "method", **dict.fromkeys(DESCRIPTORS, "descriptor")}
_KINDS = {name: name for name in ("list", "deque", "dict", "set", "bytearray", "partial")} | {"ordered": "dict"}


@define(eq=False)
class Origins:
    """How the functions and generators of a run were made; computed once."""

    closures: Closures
    generators: Generators

    @classmethod
    def of(cls, run: Run) -> "Origins":
        """Origins of one run."""
        return cls(Closures(run), Generators(run))


class Table:
    """The rows of one fragment."""

    def __init__(
        self,
        values: Values,
        heap: Heap,
        closures: Closures,
        generators: Generators | None = None,
        streams: Streams | None = None,
    ) -> None:
        self.rows: list[Row] = []
        self._generators = generators
        self._streams = streams
        self._values = values
        self._heap = heap
        self._closures = closures
        self._indices: dict[tuple[int, int], int] = {}
        self._waiting: list[tuple[int, int]] = []

    def add(self, moment: ValueAt) -> int:
        """Index of the row of a value; everything that it refers to is described as well."""
        index = self._index(moment.number, moment.position)
        self._describe()
        return index

    def _describe(self) -> None:
        while self._waiting:
            number, position = self._waiting.pop()
            self.rows[self._indices[number, position]].update(self._row(number, position))

    def _index(self, number: int, position: int) -> int:
        """The index of the row of a value at a position; a new row is filled in later."""
        index = self._indices.get((number, position))
        if index is None:
            index = self._indices[number, position] = len(self.rows)
            self.rows.append({})
            self._waiting.append((number, position))
        return index

    def _row(self, number: int, position: int) -> Row:
        """The row that describes a value."""
        described = self._values.value(number)
        if len(self.rows) > MOST_ROWS:
            return _missing("the value is too large")
        if isinstance(described, Atom):
            return _atom(described.value)
        if isinstance(described, TupleLike):
            return {"k": described.type, "items": self._all(described.items, position)}
        if isinstance(described, Derived):
            kind = "built" if described.type.base == "built" else "derived"
            return {"k": kind, "type": _name(described.type), "value": self._index(described.value, position)}
        if isinstance(described, Member):
            value = self._index(described.value, position)
            return {
                "k": "enum",
                "type": _name(described.type),
                "name": self._values.atom(described.name),
                "value": value,
            }
        if isinstance(described, TypeInfo):
            return {"k": "type", "type": _name(described)}
        return (
            self._object(number, described, position)
            if isinstance(described, Object)
            else self._opaque(number, described, position)
        )

    def _all(self, numbers: tuple[int, ...], position: int) -> list[int]:
        return [self._index(number, position) for number in numbers]

    def _opaque(self, number: int, opaque: Opaque, position: int) -> Row:
        """The row of a value without recorded content, such as a module, function, method or lock."""
        kind, name = opaque.type.name, opaque.name
        if kind == "module" and name:
            return {"k": "module", "name": name}
        if kind in ("function", BUILTIN) and name and opaque.module:
            return self._function(number, opaque, position)
        if kind in _METHODS and name and opaque.receiver is not None:
            method = {"k": _METHODS[kind], "name": name, "receiver": self._index(opaque.receiver, position)}
            return method if kind == "method" else {**method, "builtin": True}
        if kind == "sentinel" and opaque.type.module == "builtins" and name and opaque.module:
            return {"k": "sentinel", "module": opaque.module, "name": name, "id": number}
        if kind in _LOCKS and opaque.type.module == "_thread":
            return {"k": "lock", "name": kind, "id": number}
        if kind == "generator" and (row := self._generator(number, opaque, position)) is not None:
            return row
        if opaque.type.full_name in KINDS and (row := self._stream(number, opaque, position)) is not None:
            return row
        why = f"a value of type {opaque.type.full_name} cannot be rebuilt"
        return {**_missing(why), "type": _name(opaque.type), "name": name, "id": number}

    def _function(self, number: int, function: Opaque, position: int) -> Row:
        """The row of a function; a nested one is rebuilt with its closure."""
        row: Row = {"k": "function", "module": function.module, "name": function.name, "id": number}
        closure = self._closures.of(number, function, position) if "<" in str(function.name) else None
        if closure is not None:
            row["place"], row["maker"] = list(closure.place), closure.maker
            row["cells"] = [[name, self._index(word, position)] for name, word in closure.cells.items()]
        return row

    def _generator(self, number: int, generator: Opaque, position: int) -> Row | None:
        """Row of a generator that has not started: the call that made it."""
        begun = None if self._generators is None else self._generators.of(number, generator, position)
        if begun is None:
            return None
        row: Row = {"k": "generator", "type": _name(generator.type), "name": generator.name, "id": number}
        row["module"] = begun.routine.module.name
        row["items"] = [self._argument(argument, position) for argument in begun.positional]
        row["attrs"] = [[name, self._argument(argument, position)] for name, argument in begun.named.items()]
        return row

    def _stream(self, number: int, described: Opaque | Object, position: int) -> Row | None:
        """Row of an in-memory stream: its initial content, and the calls on it since."""
        stream = None if self._streams is None else self._streams.of(number, position)
        if stream is None:
            return None
        row: Row = {"k": "stream", "type": _name(described.type), "id": number}
        row["items"] = [self._argument(argument, position) for argument in stream.initial]
        row["uses"] = []
        for use in stream.uses:
            arguments = [self._argument(argument, use.position) for argument in use.arguments]
            row["uses"].append([use.method, arguments, self._index(use.result, use.position)])
        return row

    def _argument(self, argument: Argument, position: int) -> int:
        if argument.word is not None:
            return self._index(argument.word, position)
        self.rows.append(_atom(argument.constant))
        return len(self.rows) - 1

    def _object(self, number: int, obj: Object, position: int) -> Row:
        """The row of an object, with its content at a position."""
        if obj.type.full_name in KINDS and (stream := self._stream(number, obj, position)) is not None:
            return stream  # which has attributes since Python 3.12
        try:
            state = self._heap.state(number, position)
        except BadInputError as error:
            return {**_missing(str(error)), "type": _name(obj.type), "id": number}
        if state.uncertain:
            why = f"the content of an object of type {obj.type.full_name} is uncertain"
            return {**_missing(why), "type": _name(obj.type), "id": number}
        row: Row = {"type": _name(obj.type), "id": number}
        if obj.type.base in ("frame", "series"):
            return {**_missing(f"a value of type {obj.type.full_name} cannot be rebuilt"), **row}
        if obj.type.base == "array":
            return self._array(row, state, position)
        row["k"] = _KINDS.get(obj.type.base, "exception" if obj.type.base == "exception" else "object")
        if obj.extra is not None:
            row["extra"] = self._index(obj.extra, position)
        if state.shape == "mapping":
            row["items"] = self._all(tuple(key for key, _value in state.pairs), position)
            row["values"] = self._all(tuple(value for _key, value in state.pairs), position)
        elif state.shape == "bytes":
            row["v"] = state.data.hex()
        elif state.shape:
            row["items"] = self._all(state.items, position)
        if obj.type.attributes:
            row["attrs"] = [[name, self._index(value, position)] for name, value in state.attributes]
        return row

    def _array(self, row: Row, state: State, position: int) -> Row:
        """Row of a numpy array: its elements, or head, tail and checksum of a large one, which can only be compared."""
        names, elements = dict(state.attributes), read_elements(self._values, state)
        code = self._values.atom(names["dtype"]) if elements is not None else None
        if elements is None or not elements.exact or not isinstance(code, str) or row["type"] != ["numpy", "ndarray"]:
            return {**_missing("not all elements of an array are recorded"), **row}
        row |= {"k": "array", "shape": list(elements.shape), "code": code}
        if elements.objects:
            row["items"] = self._all(elements.objects, position)
        for key, name in (("v", "data"), ("head", "head"), ("tail", "tail"), ("sum", "checksum")):
            if name in names:
                row[key] = self._values.atom(names[name]).hex()
        return row


def _missing(why: str) -> Row:
    return {"k": "missing", "why": why}


def _name(kind: TypeInfo) -> list[str]:
    return [kind.module, kind.name]


def _atom(value: object) -> Row:
    if isinstance(value, bool) or value is None or value is ... or value is NotImplemented:
        return {"k": "single", "v": repr(value)}
    if isinstance(value, int):
        return {"k": "int", "v": hex(value)}
    if isinstance(value, float):
        return {"k": "float", "v": value.hex()}
    if isinstance(value, complex):
        return {"k": "complex", "v": [value.real.hex(), value.imag.hex()]}
    if isinstance(value, str):
        return {"k": "str", "v": value}
    if isinstance(value, bytes):
        return {"k": "bytes", "v": value.hex()}
    raise TypeError(f"{type(value).__name__} is not the type of an atom")
