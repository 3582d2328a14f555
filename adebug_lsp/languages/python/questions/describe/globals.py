"""Values of global and free variables over time, and which of them part of a run used.

A function that changes a global variable may be far below the call that a question is about; the question shows the
change nevertheless.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from attrs import define, field

from adebug_lsp.languages.python.questions.describe.expression_text import names_read
from adebug_lsp.languages.python.reading.grouping import grouped_places
from adebug_lsp.languages.python.reading.recorded_values import Opaque
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Marker, Module, Routine
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.sandbox.closures import comprehension_variables

_LOCALS = ".<locals>."
_MOST = 100
"""Activations searched for the one that defined a function."""


@define(eq=False)
class Globals:
    """The variables of one run that more than one routine can see."""

    run: Run
    _used: dict[int, frozenset[str]] = field(factory=dict)
    _inner: dict[tuple[int, str], tuple[Any, Any]] = field(factory=dict)
    _rebound: dict[tuple[int, int], frozenset[str]] = field(factory=dict)

    def at(self, module: Module, name: str, moment: int) -> int | None:
        """The word that a global variable was bound to; None while unbound."""
        return self._word(self.place(module, name, moment))

    def free(self, span: Span, name: str, moment: int) -> int | None:
        """The word of a free variable, bound by the enclosing routine or by functions inside it."""
        return self._word(self.free_place(span, name, moment))

    def place(self, module: Module, name: str, moment: int) -> int | None:
        """The position of the word that a global variable was bound to; None while unbound."""
        moments, places = self._bindings.get((module.namespace, name), (None, None))
        index = 0 if moments is None else int(np.searchsorted(moments, moment))
        return int(places[index - 1]) if index else None

    def free_place(self, span: Span, name: str, moment: int) -> int | None:
        """The position of the word that a free variable was bound to; None while unbound."""
        turned = comprehension_variables(span.routine.module, span.routine.node)
        for around in self.around(span.routine):
            maker = self._defining_activation(span, around)
            if maker is not None:
                variables = self.run.variables(maker)
                if name in turned and (place := variables.place_in_iteration(name, moment)) is not None:
                    return place
                positions, places = self._inner_bindings(around, name)
                index = int(np.searchsorted(positions, moment))
                while index and self._is_in_later_activation(around, maker, int(positions[index - 1])):
                    index -= 1
                if index and positions[index - 1] > maker.first:
                    return int(places[index - 1])
                if (place := variables.place(name, moment)) is not None:
                    return place
        return None

    def nonlocal_place(self, span: Span, name: str, moment: int) -> int | None:
        """The position of the word that an inner function bound a routine's own variable to, by `nonlocal`."""
        if name not in self._rebound_inside(span.routine):
            return None
        positions, places = self._inner_bindings(span.routine, name)
        index = int(np.searchsorted(positions, moment))
        while index and self._is_in_later_activation(span.routine, span, int(positions[index - 1])):
            index -= 1
        return int(places[index - 1]) if index and positions[index - 1] > span.first else None

    def _rebound_inside(self, routine: Routine) -> frozenset[str]:
        """The variables of a routine that functions inside it declare as nonlocal."""
        key = (routine.module.first, routine.index)
        if key not in self._rebound:
            inner = f"{routine.qualname}{_LOCALS}"
            inside = (other.declared for other in routine.module.routines if other.qualname.startswith(inner))
            self._rebound[key] = frozenset[str]().union(*inside)
        return self._rebound[key]

    def _word(self, place: int | None) -> int | None:
        return None if place is None else int(self.run.recording.words[place])

    def _defining_activation(self, span: Span, around: Routine) -> Span | None:
        """The activation that defined the function of a span: the last one, or one that holds a function that the span
        called.

        A decorator defines many functions of the same name.
        """
        spans = self.run.spans
        begun = self.run.activations_of(around, span.first)
        running = [activation for activation in begun if spans.last[activation] >= span.first]
        made = (running or begun)[-_MOST:]
        called = self._called(span) if len(made) > 1 else set()
        for number in reversed(made) if called else ():
            if self._functions(spans[number], span) & called:
                return spans[number]
        return spans[made[-1]] if made else None

    def _is_in_later_activation(self, around: Routine, maker: Span, position: int) -> bool:
        """Whether a later activation of the routine, with variables of its own, was running at a position."""
        later = (
            activation
            for activation in self.run.activations_of(around, position)
            if self.run.spans.first[activation] > maker.first
        )
        return any(self.run.spans.last[activation] >= position for activation in later)

    def _called(self, span: Span) -> set[str]:
        """Names of the routines that began during a span."""
        firsts = np.frombuffer(self.run.spans.first, np.int64)
        during = (firsts > span.first) & (firsts <= span.last)
        numbers = np.unique(np.frombuffer(self.run.spans.routine, np.int32)[during])
        return {self.run.spans.routines[number].qualname for number in numbers.tolist()}

    def _functions(self, maker: Span, span: Span) -> set[str]:
        """The names of the functions in an activation's variables that the code of a span mentions."""
        module, variables = span.routine.module, self.run.variables(maker)
        mentioned = set(names_read(module, module.inside(span.routine.node)))
        words = (variables.at(name, span.first) for name in variables.names if name in mentioned)
        held = (self.run.recording.values.value(word) for word in words if word is not None)
        return {str(value.name) for value in held if isinstance(value, Opaque) and value.type.name == "function"}

    @staticmethod
    def around(routine: Routine) -> Iterator[Routine]:
        """The enclosing routines, innermost first."""
        outer = routine.qualname.rpartition(_LOCALS)[0]
        while outer and (
            enclosing := next((candidate for candidate in routine.module.routines if candidate.qualname == outer), None)
        ):
            yield enclosing
            outer = outer.rpartition(_LOCALS)[0]

    def _inner_bindings(self, around: Routine, name: str) -> tuple[Any, Any]:
        """The positions and places where a routine, or functions inside it, bound one of its variables."""
        key = (id(around), name)
        if key not in self._inner:
            slot_of: dict[int, int] = {}
            for number, marker in self.run.program.markers.items():
                routine = marker.module.routines[marker.routine]
                if marker.module is around.module and (
                    routine is around
                    or (routine.qualname.startswith(around.qualname + _LOCALS) and name in routine.declared)
                ):
                    slot_of.update((number, slot) for stored, slot in marker.stores if stored == name)
            grouped = grouped_places(self.run.recording.words, slot_of)
            parts = [(positions, positions + 1 + slot_of[number]) for number, positions in grouped.items()]
            none = np.empty(0, np.int64)
            self._inner[key] = _in_order(parts) if parts else (none, none)
        return self._inner[key]

    def used_in(self, span: Span, first: int, last: int) -> list[tuple[Module, str]]:
        """Global variables, with their modules, mentioned by a span's routine or by a routine called during it."""
        spans = self.run.spans
        firsts = np.frombuffer(spans.first, np.int64)
        during = (firsts >= first) & (firsts <= last)
        routines = np.flatnonzero(np.bincount(np.frombuffer(spans.routine, np.int32)[during]))
        variables = {}
        for number in {*routines.tolist(), spans.routine[span.number]}:
            routine = spans.routines[number]
            for name in self._mentioned(number, routine):
                variables[routine.module.namespace, name] = (routine.module, name)
        return list(variables.values())

    def _mentioned(self, number: int, routine: Routine) -> frozenset[str]:
        """The global variables that a function's own code names; for a module body, all names."""
        if number not in self._used:
            module = routine.module
            inside = module.inside(routine.node) if routine.node >= 0 else []
            names = {module.nodes[n].extra for n in inside if module.nodes[n].kind == "Name"}
            self._used[number] = frozenset((names | routine.global_names) & self._names[module.namespace])
        return self._used[number]

    @cached_property
    def _names(self) -> dict[int, set[str]]:
        names: dict[int, set[str]] = defaultdict(set)
        for first, name in self._bindings:
            names[first].add(name)
        return names

    @cached_property
    def _bindings(self) -> dict[tuple[int, str], tuple[Any, Any]]:
        """For every variable, the positions of the records that bound it, and the places of the words."""
        words = self.run.recording.words
        binding = {number: stores for number, m in self.run.program.markers.items() if (stores := _stores(m))}
        columns: dict[tuple[int, str], list[tuple[Any, Any]]] = defaultdict(list)
        for number, starts in grouped_places(words, binding).items():
            positions = starts[starts + len(self.run.program.markers[number].slots) < len(words)]
            for name, slot in binding[number] if len(positions) else ():
                columns[self.run.program.markers[number].module.namespace, name].append(
                    (positions, positions + 1 + slot)
                )
        return {key: _in_order(parts) for key, parts in columns.items()}


def _stores(marker: Marker) -> list[tuple[str, int]]:
    """The global variables that a marker binds."""
    routine = marker.module.routines[marker.routine]
    if routine.kind == "module":
        return list(marker.stores)
    names = routine.global_names if marker.stores else frozenset()
    return [(name, slot) for name, slot in marker.stores if name in names]


def _in_order(parts: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    moments = np.concatenate([moments for moments, _ in parts])
    places = np.concatenate([places for _, places in parts])
    order = np.argsort(moments, kind="stable")
    return moments[order], places[order]
