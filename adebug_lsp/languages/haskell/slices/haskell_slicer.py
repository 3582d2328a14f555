"""Slices of a recorded Haskell run: criteria from their text, slices as places of the source."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import islice

import numpy as np
from attrs import define, field, frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import ModuleInfo
from adebug_lsp.languages.haskell.engine.units import Unit
from adebug_lsp.languages.haskell.questions.subject import HaskellSubject
from adebug_lsp.languages.haskell.reading.graph import Constant, Data, Graph, Ref, Unevaluated, deep
from adebug_lsp.languages.haskell.reading.run import HaskellRun, qualified_name, routine_name
from adebug_lsp.languages.haskell.reading.trail_text import shown_arguments
from adebug_lsp.languages.haskell.slices.constructions import Constructions, Source
from adebug_lsp.languages.haskell.slices.demand import ALL, Demand, at_path, read_pattern
from adebug_lsp.languages.haskell.slices.demanded_code import DemandedCode
from adebug_lsp.languages.haskell.slices.sliced_program import Call, ExecutableSlice
from adebug_lsp.languages.haskell.slices.sliced_text import Edit, edits_inside, edits_of
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.errors import BadInputError, NoSuchValueError
from adebug_lsp.model.text import whole_lines
from adebug_lsp.model.values import Key
from adebug_lsp.slicing.call_slicer import CallCriterion, routine_named
from adebug_lsp.slicing.slicer import Slice, SliceStep

_EQUATION = re.compile(r"(?s)^(?P<call>.*\S)\s+=\s+(?P<pattern>\S.*)$")
_MOST_LISTED = 5


@frozen
class _Needed:
    """A demand on a source, from the start of the program."""

    source: Source
    demand: Demand


@define(eq=False)
class HaskellSlicer:
    """See `CallSlicer`."""

    subject: HaskellSubject
    constructions: Constructions = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.constructions = Constructions(self.run.graph)

    @property
    def run(self) -> HaskellRun:
        """The run that is sliced."""
        return self.subject.run

    # Criteria

    def call(self, text: str, nth: int | None) -> CallCriterion:
        """See `CallSlicer`."""
        parts = _EQUATION.match(text)
        call, pattern = (parts["call"], parts["pattern"]) if parts else (text.strip(), "*")
        q = self.find(call, nth)
        demand = deep(lambda: read_pattern(pattern, self.run.graph, self.run.result(q)))
        return CallCriterion(f"{self.run.call_text(q)} = {pattern}", Call(q, demand))

    def find(self, call: str, nth: int | None) -> int:
        """The reduction of the n-th call with this text, or of a function of this name."""
        if nth is not None and nth < 1:
            raise NoSuchValueError("calls are counted from 1")
        wanted = _normal(call)
        named = self._calls_of({routine_named(word) for word in wanted.split()})
        shown = (q for q in named if self._is_meant(q, wanted))
        matches = list(islice(shown, nth or 1))
        if not matches:
            others = list(dict.fromkeys(map(self.run.call_text, islice(named, 50))))[:_MOST_LISTED]
            raise NoSuchValueError(
                f"no call {call} is recorded" + (f"; there are {'; '.join(others)}" if others else "")
            )
        if len(matches) < (nth or 1):
            raise NoSuchValueError(f"{call} was called {len(matches)} times, so there is no time {nth}")
        return matches[-1]

    def _calls_of(self, names: Collection[str]) -> list[int]:
        """The calls with questions of functions with one of these names, in order."""
        units = [u.number for u in self.run.compiled.units if _names(u) & set(names)]
        kinds = np.frombuffer(self.run.recording.trail.units, dtype=np.int32)
        reductions: list[int] = np.flatnonzero(np.isin(kinds, units)).tolist()
        return [q for q in reductions if q in self.subject.nodes]

    def _is_meant(self, q: int, wanted: str) -> bool:
        """Whether a text names the function of a call, or is the call; both may be qualified."""
        unit = self.run.unit(q)
        names = _names(unit)
        if routine_named(wanted) in names:
            return True
        text = _normal(self.run.call_text(q))
        return wanted in {name.removesuffix(routine_name(unit)) + text for name in names}

    def part(self, node: int, mark: Mark) -> CallCriterion:
        """See `CallSlicer`."""
        q, graph = self.subject.reduction(node), self.run.graph
        if mark.of is MarkOf.RESULT:
            path = deep(lambda: _indices(graph, self.run.result(q), mark.path))
            return CallCriterion(self.run.call_text(q), Call(q, at_path(path)))
        if mark.of is MarkOf.AFTER or not mark.path:
            raise NoSuchValueError(f"{self.run.call_text(q)}: take a slice of its result or of one of its arguments")
        names, unit = self.run.parameter_names(q), self.run.unit(q)
        for position, ref in deep(lambda: shown_arguments(graph, q)):
            if mark.path[0] in (names[position], str(position), position):
                path = deep(lambda ref=ref: _indices(graph, ref, mark.path[1:]))  # type: ignore[misc]
                source = self.constructions.parameters(q)[len(unit.captured) + len(unit.dicts) + position]
                return self._of_source(f"{mark.path[0]} of {self.run.call_text(q)}", source, path)
        raise NoSuchValueError(f"{self.run.call_text(q)}: there is no {mark.path[0]}")

    def _of_source(self, text: str, source: Source | None, path: Sequence[int] = ()) -> CallCriterion:
        if source is None:
            raise NoSuchValueError(f"{text}: it is not known where it comes from")
        return CallCriterion(text, _Needed(source, at_path(path)))

    def line(self, path: str, line: int, variable: str | None, nth: int | None) -> CallCriterion:
        """See `CallSlicer`."""
        reductions = [q for q in self.subject.nodes if self._ran_line(q, path, line, variable)]
        smallest = min((self._size(q) for q in reductions), default=0)
        reductions = [q for q in reductions if self._size(q) == smallest]
        where = f"{path}:{line + 1}"
        if not reductions:
            raise NoSuchValueError(f"{where}: {variable or 'nothing'} is not evaluated there")
        if nth is not None and not 1 <= nth <= len(reductions):
            raise NoSuchValueError(f"{where} ran {len(reductions)} times, so there is no time {nth}")
        q = reductions[-1 if nth is None else nth - 1]
        if variable is None:
            return CallCriterion(self.run.call_text(q), Call(q, ALL))
        name = self._binder(q, variable)
        return self._of_source(f"{variable} in {self.run.call_text(q)}", Source(name, q))

    def _ran_line(self, q: int, path: str, line: int, variable: str | None) -> bool:
        """Whether a reduction evaluated something on a line, or bound a variable of this name there."""
        unit = self.run.unit(q)
        if unit.module.path != path or (variable is not None and not self._binder(q, variable)):
            return False
        if variable is not None:
            value = deep(lambda: self.run.graph.value(self.run.graph.variable(self._binder(q, variable), q)))
            if isinstance(value, Unevaluated):
                return False
        clause = self.run.clause(q)
        span = clause.span if clause is not None else unit.span
        place = self.run.location(unit, span).range
        return place.start.line <= line <= place.end.line

    def _size(self, q: int) -> int:
        start, end = self.run.unit(q).span
        return end - start

    def _binder(self, q: int, variable: str) -> str:
        own = [name for name in self.run.unit(q).binders if c.short(name) == variable]
        return own[-1] if own else ""

    # Slices

    def backward(self, criteria: Sequence[CallCriterion]) -> Slice:
        """See `CallSlicer`."""
        code, steps = self._code(criteria), list[SliceStep]()
        for module in self._modules():
            steps += self._steps(module, code)
        return Slice(tuple(sorted(steps, key=lambda step: (step.moment, step.place.path, step.place.range.start))))

    def programs(self, criteria: Sequence[CallCriterion]) -> Mapping[str, str]:
        """See `CallSlicer`."""
        calls = [criterion.value for criterion in criteria if isinstance(criterion.value, Call)]
        if len(calls) < len(criteria):
            raise BadInputError("a program computes results of calls, so it cannot be one of an argument or a variable")
        return ExecutableSlice(self.run, calls, self._code(criteria)).texts()

    def _code(self, criteria: Sequence[CallCriterion]) -> DemandedCode:
        """The code that the criteria need."""
        code = DemandedCode(self.constructions)
        for criterion in criteria:
            match criterion.value:
                case Call(reduction=q, demand=demand):
                    deep(lambda q=q, demand=demand: code.add_call(q, demand))  # type: ignore[misc]
                case _Needed(source=source, demand=demand):
                    deep(lambda source=source, demand=demand: code.add_source(source, demand))  # type: ignore[misc]
        return code

    def _modules(self) -> list[ModuleInfo]:
        return [module for module in self.run.compiled.program.modules.values() if not module.trusted]

    def _steps(self, module: ModuleInfo, code: DemandedCode) -> list[SliceStep]:
        """The code of each needed clause; its moment is the first call that took the clause."""
        units = self.run.compiled.units
        edits = edits_of(module, self.run.compiled.program, units, code)
        shown: list[_Shown] = []
        for unit in units:  # each after the enclosing one
            if unit.module is not module or unit.number not in code.units:
                continue
            moments = _moments(unit, code)
            hidden = [span for span in moments if not any(clause.has(span) for clause in shown)]
            if hidden:
                own = edits if unit.outer is None else edits_inside(unit, units, code)
                shown += [_Shown(span, moments[span], own) for span in hidden]
        return [
            SliceStep(clause.moment, self.run.place(module.path, span))
            for clause in shown
            for span in _kept(module.text, clause.span, clause.edits)
        ]


@frozen
class _Shown:
    """A clause or a constant, of which a slice leaves parts out."""

    span: t.Span
    moment: int
    edits: Sequence[Edit]

    def has(self, span: t.Span) -> bool:
        """Whether some text, such as that of a local function, is inside, and not in a part that is left out."""
        start, end = span
        if not (self.span[0] <= start and end <= self.span[1]):
            return False
        return not any(edit.start <= start and end <= edit.end for edit in self.edits)


def _moments(unit: Unit, code: DemandedCode) -> dict[t.Span, int]:
    """The clauses of a function that were taken, or a constant that was needed, with the first calls."""
    if not isinstance(unit.expression, c.Lam):
        return {unit.span: 0} if id(unit.expression) in code.kept else {}
    taken = [clause for clause in unit.expression.clauses if id(clause) in code.kept]
    return {clause.span: code.moments.get(id(clause), 0) for clause in taken}


def _kept(text: str, span: t.Span, edits: Sequence[Edit]) -> list[t.Span]:
    """The remaining parts of a span, line by line, without spaces at their ends."""
    pieces, at = [], span[0]
    for edit in [*(e for e in edits if e.end > span[0] and e.start < span[1]), Edit(span[1], span[1])]:
        position = at
        for line in whole_lines(text[at : max(at, edit.start)]):
            start = position + len(line) - len(line.lstrip())
            end = position + len(line.rstrip())
            if start < end:
                pieces.append((start, end))
            position += len(line)
        at = max(at, edit.end)
    return pieces


def _names(unit: Unit) -> set[str]:
    """What a function is called by: `smaller`, `quicksort.smaller` or, as in a verdict, `Main.quicksort.smaller`."""
    name = qualified_name(unit)
    return {routine_name(unit), name, f"{c.short(unit.module.name)}.{name}"}


def _normal(call: str) -> str:
    """A call without insignificant spaces."""
    text = re.sub(r"\s*([()\[\],:])\s*", r"\1", " ".join(call.split()))
    return re.sub(r" *([(\[])", r" \1", text)


def _indices(graph: Graph, ref: Ref, path: Sequence[Key]) -> list[int]:
    """The field indices on the path to an address."""
    indices: list[int] = []
    for key in path:
        value = graph.value(ref)
        if isinstance(value, Constant) and value.is_string:
            value = graph.listed(value)
        steps = (
            [1] * key + [0]
            if isinstance(value, Data) and value.info.type_name == "[]" and isinstance(key, int)
            else None
        )
        if steps is None and isinstance(value, Data):
            labels: list[Key] = list(value.info.labels) or list(range(len(value.fields)))
            steps = [labels.index(key)] if key in labels else None
        for step in steps if steps is not None else [-1]:
            value = graph.value(ref)
            if isinstance(value, Constant) and value.is_string:
                value = graph.listed(value)
            if not isinstance(value, Data) or not 0 <= step < len(value.fields):
                raise NoSuchValueError(f"there is no part {key}")
            indices.append(step)
            ref = value.fields[step]
    return indices
