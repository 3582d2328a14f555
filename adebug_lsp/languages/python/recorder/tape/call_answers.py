"""Code that asks the recorder for an answer instead of running a routine (see `answered_calls.py`)."""

import ast
from typing import Any

from ..analysis.static_map import ModuleMap
from ..instrument.syntax_builder import call, recorder


def answer_to(module: ModuleMap, node: int, location: dict[str, Any], *more: ast.expr) -> ast.Call:
    """Asks the recorder whether it has an answer for a routine: known by its module and node."""
    return call(
        recorder("answers", location),
        [ast.Constant(module.module, **location), ast.Constant(node, **location), *more],
        location,
    )


def answered_lambda(module: ModuleMap, node: int, body: ast.expr, location: dict[str, Any]) -> ast.expr:
    """The body of a lambda, or the answer."""
    return (
        ast.IfExp(answer_to(module, node, location), recorder("answer", location), body, **location)
        if module.answered
        else body
    )
