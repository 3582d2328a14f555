"""Moves the values of temporaries back into the call that reads them, if that keeps the order of evaluation.

`t = o.method; u = a[i]; t(u)` allocates a bound method; `o.method((u := a[i]))` does not.
"""

import ast
from collections.abc import Iterator

from .syntax_builder import place


def nested(node: ast.Call, made: list[ast.stmt]) -> bool:
    """Move the temporaries of a call into it; returns whether that was possible."""
    values = dict(filter(None, map(_temporary, made)))
    if len(values) < len(made):
        return False
    function = values.pop(next(iter(values)))
    if list(_finished(node, dict(values))) != list(values):
        return False
    node.func = function
    _fill(node, values)
    return True


def _temporary(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name and the value of a temporary, if the statement binds one."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.startswith("@"):
            return name, value
    return None


def _operands(node: ast.AST) -> list[ast.expr]:
    """The operands that an expression always evaluates, in order; empty if that cannot be decided."""
    if isinstance(node, ast.Call):
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        return [] if starred else [node.func, *node.args, *(keyword.value for keyword in node.keywords)]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators] if len(node.ops) == 1 else []
    if isinstance(node, (ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.List, ast.Slice)):
        return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return []


def _finished(node: ast.expr, waiting: dict[str, ast.expr]) -> Iterator[str]:
    """The temporaries in the order in which they would be assigned inside the expression."""
    for operand in _operands(node):
        name = operand.id if isinstance(operand, ast.Name) else ""
        if name in waiting:
            yield from _finished(waiting.pop(name), waiting)
            yield name
        else:
            yield from _finished(operand, waiting)


def _fill(node: ast.AST, waiting: dict[str, ast.expr]) -> None:
    """Replace the first read of each temporary by its assignment."""
    for field, held in ast.iter_fields(node):
        if isinstance(held, list):
            held[:] = [_filled(value, waiting) for value in held]
        elif isinstance(held, ast.expr):
            setattr(node, field, _filled(held, waiting))


def _filled(node: ast.AST, waiting: dict[str, ast.expr]) -> ast.AST:
    if isinstance(node, ast.Name) and node.id in waiting:
        value = waiting.pop(node.id)
        _fill(value, waiting)
        return ast.NamedExpr(ast.Name(node.id, ast.Store(), **place(node)), value, **place(value))
    if isinstance(node, ast.keyword) or _operands(node):
        _fill(node, waiting)
    return node
