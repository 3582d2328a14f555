"""The engine's primitives on values of the cost semantics: arithmetic, strings, input and output."""

from __future__ import annotations

from collections.abc import Callable

from adebug_lsp.languages.haskell.core.entities import Program
from adebug_lsp.languages.haskell.engine.compiler import IO_RESULT
from adebug_lsp.languages.haskell.engine.machine import ExitError, HaskellError, wrap
from adebug_lsp.languages.haskell.engine.primitives import DIVISIONS, PRIMITIVES
from adebug_lsp.languages.haskell.profile.cost_centres import Centre
from adebug_lsp.languages.haskell.profile.heap import Cell, Data, Value

_OF_TEXT = frozenset({"Prelude.primPutStr", "Prelude.primError", "Prelude.primUserError"})
_INPUT = frozenset({"Prelude.primGetLine", "Prelude.primGetContents", "Prelude.primIsEOF"})
_MOST = (1 << 63) - 1


class PrimitiveValues:
    """Computes primitives for one run."""

    def __init__(self, program: Program, write: Callable[[str], None], read: Callable[[], str]) -> None:
        self.write, self.read = write, read
        constructors = program.constructors
        self.true, self.false = constructors["Prelude.True"], constructors["Prelude.False"]
        self.nil, self.cons, self.unit = constructors["[]"], constructors[":"], constructors["()"]
        self._ahead: list[str] = []

    def operands(self, name: str) -> int:
        """The number of operands that a primitive evaluates; the world does not count."""
        if name in PRIMITIVES:
            return PRIMITIVES[name].arity
        return 0 if name in _INPUT else 1

    def takes_text(self, name: str) -> bool:
        """Whether a primitive evaluates a string to its end."""
        return PRIMITIVES[name].strings[0] if name in PRIMITIVES else name in _OF_TEXT

    def compute(self, name: str, values: list[Value], centre: Centre) -> Value:
        """The value for evaluated operands, strings as Python strings."""
        primitive = PRIMITIVES.get(name)
        if primitive is None:
            return self._act(name, values, centre)
        if name == "Prelude.primTag":
            assert isinstance(values[0], Data)
            return values[0].info.tag
        if name in DIVISIONS and values[1] == 0:
            raise HaskellError("divide by zero", 0)
        if primitive.strings[1]:
            return self.string(_shown(name, values[0]), centre)
        result = primitive.compute(*values)
        if isinstance(result, bool):
            return Data(self.true if result else self.false, [])
        is_wide = primitive.records == "int" and not -_MOST <= result <= _MOST
        return wrap(result) if is_wide else result

    def _act(self, name: str, values: list[Value], centre: Centre) -> Value:
        """Execute a primitive action."""
        match name.removeprefix("Prelude."):
            case "primPutStr":
                self.write(str(values[0]))
                return self._returned(Data(self.unit, []), centre)
            case "primGetLine":
                line = self._line()
                if not line:
                    raise HaskellError("Prelude.getLine: end of file", 0)
                return self._returned(self.string(line.removesuffix("\n"), centre), centre)
            case "primGetContents":
                return self._returned(self.string("".join(iter(self._line, "")), centre), centre)
            case "primIsEOF":
                self._ahead.append(self._line())
                return self._returned(Data(self.false if self._ahead[-1] else self.true, []), centre)
            case "primExit":
                raise ExitError(int(values[0]))  # type: ignore[arg-type]
            case "primUserError":
                raise HaskellError(f"user error ({values[0]})", 0)
        raise HaskellError(str(values[0]), 0)

    def _line(self) -> str:
        return self._ahead.pop() if self._ahead else self.read()

    def _returned(self, value: Value, centre: Centre) -> Data:
        return Data(IO_RESULT, [Cell(centre, value)])

    def string(self, text: str, centre: Centre) -> Data:
        """A string as a list of characters."""
        value = Data(self.nil, [])
        for character in reversed(text):
            value = Data(self.cons, [Cell(centre, character), Cell(centre, value)])
        return value


def _shown(name: str, value: Value) -> str:
    return str(PRIMITIVES[name].compute(value))
