"""An opened run: its graph, the texts of its values, and the places of its code."""

from __future__ import annotations

import bisect
from functools import cached_property

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.program_sources import Sources, compiled_program, library_hash
from adebug_lsp.languages.haskell.engine.units import SITE_BITS, Unit
from adebug_lsp.languages.haskell.reading.evaluation_tree import EvaluationTree, evaluation_tree
from adebug_lsp.languages.haskell.reading.graph import Bottom, Graph, Ref, Unevaluated, Value, deep
from adebug_lsp.languages.haskell.reading.recording_file import Recording
from adebug_lsp.languages.haskell.reading.trail_text import ValueText, shown_arguments
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.source import Location, Position, Range


class HaskellRun:
    """A run, with everything that questions show."""

    def __init__(self, recording: Recording) -> None:
        if recording.library != library_hash():
            raise BadInputError("this recording was made by another version of adebug; record the program again")
        self.recording = recording
        names = tuple(recording.names.items())
        sources = Sources(recording.program, tuple(recording.sources.items()), names, recording.start)
        self.compiled = compiled_program(sources)
        self.graph = Graph(self.compiled, recording.trail)
        self.values = ValueText(self.graph)

    @cached_property
    def tree(self) -> EvaluationTree:
        """The evaluation dependency tree."""
        return evaluation_tree(self.recording.trail, self.compiled.units)

    def unit(self, q: int) -> Unit:
        """The unit of a reduction."""
        return self.graph.unit(q)

    def result(self, q: int) -> Ref:
        """A reference to the result of a reduction."""
        return self.values.node_of(q)

    def ended(self, q: int) -> bool:
        """Whether a reduction led to a value."""
        return not isinstance(deep(lambda: self.graph.value(self.result(q))), Unevaluated)

    def error(self, q: int) -> str | None:
        """The message of a reduction that failed."""
        value = deep(lambda: self.graph.value(self.result(q)))
        return value.message if isinstance(value, Bottom) else None

    def call_text(self, q: int) -> str:
        """The text of a call: `f 1 [2, 3]`, or `1 + 2` for an operator."""
        unit = self.unit(q)
        name = routine_name(unit)
        arguments = [ref for _, ref in deep(lambda: shown_arguments(self.graph, q))]
        if not (name[0].isalpha() or name[0] in "_\\"):
            if len(arguments) == 2:
                left, right = (self.values.text(ref, 10) for ref in arguments)
                return f"{left} {name} {right}"
            name = f"({name})"
        if unit.is_lambda:
            name = f"({self.source(unit)})"
        return " ".join([name, *(self.values.text(ref, 11) for ref in arguments)])

    def captured(self, q: int) -> list[tuple[str, Ref]]:
        """The variables that a local function captured."""
        unit = self.unit(q)
        arguments = deep(lambda: self.graph.arguments(q))
        pairs = zip(unit.captured, arguments, strict=False)
        return [(c.short(name), ref) for name, ref in pairs if not name.startswith(("d~", "pattern~"))]

    def parameter_names(self, q: int) -> list[str]:
        """The names of the parameters in the clause that was taken."""
        unit = self.unit(q)
        if not isinstance(unit.expression, c.Lam):
            return []
        clause = self.clause(q)
        names = []
        for position in range(unit.arity):
            pattern = clause.patterns[position] if clause is not None else None
            is_named = isinstance(pattern, c.PVar | c.PAs) and not pattern.name.startswith(("_", "pattern"))
            names.append(c.short(pattern.name) if is_named else f"argument {position + 1}")  # type: ignore[union-attr]
        return names

    def clause(self, q: int) -> c.Clause | None:
        """The clause that a reduction took."""
        unit = self.unit(q)
        if not isinstance(unit.expression, c.Lam):
            return None
        first = len(unit.captured) + len(unit.dicts)

        def choose() -> c.Branch | Value:
            refs = list(self.graph.arguments(q)[first : first + unit.arity])
            return self.graph.chosen(unit.expression.clauses, refs, q, -2)  # type: ignore[union-attr]

        branch = deep(choose)
        return next((clause for clause in unit.expression.clauses if branch in clause.branches), None)

    def output(self, q: int) -> str:
        """The text that a reduction and the calls below it printed."""
        trail = self.recording.trail
        pieces = []
        for node, text in trail.output:
            above = node >> SITE_BITS
            while above > q:
                above = trail.redexes[above] >> SITE_BITS
            if above == q:
                pieces.append(text)
        return "".join(pieces)

    # Places

    def location(self, unit: Unit, span: tuple[int, int]) -> Location:
        """The location of a span of a unit's module; an evaluated expression has that of its function."""
        if unit is self.compiled.start and self.recording.start:
            tested = self.compiled.global_unit(f"{unit.module.name}.{self.recording.start.split()[0]}")
            span = tested.span if tested is not None else (0, 0)
        return self.place(unit.module.path, span)

    def place(self, path: str, span: tuple[int, int]) -> Location:
        """The location of a span of a file."""
        starts = self._line_starts(path)
        start, end = (self._position(starts, offset) for offset in span)
        return Location(path, Range(start, end))

    def _line_starts(self, path: str) -> list[int]:
        known = self._starts.get(path)
        if known is None:
            text = self.recording.sources.get(path, "")
            known = self._starts[path] = [0, *(i + 1 for i, character in enumerate(text) if character == "\n")]
        return known

    @cached_property
    def _starts(self) -> dict[str, list[int]]:
        return {}

    def _position(self, starts: list[int], offset: int) -> Position:
        line = bisect.bisect_right(starts, offset) - 1
        return Position(line, offset - starts[line])

    def source(self, unit: Unit, span: tuple[int, int] | None = None) -> str:
        """The text of a span on one line."""
        start, end = span or unit.span
        return " ".join(self.recording.sources.get(unit.module.path, "")[start:end].split())


def routine_name(unit: Unit) -> str:
    """The name of a function in its module."""
    return c.short(unit.name)


def qualified_name(unit: Unit) -> str:
    """The name with those of the enclosing functions: `quicksort.smaller`."""
    name = "\\" if unit.is_lambda else routine_name(unit)
    return f"{qualified_name(unit.outer)}.{name}" if unit.outer is not None else name
