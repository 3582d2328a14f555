"""What a process that executes an activation again is told: the values it began with, and what its calls gave.

Objects are told once, when they are first met, and again when a call has changed them. What the activation itself has
made of an object since is told as a *link*: the process compares it, and learns which of its objects is which.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from adebug_lsp.languages.python.behaviours import Describer
from adebug_lsp.languages.python.bindings import Bindings
from adebug_lsp.languages.python.closures import Closures
from adebug_lsp.languages.python.described import Row, Table
from adebug_lsp.languages.python.fragment import Moment
from adebug_lsp.languages.python.run import Record, Run
from adebug_lsp.languages.python.spans import Span
from adebug_lsp.languages.python.static import Routine
from adebug_lsp.model.errors import AdebugError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.recording.values import Object, Opaque, TypeInfo

MOST_CALLS = 20_000
_LOCALS = ".<locals>."
_UNBOUND = (1 << 24) + 3
"""The number of `...`, which stands for a variable that had no value."""
Pairs = list[tuple[str, int]]


class CannotExecute(AdebugError):  # noqa: N818 - an answer that is expected
    """An activation that cannot be executed again; the message says why."""


class Told(Table):
    """A table whose objects are described once."""

    def __init__(self, run: Run) -> None:
        super().__init__(run.recording.values, run.heap, Closures(run))
        self.known: set[int] = set()

    def _object(self, number: int, found: Object, position: int) -> Row:
        if number in self.known:
            return {"k": "known", "id": number}
        self.known.add(number)
        return super()._object(number, found, position)

    def state(self, number: int, position: int) -> int:
        """The index of a row that tells what a known object holds."""
        found = self._values.value(number)
        self.rows.append({})
        index = len(self.rows) - 1
        if isinstance(found, Object):
            self.rows[index].update(super()._object(number, found, position))
        self._describe()
        return index


def calls_of(run: Run, span: Span) -> Iterator[Span]:
    """The calls that an activation made itself, and steps of generators that it asked for, in order."""
    for number in run.children(span.number):
        child = run.spans[number]
        if child.kind in (NodeKind.LOOP, NodeKind.ITERATION):
            yield from calls_of(run, child)
        else:
            yield child


class Script:
    """The script of one activation."""

    def __init__(self, run: Run, describer: Describer, bindings: Bindings, activation: Span) -> None:
        self._run, self._describer, self._bindings = run, describer, bindings
        self._activation = activation
        self._told = Told(run)
        self._moments, self._objects = run.heap.touched(activation.first, activation.last)

    def request(self) -> dict[str, Any]:
        """All of it, as a request; raises `CannotExecute`."""
        activation, start = self._activation, self._activation.first + 1
        self._check()
        arguments, free = self._given(activation)
        self._free = {name for name, _ in free}
        request = {
            "do": "again",
            "module": activation.routine.module.name,
            "node": activation.routine.node,
            "arguments": self._rows(arguments, start),
            "free": self._rows(free, start),
            "globals": self._globals(0, activation.first - 1, start),
            "classes": self._classes(0, activation.first - 1, start),
        }
        calls, before = [], activation.first
        for call in calls_of(self._run, activation):
            calls.append(self._call(call, before))
            before = call.last
            if len(calls) > MOST_CALLS:
                raise CannotExecute("it made too many calls")
        end = activation.last + 1
        result, raised = self._describer.outcome(activation)
        ending = {
            "result": None if result is None else self._told.add(Moment(result, end)),
            "raised": None if raised is None else self._told.add(Moment(raised, end)),
            "links": self._states(before + 1, activation.last, end),
        }
        return {**request, "calls": calls, "ending": ending, "rows": self._told.rows}

    def _check(self) -> None:
        activation = self._activation
        if activation.kind not in (NodeKind.ROUTINE, NodeKind.LAMBDA):
            raise CannotExecute("generators and coroutines are not executed again")
        if activation.open or self._describer.unfinished(activation):
            raise CannotExecute("it had not ended when the program was stopped")
        if activation.routine.module.path.startswith("<"):
            raise CannotExecute("its code is in no file")
        if self._run.structure.flows > 1:
            spans = self._run.spans
            flows = np.frombuffer(spans.flow, np.int32)
            first, last = np.frombuffer(spans.first, np.int64), np.frombuffer(spans.last, np.int64)
            during = (last >= activation.first) & (first <= activation.last)
            if np.any(flows[during] != flows[activation.number]):
                raise CannotExecute("other threads or tasks were running")

    # Values

    def _rows(self, pairs: Pairs, position: int) -> list[list[Any]]:
        return [[name, self._told.add(Moment(word, position))] for name, word in pairs]

    def _given(self, span: Span) -> tuple[Pairs, Pairs]:
        """What a call was given, and the variables of functions around that it could see."""
        records = self._run.summary(span, span.first, span.last)
        first = records[0] if records else None
        if first is None or first.marker.kind != "enter":
            return [], []
        free = [(name, first.words[slot]) for name, slot in first.marker.free]
        if span.kind is NodeKind.LAMBDA:
            free = _read(records)
        return [(name, first.words[slot]) for name, slot in first.marker.stores], [
            (name, word) for name, word in free if word != _UNBOUND
        ]

    def _states(self, first: int, last: int, position: int) -> list[int]:
        """What the known objects hold that were touched from a position to another."""
        low, high = np.searchsorted(self._moments, [first, last + 1])
        found = dict.fromkeys(self._objects[low:high].tolist())
        return [self._told.state(number, position) for number in found if number in self._told.known]

    def _globals(self, first: int, last: int, position: int) -> list[list[Any]]:
        """The variables of modules that were bound from a position to another, unless they hold code."""
        found = []
        for module, name, word in self._bindings.of_modules(first, last):
            if not isinstance(self._run.recording.values.value(word), Opaque | TypeInfo):
                found.append([module, name, self._told.add(Moment(word, position))])
        return found

    def _classes(self, first: int, last: int, position: int) -> list[list[Any]]:
        found = []
        for module, owner, name, word in self._bindings.of_classes(first, last):
            if not isinstance(self._run.recording.values.value(word), Opaque | TypeInfo):
                found.append([module, owner, name, self._told.add(Moment(word, position))])
        return found

    # Calls

    def _call(self, call: Span, before: int) -> dict[str, Any]:
        routine, start, end = call.routine, call.first + 1, call.last + 1
        if routine.kind not in ("routine", "lambda", "generator"):
            raise CannotExecute("a module was loaded or a coroutine ran in it")
        if call.open:
            raise CannotExecute("a call that it made had not ended when the program was stopped")
        given, free = self._given(call)
        inside = routine.qualname.startswith(self._activation.routine.qualname + _LOCALS)
        told = {
            "name": routine.name,
            "routine": [routine.module.name, routine.node],
            "token": call.token,
            "given": self._rows(given, start),
            "free": self._rows(free, start) if inside else [],
            "links": self._states(before + 1, call.first - 1, start),
        }
        rebound, cells = self._rebound(call)
        result, raised = self._describer.outcome(call)
        return {
            **told,
            "changes": self._states(call.first, call.last, end),
            "globals": self._globals(call.first, call.last, end),
            "classes": self._classes(call.first, call.last, end),
            "rebound": self._rows(rebound, end),
            "cells": self._rows(cells, end),
            "result": None if result is None else self._told.add(Moment(result, end)),
            "raised": None if raised is None else self._told.add(Moment(raised, end)),
            "yields": self._describer.yields(call),
        }

    def _rebound(self, call: Span) -> tuple[Pairs, Pairs]:
        """The variables of the activation, and those of functions around it, that a call has bound."""
        own, around = {}, {}
        for routine, name, word in self._bindings.of_functions(call.first, call.last):
            if routine.qualname.startswith(self._activation.routine.qualname + _LOCALS):
                if name not in call.routine.declared:
                    raise CannotExecute("a call has bound a variable of it in a way that cannot be followed")
                own[name] = word
            elif name in self._free:
                around[name] = word
        return list(own.items()), list(around.items())


def _read(records: list[Record]) -> Pairs:
    """The variables that a lambda read."""
    found = {}
    for record in records:
        module = record.marker.module
        for node, word in zip(record.marker.slots, record.words, strict=True):
            if record.marker.kind == "inline" and module.nodes[node].kind == "Name":
                found.setdefault(module.nodes[node].extra, word)
    return list(found.items())


def is_recorded_whole(run: Run, routine: Routine) -> bool:
    """Whether the sub-expressions of a routine are in the recording."""
    return run.recording.meta.get("level") != "calls" or routine.kind == "module"
