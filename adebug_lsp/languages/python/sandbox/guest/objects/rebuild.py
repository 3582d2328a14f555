"""Rebuilds recorded values from their description.

A description is a table: every value is a row, and rows refer to each other by index. Mutable objects carry their
number in the recording, so that sharing, cycles and identity are restored. A value that cannot be rebuilt becomes a
stand-in, which raises as soon as the user's code uses it.
"""

import _thread
import collections
import functools
import importlib
import io
import re
import struct
import sys
import types
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, AnyStr, NoReturn

from ..modules import CannotAnswer, UserModules
from ..protocol import Row
from . import array_rows


class NameLookup:
    """Looks up classes, functions and modules by name."""

    def __init__(self, user_modules: UserModules, main: str) -> None:
        self.user_modules = user_modules
        self.main = main
        """Name of the main module."""
        self.closure: Callable[[Row, dict[str, object]], types.FunctionType] = _no_closure
        """Makes a function that was made inside another; set by the owner, which knows how."""

    def named(self, module: str, name: str) -> Any:
        """The object with this qualified name in this module."""
        if "<" in name:
            raise CannotAnswer(f"{name} cannot be looked up by name")
        target: Any = self.module(module)
        try:
            for step in name.split("."):
                target = (
                    vars(target)[step] if isinstance(target, type) and step in vars(target) else getattr(target, step)
                )
        except AttributeError:
            raise CannotAnswer(f"there is no {module}.{name}") from None
        return target

    def module(self, name: str) -> types.ModuleType:
        """A module of the user, or any importable one."""
        name = self.main if name == "__main__" else name
        return self.user_modules.module(name) if name in self.user_modules.sources else self._other(name)

    @staticmethod
    def _other(name: str) -> types.ModuleType:
        """A module that is not the user's."""
        if name in sys.modules:
            return sys.modules[name]
        try:
            return importlib.import_module(name)
        except Exception as error:
            raise CannotAnswer(f"the module {name} cannot be loaded: {error}") from error


def _match(
    pattern: re.Pattern[AnyStr], string: AnyStr, start: int, end: int, spans: tuple[tuple[int, int], ...]
) -> re.Match[AnyStr]:
    """Finds a match again, whether it came from `match`, `fullmatch` or a search."""
    arguments = string, start, end
    ways = [[pattern.match(*arguments)], [pattern.fullmatch(*arguments)], pattern.finditer(*arguments)]
    for match in chain.from_iterable(ways):
        if match is not None and match.regs == spans:
            return match
    raise CannotAnswer("a match of a regular expression cannot be rebuilt")


def _no_closure(row: Row, _cells: dict[str, object]) -> NoReturn:
    raise CannotAnswer(f"{row['name']} cannot be rebuilt")


def _untouchable(name: str) -> Callable[..., object]:
    def touch(self: Standin, *_arguments: object, **_keywords: object) -> object:
        raise CannotAnswer(row_of(self)["why"])

    touch.__name__ = name
    return touch


class Standin:
    """Stands for a value that cannot be rebuilt. It can be passed on and compared by identity, nothing else."""

    __slots__ = ()  # a stand-in has nothing to show

    def __init__(self, row: Row) -> None:
        _ROWS[id(self)] = (self, row)


_ROWS: dict[int, tuple[Standin, Row]] = {}


def row_of(standin: Standin) -> Row:
    """The row that a stand-in replaces."""
    return _ROWS[id(standin)][1]


_TOUCHES = """
getattribute setattr delattr repr str bytes format eq ne lt le gt ge hash bool len iter next reversed contains
getitem setitem delitem call add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor radd rsub
rmul rmatmul rtruediv rfloordiv rmod rdivmod rpow rlshift rrshift rand ror rxor iadd isub imul itruediv ifloordiv
imod ipow ilshift irshift iand ior ixor neg pos abs invert int float complex index round enter exit await aiter
anext aenter aexit get
"""
for _name in _TOUCHES.split():
    setattr(Standin, f"__{_name}__", _untouchable(f"__{_name}__"))


def _has_hidden_state(cls: type) -> bool:
    """Whether objects of a class have C state beyond slots, a dictionary and weak references.

    CPython's `__basicsize__` counts one pointer per slot, for `__dict__` and for `__weakref__`:
    https://docs.python.org/3/c-api/typeobj.html#c.PyTypeObject.tp_basicsize
    """
    slots = sum(
        isinstance(attribute, types.MemberDescriptorType) for base in cls.__mro__ for attribute in vars(base).values()
    )
    return bool(cls.__basicsize__ > object.__basicsize__ + struct.calcsize("P") * (slots + 2))


