"""Aligns the source of a module with its reference: which expression replaces which.

Definitions are paired by name and clause, expressions by structure. Below a pair that differs, nothing is aligned.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

from attrs import define, field, fields, has

from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.defined_names import defined_name

Syntax: TypeAlias = Any
"""A node of the syntax tree, or a field of one."""


@define(eq=False)
class Alignment:
    """Maps offsets in one text to offsets in the other."""

    starts: dict[int, int] = field(factory=dict)
    ends: dict[int, int] = field(factory=dict)

    def span(self, span: t.Span) -> t.Span | None:
        """The corresponding span in the reference; None if there is none."""
        start, end = self.starts.get(span[0]), self.ends.get(span[1])
        return (start, end) if start is not None and end is not None and start < end else None


def align(own: t.Module, other: t.Module) -> Alignment:
    """Align two versions of a module."""
    alignment = Alignment()
    _align_declarations(own.declarations, other.declarations, alignment)
    return alignment


def _align_declarations(own: list[Syntax], other: list[Syntax], alignment: Alignment) -> None:
    others = _keyed(other)
    for key, declaration in _keyed(own).items():
        if key in others:
            _align(declaration, others[key], alignment)


def _keyed(declarations: list[Syntax]) -> dict[tuple[str, int], Syntax]:
    """Declarations by the name that they define and the number of the clause."""
    count: Counter[str] = Counter()
    keyed = {}
    for declaration in declarations:
        match declaration:
            case t.Equation(left=left):
                name = defined_name(left) or "pattern"
            case t.Class(name=name):
                name = f"class {name}"
            case t.Instance(name=name, type=kind):
                name = f"instance {name} {_type_name(kind)}"
            case _:
                continue
        keyed[name, count[name]] = declaration
        count[name] += 1
    return keyed


def _type_name(kind: t.Type) -> str:
    while isinstance(kind, t.TypeApplication):
        kind = kind.function
    return kind.name


def _align(own: Syntax, other: Syntax, alignment: Alignment) -> None:
    """Align two nodes and, if they have the same structure, their children."""
    if isinstance(own, t.Node) and isinstance(other, t.Node):
        alignment.starts.setdefault(own.span[0], other.span[0])
        alignment.ends.setdefault(own.span[1], other.span[1])
    if type(own) is not type(other):
        return
    if isinstance(own, list | tuple):
        if any(isinstance(child, t.Equation) for child in own):
            _align_declarations(list(own), list(other), alignment)
        elif len(own) == len(other):
            for mine, its in zip(own, other, strict=True):
                _align(mine, its, alignment)
    elif has(type(own)):
        for attribute in fields(type(own)):
            if attribute.name != "span":
                _align(getattr(own, attribute.name), getattr(other, attribute.name), alignment)
