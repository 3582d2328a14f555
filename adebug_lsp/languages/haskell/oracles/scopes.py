"""The variables and local functions that are visible at a place inside a definition, outermost first."""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import fields, frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.units import bound_names
from adebug_lsp.languages.haskell.syntax.tree import Span

Code: TypeAlias = Any
"""A node of the core language, or a part of one."""

_CODE = c.Expr | c.Clause | c.Branch | c.Bind | c.Guard


@frozen(eq=False)
class Level:
    """The names that one clause, `let` or guard brings into scope."""

    names: tuple[str, ...]
    functions: tuple[c.Bind, ...]


def levels_at(definition: c.Expr, place: Span) -> list[Level]:
    """The scopes around a place of a definition's body, outermost first."""
    levels: list[Level] = []
    _enter(definition, place, levels)
    return [level for level in levels if level.names or level.functions]


def _enter(node: Code, place: Span, levels: list[Level]) -> None:
    """Add the scopes from a node inwards to a place."""
    match node:
        case c.Clause() if node.span != place:
            names = [name for pattern in node.patterns for name in bound_names(pattern)]
            levels.append(Level(tuple(names), ()))
            levels.append(_of_groups(node.groups))
        case c.Let():
            levels.append(_of_groups(node.groups))
        case c.Branch():
            before = [guard for guard in node.guards if guard.span[0] < place[0] and not _holds(guard, place)]
            levels += map(_of_guard, before)
    inside = next((child for child in _children(node) if _holds(child, place)), None)
    if inside is not None:
        _enter(inside, place, levels)


def _of_groups(groups: list[list[c.Bind]]) -> Level:
    binds = [bind for group in groups for bind in group]
    return Level(tuple(b.name for b in binds if not b.is_function), tuple(b for b in binds if b.is_function))


def _of_guard(guard: c.Guard) -> Level:
    match guard:
        case c.PatternGuard(pattern=pattern):
            return Level(tuple(bound_names(pattern)), ())
        case c.LetGuard(groups=groups):
            return _of_groups(groups)
    return Level((), ())


def _holds(node: Code, place: Span) -> bool:
    return bool(node.span[0] <= place[0] and place[1] <= node.span[1])


def _children(node: Code) -> list[Code]:
    """The parts of some code, smallest spans first: a generated part may have the span of its original."""
    children: list[Code] = []
    pending = [
        getattr(node, field.name) for field in fields(type(node)) if field.name not in ("run", "type", "annotation")
    ]
    while pending:
        child = pending.pop()
        if isinstance(child, list):
            pending += child
        elif isinstance(child, _CODE):
            children.append(child)
    return sorted(children, key=lambda child: child.span[1] - child.span[0])
