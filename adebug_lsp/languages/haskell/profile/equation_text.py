"""Prints time equations as the thesis does: `f_c x = e ± 1`, with a pair of value and cost for each constructor."""

from __future__ import annotations

from adebug_lsp.languages.haskell.core.core_tree import ConstructorInfo, short
from adebug_lsp.languages.haskell.profile import flat_program as f

_STEP = "    "


def equation_lines(rule: f.Rule) -> tuple[str, ...]:
    """The transformed rule of a function that `check` lets pass."""
    writer = _Writer()
    head = " ".join([f"{short(rule.name)}_c", *map(writer.name, rule.parameters)])
    return tuple(f"{head} = {writer.plus(rule.body, '1', '')}".split("\n"))


class _Writer:
    """Prints one rule; variables lose the number that makes them unique, unless two would be equal."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._costs = 0

    def name(self, operand: f.Operand) -> str:
        """The printed name of a variable."""
        if not isinstance(operand, str):
            return f"{short(str(operand[1]))}_c"
        known = self._names.get(operand)
        if known is None:
            plain = new = short(operand)
            count = 1
            while new in self._names.values():
                count += 1
                new = f"{plain}{count}"
            known = self._names[operand] = new
        return known

    def plus(self, e: f.Flat, cost: str, indent: str) -> str:
        """The text of `e ± cost`; a failure has no cost."""
        text = self.text(e, indent)
        if isinstance(e, f.Failure):
            return text
        return f"({text}) ± {cost}" if isinstance(e, f.Case | f.Let) else f"{text} ± {cost}"

    def text(self, e: f.Flat, indent: str) -> str:
        """The text of an expression."""
        match e:
            case f.Variable(operand=operand):
                return self.name(operand)
            case f.Construct(info=info, operands=operands):
                return f"({_applied(info, [self.name(operand) for operand in operands])}, 0)"
            case f.Literal(value=value):
                return f"({_literal(value)}, 0)"
            case f.Call(function=name, operands=operands) | f.Primitive(name=name, operands=operands):
                return " ".join([f"{short(name)}_c", *map(self.name, operands)])
            case f.Let(bindings=bindings, body=body):
                inner = f"\n{indent}{_STEP}"
                written = [f"{self.name(name)} = {self.text(bound, indent + _STEP)}" for name, bound in bindings]
                if len(written) == 1 and "\n" not in written[0]:
                    return f"let {written[0]} in {self.text(body, indent)}"
                return f"let{inner}{inner.join(written)}\n{indent}in {self.text(body, indent)}"
            case f.Case():
                return self._case(e, indent)
            case f.Scc(body=body):
                return self.text(body, indent)
        return "failure"

    def _case(self, e: f.Case, indent: str) -> str:
        """The text of a case; the cost of its scrutinee gets a name."""
        self._costs += 1
        cost, inner = f"k{self._costs}", indent + _STEP
        lines = [f"case {self.name(e.scrutinee)} of"]
        for alternative in e.alternatives:
            fields = [self.name(field) for field in alternative.fields]
            is_constructor = isinstance(alternative.constant, ConstructorInfo)
            pattern = _applied(alternative.constant, fields) if is_constructor else _literal(alternative.constant)  # type: ignore[arg-type]
            lines.append(f"{inner}({pattern}, {cost}) -> {self.plus(alternative.body, cost, inner)}")
        if e.default is not None:
            lines.append(f"{inner}(_, {cost}) -> {self.plus(e.default, cost, inner)}")
        return "\n".join(lines)


def _applied(info: ConstructorInfo, operands: list[str]) -> str:
    if info.name.startswith("(,"):
        return f"({', '.join(operands)})"
    if not info.short[0].isalpha() and len(operands) == 2:
        return f"{operands[0]} {info.short} {operands[1]}"
    return " ".join([info.short, *operands])


def _literal(value: float | str) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)
