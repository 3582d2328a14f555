"""Whether a failing test, or the call that its assertion checks, depends on nothing but the test itself.

`assert f(3) == 4` proves `f(3)` wrong. `assert f(g(3)) == 4` does not: `f` may be right and `g` wrong. Nor does it
where other code built the receiver or changed a global variable, where a constant of a module may be wrong, or where
the test has fixtures.
"""

from collections.abc import Sequence

from attrs import frozen

from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import STATEMENTS
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.values import Role

_ASSIGNMENTS = frozenset({"Assign", "AnnAssign", "AugAssign"})
_DROPPED = frozenset({"Assert", "Expr"})
"""Statements that discard the result of a call."""


@frozen
class Independence:
    """The dependences of one test, given its function and the position where the test began."""

    run: Run
    behaviours: BehaviourBuilder
    test: Span
    begun: int

    def of(self, judged: Span, call: int, beside: Sequence[int] = ()) -> bool:
        """Whether a call made by this expression has all its inputs from the test itself.

        The same must hold for the expressions beside it in the assertion.
        """
        return not self._reads_globals(judged) and self.is_given(judged, call, beside)

    def is_given(self, judged: Span, call: int, beside: Sequence[int] = ()) -> bool:
        """Whether no other call made the inputs of a call, global variables aside."""
        names = set[str]().union(*map(self._names, (call, *beside)))
        return not any(self._matters(other, judged, names) for other in self._earlier_calls(judged))

    def of_test(self) -> bool:
        """Whether the test has all its inputs from itself: no fixture, no set-up, no global variable."""
        before = [span for span in self._called_by_runner(self.test) if span.last < self.test.first]
        prepared = any(span.routine.kind != "module" for span in before)
        return not prepared and not self._reads_globals(self.test)

    def _reads_globals(self, span: Span) -> bool:
        return any(binding.role is Role.GLOBAL for binding in self.behaviours.call(span).before.bindings)

    def _called_by_runner(self, until: Span) -> list[Span]:
        """Spans called by the test runner before a position: fixtures and set-up."""
        tops = [self.run.spans[number] for number in self.run.tops]
        return [span for span in tops if self.begun <= span.first < until.first]

    def _earlier_calls(self, judged: Span) -> list[Span]:
        """Earlier calls made by code that the test runner called."""
        waiting = self._called_by_runner(judged)
        earlier: list[Span] = []
        while waiting:
            for number in self.run.children(waiting.pop().number):
                child = self.run.spans[number]
                if child.first < judged.first:
                    (waiting if child.activation != number else earlier).append(child)
        return [span for span in earlier if span.routine.kind != "module"]

    def _matters(self, other: Span, judged: Span, names: set[str]) -> bool:
        """Whether another call may have made a value that the judged one used."""
        if other.first < self.test.first or self._changed_something(other):
            return True
        records = [r for r in self.run.within(self.test) if r.position > other.last]
        if not records or records[0].position > judged.first:
            return True  # part of the same statement
        module = self.test.routine.module
        number = records[0].marker.node
        while number >= 0 and module.nodes[number].kind not in STATEMENTS:
            number = module.nodes[number].parent
        kind = module.nodes[number].kind if number >= 0 else ""
        if kind in _DROPPED or (kind == "For" and self._is_asserted(other, number)):
            return False
        return kind not in _ASSIGNMENTS or not names.isdisjoint(self._stored(number))

    def _is_asserted(self, other: Span, loop: int) -> bool:
        """Whether an assertion that held made a call right before an iteration of its loop."""
        before = [record for record in self.run.within(self.test) if record.position < other.first][-1:]
        asserts = before and before[0].marker.kind == "assert" and other.kind is NodeKind.ROUTINE
        return bool(asserts) and loop in self.test.routine.module.ancestors(before[0].marker.node)

    def _changed_something(self, other: Span) -> bool:
        """Whether a call changed an existing object or a global variable."""
        routines = {span.routine for span in self._during(other)}
        if any(routine.declared for routine in routines):
            return True
        words = self.run.recording.words[: other.first + 1]
        return any((words == number).any() for number in self.run.heap.written(other.first, other.last))

    def _during(self, span: Span) -> list[Span]:
        spans, waiting = [], [span]
        while waiting:
            spans.append(waiting.pop())
            waiting += [self.run.spans[number] for number in self.run.children(spans[-1].number)]
        return spans

    def _names(self, call: int) -> set[str]:
        """Variables that a call expression needs, directly or through assignments."""
        module = self.test.routine.module
        names = self._mentioned(call)
        statements = [n for n in module.inside(self.test.routine.node) if module.nodes[n].kind in STATEMENTS]
        for _ in range(len(statements)):
            more = set(names)
            for number in statements:
                if not names.isdisjoint(self._stored(number)):
                    more |= self._mentioned(number)
            if more == names:
                break
            names = more
        return names

    def _stored(self, number: int) -> set[str]:
        markers = self.test.routine.module.markers
        return {name for marker in markers if marker.node == number for name, _slot in marker.stores}

    def _mentioned(self, number: int) -> set[str]:
        """The names in an expression or a statement, without those in nested statements."""
        module, waiting, names = self.test.routine.module, [number], set[str]()
        while waiting:
            node = waiting.pop()
            if module.nodes[node].kind == "Name":
                names.add(module.nodes[node].extra)
            waiting += [child for child in module.children(node) if module.nodes[child].kind not in STATEMENTS]
        return names
