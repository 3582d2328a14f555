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
"""The name of a local variable; `("constant", name)`, a global one; or a dictionary, as inference solved it."""


@define(eq=False)
class Node:
    """An expression; `centre` is set only in instrumented programs."""

    is_value: ClassVar[bool] = False
    span: Span = field(default=(0, 0), kw_only=True)
    centre: Centre | None = field(default=None, kw_only=True)


@define(eq=False)
class Variable(Node):
    """A variable."""

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
    """An application of a constructor."""

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
    """A call of a class method whose dictionary is known only at run time."""

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
    """A lambda or a local function; its variables that are no parameters are captured."""

    is_value: ClassVar[bool] = True
    parameters: list[str]
    body: Flat


@define(eq=False)
class Let(Node):
    """Bindings that may refer to each other."""

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
    """A rigid case on a variable; without alternatives it only evaluates the variable."""

    scrutinee: Operand
    alternatives: list[Alternative]
    default: Flat | None


@define(eq=False)
class Scc(Node):
    """`scc "name" e`, which sets the cost centre."""

    name: str
    body: Flat


@define(eq=False)
class Failure(Node):
    """A match without alternatives."""

    message: str


@define(eq=False)
class Charge(Node):
    """A call of a cost function of Def. 11: returns `body`, and counts."""

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
    """A global function, as one rule after normalisation."""

    name: str
    parameters: list[str]
    body: Flat
    module: ModuleInfo | None
    """The module; None for primitives."""
    span: Span
    is_user: bool = False
    """Whether it is from the user's source, not from the library or derived."""


def inside(e: Flat) -> list[Flat]:
    """The expressions directly inside an expression."""
    match e:
        case Let(bindings=bindings, body=body):
            return [*(bound for _, bound in bindings), body]
        case Case(alternatives=alternatives, default=default):
            return [*(alternative.body for alternative in alternatives), *([default] if default is not None else [])]
        case Function(body=body) | Scc(body=body) | Charge(body=body) | Update(body=body):
            return [body]
    return []


def all_inside(e: Flat) -> Iterator[Flat]:
    """An expression and all inside it, each once even if two cases share it."""
    known, pending = set[int](), [e]
    while pending:
        part = pending.pop()
        if id(part) not in known:
            known.add(id(part))
            yield part
            pending += reversed(inside(part))
