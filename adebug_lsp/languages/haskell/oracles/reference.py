"""A reference version as an oracle: evaluates recorded calls and expressions in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path

from attrs import define, evolve, field, frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.compiler import IO_RESULT
from adebug_lsp.languages.haskell.engine.load import ModuleError, load
from adebug_lsp.languages.haskell.engine.machine import force
from adebug_lsp.languages.haskell.engine.program_execution import evaluate_to
from adebug_lsp.languages.haskell.engine.units import MOST_SITES, SITE_BITS, Unit
from adebug_lsp.languages.haskell.oracles.agreement import all_agree, items
from adebug_lsp.languages.haskell.oracles.scopes import Level, levels_at
from adebug_lsp.languages.haskell.oracles.source_alignment import Alignment, align
from adebug_lsp.languages.haskell.oracles.written_values import (
    NotWritableError,
    Writer,
    argument_types,
    dictionary_type,
    expression_type,
    newtype_of,
)
from adebug_lsp.languages.haskell.questions.inner import InnerSubject
from adebug_lsp.languages.haskell.questions.subject import HaskellSubject
from adebug_lsp.languages.haskell.reading.graph import Data, Function, Ref, Unevaluated, deep
from adebug_lsp.languages.haskell.reading.run import routine_name
from adebug_lsp.languages.haskell.reading.trail_text import shown_arguments
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.parser import parse
from adebug_lsp.languages.haskell.types.types import Scheme, TCon, TGen, Type, replace, show
from adebug_lsp.languages.reference_tree import reference_tree
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.oracles.oracle import Opinion

_MOST_REDUCTIONS = 2_000_000
_SECONDS = 5.0
_START = "adebugReferenceCall"
_MOST_APPLICATIONS = 200


@frozen
class Call:
    """An expression to evaluate in the reference."""

    text: str
    levels: list[tuple[list[str], list[str]]]
    """The definitions in scope, values and local functions, outermost first."""
    constant: str
    """The definition that the call is about: a constant, whose recorded value may be wrong."""

    def source(self) -> str:
        """The definition of the call with everything in scope; local functions keep the reference's layout."""
        lines = [f"{_START} ="]
        for values, functions in self.levels:
            if values:
                lines.append(f" let {{ {'; '.join(values)} }} in")
            if functions:
                lines += [" let", *functions, " in"]
        return "\n".join([*lines, f" {self.text}"])


