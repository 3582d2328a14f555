"""The machine: evaluation of graph nodes, and the columns that the trail is recorded in.

A value in weak head normal form is an int, a float, a str (a character), a bool, a tuple (a constructor's tag and
fields, or a function's missing arguments, code and captured values). Anything unevaluated is a list: code, node,
arguments. An evaluated list is `[None, value]`. Code takes its list and returns a value or a new list, its tail call.
"""

import math
from array import array
from typing import Any, NoReturn

MOST = (1 << 63) - 1


class HaskellError(Exception):
    """An error of the program: `error`, a failed match, a loop, an exception of IO."""

    def __init__(self, message: str, node: int) -> None:
        super().__init__(message)
        self.message, self.node = message, node


class ExitError(Exception):
    """Raised when the program ends itself."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Trail:
    """The recording of a run: redex and unit of each reduction, values of primitives, output, errors."""

    def __init__(self) -> None:
        self.redexes = array("q")
        self.units = array("i")
        self.primitive_nodes = array("q")
        self.primitive_values = array("q")
        self.entered = array("q")
        """Other nodes that were evaluated: matches that were delayed, primitives whose values are not recorded."""
        self.double_nodes = array("q")
        self.double_values = array("d")
        self.large: dict[int, int] = {}
        """Values of arithmetic beyond 64 bits, by node."""
        self.output: list[tuple[int, str]] = []
        """The node of each writing action, and the text."""
        self.input: list[tuple[int, str]] = []
        """The node of each reading action, and the text."""
        self.errors: list[tuple[int, str]] = []

    @property
    def reductions(self) -> int:
        """Reductions of functions and primitives."""
        return len(self.redexes) + len(self.primitive_nodes) + len(self.double_nodes) + len(self.large)


def evaluate(t: list[Any]) -> Any:
    """Evaluate an unevaluated node; the node keeps the value."""
    code = t[0]
    if code is None:
        return t[1]
    t[0] = _loop  # a black hole: whoever needs it before it is known would wait for ever
    v = code(t)
    while type(v) is list:
        v = v[0](v)
    t[:] = None, v
    return v


def _loop(t: list[Any]) -> NoReturn:
    raise HaskellError("<<loop>>", t[1])


def apply(f: Any, n: int, arguments: tuple[Any, ...]) -> Any:
    """Apply a function value at a node; the nodes of partial applications follow the node's own number."""
    if type(f) is list:
        f = evaluate(f)
    done = 0
    while True:
        arity, code, captured = f
        count = len(arguments)
        if count == arity:
            return [code, n, *captured, *arguments]
        if count < arity:
            return (arity - count, code, captured + arguments)
        done += arity
        f = code([code, n + done, *captured, *arguments[:arity]])
        while type(f) is list:
            f = f[0](f)
        arguments = arguments[arity:]


def apply_thunk(t: list[Any]) -> Any:
    """The code of an unevaluated application of an unknown function."""
    return apply(t[2], t[1], tuple(t[3:]))


def force(x: Any) -> Any:
    """The value of anything."""
    return evaluate(x) if type(x) is list else x


def to_python_string(x: Any) -> str:
    """A Haskell string, evaluated to its end."""
    characters = []
    x = force(x)
    while x[0]:
        characters.append(force(x[1]))
        x = force(x[2])
    return "".join(characters)


NIL = (0,)
UNIT = (0,)


def to_haskell_string(text: str) -> tuple[Any, ...]:
    """A string as a list of characters."""
    result: tuple[Any, ...] = NIL
    for character in reversed(text):
        result = (1, character, result)
    return result


def wrap(x: int) -> int:
    """An integer wrapped to 64 bits, as in hardware."""
    return ((x + MOST + 1) & ((MOST << 1) | 1)) - MOST - 1


def quotient(a: int, b: int) -> int:
    """Division that truncates towards zero."""
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def remainder(a: int, b: int) -> int:
    """The remainder that belongs to `quotient`."""
    return a - b * quotient(a, b)


def show_double(x: float) -> str:
    """A Double as GHC shows it."""
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == 0:
        return "-0.0" if math.copysign(1, x) < 0 else "0.0"
    sign, (digits, exponent) = "-" if x < 0 else "", _digits(abs(x))
    if 0.1 <= abs(x) < 10**7:
        if exponent <= 0:
            return f"{sign}0.{'0' * -exponent}{digits}"
        whole, rest = digits[:exponent].ljust(exponent, "0"), digits[exponent:]
        return f"{sign}{whole}.{rest or '0'}"
    return f"{sign}{digits[0]}.{digits[1:] or '0'}e{exponent - 1}"


def _digits(x: float) -> tuple[str, int]:
    """Shortest digits d1 d2 ... and exponent e with x = 0.d1d2... * 10^e."""
    mantissa, _, power = repr(x).partition("e")
    whole, _, rest = mantissa.partition(".")
    exponent = len(whole) + int(power or 0)
    digits = whole + rest
    stripped = digits.lstrip("0")
    exponent -= len(digits) - len(stripped)
    return stripped.rstrip("0") or "0", exponent


_NAMES = {
    7: "\\a",
    8: "\\b",
    9: "\\t",
    10: "\\n",
    11: "\\v",
    12: "\\f",
    13: "\\r",
    92: "\\\\",
    127: "\\DEL",
    14: "\\SO",
}
_CONTROLS = [
    "NUL",
    "SOH",
    "STX",
    "ETX",
    "EOT",
    "ENQ",
    "ACK",
    "a",
    "b",
    "t",
    "n",
    "v",
    "f",
    "r",
    "SO",
    "SI",
    "DLE",
    "DC1",
    "DC2",
    "DC3",
    "DC4",
    "NAK",
    "SYN",
    "ETB",
    "CAN",
    "EM",
    "SUB",
    "ESC",
    "FS",
    "GS",
    "RS",
    "US",
]


def show_character(character: str) -> str:
    """A Char as GHC shows it."""
    return "'\\''" if character == "'" else f"'{_escaped(character)}'"


def show_string(text: str) -> str:
    """A String as GHC shows it."""
    pieces = ['"']
    for position, character in enumerate(text):
        shown = '\\"' if character == '"' else _escaped(character)
        following = text[position + 1 : position + 2]
        if (shown[:1] == "\\" and shown[1:].isdigit() and following.isdigit()) or (
            shown == "\\SO" and following == "H"
        ):
            shown += "\\&"
        pieces.append(shown)
    return "".join(pieces) + '"'


def _escaped(character: str) -> str:
    code = ord(character)
    if code in _NAMES:
        return _NAMES[code]
    if code < 32:
        return f"\\{_CONTROLS[code]}"
    return character if code < 127 else f"\\{code}"
