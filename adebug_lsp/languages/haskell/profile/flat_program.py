"""Normalised flat programs (the thesis, Fig. 2.4): arguments are variables, and a case distinguishes one constructor.

Beyond the thesis there are function values, primitives, and dictionaries of classes: operands that cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from attrs import define, field, frozen

from adebug_lsp.languages.haskell.core.core_tree import ConstructorInfo
from adebug_lsp.languages.haskell.core.entities import ModuleInfo
from adebug_lsp.languages.haskell.profile.cost_centres import Centre, Kind
from adebug_lsp.languages.haskell.syntax.tree import Span

Operand = str | tuple[Any, ...]
"""A local variable by its name; `("constant", name)`, a global one; a dictionary as inference solved it."""


@define(eq=False)
class Node:
    """An expression; `centre` is set in instrumented programs only."""

    is_value: ClassVar[bool] = False
    span: Span = field(default=(0, 0), kw_only=True)
    centre: Centre | None = field(default=None, kw_only=True)


@define(eq=False)
class Variable(Node):
    operand: Operand


@define(eq=False)
class Literal(Node):
    """A number or a character."""

    is_value: ClassVar[bool] = True
    value: int | float | str


@define(eq=False)
class Text(Node):
    """A string literal: a list of characters."""

    is_value: ClassVar[bool] = True
    value: str


@define(eq=False)
class Construct(Node):
    is_value: ClassVar[bool] = True
    info: ConstructorInfo
    operands: list[Operand]


@define(eq=False)
class Call(Node):
    """A call of a global function, or a partial application of it."""

    function: str
    operands: list[Operand]


@define(eq=False)
class Method(Node):
    """A call of a class's method whose dictionary is only known when it runs."""

    name: str
    dictionary: Operand
    operands: list[Operand]


@define(eq=False)
class Apply(Node):
    """A call of a function value."""

    function: Operand
    operands: list[Operand]


@define(eq=False)
class Primitive(Node):
    """A strict operation on evaluated operands."""

    name: str
    operands: list[Operand]


@define(eq=False)
class Function(Node):
    """A lambda or a local function; a variable of it that is not a parameter is captured."""

    is_value: ClassVar[bool] = True
    parameters: list[str]
    body: Flat


@define(eq=False)
class Let(Node):
    """Bindings that may need each other."""

    bindings: list[tuple[str, Flat]]
    body: Flat


@define(eq=False)
class Alternative:
    """A constructor with variables for its fields, or a literal."""

    constant: ConstructorInfo | int | float | str
    fields: list[str]
    body: Flat


@define(eq=False)
class Case(Node):
    """A rigid case on a variable; without alternatives it only evaluates."""

    scrutinee: Operand
    alternatives: list[Alternative]
    default: Flat | None


@define(eq=False)
class Scc(Node):
    """`scc "name" e`: sets the cost centre."""

    name: str
    body: Flat


@define(eq=False)
class Failure(Node):
    """No alternative matches."""

    message: str


@define(eq=False)
class Charge(Node):
    """A call of a cost function of Def. 11: the identity on `body`, counted."""

    kind: Kind
    body: Flat


@define(eq=False)
class Update(Node):
    """`update(e)` of Fig. 4.2: charges the centre of the value that it returns."""

    body: Flat


Flat = (
    Variable
    | Literal
    | Text
    | Construct
    | Call
    | Method
    | Apply
    | Primitive
    | Function
    | Let
    | Case
    | Scc
    | Failure
    | Charge
    | Update
)


@frozen(eq=False)
class Rule:
    """A global function: its one rule after normalisation."""

    name: str
    parameters: list[str]
    body: Flat
    module: ModuleInfo | None
    """None for primitives."""
    span: Span
    is_user: bool = False
    """Whether it is written in the program; those of the library and derived ones are not."""


def inside(e: Flat) -> list[Flat]:
    """The expressions directly inside one."""
    match e:
        case Let(bindings=bindings, body=body):
            return [*(bound for _, bound in bindings), body]
        case Case(alternatives=alternatives, default=default):
            return [*(alternative.body for alternative in alternatives), *([default] if default is not None else [])]
        case Function(body=body) | Scc(body=body) | Charge(body=body) | Update(body=body):
            return [body]
    return []


def all_inside(e: Flat) -> Iterator[Flat]:
    """An expression and all inside it, each once though two cases may refer to it."""
    known, pending = set[int](), [e]
    while pending:
        part = pending.pop()
        if id(part) not in known:
            known.add(id(part))
            yield part
            pending += reversed(inside(part))