def _undecorated(decorated: object, name: str) -> object:
    """The function of this name inside a decorated one, if a closure cell holds it."""
    if not isinstance(decorated, types.FunctionType) or decorated.__qualname__ == name:
        return decorated
    held = [cell.cell_contents for cell in decorated.__closure__ or () if cell != types.CellType()]
    return next(
        (function for function in held if isinstance(function, types.FunctionType) and function.__qualname__ == name),
        decorated,
    )


_DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)


def _method_in_c(receiver: object, name: str) -> object:
    """The C method of this name that a value or class has, bypassing `__getattr__` of its class."""
    classes = (*(receiver.__mro__ if isinstance(receiver, type) else ()), *type(receiver).__mro__)
    for cls in classes:
        descriptor = vars(cls).get(name)
        of_class = isinstance(descriptor, types.ClassMethodDescriptorType)
        if isinstance(descriptor, _DESCRIPTORS) and (of_class or isinstance(receiver, cls)):
            owner = receiver if isinstance(receiver, type) else type(receiver)
            return descriptor.__get__(None, owner) if of_class else descriptor.__get__(receiver, type(receiver))
    static = vars(receiver).get(name) if isinstance(receiver, type) else None
    if isinstance(static, (staticmethod, types.BuiltinFunctionType)):
        return static.__func__ if isinstance(static, staticmethod) else static
    raise CannotAnswer(f"there is no C method {name}")


