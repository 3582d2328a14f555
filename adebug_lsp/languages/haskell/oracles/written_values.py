"""Recorded values as Haskell source: `undefined` if not evaluated, a function as a `case` over its applications."""

from __future__ import annotations

import re

from attrs import define, field

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.units import Unit
from adebug_lsp.languages.haskell.reading.graph import (
    WORLD,
    Bottom,
    Constant,
    Data,
    Dictionary,
    Function,
    Ref,
    Unevaluated,
)
from adebug_lsp.languages.haskell.reading.run import HaskellRun, qualified_name
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.types.types import Scheme, TAp, TCon, TGen, Type, replace, spine

_MOST_ENTRIES = 200


class NotWritableError(Exception):
    """A value has no source: an action, or a function of functions."""


@define(eq=False)
class Writer:
    """Writes the values of one run. Types are needed only for newtypes, which leave no trace in a run."""

    run: HaskellRun
    _guards: list[str] = field(factory=list)
    """Conditions of the pattern that is being written."""

    def value(self, ref: Ref, kind: Type | None = None) -> str:
        """An expression in parentheses; raises `NotWritableError`."""
        return self._written(ref, kind, is_pattern=False)

    def pattern(self, ref: Ref, kind: Type | None = None) -> str:
        """A pattern that matches the value as far as it was evaluated."""
        return self._written(ref, kind, is_pattern=True)

    def _written(self, ref: Ref, kind: Type | None, is_pattern: bool) -> str:
        """The source of a value, as an expression or a pattern."""
        value = self.run.graph.value(ref)
        if isinstance(value, Unevaluated | Bottom):
            return "_" if is_pattern else "undefined"
        wrapper = newtype_of(self.run, kind)
        if wrapper is not None:
            info, inner = wrapper
            return f"({_name(info)} {self._written(ref, inner, is_pattern)})"
        string = self.run.graph.string(value) if is_pattern else None
        if string:  # a pattern of many characters nests deeper than the engine's code may
            name = f"adebugText{len(self._guards)}"
            self._guards.append(f"{name} == {self.run.values.text(value)}")
            return name
        match value:
            case Constant(is_string=True) | Constant(value=int() | float() | str()) if value is not WORLD:
                return f"({self.run.values.text(value)})"
            case Data(info=info, fields=fields):
                kinds = field_types(info, kind)
                parts = [
                    self._written(part, part_kind, is_pattern) for part, part_kind in zip(fields, kinds, strict=True)
                ]
                return f"({' '.join([_name(info), *parts])})" if parts else _name(info)
            case Function() if not is_pattern:
                return self._function(value, kind)
        raise NotWritableError

    def _function(self, value: Function, kind: Type | None) -> str:
        """The source of a function value: its name with arguments, or a finite map."""
        target = value.target
        arguments = [a for a in value.arguments if not isinstance(a, Dictionary)]
        if isinstance(target, c.ConstructorInfo):
            return f"({' '.join([_name(target), *(self.value(a) for a in arguments)])})"
        if not isinstance(target, Unit):
            raise NotWritableError
        if target.outer is None and "~" not in target.name and not target.trusted:
            return f"({' '.join([qualified_name(target), *(self.value(a) for a in arguments)])})"
        return self._finite_map(value, kind)

    def _finite_map(self, value: Function, kind: Type | None) -> str:
        """The source of a function as a lambda over its recorded applications."""
        entries = self.run.values.applications(value)
        if not entries or len(entries) > _MOST_ENTRIES or self.run.unit(entries[0]).is_io:
            raise NotWritableError
        kinds, result = argument_types(kind, len(self.applied(value, entries[0])))
        lines = list(dict.fromkeys(self._entry(value, q, kinds, result) for q in entries))
        if sum(is_vague for is_vague, _ in lines) > 1:
            raise NotWritableError  # which entry matches would depend on what is not known
        names = [f"adebug{i}" for i in range(len(kinds))]
        alternatives = "; ".join(line for _, line in sorted(lines))
        return f"(\\{' '.join(names)} -> case ({', '.join(names)}) of {{ {alternatives} }})"

    def _entry(self, value: Function, q: int, kinds: list[Type | None], result: Type | None) -> tuple[bool, str]:
        """An alternative of a finite map, and whether a part of its pattern was not evaluated."""
        outer, self._guards = self._guards, []
        patterns = [self.pattern(a, part_kind) for a, part_kind in zip(self.applied(value, q), kinds, strict=True)]
        guards = f" | {', '.join(self._guards)}" if self._guards else ""
        self._guards = outer
        is_vague = any("_" in re.split(r"[^\w]+", pattern) for pattern in patterns)
        return is_vague, f"({', '.join(patterns)}){guards} -> {self.value(self.run.result(q), result)}"

    def applied(self, value: Function, q: int) -> list[Ref]:
        """The arguments that a function value got in one of its applications."""
        unit = self.run.unit(q)
        first = max(len(value.arguments), len(unit.captured) + len(unit.dicts))
        return list(self.run.graph.arguments(q)[first : len(unit.captured) + len(unit.dicts) + unit.arity])


