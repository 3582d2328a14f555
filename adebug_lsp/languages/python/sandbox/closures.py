"""Functions defined inside other functions: their code and the values of their free variables.

A recording has only the name of such a function. The rest follows from the activation that defined it: the innermost
running one of the enclosing routine when the function was first recorded.
"""

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from adebug_lsp.languages.python.reading.recorded_values import Opaque
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Module, Routine
from adebug_lsp.languages.python.reading.structure.spans import Span

_LOCALS = ".<locals>."


@frozen
class Closure:
    """The code of a function and the words of its free variables."""

    place: tuple[int, int, int, int]
    cells: dict[str, int]
    maker: int = -1
    """The activation that owns the variables; functions that it defined share them."""


@define(eq=False)
class Closures:
    """The closures of one run."""

    run: Run
    _positions_of: dict[int, NDArray[np.int64]] = field(factory=dict)
    _routines: dict[int, Routine | None] = field(factory=dict)
    _named: dict[tuple[str, str], list[Routine]] | None = None
    """All routines by module name and qualified name."""

    def of(self, number: int, function: Opaque, moment: int) -> Closure | None:
        """Closure of a function, with its free variables as of a position; None if unknown."""
        routine = self.routine(number, function)
        place = None if routine is None else routine.module.nodes[routine.node].place
        if routine is None or place is None:
            return None
        maker = self._creating_call(number, routine)
        if maker is None:
            return Closure(place, {}) if _LOCALS not in routine.qualname else None
        module, variables = routine.module, self.run.variables(maker)
        names = {module.nodes[n].extra for n in module.inside(routine.node) if module.nodes[n].kind == "Name"}
        turned = comprehension_variables(module, routine.node)
        bindings = [(name, variables.at(name, moment)) for name in variables.names if name in names - turned]
        bindings += [(name, variables.in_iteration(name, moment)) for name in sorted(turned & names)]
        return Closure(
            place, {name: word for name, word in bindings if word is not None and word != number}, maker.number
        )

    def routine(self, number: int, function: Opaque) -> Routine | None:
        """Routine of a function; if several have its name, the one that a record names."""
        if number not in self._routines:
            self._routines[number] = self._find_routine(number, function)
        return self._routines[number]

    def _find_routine(self, number: int, function: Opaque) -> Routine | None:
        """The routine of a function, by its name and, if several have that name, by the first record that shows it."""
        named = self._with_name(function)
        if len(named) < 2:
            return named[0] if named else None
        for position in self._positions(number)[:20].tolist():
            start = int(self.run.marks[np.searchsorted(self.run.marks, position, "right") - 1])
            slots = self.run.program.markers[int(self.run.recording.words[start])].slots
            node = slots[position - start - 1] if 0 < position - start <= len(slots) else -1
            for routine in named:
                if routine.node == node:
                    return routine
        return None

    def _with_name(self, function: Opaque) -> list[Routine]:
        """Routines that a function may come from; the main program's module has another name while it runs."""
        modules, name = self.run.program.modules, str(function.name)
        if self._named is None:
            self._named = {}
            for module in modules:
                for routine in module.routines:
                    self._named.setdefault((module.name, routine.qualname), []).append(routine)
        known = any(module.name == function.module for module in modules)
        names = (
            [str(function.module)] if known or function.module != "__main__" else [module.name for module in modules]
        )
        return [routine for module in dict.fromkeys(names) for routine in self._named.get((module, name), ())]

    def _creating_call(self, number: int, routine: Routine) -> Span | None:
        """The call in which a nested function was created: the one that was running when it first occurred."""
        around = routine.qualname.rpartition(_LOCALS)[0]
        outer = next(
            (candidate for candidate in routine.module.routines if around and candidate.qualname == around), None
        )
        positions = self._positions(number)
        if outer is None or not len(positions):
            return None
        spans, first = self.run.spans, int(positions[0])
        begun = self.run.activations_of(outer, first)
        running = [activation for activation in begun if spans.last[activation] >= first]
        made_by = (running or begun)[-1:]
        return spans[made_by[0]] if made_by else None

    def _positions(self, number: int) -> NDArray[np.int64]:
        """Positions of a function in the recording."""
        if number not in self._positions_of:
            self._positions_of[number] = np.flatnonzero(self.run.recording.words == number)
        return self._positions_of[number]


def comprehension_variables(module: Module, number: int) -> frozenset[str]:
    """Variables of the comprehensions around a node."""
    parts = [n for a in module.ancestors(number) for n in module.children(a) if module.nodes[n].kind == "comprehension"]
    targets = [n for part in parts for n in module.inside(module.children(part)[0])]
    return frozenset(module.nodes[n].extra for n in targets if module.nodes[n].kind == "Bound")
