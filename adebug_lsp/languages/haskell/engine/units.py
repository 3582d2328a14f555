"""Units of code: functions, constants, local functions and lambdas. Every reduction is of one unit.

Every expression that can become a node of the trail has a site, its number within the unit. A node is the number of the
reduction that created it, shifted by `SITE_BITS`, plus the site, so that its parent needs no column.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import ModuleInfo

SITE_BITS = 16
MOST_SITES = 1 << 15
"""Sites at and above this number belong to the program's start: its constants."""


@define(eq=False)
class Unit:
    """A function with everything needed to compile it and to read its reductions."""

    number: int
    name: str
    module: ModuleInfo
    span: tuple[int, int]
    expression: c.Expr
    captured: list[str]
    dicts: list[str]
    arity: int
    """The number of parameters in the source."""
    is_io: bool
    """Whether its result is an action, so that it takes the world as one more parameter."""
    generated: bool = False
    is_lambda: bool = False
    outer: Unit | None = None
    sites: list[Any] = field(factory=list)
    """Expressions by site; an application to n arguments has n sites, the others for partial applications."""
    binders: dict[str, tuple[Any, ...]] = field(factory=dict)
    """The sources of local variables: ("param", n), ("expr", expression), ("part", source, path), ("unit", unit)."""
    functions: dict[str, Unit] = field(factory=dict)
    """Local functions that it can call."""
    lambdas: dict[int, Unit] = field(factory=dict)
    """Units of its lambdas, by site."""
    head: tuple[int, int] = (0, 0)

    @property
    def parameters(self) -> int:
        """All parameters of its code."""
        return len(self.captured) + len(self.dicts) + self.arity + self.is_io

    @property
    def trusted(self) -> bool:
        """Whether it belongs to the library."""
        return self.module.trusted


@define(eq=False)
class World:
    """The argument that runs an action."""

    span: tuple[int, int]
    site: int = 0


Piece = c.Expr | c.Pattern | c.Bind | c.Clause | c.Branch | World
"""A piece of code with free variables."""


class FreeVariables:
    """The local variables that an expression needs; a local function counts as the variables that it captures."""

    def __init__(self) -> None:
        self.captures: dict[str, list[str]] = {}
        """The variables that local functions capture, by name of the function."""
        self._known: dict[int, tuple[Any, dict[str, None]]] = {}

    def of(self, e: Piece) -> dict[str, None]:
        """Names in the order of their first use."""
        known = self._known.get(id(e))
        if known is None:
            known = self._known[id(e)] = (e, self._compute(e))
        return known[1]

    def expanded(self, e: Piece) -> list[str]:
        """Free variables, with captured variables for local functions."""
        names: dict[str, None] = {}
        for name in self.of(e):
            names |= dict.fromkeys(self.captures[name]) if name in self.captures else {name: None}
        return list(names)

    def _compute(self, e: Piece) -> dict[str, None]:
        match e:
            case c.Var(name=name):
                return {name: None} | self._dicts(e.dicts)
            case c.Global() | c.Lit():
                return self._dicts(e.dicts)
            case c.App(function=function, arguments=arguments):
                return self._union([function, *arguments])
            case c.Lam(clauses=clauses):
                return self._union(clauses)
            case c.Match(scrutinee=scrutinee, clauses=clauses):
                return self._union([scrutinee, *clauses])
            case c.Let(groups=groups, body=body):
                return self._without(self._union([*(b for g in groups for b in g), body]), groups)
            case c.Annot(expression=expression, annotation=(bind, _)):
                inner = {n: None for n in self.of(expression) if n not in bind.dict_params}
                return inner | self._dicts(bind.givens)
            case c.Bind(expression=expression, dict_params=params):
                return {n: None for n in self.of(expression) if n not in params}
            case c.Clause(patterns=patterns, branches=branches, groups=groups):
                names = self._union([*patterns, *(b for g in groups for b in g), *branches])
                bound = {v for p in patterns for v in bound_names(p)}
                return {n: None for n in self._without(names, groups) if n not in bound}
            case c.Branch(guards=guards, body=body):
                names = dict(self.of(body))
                for guard in reversed(guards):
                    names = self._guard(guard, names)
                return names
            case c.PLit(dicts=dicts):
                return self._dicts(dicts)
            case c.PCon(parts=parts):
                return self._union(parts)
            case c.PAs(pattern=inner) | c.PLazy(pattern=inner):
                return self.of(inner)
        return {}

    def _guard(self, guard: c.Guard, after: dict[str, None]) -> dict[str, None]:
        """The free variables of a guard and of the code after it."""
        match guard:
            case c.BoolGuard(condition=condition):
                return self.of(condition) | after
            case c.PatternGuard(pattern=pattern, expression=expression):
                bound = set(bound_names(pattern))
                return self.of(expression) | self.of(pattern) | {n: None for n in after if n not in bound}
            case c.LetGuard(groups=groups):
                return self._without(self._union([b for g in groups for b in g]) | after, groups)

    def _union(self, items: Sequence[Piece]) -> dict[str, None]:
        names: dict[str, None] = {}
        for item in items:
            names |= self.of(item)
        return names

    def _without(self, names: dict[str, None], groups: list[list[c.Bind]]) -> dict[str, None]:
        bound = {bind.name for group in groups for bind in group}
        return {name: None for name in names if name not in bound}

    def _dicts(self, wanted: list[c.Wanted]) -> dict[str, None]:
        """The dictionary parameters that constraints need."""
        names: dict[str, None] = {}
        pending = [constraint.solution for constraint in wanted]
        while pending:
            match pending.pop():
                case ("param", name):
                    names[name] = None
                case ("super", inner, *_):
                    pending.append(inner)
                case ("inst", _, parts):
                    pending += [part.solution for part in parts]
        return names


def bound_names(pattern: c.Pattern) -> list[str]:
    """Variables that a pattern binds."""
    match pattern:
        case c.PVar(name=name):
            return [name]
        case c.PAs(name=name, pattern=inner):
            return [name, *bound_names(inner)]
        case c.PLazy(pattern=inner):
            return bound_names(inner)
        case c.PCon(parts=parts):
            return [name for part in parts for name in bound_names(part)]
    return []
