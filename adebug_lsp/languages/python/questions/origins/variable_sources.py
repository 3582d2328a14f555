"""Sources of variables: assignments, unpacking, loops, comprehensions, `with`, parameters and defaults."""

import numpy as np
from attrs import define

from adebug_lsp.languages.python.questions.origins.call_arguments import CallArguments
from adebug_lsp.languages.python.questions.origins.evaluations import Evaluations
from adebug_lsp.languages.python.questions.origins.parts import Evaluation, Index, Path, Source, TracedPart
from adebug_lsp.languages.python.reading.run import Record
from adebug_lsp.languages.python.reading.static import STATEMENTS, Module
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.slicing.provenance import Certainty, HandOver, Made

_MOST_SEARCHED = 1000
"""Records searched for the call that made a generator."""
_PATTERNS = ("Tuple", "List", "Starred")
_CONSTRUCTORS = ("__init__", "__post_init__")


@define(eq=False)
class VariableSources:
    """The variables of one run."""

    evaluations: Evaluations

    def source(self, evaluation: Evaluation, path: Path) -> Source:
        """The source of the value that a name had when it was read."""
        name = str(self.evaluations.syntax(evaluation).extra)
        assigned = self._assigned_before(evaluation, name)
        if assigned is not None:
            return HandOver(TracedPart(assigned, path), f"assigned to {name}")
        place = self.evaluations.place(evaluation, name)
        if place is None:
            return Made(f"{name} is not bound by recorded code")
        return self.stored(place, name, path)

    def _assigned_before(self, evaluation: Evaluation, name: str) -> Evaluation | None:
        """The value of an earlier `:=` in the same statement."""
        module = self.evaluations.module(evaluation)
        statement = next((n for n in module.ancestors(evaluation.node) if module.nodes[n].kind in STATEMENTS), -1)
        for number in reversed(module.inside(statement) if statement >= 0 else []):
            if module.nodes[number].kind != "NamedExpr" or number > evaluation.node:
                continue
            target, value = module.children(number)
            if module.nodes[target].extra == name and evaluation.node not in module.inside(number):
                assigned = Evaluation(evaluation.activation, value, evaluation.position)
                if self.evaluations.value(Evaluation(evaluation.activation, number, evaluation.position)):
                    return assigned
        return None

    def stored(self, place: int, name: str, path: Path) -> Source:
        """The source of the word at a place, for a variable of this name."""
        record = self.evaluations.run.record_around(place)
        activation = self.evaluations.owner(record.position)
        node = record.marker.slots[place - record.position - 1]
        module = record.marker.module
        if record.marker.kind == "enter":
            return self.parameter(self.evaluations.run.spans[activation], name, path)
        if node < 0:
            return self._unnamed(activation, record, int(self.evaluations.run.recording.words[place]), name, path)
        if module.nodes[node].kind != "Bound":
            evaluation = Evaluation(activation, node, record.position)
            return HandOver(TracedPart(evaluation, path), f"assigned to {name}")
        if not path and module.nodes[module.nodes[node].parent].kind == "Starred":
            return Made(f"collected by unpacking into *{name}")
        pattern, around = self.pattern(module, node, path, record.position)
        kind = module.nodes[around].kind
        if kind in ("For", "AsyncFor", "comprehension"):
            return self._element(activation, record, around, pattern, name)
        if kind == "withitem":
            return self._entered(activation, record, around, pattern, name)
        value = module.children(around)[-1]
        how = f"assigned to {name}" if pattern == path else f"unpacked into {name}"
        return HandOver(TracedPart(Evaluation(activation, value, record.position), pattern), how)

    @staticmethod
    def pattern(module: Module, node: int, path: Path, moment: int) -> tuple[Path, int]:
        """The path from an unpacked value to one of its targets, and the node of all targets."""
        around = module.nodes[node].parent
        while module.nodes[around].kind in _PATTERNS:
            if module.nodes[around].kind == "Starred":
                node, around = around, module.nodes[around].parent
                siblings = module.children(around)
                if path and isinstance(path[0], Index) and path[0].number >= 0:
                    path = (Index(path[0].number + siblings.index(node), moment), *path[1:])
            else:
                siblings = module.children(around)
                place = siblings.index(node)
                after_star = any(module.nodes[n].kind == "Starred" for n in siblings[:place])
                path = (Index(place - len(siblings) if after_star else place, moment), *path)
            node, around = around, module.nodes[around].parent
        return path, around

    # Loops and comprehensions

    def _element(self, activation: int, record: Record, around: int, path: Path, name: str) -> Source:
        """The source of an element that a loop or comprehension iterates over."""
        module = record.marker.module
        how = f"the element that {name} stands for"
        step = self._generator_step(activation, record)
        if step is not None:
            return HandOver(TracedPart(step, path), how)
        number, start = self._count(activation, record, around)
        iterated = Evaluation(activation, module.children(around)[1], start)
        return HandOver(TracedPart(iterated, (Index(number, record.position), *path)), how)

    def _generator_step(self, activation: int, record: Record) -> Evaluation | None:
        """What a generator, or a method `__next__`, yielded for the iteration that a record begins."""
        own = self.evaluations.run.own(self.evaluations.run.spans[activation])
        index = int(np.searchsorted(own, record.position, "left"))
        calls = self.evaluations.calls(activation, int(own[index - 1]) if index else -1, record.position)
        if not calls:
            return None
        returned = self.evaluations.returned(calls[-1])
        if returned is None or calls[-1].routine.name == "__iter__":
            return None
        words = [word for number, word in zip(record.marker.slots, record.words, strict=False) if number >= 0]
        parts = [returned[1]] if len(words) == 1 else self.evaluations.items(returned[1], record.position) or ()
        return returned[0] if any(self.evaluations.same(part, words[0]) for part in parts[:1]) else None

    def _count(self, activation: int, record: Record, around: int) -> tuple[int, int]:
        """The number of earlier iterations, and the position of a record by which the iterable was evaluated."""
        run, module = self.evaluations.run, record.marker.module
        span = run.spans[activation]
        if module.nodes[around].kind != "comprehension":
            loops = [module.first + i for i, m in enumerate(module.markers) if m.kind == "loop" and m.node == around]
            begun = run.with_markers(span, span.first, record.position, loops)
            start = begun[-1] if begun else span.first
            mine = [
                module.first + i for i, m in enumerate(module.markers) if m.kind == "iteration" and m.node == around
            ]
            return len(run.with_markers(span, start, record.position - 1, mine)), start
        return self._count_comprehension(activation, record, around)

    def _count_comprehension(self, activation: int, record: Record, around: int) -> tuple[int, int]:
        """The same for a comprehension."""
        module = record.marker.module
        bound = {n for n in module.inside(module.children(around)[0]) if module.nodes[n].kind == "Bound"}
        generators = [
            n for n in module.children(module.nodes[around].parent) if module.nodes[n].kind == "comprehension"
        ]
        outer = {n for g in generators[: generators.index(around)] for n in module.inside(module.children(g)[0])}
        count = 0
        for earlier in self.evaluations.window_before(activation, record.position):
            if earlier.position == record.position or earlier.marker.kind != "comprehension":
                continue
            if outer.intersection(earlier.marker.slots):
                return count, earlier.position + 1
            count += bool(bound.intersection(earlier.marker.slots))
        return count, record.position

    def _entered(self, activation: int, record: Record, around: int, path: Path, name: str) -> Source:
        """What `__enter__` returned; the context manager if it returned itself or is not recorded."""
        own = self.evaluations.run.own(self.evaluations.run.spans[activation])
        index = int(np.searchsorted(own, record.position, "left"))
        calls = self.evaluations.calls(activation, int(own[index - 1]) if index else -1, record.position)
        how = f"entered as {name}"
        for call in reversed(calls):
            returned = self.evaluations.returned(call)
            if returned is not None:
                return HandOver(TracedPart(returned[0], path), how)
        manager = Evaluation(activation, record.marker.module.children(around)[0], int(own[index - 1]) if index else 0)
        return HandOver(TracedPart(manager, path), how, Certainty.DERIVED)

    def _unnamed(self, activation: int, record: Record, word: int, name: str, path: Path) -> Source:
        """The source of a caught exception, or of what a pattern of `match` captured."""
        if record.marker.kind == "handler":
            raised = self.raised(word, record.position)
            return (
                Made("an exception that code outside of the recording raised")
                if raised is None
                else HandOver(TracedPart(raised, path), f"caught as {name}")
            )
        if record.marker.kind == "case":
            subject = self._matched_subject(activation, record)
            captured = None if subject is None else self._captured(subject, word, record.position)
            if captured is None and subject is not None and path:  # a rest, which is a new list
                inner = self.evaluations.part_at(word, path[0], record.position)
                captured = None if inner is None else self._captured(subject, inner, record.position)
                path = path[1:]
            if captured is not None:
                return HandOver(
                    TracedPart(captured.evaluation, (*captured.path, *path)), f"captured as {name}", Certainty.DERIVED
                )
        return Made(f"{name} was bound here", Certainty.UNKNOWN)

    def raised(self, word: int, before: int) -> Evaluation | None:
        """The expression whose value was raised: where the exception first appears."""
        words = self.evaluations.run.recording.words
        for place in np.flatnonzero(words[:before] == word)[:4].tolist():
            record = self.evaluations.run.record_around(place)
            number = record.marker.slots[place - record.position - 1] if record.position != place else -1
            if number >= 0 and record.marker.module.nodes[number].kind not in STATEMENTS:
                return Evaluation(self.evaluations.owner(record.position), number, record.position)
        return None

    def _matched_subject(self, activation: int, record: Record) -> Evaluation | None:
        module = record.marker.module
        match = module.nodes[record.marker.node].parent
        heads = [module.first + i for i, m in enumerate(module.markers) if m.kind == "with" and m.node == match]
        span = self.evaluations.run.spans[activation]
        begun = self.evaluations.run.with_markers(span, span.first, record.position, heads)
        return Evaluation(activation, module.children(match)[0], begun[-1]) if begun else None

    def _captured(self, subject: Evaluation, word: int, moment: int) -> TracedPart | None:
        value = self.evaluations.value(subject)
        path = None if value is None else self.evaluations.path_to(value[0], word, moment)
        return None if path is None else TracedPart(subject, path)

    # Parameters

    def parameter(self, call: Span, name: str, path: Path) -> Source:
        """The source of a parameter: an argument or its default."""
        module = call.routine.module
        signature = module.signatures.get(call.routine.node)
        site = self.evaluations.call_site(call)
        how = f"passed to {call.routine.qualname} as {name}"
        if signature is None:
            return Made("the recording has no signatures", Certainty.UNKNOWN)
        site = self._creation(call) if site is None and call.token >= 0 else site
        if site is None:
            return self._from_library(call, name, path)
        node = self.evaluations.syntax(site)
        if node.kind != "Call":
            return self._operand(call, site, signature.positional, name, path)
        arguments = CallArguments(self.evaluations, site)
        shift = self._bound_before(call, arguments)
        if shift and signature.positional[:1] == (name,):
            return self._receiver(call, arguments, path, how)
        part = arguments.parameter(signature, name, path, shift)
        if part is not None:
            return HandOver(part, how)
        if name in (signature.rest, signature.others) and not path:
            return Made(f"the arguments of {call.routine.qualname}")
        if name in signature.defaults:
            return self._default(call, signature.defaults[name], name, path)
        return Made(f"it is not known which argument {name} got", Certainty.UNKNOWN)

    def _creation(self, call: Span) -> Evaluation | None:
        """The call that made a generator or coroutine: the last one that names it, in the enclosing activations."""
        run = self.evaluations.run
        first = run.steps_to(call.number)[:1] or [call]
        around = first[0].parent
        while around >= 0:
            activation = run.spans.activation[around]
            window = self.evaluations.window_around(activation, first[0].last + 1)
            own = run.own(run.spans[activation])
            before = own[: int(np.searchsorted(own, first[0].first))][-_MOST_SEARCHED:][::-1].tolist()
            for record in (*window[::-1], *map(run.record, before)):
                for node in record.marker.slots:
                    evaluation = Evaluation(activation, node, record.position)
                    if node >= 0 and self.evaluations.called_name(evaluation) == call.routine.name:
                        return evaluation
            around = run.spans.parent[activation]
        return None

    def _bound_before(self, call: Span, arguments: CallArguments) -> int:
        """The number of parameters that a call bound by itself: the receiver of a method."""
        module = call.routine.module
        decorators = {
            module.nodes[n].extra for n in module.children(call.routine.node) if module.nodes[n].kind == "Name"
        }
        if not call.routine.method or "staticmethod" in decorators:
            return 0
        function = self.evaluations.syntax(arguments.function)
        if call.routine.name in _CONSTRUCTORS or function.kind != "Attribute" or "classmethod" in decorators:
            return 1
        owner = self.evaluations.text(self.evaluations.children(arguments.function)[0])
        return 0 if owner == call.routine.qualname.split(".")[-2] else 1

    def _receiver(self, call: Span, arguments: CallArguments, path: Path, how: str) -> Source:
        if call.routine.name in _CONSTRUCTORS:
            return Made(f"an object made by {self.evaluations.text(arguments.function)}()")
        function = self.evaluations.syntax(arguments.function)
        if function.kind != "Attribute":
            return HandOver(TracedPart(arguments.function, path), how, Certainty.DERIVED)
        return HandOver(TracedPart(self.evaluations.children(arguments.function)[0], path), how)

    def _operand(self, call: Span, site: Evaluation, positional: tuple[str, ...], name: str, path: Path) -> Source:
        """An operand of an operator that a method implements."""
        how = f"passed to {call.routine.qualname} as {name}"
        operands = self.evaluations.children(site)
        number = positional.index(name) if name in positional else -1
        if call.routine.name.startswith("__r") and call.routine.name != "__round__" and len(operands) == 2:
            operands = operands[::-1]
        if 0 <= number < len(operands):
            return HandOver(TracedPart(operands[number], path), how)
        return Made("passed by the interpreter", Certainty.UNKNOWN)

    def _default(self, call: Span, node: int, name: str, path: Path) -> Source:
        """The default of a parameter, as evaluated with the definition."""
        run, module = self.evaluations.run, call.routine.module
        definition = call.routine.node
        markers = [
            module.first + i for i, m in enumerate(module.markers) if m.node == definition and m.kind == "statement"
        ]
        if module.nodes[definition].kind == "Lambda":
            return Made("the default of a lambda")
        positions = run.positions(markers)
        before = positions[: int(np.searchsorted(positions, call.first))]
        if not len(before):
            return Made("the default of a parameter")
        position = int(before[-1])
        evaluation = Evaluation(self.evaluations.owner(position), node, position)
        return HandOver(TracedPart(evaluation, path), f"the default of {name}")

    def _from_library(self, call: Span, name: str, path: Path) -> Source:
        """The argument that library code passed on: the equal one among the arguments of its own call."""
        run = self.evaluations.run
        first = run.record(call.first)
        word = next((first.words[slot] for stored, slot in first.marker.stores if stored == name), None)
        if call.parent < 0 or word is None:
            return Made(f"passed to {call.routine.qualname} by code that is not recorded", Certainty.UNKNOWN)
        activation = run.spans.activation[call.parent]
        window = self.evaluations.window_around(activation, call.last + 1)
        if not window:
            return Made(f"passed to {call.routine.qualname} by code that is not recorded", Certainty.UNKNOWN)
        module, position = window[-1].marker.module, window[-1].position
        for node in window[-1].marker.slots[::-1]:
            if node < 0 or module.nodes[node].kind != "Call":
                continue
            source = self.evaluations.part_of_arguments(
                CallArguments(self.evaluations, Evaluation(activation, node, position)).all, word, call.first
            )
            if source is not None:
                part = TracedPart(source.evaluation, (*source.path, *path))
                return HandOver(part, f"passed on to {call.routine.qualname}", Certainty.DERIVED)
        return Made(f"passed to {call.routine.qualname} by code that is not recorded", Certainty.UNKNOWN)
