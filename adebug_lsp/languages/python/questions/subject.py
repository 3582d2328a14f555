"""A recorded Python run, or one test of it, as a subject: its tree of calls, and the trees inside them.

The tree has a node for every call, loop and iteration; long sequences of siblings are halved into ranges. The tree
inside a node has the statements and expressions that it executed itself. A call that was recorded without its inside is
executed again when a question needs that; one that never ended cannot be, and has no loops.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import define, evolve, field, frozen

from adebug_lsp.languages.language import Entry, TraceValue
from adebug_lsp.languages.python.questions.behaviour_keys import call_key, fragment_key
from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.questions.describe.child_processes import ChildProcesses
from adebug_lsp.languages.python.questions.describe.endings import Ending, of_span, of_statement
from adebug_lsp.languages.python.questions.describe.expression_text import header, names_read
from adebug_lsp.languages.python.questions.executed_parts import ExecutedPart, executed_parts
from adebug_lsp.languages.python.questions.origins.assertions import Failure
from adebug_lsp.languages.python.questions.origins.marked_values import PythonDependences
from adebug_lsp.languages.python.questions.origins.parts import Evaluation
from adebug_lsp.languages.python.questions.origins.tracing import Extent, PythonTracing
from adebug_lsp.languages.python.questions.plumbing import is_plumbing, plumbing_of
from adebug_lsp.languages.python.questions.recursion_limit import at_the_limit
from adebug_lsp.languages.python.questions.span_tree import selection, span_tree
from adebug_lsp.languages.python.questions.spectrum import Floats, Spectrum
from adebug_lsp.languages.python.questions.suspicion import suspicions
from adebug_lsp.languages.python.questions.trace_values import trace_values
from adebug_lsp.languages.python.questions.unexecuted import unexecuted
from adebug_lsp.languages.python.reading.recorded_values import Opaque, TypeInfo
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import STATEMENTS, Module, Routine
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.recorder.contract import FALSE, TRUE
from adebug_lsp.languages.python.sandbox.fragment import Fragment, GlobalVariable, ValueAt
from adebug_lsp.languages.python.sandbox.reexecution import ReexecutedCall
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.folding import fold
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location, Range
from adebug_lsp.model.values import Part as ValuePart
from adebug_lsp.model.values import Value
from adebug_lsp.tree.builder import TreeBuilder, lay_out
from adebug_lsp.tree.columns import Bools, Column, ExecutionTree, Ints
from adebug_lsp.tree.transform.draft import Transformed
from adebug_lsp.tree.transform.halving import halve

LONGEST = 12
"""Longer sequences of siblings are halved."""
_LONGEST_HEADER = 70
_PART_OF = (NodeKind.LOOP, NodeKind.ITERATION)
_MOST_ITEMS = 100_000
"""Values of a `for` loop's variables in one request to the sandbox."""
_MOST_COMPARED = 1000
"""Nodes in a loop or range up to which it has a behaviour key."""
_CALLS = (NodeKind.ROUTINE, NodeKind.LAMBDA, NodeKind.COROUTINE)
_STRETCHES = (*_PART_OF, NodeKind.ITERATION_RANGE, NodeKind.PROJECTION)

Rule = Callable[[str, Fragment], bool | None]
Reexecute = Callable[[Span], ReexecutedCall | None]


