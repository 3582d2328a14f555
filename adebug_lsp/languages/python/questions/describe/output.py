"""The output of a run: the calls of `print` made by recorded code, with their arguments."""

import ast
from functools import cached_property
from typing import Any

import numpy as np
from attrs import define

from adebug_lsp.languages.python.questions.describe.expression_text import values_of
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import Module
from adebug_lsp.languages.python.reading.structure.spans import Span

_MOST_LINES = 20


@define(eq=False)
class Printed:
    """The output of one run."""

    run: Run

    def lines(self, first: int, last: int) -> list[str]:
        """The last lines printed between two positions."""
        low, high = np.searchsorted(self._positions, [first, last + 1])
        shown = [self._line(position) for position in self._positions[max(low, high - _MOST_LINES) : high].tolist()]
        left_out = high - low - len(shown)
        return [f"... {left_out} lines before", *shown] if left_out else shown

    @cached_property
    def _positions(self) -> Any:
        """Positions of the records of all statements that print."""
        markers = self.run.program.markers
        printing = [n for n, m in markers.items() if m.kind == "statement" and _prints(m.module, m.node)]
        return self.run.positions(printing)

    def _line(self, position: int) -> str:
        record = self.run.record(position)
        module = record.marker.module
        if not record.whole:
            return "..."
        arguments = module.children(module.children(record.marker.node)[0])[1:]
        return " ".join(self._text(n, record) for n in arguments if module.nodes[n].kind != "keyword")

    def _text(self, node: int, record: Record) -> str:
        """An argument of `print` as it was printed."""
        module = record.marker.module
        word = values_of([record]).get(node)
        if word is None and module.nodes[node].kind == "Name":
            word = self._variable(module.nodes[node].extra, record)
        if word is None:
            literal = module.nodes[node].extra if module.nodes[node].kind == "Constant" else None
            return (
                str(ast.literal_eval(literal)) if isinstance(literal, str) and literal != "..." else module.text(node)
            )
        plain = self.run.recording.values.atom(word)
        return plain if isinstance(plain, str) else self.run.shower.value(word, record.end).text

    def _variable(self, name: str, record: Record) -> int | None:
        activation = self._activation(record)
        return None if activation is None else self.run.variables(activation).at(name, record.position)

    def _activation(self, record: Record) -> Span | None:
        """The innermost running activation of the record's routine."""
        spans, routine = self.run.spans, record.marker.module.routines[record.marker.routine]
        for number in reversed(self.run.activations_of(routine, record.position)):
            if spans.last[number] >= record.position:
                return spans[number]
        return None


def _prints(module: Module, number: int) -> bool:
    """Whether a statement calls `print`."""
    called = module.children(number)[:1] if module.nodes[number].kind == "Expr" else []
    inside = module.children(called[0]) if called and module.nodes[called[0]].kind == "Call" else []
    return bool(inside) and module.nodes[inside[0]].kind == "Name" and module.nodes[inside[0]].extra == "print"
