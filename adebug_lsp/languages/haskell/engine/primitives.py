"""Primitive operations: how each computes from evaluated arguments, and whether its value is recorded.

Arithmetic is recorded, because a sum can depend on a million earlier sums. Other values are computed again when they
are shown.
"""

import math
import unicodedata
from collections.abc import Callable
from typing import Any

from attrs import frozen

from adebug_lsp.languages.haskell.engine.machine import (
    MOST,
    HaskellError,
    quotient,
    remainder,
    show_character,
    show_double,
    show_string,
    to_haskell_string,
    to_python_string,
    wrap,
)


@frozen
class Primitive:
    """A strict operation on values."""

    name: str
    arity: int
    template: str
    """A Python expression with `{0}`, `{1}` for the arguments."""
    records: str = ""
    """The column for its values, `int`, `integer` or `double`; empty if they are not recorded."""
    strings: tuple[bool, bool] = (False, False)
    """Whether its argument and its result are Haskell strings."""

    def compute(self, *arguments: Any) -> Any:
        """The value for evaluated arguments, strings as Python strings."""
        return _compiled(self)(*arguments)


_INTEGER = {"Add": "{0} + {1}", "Sub": "{0} - {1}", "Mul": "{0} * {1}"}
_DIVISION = {"Quot": "QUOT({0}, {1})", "Rem": "REM({0}, {1})", "Div": "{0} // {1}", "Mod": "{0} % {1}"}
_COMPARISON = {"Eq": "==", "Ne": "!=", "Lt": "<", "Le": "<=", "Gt": ">", "Ge": ">="}
_TABLE: list[Primitive] = []
for _kind, _record in (("Int", "int"), ("Integer", "integer")):
    _TABLE += [Primitive(f"prim{_kind}{op}", 2, template, _record) for op, template in _INTEGER.items()]
    _TABLE += [Primitive(f"prim{_kind}{op}", 2, template, _record) for op, template in _DIVISION.items()]
    _TABLE.append(Primitive(f"prim{_kind}Negate", 1, "-{0}", _record))
for _kind in ("Int", "Integer", "Double", "Char"):
    _TABLE += [Primitive(f"prim{_kind}{op}", 2, f"{{0}} {sign} {{1}}") for op, sign in _COMPARISON.items()]
_TABLE += [
    Primitive(f"primDouble{op}", 2, template, "double")
    for op, template in {"Add": "{0} + {1}", "Sub": "{0} - {1}", "Mul": "{0} * {1}", "Div": "FDIV({0}, {1})"}.items()
]
_TABLE += [
    Primitive(f"primDouble{name.capitalize()}", 1, f"FLOAT('{name}', {{0}})", "double")
    for name in ["exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"]
]
_TABLE += [
    Primitive("primDoubleNegate", 1, "-{0}", "double"),
    Primitive("primDoublePow", 2, "POW({0}, {1})", "double"),
    Primitive("primDoubleAtan2", 2, "ATAN2({0}, {1})", "double"),
    Primitive("primDoubleTruncate", 1, "INT({0})", "integer"),
    Primitive("primDoubleFloor", 1, "FLOOR({0})", "integer"),
    Primitive("primDoubleCeiling", 1, "CEIL({0})", "integer"),
    Primitive("primDoubleRound", 1, "ROUND({0})", "integer"),
    Primitive("primDoubleIsNaN", 1, "({0} != {0})"),
    Primitive("primDoubleIsInfinite", 1, "(abs({0}) == INFINITY)"),
    Primitive("primIntegerToInt", 1, "WRAP({0})", "int"),
    Primitive("primIntToInteger", 1, "{0}", "integer"),
    Primitive("primIntegerToDouble", 1, "TO_FLOAT({0})", "double"),
    Primitive("primTag", 1, "TAG({0})", "int"),
    Primitive("primOrd", 1, "ord({0})"),
    Primitive("primChr", 1, "CHR({0})"),
    Primitive("primToUpper", 1, "UPPER({0})"),
    Primitive("primToLower", 1, "LOWER({0})"),
    Primitive("primIsUpper", 1, "{0}.isupper()"),
    Primitive("primIsLower", 1, "{0}.islower()"),
    Primitive("primIsAlpha", 1, "{0}.isalpha()"),
    Primitive("primIsAlphaNum", 1, "{0}.isalnum()"),
    Primitive("primIsSpace", 1, "({0} in SPACES)"),
    Primitive("primIsPunctuation", 1, "PUNCTUATION({0})"),
    Primitive("primShowInt", 1, "str({0})", strings=(False, True)),
    Primitive("primShowInteger", 1, "str({0})", strings=(False, True)),
    Primitive("primShowDouble", 1, "SHOW_DOUBLE({0})", strings=(False, True)),
    Primitive("primShowChar", 1, "SHOW_CHARACTER({0})", strings=(False, True)),
    Primitive("primShowString", 1, "SHOW_STRING({0})", strings=(True, True)),
    Primitive("primReadInt", 1, "WRAP(READ(int, {0}))", "int", (True, False)),
    Primitive("primReadInteger", 1, "READ(int, {0})", "integer", (True, False)),
    Primitive("primReadDouble", 1, "READ(float, {0})", "double", (True, False)),
]
PRIMITIVES = {f"Prelude.{primitive.name}": primitive for primitive in _TABLE}
DIVISIONS = frozenset(f"Prelude.prim{kind}{op}" for kind in ("Int", "Integer") for op in _DIVISION)


