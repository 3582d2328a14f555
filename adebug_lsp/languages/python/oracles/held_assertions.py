"""Assertions of the failing test that held: the calls that they judge are right.

`assert f(3) == 4` that held proves that `f(3)` returned the right value. This is sure if the whole result alone was
compared with a literal, and the call changed nothing and used no other calls; otherwise it is only likely.
"""

from collections.abc import Callable, Iterator

from attrs import define

from adebug_lsp.languages.python.oracles.independence import Independence
from adebug_lsp.languages.python.questions.origins.assertions import asserted_expression, calls_in
from adebug_lsp.languages.python.questions.origins.evaluations import Evaluations
from adebug_lsp.languages.python.questions.origins.parts import Evaluation
from adebug_lsp.languages.python.reading.recorded_values import Atom, Object, TupleLike
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import Module
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.oracles.oracle import Opinion

_COMPARED_BY_CONTENT = ("list", "dict", "set", "tuple")
_WHOLE = ("assertEqual", "assertEquals", "assertIs", "assertListEqual", "assertDictEqual")


@define(eq=False)
class HeldAssertions:
    """Answers "yes" for calls that the test made itself before it failed."""

    independence: Independence
    evaluations: Evaluations
    span_of: Callable[[Question], Span | None]
    name: str = "the failing test"

    @property
    def _run(self) -> Run:
        return self.independence.run

    @property
    def _test(self) -> Span:
        return self.independence.test

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        span = self.span_of(question)
        if span is None or span.raised or span.kind is not NodeKind.ROUTINE or not self._is_made_by_test(span):
            return None
        for record in self._around(span):
            statement = record.marker.node
            asserted = asserted_expression(record.marker.module, statement)
            if asserted is None or record.marker.module.nodes[asserted[0]].kind != "Call":
                continue
            site = Evaluation(self._test.number, asserted[0], record.position)
            if self.evaluations.call(site) == span:
                line = record.marker.module.location(statement).range.start.line + 1
                text = " ".join(record.marker.module.text(statement).split())[:120]
                sure = self._is_sure(span, site, asserted[1])
                return Opinion(Judgement.YES, f"line {line} held: {text}", sure=sure)
        return None

    def _is_made_by_test(self, span: Span) -> bool:
        return span.parent >= 0 and self._run.spans.activation[span.parent] == self._test.number

    def _around(self, span: Span) -> Iterator[Record]:
        """Records of completed statements that the call can belong to: an `assert` before it, any after it."""
        own = self._run.own(self._test)
        index = int(own.searchsorted(span.first))
        before = self._run.record(int(own[index - 1])) if index else None
        after = self._run.record(int(own[index])) if index < len(own) else None
        if after is None or after.marker.kind == "raised":
            return
        if before is not None and before.marker.kind == "assert":
            yield before
        if after.marker.kind == "statement":
            yield after

    def _is_sure(self, span: Span, site: Evaluation, expected: str | None) -> bool:
        """Whether an assertion proves a call right: it compares the whole result, and nothing else has a part in it."""
        module, returned = self.evaluations.module(site), self.evaluations.returned(span)
        if expected is None or returned is None or not _is_whole(module, site.node):
            return False
        value = self._run.recording.values.value(returned[1])
        by_content = isinstance(value, Object) and value.type.name in _COMPARED_BY_CONTENT
        if not (by_content or isinstance(value, Atom | TupleLike)):
            return False
        has_effects = bool(self.independence.behaviours.call(span).after.bindings)
        is_alone = calls_in(module, site.node) == [site.node]
        return is_alone and not has_effects and self.independence.is_given(span, site.node)


def _is_whole(module: Module, number: int) -> bool:
    """Whether an assertion compares the whole of an expression, exactly."""
    around = module.nodes[module.nodes[number].parent]
    if around.kind == "Compare":
        beside = module.children(module.nodes[number].parent)
        return around.extra in (["Eq"], ["Is"]) and all(n == number or not calls_in(module, n) for n in beside)
    function = module.children(module.nodes[number].parent)[0] if around.kind == "Call" else number
    return module.nodes[function].extra in _WHOLE
