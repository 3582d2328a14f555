"""The origin of a marked value as a node of the tree: the call that made it, or the last one that handed it on."""

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import PurePath

import numpy as np
from attrs import define, evolve, field

from adebug_lsp.languages.python.questions.dependences.needed_nodes import NeededNodes, criterion_of
from adebug_lsp.languages.python.questions.dependences.nodes import Executed, Node
from adebug_lsp.languages.python.questions.dependences.run_graph import RunGraph
from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.questions.describe.expression_text import names_read
from adebug_lsp.languages.python.questions.origins.assertions import WITH, Failure, checked_expressions, is_of_mock
from adebug_lsp.languages.python.questions.origins.parts import (
    Attribute,
    Evaluation,
    Index,
    Item,
    Step,
    TracedPart,
)
from adebug_lsp.languages.python.questions.origins.value_flow import ValueFlow
from adebug_lsp.languages.python.reading.recorded_values import Object
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.reading.structure.stopped_loops import was_stopped
from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.kinds import LOOP_KINDS, NodeKind
from adebug_lsp.model.source import Location
from adebug_lsp.model.values import Key
from adebug_lsp.slicing.dependence_contract import Stage, Trace
from adebug_lsp.slicing.provenance import Certainty, HandOver, Origin, find_origin
from adebug_lsp.tree.columns import ExecutionTree, Ints

_MOST_EXPLAINED = 6
"""Hand-overs that an explanation lists."""
_RANGES = [NodeKind.ITERATION_RANGE, NodeKind.PROJECTION]
_MOST_IN_BLOCK = 100
"""Records at the end of a `with` block that are searched for its last call."""
_HOW_SURE = {Certainty.EXACT: "", Certainty.DERIVED: "most likely ", Certainty.UNKNOWN: "as far as can be traced, "}


