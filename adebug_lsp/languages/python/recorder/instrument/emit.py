"""The syntax that puts a record on the tape: operators of native markers with the accelerator, else words of a list.

`marker[a] = b` puts a native marker and two values there, `a in marker` one value (in a condition `marker << a`),
`~marker` none; `more` in its place continues the same record. Operators call no function, so that there is room for
them at the recursion limit. Some have a value, for records in the middle of an expression.
"""

import ast
import sys
from typing import Any

from ..analysis.names import walk
from ..native.loader import accelerator
from .syntax_builder import again, assign, call, constant, do, name, recorder

NATIVE = accelerator is not None
APPEND_IS_FAST = sys.version_info >= (3, 11)

At = dict[str, Any]


def put(marker: int, values: list[ast.expr], at: At, *, hidden: bool) -> list[ast.stmt]:
    """Statements that put a record there. Where hidden variables may be used, one holds the tape."""
    if NATIVE:
        return _native(marker, values, at)
    words = [constant(marker, at), *values]
    ctx = ast.Load() if APPEND_IS_FAST else ast.Store()
    tape = name("@a", at, ctx) if hidden else recorder("tape", at, ctx)
    if APPEND_IS_FAST:  # the interpreter specialises `append` on a list; elsewhere one tuple costs less
        return [do(ast.Attribute(again(tape), "append", ast.Load(), **at), [word], at) for word in words]
    return [ast.AugAssign(tape, ast.Add(), ast.Tuple(words, ast.Load(), **at), **at)]


def put_raised(marker: int, values: list[ast.expr], at: At) -> list[ast.stmt]:
    """The same in a handler, where the tape may be another one than before; no function is called."""
    if NATIVE:
        return _native(marker, values, at)
    words = ast.Tuple([constant(marker, at), *values], ast.Load(), **at)
    return [ast.AugAssign(recorder("tape", at, ast.Store()), ast.Add(), words, **at)]


def _native(marker: int, values: list[ast.expr], at: At) -> list[ast.stmt]:
    if not values:
        return [ast.Expr(ast.UnaryOp(ast.Invert(), constant(marker, at), **at), **at)]
    made: list[ast.stmt] = []
    for index in range(0, len(values), 2):
        to = constant(marker if index == 0 else "more", at)
        first, *second = values[index : index + 2]
        if second:
            made.append(assign(ast.Subscript(to, first, ast.Store(), **at), second[0], at))
        else:
            made.append(ast.Expr(ast.Compare(first, [ast.In()], [to], **at), **at))
    return made


def pair(marker: int, values: list[ast.expr], at: At) -> ast.expr:
    """An expression that puts a record there and has the record's last value: no statement, no name, no frame.

    Without the accelerator, `operator.iadd(tape, (marker, value))` returns the tape, whose last word is the value. With
    it, no subscript is used where the compiler could infer the value: it would fold it with the constant.
    """
    if NATIVE and len(values) == 1 and not _is_foreseen(values[0]):
        return ast.Subscript(constant(marker, at), values[0], ast.Load(), **at)
    if NATIVE:
        return ast.BinOp(constant(marker, at), ast.MatMult(), ast.Tuple(values, ast.Load(), **at), **at)
    words = ast.Tuple([constant(marker, at), *values], ast.Load(), **at)
    extended = call(recorder("pair", at), [recorder("tape", at), words], at)
    return ast.Subscript(extended, ast.Constant(-1, **at), ast.Load(), **at)


_OF_KNOWN_TYPE = (
    *(ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.JoinedStr, ast.FormattedValue, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(getattr(ast, name) for name in ("TemplateStr", "Interpolation") if hasattr(ast, name)),  # PEP 750
)


def _is_foreseen(value: ast.expr) -> bool:
    """Whether the compiler may know the value, since nothing is called or looked up in it, or its type.

    The first would be worked out with the constant, and of the second it would warn that it is no index.
    """
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod) and isinstance(value.left, ast.Constant):
        return True  # a text that is filled in is one to the compiler, too
    looks_up = any(isinstance(node, (ast.Name, ast.Call, ast.Attribute)) for node in walk(value))
    return isinstance(value, _OF_KNOWN_TYPE) or not looks_up


def extend(marker: int, values: list[ast.expr], at: At) -> ast.expr:
    """An expression that puts a record there and is false. It takes half the time of a `pair`."""
    if NATIVE and not values:
        return ast.UnaryOp(ast.Invert(), constant(marker, at), **at)
    if NATIVE:
        # No comparison: the compiler of 3.11 would show a later condition where that stands.
        markers = [constant("more" if index else marker, at) for index in range(len(values))]
        written = [ast.BinOp(to, ast.LShift(), value, **at) for to, value in zip(markers, values, strict=True)]
        return written[0] if len(written) == 1 else ast.BoolOp(ast.Or(), list(written), **at)
    words = ast.Tuple([constant(marker, at), *values], ast.Load(), **at)
    return call(ast.Attribute(recorder("tape", at), "extend", ast.Load(), **at), [words], at)
