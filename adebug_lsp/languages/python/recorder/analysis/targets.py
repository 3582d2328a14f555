"""Targets of assignments: which names they bind, and whether they can be bound one by one."""

import ast

from .syntax_walk import walk


def only_names(target: ast.expr) -> bool:
    """Whether a target consists of names, so that binding it changes no object."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(only_names(element) for element in target.elts)
    return isinstance(target.value if isinstance(target, ast.Starred) else target, ast.Name)


def names(target: ast.expr) -> list[ast.Name]:
    """The names that a target binds, in source order."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return [n for element in target.elts for n in names(element)]
    inner = target.value if isinstance(target, ast.Starred) else target
    return names(inner) if inner is not target else [inner] if isinstance(inner, ast.Name) else []


def parallel(target: ast.expr, value: ast.expr) -> bool:
    """Whether both sides are tuples of the same length, without stars."""
    if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts)):
        return False
    return not any(isinstance(e, (ast.Starred, ast.Tuple, ast.List)) for e in target.elts) and not any(
        isinstance(e, ast.Starred) for e in value.elts
    )


def captures(pattern: ast.AST) -> list[str]:
    """The names that a pattern binds."""
    captured_names = []
    for node in walk(pattern):
        captured = getattr(node, "name", None) or getattr(node, "rest", None)
        if isinstance(captured, str):
            captured_names.append(captured)
    return captured_names
