"""Evaluations of expressions in a recording: their values, the calls that they made, and the call site of an
activation.

A statement leaves one main record, and before it some for what it evaluated on the way. Together they are its *window*.
Calls and the activations that they began are matched inside a window, by name, value and order.
"""

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import define, field

from adebug_lsp.languages.python.questions.describe.globals import Globals
from adebug_lsp.languages.python.questions.executed_parts import BETWEEN, MAIN
from adebug_lsp.languages.python.questions.origins.parts import (
    Attribute,
    Evaluation,
    Index,
    Item,
    Path,
    Step,
    TracedPart,
    Variable,
)
from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.reading.recorded_values import Atom, Derived, Object, TupleLike
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import STATEMENTS, Module, Node
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.sandbox.closures import comprehension_variables
from adebug_lsp.model.kinds import NodeKind

COMPREHENSIONS = frozenset({"ListComp", "SetComp", "DictComp", "GeneratorExp"})
_LONGEST_WINDOW = 20_000
"""Records of a window that are read; a comprehension leaves several for each of its iterations."""
_AT_ONCE = 32
"""Records of a window that are read together; most windows are shorter."""
_DEEPEST, _MOST_PARTS = 4, 5_000
"""Depth, and number of parts, up to which a value is searched inside another."""
_MOST_CALLS = 2_000
"""Calls of one window that are matched."""
_ENDS = MAIN | BETWEEN
_INITIALISERS = ("__init__", "__new__", "__post_init__")
_INTERRUPTIONS = ("raised", "left", "enter")
"""Records that end a statement without a record of its own: an exception, or the call that raised it."""
_OPERATORS = frozenset({"BinOp", "UnaryOp", "Compare", "Subscript", "AugAssign", "Attribute", "Await", "JoinedStr"})
"""Expressions other than calls that can call methods of a class."""

UNKNOWN_VALUE: Any = object()
"""Stands for a value that is not plain; equal to nothing else."""


