"""Names that equations define."""

from __future__ import annotations

from adebug_lsp.languages.haskell.syntax import tree as t


def defined_name(left: t.Expression) -> str | None:
    """The name that an equation with this left side defines; None for a pattern."""
    match left:
        case t.Var(name=name) | t.Apply(function=t.Var(name=name)):
            return name
        case t.Infix(items=items):
            return next((item.name for item in items[1::2] if isinstance(item, t.Var)), None)
    return None
