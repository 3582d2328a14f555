"""Control dependence: why a statement was executed.

It depends on the condition or loop around it, on the jumps before it that did not happen, and on the call of its
routine.
"""

from typing import TYPE_CHECKING

import numpy as np
from attrs import define, field

from adebug_lsp.languages.python.questions.dependences.nodes import Edges, Executed, Shape
from adebug_lsp.languages.python.questions.dependences.reads import statement_of
from adebug_lsp.languages.python.questions.dependences.record_index import RecordIndex
from adebug_lsp.languages.python.questions.executed_parts import MAIN
from adebug_lsp.languages.python.questions.origins.evaluations import Evaluations
from adebug_lsp.languages.python.questions.origins.parts import Evaluation
from adebug_lsp.languages.python.reading.recorded_values import Object
from adebug_lsp.languages.python.reading.static import LOOPS, SCOPES, Module
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.slicing.dependence_graph import Dependence, Edge
from adebug_lsp.slicing.provenance import Certainty

if TYPE_CHECKING:
    from adebug_lsp.languages.python.reading.run import Record

_CONDITIONAL = frozenset({"If", "While", "For", "AsyncFor", "match_case", "ExceptHandler"})
_WENT = ("branch", "iteration", "case", "handler")
"""Records that show which way a compound statement went."""