def _float_function(name: str, x: float) -> float:
    try:
        return float(getattr(math, name)(x))
    except ValueError:
        return -math.inf if name == "log" and x == 0 else math.nan
    except OverflowError:
        return math.inf


def _divide(a: float, b: float) -> float:
    if b:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


def _power(a: float, b: float) -> float:
    try:
        result = a**b
    except ZeroDivisionError:
        return math.inf
    except OverflowError:
        return math.inf
    return result if isinstance(result, float) else math.nan


def _tag(value: bool | tuple[Any, ...]) -> int:
    return int(value) if isinstance(value, bool) else int(value[0])


def _read(kind: Callable[[str], int | float], text: str) -> int | float:
    try:
        if "_" in text:
            raise ValueError
        return kind(text.strip().removeprefix("(").removesuffix(")"))
    except ValueError:
        raise HaskellError("Prelude.read: no parse", 0) from None


def _to_float(x: int) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def _changed(character: str, changed: str) -> str:
    return changed if len(changed) == 1 else character


NAMESPACE: dict[str, Any] = {
    "QUOT": quotient,
    "REM": remainder,
    "WRAP": wrap,
    "FDIV": _divide,
    "FLOAT": _float_function,
    "POW": _power,
    "ATAN2": math.atan2,
    "INT": int,
    "FLOOR": math.floor,
    "CEIL": math.ceil,
    "ROUND": round,
    "INFINITY": math.inf,
    "TO_FLOAT": _to_float,
    "TAG": _tag,
    "CHR": chr,
    "UPPER": lambda c: _changed(c, c.upper()),
    "LOWER": lambda c: _changed(c, c.lower()),
    "SPACES": frozenset(" \t\n\r\f\v\xa0"),
    "PUNCTUATION": lambda c: unicodedata.category(c).startswith("P"),
    "SHOW_DOUBLE": show_double,
    "SHOW_CHARACTER": show_character,
    "SHOW_STRING": show_string,
    "READ": _read,
    "TO_HASKELL": to_haskell_string,
    "TO_PYTHON": to_python_string,
    "MOST": MOST,
}
_CACHE: dict[str, Callable[..., Any]] = {}


def _compiled(primitive: Primitive) -> Callable[..., Any]:
    known = _CACHE.get(primitive.name)
    if known is None:
        names = [f"a{i}" for i in range(primitive.arity)]
        body = primitive.template.format(*names)
        known = _CACHE[primitive.name] = eval(f"lambda {', '.join(names)}: {body}", dict(NAMESPACE))  # noqa: S307 - our own table
    return known
