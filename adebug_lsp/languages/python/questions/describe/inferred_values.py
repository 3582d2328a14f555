"""Infers the values of expressions without a record from recorded numbers and texts.

It evaluates only arithmetic and comparisons of variables, constants and recorded values, as data; no code of the
program runs.
"""

import ast
import operator
from collections.abc import Callable
from typing import Any

from attrs import frozen

from adebug_lsp.languages.python.reading.recorded_values import Atom
from adebug_lsp.languages.python.reading.static import Module

_PLAIN = (int, float, str, bytes, bool, type(None))
_GREATEST = 1 << 64
"""Limit of numbers and lengths of texts, because computing with larger ones may take long."""
_SUMS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}
_SINGLE = (None, True, False)


@frozen
class InferredValues:
    """Evaluates expressions of one module at one position."""

    module: Module
    known: Callable[[int], Atom | bool | None]
    """Returns the plain value of a node, or the truth of a condition; None if unknown."""

    def truth(self, number: int) -> bool | None:
        """The truth of a condition; None if unknown."""
        node, parts, held = self.module.nodes[number], self._parts(number), self.known(number)
        if held is not None:
            return bool(held.value) if isinstance(held, Atom) else held
        if node.kind == "BoolOp":
            passes = node.extra == "And"
            return outcome(self.evaluated(parts, passes), parts, passes)
        if node.kind == "UnaryOp" and node.extra == "Not":
            operand = self.truth(parts[0])
            return None if operand is None else not operand
        value = self._value(number)
        return None if value is None else bool(value.value)

    def evaluated(self, parts: list[int], passes: bool) -> dict[int, bool]:
        """The truth of the first operands of an `and` (`passes`) or `or`, up to the deciding or an unknown one."""
        truths: dict[int, bool] = {}
        for part in parts:
            whether = self.truth(part)
            if whether is None:
                break
            truths[part] = whether
            if whether is not passes:
                break
        return truths

    def _parts(self, number: int) -> list[int]:
        return sorted(self.module.children(number), key=lambda part: self.module.nodes[part].place or ())

    def _value(self, number: int) -> Atom | None:
        """The value of an expression; None if unknown."""
        node, held = self.module.nodes[number], self.known(number)
        if held is not None or node.kind == "Name":
            return held if isinstance(held, Atom) and _is_small(held.value) else None
        if node.kind == "Constant":
            return _constant(node.extra)
        parts = [self._value(part) for part in self._parts(number)]
        values = [part.value for part in parts if part is not None]
        if not parts or len(values) != len(parts):
            return None
        try:
            if node.kind == "Compare":
                return _compared(values, node.extra)
            if (
                node.kind == "BinOp"
                and node.extra in _SUMS
                and all(isinstance(value, (int, float)) for value in values)
            ):
                return _atom(_SUMS[node.extra](*values))
        except (TypeError, ArithmeticError):
            return None
        return None


def outcome(truths: dict[int, bool], parts: list[int], passes: bool) -> bool | None:
    """The truth of an `and` (`passes`) or `or` from its operands; None if too few are known."""
    if (not passes) in truths.values():
        return not passes
    return passes if len(truths) == len(parts) else None


def _compared(values: list[Any], operators: list[str]) -> Atom | None:
    """The result of a comparison, which may be chained."""
    held = True
    for name, left, right in zip(operators, values, values[1:], strict=False):
        if name in ("Is", "IsNot"):
            if left not in _SINGLE and right not in _SINGLE:
                return None
            held = (left is right) is (name == "Is")
        elif name in _COMPARISONS:
            held = bool(_COMPARISONS[name](left, right))
        else:
            return None
        if not held:
            break
    return _atom(held)


def _constant(text: object) -> Atom | None:
    try:
        return _atom(ast.literal_eval(text)) if isinstance(text, str) and text != "..." else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _atom(value: Any) -> Atom | None:
    return Atom(type(value).__name__, value) if _is_small(value) else None


def _is_small(value: Any) -> bool:
    if isinstance(value, (str, bytes)):
        return len(value) < 1 << 16
    return isinstance(value, _PLAIN) and (not isinstance(value, int) or abs(value) < _GREATEST)