@define(eq=False)
class PythonSubject:
    """A run, or the part of it below one span."""

    run: Run
    root: Span
    root_is_wrong: bool = True
    rule: Rule | None = None
    """Evaluates a rule."""
    test: Span | None = None
    """The test function that failed."""
    failure: Failure | None = None
    entry: Entry | None = None
    spectrum: Spectrum | None = None
    """Coverage of passing and failing tests."""
    reexecute: Reexecute | None = None
    """Executes a call that was recorded without its inside again."""
    changes: Callable[[Routine], Sequence[Location]] | None = None
    """Returns the places of a routine where a reference version differs."""
    is_reexecuted: bool = False
    """Whether this subject is a call that was executed again."""
    behaviours: BehaviourBuilder = field(init=False)
    _insides: dict[int, "InnerSubject | None"] = field(factory=dict)
    _reexecuted: dict[int, "PythonSubject"] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.behaviours = BehaviourBuilder(self.run)

    @cached_property
    def _unhalved(self) -> tuple[ExecutionTree, Ints]:
        return span_tree(self.run, self.root, self._is_asked)

    def _is_asked(self, rows: Ints, size: Ints) -> Bools:
        """Which spans have a node; `size` is the number of spans inside each."""
        asked = np.ones(len(rows), np.bool_)
        if self._may_lack_parts():
            activation = np.frombuffer(self.run.spans.activation, np.int32)[rows]
            asked &= ~self._of_unknown_parts(rows, activation)
        for left_out in np.flatnonzero(np.isin(rows, list(at_the_limit(self.behaviours)))).tolist():
            asked[left_out : left_out + size[left_out]] = left_out == 0
        return asked

    def _may_lack_parts(self) -> bool:
        """Whether the loops of some activation may be unknown, which is rare."""
        spans = self.run.spans
        ended_late = np.frombuffer(spans.last, np.int64) >= self.run.detailed_until
        raised = self.run.by_calls and np.any(np.frombuffer(spans.flags, np.int8))
        return bool(raised or ended_late.any())

    def _of_unknown_parts(self, rows: Ints, activation: Column) -> Bools:
        """Which spans are parts of an activation whose loops are unknown."""
        spans = self.run.spans
        parts: Bools = activation != rows
        if not self.run.by_calls:
            parts &= np.frombuffer(spans.last, np.int64)[activation] >= self.run.detailed_until
        with_parts = np.zeros(len(spans), np.bool_)
        with_parts[activation[parts]] = True
        unknown = np.zeros(len(spans), np.bool_)
        unknown[self._without_parts(np.flatnonzero(with_parts))] = True
        return parts & unknown[activation]

    def _without_parts(self, activations: Ints) -> Ints:
        """The activations whose loops are unknown; those that ended normally are not looked at one by one."""
        run = self.run
        ended = np.frombuffer(run.spans.flags, np.int8)[activations] == 0
        coarse = activations[ended & (np.frombuffer(run.spans.last, np.int64)[activations] >= run.detailed_until)]
        others = [number for number in activations[~ended].tolist() if not self._has_parts(run.spans[number])]
        return np.concatenate([coarse, np.array(others, np.int64)])

    def _has_parts(self, activation: Span) -> bool:
        """Whether the loops of an activation are known, or would be after executing it again."""
        if not self.run.is_detailed(activation):
            return False
        return self.run.has_inside(activation) or not self.behaviours.unfinished(activation)

    @cached_property
    def _halved(self) -> Transformed:
        return halve(self._unhalved[0], LONGEST)

    @property
    def tree(self) -> ExecutionTree:
        """See `Subject`."""
        return self._halved.tree

    @cached_property
    def dependences(self) -> PythonDependences:
        """See `Subject`."""
        return PythonDependences(self.run, self.behaviours, self.tree, self.span, self.failure)

    @cached_property
    def tracing(self) -> PythonTracing:
        """See `RecordedSubject`."""
        return PythonTracing(self.dependences, self._extent, self.behaviours.effects)

    def _extent(self, node: int) -> Extent:
        first, last = self._ends(node)
        return Extent(self.span(node), first + 1, last + 1)

    @cached_property
    def suspicion(self) -> Floats | None:
        """See `Subject`."""
        if self.spectrum is None:
            return None
        tree, rows = self._unhalved
        _, first = np.unique(tree.site, return_index=True)  # halving adds no sites
        spans = [self.run.spans[number] for number in rows[first].tolist()]
        return self.spectrum.of_sites([(self.run.spans.routine[span.number], span.node) for span in spans])

    @cached_property
    def plumbing(self) -> Bools | None:
        """See `Subject`: a range is plumbing if all of its nodes are."""
        rows, spans, halved = self._unhalved[1], self.run.spans, self._halved
        routine = np.frombuffer(spans.routine, np.int32)[selection(self.run, rows)]
        of_spans = is_plumbing([*map(plumbing_of, spans.routines)], routine, self._unhalved[0].size)
        if of_spans is None:
            return None
        identity = np.asarray(halved.identity)
        of_all: Bools = of_spans[identity]
        ranges = np.flatnonzero(identity < 0)
        of_all[ranges] = True
        others = np.cumsum(~of_all, dtype=np.int32)
        of_all[ranges] = others[ranges + halved.tree.size[ranges] - 1] == others[ranges]
        return of_all

    def routines(self) -> list[Routine]:
        """The routines that this run executed."""
        numbers = np.unique(np.frombuffer(self.run.spans.routine, np.int32)[self._unhalved[1]])
        return [self.run.spans.routines[number] for number in numbers.tolist()]

    def span(self, node: int) -> Span:
        """The span of a node; for a range, the span that contains its parts."""
        old = int(self._halved.identity[node])
        if old >= 0:
            return self._spanned(old)
        first = self._spanned(self._halved.sources[node][0])
        return self.run.spans[first.parent] if first.kind not in _PART_OF else first

    def node(self, span: Span) -> int | None:
        """The node of a span; None if it has none."""
        old = np.flatnonzero(self._unhalved[1] == span.number)
        new = np.flatnonzero(np.asarray(self._halved.identity) == old[0]) if len(old) else old
        return int(new[0]) if len(new) else None

    def _spanned(self, old: int) -> Span:
        return self.run.spans[int(self._unhalved[1][old])]

    def _ends(self, node: int) -> tuple[int, int]:
        return int(self.tree.first[node]), int(self.tree.last[node])

    def behaviour(self, node: int) -> Behaviour:
        """See `Subject`."""
        return self.child_processes.noted(self._behaviour(node), *self._ends(node))

    @cached_property
    def child_processes(self) -> ChildProcesses:
        """The other processes of the run."""
        return ChildProcesses(self.run)

    def _behaviour(self, node: int) -> Behaviour:
        """The behaviour of a node, by its kind."""
        kind = NodeKind(int(self.tree.kind[node]))
        if kind not in _STRETCHES:
            return self.behaviours.call(self.span(node))
        stretch = self._stretch(node)
        behaviours, span, ends = stretch.subject.behaviours, stretch.span, (stretch.first, stretch.last)
        if kind is NodeKind.PROJECTION:
            return behaviours.call_sequence(span, stretch.parts, ends, self._range_text(node, kind))
        if kind is NodeKind.ITERATION_RANGE:
            return behaviours.stretch(span, *ends, self._range_text(node, kind), stretch.final)
        ended = " did not end" if behaviours.unfinished(span) else ""
        if kind is NodeKind.LOOP:
            return behaviours.stretch(span, *ends, f"the loop {self._header(span)}{ended}", span)
        number = self._iteration_number(int(self._halved.identity[node]))
        if span.number in self.run.spans.several:
            last = number + self.run.spans.several[span.number] - 1
            behaviour = behaviours.stretch(span, *ends, f"iterations {number} to {last} of {self._header(span)}", span)
            return evolve(behaviour, coarse="there are too many iterations to ask about each")
        return behaviours.stretch(span, *ends, f"iteration {number} of {self._header(span)}{ended}", span)

    def behaviour_key(self, node: int) -> str:
        """See `Subject`; long loops have no key."""
        kind = NodeKind(int(self.tree.kind[node]))
        if kind not in _STRETCHES:
            return call_key(self.behaviours, self.span(node))
        if kind is NodeKind.PROJECTION or (kind is not NodeKind.ITERATION and self.tree.size[node] > _MOST_COMPARED):
            return ""
        fragment, stretch = self.fragment(node), self._stretch(node)
        behaviours, span = stretch.subject.behaviours, stretch.span
        if fragment is None or behaviours.unfinished(stretch.final):
            return ""
        ending = of_span(stretch.subject.run, stretch.final)
        return fragment_key(
            behaviours, fragment, (span.routine.module, span.node), ending, (stretch.first, stretch.last)
        )

    def _stretch(self, node: int) -> "_Stretch":
        """The part of the run that a node stands for, in a recording with its inside if there is one."""
        several = int(self._halved.identity[node]) < 0
        parts = self._unhalved[1][np.asarray(self._halved.sources[node])] if several else np.empty(0, np.int64)
        span = self.span(node)
        activation = self.run.spans[span.activation]
        if self.run.has_inside(activation):
            return _Stretch(self, span, *self._ends(node), parts)
        executed = None if self.reexecute is None or not self.run.by_calls else self.reexecute(activation)
        if executed is None:
            return _Stretch(self, span, *self._ends(node), parts, unseen=True)
        if span.activation not in self._reexecuted:
            root = executed.span(self.run.spans[span.activation])
            self._reexecuted[span.activation] = PythonSubject(executed.run, root, is_reexecuted=True)
        span, parts = executed.span(span), np.array([executed.spans[part] for part in parts.tolist()], np.int64)
        spans = executed.run.spans
        first, last = (parts[0], parts[-1]) if len(parts) else (span.number, span.number)
        again = self._reexecuted[self.span(node).activation]
        return _Stretch(again, span, spans.first[first], spans.last[last], parts)

    @staticmethod
    def _header(span: Span) -> str:
        text = span.routine.module.text(span.node).partition("\n")[0].strip()
        line = span.routine.module.location(span.node).range.start.line + 1
        return f"`{fold(text.rstrip(':'), _LONGEST_HEADER)}` (line {line})"

    def _iteration_number(self, old: int) -> int:
        """The number of an iteration in its loop, from 1; for a range, of its first iteration."""
        spans, number = self.run.spans, int(self._unhalved[1][old])
        before = slice(spans.parent[number], number)  # calls and steps of generators stand between the iterations
        iterations = np.frombuffer(spans.kind, np.int8)[before] == NodeKind.ITERATION
        count = int(np.count_nonzero(iterations & (np.frombuffer(spans.parent, np.int32)[before] == before.start)))
        return (
            1
            + count
            + sum(
                n - 1 for first, n in spans.several.items() if first < number and self._are_consecutive(first, number)
            )
        )

    def _are_consecutive(self, span: int, other: int) -> bool:
        return self.run.spans.parent[span] == self.run.spans.parent[other]

    def _range_text(self, node: int, kind: NodeKind) -> str:
        sources = self._halved.sources[node]
        spans = [self._spanned(sources[0]), self._spanned(sources[-1])]
        if kind is NodeKind.ITERATION_RANGE:
            low, high = self._iteration_number(sources[0]), self._iteration_number(sources[-1])
            high += self.run.spans.several.get(spans[-1].number, 1) - 1
            return f"iterations {low} to {high} of {self._header(spans[0])}"
        names = [span.routine.qualname or span.routine.module.name for span in spans]
        return f"{len(sources)} calls, from {names[0]} to {names[1]}"

    def code(self, node: int) -> tuple[Location, ...]:
        """See `Subject`."""
        return self.narrowed(self._code(node), self.span(node).routine)

    def narrowed(self, code: tuple[Location, ...], routine: Routine) -> tuple[Location, ...]:
        """The places that a reference version changed in some code of a routine; all of the code if there are none."""
        changes = () if self.changes is None else self.changes(routine)
        return tuple(change for change in changes if any(place.range.covers(change.range) for place in code)) or code

    def _code(self, node: int) -> tuple[Location, ...]:
        """The code that a node executed outside its children."""
        span = self.span(node)
        module = span.routine.module
        if int(self.tree.kind[node]) == NodeKind.ITERATION_RANGE and (between := header(module, span.node)) is not None:
            return (module.location(between),)
        if span.kind is NodeKind.LOOP and self.tree.children(node):
            return (_without_iterations(module, span.node),)
        if span.kind in _PART_OF:
            return (module.location(span.node),)
        if span.routine.node >= 0:
            return (module.location(span.routine.node),)
        return self.behaviours.projection(module, self.run.summary(span, span.first, span.last)) or (
            module.location(-1),
        )

    def holds(self, rule: str, node: int) -> bool | None:
        """See `Subject`."""
        fragment = self.fragment(node)
        return None if self.rule is None or fragment is None else self.rule(rule, fragment)

    def inside(self, node: int) -> "InnerSubject | None":
        """See `Subject`."""
        if node not in self._insides:
            self._insides[node] = self._open(node)
        return self._insides[node]

    def _open(self, node: int) -> "InnerSubject | None":
        if int(self.tree.kind[node]) in (NodeKind.ITERATION_RANGE, NodeKind.PROJECTION):
            return None
        stretch = self._stretch(node)
        if stretch.unseen or self.span(node).number in self.run.spans.several:
            return None
        parts = executed_parts(stretch.subject.run, stretch.span)
        return InnerSubject(stretch.subject, stretch.span, parts, self.code(node)) if parts else None

    def at(self, path: tuple[int, ...]) -> "PythonSubject | InnerSubject":
        """The subject at a level of a session."""
        inner = self.inside(path[0]) if path else None
        return self if inner is None else inner

    def parts(self, identity: int, moment: int, start: int, count: int) -> tuple[ValuePart, ...]:
        """See `RecordedSubject`."""
        return self.run.formatter.parts(identity, moment, start, count)

    def variable(self, node: int, name: str) -> Value | None:
        """See `RecordedSubject`."""
        stretch = self._stretch(node)
        return stretch.subject.behaviours.variable(stretch.activation, name, stretch.first)

    def trace_values(self, node: int) -> list[TraceValue]:
        """See `RecordedSubject`."""
        stretch = self._stretch(node)
        return trace_values(stretch.subject.behaviours, stretch.activation, stretch.first, stretch.last)

    def unexecuted(self, node: int) -> tuple[Location, ...]:
        """See `RecordedSubject`."""
        stretch = self._stretch(node)
        return unexecuted(stretch.subject.run, stretch.activation)

    def sources(self) -> dict[str, str]:
        """See `RecordedSubject`."""
        return {module.path: module.source for module in self.run.program.modules}

    def fragment(self, node: int) -> Fragment | None:
        """The code and values of a node, for oracles that execute code."""
        kind, span = NodeKind(int(self.tree.kind[node])), self.span(node)
        if kind is NodeKind.PROJECTION:
            return None
        if kind in (NodeKind.LOOP, NodeKind.ITERATION, NodeKind.ITERATION_RANGE):
            stretch, several = self._stretch(node), span.number in self.run.spans.several
            return None if stretch.unseen else stretch.fragment(NodeKind.ITERATION_RANGE if several else kind)
        records = self.run.summary(span, span.first, span.last)
        start, end = span.first + 1, span.last + 1
        arguments = self.behaviours.arguments(span, records)
        result, raised = self.behaviours.outcome(span)
        return Fragment(
            **_routine_fields(span),
            what="routine",
            place=_place(span, span.routine.node),
            node_kind=_kind(span, span.routine.node),
            arguments=tuple((name, ValueAt(word, start)) for name, word in arguments),
            before=tuple((name, ValueAt(word, start)) for name, word in self._read_outside(span, records)),
            after=tuple((name, ValueAt(word, end)) for name, word in arguments),
            result=None if result is None else ValueAt(result, end),
            raised=None if raised is None else ValueAt(raised, end),
            generator=span.kind in (NodeKind.GENERATOR, NodeKind.COROUTINE),
            global_variables=self.global_variables(span, span.first, span.last),
        )

    def global_variables(
        self, span: Span, first: int, last: int, *, changes: bool = True
    ) -> tuple[GlobalVariable, ...]:
        """Global variables that part of a run may have used: before it and, if they may have changed, after it."""
        variables = []
        for module, name in self.behaviours.global_variables.used_in(span, first, last):
            old, new = (self._data(module, name, moment) for moment in (first + 1, last + 1))
            if old is not None or new is not None:
                variables.append(GlobalVariable(module.name, name, old, new if changes else None))
        return tuple(variables)

    def _data(self, module: Module, name: str, moment: int) -> ValueAt | None:
        """The value of a global variable, unless it is code."""
        word = self.behaviours.global_variables.at(module, name, moment)
        is_code = word is None or isinstance(self.run.recording.values.value(word), Opaque | TypeInfo)
        return None if word is None or is_code else ValueAt(word, moment)

    def _read_outside(self, span: Span, records: list[Record]) -> list[tuple[str, int]]:
        """Global and free variables that the call read, and globals of its module that its callees read."""
        reads = dict(self.behaviours.nonlocal_reads(span, records))
        module = span.routine.module
        known = self.run.globals_of(module)
        for record in self.run.summary_of_all(span.first, span.last):
            if record.marker.module is module:
                for node, word in zip(record.marker.slots, record.words, strict=True):
                    if node >= 0 and module.nodes[node].kind == "Name" and module.nodes[node].extra in known:
                        reads.setdefault(module.nodes[node].extra, word)
        return list({**self._read_around(span), **reads}.items())

    def _read_around(self, span: Span) -> dict[str, int]:
        """Variables of enclosing functions, and free variables of sibling functions, which another version of the code
        may read.

        Another version of the code may read variables that this one did not.
        """
        routine, module = span.routine, span.routine.module
        beside, names = routine.beside, list[str]()
        waiting = [routine] if beside else []
        for reader in waiting:  # grows while it is read
            new = [name for name in names_read(module, module.inside(reader.node)) if name not in names]
            names += new if reader is not routine else []
            waiting += [beside[name] for name in new if name in beside and beside[name] not in waiting]
        own = (routine.bound | set(routine.parameters)) - routine.declared
        for around in self.behaviours.global_variables.around(routine):
            names += sorted({*around.bound, *around.parameters} - {*own, *names})
        words = {name: self.behaviours.global_variables.free(span, name, span.first + 1) for name in names}
        return {name: word for name, word in words.items() if word is not None}


