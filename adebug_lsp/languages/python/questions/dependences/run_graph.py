"""The dependence graph of a run: data, control and relevant dependences of every evaluation, derived on demand.

A read of a variable or place leads to the write. Between the two, each condition, loop and write that could have
changed it but did not is a node of its own, so that all reads share one chain.
"""

from collections.abc import Iterator

import numpy as np
from attrs import define, field

from adebug_lsp.languages.python.questions.dependences.control import Control
from adebug_lsp.languages.python.questions.dependences.nodes import (
    Content,
    Edges,
    Element,
    Executed,
    KeptPlace,
    KeptVariable,
    Node,
)
from adebug_lsp.languages.python.questions.dependences.places import Places
from adebug_lsp.languages.python.questions.dependences.possible_writes import PossibleWrites, Write
from adebug_lsp.languages.python.questions.dependences.reads import Reads, ReadsOfSyntax, evaluated_with, statement_of
from adebug_lsp.languages.python.questions.dependences.record_index import RecordIndex
from adebug_lsp.languages.python.questions.origins.evaluations import Evaluations
from adebug_lsp.languages.python.questions.origins.parts import Attribute, Evaluation, Index, Item, TracedPart, Variable
from adebug_lsp.languages.python.questions.origins.value_flow import ValueFlow
from adebug_lsp.languages.python.questions.origins.variable_sources import VariableSources
from adebug_lsp.languages.python.reading.recorded_values import Object, TupleLike
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import SCOPES, Module
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.slicing.dependence_graph import Dependence, Edge
from adebug_lsp.slicing.provenance import HandOver