def newtype_of(run: HaskellRun, kind: Type | None) -> tuple[c.ConstructorInfo, Type] | None:
    """The constructor of a newtype with the type inside."""
    head, arguments = spine(kind) if kind is not None else (None, [])
    if not isinstance(head, TCon):
        return None
    program = run.compiled.program
    declaration = program.types.get(head.name)
    if not isinstance(declaration, t.Data) or not declaration.is_newtype:
        return None
    module = head.name.rpartition(".")[0]
    info = program.constructors[f"{module}.{declaration.constructors[0].name}"]
    (inner,), _ = argument_types(replace(info.scheme.type, arguments), 1)
    return (info, inner) if inner is not None else None


def field_types(info: c.ConstructorInfo, kind: Type | None) -> list[Type | None]:
    """The types of a constructor's fields at a type."""
    head, arguments = spine(kind) if kind is not None else (None, [])
    if not isinstance(head, TCon) or info.scheme is None or len(arguments) != info.scheme.count:
        return [None] * info.arity
    return argument_types(replace(info.scheme.type, arguments), info.arity)[0]


def argument_types(kind: Type | None, count: int) -> tuple[list[Type | None], Type | None]:
    """The types of a function's first arguments, and of the remaining result."""
    kinds: list[Type | None] = []
    for _ in range(count):
        head, arguments = spine(kind) if kind is not None else (None, [])
        if not isinstance(head, TCon) or head.name != "->" or len(arguments) != 2:
            return [*kinds, *[None] * (count - len(kinds))], None
        kinds.append(arguments[0])
        kind = arguments[1]
    return kinds, kind


def expression_type(e: c.Expr, run: HaskellRun) -> Type | None:
    """The type of a call of a global function; None if unknown."""
    function, count = (e.function, len(e.arguments)) if isinstance(e, c.App) else (e, 0)
    if not isinstance(function, c.Global):
        return None
    scheme = run.compiled.program.schemes.get(function.name)
    if not isinstance(scheme, Scheme):
        return None
    types: list[Type] = [TGen(i) for i in range(scheme.count)]
    for (_, kind), wanted in zip(scheme.context, function.dicts, strict=False):
        if isinstance(kind, TGen):
            types[kind.number] = wanted.type
    return argument_types(replace(scheme.type, types), count)[1]


def dictionary_type(dictionary: Ref) -> Type | None:
    """The type that a dictionary is for; None if unknown."""
    if not isinstance(dictionary, Dictionary) or dictionary.instance is None:
        return None
    instance = dictionary.instance
    parameters: list[Type | None] = [None] * instance.parameters
    for (_, index), part in zip(instance.context, dictionary.parts, strict=False):
        parameters[index] = parameters[index] or dictionary_type(part)
    kind: Type = TCon(instance.type_name)
    for parameter in parameters:
        if parameter is None:
            return None
        kind = TAp(kind, parameter)
    return kind


def _name(info: c.ConstructorInfo) -> str:
    is_hidden = info.name.startswith("Data.")  # abstract types of the library are visible by full name only
    name = info.name if is_hidden else info.short
    return f"({name})" if name.startswith(":") else name
