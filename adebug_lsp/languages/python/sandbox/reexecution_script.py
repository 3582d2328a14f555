"""The request that executes an activation again: its initial values, and the outcomes of its calls.

Calls are answered from the recording. A call is *entered* instead, and its own calls are answered, if it is the
requested one or if its result cannot be rebuilt: a generator, an iterator, a file. Objects are described at their first
occurrence, and again after a call changed them. Changes that the activation itself made are described as a *link*: the
process compares them and learns which of its objects is which.
"""

from collections.abc import Iterator

import numpy as np

from adebug_lsp.languages.python.reading.recorded_values import Object, Opaque, TupleLike, TypeInfo
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.reading.value_formatter import BUILTIN, DESCRIPTORS
from adebug_lsp.languages.python.recorder.contract import SET_ATTR, UNBOUND
from adebug_lsp.languages.python.sandbox.bindings import Bindings
from adebug_lsp.languages.python.sandbox.call_outcomes import CallOutcomes
from adebug_lsp.languages.python.sandbox.closures import Closures
from adebug_lsp.languages.python.sandbox.fragment import ValueAt
from adebug_lsp.languages.python.sandbox.guest.protocol import JsonObject, NamedIndex, Row
from adebug_lsp.languages.python.sandbox.value_descriptions import Table
from adebug_lsp.model.errors import AdebugError
from adebug_lsp.model.kinds import NodeKind

MOST_CALLS = 100_000
_FEW = 10
"""Maximum number of items of a tuple that are inspected."""
_LOCALS = ".<locals>."
Pairs = list[tuple[str, int]]


class CannotExecute(AdebugError):  # noqa: N818 - an answer that is expected
    """An activation cannot be executed again; the message has the reason."""

    def __init__(self, why: str, *, final: bool = False) -> None:
        super().__init__(why)
        self.final = final
        """Whether it would not help to begin with an earlier activation."""


