"""Generates and shrinks arguments by type, as QuickCheck does: small ones first, the same in every run."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice

from attrs import evolve, frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program
from adebug_lsp.languages.haskell.engine.machine import show_character, show_double
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.types.types import TCon, TGen, Type, replace, show, spine
from adebug_lsp.model.errors import BadInputError

_CHARACTERS = "abcxyzABC019 .,-_\n"
_DEEPEST = 5
INTEGER = TCon("Prelude.Integer")


@frozen
class Item:
    """A generated value: a constructor or a literal, with its parts."""

    kind: str
    """`int`, `double`, `char`, `list`, `tuple` or `data`."""
    content: int | float | str
    """The literal, or the constructor as source."""
    parts: tuple[Item, ...] = ()
    simpler: tuple[str, ...] = ()
    """Constructors without fields that come before this one."""

    @property
    def source(self) -> str:
        """The value as source."""
        match self.kind:
            case "int":
                return f"({self.content})" if int(self.content) < 0 else str(self.content)
            case "double":
                return f"({show_double(float(self.content))})"
            case "char":
                return show_character(str(self.content))
            case "list":
                return f"[{', '.join(part.source for part in self.parts)}]"
            case "tuple":
                return f"({', '.join(part.source for part in self.parts)})"
        words = " ".join([str(self.content), *(part.source for part in self.parts)])
        return f"({words})" if self.parts else words

    def smaller(self) -> Iterator[Item]:
        """Simpler values of the same type, the simplest first."""
        match self.kind:
            case "int":
                yield from (evolve(self, content=n) for n in _smaller_numbers(int(self.content)))
            case "double":
                whole = int(self.content)
                yield from (evolve(self, content=float(n)) for n in [*_smaller_numbers(whole), whole])
            case "char" if self.content != "a":
                yield evolve(self, content="a")
            case "list":
                yield from (evolve(self, parts=parts) for parts in _shorter(self.parts))
            case "data":
                yield from (Item("data", name, simpler=self.simpler[:i]) for i, name in enumerate(self.simpler))
                yield from (part for part in self.parts if part.kind == "data")
        for number, part in enumerate(self.parts):
            for other in part.smaller():
                yield evolve(self, parts=(*self.parts[:number], other, *self.parts[number + 1 :]))


def _smaller_numbers(number: int) -> list[int]:
    towards = [0, number // 2 if number > 0 else -(-number // 2), number - (number > 0) + (number < 0)]
    return [n for n in dict.fromkeys([*([-number] if number < 0 else []), *towards]) if n != number]


def _shorter(parts: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    """Shorter lists: nothing, halves, and without one of the items."""
    if not parts:
        return
    yield ()
    half = len(parts) // 2
    if half:
        yield parts[:half]
        yield parts[half:]
    for number in range(len(parts)):
        yield (*parts[:number], *parts[number + 1 :])


class Generator:
    """Generates values of the types of one module; raises `BadInputError` for types without values."""

    def __init__(self, program: Program, module: ModuleInfo, seed: str) -> None:
        self.program, self.module = program, module
        self.random = random.Random(seed)  # noqa: S311 - for tests

    def make(self, kind: Type, size: int, depth: int = 0) -> Item:
        """A value of a type; a type variable is `Integer`."""
        head, arguments = spine(kind)
        if isinstance(head, TGen):
            head = INTEGER
        if not isinstance(head, TCon) or head.name == "->":
            raise BadInputError(f"no arguments of type {show(kind)} can be generated")
        simple = self._simple(head.name, size)
        if simple is not None:
            return simple
        if head.name == "[]":
            length = self.random.randint(0, max(0, size // (depth + 1)))
            return Item("list", "", tuple(self.make(arguments[0], size, depth + 1) for _ in range(length)))
        if head.name.startswith("(,"):
            return Item("tuple", "", tuple(self.make(argument, size, depth + 1) for argument in arguments))
        return self._data(head.name, kind, arguments, size, depth)

    def _simple(self, name: str, size: int) -> Item | None:
        """A value of a type without parts."""
        makers: dict[str, Callable[[], Item]] = {
            "Prelude.Int": lambda: Item("int", self.random.randint(-size, size)),
            "Prelude.Integer": lambda: Item("int", self.random.randint(-size, size)),
            "Prelude.Double": lambda: Item("double", self.random.randint(-4 * size, 4 * size) / 4),
            "Prelude.Char": lambda: Item("char", self.random.choice(_CHARACTERS)),
            "()": lambda: Item("tuple", ""),
        }
        return makers[name]() if name in makers else None

    def _data(self, name: str, kind: Type, arguments: list[Type], size: int, depth: int) -> Item:
        """A value of a data type; deeper ones get smaller constructors."""
        declaration = self.program.types.get(name)
        if not isinstance(declaration, t.Data) or name.startswith("Data."):
            raise BadInputError(f"no arguments of type {show(kind)} can be generated")
        owner = name.rpartition(".")[0]
        infos = [self.program.constructors[f"{owner}.{info.name}"] for info in declaration.constructors]
        ends = [info for info in infos if not _mentions(info, name)]
        if depth > _DEEPEST and not ends:
            raise BadInputError(f"no arguments of type {show(kind)} can be generated: its values have no end")
        info = self.random.choice(ends if ends and depth >= min(_DEEPEST, size) else infos)
        fields = _field_types(info, arguments)
        simpler = tuple(self._visible(info) for info in infos[: info.tag] if not info.arity)
        parts = tuple(self.make(info, size // 2 if len(fields) > 1 else size, depth + 1) for info in fields)
        return Item("data", self._visible(info), parts, simpler)

    def _visible(self, info: c.ConstructorInfo) -> str:
        """A visible name of a constructor in the module."""
        names = [name for name, entities in self.module.values.items() if entities == {info.name}]
        if not names:
            raise BadInputError(f"the constructor {info.short} is not visible in {self.module.name}")
        name = min(names, key=len)
        return f"({name})" if name.rpartition(".")[2].startswith(":") else name


def _field_types(info: c.ConstructorInfo, arguments: list[Type]) -> list[Type]:
    kind, types = replace(info.scheme.type, arguments), []
    for _ in range(info.arity):
        _, (argument, kind) = spine(kind)
        types.append(argument)
    return types


def _mentions(info: c.ConstructorInfo, name: str) -> bool:
    pending = _field_types(info, [INTEGER] * info.scheme.count)
    while pending:
        head, arguments = spine(pending.pop())
        if isinstance(head, TCon) and head.name == name:
            return True
        pending += arguments
    return False


def some_smaller(arguments: tuple[Item, ...], most: int) -> list[tuple[Item, ...]]:
    """Simpler lists of arguments, each with one argument changed."""

    def all_smaller() -> Iterator[tuple[Item, ...]]:
        for number, argument in enumerate(arguments):
            for other in argument.smaller():
                yield (*arguments[:number], other, *arguments[number + 1 :])

    return list(islice(all_smaller(), most))
