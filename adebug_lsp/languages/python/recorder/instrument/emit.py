"""Builds the syntax that appends a record to the tape: operators on native markers, or words in a list.

With the accelerator, `marker[a] = b` appends a native marker and two values, `a in marker` one value (in a condition
`marker << a`), `~marker` none; `more` in place of the marker continues the same record. Operators call no function, so
that they work at the recursion limit. Some have a value, for records in the middle of an expression.
"""

import ast
import sys
from typing import Any

from ..analysis.syntax_walk import walk
from ..native.loader import accelerator
from .syntax_builder import again, assign, call, constant, do, name, recorder

NATIVE = accelerator is not None
APPEND_IS_FAST = sys.version_info >= (3, 11)

NodeLocation = dict[str, Any]


def put(marker: int, values: list[ast.expr], location: NodeLocation, *, hidden: bool) -> list[ast.stmt]:
    """Statements that append a record. Where hidden variables may be used, one holds the tape."""
    if NATIVE:
        return _native(marker, values, location)
    words = [constant(marker, location), *values]
    ctx = ast.Load() if APPEND_IS_FAST else ast.Store()
    tape = name("@a", location, ctx) if hidden else recorder("tape", location, ctx)
    if APPEND_IS_FAST:  # the interpreter specialises `append` on a list; elsewhere one tuple costs less
        return [do(ast.Attribute(again(tape), "append", ast.Load(), **location), [word], location) for word in words]
    return [ast.AugAssign(tape, ast.Add(), ast.Tuple(words, ast.Load(), **location), **location)]


def put_raised(marker: int, values: list[ast.expr], location: NodeLocation) -> list[ast.stmt]:
    """Like `put`, for exception handlers: looks the tape up again, because it may be another one, and calls nothing."""
    if NATIVE:
        return _native(marker, values, location)
    words = ast.Tuple([constant(marker, location), *values], ast.Load(), **location)
    return [ast.AugAssign(recorder("tape", location, ast.Store()), ast.Add(), words, **location)]


def _native(marker: int, values: list[ast.expr], location: NodeLocation) -> list[ast.stmt]:
    if not values:
        return [ast.Expr(ast.UnaryOp(ast.Invert(), constant(marker, location), **location), **location)]
    made: list[ast.stmt] = []
    for index in range(0, len(values), 2):
        to = constant(marker if index == 0 else "more", location)
        first, *second = values[index : index + 2]
        if second:
            made.append(assign(ast.Subscript(to, first, ast.Store(), **location), second[0], location))
        else:
            made.append(ast.Expr(ast.Compare(first, [ast.In()], [to], **location), **location))
    return made


def pair(marker: int, values: list[ast.expr], location: NodeLocation) -> ast.expr:
    """An expression that appends a record and has the value of its last slot; it needs no statement, name or frame.

    Without the accelerator, `operator.iadd(tape, (marker, value))` returns the tape, whose last word is the value. With
    the accelerator, values that the compiler can infer use no subscript, which it would fold with the constant.
    """
    if NATIVE and len(values) == 1 and not _is_foreseen(values[0]):
        return ast.Subscript(constant(marker, location), values[0], ast.Load(), **location)
    if NATIVE:
        return ast.BinOp(
            constant(marker, location), ast.MatMult(), ast.Tuple(values, ast.Load(), **location), **location
        )
    words = ast.Tuple([constant(marker, location), *values], ast.Load(), **location)
    extended = call(recorder("pair", location), [recorder("tape", location), words], location)
    return ast.Subscript(extended, ast.Constant(-1, **location), ast.Load(), **location)


_OF_KNOWN_TYPE = (
    *(ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.JoinedStr, ast.FormattedValue, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(getattr(ast, name) for name in ("TemplateStr", "Interpolation") if hasattr(ast, name)),  # PEP 750
)


def _is_foreseen(value: ast.expr) -> bool:
    """Whether the compiler can infer the value, because nothing is called or looked up in it, or its type.

    It would fold a known value with the constant, and warn that a known type is no index.
    """
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod) and isinstance(value.left, ast.Constant):
        return True  # the compiler knows that an f-string is a string
    looks_up = any(isinstance(node, (ast.Name, ast.Call, ast.Attribute)) for node in walk(value))
    return isinstance(value, _OF_KNOWN_TYPE) or not looks_up


def extend(marker: int, values: list[ast.expr], location: NodeLocation) -> ast.expr:
    """An expression that appends a record and is false. It takes half the time of a `pair`."""
    if NATIVE and not values:
        return ast.UnaryOp(ast.Invert(), constant(marker, location), **location)
    if NATIVE:
        # Not a comparison, which makes the compiler of 3.11 assign its location to a later condition.
        markers = [constant("more" if index else marker, location) for index in range(len(values))]
        written = [ast.BinOp(to, ast.LShift(), value, **location) for to, value in zip(markers, values, strict=True)]
        return written[0] if len(written) == 1 else ast.BoolOp(ast.Or(), list(written), **location)
    words = ast.Tuple([constant(marker, location), *values], ast.Load(), **location)
    return call(ast.Attribute(recorder("tape", location), "extend", ast.Load(), **location), [words], location)