class ReexecutionTable(Table):
    """A table that describes every object once."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.recording.values, run.heap, Closures(run))
        self.known: set[int] = set()
        self.compared = False
        """Whether values described now are only compared, not rebuilt."""
        self.absent: set[int] = set()
        """Objects that cannot be rebuilt, and are replaced by a stand-in."""

    def _object(self, number: int, obj: Object, position: int) -> Row:
        if number in self.known:
            return {"k": "known", "id": number}
        self.known.add(number)
        return super()._object(number, obj, position)

    def _function(self, number: int, function: Opaque, position: int) -> Row:
        """A function is described by its code alone, since its calls are answered."""
        routine = self._closures.routine(number, function) if "<" in str(function.name) else None
        place = None if routine is None else routine.module.nodes[routine.node].place
        if place is None:
            return super()._function(number, function, position)
        module, name = function.module, function.name
        return {"k": "function", "module": module, "name": name, "id": number, "place": place, "cells": [], "maker": -1}

    def _opaque(self, number: int, opaque: Opaque, position: int) -> Row:
        row = super()._opaque(number, opaque, position)
        if row["k"] == "missing" and not self.compared:
            self.absent.add(number)
        return row

    def state(self, number: int, position: int) -> int:
        """Index of a row for the content of a known object."""
        described = self._values.value(number)
        self.rows.append({})
        index = len(self.rows) - 1
        if isinstance(described, Object):
            self.rows[index].update(super()._object(number, described, position))
        self._describe()
        return index


def calls_of(run: Run, span: Span) -> Iterator[Span]:
    """Calls that an activation made itself, and steps of generators that it requested, in order."""
    for number in run.children(span.number):
        child = run.spans[number]
        if child.kind in (NodeKind.LOOP, NodeKind.ITERATION):
            yield from calls_of(run, child)
        else:
            yield child


def around(run: Run, span: Span) -> Iterator[Span]:
    """An activation and its callers, innermost first."""
    yield span
    while span.parent >= 0:
        span = run.spans[run.spans[span.parent].activation]
        yield span


class Script:
    """Builds the request for `root`; `target` is the activation to look into, `root` itself or one below it."""

    def __init__(self, run: Run, outcomes: CallOutcomes, bindings: Bindings, root: Span, target: Span) -> None:
        self._run, self._outcomes, self._bindings = run, outcomes, bindings
        self._root = root
        self._table = ReexecutionTable(run)
        self._moments, self._objects = run.heap.touched(root.first, root.last)
        self._calls: list[JsonObject] = []
        self._before = root.first
        """Position up to which the process knows the content of objects."""
        path = list(around(run, target))
        self._path = {span.number for span in path}
        self._tokens = {span.token for span in path} - {-1}
        """Tokens of the entered generators."""
        self.entered: set[int] = {root.number}
        """Activations that are executed: the root and the entered ones."""

    def request(self) -> JsonObject:
        """The whole request; raises `CannotExecute`."""
        root, start = self._root, self._root.first + 1
        why = _why_not(self._outcomes, root)
        if why is not None:
            raise CannotExecute(why)
        arguments, free = self._inputs(root)
        self._free = {name for name, _ in free}
        request = {
            "do": "reexecute",
            "module": root.routine.module.name,
            "node": root.routine.node,
            "arguments": self._rows(arguments, start),
            "free": self._rows(free, start),
            "globals": self._globals(0, root.first - 1, start),
            "bodies": self._bodies(start),
            "classes": self._classes(0, root.first - 1, start),
        }
        self._tell_calls(root)
        end = root.last + 1
        result, raised = self._outcomes.outcome(root)
        ending = {
            "result": None if result is None else self._table.add(ValueAt(result, end)),
            "raised": None if raised is None else self._table.add(ValueAt(raised, end)),
            "links": self._states(self._before + 1, root.last, end),
        }
        return {**request, "calls": self._calls, "ending": ending, "rows": self._table.rows}

    # Values

    def _rows(self, pairs: Pairs, position: int) -> list[NamedIndex]:
        return [(name, self._table.add(ValueAt(word, position))) for name, word in pairs]

    def _inputs(self, span: Span) -> tuple[Pairs, Pairs]:
        """Arguments of a call, and the variables of enclosing functions that it could see."""
        first = self._run.record(span.first)
        if not first.whole or first.marker.kind != "enter":
            return [], []
        free = [(name, first.words[slot]) for name, slot in first.marker.free]
        if span.kind is NodeKind.LAMBDA:
            free = _read(self._run.summary(span, span.first, span.last))
        return [(name, first.words[slot]) for name, slot in first.marker.stores], [
            (name, word) for name, word in free if word != UNBOUND
        ]

    def _states(self, first: int, last: int, position: int) -> list[int]:
        """Rows for the content of known objects that changed between two positions."""
        low, high = np.searchsorted(self._moments, [first, last + 1])
        numbers = dict.fromkeys(self._objects[low:high].tolist())
        return [self._table.state(number, position) for number in numbers if number in self._table.known]

    def _globals(self, first: int, last: int, position: int) -> list[tuple[str, str, int]]:
        """Global variables bound between two positions, unless they hold code."""
        variables = []
        for module, name, word in self._bindings.of_modules(first, last):
            if not isinstance(self._run.recording.values.value(word), Opaque | TypeInfo):
                variables.append((module, name, self._table.add(ValueAt(word, position))))
        return variables

    def _bodies(self, position: int) -> list[tuple[str, str, str, int]]:
        """Objects made by class bodies and parameter defaults, which still exist."""
        values = self._run.recording.values
        return [
            (module, owner, name, self._table.add(ValueAt(word, position)))
            for module, owner, name, word in self._bindings.of_definitions(self._root.first - 1)
            if isinstance(values.value(word), Object)
        ]

    def _classes(self, first: int, last: int, position: int) -> list[tuple[str, str, str, int]]:
        """Class attributes set between two positions."""
        moments, objects = self._run.heap.touched(first, last) if first == 0 else (self._moments, self._objects)
        low, high = np.searchsorted(moments, [first, last + 1])
        attributes = []
        for number in dict.fromkeys(objects[low:high].tolist()):
            kind = self._run.recording.values.value(number)
            if isinstance(kind, TypeInfo):
                held = self._run.heap.records(number, first, last + 1)
                values = {record.key: record.value for record in held if record.kind == SET_ATTR}
                attributes += [
                    (kind.module, kind.name, self._attribute_name(key), self._table.add(ValueAt(word, position)))
                    for key, word in values.items()
                ]
        return attributes

    def _attribute_name(self, word: int) -> str:
        return str(self._run.recording.values.atom(word))

    # Calls

    def _tell_calls(self, span: Span) -> None:
        """Add the request's entries for the calls of an activation."""
        for call in calls_of(self._run, span):
            if len(self._calls) > MOST_CALLS:
                raise CannotExecute("it made too many calls")
            _check_call(call)
            if call.token in self._tokens and self._goes_on(call):
                self.entered.add(call.number)  # an earlier step of this generator was entered
                self._tell_calls(call)
            elif call.token in self._tokens or call.number in self._path or self._must_enter(call):
                self.entered.add(call.number)
                self._tokens |= {call.token} - {-1}
                self._calls.append({**self._beginning(call), "enter": True})
                self._before = call.first
                self._tell_calls(call)
            else:
                self._calls.append(self._answer(call))
                self._before = call.last

    def _goes_on(self, step: Span) -> bool:
        """Whether a step is not the generator's first."""
        return bool(self._run.record(step.first).marker.kind != "enter")

    def _must_enter(self, call: Span) -> bool:
        """Whether the result of a call cannot be rebuilt."""
        if call.kind is NodeKind.GENERATOR and any(map(self._outcomes.yields_from, self._run.steps_of(call))):
            return True  # it delegates to an unrecorded iterator
        result, _ = self._outcomes.outcome(call)
        arguments = [word for _, word in self._inputs(call)[0]]
        if result is not None and self._is_closure(result):
            return True  # closures share variables
        return not all(self._can_be_made(word) for word in (arguments if result is None else [*arguments, result]))

    def _is_closure(self, word: int) -> bool:
        value = self._run.recording.values.value(word)
        if isinstance(value, TupleLike):
            return any(map(self._is_closure, value.items[:_FEW]))
        return isinstance(value, Opaque) and _LOCALS in str(value.name)

    def _can_be_made(self, word: int, depth: int = 3) -> bool:
        """Whether a value can be rebuilt, or is known to be absent."""
        value = self._run.recording.values.value(word)
        if word in self._table.absent:
            return True
        if isinstance(value, TupleLike) and depth:
            return all(self._can_be_made(item, depth - 1) for item in value.items[:_FEW])
        if isinstance(value, Opaque):
            return value.type.name in ("module", "function", "method", BUILTIN, *DESCRIPTORS)
        return not isinstance(value, Object) or value.type.is_user_class or bool(value.type.base)

    def _beginning(self, call: Span) -> JsonObject:
        """Arguments of a call, and the content of objects before it."""
        routine, start = call.routine, call.first + 1
        arguments, free = self._inputs(call)
        inside = routine.qualname.startswith(self._root.routine.qualname + _LOCALS)
        self._table.compared = True
        beginning = {
            "name": routine.name,
            "routine": [routine.module.name, routine.node],
            "token": call.token,
            "given": self._rows(arguments, start),
            "free": self._rows(free, start) if inside else [],
            "links": self._states(self._before + 1, call.first - 1, start),
        }
        self._table.compared = False
        return beginning

    def _answer(self, call: Span) -> JsonObject:
        """The answer to a call: its result, and the changes that it made."""
        end, beginning = call.last + 1, self._beginning(call)
        rebound, cells = self._rebound(call)
        result, raised = self._outcomes.outcome(call)
        return {
            **beginning,
            "enter": False,
            "changes": self._states(call.first, call.last, end),
            "globals": self._globals(call.first, call.last, end),
            "classes": self._classes(call.first, call.last, end),
            "rebound": self._rows(rebound, end),
            "cells": self._rows(cells, end),
            "result": None if result is None else self._table.add(ValueAt(result, end)),
            "raised": None if raised is None else self._table.add(ValueAt(raised, end)),
            "yields": self._outcomes.yields(call),
        }

    def _rebound(self, call: Span) -> tuple[Pairs, Pairs]:
        """Variables of enclosing functions that a call bound itself, and those of them that the root can see."""
        own, seen = {}, {}
        for routine, name, word in self._bindings.of_functions(call.first, call.last):
            if routine is call.routine:
                own[name] = word
            elif routine.qualname.startswith(self._root.routine.qualname + _LOCALS):
                raise CannotExecute("a call bound one of its variables in a way that cannot be traced")
            if name in self._free:
                seen[name] = word
        return list(own.items()), list(seen.items())


def _read(records: list[Record]) -> Pairs:
    """Variables that a lambda read."""
    words: dict[str, int] = {}
    for record in records:
        module = record.marker.module
        for node, word in zip(record.marker.slots, record.words, strict=True):
            if record.marker.kind == "inline" and module.nodes[node].kind == "Name":
                words.setdefault(module.nodes[node].extra, word)
    return list(words.items())


def _check_call(call: Span) -> None:
    if call.routine.kind not in ("routine", "lambda", "generator"):
        raise CannotExecute("a module was loaded or a coroutine ran in it")
    if call.open:
        raise CannotExecute("the program was stopped in one of its calls")


def _why_not(outcomes: CallOutcomes, root: Span) -> str | None:
    """Why an activation cannot be executed again at all; None if it can be tried."""
    run = outcomes.run
    if root.kind not in (NodeKind.ROUTINE, NodeKind.LAMBDA) or root.routine.kind not in ("routine", "lambda"):
        return "a module, generator or coroutine does not begin by itself"
    if root.open or outcomes.unfinished(root):
        return "the program was stopped in it"
    if root.routine.module.path.startswith("<"):
        return "its code is not in a file"
    if run.switches_in(root.first, root.last):
        return "other threads or tasks ran meanwhile"
    return None
