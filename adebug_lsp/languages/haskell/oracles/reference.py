"""Oracle that evaluates recorded calls in a reference version, known to be right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define, field

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.load import ModuleError, load
from adebug_lsp.languages.haskell.engine.machine import force
from adebug_lsp.languages.haskell.engine.program_execution import evaluate_to
from adebug_lsp.languages.haskell.questions.subject import HaskellSubject
from adebug_lsp.languages.haskell.reading.graph import Bottom, Constant, Data, Function, Graph, Ref, Unevaluated, deep
from adebug_lsp.languages.haskell.reading.run import qualified_name
from adebug_lsp.languages.haskell.reading.trail_text import shown_arguments
from adebug_lsp.languages.reference_tree import reference_tree
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.oracles.oracle import Opinion

_MOST_REDUCTIONS = 2_000_000
_SECONDS = 5.0


@define(eq=False)
class Reference:
    """Evaluates `f arguments` in the reference as far as the recorded result was needed, and compares."""

    subject: HaskellSubject
    folder: Path
    file: str | None
    """The file of the main module, if the reference is one file."""
    name: str = "reference"
    _known: dict[str, Opinion | None] = field(factory=dict)

    @classmethod
    @contextmanager
    def open(
        cls, spec: str, workspace: Path, subject: HaskellSubject, _problem: Callable[[str], None]
    ) -> Iterator[Reference]:
        """A reference by folder, file or revision."""
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
        """See `Oracle`: only calls of global functions are judged."""
        if question.facts.kind is not NodeKind.ROUTINE or question.zoomed:
            return None
        q = self.subject.reduction(question.node)
        unit = self.subject.run.unit(q)
        if unit.outer is not None or unit.is_io or unit.dicts or "~" in unit.name or unit.module.name != "Main":
            return None
        graph = self.subject.run.graph
        arguments = deep(lambda: [self._written(ref) for _, ref in shown_arguments(graph, q)])
        if any(text is None for text in arguments):
            return None
        call = " ".join([f"({qualified_name(unit)})", *(f"({text})" for text in arguments)])
        return self._judged(call, q)

    def _judged(self, call: str, q: int) -> Opinion | None:
        path, text = self._main()
        start = "adebugReferenceCall"
        try:
            program = load(path, f"{text}\n{start} = {call}\n", self._find)
        except ModuleError:
            return None  # the reference has no such function, or its type differs

        def compare(value: object) -> bool | None:
            return deep(lambda: _agrees(self.subject.run.graph, self.subject.run.result(q), value))

        agreed = evaluate_to(program, f"Main.{start}", compare, _MOST_REDUCTIONS, _SECONDS)
        if agreed is None:
            return None
        return Opinion(Judgement.YES if agreed else Judgement.NO, reason=f"the reference was asked for {call}")

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

    def _written(self, ref: Ref) -> str | None:
        """A value as Haskell source, `undefined` for what was not needed; None for functions."""
        graph = self.subject.run.graph
        value = graph.value(ref)
        match value:
            case Constant(is_string=True) | Constant(value=int() | float()):
                return self.subject.run.values.text(value)
            case Constant():
                return self.subject.run.values.text(value)
            case Unevaluated() | Bottom():
                return "undefined"
            case Function(target=target) if not value.arguments and not isinstance(target, c.ConstructorInfo | str):
                return f"({qualified_name(target)})" if target.outer is None else None
            case Data(info=info, fields=fields):
                parts = [self._written(part) for part in fields]
                if any(part is None for part in parts):
                    return None
                name = info.short if not info.short.startswith(":") else f"({info.short})"
                return " ".join([name, *(f"({part})" for part in parts)])
        return None


def _agrees(graph: Graph, ref: Ref, other: object) -> bool | None:
    """Whether a value of the reference agrees with a recorded one, as far as that was needed; None: cannot say."""
    value = graph.value(ref)
    if isinstance(value, Unevaluated):
        return True
    if isinstance(value, Function | Bottom):
        return None
    found = force(other)
    if isinstance(value, Constant) and not value.is_string:
        return bool(value.value == found)
    if isinstance(value, Constant):
        value = graph.listed(value)
    assert isinstance(value, Data)
    tag = int(found) if isinstance(found, bool) else found[0]
    if value.info.tag != tag:
        return False
    unsure = False
    for part, own in zip(value.fields, found[1:] if isinstance(found, tuple) else (), strict=False):
        agrees = _agrees(graph, part, own)
        if agrees is False:
            return False
        unsure = unsure or agrees is None
    return None if unsure else True