@define(eq=False)
class Evaluations:
    """All evaluations of one run."""

    run: Run
    global_variables: Globals
    _matches: dict[tuple[int, int], dict[int, Span]] = field(factory=dict)
    _slotted: dict[int, frozenset[int]] = field(factory=dict)

    def module(self, evaluation: Evaluation) -> Module:
        """The module of an evaluated expression."""
        return self.run.spans.routines[self.run.spans.routine[evaluation.activation]].module

    def syntax(self, evaluation: Evaluation) -> Node:
        """The syntax node of an evaluated expression."""
        return self.module(evaluation).nodes[evaluation.node]

    def children(self, evaluation: Evaluation) -> list[Evaluation]:
        """The expressions directly inside, as evaluated for this one."""
        numbers = self.module(evaluation).children(evaluation.node)
        return [Evaluation(evaluation.activation, number, evaluation.position) for number in numbers]

    def text(self, evaluation: Evaluation) -> str:
        """The source of an evaluated expression on one line."""
        return " ".join(self.module(evaluation).text(evaluation.node).split())

    # Values

    def value(self, evaluation: Evaluation) -> tuple[int, int] | None:
        """The word of the value, and the position of its record; None if no record has it."""
        if isinstance(evaluation, Variable):
            return int(self.run.recording.words[evaluation.place]), evaluation.position
        recorded = self._recorded(evaluation)
        if recorded is not None:
            return recorded
        node = self.syntax(evaluation)
        if node.kind == "Name":
            place = self.place(evaluation, str(node.extra))
            return None if place is None else (int(self.run.recording.words[place]), evaluation.position)
        if node.kind == "Call":
            call = self._call_in_assertion(evaluation)
            returned = None if call is None else self.returned(call)
            return None if returned is None else (returned[1], evaluation.position)
        constant = self.constant(evaluation) if node.kind in ("Constant", "UnaryOp") else UNKNOWN_VALUE
        if isinstance(constant, str | int | None) and not isinstance(constant, bool):
            return self.run.heap.make(constant), evaluation.position
        return None

    def _recorded(self, evaluation: Evaluation) -> tuple[int, int] | None:
        if evaluation.node not in self._slots_of(self.module(evaluation)):
            return None
        for record in self.window_before(evaluation.activation, evaluation.position):
            for number, word in zip(record.marker.slots, record.words, strict=False):
                if number == evaluation.node:
                    return word, record.position
        return None

    def place(self, evaluation: Evaluation, name: str) -> int | None:
        """The position of the word that a name had when an expression read it."""
        span = self.run.spans[evaluation.activation]
        if name in comprehension_variables(span.routine.module, evaluation.node):
            place = self.run.variables(span).place_in_iteration(name, evaluation.position)
            if place is not None:
                return place
        return self.place_at(span, name, evaluation.position)

    def variable(self, activation: Span, name: str, moment: int) -> Variable | None:
        """A variable as an activation would read it at a moment."""
        place = self.place_at(activation, name, moment)
        if place is None:
            return None
        record = self.run.record_around(place)
        return Variable(self.owner(record.position), -1, record.position, name, place)

    def place_at(self, span: Span, name: str, moment: int) -> int | None:
        """The position of the word that a local, free or global variable had at a moment."""
        run, routine, module = self.run, span.routine, span.routine.module
        is_local = routine.kind != "module" and name not in routine.global_names
        if is_local and name in run.variables(span).names:
            own = run.variables(span).place(name, moment)
            bound = [place for place in (own, self.global_variables.nonlocal_place(span, name, moment)) if place]
            if bound:
                return max(bound)  # otherwise it may be declared `nonlocal`, and not yet bound here
        place = self.global_variables.free_place(span, name, moment) if is_local else None
        return self.global_variables.place(module, name, moment) if place is None else place

    def _slots_of(self, module: Module) -> frozenset[int]:
        """The nodes of a module whose values are in some record."""
        if module.first not in self._slotted:
            nodes = (number for marker in module.markers for number in marker.slots)
            self._slotted[module.first] = frozenset(nodes)
        return self._slotted[module.first]

    def plain(self, word: int) -> Any:
        """The plain value of a word that is an atom, otherwise `UNKNOWN_VALUE`."""
        described = self.run.recording.values.value(word)
        return described.value if isinstance(described, Atom) else UNKNOWN_VALUE

    def constant(self, evaluation: Evaluation) -> Any:
        """The value of a literal."""
        try:
            return ast.literal_eval(self.text(evaluation))
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return UNKNOWN_VALUE

    def literal_length(self, evaluation: Evaluation) -> int | None:
        """The length of a literal piece of an f-string, with doubled braces as one."""
        text = self.module(evaluation).text(evaluation.node)
        return None if "{" in text or "}" in text or "\\" in text else len(text)

    def truth(self, evaluation: Evaluation) -> bool | None:
        """Whether a condition was true; None if that is not recorded."""
        value = self.value(evaluation)
        if value is None:
            return None
        plain = self.plain(value[0])
        if plain is not UNKNOWN_VALUE:
            return bool(plain)
        items = self.items(value[0], evaluation.position)
        return None if items is None else bool(items)

    def same(self, left: int, right: int) -> bool:
        """Whether two words are the same object, or equal atoms, which have no identity."""
        if left == right:
            return True
        first, second = (self.run.recording.values.value(word) for word in (left, right))
        if isinstance(first, Atom):
            return isinstance(second, Atom) and first.type == second.type and first.value == second.value
        if isinstance(first, Derived):
            return isinstance(second, Derived) and first.type == second.type and self.same(first.value, second.value)
        return isinstance(first, TupleLike) and first == second

    def items(self, word: int, moment: int) -> tuple[int, ...] | None:
        """The words that iterating over a container yields; None if that is not recorded."""
        described = self.run.recording.values.value(word)
        if isinstance(described, Derived) and described.type.base == "tuple":
            described = self.run.recording.values.value(described.value)
        if isinstance(described, TupleLike) and described.type in ("tuple", "frozenset"):
            return described.items
        if isinstance(described, (Atom, TupleLike, Derived)):
            return None
        state = self.run.heap.state(word, moment)
        if state.uncertain or not state.shape:
            return None
        return tuple(key for key, _ in state.pairs) if state.shape == "mapping" else state.items

    def parts(self, word: int, moment: int) -> list[tuple[Step, int]]:
        """The parts of a value, each with the step to it."""
        described = self.run.recording.values.value(word)
        if isinstance(described, Derived) and described.type.base == "tuple":
            names = [name for name, _shown, _compared in described.type.fields or ()]
            items = self.items(word, moment) or ()
            named: list[tuple[Step, int]] = [
                (Attribute(n, moment), item) for n, item in zip(names, items, strict=False)
            ]
            return named or [(Index(index, moment), item) for index, item in enumerate(items)]
        if isinstance(described, TupleLike):
            return [(Index(index, moment), item) for index, item in enumerate(self.items(word, moment) or ())]
        if not isinstance(described, Object):
            return []
        state = self.run.heap.state(word, moment)
        parts: list[tuple[Step, int]] = [(Attribute(name, moment), value) for name, value in state.attributes]
        parts += [(Item(key, moment), value) for key, value in state.pairs]
        return parts + [(Index(index, moment), value) for index, value in enumerate(state.items)]

    def part_at(self, word: int, step: Step, moment: int) -> int | None:
        """The word of a part of a value at a moment."""
        if isinstance(step, Index):
            items = self.items(word, moment)
            return items[step.number] if items and -len(items) <= step.number < len(items) else None
        for other, inner in self.parts(word, moment):
            if isinstance(step, Attribute) and isinstance(other, Attribute) and other.name == step.name:
                return inner
            if (
                isinstance(step, Item)
                and isinstance(other, Item)
                and self.run.heap.is_same_key(other.key, step.key, moment)
            ):
                return inner
        return None

    def path_to(self, whole: int, part: int, moment: int) -> Path | None:
        """The path to a value inside another: to the same object or an equal atom, the nearest one."""
        waiting: list[tuple[int, Path]] = [(whole, ())]
        seen = {whole}
        for word, path in waiting:  # grows while it is read
            if self.same(word, part):
                return path
            if len(path) < _DEEPEST and len(waiting) < _MOST_PARTS:
                inside = [
                    (step, inner) for step, inner in self.parts(word, moment) if inner not in seen or inner == part
                ]
                seen.update(inner for _, inner in inside)
                waiting += [(inner, (*path, step)) for step, inner in inside]
        return None

    def difference(self, left: int, right: int, moment: int) -> Path:
        """The path to the first part in which two values differ; empty if they differ as a whole."""
        path: list[Step] = []
        while len(path) < _DEEPEST:
            ours, theirs = self.parts(left, moment), self.parts(right, moment)
            if not ours or [_name_of(step) for step, _ in ours] != [_name_of(step) for step, _ in theirs]:
                break
            unequal = [(s, a, b) for (s, a), (_, b) in zip(ours, theirs, strict=True) if not self._equal(a, b, moment)]
            if len(unequal) != 1:
                break
            path.append(unequal[0][0])
            _, left, right = unequal[0]
        return tuple(path)

    def _equal(self, left: int, right: int, moment: int) -> bool:
        digest = self.run.formatter.digest
        return self.same(left, right) or digest(left, moment) == digest(right, moment)

    def part_of_arguments(self, arguments: list[Evaluation], word: int, moment: int) -> TracedPart | None:
        """The argument that is a value or contains it."""
        for argument in arguments:
            value = self.value(argument)
            if value is not None and (path := self.path_to(value[0], word, moment)) is not None:
                return TracedPart(argument, path)
        return None

    # Windows

    def window_before(self, activation: int, position: int) -> Iterator[Record]:
        """Records of the statement execution around a position, from that position backwards."""
        own = self.run.own(self.run.spans[activation])
        index = int(np.searchsorted(own, position, "right"))
        least = max(index - _LONGEST_WINDOW, 0)
        for stop in range(index, least, -_AT_ONCE):
            for place in own[max(stop - _AT_ONCE, least) : stop][::-1].tolist():
                record = self.run.record(place)
                if place != position and record.marker.kind in _ENDS:
                    return
                yield record

    def window_around(self, activation: int, position: int) -> list[Record]:
        """All records of the statement execution that contains or directly follows a position."""
        own = self.run.own(self.run.spans[activation])
        index = int(np.searchsorted(own, position, "left"))
        for start in range(index, min(index + _LONGEST_WINDOW, len(own)), _AT_ONCE):
            for place in own[start : start + _AT_ONCE].tolist():
                if self.run.record(place).marker.kind in _ENDS:
                    return list(self.window_before(activation, place))[::-1]
        return []

    def owner(self, position: int) -> int:
        """The activation that ran at a position."""
        spans = self.run.spans
        number = int(np.searchsorted(self._firsts(), position, "right")) - 1
        while number >= 0 and spans.last[number] < position:
            number = spans.parent[number]
        return spans.activation[number] if number >= 0 else -1

    # Calls

    def calls(self, activation: int, first: int, last: int) -> list[Span]:
        """Activations that an activation began itself between two positions; the last ones if there are many."""
        spans, calls = self.run.spans, list[Span]()
        number = int(np.searchsorted(self._firsts(), last, "right")) - 1
        while number > activation and spans.first[number] > first and len(calls) < _MOST_CALLS:
            child = number
            while child >= 0 and not self._is_call_of(child, activation):
                child = spans.parent[child]
            if child < 0:
                number -= 1
                continue
            calls.append(spans[child])
            number = child - 1
        return calls[::-1]

    def _firsts(self) -> Array:
        """The first position of each span, in order, without the artificial roots around tests."""
        spans = self.run.spans
        count = len(spans)
        while count and spans.routines[spans.routine[count - 1]].index < 0:
            count -= 1
        return np.frombuffer(spans.first, np.int64)[:count]

    def _is_call_of(self, number: int, activation: int) -> bool:
        spans = self.run.spans
        around = spans.parent[number]
        return spans.activation[number] == number and around >= 0 and spans.activation[around] == activation

    def returned(self, call: Span) -> tuple[Evaluation, int] | None:
        """The expression that an activation or step returned or yielded, and its value."""
        call = self._delegate(call)
        ending = self.run.ending(call)
        if ending is None or ending.marker.result is None or call.raised:
            return None
        node = ending.marker.slots[ending.marker.result]
        if node < 0:
            return None
        return Evaluation(call.number, node, ending.position), ending.words[ending.marker.result]

    def _delegate(self, step: Span) -> Span:
        """The step of the generator that a `yield from` ran, if a step ended there; otherwise the step itself."""
        while step.kind is NodeKind.GENERATOR:
            ending = self.run.ending(step)
            inner = [self.run.spans[n] for n in self.run.children(step.number) if self.run.spans.last[n] == step.last]
            if (ending is not None and ending.marker.kind != "delegate") or not inner:
                break
            step = inner[-1]
        return step

    def yields(self, step: Span) -> bool:
        """Whether a step of a generator ended with a `yield`."""
        ending = self.run.ending(self._delegate(step))
        return ending is not None and ending.marker.kind == "yield"

    def call(self, evaluation: Evaluation) -> Span | None:
        """The recorded activation that returned an expression's value."""
        if self.is_in_comprehension(evaluation):
            return self._call_in_comprehension(evaluation)
        if self.syntax(evaluation).kind == "Call" and self._recorded(evaluation) is None:
            return self._call_in_assertion(evaluation)
        window = self.window_around(evaluation.activation, evaluation.position)
        return self._matched(evaluation.activation, window).get(evaluation.node) if window else None

    def call_site(self, call: Span) -> Evaluation | None:
        """The expression that began an activation."""
        spans = self.run.spans
        if call.parent < 0:
            return None
        activation = spans.activation[call.parent]
        own = self.run.own(spans[activation])
        index = int(np.searchsorted(own, call.last, "right"))
        if index >= len(own) or call.raised:
            return self._interrupted_site(call, activation)
        after = self.run.record(int(own[index]))
        for number in after.marker.slots:
            evaluation = Evaluation(activation, number, after.position)
            inside = number >= 0 and self.is_in_comprehension(evaluation)
            if inside and self._call_in_comprehension(evaluation) == call:
                return evaluation
        window = self.window_around(activation, after.position)
        matched = self._matched(activation, window) if window else {}
        node = next((number for number, span in matched.items() if span.number == call.number), None)
        node = self._unused(call, activation, window, matched) if node is None and window else node
        return None if node is None else Evaluation(activation, node, window[-1].position)

    def _interrupted_site(self, call: Span, activation: int) -> Evaluation | None:
        """The call site of an activation that raised: its statement has no record, and follows the last that has."""
        span = self.run.spans[activation]
        own = self.run.own(span)
        index = int(np.searchsorted(own, call.first))
        if not call.raised or not index:
            return None
        module, last = span.routine.module, self.run.record(int(own[index - 1])).marker.node
        begin = (module.nodes[last].place if last >= 0 else None) or (0, 0, 0, 0)
        sites = [Evaluation(activation, n, call.first) for n in module.inside(span.routine.node) if n >= 0]
        places = {self.syntax(site).place: site for site in sites if self._is_named(call, site)}
        return next((places[place] for place in sorted(filter(None, places)) if place >= begin), None)

    def _unused(self, call: Span, activation: int, window: list[Record], matched: dict[int, Span]) -> int | None:
        """The call whose value is not recorded because nothing uses it, found by name and order."""
        if call.kind is not NodeKind.ROUTINE:  # a step of a generator is not at the call that made the generator
            return None
        sites = [site for site in self.sites_named(call, activation, window[-1]) if site not in matched]
        begun = [span.number for span in matched.values()]
        calls = [other for other in self._calls_of_window(activation, window) if other.number not in begun]
        same = [other.number for other in calls if other.routine is call.routine]
        return sites[same.index(call.number)] if len(sites) == len(same) and call.number in same else None

    def sites_named(self, call: Span, activation: int, record: Record) -> list[int]:
        """The expressions in a record's statement that name the routine of a call, in order of evaluation."""
        module = record.marker.module
        order = evaluation_order(module, _statement(module, record.marker.node))
        calls = (number for number in order if number >= 0 and module.nodes[number].kind == "Call")
        return [n for n in calls if self._is_named(call, Evaluation(activation, n, record.position))]

    def called_name(self, evaluation: Evaluation) -> str | None:
        """The name of the function that a call expression calls."""
        module = self.module(evaluation)
        if module.nodes[evaluation.node].kind != "Call":
            return None
        return str(module.nodes[module.children(evaluation.node)[0]].extra)

    def activations_named(self, name: str, evaluation: Evaluation) -> list[Span]:
        """Activations of the routines of a name that had begun when an expression was evaluated, newest first.

        Those of the same module come first, and before them those that the same activation waited for.
        """
        spans = self.run.spans
        numbers = [number for number, routine in enumerate(spans.routines) if routine.name == name]
        rows = np.flatnonzero(np.isin(np.frombuffer(spans.routine, np.int32), numbers)).tolist()
        begun = [spans[row] for row in rows if spans.activation[row] == row and spans.first[row] <= evaluation.position]
        start, module = spans.first[evaluation.activation], self.module(evaluation)
        return sorted(begun, key=lambda s: (s.first < start, s.routine.module is not module, -s.first))

    def callbacks(self, evaluation: Evaluation) -> list[Span]:
        """Activations during a statement that library code began."""
        return self.calls_during(evaluation)[1]

    def calls_during(self, evaluation: Evaluation) -> tuple[dict[int, Span], list[Span]]:
        """Activations during a statement: by the expression that made each call, and those that library code began."""
        window = self.window_around(evaluation.activation, evaluation.position)
        calls = self._calls_of_window(evaluation.activation, window) if window else []
        if not calls:
            return {}, []
        matched = self._matched(evaluation.activation, window)
        known = {span.number for span in matched.values()}
        return matched, [call for call in calls if call.number not in known]

    def is_in_comprehension(self, evaluation: Evaluation) -> bool:
        """Whether an expression is evaluated once for each iteration of a comprehension."""
        module = self.module(evaluation)
        for number in module.ancestors(evaluation.node):
            if module.nodes[number].kind in COMPREHENSIONS:
                return True
            if module.nodes[number].kind in STATEMENTS:
                return False
        return False

    def _call_in_comprehension(self, evaluation: Evaluation) -> Span | None:
        """A call in a comprehension, which leaves a record of its own directly after it."""
        value = self.value(evaluation)
        if value is None:
            return None
        own = self.run.own(self.run.spans[evaluation.activation])
        index = int(np.searchsorted(own, value[1], "left"))
        first = int(own[index - 1]) if index else -1
        calls = self.calls(evaluation.activation, first, value[1])
        fitting = [call for call in calls if self._gives(call, value[0])]
        named = [call for call in fitting if self._is_named(call, evaluation)]
        chosen = named or fitting
        return chosen[-1] if chosen else None

    def _call_in_assertion(self, evaluation: Evaluation) -> Span | None:
        """A call in an assertion that pytest rewrote: its parts are not recorded, and the record precedes the calls.

        A statement that an exception ended has no record; its calls precede the record of the exception.
        """
        marker = self.run.program.markers.get(int(self.run.recording.words[evaluation.position]))
        if marker is None or marker.kind not in ("assert", *_INTERRUPTIONS):
            return None
        span, first = self.run.spans[evaluation.activation], evaluation.position
        after = self.run.after(span, first)
        last = span.last if after is None else after.position
        if marker.kind in _INTERRUPTIONS:
            own = self.run.own(span)
            index = int(np.searchsorted(own, first))
            first, last = int(own[index - 1]) if index else -1, first
        calls = self.calls(evaluation.activation, first, last)
        named = [call for call in calls if self._is_named(call, evaluation)]
        module = self.module(evaluation)
        alike = [n for n in module.inside(_statement(module, evaluation.node)) if module.nodes[n].kind == "Call"]
        same = [
            n
            for n in alike
            if self.called_name(Evaluation(evaluation.activation, n, 0)) == self.called_name(evaluation)
        ]
        return named[-1] if named and len(same) == 1 else None

    def _calls_of_window(self, activation: int, window: list[Record]) -> list[Span]:
        own = self.run.own(self.run.spans[activation])
        index = int(np.searchsorted(own, window[0].position, "left"))
        return self.calls(activation, int(own[index - 1]) if index else -1, window[-1].position)

    def _matched(self, activation: int, window: list[Record]) -> dict[int, Span]:
        """The activation that each expression of a statement began."""
        key = (activation, window[-1].position)
        if key not in self._matches:
            self._matches[key] = self._match(activation, window)
        return self._matches[key]

    def _match(self, activation: int, window: list[Record]) -> dict[int, Span]:
        """Match calls to expressions: first by value, then by name and order."""
        module = window[-1].marker.module
        words = {n: w for record in window for n, w in zip(record.marker.slots, record.words, strict=False) if n >= 0}
        order = [n for n in evaluation_order(module, _statement(module, window[-1].marker.node)) if n in words]
        calling = [n for n in order if module.nodes[n].kind == "Call" or module.nodes[n].kind in _OPERATORS]
        matched: dict[int, Span] = {}
        calls = self._calls_of_window(activation, window)
        for by_name in (True, False):
            begin = 0
            for call in [call for call in calls if call.number not in {span.number for span in matched.values()}]:
                for index in range(begin, len(calling)):
                    node = calling[index]
                    evaluation = Evaluation(activation, node, window[-1].position)
                    named = self._is_named(call, evaluation) if by_name else module.nodes[node].kind == "Call"
                    if node not in matched and named and self._gives(call, words[node]):
                        matched[node] = call
                        begin = index + 1
                        break
        return matched

    def _is_named(self, call: Span, evaluation: Evaluation) -> bool:
        """Whether an expression names the routine of an activation: as a function, property, class or operator."""
        node, name = self.syntax(evaluation), call.routine.name
        if node.kind in ("BinOp", "UnaryOp", "Compare", "Subscript", "AugAssign", "JoinedStr"):
            return name.startswith("__")
        if node.kind == "Attribute":
            return node.extra == name or name in ("__getattr__", "__getattribute__", "__get__")
        if node.kind == "Await":
            return call.kind is NodeKind.COROUTINE
        if node.kind != "Call":
            return False
        module = self.module(evaluation)
        function = module.nodes[module.children(evaluation.node)[0]]
        if function.kind not in ("Name", "Attribute"):
            return name in ("__call__", "<lambda>") or function.kind == "Lambda"
        owner = call.routine.qualname.rpartition(".")[0].rpartition(".")[2]
        return function.extra == name or (name in _INITIALISERS and function.extra in (owner, "cls", name))

    def _gives(self, call: Span, word: int) -> bool:
        """Whether an activation returned or initialised the value of an expression."""
        if call.routine.name == "__init__":
            first = self.run.record(call.first)
            return bool(first.words) and first.words[0] == word
        returned = self.returned(call)
        return returned is not None and self.same(returned[1], word)