@define(eq=False)
class Control:
    """The control dependences of one run."""

    evaluations: Evaluations
    index: RecordIndex
    _jumps: dict[tuple[int, int], list[tuple[int, int]]] = field(factory=dict)
    _known: dict[tuple[int, int, int], Edges] = field(factory=dict)
    """A cache by activation, statement and position; it has as many entries as a slice has statements."""
    _calls: dict[int, Edges] = field(factory=dict)

    def of(self, activation: int, node: int, position: int) -> Edges:
        """What decided that a statement was executed, given by some syntax in it and the position of its record."""
        module = self.evaluations.run.spans[activation].routine.module
        statement = statement_of(module, node)
        key = (activation, statement, position)
        if key not in self._known:
            edges = self._around(module, activation, statement, position)
            self._known[key] = edges + self._not_jumped(module, activation, statement, position)
        return list(self._known[key])

    def _around(self, module: Module, activation: int, statement: int, position: int) -> Edges:
        """The conditions, loops and handlers around a statement."""
        nodes = module.nodes
        if statement >= 0 and nodes[statement].kind in LOOPS:
            before = self._last_record(module, activation, "iteration", statement, position)
            begun = self._last_record(module, activation, "loop", statement, position)
            if before is not None and (begun is None or before > begun):
                return self.head(activation, before, Dependence.CONTROL)
        around = nodes[statement].parent if statement >= 0 else -1
        while around >= 0 and nodes[around].kind not in SCOPES:
            if nodes[around].kind in _CONDITIONAL:
                kinds = ("iteration",) if nodes[around].kind in LOOPS else ("branch", "case", "handler")
                markers = self.index.markers(module, kinds, around)
                last = self.index.last(activation, markers, position + 1)
                if last is not None:
                    return self.head(activation, last, Dependence.CONTROL)
            around = nodes[around].parent
        if activation not in self._calls:
            self._calls[activation] = self._called(activation)
        return list(self._calls[activation])

    def _last_record(self, module: Module, activation: int, kind: str, node: int, before: int) -> int | None:
        """The position of an activation's last record of one kind about a piece of syntax."""
        return self.index.last(activation, self.index.markers(module, [kind], node), before)

    # Jumps

    def _not_jumped(self, module: Module, activation: int, statement: int, position: int) -> Edges:
        """The last conditions under which a `return`, `raise`, `break` or `continue` would have skipped a statement.

        Earlier ones follow from these: each had to let the next one be reached.
        """
        around = [] if statement < 0 else module.ancestors(statement)
        edges: Edges = []
        for head, loop in self._jumps_of(module, activation):
            if head in around or (loop >= 0 and loop not in around):
                continue
            begun = -1 if loop < 0 else self._last_record(module, activation, "loop", loop, position) or -1
            markers = self.index.markers(module, _WENT, head)
            last = self.index.last(activation, markers, position, begun)
            if last is not None:
                edges += self.head(activation, last, Dependence.CONTROL)
        return edges

    def _jumps_of(self, module: Module, activation: int) -> list[tuple[int, int]]:
        """Conditional statements of a routine with a jump inside, each with the loop that it leaves, or -1."""
        routine = self.evaluations.run.spans[activation].routine
        key = (module.first, routine.index)
        if key not in self._jumps:
            jumps = set()
            inside = module.inside(routine.node) if routine.node >= 0 else range(len(module.nodes))
            for number in inside:
                kind = module.nodes[number].kind
                if kind not in ("Return", "Raise", "Break", "Continue"):
                    continue
                loops = module.loops_around(number) if kind in ("Break", "Continue") else ()
                heads = [n for n in module.ancestors(number) if module.nodes[n].kind in _CONDITIONAL]
                if heads and (not loops or heads[0] != loops[0]):
                    jumps.add((heads[0], loops[0] if loops else -1))
            self._jumps[key] = sorted(jumps)
        return self._jumps[key]

    # Heads of compound statements

    def head(self, activation: int, position: int, dependence: Dependence) -> Edges:
        """What decided which way a compound statement went, given the record of that."""
        record = self.evaluations.run.record(position)
        module, node = record.marker.module, record.marker.node
        kind = module.nodes[node].kind
        if record.marker.kind == "handler":
            return self._raised(activation, record, dependence)
        if kind == "match_case":
            match = module.nodes[node].parent
            begun = self._last_record(module, activation, "with", match, position)
            subject = module.children(match)[0]
            return [Edge(Evaluation(activation, subject, position if begun is None else begun), dependence)]
        if kind in ("For", "AsyncFor"):
            edges = self._iterable(activation, module, node, position, dependence)
        elif record.marker.kind == "after":
            tested = self._last_record(module, activation, "last_test", node, position)
            begun = self._last_record(module, activation, "iteration", node, position) or -1
            at = tested if tested is not None and tested > begun else position
            edges = [Edge(Evaluation(activation, module.children(node)[0], at), dependence)]
        else:
            test = module.children(node)[0] if record.marker.test is None else record.marker.test
            edges = [Edge(Evaluation(activation, test, position), dependence)]
        if record.marker.kind == "after":
            edges += self._left_early(activation, module, node, position, dependence)
        return edges

    def iterable(self, activation: int, module: Module, loop: int, position: int) -> Evaluation:
        """The iterable of a loop, as evaluated when the loop began."""
        begun = self._last_record(module, activation, "loop", loop, position)
        return Evaluation(activation, module.children(loop)[1], position if begun is None else begun)

    def _iterable(self, activation: int, module: Module, loop: int, position: int, dependence: Dependence) -> Edges:
        """The iterable of a loop, and the number of its elements."""
        iterable = self.iterable(activation, module, loop, position)
        edges: Edges = [Edge(iterable, dependence)]
        value = self.evaluations.value(iterable)
        if value is not None and isinstance(self.evaluations.run.recording.values.value(value[0]), Object):
            edges.append(Edge(Shape(value[0], position), dependence))
        return edges

    def _left_early(self, activation: int, module: Module, loop: int, position: int, dependence: Dependence) -> Edges:
        """The conditions under which a loop would have ended early."""
        begun = self._last_record(module, activation, "loop", loop, position) or -1
        edges: Edges = []
        for head, jumped in self._jumps_of(module, activation):
            if jumped == loop or (jumped < 0 and loop in module.ancestors(head)):
                last = self.index.last(activation, self.index.markers(module, _WENT, head), position, begun)
                edges += [] if last is None else self.head(activation, last, dependence)
        return edges

    def _raised(self, activation: int, handler: "Record", dependence: Dependence) -> Edges:
        """The statement that raised a caught exception; everything in the `try` if that is not recorded."""
        run, position = self.evaluations.run, handler.position
        own = run.own(run.spans[activation])
        index = int(np.searchsorted(own, position))
        before = run.record(int(own[index - 1])) if index else None
        if before is not None and before.marker.kind == "raise":
            return [Edge(Executed(activation, before.marker.node, before.position), dependence)]
        edges: Edges = []
        for call in self.evaluations.calls(activation, -1 if before is None else before.position, position):
            records = (run.record(place) for place in run.own(call)[::-1].tolist())
            last = next((record for record in records if record.marker.kind in MAIN), None)
            if call.raised and last is not None:
                edges.append(Edge(Executed(call.number, last.marker.node, last.position), dependence))
        module = handler.marker.module
        body = module.children(module.nodes[handler.marker.node].parent)
        body = [n for n in body if module.nodes[n].kind != "ExceptHandler" and n < handler.marker.node]
        return edges + [Edge(Evaluation(activation, n, position), dependence, Certainty.UNKNOWN) for n in body]

    # Calls

    def sites(self, call: Span) -> list[tuple[Evaluation, Certainty]]:
        """The expression that began an activation; every candidate if it is not recorded."""
        site = self.evaluations.call_site(call)
        if site is not None:
            return [(site, Certainty.EXACT)]
        activation = self._caller(call)
        if activation < 0:
            return []
        routine = self.evaluations.run.spans[activation].routine
        module = routine.module
        inside = module.inside(routine.node) if routine.node >= 0 else range(len(module.nodes))
        calls = [Evaluation(activation, n, call.first) for n in inside if module.nodes[n].kind == "Call"]
        named = [e for e in calls if self.evaluations.called_name(e) == call.routine.name]
        return [(e, Certainty.DERIVED if len(named) == 1 else Certainty.UNKNOWN) for e in named]

    def _caller(self, call: Span) -> int:
        """The activation that made a call; -1 if none did."""
        activation = self.evaluations.run.spans.activation[call.parent] if call.parent >= 0 else -1
        return -1 if activation == call.number else activation

    def _called(self, activation: int) -> Edges:
        """The call that began an activation, and the choice of the routine."""
        call = self.evaluations.run.spans[activation]
        sites = self.sites(call)
        if not sites:
            return self._library_caller(call)
        edges: Edges = []
        for site, certainty in sites:
            module = self.evaluations.module(site)
            executed = Executed(site.activation, statement_of(module, site.node), site.position)
            edges.append(Edge(executed, Dependence.CONTROL, certainty))
            if module.nodes[site.node].kind == "Call":
                function = self.evaluations.children(site)[0]
                if self.evaluations.syntax(function).kind == "Attribute":
                    function = self.evaluations.children(function)[0]
                if self.evaluations.syntax(function).kind != "Call":
                    edges.append(Edge(function, Dependence.CONTROL, certainty))
        return edges

    def _library_caller(self, call: Span) -> Edges:
        """For a call that library code made: the statement before it, which depends on the same conditions."""
        run, activation = self.evaluations.run, self._caller(call)
        if activation < 0:
            return []
        own = run.own(run.spans[activation])
        index = int(np.searchsorted(own, call.first))
        if not index:
            return [Edge(Executed(activation, -1, run.spans.first[activation]), Dependence.CONTROL, Certainty.UNKNOWN)]
        record = run.record(int(own[index - 1]))
        executed = Executed(activation, record.marker.node, record.position)
        following = self.evaluations.window_around(activation, call.last + 1)
        edges: Edges = [Edge(executed, Dependence.CONTROL, Certainty.UNKNOWN)]
        if following:
            statement = Evaluation(activation, following[-1].marker.node, following[-1].position)
            edges.append(Edge(statement, Dependence.CONTROL, Certainty.UNKNOWN))
        return edges
