"""The namespace that compiled code runs in: the trail's columns, primitives as code, and actions of IO."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from adebug_lsp.languages.haskell.engine.compiler import ACTIONS, SPECIAL
from adebug_lsp.languages.haskell.engine.machine import (
    UNIT,
    ExitError,
    HaskellError,
    Trail,
    apply_thunk,
    evaluate,
    force,
    to_haskell_string,
    to_python_string,
)
from adebug_lsp.languages.haskell.engine.primitives import DIVISIONS, NAMESPACE, PRIMITIVES, Primitive

Write = Callable[[str], None]
Read = Callable[[], str]
"""Returns the next line of standard input, with its end; empty at the end of the input."""
_DIVISION = "divide by zero"


class Actions:
    """Input and output of a run."""

    def __init__(self, trail: Trail, write: Write, read: Read) -> None:
        self.trail, self.write, self.read = trail, write, read
        self._ahead: list[str] = []

    def put(self, t: list[Any]) -> tuple[Any, ...]:
        """Write a string, as far as it can be evaluated."""
        node, x = t[1], t[2]
        pieces: list[str] = []
        try:
            x = force(x)
            while x[0]:
                character = force(x[1])
                pieces.append(character)
                if character == "\n" and len(pieces) >= 512:
                    self._flush(node, pieces)
                x = force(x[2])
        except BaseException:
            while pieces and pieces[-1] != "\n":
                pieces.pop()  # GHC loses the line that it cannot finish
            self._flush(node, pieces)
            raise
        self._flush(node, pieces)
        self.trail.entered.append(node)
        return (0, UNIT)

    def _flush(self, node: int, pieces: list[str]) -> None:
        text = "".join(pieces)
        pieces.clear()
        if text:
            self.trail.output.append((node, text))
            self.write(text)

    def _line(self) -> str:
        return self._ahead.pop() if self._ahead else self.read()

    def get_line(self, t: list[Any]) -> tuple[Any, ...]:
        line = self._line()
        if not line:
            raise HaskellError("Prelude.getLine: end of file", t[1])
        return self._input(t[1], line.removesuffix("\n"))

    def get_contents(self, t: list[Any]) -> tuple[Any, ...]:
        lines = []
        while line := self._line():
            lines.append(line)
        return self._input(t[1], "".join(lines))

    def _input(self, node: int, text: str) -> tuple[Any, ...]:
        self.trail.input.append((node, text))
        return (0, to_haskell_string(text))

    def is_eof(self, t: list[Any]) -> tuple[Any, ...]:
        line = self._line()
        if line:
            self._ahead.append(line)
        self.trail.input.append((t[1], "" if line else "EOF"))
        return (0, not line)


def namespace(trail: Trail, constants: list[Any], actions: Actions) -> dict[str, Any]:
    """The globals of compiled code."""
    makers: dict[int, Callable[..., Any]] = {}
    made: dict[tuple[Any, ...], Any] = {}

    def make(number: int, *parts: object) -> object:
        key = (number, *map(id, parts))
        known = made.get(key)
        if known is None:
            known = made[key] = (makers[number](*parts), parts)  # keeps the parts, and so their ids
        return known[0]

    names: dict[str, Any] = {
        **NAMESPACE,
        "R": trail.redexes,
        "RA": trail.redexes.append,
        "UA": trail.units.append,
        "PN": trail.primitive_nodes.append,
        "PV": trail.primitive_values.append,
        "DN": trail.double_nodes.append,
        "DV": trail.double_values.append,
        "EN": trail.entered.append,
        "LARGE": trail.large,
        "EV": evaluate,
        "APPLY": apply_thunk,
        "TIE": _tie,
        "INDIRECT": lambda t: force(t[2]),
        "IDENTITY": (1, lambda t: force(t[2]), ()),
        "CONSTRUCTOR": _constructor,
        "NO_MATCH": _no_match,
        "MISSING": _missing,
        "DIVIDE_BY_ZERO": _divide_by_zero,
        "MAKERS": makers,
        "MAKE": make,
        "K": [_constant(value) for value in constants],
    }
    names |= {f"P_{name}": code for name, code in _special(actions).items()}
    exec(_primitive_code(), names)  # noqa: S102 - made from our own table
    arity = {**{n: p.arity for n, p in PRIMITIVES.items()}, **ACTIONS, **SPECIAL}
    short = {name.removeprefix("Prelude."): count for name, count in arity.items()}
    names["PRIMITIVE"] = {name: (count, names[f"P_{name}"], ()) for name, count in short.items()}
    return names


def _constant(value: object) -> object:
    match value:
        case ("string", str(text)):
            return to_haskell_string(text)
    return value


def _tie(target: list[Any], value: object) -> None:
    target[:] = value if type(value) is list else (None, value)


def _constructor(tag: int, strict: str) -> tuple[Any, ...]:
    flags = [flag == "1" for flag in strict]

    def code(t: list[Any]) -> tuple[Any, ...]:
        parts = t[2:]
        return (tag, *(force(part) if flag else part for part, flag in zip(parts, flags, strict=True)))

    return (len(flags), code, ())


def _no_match(node: int, _where: object) -> NoReturn:
    raise HaskellError("no equation or alternative matches", node)


def _missing(t: list[Any]) -> NoReturn:
    raise HaskellError(str(t[2]), t[1])


def _divide_by_zero(node: int) -> NoReturn:
    raise HaskellError(_DIVISION, node)


def _special(actions: Actions) -> dict[str, Any]:
    """The primitives that take unevaluated arguments, by name."""

    def seq(t: list[Any]) -> object:
        force(t[2])
        return force(t[3])

    def error(t: list[Any]) -> NoReturn:
        node = t[1]
        raise HaskellError(to_python_string(t[2]), node)

    def leave(t: list[Any]) -> NoReturn:
        raise ExitError(force(t[2]))

    def user_error(t: list[Any]) -> NoReturn:
        node = t[1]
        raise HaskellError(f"user error ({to_python_string(t[2])})", node)

    return {
        "primSeq": seq,
        "primError": error,
        "primReturnIO": lambda t: (0, t[2]),
        "primPutStr": actions.put,
        "primGetLine": actions.get_line,
        "primGetContents": actions.get_contents,
        "primIsEOF": actions.is_eof,
        "primExit": leave,
        "primUserError": user_error,
    }


def _primitive_code() -> str:
    return "\n".join(line for primitive in PRIMITIVES.values() for line in _code_of(primitive))


def _code_of(primitive: Primitive) -> list[str]:
    """The code of a node that applies a primitive, as `UnitCode._primitive` writes it in line."""
    names = ["x", "y"][: primitive.arity]
    lines = [f"def P_{primitive.name}(t):", f"    _, n, {', '.join(names)} = t"]
    lines += [f"    if type({name}) is list: {name} = EV({name})" for name in names]
    if primitive.strings[0]:
        lines.append("    x = TO_PYTHON(x)")
    if f"Prelude.{primitive.name}" in DIVISIONS:
        lines.append("    if y == 0: DIVIDE_BY_ZERO(n)")
    lines.append(f"    v = {primitive.template.format(*names)}")
    match primitive.records:
        case "double":
            lines.append("    DN(n); DV(v)")
        case "int":
            lines += ["    if not -MOST <= v <= MOST: v = WRAP(v)", "    PN(n); PV(v)"]
        case "integer":
            lines += ["    if -MOST <= v <= MOST: PN(n); PV(v)", "    else: LARGE[n] = v"]
        case _:
            lines.append("    EN(n)")
    lines.append("    return TO_HASKELL(v)" if primitive.strings[1] else "    return v")
    return lines
