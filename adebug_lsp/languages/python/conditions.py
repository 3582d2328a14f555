"""Conditions of breakpoints: Python expressions evaluated over recorded values.

They consist of names, their parts, numbers, strings, comparisons, arithmetic and `len`. Anything that would run code of
the program is refused when the breakpoint is set.
"""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from adebug_lsp.languages.conditions import LONGEST_CONDITION, LookUp, UnknownValueError
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.values import Value

_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.eq,
    ast.IsNot: operator.ne,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
}
_COUNTED: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_NUMBERS = (int, float)


@frozen
class PythonCondition:
    """See `Condition`."""

    text: str
    _expression: ast.expr

    def holds(self, look_up: LookUp) -> bool:
        """See `Condition`."""
        try:
            return bool(_value(self._expression, look_up))
        except (UnknownValueError, ArithmeticError, TypeError, ValueError):
            return False

    def value(self, look_up: LookUp) -> str:
        """See `Condition`."""
        try:
            return repr(_value(self._expression, look_up))
        except (UnknownValueError, ArithmeticError, TypeError, ValueError) as error:
            raise BadInputError(f"{self.text} has no recorded value here") from error


def read_condition(text: str) -> PythonCondition:
    """Parse a condition; raises `BadInputError` for an expression that would run code."""
    if len(text) > LONGEST_CONDITION:
        raise BadInputError("this is too long")
    try:
        expression = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise BadInputError(f"cannot be parsed: {text.strip()}") from error
    _check(expression)
    return PythonCondition(text.strip(), expression)


def _check(node: ast.expr) -> None:
    """Raise `BadInputError` for an expression that recorded values cannot decide."""
    if isinstance(node, ast.Constant):
        return
    below = _keys(node) if _is_part(node) else _operands(node)
    if below is None:
        raise BadInputError(f"this cannot be decided from recorded values: {ast.unparse(node)}")
    for operand in below:
        _check(operand)


def _operands(node: ast.expr) -> Sequence[ast.expr] | None:
    """The operands of a supported operation; None for any other expression."""
    match node:
        case ast.BoolOp():
            return node.values
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.UAdd()):
            return [node.operand]
        case ast.BinOp() if type(node.op) in _COUNTED:
            return [node.left, node.right]
        case ast.Compare():
            return [node.left, *node.comparators]
        case ast.Tuple() | ast.List() | ast.Set():
            return node.elts
        case ast.Call(func=ast.Name(id="len"), args=[argument], keywords=[]):
            return [argument]
    return None


def _is_part(node: ast.expr) -> bool:
    """Whether an expression is a name or a part of one, such as `items[0].price`."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name)


def _keys(node: ast.expr) -> list[ast.expr]:
    """The indexes in the path to a part."""
    indexes = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        indexes += [node.slice] if isinstance(node, ast.Subscript) else []
        node = node.value
    return indexes


def _path(node: ast.expr, look_up: LookUp) -> str:
    """The address of a part, with the recorded values of indexes that are names."""
    if isinstance(node, ast.Attribute):
        return f"{_path(node.value, look_up)}.{node.attr}"
    if isinstance(node, ast.Subscript):
        return f"{_path(node.value, look_up)}[{_value(node.slice, look_up)!r}]"
    return ast.unparse(node)


def _value(node: ast.expr, look_up: LookUp) -> Any:
    """Evaluate a condition's expression; a name has its recorded value."""
    match node:
        case ast.Constant():
            return node.value
        case ast.BoolOp(op=ast.And()):
            return all(_value(operand, look_up) for operand in node.values)
        case ast.BoolOp():
            return any(_value(operand, look_up) for operand in node.values)
        case ast.UnaryOp(op=ast.Not()):
            return not _value(node.operand, look_up)
        case ast.UnaryOp():
            number = _number(node.operand, look_up)
            return -number if isinstance(node.op, ast.USub) else number
        case ast.BinOp():
            return _COUNTED[type(node.op)](_number(node.left, look_up), _number(node.right, look_up))
        case ast.Compare():
            return _compared(node, look_up)
        case ast.Tuple() | ast.List() | ast.Set():
            elements = [_value(element, look_up) for element in node.elts]
            if isinstance(node, ast.List):
                return elements
            return tuple(elements) if isinstance(node, ast.Tuple) else set(elements)
        case ast.Call():
            return _length(node.args[0], look_up)
    return _plain(_recorded(node, look_up))


def _compared(node: ast.Compare, look_up: LookUp) -> bool:
    values = [_value(operand, look_up) for operand in (node.left, *node.comparators)]
    pairs = zip(node.ops, values, values[1:], strict=False)
    return all(_COMPARED[type(sign)](left, right) for sign, left, right in pairs)


def _number(node: ast.expr, look_up: LookUp) -> Any:
    """The value of an operand; must be a number, because a string times a number could exhaust the memory."""
    number = _value(node, look_up)
    if not isinstance(number, _NUMBERS):
        raise UnknownValueError
    return number


def _length(node: ast.expr, look_up: LookUp) -> int:
    if not _is_part(node):
        return len(_value(node, look_up))
    value = _recorded(node, look_up)
    return len(value.parts) + value.elided if value.parts or value.elided else len(_plain(value))


def _recorded(node: ast.expr, look_up: LookUp) -> Value:
    try:
        return look_up(_path(node, look_up))
    except BadInputError as error:
        raise UnknownValueError from error


def _plain(value: Value) -> Any:
    """A recorded value as Python data, if its text is complete and a literal."""
    if "…" in value.text or (value.parts and "..." in value.text) or value.elided:
        raise UnknownValueError
    try:
        return ast.literal_eval(value.text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return value.text
