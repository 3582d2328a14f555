"""Generators that have not started: their routine and arguments.

A recording has only the name of a generator. The rest follows from the call that made it: the record of its first
occurrence has the values of that call's arguments, or the caller's variables do.
"""

import ast
from functools import lru_cache

import numpy as np
from attrs import define, field, frozen

from adebug_lsp.languages.python.reading.recorded_values import Opaque
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import Module, Routine
from adebug_lsp.languages.python.reading.structure.spans import Span

Place = tuple[int, int, int, int]
MOST = 50
"""Occurrences searched for the call that made a generator."""


@frozen
class Argument:
    """An argument of a call: a word of the recording, or a constant in the source."""

    word: int | None = None
    constant: object = None


@frozen
class GeneratorCall:
    """The call that made a generator."""

    routine: Routine
    positional: list[Argument]
    named: dict[str, Argument]


@define(eq=False)
class Generators:
    """The generators of one run."""

    run: Run
    _made: dict[int, tuple[GeneratorCall, int] | None] = field(factory=dict)

    def of(self, number: int, generator: Opaque, moment: int) -> GeneratorCall | None:
        """The call that made a generator which had not started at a position; None if uncertain."""
        if number not in self._made:
            self._made[number] = self._find(number, generator)
        made = self._made[number]
        if made is None:
            return None
        begun, position = made
        entered = self.run.activations_of(begun.routine, moment)
        return None if any(self.run.spans.first[activation] > position for activation in entered) else begun

    def _find(self, number: int, generator: Opaque) -> tuple[GeneratorCall, int] | None:
        """The call, and a position before it."""
        routine = self._routine(generator)
        made = None if routine is None else self.making(number)
        if routine is None or made is None:
            return None
        record, call = made
        caller = self.caller(record)
        recorded = RecordedArguments(self.run, record, caller)
        positional = [recorded.value(argument) for argument in call.args]
        named = {keyword.arg: recorded.value(keyword.value) for keyword in call.keywords}
        if None in (*positional, *named.values(), *named):
            return None
        begun = GeneratorCall(
            routine,
            [argument for argument in positional if argument is not None],
            {name: value for name, value in named.items() if name is not None and value is not None},
        )
        return begun, self._before(record, caller)

    def making(self, number: int) -> tuple[Record, ast.Call] | None:
        """The record that contains a value as the result of a call, and that call."""
        marks = self.run.marks
        for position in np.flatnonzero(self.run.recording.words == number)[:MOST].tolist():
            start = int(marks[np.searchsorted(marks, position, "right") - 1])
            record = self.run.record(start)
            node = record.marker.slots[position - start - 1] if 0 < position - start <= len(record.marker.slots) else -1
            call = call_of(record.marker.module, node)
            if call is not None:
                return record, call
        return None

    def _before(self, record: Record, caller: Span | None) -> int:
        """A position before a record's statement, because its values may have been used before it was written."""
        if caller is None:
            return 0
        own = self.run.own(caller)
        earlier = own[: np.searchsorted(own, record.position)]
        return int(earlier[-1]) if len(earlier) else caller.first

    def _routine(self, generator: Opaque) -> Routine | None:
        """The only routine with the generator's name; None if there are several, or it cannot be looked up."""
        routines = [routine for routine in self.run.program.routines if routine.qualname == generator.name]
        only = routines[0] if len(routines) == 1 and "<" not in str(generator.name) else None
        return only if only is not None and only.kind == "generator" and not only.method else None

    def caller(self, record: Record) -> Span | None:
        """The activation that wrote a record."""
        routine = record.marker.module.routines[record.marker.routine]
        spans = self.run.spans
        begun = self.run.activations_of(routine, record.position)
        running = [activation for activation in begun if spans.last[activation] >= record.position]
        return spans[running[-1]] if running else None


@frozen(eq=False)
class RecordedArguments:
    """Values of expressions in one record."""

    run: Run
    record: Record
    caller: Span | None

    def value(self, expression: ast.expr) -> Argument | None:
        """Value of an argument; None if unknown."""
        if isinstance(expression, ast.Constant):
            return Argument(constant=expression.value)
        words = dict(zip(self.record.marker.slots, self.record.words, strict=True))
        place = _place(expression)
        for node, word in words.items():
            if node >= 0 and self.record.marker.module.nodes[node].place == place:
                return Argument(word)
        if self.caller is None or not isinstance(expression, ast.Name):
            return None
        bound = self.run.variables(self.caller).at(expression.id, self.record.position)
        return None if bound is None else Argument(bound)


def call_of(module: Module, node: int) -> ast.Call | None:
    """The call at a node; None if it has starred arguments."""
    place = module.nodes[node].place if node >= 0 and module.nodes[node].kind == "Call" else None
    call = None if place is None else _calls(module.source).get(place)
    starred = call is not None and any(isinstance(argument, ast.Starred) for argument in call.args)
    return None if starred else call


@lru_cache(maxsize=8)
def _calls(source: str) -> dict[Place, ast.Call]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # its Python may be newer than ours
        return {}
    return {_place(node): node for node in ast.walk(tree) if isinstance(node, ast.Call)}


def _place(node: ast.expr) -> Place:
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0