@frozen(eq=False)
class _Stretch:
    """The extent in the run of a call, a loop, some of its iterations, or consecutive calls."""

    subject: PythonSubject
    """The subject of the run, or of the call that was executed again."""
    span: Span
    first: int
    last: int
    parts: Ints
    """Span numbers of several iterations or calls."""
    unseen: bool = False
    """Whether its inside was not recorded."""

    @property
    def final(self) -> Span:
        """The last of its iterations or calls; otherwise itself."""
        return self.subject.run.spans[int(self.parts[-1])] if len(self.parts) else self.span

    @property
    def activation(self) -> Span:
        """The activation that contains it."""
        return self.subject.run.spans[self.span.activation]

    def fragment(self, kind: NodeKind) -> Fragment | None:
        """Code and values of a loop or its iterations, for oracles that execute code; None if there are too many."""
        subject, span, first, last = self.subject, self.span, self.first, self.last
        run, module, activation = subject.run, span.routine.module, self.activation
        records = run.summary(activation, first, last)
        start = first if kind is NodeKind.LOOP else first + 1
        what = {NodeKind.LOOP: "loop", NodeKind.ITERATION: "iteration"}.get(kind, "range")
        begins = [
            module.first + i for i, m in enumerate(module.markers) if m.kind == "iteration" and m.node == span.node
        ]
        iterations = run.with_markers(activation, first, last, begins)
        bound = any(run.program.markers[number].stores for number in begins)
        if bound and len(iterations) > _MOST_ITEMS:
            return None
        each = map(run.record, iterations if bound else ())
        items = [ValueAt(record.words[slot], record.end) for record in each for _, slot in record.marker.stores]
        final = self.final
        return Fragment(
            **_routine_fields(span),
            what=what,
            place=_place(span, span.node),
            node_kind=_kind(span, span.node),
            arguments=(),
            before=environment(subject.behaviours, activation, records, start),
            after=environment(subject.behaviours, activation, [], last + 1),
            result=None,
            raised=self._raised(),
            generator=activation.kind is NodeKind.GENERATOR,
            iterations=len(iterations),
            items=tuple(items),
            fetches=bool(subject.behaviours.next_values(final)),
            trailing_test=subject.behaviours.trailing_test(final),
            global_variables=subject.global_variables(span, first, last),
            run=run if subject.is_reexecuted else None,
        )

    def _raised(self) -> ValueAt | None:
        """The exception that left it."""
        raised = of_span(self.subject.run, self.span).raised if self.span.raised else None
        return None if raised is None else ValueAt(raised, self.last + 1)


