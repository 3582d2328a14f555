"""Bindings of global, class and closure variables: where, when, and to which values."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from adebug_lsp.languages.python.reading.grouping import grouped_places
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Marker, Module, Routine

_Ints = NDArray[np.int64]
_Key = tuple[str, Any, str]
"""Scope, owner and name of a variable."""


@define(eq=False)
class Bindings:
    """The bindings of one run that are visible outside the routine that made them."""

    run: Run

    def of_modules(self, first: int, last: int) -> Iterator[tuple[str, str, int]]:
        """Module, name and last value of the global variables bound between two positions."""
        for (sort, owner, name), word in self._last(first, last).items():
            if sort == "module":
                yield owner.name, name, word

    def of_definitions(self, last: int) -> Iterator[tuple[str, str, str, int]]:
        """Bindings of class bodies and parameter defaults before a position.

        Yields the module, the class or function, the name (for a default: its source position) and the value.
        """
        for (sort, owner, name), word in self._last(0, last).items():
            if sort == "definition":
                yield owner[0].name, owner[1], name, word

    def of_functions(self, first: int, last: int) -> Iterator[tuple[Routine, str, int]]:
        """Bindings of variables of enclosing functions between two positions: the binding routine, name and value."""
        for (sort, owner, name), word in self._last(first, last).items():
            if sort == "function":
                yield owner, name, word

    def _last(self, first: int, last: int) -> dict[_Key, int]:
        positions, keys, places = self._all
        low, high = np.searchsorted(positions, [first, last + 1])
        words = self.run.recording.words
        return {self._keys[key]: int(words[place]) for key, place in zip(keys[low:high], places[low:high], strict=True)}

    @cached_property
    def _keys(self) -> list[_Key]:
        return []

    @cached_property
    def _all(self) -> tuple[_Ints, _Ints, _Ints]:
        """Positions, key indices and value places of all bindings, in order."""
        words, markers = self.run.recording.words, self.run.program.markers
        noticed = {number: stores for number, marker in markers.items() if (stores := list(_stored_bindings(marker)))}
        columns: list[tuple[_Ints, _Ints, _Ints]] = []
        for number, records in grouped_places(words, noticed).items():
            starts = records[records + len(markers[number].slots) < len(words)]
            for key, slot in noticed[number] if len(starts) else ():
                columns.append((starts, np.full(len(starts), len(self._keys)), starts + 1 + slot))
                self._keys.append(key)
        if not columns:
            return (np.empty(0, np.int64),) * 3
        positions, keys, places = (np.concatenate(column) for column in zip(*columns, strict=True))
        order = np.argsort(positions, kind="stable")
        return positions[order], keys[order], places[order]


def _stored_bindings(marker: Marker) -> Iterator[tuple[_Key, int]]:
    """The variables that a record with this marker binds, each with the slot of its value."""
    if marker.kind == "inline" and marker.routine == 0:
        yield from _default(marker)
    if not marker.stores:
        return
    module, routine = marker.module, marker.module.routines[marker.routine]
    declared, of_module = routine.declared, routine.global_names
    owner = _class_of(module, marker.node) if routine.kind == "module" else ""
    for name, slot in marker.stores:
        if owner:
            yield ("definition", (module, owner), name), slot
        elif routine.kind == "module" or name in of_module:
            yield ("module", module, name), slot
        elif name in declared and marker.kind != "enter":
            yield ("function", routine, name), slot


def _class_of(module: Module, node: int) -> str:
    """Qualified name of the class whose body contains a statement; empty outside of classes."""
    around = [module.nodes[n] for n in module.ancestors(node)]
    return ".".join(reversed([ancestor.extra for ancestor in around if ancestor.kind == "ClassDef"]))


def _default(marker: Marker) -> Iterator[tuple[_Key, int]]:
    """Binding of a parameter default."""
    module = marker.module
    node = module.nodes[marker.node]
    above = module.nodes[node.parent] if node.parent >= 0 else None
    if above is not None and above.kind in ("FunctionDef", "AsyncFunctionDef") and node.place is not None:
        owner = _class_of(module, node.parent)
        name = f"{owner}.{above.extra}" if owner else above.extra
        yield ("definition", (module, name), f"{node.place[0]}:{node.place[1]}"), 0