def _name_of(step: Step) -> object:
    """A step without its moment; keys of mappings are distinguished by their order."""
    return step.number if isinstance(step, Index) else step.name if isinstance(step, Attribute) else "item"


def _statement(module: Module, number: int) -> int:
    """The statement that contains a node."""
    while number >= 0 and module.nodes[number].kind not in STATEMENTS and module.nodes[number].kind != "Lambda":
        number = module.nodes[number].parent
    return number


def evaluation_order(module: Module, number: int) -> list[int]:
    """A node and the nodes inside it, operands before the expressions that use them."""
    order: list[int] = []
    waiting = [(number, False)]
    while waiting:
        node, is_done = waiting.pop()
        if is_done:
            order.append(node)
            continue
        waiting.append((node, True))
        waiting.extend((child, False) for child in reversed(_operands(module, node)))
    return order


def _operands(module: Module, number: int) -> list[int]:
    """The expressions directly inside a node, in order of evaluation, without the body of a compound statement."""
    kind, children = (module.nodes[number].kind if number >= 0 else ""), module.children(number)
    if kind in ("Assign", "AnnAssign") and children:
        return [children[-1], *children[:-1]]
    if kind == "Dict":
        return dict_operands(module, number)
    return [child for child in children if module.nodes[child].kind not in STATEMENTS]


def dict_pairs(module: Module, number: int) -> list[tuple[int | None, int]]:
    """The key and value of each pair of a dict display; the key of `**` is None."""
    layout, children = str(module.nodes[number].extra or "").split(), module.children(number)
    keys, values = iter(children[: layout.count(":")]), iter(children[layout.count(":") :])
    return [(next(keys) if pair == ":" else None, next(values)) for pair in layout]


def dict_operands(module: Module, number: int) -> list[int]:
    """The keys and values of a dict display, in order of evaluation."""
    return [node for pair in dict_pairs(module, number) for node in pair if node is not None]