@define(eq=False)
class InnerSubject:
    """The statements and expressions of one node; the root stands for the node itself."""

    enclosing: PythonSubject
    span: Span
    executed: list[ExecutedPart]
    whole: tuple[Location, ...]
    root_is_wrong: bool = True

    @cached_property
    def _activation(self) -> Span:
        return self.enclosing.run.spans[self.span.activation]

    @cached_property
    def _laid_out(self) -> tuple[ExecutionTree, list[ExecutedPart | None]]:
        """The tree, and the part of each node."""
        builder = TreeBuilder()
        module, routine = self.span.routine.module, self.span.routine
        root = builder.add(
            builder.site(module.site(routine, self.span.node)),
            kind=self.span.kind,
            first=self.span.first,
            last=self.span.last + 1,
        )

        def add(part: ExecutedPart) -> int:
            return builder.add(
                builder.site(module.site(routine, part.node)),
                kind=part.kind,
                raised=part.raised is not None,
                cost=20 + len(module.text(part.node)),
                first=part.before,
                last=max(part.after, part.before + 1),
            )

        return lay_out(builder, root, self.executed, add)

    @property
    def tree(self) -> ExecutionTree:
        """See `Subject`."""
        return self._laid_out[0]

    @property
    def dependences(self) -> None:
        """See `Subject`."""
        return None

    @property
    def plumbing(self) -> None:
        """See `Subject`: none is, because the enclosing call is known to be wrong."""

    @cached_property
    def tracing(self) -> PythonTracing:
        """See `RecordedSubject`."""
        return PythonTracing(self.enclosing.dependences, self._extent, self.enclosing.behaviours.effects)

    def _extent(self, node: int) -> Extent:
        part = self.part(node)
        if part is None:
            return Extent(self.span, self.span.first + 1, self.span.last + 1)
        is_expression = part.kind is NodeKind.EXPRESSION and part.value is not None
        value = Evaluation(self.span.activation, part.node, part.value_position) if is_expression else None
        return Extent(self._activation, part.before, part.after, value)

    @cached_property
    def suspicion(self) -> Floats:
        """See `Subject`. Tests that executed a part do not count: measured, that saved no questions in a routine."""
        run = self.enclosing.run
        below = (run.spans[child].routine for child in run.children(self.span.number))
        called = frozenset(
            routine.qualname.split(".")[-2] if routine.name == "__init__" else routine.name for routine in below
        )
        tree, parts = self._laid_out
        nodes = dict.fromkeys(range(len(tree.sites)), -1)
        nodes |= {int(tree.site[row]): part.node for row, part in enumerate(parts) if part is not None}
        statements = (p for p in parts if p is not None and p.kind is NodeKind.STATEMENT and p.children)
        around = frozenset([-1, *(part.node for part in statements)])
        return np.array(suspicions(self.span.routine.module, nodes.values(), around, called))

    def part(self, node: int) -> ExecutedPart | None:
        """The part that a node stands for; None for the root."""
        return self._laid_out[1][node]

    def is_all(self, node: int) -> bool:
        """Whether a node is everything that a call without effects did: the expression that it returns.

        A returned variable does not count: it is as correct as its value, so that the bug would be something missing.
        """
        part, routine = self.part(node), self.span.routine
        if part is None or len(self.executed) != 1 or self.executed[0] is not part or self.span.kind not in _CALLS:
            return False
        if part.kind is not NodeKind.EXPRESSION and part.raised is None:
            return False
        if _kind(self.span, routine.node) != "Lambda" and not self._is_only_statement(self._statement_of(part)):
            return False
        return not self.behaviour(0).after.bindings

    def _is_only_statement(self, number: int) -> bool:
        """Whether this `return` is the routine's whole body, apart from a docstring."""
        module = self.span.routine.module
        nodes = module.nodes
        body = [child for child in module.children(self.span.routine.node) if nodes[child].kind in STATEMENTS]
        others = [child for child in body[:-1] if not _is_text(module, child)]
        return nodes[number].kind == "Return" and body[-1:] == [number] and not others

    def behaviour(self, node: int) -> Behaviour:
        """See `Subject`."""
        part = self.part(node)
        if part is None:
            described = self.enclosing.behaviours
            if self.span.kind in _PART_OF:
                header = self.enclosing._header(self.span)
                return described.stretch(self.span, self.span.first, self.span.last, header, self.span)
            return described.call(self.span)
        behaviour = self.enclosing.behaviours.part(self.span, part)
        return self.enclosing.child_processes.noted(behaviour, part.before, part.after - 1)

    def behaviour_key(self, node: int) -> str:
        """See `Subject`."""
        part, fragment = self.part(node), self.fragment(node)
        if part is None or fragment is None:
            return ""
        run, during = self.enclosing.run, (part.before, part.after - 1)
        is_whole = part.kind is not NodeKind.EXPRESSION
        ending = of_statement(run, self._activation, part.node, *during) if is_whole else Ending()
        return fragment_key(self.enclosing.behaviours, fragment, (self.span.routine.module, part.node), ending, during)

    def code(self, node: int) -> tuple[Location, ...]:
        """See `Subject`."""
        part, routine = self.part(node), self.span.routine
        return self.whole if part is None else self.enclosing.narrowed((routine.module.location(part.node),), routine)

    def holds(self, _rule: str, _node: int) -> bool | None:
        """See `Subject`: always None, rules are about calls."""
        return None

    def inside(self, node: int) -> None:
        """See `Subject`: always None, there is no finer level."""

    def parts(self, identity: int, moment: int, start: int, count: int) -> tuple[ValuePart, ...]:
        """See `RecordedSubject`."""
        return self.enclosing.parts(identity, moment, start, count)

    def variable(self, node: int, name: str) -> Value | None:
        """See `RecordedSubject`."""
        part = self.part(node)
        moment = self.span.first if part is None else part.before
        return self.enclosing.behaviours.variable(self._activation, name, moment)

    def trace_values(self, _node: int) -> list[TraceValue]:
        """See `RecordedSubject`: the values of the call, loop or iteration around it."""
        return trace_values(self.enclosing.behaviours, self._activation, self.span.first, self.span.last)

    def unexecuted(self, _node: int) -> tuple[Location, ...]:
        """See `RecordedSubject`."""
        return unexecuted(self.enclosing.run, self._activation)

    def sources(self) -> dict[str, str]:
        """See `RecordedSubject`."""
        return self.enclosing.sources()

    def fragment(self, node: int) -> Fragment | None:
        """The code and values of a node, for oracles that execute code."""
        part = self.part(node)
        if part is None:
            return None
        behaviours, activation = self.enclosing.behaviours, self._activation
        records = self.enclosing.run.summary(activation, part.before, part.after - 1)
        whole = self._statement_of(part)
        expression = part.kind is NodeKind.EXPRESSION and whole == part.node
        yielded = None if expression else _yielded(part)
        return Fragment(
            **_routine_fields(self.span),
            what="expression" if expression else "statement",
            place=_place(self.span, whole),
            node_kind=_kind(self.span, whole),
            arguments=(),
            before=environment(behaviours, activation, records or part.records, part.before, part.bound),
            after=() if expression else environment(behaviours, activation, records, part.after),
            result=yielded or self._result(part, whole),
            yielded=yielded is not None,
            tested=part.value is None and part.truth is not None,
            raised=None if part.raised is None else ValueAt(part.raised, part.after),
            generator=activation.kind is NodeKind.GENERATOR,
            global_variables=self.enclosing.global_variables(
                self.span, part.before - 1, part.after - 1, changes=not expression
            ),
            run=self.enclosing.run if self.enclosing.is_reexecuted else None,
        )

    def _statement_of(self, part: ExecutedPart) -> int:
        """The statement that an expression makes up, whose effects count too; otherwise the part's own node."""
        nodes = self.span.routine.module.nodes
        around = nodes[part.node].parent if part.kind is NodeKind.EXPRESSION else -1
        return around if around >= 0 and nodes[around].kind in ("Expr", "Return") else part.node

    def _result(self, part: ExecutedPart, whole: int) -> ValueAt | None:
        """The value of an expression, unless it was discarded."""
        if part.kind is not NodeKind.EXPRESSION or _kind(self.span, whole) == "Expr":
            return None
        if part.value is not None:
            return ValueAt(part.value, part.value_position)
        return None if part.truth is None else ValueAt(TRUE if part.truth else FALSE, part.after)


