"""The consequence of a condition: the lines that it let run or skipped."""

import ast
from collections.abc import Sequence
from functools import lru_cache

from adebug_lsp.languages.python.reading.static import Module
from adebug_lsp.model.values import Value

_TRUTHS = {"True": True, "False": False}


def consequence_of(module: Module, statement: int, truth: bool) -> str:
    """The lines that an `if` skipped or, if there are none, those that it ran; empty if that is not known."""
    branches = _branches(module.source).get((module.nodes[statement].place or ())[:2])
    if branches is None:
        return ""
    taken, skipped = branches if truth else branches[::-1]
    if skipped:
        return _lines(skipped, "was skipped" if skipped[0] == skipped[1] else "were skipped")
    return _lines(taken, "ran") if taken else ""


def decision(module: Module, expression: int, result: Value | None) -> str:
    """The consequence of a condition's value; empty if the expression is not a whole condition."""
    around = module.nodes[expression].parent
    truth = None if result is None else _TRUTHS.get(result.text)
    if truth is None or around < 0 or module.children(around)[:1] != [expression]:
        return ""
    kind = module.nodes[around].kind
    if kind == "If":
        return consequence_of(module, around, truth)
    if kind == "While":
        return "the loop went on" if truth else "the loop ended"
    return ("the assertion held" if truth else "the assertion failed") if kind == "Assert" else ""


def _lines(span: tuple[int, int], verb: str) -> str:
    first, last = span
    return f"line {first} {verb}" if first == last else f"lines {first}-{last} {verb}"


_Span = tuple[int, int] | None


@lru_cache(maxsize=8)
def _branches(source: str) -> dict[tuple[int, ...], tuple[_Span, _Span]]:
    """For each `if`, by its start: the lines of its branches."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # its Python may be newer than ours
        return {}
    conditions = (node for node in ast.walk(tree) if isinstance(node, ast.If))
    return {(node.lineno, node.col_offset): (_span(node.body), _span(node.orelse)) for node in conditions}


def _span(block: Sequence[ast.stmt]) -> _Span:
    return (block[0].lineno, block[-1].end_lineno or block[-1].lineno) if block else None
