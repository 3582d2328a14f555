"""Executable slices: the program that remains of a slice, run before anybody gets it (Section 5.5 of the thesis)."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from itertools import count

from attrs import define, evolve, frozen

from adebug_lsp.languages.haskell.core.entities import ModuleInfo
from adebug_lsp.languages.haskell.engine.load import Find, ModuleError, load
from adebug_lsp.languages.haskell.engine.machine import force
from adebug_lsp.languages.haskell.engine.program_execution import Outcome, compile_program, evaluate_to, run
from adebug_lsp.languages.haskell.oracles.agreement import agrees
from adebug_lsp.languages.haskell.oracles.written_values import NotWritableError, Writer
from adebug_lsp.languages.haskell.reading.graph import Bottom, Constant, Data, Function, Graph, Ref, Unevaluated, deep
from adebug_lsp.languages.haskell.reading.run import HaskellRun, routine_name
from adebug_lsp.languages.haskell.reading.trail_text import shown_arguments
from adebug_lsp.languages.haskell.slices.demand import Demand
from adebug_lsp.languages.haskell.slices.demanded_code import DemandedCode
from adebug_lsp.languages.haskell.slices.sliced_text import MISSING, Edit, edits_of, sliced, tidied
from adebug_lsp.languages.haskell.types.types import Scheme, TAp, TCon, Type, prune, show, spine
from adebug_lsp.model.errors import BadInputError

_SECONDS = 60.0
_MISSING_DEFINITION = f"""
{MISSING} :: a
{MISSING} = error "this part is not in the slice"
"""
_CALL = "adebugSlicedCall"
_MOST_PARTS = 30
_WHOLE = 3


@frozen
class Call:
    """A criterion: a recorded call, and the demand on its result."""

    reduction: int
    demand: Demand


@define(eq=False)
class ExecutableSlice:
    """Builds the program of a slice of one or several calls."""

    run: HaskellRun
    calls: Sequence[Call]
    code: DemandedCode

    def texts(self) -> dict[str, str]:
        """The modules by path, after running them; raises `BadInputError` if the result differs."""
        modules = [m for m in self.run.compiled.program.modules.values() if not m.trusted]
        units = self.run.compiled.units
        program = self.run.compiled.program
        edits = {m.path: edits_of(m, program, units, self.code) for m in modules}
        return self._checked({m.path: m for m in modules}, edits)

    @property
    def _is_main(self) -> bool:
        return any(call.reduction == 0 for call in self.calls)

    def _checked(self, modules: dict[str, ModuleInfo], edits: dict[str, list[Edit]]) -> dict[str, str]:
        """The texts of a well-typed slice: types that are left open by a missing part are written out."""
        levels: dict[int, int] = {}
        for _ in count():
            texts = {path: self._text(module.text, edits[path], levels) for path, module in modules.items()}
            try:
                made = self._with_main(texts)
                return {path: tidied(text) for path, text in made.items()}
            except ModuleError as problem:
                changed = self._annotated(problem, edits[problem.path], modules[problem.path].text, levels)
                if not changed:
                    raise BadInputError(
                        f"what is left is no program: {problem.place}: {problem.message}; the slice itself can be shown"
                    ) from None
        raise AssertionError

    def _text(self, text: str, edits: list[Edit], levels: dict[int, int]) -> str:
        written = [evolve(edit, replacement=_replacement(edit, text, levels.get(id(edit), 0))) for edit in edits]
        whole = sliced(text, written)
        return whole + _MISSING_DEFINITION if re.search(rf"\b{MISSING}\b", whole) else whole

    def _annotated(self, problem: ModuleError, edits: list[Edit], text: str, levels: dict[int, int]) -> bool:
        """Write more types of missing expressions into the definition with the problem; False if none are left."""
        first, last = _definition_around(problem.text, problem.start)
        at, moved, changed = 0, 0, False
        for edit in edits:
            moved += edit.start - at
            length = len(_replacement(edit, text, levels.get(id(edit), 0)))
            at = edit.end
            if first <= moved < last and edit.type is not None and levels.get(id(edit), 0) < _WHOLE:
                levels[id(edit)] = levels.get(id(edit), 0) + 1
                changed = True
            moved += length
        return changed

    # Main

    def _with_main(self, texts: dict[str, str]) -> dict[str, str]:
        """The texts, with a main that shows the criteria; raises `ModuleError` if they have no types."""
        path = self.run.recording.program
        if self._is_main:
            self._run_main(texts)
            return texts
        calls = [self._source(call) for call in self.calls]
        mains = ["".join(f"  print ({_picked(self.run.graph, call, text)})\n" for call, text in calls)]
        mains.append("".join(f"  {_forced(self.run.graph, call, text)}\n" for call, text in calls))
        self._check_calls(texts, calls)
        for main in mains:
            own = {**texts, path: f"{texts[path]}\nmain :: IO ()\nmain = do\n{main}"}
            try:
                _, ended = self._execute(own)
            except ModuleError:
                continue  # no Show of the result
            if ended.how == "finished":
                return own
        raise BadInputError("the slice gives the same value, but there is no way to show it")

    def _source(self, call: Call) -> tuple[Call, str]:
        """A call as source, with its recorded arguments."""
        unit = self.run.unit(call.reduction)
        if unit.outer is not None or unit.is_lambda or unit.is_io or "~" in unit.name:
            name = routine_name(unit)
            raise BadInputError(
                f"{name}: a program can only start with main or a function of a module; slice a caller of it"
            )
        if unit.module.path != self.run.recording.program:
            raise BadInputError(f"{unit.name}: a program can only start with a function of its main module")
        writer, name = Writer(self.run), routine_name(unit)
        scheme = self.run.compiled.program.schemes.get(unit.name)
        kinds = _parameter_types(scheme.type if isinstance(scheme, Scheme) else None, unit.arity)
        try:
            shown = deep(
                lambda: [writer.value(ref, kinds[i]) for i, ref in shown_arguments(self.run.graph, call.reduction)]
            )
        except NotWritableError:
            raise BadInputError(f"{name}: an argument of this call cannot be written; slice a caller of it") from None
        head = name if name[0].isalpha() or name[0] == "_" else f"({name})"
        return call, " ".join([head, *(re.sub(r"\bundefined\b", MISSING, argument) for argument in shown)])

    def _check_calls(self, texts: dict[str, str], calls: list[tuple[Call, str]]) -> None:
        """Run each call, and compare the needed parts of its result."""
        path = self.run.recording.program
        name = self.run.unit(calls[0][0].reduction).module.name
        for call, source in calls:
            text = _defined(texts[path])
            program = load(path, f"{text}\n{_CALL} = {source}\n", self._finder(texts))
            result = self.run.result(call.reduction)

            def same(value: object, call: Call = call, result: Ref = result) -> bool:
                return deep(lambda: _agrees(self.run.graph, result, call.demand, value))

            if evaluate_to(program, f"{name}.{_CALL}", same, self._most, _SECONDS) is not True:
                raise BadInputError(f"what is left does not compute {self.run.call_text(call.reduction)} as it was")

    def _run_main(self, texts: dict[str, str]) -> None:
        recording = self.run.recording
        written, ended = self._execute(texts)
        if written != "".join(text for _, text in recording.trail.output) or ended.how != recording.outcome.how:
            raise BadInputError(f"what is left does not print what the program did: {ended.message or ended.how}")

    def _execute(self, texts: dict[str, str]) -> tuple[str, Outcome]:
        """Run the program; returns its output and how it ended."""
        path = self.run.recording.program
        program = load(path, _defined(texts[path]), self._finder(texts))
        pieces: list[str] = []
        lines = iter([text if text.endswith("\n") else f"{text}\n" for _, text in self.run.recording.trail.input])
        deadline = time.monotonic() + _SECONDS

        def stop() -> str:
            return "timeout" if time.monotonic() > deadline else ""

        compiled = compile_program(program)
        _, ended = run(compiled, pieces.append, lambda: next(lines, ""), stop, self._most)
        return "".join(pieces), ended

    @property
    def _most(self) -> int:
        """Reductions that a slice may make: as many as the program, and some for showing its value."""
        return 2 * len(self.run.recording.trail.redexes) + 100_000

    def _finder(self, texts: dict[str, str]) -> Find:
        names = self.run.recording.names

        def find(name: str) -> tuple[str, str] | None:
            return (names[name], _defined(texts[names[name]])) if name in names else None

        return find


def _defined(text: str) -> str:
    return text if MISSING not in text or f"{MISSING} ::" in text else text + _MISSING_DEFINITION


def _replacement(edit: Edit, text: str, level: int) -> str:
    """The replacement of a missing part: at higher levels with more of its type, at the highest the part itself."""
    if edit.type is None or not level:
        return edit.replacement
    if level == _WHOLE:
        return text[edit.start : edit.end]
    kind = _closed(edit.type, level)
    return f"({edit.replacement} :: {kind})" if kind else edit.replacement


def _closed(kind: Type, level: int) -> str:
    """The text of a type without variables; at level 2, `()` replaces them. Empty if it has some."""
    closed = _without_variables(kind, level)
    return show(closed) if closed is not None else ""


def _without_variables(kind: Type, level: int) -> Type | None:
    kind = prune(kind)
    if isinstance(kind, TAp):
        parts = _without_variables(kind.function, level), _without_variables(kind.argument, level)
        return TAp(parts[0], parts[1]) if parts[0] is not None and parts[1] is not None else None
    if isinstance(kind, TCon) and not kind.is_rigid:
        return kind
    return TCon("()") if level > 1 else None


def _definition_around(text: str, position: int) -> tuple[int, int]:
    """The extent of the top-level definition around a position."""
    starts = [match.start() for match in re.finditer(r"^(?=[^\s])", text, re.MULTILINE)]
    first = max((start for start in starts if start <= position), default=0)
    name = re.match(r"[\w']+", text[first:])
    while name and (above := max((start for start in starts if start < first), default=-1)) >= 0:
        if not re.match(rf"{re.escape(name[0])}\b", text[above:]):
            break
        first = above
    later = [start for start in starts if start > position]
    while later and name and re.match(rf"{re.escape(name[0])}\b", text[later[0] :]):
        later.pop(0)
    return first, later[0] if later else len(text)


def _parameter_types(kind: Type | None, count_: int) -> list[Type | None]:
    kinds: list[Type | None] = []
    for _ in range(count_):
        head, arguments = spine(kind) if kind is not None else (None, [])
        is_function = isinstance(head, TCon) and head.name == "->" and len(arguments) == 2
        kinds.append(arguments[0] if is_function else None)
        kind = arguments[1] if is_function else None
    return kinds


# Values


def _agrees(graph: Graph, ref: Ref, demand: Demand, other: object) -> bool:
    """Whether a value equals the recorded one in the needed parts; functions cannot be compared."""
    if demand.whole:
        return agrees(graph, ref, other, force) is not False
    value, result = graph.value(ref), force(other)
    if isinstance(value, Constant) and value.is_string:
        value = graph.listed(value)
    if not isinstance(value, Data):
        return agrees(graph, ref, result, force) is not False
    if value.info.tag != (int(result) if isinstance(result, bool) else result[0]):
        return False
    return all(_agrees(graph, value.fields[i], part, result[i + 1]) for i, part in demand.parts)


def _picked(graph: Graph, call: Call, source: str) -> str:
    """An expression for the needed parts of a call's result."""
    names: list[str] = []
    pattern = deep(lambda: _pattern(graph, graph.trail.redexes[call.reduction], call.demand, names))
    if pattern in names:
        return source
    parts = names[0] if len(names) == 1 else f"({', '.join(names)})"
    return f"case {source} of {pattern} -> {parts}"


