"""Builds small pieces of syntax tree, each with the location of the code that it replaces.

Instrumented code refers to objects of the recorder by constants: tuples that no program contains, replaced by the
objects after compilation (see `constants`). So no name is added to the user's namespaces.
"""

import ast
from typing import Any

TAG = "\0adebug"


def place(node: ast.AST) -> dict[str, Any]:
    """The location of a node, as keyword arguments for the nodes that replace it."""
    return {
        "lineno": node.lineno,  # type: ignore[attr-defined]
        "col_offset": node.col_offset,  # type: ignore[attr-defined]
        "end_lineno": node.end_lineno,  # type: ignore[attr-defined]
        "end_col_offset": node.end_col_offset,  # type: ignore[attr-defined]
    }


def constant(what: int | str, location: dict[str, Any]) -> ast.Constant:
    """A marker (by its number), or the recorder, `more` or a class body's temporaries (by name)."""
    held: Any = (TAG, what)  # a tuple is a constant for the compiler, though not in its grammar
    return ast.Constant(held, **location)


def is_constant(node: ast.AST, what: str) -> bool:
    """Whether a node is the constant of an object of the recorder."""
    held: Any = (TAG, what)
    return isinstance(node, ast.Constant) and node.value == held


def recorder(attribute: str, location: dict[str, Any], ctx: ast.expr_context | None = None) -> ast.Attribute:
    """An attribute of the recorder."""
    return ast.Attribute(constant("recorder", location), attribute, ctx or ast.Load(), **location)


def call(function: ast.expr, arguments: list[ast.expr], location: dict[str, Any]) -> ast.Call:
    """A call with positional arguments."""
    return ast.Call(function, arguments, [], **location)


def do(function: ast.expr, arguments: list[ast.expr], location: dict[str, Any]) -> ast.Expr:
    """A call as a statement."""
    return ast.Expr(call(function, arguments, location), **location)


def assign(target: ast.expr, value: ast.expr, location: dict[str, Any]) -> ast.Assign:
    """`target = value`."""
    return ast.Assign([target], value, **location)


def name(identifier: str, location: dict[str, Any], ctx: ast.expr_context | None = None) -> ast.Name:
    """A variable, to be read unless `ctx` says otherwise."""
    return ast.Name(identifier, ctx or ast.Load(), **location)


def again(value: ast.expr) -> ast.expr:
    """A new node that reads the same simple value."""
    location = {key: getattr(value, key) for key in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
    if isinstance(value, ast.Name):
        return name(value.id, location)
    if isinstance(value, ast.Attribute):
        return ast.Attribute(again(value.value), value.attr, ast.Load(), **location)
    return value


def stored(value: ast.expr) -> Any:
    """A new node that assigns to the same variable or temporary."""
    made = again(value)
    made.ctx = ast.Store()  # type: ignore[attr-defined]
    return made


def is_simple_name(node: ast.expr) -> bool:
    """Whether a node is a variable or a temporary."""
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Constant))


def is_temporary(node: ast.expr) -> bool:
    """Whether a node is a temporary, of a function or of a module or class body."""
    if isinstance(node, ast.Attribute):
        return is_constant(node.value, "temporaries")
    return isinstance(node, ast.Name) and node.id.startswith("@")


def thin(location: dict[str, Any]) -> dict[str, Any]:
    """Only the start of a location, for code inserted before other code."""
    return {**location, "end_lineno": location["lineno"], "end_col_offset": location["col_offset"]}