@define(eq=False)
class RunGraph:
    """The dependences of one run."""

    flow: ValueFlow
    run: Run = field(init=False)
    evaluations: Evaluations = field(init=False)
    control: Control = field(init=False)
    places: Places = field(init=False)
    index: RecordIndex = field(init=False)
    _possible: PossibleWrites = field(init=False)
    _reads: ReadsOfSyntax = field(factory=ReadsOfSyntax)

    def __attrs_post_init__(self) -> None:
        self.run, self.evaluations = self.flow.run, self.flow.evaluations
        self.index = RecordIndex(self.run)
        self._possible = PossibleWrites(self.run)
        self.control = Control(self.evaluations, self.index)
        self.places = Places(self.evaluations, self.control, self._possible)

    def dependences(self, node: Node) -> Edges:
        """The direct dependences of a node."""
        if isinstance(node, Variable):
            return self._assigned(node.place, node.name)
        if isinstance(node, Evaluation):
            return self._evaluated(node)
        if isinstance(node, Executed):
            return self.control.of(node.activation, node.node, node.position)
        if isinstance(node, KeptVariable):
            head = self.control.head(self.evaluations.owner(node.moment), node.moment, Dependence.RELEVANT)
            return head + self._variable_before(node.activation, node.name, node.moment, node.bound)
        if isinstance(node, KeptPlace):
            return self.places.kept(node)
        if isinstance(node, Element):
            return self._element(node)
        return self.places.content(node) if isinstance(node, Content) else self.places.shape(node)

    def variable(self, activation: int, name: str, moment: int) -> tuple[Node, ...] | None:
        """The nodes of a variable and of everything inside its value; None if it has no value."""
        place = self.evaluations.place_at(self.run.spans[activation], name, moment)
        if place is None:
            return None
        edges = self._variable_before(activation, name, moment, place)
        edges += self.places.inside(int(self.run.recording.words[place]), moment)
        return tuple(dict.fromkeys(edge.on for edge in edges))

    def _evaluated(self, evaluation: Evaluation) -> Edges:
        """The operands of an expression, the sources of what they read, and what decided that it was evaluated."""
        module = self.evaluations.module(evaluation)
        edges = self.control.of(evaluation.activation, evaluation.node, evaluation.position)
        if evaluation.node < 0 or module.nodes[evaluation.node].kind in SCOPES:
            return edges
        reads = self._reads.of(module, evaluation.node)
        for number in reads.names:
            edges += self._name(Evaluation(evaluation.activation, number, evaluation.position), reads)
        for number in reads.parts:
            edges += self._part(Evaluation(evaluation.activation, number, evaluation.position), reads)
        called, matched = self._calls(evaluation, module)
        looked_into = [*reads.looked_into, *self._passed(evaluation, module, reads, matched)]
        for number in looked_into:
            for word in self._words(Evaluation(evaluation.activation, number, evaluation.position)):
                edges += self.places.inside(word, evaluation.position)
        return edges + called

    # Names

    def _name(self, evaluation: Evaluation, reads: Reads) -> Edges:
        """The dependences of a name that was read."""
        name = str(self.evaluations.syntax(evaluation).extra)
        if reads.walrus:
            source = self.flow.source(TracedPart(evaluation))
            if isinstance(source, HandOver) and source.part.evaluation.position == evaluation.position:
                return [Edge(source.part.evaluation, certainty=source.certainty)]
        place = self.evaluations.place(evaluation, name)
        if place is None:
            return []
        return self._variable_before(evaluation.activation, name, evaluation.position, place)

    def _variable_before(self, activation: int, name: str, moment: int, place: int) -> Edges:
        """The last condition or loop before a moment that could have bound a variable, or its binding."""
        bound = self.run.record_around(place).position
        routine = self.run.spans[self.evaluations.owner(bound)].routine
        is_shared = routine.kind == "module" or routine is not self.run.spans[activation].routine
        if is_shared or name in routine.declared:
            last = self._possible.last_head(Write("shared", name), moment, bound)
        else:
            heads = self._possible.heads.get(Write("variable", name), ())
            last = self.index.last(activation, heads, moment, bound)
        if last is None:
            return self._assigned(place, name)
        return [Edge(KeptVariable(activation, name, last, place), Dependence.RELEVANT)]

    def _assigned(self, place: int, name: str) -> Edges:
        """The value that a variable was bound to."""
        record = self.run.record_around(place)
        activation = self.evaluations.owner(record.position)
        module, number = record.marker.module, record.marker.slots[place - record.position - 1]
        if record.marker.kind == "enter":
            return self._parameter(self.run.spans[activation], name)
        if record.marker.kind in ("handler", "case"):
            return self.control.head(activation, record.position, Dependence.DATA)
        if number < 0:
            return [Edge(Evaluation(activation, statement_of(module, record.marker.node), record.position))]
        if module.nodes[number].kind != "Bound":
            return [Edge(Evaluation(activation, number, record.position))]
        path, around = VariableSources.pattern(module, number, (), record.position)
        kind = module.nodes[around].kind
        if kind in ("For", "AsyncFor"):
            return self._iterated(activation, record, around)
        if kind == "withitem":
            entered = self._calls_before(activation, record)
            return [Edge(Evaluation(activation, around, record.position)), *entered]
        if kind not in ("Assign", "AnnAssign", "NamedExpr"):
            return [Edge(Evaluation(activation, statement_of(module, number), record.position))]
        value = Evaluation(activation, module.children(around)[-1], record.position)
        if len(path) == 1 and isinstance(path[0], Index) and path[0].number >= 0:
            return [Edge(Element(value, path[0].number))]
        return [Edge(value), *(self._looked_into(value) if path else ())]

    def _iterated(self, activation: int, record: Record, loop: int) -> Edges:
        """The element that a loop took: from a list that of this iteration, from a generator the yielded value."""
        module = record.marker.module
        iterable = self.control.iterable(activation, module, loop, record.position)
        edges: Edges = [Edge(iterable), *self.control.of(activation, module.children(loop)[1], record.position)]
        value = self.evaluations.value(iterable)
        if value is not None and isinstance(self.run.recording.values.value(value[0]), Object):
            if self.run.heap.state(value[0], record.position).shape == "sequence":
                iterations = self.index.markers(module, ["iteration"], loop)
                number = self.index.count(activation, iterations, iterable.position, record.position)
                edges += self.places.read(value[0], Index(number, 0), record.position)
            else:
                edges += self.places.inside(value[0], record.position)
        return edges + self._calls_before(activation, record)

    def _calls_before(self, activation: int, record: Record) -> Edges:
        """The values that recorded code returned or yielded since the record before."""
        own = self.run.own(self.run.spans[activation])
        index = int(np.searchsorted(own, record.position))
        calls = self.evaluations.calls(activation, int(own[index - 1]) if index else -1, record.position)
        return [edge for call in calls for edge in self.returned(call)]

    def _parameter(self, call: Span, name: str) -> Edges:
        """The argument passed for a parameter; all arguments if it is not known which."""
        source = self.flow.parameter(call, name)
        executed = self.control.of(call.number, call.routine.node, call.first)
        if isinstance(source, HandOver):
            part = source.part
            edges: Edges = [Edge(part.evaluation, certainty=source.certainty), *executed]
            return edges + (self._looked_into(part.evaluation) if part.path else [])
        passed = [
            Edge[Node](argument, certainty=min(certainty, source.certainty))
            for site, certainty in self.control.sites(call)
            for argument in self.evaluations.children(site)[1:]
        ]
        return executed + passed

    def _looked_into(self, evaluation: Evaluation) -> Edges:
        return [e for word in self._words(evaluation) for e in self.places.inside(word, evaluation.position)]

    # Parts of objects

    def _part(self, evaluation: Evaluation, reads: Reads) -> Edges:
        """An attribute, an element or a value of a mapping."""
        base, *index = self.evaluations.children(evaluation)
        is_called = any(
            self.evaluations.module(evaluation).children(call)[0] == evaluation.node for call in reads.calls
        )
        edges: Edges = []
        for word in self._words(base):
            if not isinstance(self.run.recording.values.value(word), Object):
                continue
            if not index:
                edges += self._attribute(evaluation, word, is_called)
                continue
            place = self._place(word, index[0])
            edges += (
                [Edge(Content(word, evaluation.position))]
                if place is None
                else self.places.read(word, place, evaluation.position)
            )
        if not edges and not index and not is_called:
            source = self.flow.source(TracedPart(evaluation))
            if isinstance(source, HandOver) and source.part.evaluation != base:
                edges.append(Edge(source.part.evaluation, certainty=source.certainty))
        return edges

    def _attribute(self, evaluation: Evaluation, word: int, is_called: bool) -> Edges:
        name = str(self.evaluations.syntax(evaluation).extra)
        held = self.run.heap.state(word, evaluation.position).attributes
        if is_called and all(name != attribute for attribute, _ in held):
            return []
        return self.places.read(word, Attribute(name, 0), evaluation.position)

    def _place(self, word: int, index: Evaluation) -> Index | Item | None:
        """The place that a subscript names; None for a slice, or for a key that is not recorded."""
        key = self.evaluations.value(index)
        if key is None or self.evaluations.syntax(index).kind == "Slice":
            return None
        shape = self.run.heap.state(word, index.position).shape
        if shape == "mapping":
            return Item(key[0], 0)
        number = self.evaluations.plain(key[0])
        return Index(number, 0) if isinstance(number, int) and shape == "sequence" else None

    def _words(self, evaluation: Evaluation) -> list[int]:
        """The values of an expression: one, or one for each iteration of a comprehension."""
        value = self.evaluations.value(evaluation)
        words = [] if value is None else [value[0]]
        if not self.evaluations.is_in_comprehension(evaluation):
            return words
        name = str(self.evaluations.syntax(evaluation).extra)
        for record in self.evaluations.window_before(evaluation.activation, evaluation.position):
            pairs = zip(record.marker.slots, record.words, strict=False)
            words += [word for number, word in pairs if number == evaluation.node]
            words += [record.words[slot] for stored, slot in record.marker.iteration_stores if stored == name]
        return list(dict.fromkeys(words))

    # Calls

    def _calls(self, evaluation: Evaluation, module: Module) -> tuple[Edges, set[int]]:
        """The values that recorded code returned to an expression, and the call expressions in it that called it."""
        matched, others = self.evaluations.calls_during(evaluation)
        edges: Edges = []
        inside = set(evaluated_with(module, evaluation.node)) if matched or others else set()
        for number, call in matched.items():
            edges += self.returned(call) if number in inside else []
        calling = {n for n in inside if module.nodes[n].kind == "Call"}
        for call in others if calling else ():
            edges += self.returned(call)
        names = {call.routine.name for call in others}
        unmatched = {n for n in calling if module.nodes[module.children(n)[0]].extra in names}
        return edges, unmatched | set(matched)

    def returned(self, call: Span) -> Edges:
        """The outcome of a recorded call: the value that it returned, or the fact that it ended."""
        returned = self.evaluations.returned(call)
        if returned is not None:
            return [Edge(returned[0])]
        ending = self.run.ending(call)
        if ending is None or call.routine.name == "__init__":
            return []
        return [Edge(Executed(call.number, call.routine.node, ending.position))]

    def _passed(self, evaluation: Evaluation, module: Module, reads: Reads, matched: set[int]) -> Iterator[int]:
        """Arguments and receivers of library code; a method that only adds something does not read its object."""
        statement = module.nodes[evaluation.node].kind == "Expr"
        record = self.run.record(evaluation.position) if statement else None
        writes = {str(key) for kind, key, *_ in record.marker.writes if kind == "call"} if record else set()
        for number, call in reads.passed:
            if call not in matched and module.nodes[module.children(call)[0]].extra not in writes:
                yield number

    def _element(self, element: Element) -> Edges:
        """One element of a display or of what a call returned; otherwise the whole value."""
        whole, number = element.whole, element.number
        module, kind = self.evaluations.module(whole), self.evaluations.syntax(whole).kind
        inner = module.children(whole.node)
        if kind in ("Tuple", "List") and all(module.nodes[n].kind != "Starred" for n in inner) and number < len(inner):
            return [Edge(Evaluation(whole.activation, inner[number], whole.position))]
        call = self.evaluations.call(whole) if kind == "Call" else None
        returned = None if call is None else self.evaluations.returned(call)
        if returned is not None and call is not None and call.routine.name != "__init__":
            control = self.control.of(whole.activation, whole.node, whole.position)
            return [Edge(Element(returned[0], number)), *control]
        edges: Edges = [Edge(whole)]
        value = self.evaluations.value(whole)
        described = None if value is None else self.run.recording.values.value(value[0])
        if value is not None and isinstance(described, Object | TupleLike):
            edges += self.places.inside(value[0], whole.position)
        return edges
