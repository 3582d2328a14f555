"""The failing test's assertion as an oracle: the call that it checks is wrong, and the expected value is known.

Understands `assert f(x) == 3`, `assertEqual(f(x), 3)`, `approx`, `assert f(x)`, `await` before the call,
`result = f(x)` before them, and `pytest.raises` around a call that did not raise. It abstains if several calls could be
meant.
"""

from collections.abc import Callable, Iterator, Sequence

from attrs import define, frozen

from adebug_lsp.languages.python.oracles.independence import Independence
from adebug_lsp.languages.python.questions.origins.assertions import (
    WITH,
    Failure,
    asserted_expression,
    calls_in_body,
    statement_on,
)
from adebug_lsp.languages.python.reading.recorded_values import Atom
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Module
from adebug_lsp.languages.python.reading.structure.run_structure import Test
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.model.answers import Judgement, Mark, MarkOf
from adebug_lsp.model.behaviour import Question
from adebug_lsp.oracles.oracle import Opinion


def read_failure(run: Run, test: Test) -> Failure | None:
    """The recorded failure of a test; None if it did not fail."""
    if test.failure is None:
        return None
    values, words = run.recording.values, run.recording.words
    message = values.atom(int(words[test.failure + 2]))
    frames = []
    for frame in values.items(int(words[test.failure + 3])):
        path, line = (values.atom(part) for part in values.items(frame))
        if isinstance(path, str) and isinstance(line, int):
            frames.append((path, line))
    return Failure(message if isinstance(message, str) else "", tuple(frames))


@frozen
class Judged:
    """A call that the assertion proves wrong, or that it cannot judge yet."""

    span: Span
    expected: str | None
    because: str
    judgement: Judgement = Judgement.NO
    mark: Mark | None = None
    """A mark on the outcome of a failed test, which leads the search to the call that made the checked value."""


@define(eq=False)
class AssertionOracle:
    """Answers questions about the test itself and the call that its assertion checks."""

    judged: tuple[Judged, ...]
    nodes: Sequence[int]
    """The node of the innermost judged call, where the search starts."""
    span_of: Callable[[Question], Span | None]
    name: str = "the failing test"

    def opinion(self, question: Question) -> Opinion | None:
        """See `Oracle`."""
        span = self.span_of(question)
        for judged in self.judged:
            if judged.span == span:
                return Opinion(judged.judgement, judged.because, judged.mark, judged.expected)
        return None


def judged_test(independence: Independence, failure: Failure) -> Judged:
    """The judgement of the test itself. A test with wrong inputs behaved correctly, so inputs are searched first."""
    because = f"it failed: {failure.message}"
    if independence.of_test():
        return Judged(independence.test, None, because, mark=Mark(MarkOf.RESULT))
    unsure = f"{because}; what it was given may be wrong"
    return Judged(independence.test, None, unsure, Judgement.UNKNOWN, Mark(MarkOf.RESULT))


def judged_cell(run: Run) -> Judged | None:
    """The judgement of the notebook cell whose exception ended the run; variables from earlier cells may be wrong."""
    last = run.spans[run.tops[-1]]
    if len(run.tops) < 2 or not last.raised or not last.routine.module.is_cell:
        return None
    unsure = "it raised the exception that ended the run; what it was given may be wrong"
    return Judged(last, None, unsure, Judgement.UNKNOWN, Mark(MarkOf.RESULT))


def judged_call(run: Run, independence: Independence, failure: Failure) -> Judged | None:
    """The call that the failed assertion checks, if nothing else can be wrong."""
    test = independence.test
    module = test.routine.module
    lines = [line for path, line in failure.frames if path.replace("\\", "/").endswith(module.path)]
    statement = statement_on(module, test.routine.node, lines[-1]) if lines else None
    if statement is None:
        return None
    because = f"line {lines[-1]}: {' '.join(module.text(statement).split())[:120]}"
    asserted = asserted_expression(module, statement)
    if asserted is None:
        return None
    subject, expected = asserted
    call = _call_for(run, test, statement, subject)
    if call is None or call[1].raised or not independence.of(call[1], call[0], _compared_expressions(module, subject)):
        return None
    return Judged(call[1], expected or _compared_with(run, test, statement, subject), because)


def _compared_expressions(module: Module, subject: int) -> list[int]:
    """The expressions that the checked expression is compared with."""
    around = module.nodes[subject].parent
    if around < 0 or module.nodes[around].kind not in ("Compare", "Call"):
        return []
    return [number for number in module.children(around) if number != subject]


def _compared_with(run: Run, test: Span, statement: int, subject: int) -> str | None:
    """The plain value of the variable that an expression should equal; None if there is none."""
    module, others = test.routine.module, _compared_expressions(test.routine.module, subject)
    equal = module.nodes[module.nodes[subject].parent].extra in (["Eq"], ["Is"])
    if module.nodes[statement].kind != "Assert" or not equal or len(others) != 1:
        return None
    name = module.nodes[others[0]].extra if module.nodes[others[0]].kind == "Name" else ""
    word = run.variables(test).at(name, test.last + 1)
    value = None if word is None else run.recording.values.value(word)
    return repr(value.value) if isinstance(value, Atom) else None


def _call_for(run: Run, test: Span, statement: int, subject: int) -> tuple[int, Span] | None:
    """The call expression that returned the checked value, and the recorded call."""
    module = test.routine.module
    node = module.nodes[subject]
    records = run.within(test)
    if node.kind == "Name":
        for index in reversed(range(len(records))):
            if any(name == node.extra for name, _ in records[index].marker.stores):
                values = module.children(records[index].marker.node)
                calls = [call for value in values if module.nodes[call := _awaited(module, value)].kind == "Call"]
                # What was awaited has records between the call and the assignment.
                start = records[index - 1].position if index and calls and calls[0] in values else test.first
                return _last_call(run, test, (start, records[index].position), calls[0]) if calls else None
        return None
    calls = calls_in_body(module, subject) if node.kind in WITH else [_awaited(module, subject)]
    if len(calls) != 1 or module.nodes[calls[0]].kind != "Call":
        return None
    marks = [r.position for r in records if r.marker.node == statement or r.marker.kind in ("with", "block")]
    start = marks[-1] if marks else test.first
    return _last_call(run, test, (start, test.last), calls[0])


def _awaited(module: Module, expression: int) -> int:
    """The expression behind `await`, or the expression itself."""
    return module.children(expression)[0] if module.nodes[expression].kind == "Await" else expression


def _last_call(run: Run, test: Span, during: tuple[int, int], call: int) -> tuple[int, Span] | None:
    """The last call of a function with the name in the call expression."""
    module = test.routine.module
    name = module.nodes[module.children(call)[0]].extra
    calls = [span for span in _calls_of(run, test.number) if during[0] <= span.first <= during[1]]
    named = [s for s in calls if name in (s.routine.name, s.routine.qualname.split(".")[0])]
    return (call, named[-1]) if named else None


def _calls_of(run: Run, number: int) -> Iterator[Span]:
    """Calls that an activation made itself, also in loops."""
    for child in run.children(number):
        if run.spans.activation[child] == child:
            yield run.spans[child]
        else:
            yield from _calls_of(run, child)