class Rebuilder:
    """Rebuilds the values of one table."""

    def __init__(self, rows: Sequence[Row], names: NameLookup) -> None:
        self.rows = rows
        self.names = names
        self.objects: dict[int, Any] = {}
        """Mutable objects by their number in the recording."""
        self._made: dict[int, Any] = {}
        self._hashed: list[tuple[Any, Row]] = []
        self._being_made: set[int] = set()
        """Functions whose free variables are being rebuilt."""
        self._cells: dict[tuple[int, str], Any] = {}
        """Closure cells by activation and name, shared by the functions that it made."""

    def all(self, indices: Sequence[int]) -> list[object]:
        """Values of some rows; shared parts stay shared."""
        values = [self.value(index) for index in indices]
        # Hashing keys may run the user's code, so dicts and sets are filled when all objects have their attributes.
        for made, row in self._hashed:
            self._fill_table(made, row)
        self._hashed.clear()
        return values

    def value(self, index: int) -> Any:
        """Value of one row; dicts and sets inside it may still be empty."""
        if index in self._made:
            return self._made[index]
        row = self.rows[index]
        known = "id" in row and row["id"] in self.objects
        self._made[index] = made = self.objects[row["id"]] if known else self._make(index, row)
        return made

    def _make(self, index: int, row: Row) -> object:
        """Make the object of a row; mutable ones are filled later."""
        kind = row["k"]
        try:
            made = getattr(self, f"_{kind}")(row)
        except CannotAnswer as error:
            made = Standin({**row, "why": str(error)})
        if "id" in row:
            self.objects[row["id"]] = self._made[index] = made
            if type(made) is not Standin:
                self._fill(made, row)
        return made

    # Atoms

    @staticmethod
    def _single(row: Row) -> object:
        return {"None": None, "True": True, "False": False, "Ellipsis": ..., "NotImplemented": NotImplemented}[row["v"]]

    @staticmethod
    def _int(row: Row) -> int:
        return int(row["v"], 16)

    @staticmethod
    def _float(row: Row) -> float:
        return float.fromhex(row["v"])

    @staticmethod
    def _complex(row: Row) -> complex:
        return complex(*map(float.fromhex, row["v"]))

    @staticmethod
    def _str(row: Row) -> object:
        return row["v"]

    @staticmethod
    def _bytes(row: Row) -> bytes:
        return bytes.fromhex(row["v"])

    # Immutable values with parts

    def _tuple(self, row: Row) -> tuple[object, ...]:
        return tuple([self.value(index) for index in row["items"]])

    def _frozenset(self, row: Row) -> object:
        return frozenset(self._tuple(row))

    def _range(self, row: Row) -> object:
        return range(*map(self.value, row["items"]))

    def _slice(self, row: Row) -> object:
        return slice(*map(self.value, row["items"]))

    def _derived(self, row: Row) -> object:
        """A value of a class derived from an immutable builtin, perhaps a namedtuple."""
        cls, plain = self._class(row), self.value(row["value"])
        base: Any = type(plain)
        return base.__new__(cls, plain) if issubclass(cls, base) else cls(plain)  # a scalar of numpy

    def _built(self, row: Row) -> object:
        cls, arguments = self._class(row), self.value(row["value"])
        if row["type"][1] == "datetime":
            return cls(*arguments[:-1], fold=arguments[-1])
        if row["type"][1] == "time":
            return cls(*arguments[:-1], fold=arguments[-1])
        if cls is re.Pattern:
            return re.compile(arguments[0], arguments[1] & ~re.DEBUG)
        return _match(*arguments) if cls is re.Match else cls(*arguments)

    def _enum(self, row: Row) -> object:
        cls, name = self._class(row), row["name"]
        if name in cls.__members__:
            return cls.__members__[name]
        return cls(self.value(row["value"]))

    # Values known by name

    def _class(self, row: Row) -> Any:
        cls = self.names.named(*row["type"])
        if not isinstance(cls, type):
            raise CannotAnswer(f"{row['type'][1]} is not a class")
        return cls

    def _type(self, row: Row) -> object:
        return self._class(row)

    def _function(self, row: Row) -> object:
        if "cells" not in row:
            return _undecorated(self.names.named(row["module"], row["name"]), row["name"])
        if row["id"] in self._being_made:
            raise CannotAnswer(f"{row['name']} refers to itself")
        self._being_made.add(row["id"])
        made = self.names.closure(row, {name: self.value(index) for name, index in row["cells"]})
        return self._sharing(made, row["maker"])

    def _sharing(self, made: types.FunctionType, maker: int) -> types.FunctionType:
        """A function with the closure cells of the activation that made it; unbound cells are not shared."""
        if maker < 0 or not made.__closure__:
            return made
        cells = [
            cell if cell == types.CellType() else self._cells.setdefault((maker, name), cell)
            for name, cell in zip(made.__code__.co_freevars, made.__closure__, strict=True)
        ]
        again = types.FunctionType(made.__code__, made.__globals__, made.__name__, made.__defaults__, tuple(cells))
        again.__kwdefaults__, again.__qualname__ = made.__kwdefaults__, made.__qualname__
        return again

    def _generator(self, row: Row) -> object:
        """A generator that has not started, made by repeating the call."""
        positional = [self.value(index) for index in row["items"]]
        named = {name: self.value(index) for name, index in row["attrs"]}
        try:
            made = self.names.named(row["module"], row["name"])(*positional, **named)
        except Exception as error:
            raise CannotAnswer(f"the generator {row['name']} cannot be rebuilt: {error}") from None
        if not isinstance(made, types.GeneratorType):
            raise CannotAnswer(f"{row['name']} is not a generator")
        return made

    def _module(self, row: Row) -> object:
        return self.names.module(row["name"])

    def _method(self, row: Row) -> object:
        receiver = self.value(row["receiver"])
        if type(receiver) is Standin:
            raise CannotAnswer(row_of(receiver)["why"])
        if row.get("builtin"):
            return _method_in_c(receiver, row["name"])
        try:
            return getattr(receiver, row["name"].rpartition(".")[2])
        except AttributeError:
            raise CannotAnswer(f"there is no {row['name']}") from None

    def _descriptor(self, row: Row) -> object:
        """A C method as an attribute of its class."""
        owner = self.value(row["receiver"])
        descriptor = vars(owner).get(row["name"]) if isinstance(owner, type) else None
        if not isinstance(descriptor, _DESCRIPTORS):
            raise CannotAnswer(f"there is no C method {row['name']}")
        return descriptor

    def _stream(self, row: Row) -> object:
        """An in-memory stream: repeats the calls on it, each of which must return the recorded result."""
        made = getattr(io, row["type"][1])(*[self.value(index) for index in row["items"]])
        for method, arguments, result in row["uses"]:
            if not method:
                raise CannotAnswer("the calls on a stream are unknown")
            gave = getattr(made, method)(*[self.value(index) for index in arguments])
            meant = self.all([result])[0]
            if type(gave) is not type(meant) or gave != meant:
                raise CannotAnswer("a rebuilt stream returns something else than recorded")
        return made

    def _sentinel(self, row: Row) -> object:
        """The sentinel that the code has under its name (PEP 661), since it is compared by identity."""
        sentinel = self.names.named(row["module"], row["name"])
        if type(sentinel).__name__ != "sentinel":
            raise CannotAnswer(f"{row['name']} is not a sentinel")
        return sentinel

    @staticmethod
    def _lock(row: Row) -> object:
        return _thread.RLock() if row["name"] == "RLock" else _thread.allocate_lock()

    @staticmethod
    def _missing(row: Row) -> object:
        raise CannotAnswer(row["why"])

    @staticmethod
    def _known(_row: Row) -> object:
        raise CannotAnswer("an object that was described before is missing")

    # Mutable values: made empty, registered, then filled

    def _list(self, row: Row) -> object:
        return list.__new__(self._class(row))

    def _dict(self, row: Row) -> object:
        cls = self._class(row)
        made = cls.__new__(cls) if cls.__new__ is dict.__new__ else self._plain_new(cls)
        if isinstance(made, collections.defaultdict) and "extra" in row:
            made.default_factory = self.value(row["extra"])
        return made

    @staticmethod
    def _plain_new(kind: type) -> object:
        base = next(cls for cls in kind.__mro__ if cls in (collections.OrderedDict, collections.defaultdict, dict))
        return base.__new__(kind)

    def _set(self, row: Row) -> object:
        return set.__new__(self._class(row))

    def _deque(self, row: Row) -> object:
        made = collections.deque.__new__(self._class(row))
        collections.deque.__init__(made, (), self.value(row["extra"]) if "extra" in row else None)
        return made

    def _bytearray(self, row: Row) -> object:
        return bytearray.__new__(self._class(row))

    def _array(self, row: Row) -> object:
        return array_rows.make(self.names.module("numpy"), row)

    def _exception(self, row: Row) -> object:
        cls, arguments = self._class(row), self.value(row["extra"]) if "extra" in row else ()
        builtin = next(base for base in cls.__mro__ if base.__module__ == "builtins")
        made = builtin.__new__(cls, *arguments)
        builtin.__init__(made, *arguments)
        made.args = arguments
        return made

    def _partial(self, row: Row) -> object:
        """A partial function; its keywords are in a dictionary of its own."""
        function, positional, named = self.rows[row["extra"]]["items"]
        keywords = self.rows[named]
        pairs = zip(keywords["items"], keywords["values"], strict=True)
        more = {self.value(key): self.value(value) for key, value in pairs}
        made = functools.partial.__new__(self._class(row), self.value(function), *self.value(positional), **more)
        self._made[named] = self.objects[keywords["id"]] = made.keywords
        return made

    def _object(self, row: Row) -> object:
        cls = self._class(row)
        if "extra" in row:
            plain = self.value(row["extra"])
            return type(plain).__new__(cls, plain)
        if _has_hidden_state(cls):
            raise CannotAnswer(f"a value of type {cls.__module__}.{cls.__qualname__} cannot be rebuilt")
        try:
            return object.__new__(cls)
        except TypeError as error:
            raise CannotAnswer(str(error)) from None

    def _fill(self, made: Any, row: Row) -> None:
        """Fill an object with its recorded items and attributes."""
        kind = row["k"]
        if kind in ("dict", "set"):
            self._hashed.append((made, row))
            for index in (*row["items"], *row.get("values", ())):
                self.value(index)
        elif kind == "list":
            list.extend(made, [self.value(index) for index in row["items"]])
        elif kind == "deque":
            collections.deque.extend(made, [self.value(index) for index in row["items"]])
        elif kind == "bytearray":
            bytearray.extend(made, bytes.fromhex(row["v"]))
        elif kind == "array" and "items" in row:
            for place, index in enumerate(row["items"]):
                made.flat[place] = self.value(index)
        for name, index in () if kind == "generator" else row.get("attrs", ()):
            self._set_attribute(made, name, self.value(index))

    def _fill_table(self, made: Any, row: Row) -> None:
        keys = [self.value(index) for index in row["items"]]
        if row["k"] == "set":
            for key in keys:
                set.add(made, key)
            return
        store = collections.OrderedDict.__setitem__ if isinstance(made, collections.OrderedDict) else dict.__setitem__
        for key, index in zip(keys, row["values"], strict=True):
            store(made, key, self.value(index))

    @staticmethod
    def _set_attribute(made: object, name: str, value: object) -> None:
        """Sets a slot or an entry of the dictionary, bypassing `__setattr__` of the class."""
        for cls in type(made).__mro__:
            held = vars(cls).get(name)
            if isinstance(held, types.MemberDescriptorType):
                held.__set__(made, value)
                return
            if hasattr(type(held), "__set__"):
                return  # a property, which stores its value under another name
        try:
            object.__getattribute__(made, "__dict__")[name] = value
        except AttributeError:
            raise CannotAnswer(f"the reference's {type(made).__qualname__} has no attribute {name}") from None