def _forced(graph: Graph, call: Call, source: str) -> str:
    """An action that evaluates the needed parts of a call's result."""
    names: list[str] = []
    pattern = deep(lambda: _pattern(graph, graph.trail.redexes[call.reduction], call.demand, names))
    forced = "".join(f"{name} `seq` " for name in names)
    return f'case {source} of {pattern} -> {forced}putStrLn "evaluated"'


def _pattern(graph: Graph, ref: Ref, demand: Demand | None, names: list[str]) -> str:
    """A pattern with a variable for each part that is needed and completely evaluated."""
    value = graph.value(ref)
    if demand is None or isinstance(value, Unevaluated | Bottom | Function) or len(names) > _MOST_PARTS:
        return "_"
    if demand.whole and _is_complete(graph, ref):
        names.append(f"part{len(names) + 1}")
        return names[-1]
    if not isinstance(value, Data):
        return "_"
    parts = [_pattern(graph, field, demand.of_field(i), names) for i, field in enumerate(value.fields)]
    if value.info.name.startswith("(,"):
        return f"({', '.join(parts)})"
    name = value.info.short
    return f"({' '.join([f'({name})' if name.startswith(':') else name, *parts])})" if parts else name


def _is_complete(graph: Graph, ref: Ref) -> bool:
    """Whether a value is completely evaluated, and contains no functions."""
    pending: list[Ref] = [ref]
    while pending:
        value = graph.value(pending.pop())
        if isinstance(value, Data):
            pending += value.fields
        elif not isinstance(value, Constant):
            return False
    return True