def _without_iterations(module: Module, loop: int) -> Location:
    """The head of a loop, which it executes itself; a loop with an `else` as a whole."""
    whole, head = module.location(loop), header(module, loop)
    if head is None or any(marker.kind == "else" and marker.node == loop for marker in module.markers):
        return whole
    return Location(whole.path, Range(whole.range.start, module.location(head).range.end))


def _is_text(module: Module, statement: int) -> bool:
    """Whether a statement is a docstring or another constant."""
    children = module.children(statement)
    return module.nodes[statement].kind == "Expr" and [module.nodes[n].kind for n in children] == ["Constant"]


def _yielded(part: ExecutedPart) -> ValueAt | None:
    """The value yielded by a statement that ended a step of a generator."""
    last = part.records[-1] if part.records else None
    if last is None or last.marker.kind != "yield" or last.marker.result is None:
        return None
    return ValueAt(last.words[last.marker.result], part.after)


def environment(
    behaviours: BehaviourBuilder,
    activation: Span,
    records: list[Record],
    moment: int,
    bound: Mapping[str, int] = MappingProxyType({}),
) -> tuple[tuple[str, ValueAt], ...]:
    """All bound variables, and the outer ones that the records read."""
    names, module = behaviours.run.variables(activation).names, activation.routine.module
    words = {name: word for name in names if (word := behaviours.bound(activation, name, moment)) is not None}
    words |= bound
    for record in records:
        for node, word in zip(record.marker.slots, record.words, strict=True):
            if node >= 0 and module.nodes[node].kind == "Name":
                words.setdefault(module.nodes[node].extra, word)
    return tuple((name, ValueAt(word, moment)) for name, word in words.items())


def _routine_fields(span: Span) -> dict[str, Any]:
    """The attributes of a fragment that name its routine."""
    routine = span.routine
    owner = routine.qualname.rpartition(".")[0] if routine.method else ""
    module = routine.module
    return {
        "path": module.path,
        "module": module.name,
        "routine": routine.qualname,
        "owner": owner,
        "span": span.number,
    }


def _place(span: Span, node: int) -> tuple[int, int, int, int] | None:
    return span.routine.module.nodes[node].place if node >= 0 else None


def _kind(span: Span, node: int) -> str:
    return span.routine.module.nodes[node].kind if node >= 0 else "Module"
