"""Walks over a syntax tree, without the nodes that no pass looks at: contexts (`Load`), operators, imported names.

The functions of `ast` take several times as long, and `ast.walk` imports a module on every call, which may be the one
being instrumented.
"""

import ast
from collections.abc import Iterable, Iterator
from typing import Any

_WITHOUT_NODES = frozenset(
    [
        *("id", "attr", "arg", "module", "level", "kind", "type_comment", "kwd_attrs"),
        *("ctx", "op", "ops", "names"),
    ]
)
"""Fields that hold text or numbers in every class that has them, and those of the nodes that are left out."""


class _Fields(dict[type, tuple[str, ...]]):
    """For each class of node, the fields that may hold nodes, in reverse order."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        names = () if issubclass(kind, ast.Constant) else kind._fields
        fields = self[kind] = tuple(name for name in reversed(names) if name not in _WITHOUT_NODES)
        return fields


_FIELDS = _Fields()


def push_children(node: ast.AST, waiting: list[ast.AST]) -> None:
    """Append the children of a node in reverse order."""
    for field in _FIELDS[node.__class__]:
        held = getattr(node, field, None)
        if held.__class__ is list:
            if None in held:  # the keys of `{**a}`, parameters without a default
                held = [child for child in held if child is not None]
            waiting += held[::-1]
        elif isinstance(held, ast.AST):
            waiting.append(held)


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node, in source order."""
    nodes: list[ast.AST] = []
    push_children(node, nodes)
    nodes.reverse()
    return nodes


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a tree, in source order."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        push_children(current, waiting)
        yield current


def walk_all(trees: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of some trees."""
    return (node for tree in trees for node in walk(tree))


class Visitor:
    """Calls `visit_` and the name of its class for each node; `generic_visit` goes on below a node."""

    def visit(self, node: ast.AST) -> None:
        """Visit a node."""
        method = getattr(self, _METHODS[node.__class__], None)
        if method is None:
            self.generic_visit(node)
        else:
            method(node)

    def generic_visit(self, node: ast.AST) -> None:
        """Visit the nodes directly below a node."""
        for child in children(node):
            self.visit(child)


class _Methods(dict[type, str]):
    def __missing__(self, kind: type) -> str:
        method = self[kind] = f"visit_{kind.__name__}"
        return method


_METHODS = _Methods()


class Transformer:
    """Replaces every node below a node by what `visit` makes of it."""

    def visit(self, node: ast.AST) -> Any:
        """The node that replaces a node."""
        return self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Replace the nodes directly below a node."""
        for field in reversed(_FIELDS[node.__class__]):
            held = getattr(node, field, None)
            if held.__class__ is list:
                held[:] = [child and self.visit(child) for child in held]
            elif isinstance(held, ast.AST):
                setattr(node, field, self.visit(held))
        return node


def fix_locations(tree: ast.AST) -> None:
    """Give nodes without a location that of the enclosing node, as `ast.fix_missing_locations` does.

    Imported names have locations, because no pass makes any.
    """
    waiting: list[ast.AST] = [tree]
    places: list[tuple[int, int, int, int]] = [(1, 0, 1, 0)]
    while waiting:
        node, place = waiting.pop(), places.pop()
        if node._attributes:
            place = _placed(node, place)
        before = len(waiting)
        push_children(node, waiting)
        places += [place] * (len(waiting) - before)


def _placed(node: Any, around: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """The location of a node, completed from that of the enclosing node."""
    try:
        line, column, end_line, end_column = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
    except AttributeError:
        line, column, end_line, end_column = (getattr(node, name, None) for name in _PLACE)
    if line is None or column is None or end_line is None or end_column is None:
        for name, value in zip(_PLACE, around, strict=True):
            if getattr(node, name, None) is None:
                setattr(node, name, value)
        line, column, end_line, end_column = (getattr(node, name) for name in _PLACE)
    return line, column, end_line, end_column


_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")