@define(eq=False)
class Reference:
    """Evaluates `f arguments`, or an expression with its variables, in the reference, as far as the recorded result was
    evaluated, and compares.
    """

    subject: HaskellSubject
    folder: Path
    file: str | None
    """The file of the main module, if the reference is one file."""
    name: str = "reference"
    _known: dict[tuple[str, str], Judgement | None] = field(factory=dict)
    _bases: dict[str, str] = field(factory=dict)
    _judging: set[int] = field(factory=set)

    @classmethod
    @contextmanager
    def open(
        cls, spec: str, workspace: Path, subject: HaskellSubject, _problem: Callable[[str], None]
    ) -> Iterator[Reference]:
        """Open a reference: a folder, a file or a revision."""
        with reference_tree(spec, workspace) as (folder, file):
            oracle = cls(subject, folder, file)
            oracle.check()
            yield oracle

    def check(self) -> None:
        """Raise `BadInputError` for a reference that cannot be loaded."""
        try:
            load(*self._main(), self._find)
        except ModuleError as problem:
            raise BadInputError(f"the reference has an error: {problem.place}: {problem.message}") from None

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        try:
            if not question.zoomed:
                return deep(lambda: self._of_call(question))
            return deep(lambda: self._of_expression(question))
        except NotWritableError:
            return None

    # Calls

    def _of_call(self, question: Question) -> Opinion | None:
        """The opinion on a call."""
        if question.facts.kind not in (NodeKind.ROUTINE, NodeKind.LAMBDA):
            return None
        q = self.subject.reduction(question.node)
        unit = self.subject.run.unit(q)
        if unit.is_io or not self._is_main(unit):
            return None
        judgement = self._of_reduction(q, unit)
        return Opinion(judgement, reason="the reference was asked") if judgement is not None else None

    def _of_reduction(self, q: int, unit: Unit) -> Judgement | None:
        """The judgement of a reduction: its call is evaluated in the reference."""
        scheme = self._scheme(unit)
        kinds, result = argument_types(self._type(unit, scheme, q), unit.arity)
        arguments = [self._writer.value(ref, kinds[i]) for i, ref in shown_arguments(self.subject.run.graph, q)]
        head = self._head(unit, scheme, q)
        if head is None:
            return None
        call = Call(" ".join([head, *arguments]), self._levels(unit, unit.span, q), _outermost(unit).name)
        return self._judged(call, self.subject.run.result(q), result)

    def _head(self, unit: Unit, scheme: Scheme | None, q: int) -> str | None:
        """The function of a call as source."""
        if unit.is_lambda:
            return f"({self._reference_text(unit.span)})"
        name = routine_name(unit)
        name = f"({name})" if not (name[0].isalpha() or name[0] == "_") else name
        is_method = "~" in unit.name and unit.outer is None
        if scheme is None or not (is_method or unit.dicts):
            return None if is_method else name
        kind = self._type(unit, scheme, q)
        return f"({name} :: {show(kind)})" if kind is not None else None if is_method else name

    def _scheme(self, unit: Unit) -> Scheme | None:
        scheme = self.subject.run.compiled.program.schemes.get(unit.name)
        return scheme if isinstance(scheme, Scheme) else None

    def _type(self, unit: Unit, scheme: Scheme | None, q: int) -> Type | None:
        """The type at which an overloaded function was called, by its dictionaries."""
        if scheme is None:
            return None
        types: list[Type] = [TCon(f"t{i}", is_rigid=True) for i in range(scheme.count)]
        arguments = self.subject.run.graph.arguments(q)[len(unit.captured) :]
        for (_, kind), dictionary in zip(scheme.context, arguments, strict=False):
            known = dictionary_type(dictionary)
            if not isinstance(kind, TGen) or known is None:
                return None
            types[kind.number] = known
        return replace(scheme.type, types)

    # Expressions

    def _of_expression(self, question: Question) -> Opinion | None:
        """The opinion on an expression inside a reduction."""
        node, inner = question.zoomed[0], self.subject.inside(question.zoomed[0])
        if len(question.zoomed) > 1 or not isinstance(inner, InnerSubject):
            return None
        item, q = inner.items[question.node], self.subject.reduction(node)
        unit = self.subject.run.unit(q)
        if item is None or not self._is_main(unit) or self._is_action(item.ref):
            return None
        text = self._reference_text(item.span)
        if item.head is not None:
            text = f"let\n{text}\n in {self._reference_text(item.head).strip()}"
        call = Call(f"({text})", self._levels(unit, item.span, q), _outermost(unit).name)
        judgement = self._judged(call, item.ref, expression_type(item.expression, self.subject.run))
        return Opinion(judgement, reason="the reference was asked") if judgement is not None else None

    def _is_action(self, ref: Ref) -> bool:
        value = self.subject.run.graph.value(ref)
        return isinstance(value, Data) and value.info is IO_RESULT

    def _levels(self, unit: Unit, place: t.Span, q: int) -> list[tuple[list[str], list[str]]]:
        """The definitions in scope: values as recorded, local functions as in the reference."""
        return [
            (self._values(level, unit, q), [self._reference_text(bind.span) for bind in level.functions])
            for level in levels_at(_outermost(unit).expression, place)
        ]

    def _values(self, level: Level, unit: Unit, q: int) -> list[str]:
        names = {name: c.short(name) for name in level.names}
        return [f"{short} = {self._variable(name, unit, q)}" for name, short in names.items() if _is_plain(short)]

    def _variable(self, name: str, unit: Unit, q: int) -> str:
        """A variable's recorded value as source; `undefined` if it cannot be written."""
        graph = self.subject.run.graph
        if name not in unit.captured and name not in unit.binders:
            return "undefined"
        ref = graph.arguments(q)[unit.captured.index(name)] if name in unit.captured else graph.variable(name, q)
        try:
            return self._writer.value(ref, self._local_type(unit, name))
        except NotWritableError:
            return "undefined"

    def _local_type(self, unit: Unit, name: str) -> Type | None:
        kind = unit.module.local_types.get(name)
        return kind.type if isinstance(kind, Scheme) else kind

    def _reference_text(self, span: t.Span) -> str:
        """The reference's text in place of a span, at its column; the span's own text if there is none."""
        _, text = self._main()
        aligned = self._alignment.span(span)
        if aligned is None:
            text, aligned = self._own_text, span
        start = text.rfind("\n", 0, aligned[0]) + 1
        return " " * (aligned[0] - start) + text[aligned[0] : aligned[1]]

    # Evaluation

    def _judged(self, call: Call, result: Ref, kind: Type | None) -> Judgement | None:
        value = self.subject.run.graph.value(result)
        return (
            self._judged_function(call, value, kind) if isinstance(value, Function) else self._evaluated(call, [result])
        )

    def _judged_function(self, call: Call, value: Function, kind: Type | None) -> Judgement | None:
        """A function is right if all its recorded applications are, or if one failed in a call that is asked about.

        The calls of an application are not below the node that returned the function, but below the one that applied
        it.
        """
        wrapper = newtype_of(self.subject.run, kind)
        if wrapper is not None:
            info, kind = wrapper
            call = evolve(call, text=f"(case {call.text} of {{ {info.short} adebugInside -> adebugInside }})")
        applications = self.subject.run.values.applications(value) if isinstance(value.target, Unit) else []
        if not applications or len(applications) > _MOST_APPLICATIONS:
            return None
        if any(self.subject.run.unit(q).is_io for q in applications):
            return None
        written = [self._applied(call.text, value, q, kind) for q in applications]
        results = [self.subject.run.result(q) for q in applications]
        judgement = self._evaluated(evolve(call, text=f"[{', '.join(written)}]"), results, is_list=True)
        if judgement is Judgement.NO and any(self._is_wrong_inside(q) for q in applications):
            return Judgement.YES
        return judgement

    def _applied(self, function: str, value: Function, q: int, kind: Type | None) -> str:
        arguments = self._writer.applied(value, q)
        kinds, _ = argument_types(kind, len(arguments))
        return " ".join([function, *(self._writer.value(a, kind) for a, kind in zip(arguments, kinds, strict=True))])

    def _is_wrong_inside(self, q: int) -> bool:
        """Whether an application, or a call that it made, is itself wrong."""
        if q in self._judging:
            return False
        unit = self.subject.run.unit(q)
        if q not in self.subject.nodes:
            return any(self._is_wrong_inside(child) for child in self._made_by.get(q, ()))
        self._judging.add(q)
        try:
            return self._of_reduction(q, unit) is Judgement.NO
        except NotWritableError:
            return False
        finally:
            self._judging.discard(q)

    @cached_property
    def _made_by(self) -> dict[int, list[int]]:
        """Reductions grouped by the reduction whose body created their redex."""
        made: dict[int, list[int]] = defaultdict(list)
        for q, redex in enumerate(self.subject.run.recording.trail.redexes):
            if redex >> SITE_BITS > 0:
                made[redex >> SITE_BITS].append(q)
        return made

    def _evaluated(self, call: Call, results: list[Ref], is_list: bool = False) -> Judgement | None:
        """Whether the call gives this result in the reference; for a list, whether every item is one of the results."""
        graph = self.subject.run.graph
        if any(isinstance(graph.value(result), Unevaluated) for result in results):
            return None
        key = call.source(), "; ".join(map(self.subject.run.values.text, results))
        if key in self._known:
            return self._known[key]
        try:
            path, _ = self._main()
            program = load(path, f"{self._given_constants(call.constant)}\n{call.source()}\n", self._find)
        except ModuleError:
            return None  # the reference has no such function, or its type differs

        def compare(value: object) -> bool | None:
            return deep(lambda: all_agree(graph, results, items(value, force) if is_list else [value], force))

        try:
            agreed = evaluate_to(program, f"{self._module}.{_START}", compare, _MOST_REDUCTIONS, _SECONDS)
        except BadInputError:
            return None  # a recorded function is too large to be written down
        judgement = None if agreed is None else Judgement.YES if agreed else Judgement.NO
        self._known[key] = judgement
        return judgement

    def _given_constants(self, own: str) -> str:
        """The reference with constants as recorded, except one; their own questions are below `main`."""
        if own not in self._bases:
            _, text = self._main()
            for name, value in self._constants.items():
                if f"{self._module}.{name}" != own:
                    text = _with_constant(text, name, value)
            self._bases[own] = text
        return self._bases[own]

    @cached_property
    def _constants(self) -> dict[str, str]:
        """Constants of the user, written down, by name."""
        run, constants = self.subject.run, {}
        for number, unit in enumerate(run.compiled.constant_units):
            if unit is None or unit.trusted or unit.generated or unit.is_io or unit.dicts or "~" in unit.name:
                continue
            scheme = self._scheme(unit)
            ref = MOST_SITES + number
            if self._is_main(unit) and not isinstance(run.graph.value(ref), Unevaluated) and scheme is not None:
                with suppress(NotWritableError):
                    constants[routine_name(unit)] = self._writer.value(ref, scheme.type)
        return constants

    # Sources

    @cached_property
    def _writer(self) -> Writer:
        return Writer(self.subject.run)

    @cached_property
    def _own_text(self) -> str:
        return self.subject.run.recording.sources[self.subject.run.recording.program]

    @cached_property
    def _alignment(self) -> Alignment:
        return align(parse(self._own_text), parse(self._main()[1]))

    def _is_main(self, unit: Unit) -> bool:
        """Whether a unit belongs to the main module; names of others would have to be imported."""
        return unit.module.path == self.subject.run.recording.program

    @cached_property
    def _module(self) -> str:
        return parse(self._main()[1]).name

    def _main(self) -> tuple[str, str]:
        program = self.subject.run.recording.program
        file = self.folder / (self.file or program)
        if not file.is_file():
            raise BadInputError(f"the reference has no {program}: it must be laid out like the workspace")
        return program, file.read_text(encoding="utf-8").replace("\r\n", "\n")

    def _find(self, name: str) -> tuple[str, str] | None:
        path = self.subject.run.recording.names.get(name)
        file = self.folder / path if path is not None else None
        if file is None or not file.is_file():
            return None
        return str(path), file.read_text(encoding="utf-8").replace("\r\n", "\n")


def _outermost(unit: Unit) -> Unit:
    while unit.outer is not None:
        unit = unit.outer
    return unit


def _with_constant(text: str, name: str, value: str) -> str:
    """A module with another definition of a constant; unchanged if it defines no such constant."""
    equations = [equation for equation in parse(text).declarations if isinstance(equation, t.Equation)]
    own = [equation for equation in equations if isinstance(equation.left, t.Var) and equation.left.name == name]
    if len(own) != 1:
        return text
    start, end = own[0].span
    return f"{text[:start]}{name} = {value}{text[end:]}"


def _is_plain(name: str) -> bool:
    """Whether a name comes from the user's source and not from the compiler."""
    return name[0].isalpha() and name not in ("pattern", "scrutinee", "field")
