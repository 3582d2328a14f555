"""Asking the recorder for an answer in place of running a routine (see `answered_calls.py`)."""

import ast
from typing import Any

from ..analysis.static_map import ModuleMap
from ..instrument.syntax_builder import call, recorder


def answer_to(module: ModuleMap, node: int, at: dict[str, Any], *more: ast.expr) -> ast.Call:
    """Asks the recorder whether it has an answer for a routine: known by its module and node."""
    return call(recorder("answers", at), [ast.Constant(module.module, **at), ast.Constant(node, **at), *more], at)


def answered_lambda(module: ModuleMap, node: int, body: ast.expr, at: dict[str, Any]) -> ast.expr:
    """The body of a lambda, or the answer."""
    return ast.IfExp(answer_to(module, node, at), recorder("answer", at), body, **at) if module.answered else body
