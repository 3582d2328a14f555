"""The nodes of the core language. Type inference fills in dictionaries, the code generator sites."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from adebug_lsp.languages.haskell.syntax.tree import Qualified, Span


@define(eq=False)
class ConstructorInfo:
    """A data constructor."""

    name: str
    type_name: str
    tag: int
    arity: int
    labels: list[str]
    strict: list[bool]
    is_newtype: bool = False
    siblings: list[ConstructorInfo] = field(factory=list)
    scheme: Any = None
    precedence: int = 9

    @property
    def short(self) -> str:
        """The name without its module."""
        return short(self.name)


def short(name: str) -> str:
    """A name without its module and without the number that makes a local name unique."""
    name = name.partition("~")[0]
    for position in range(1, len(name) - 1):
        if name[position] == "." and name[position - 1].isalnum() and name[0].isupper():
            return short(name[position + 1 :])
    return name


@define(eq=False)
class Wanted:
    """A dictionary that an expression needs, for a class at a type; `solution` says how to make it."""

    class_name: str
    type: Any
    span: Span
    solution: Any = None


# `site` and `run` (an action applied to the world) are of the code generator, `type` of inference.


@define(eq=False)
class Var:
    """A local variable."""

    span: Span
    name: str
    dicts: list[Wanted] = field(factory=list)
    site: int = 0
    type: Any = None
    run: Any = None


@define(eq=False)
class Global:
    """A variable of a module, or a method of a class."""

    span: Span
    name: str
    dicts: list[Wanted] = field(factory=list)
    site: int = 0
    type: Any = None
    run: Any = None


@define(eq=False)
class Con:
    """A data constructor."""

    span: Span
    info: ConstructorInfo
    site: int = 0
    type: Any = None
    run: Any = None


@define(eq=False)
class Lit:
    """A literal."""

    span: Span
    kind: str
    """`int` and `frac`, which are overloaded, `char` or `string`."""
    value: Any
    dicts: list[Wanted] = field(factory=list)
    site: int = 0
    type: Any = None
    run: Any = None


@define(eq=False)
class App:
    """An application of a function to one or more arguments."""

    span: Span
    function: Expr
    arguments: list[Expr]
    site: int = 0
    type: Any = None
    run: Any = None


@define(eq=False)
class Lam:
    """A function: its clauses are tried in order."""

    span: Span
    arity: int
    clauses: list[Clause]
    generated: bool = False
    """Whether it was made for a comprehension, a do block or a section, about which no question is asked."""
    site: int = 0
    type: Any = None
    run: Any = None


@define(eq=False)
class Match:
    """`case` and `if`."""

    span: Span
    scrutinee: Expr
    clauses: list[Clause]
    keyword: str = "case"
    site: int = 0
    type: Any = None
    run: Any = None


@define(eq=False)
class Let:
    """An expression with local bindings."""

    span: Span
    groups: list[list[Bind]]
    body: Expr
    site: int = 0
    type: Any = None
    run: Any = None


@define(eq=False)
class Annot:
    """An expression with a type annotation."""

    span: Span
    expression: Expr
    annotation: Any
    site: int = 0
    type: Any = None
    run: Any = None


Expr = Var | Global | Con | Lit | App | Lam | Match | Let | Annot


@define(eq=False)
class PVar:
    """A variable."""

    span: Span
    name: str
    strict: bool = False


@define(eq=False)
class PWild:
    """`_`."""

    span: Span


@define(eq=False)
class PCon:
    """A constructor with patterns for its fields."""

    span: Span
    info: ConstructorInfo
    parts: list[Pattern]


@define(eq=False)
class PLit:
    """A literal."""

    span: Span
    kind: str
    value: Any
    dicts: list[Wanted] = field(factory=list)
    """For a number: the dictionaries of `Eq`, and of `Num` or `Fractional`."""
    test: Any = None
    """The comparison, if the type is not known."""


@define(eq=False)
class PAs:
    """`name@pattern`."""

    span: Span
    name: str
    pattern: Pattern


@define(eq=False)
class PLazy:
    """`~pattern`."""

    span: Span
    pattern: Pattern


Pattern = PVar | PWild | PCon | PLit | PAs | PLazy


@define(eq=False)
class BoolGuard:
    """A guard that is a condition."""

    span: Span
    condition: Expr


@define(eq=False)
class PatternGuard:
    """`pattern <- expression`."""

    span: Span
    pattern: Pattern
    expression: Expr


@define(eq=False)
class LetGuard:
    """`let` with bindings, as a guard."""

    span: Span
    groups: list[list[Bind]]


Guard = BoolGuard | PatternGuard | LetGuard


@define(eq=False)
class Branch:
    """A right-hand side with its guards."""

    span: Span
    guards: list[Guard]
    body: Expr


@define(eq=False)
class Clause:
    """An equation or alternative: patterns, and branches with guards."""

    span: Span
    patterns: list[Pattern]
    branches: list[Branch]
    groups: list[list[Bind]]
    """The bindings of its `where`, in dependency order."""


@define(eq=False)
class Bind:
    """A binding of one name."""

    span: Span
    name: str
    expression: Expr
    signature: Qualified | None = None
    scheme: Any = None
    dict_params: list[str] = field(factory=list)
    """The dictionaries that it takes, after inference."""
    givens: list[tuple[str, Any]] = field(factory=list)
    head: Span = (0, 0)
    """The first occurrence of its name."""
    generated: bool = False

    @property
    def is_function(self) -> bool:
        """Whether it is defined with parameters."""
        return isinstance(self.expression, Lam)