@define(eq=False)
class PythonDependences:
    """`Dependences` over the tree of one subject."""

    run: Run
    behaviours: BehaviourBuilder
    tree: ExecutionTree
    span: Callable[[int], Span]
    failure: Failure | None = None
    """The failure of the test."""
    flow: ValueFlow = field(init=False)
    _traces: dict[tuple[int, Mark], Trace | None] = field(factory=dict)
    """A cache of followed marks, because undo follows them again."""

    def __attrs_post_init__(self) -> None:
        self.flow = ValueFlow(self.run, self.behaviours.global_variables)

    @cached_property
    def graph(self) -> RunGraph:
        """The dependence graph of the run."""
        return RunGraph(self.flow)

    @cached_property
    def _needed(self) -> NeededNodes:
        return NeededNodes(self.graph, self.tree)

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`."""
        if (node, mark) not in self._traces:
            trace = self._traced(node, mark)
            self._traces[node, mark] = trace if trace is None else evolve(trace, needed=self.needed(node, mark))
        return self._traces[node, mark]

    def needed(self, node: int, mark: Mark) -> Ints | None:
        """The nodes that a marked part depends on; for a failure, on all that was compared; None if not known."""
        if mark.of is MarkOf.CALL or self.run.by_calls:
            return None
        origin = self.origin(node, mark)
        criterion: list[Node] = []
        if origin is not None:
            word, moment = self.flow.part_word(origin.part), int(self.tree.last[node])
            criterion += criterion_of(self.graph, origin, word, moment)
        raised = self.behaviours.outcome(self.span(node))[1] if mark == Mark(MarkOf.RESULT) else None
        if raised is not None:
            criterion += self._failed(self._raising(self.span(node), raised))
        return self._needed.of(criterion) if criterion else None

    def _failed(self, activation: Span) -> list[Node]:
        """A failed statement's dependences: all that an assertion evaluated, or all variables of another statement."""
        own = self.run.own(activation)
        if not len(own):
            return []
        failed, since = self._failed_statement(activation), int(own[-2]) if len(own) > 1 else activation.first
        called = self._called_since(activation, since)
        if failed is not None:
            return [failed, *called]
        last = self.run.record(int(own[-1]))
        read = names_read(activation.routine.module, activation.routine.module.inside(activation.routine.node))
        variables = (self.graph.variable(activation.number, name, last.position + 1) for name in read)
        executed = Executed(activation.number, last.marker.node, last.position)
        return [executed, *called, *(node for nodes in variables for node in nodes or ())]

    def _called_since(self, activation: Span, position: int) -> Iterator[Node]:
        """The results of calls in a failed statement, whose own record may precede them."""
        for call in self.flow.evaluations.calls(activation.number, position, activation.last):
            yield from (edge.on for edge in self.graph.returned(call))
            main = [place for place in self.run.own(call)[:-1].tolist() if call.raised]
            if main:
                last = self.run.record(main[-1])
                yield Executed(call.number, last.marker.node, last.position)

    def _traced(self, node: int, mark: Mark) -> Trace | None:
        """The trace of a mark, uncached."""
        if mark.of is MarkOf.CALL:
            return self._trace(node, self.span(node).first - 1, "")
        if mark == Mark(MarkOf.RESULT) and (of_mock := self._before_mock(node)) is not None:
            return of_mock
        origin = self.origin(node, mark)
        if origin is None:
            return self._raised(node) if mark == Mark(MarkOf.RESULT) else None
        chosen = self._maker(node, origin) if mark.in_outcome else self._before(node, origin)
        moment = max(origin.part.evaluation.position, int(self.tree.first[chosen]))
        return self._trace(chosen, moment, self.explain(origin), origin)

    def _raised(self, node: int) -> Trace | None:
        """For an exception that code outside of the recording raised: the innermost call that it ended."""
        raised = self.behaviours.outcome(self.span(node))[1]
        if raised is None or was_stopped(self.run.recording):
            return None
        activation = self._raising(self.span(node), raised)
        inside = np.flatnonzero((self.tree.first >= activation.first) & (self.tree.first <= activation.last))
        if not len(inside):
            return None
        text = activation.routine.qualname or activation.routine.module.name
        return self._trace(int(inside[0]), activation.last, f"raised in {text}")

    def _maker(self, node: int, origin: Origin[TracedPart]) -> int:
        """For a wrong outcome: the node that made the value, or the last one inside that handed it on."""
        above = {node, *self.tree.ancestors(node)}
        maker = self._node_of(origin.part.evaluation)
        if maker not in above:
            return self._outermost_of_call(maker, above)
        inside = (n for step in origin.path if (n := self._handed_on(step)) != node and self.tree.contains(node, n))
        return next(inside, node)

    def _outermost_of_call(self, node: int, above: set[int]) -> int:
        """The call around an iteration or loop, which is easier to judge, unless that call is known to be wrong."""
        call = next((n for n in (node, *self.tree.ancestors(node)) if self.tree.kind[n] not in LOOP_KINDS), node)
        return node if call in above else call

    def origin(self, node: int, mark: Mark) -> Origin[TracedPart] | None:
        """The origin of the marked part of a node's behaviour; None if there is no such part."""
        part = self.marked(self.span(node), mark, self._end(node))
        return None if part is None else find_origin(part, self.flow.source)

    def stages(self, origin: Origin[TracedPart]) -> tuple[Stage, ...]:
        """The expression that made a value, and each that handed it on, in order."""
        handed_on = (Stage(step.how, self._location(step.part.evaluation)) for step in origin.path[::-1])
        return (Stage(origin.why, self._location(origin.part.evaluation)), *handed_on)

    def _location(self, evaluation: Evaluation) -> Location | None:
        return self.flow.evaluations.module(evaluation).location(evaluation.node) if evaluation.node >= 0 else None

    def explain(self, origin: Origin[TracedPart]) -> str:
        """How a value was made and handed on, as the end of a sentence."""
        made = self._location(origin.part.evaluation)
        module = self.flow.evaluations.module(origin.part.evaluation)
        place = f"{PurePath(module.path).name}:{made.range.start.line + 1}" if made is not None else module.name
        steps = [step.how for step in origin.path[::-1]]
        if len(steps) > _MOST_EXPLAINED:
            steps[2:-2] = [f"handed on {len(steps) - 4} more times"]
        return f"{_HOW_SURE[origin.certainty]}{', then '.join([f'{origin.why} at {place}', *steps])}"

    def _trace(self, node: int, moment: int, explanation: str, origin: Origin[TracedPart] | None = None) -> Trace:
        earlier = np.flatnonzero(self.tree.first <= moment)
        influencers = frozenset({node, *earlier.tolist()})
        if origin is None:
            return Trace(node, influencers, explanation)
        return Trace(node, influencers, explanation, self.stages(origin), origin.certainty)

    def _handed_on(self, step: HandOver[TracedPart]) -> int:
        return self._node_of(step.part.evaluation)

    def _before(self, node: int, origin: Origin[TracedPart]) -> int:
        """For a wrong argument: the maker, or the last node outside of the call that handed the value on."""
        places = [self._node_of(origin.part.evaluation), *map(self._handed_on, origin.path[::-1])]
        above = {node, *self.tree.ancestors(node)}
        return next((n for n in places if n not in above), places[0] if places else node)

    def _node_of(self, evaluation: Evaluation) -> int:
        """The innermost node that executed an evaluation; a range executes nothing itself."""
        tree, position = self.tree, evaluation.position
        first = self.run.spans.first[evaluation.activation]
        has_code = ~np.isin(tree.kind, _RANGES)
        inside = np.flatnonzero(has_code & (tree.first <= position) & (tree.last >= position) & (tree.first >= first))
        return int(inside[-1]) if len(inside) else 0

    # The marked part

    def _end(self, node: int) -> int:
        return int(self.tree.last[node]) + 1

    def marked(self, span: Span, mark: Mark, moment: int) -> TracedPart | None:
        """The marked part of a span's outcome at a moment."""
        if mark.of is MarkOf.RESULT:
            return self._in_result(span, mark.path, moment)
        if not mark.path:
            return None
        name, path = str(mark.path[0]), mark.path[1:]
        if mark.of is MarkOf.AFTER:
            return self._in_variable(span, name, path, moment)
        return self._in_argument(span, name, path)

    def _in_result(self, span: Span, path: tuple[Key, ...], moment: int) -> TracedPart | None:
        """The marked part of a call's result or exception."""
        returned = self.flow.evaluations.returned(span)
        if returned is not None:
            return self.part_of(returned[0], returned[1], path, moment)
        raised = self.behaviours.outcome(span)[1]
        if raised is None:
            return None
        checked = None if path else self._checked(span, raised)
        raising = self.flow.raised(raised, moment)
        return checked or (None if raising is None else self.part_of(raising, raised, path, moment))

    def _checked(self, span: Span, raised: int) -> TracedPart | None:
        """The checked value of a failed assertion, or the part that differs from the expected value.

        Of the compared values, the checked one was returned by a call.
        """
        failed = self._failed_statement(self._raising(span, raised))
        if failed is None:
            return None
        compared = checked_expressions(self.flow.evaluations.module(failed), failed.node)
        failed = evolve(failed, position=self._evaluated(failed, compared))
        parts = [self._compared(evolve(failed, node=number), compared) for number in compared]
        made = (part for part in parts if self._is_made_inside(part, failed.activation))
        return next(made, parts[0] if parts else None)

    def _failed_statement(self, activation: Span) -> Evaluation | None:
        """The assertion that an exception ended, even without a record."""
        own = self.run.own(activation)
        record = self.run.record(int(own[-2])) if len(own) > 1 else None
        if record is not None and record.marker.kind == "assert":
            return Evaluation(activation.number, record.marker.node, record.position)
        statement = None if self.failure is None else self.failure.statement(activation.routine)
        if statement is None or not len(own):
            return None
        return Evaluation(activation.number, statement, int(own[-1]))

    def _evaluated(self, failed: Evaluation, compared: list[int]) -> int:
        """The position of a checked expression's record; in a `with` block, its statement ended before the assert."""
        records = reversed(self.run.within(self.run.spans[failed.activation])[-_MOST_IN_BLOCK:])
        in_block = self.flow.evaluations.syntax(failed).kind in WITH
        positions = (record.position for record in records if in_block and set(compared) & set(record.marker.slots))
        return next(positions, failed.position)

    def _compared(self, checked: Evaluation, compared: list[int]) -> TracedPart:
        """The differing part of one of two compared values."""
        others = [evolve(checked, node=number) for number in compared if number != checked.node]
        values = [self.flow.evaluations.value(evaluation) for evaluation in (checked, *others)]
        if len(values) != 2 or values[0] is None or values[1] is None:
            return TracedPart(checked)
        return TracedPart(checked, self.flow.evaluations.difference(values[0][0], values[1][0], checked.position))

    def _is_made_inside(self, part: TracedPart, activation: int) -> bool:
        """Whether a part was made by a call of the failed code or of its callers."""
        made = find_origin(part, self.flow.source).part.evaluation.activation
        spans = self.run.spans
        around = [activation]
        while spans.parent[around[-1]] >= 0:
            around.append(spans.activation[spans.parent[around[-1]]])
        return made not in around

    def _before_mock(self, node: int) -> Trace | None:
        """For a failed assertion on a mock's calls: the last call before it, which should have called the mock."""
        span = self.span(node)
        raised = self.behaviours.outcome(span)[1]
        failed = None if raised is None else self._failed_statement(self._raising(span, raised))
        if failed is None or not is_of_mock(self.flow.evaluations.module(failed), failed.node):
            return None
        calls = self.flow.evaluations.calls(failed.activation, self.run.spans.first[failed.activation], failed.position)
        if not calls:
            return None
        maker = self._node_of(Evaluation(calls[-1].number, -1, calls[-1].first))
        return self._trace(maker, calls[-1].last, f"called before `{self.flow.evaluations.text(failed)}`")

    def _raising(self, span: Span, raised: int) -> Span:
        """The innermost activation that an exception ended."""
        while True:
            last = [s for s in self.flow.evaluations.calls(span.activation, span.first, span.last) if s.raised][-1:]
            if not last or self.behaviours.outcome(last[0])[1] != raised:
                return self.run.spans[span.activation]
            span = last[0]

    def _in_argument(self, span: Span, name: str, path: tuple[Key, ...]) -> TracedPart | None:
        records = self.run.summary(span, span.first, span.last)
        arguments = self.behaviours.arguments(span, records)
        named = dict(arguments) | {str(index): word for index, (_, word) in enumerate(arguments)}
        names = {name: name for name, _ in arguments} | {str(i): name for i, (name, _) in enumerate(arguments)}
        return self._in_variable(span, names.get(name, name), path, span.first + 1, named.get(name))

    def _in_variable(
        self, span: Span, name: str, path: tuple[Key, ...], moment: int, word: int | None = None
    ) -> TracedPart | None:
        """A part of a variable at a moment."""
        activation = self.run.spans[span.activation]
        variable = self.flow.evaluations.variable(activation, name, moment)
        if variable is None:
            return None
        held = int(self.run.recording.words[variable.place]) if word is None else word
        return self.part_of(variable, held, path, moment)

    def part_of(self, evaluation: Evaluation, word: int, path: tuple[Key, ...], moment: int) -> TracedPart | None:
        """The part at a path, whose keys are written as a question shows them."""
        steps: list[Step] = []
        for key in path:
            following = self._step(word, key, moment)
            if following is None:
                return None
            steps.append(following[0])
            word = following[1]
        return TracedPart(evaluation, tuple(steps))

    def _step(self, word: int, key: Key, moment: int) -> tuple[Step, int] | None:
        """The step and the word for a key that a question shows."""
        evaluations = self.flow.evaluations
        described = self.run.recording.values.value(word)
        if isinstance(key, int) and not isinstance(key, bool):
            index = Index(key, moment)
            inner = evaluations.part_at(word, index, moment)
            is_mapping = isinstance(described, Object) and self.run.heap.state(word, moment).shape == "mapping"
            if inner is not None and not is_mapping:
                return index, inner
        for step, inner in evaluations.parts(word, moment):
            if isinstance(step, Attribute) and step.name == key:
                return step, inner
            if isinstance(step, Item) and self._is_key(step.key, key, moment):
                return step, inner
        if isinstance(described, Object) and described.type.base == "exception" and described.extra is not None:
            items = self.run.recording.values.items(described.extra)
            if isinstance(key, int) and -len(items) <= key < len(items):
                return Index(key, moment), items[key]
        return None

    def _is_key(self, word: int, key: Key, moment: int) -> bool:
        return self.behaviours.value(word, moment).text == key or self.flow.evaluations.plain(word) == key
