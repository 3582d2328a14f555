"""The statements of an executable slice: a slice, and everything else that the program needs to run.

The slice of a run is not a program yet: a call in it needs all of its arguments, a name its definition, a statement the
blocks around it, and a `break` that was taken has to be taken again. What these need is added, too.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from attrs import define, field

from adebug_lsp.languages.python.questions.dependences.nodes import Element, Executed, Node
from adebug_lsp.languages.python.questions.dependences.program_syntax import (
    ProgramSyntax,
    directly_inside,
    routine_around,
    scope_of,
    statement_around,
)
from adebug_lsp.languages.python.questions.dependences.reads import evaluated_with
from adebug_lsp.languages.python.questions.dependences.reduced_source import reduced
from adebug_lsp.languages.python.questions.dependences.run_graph import RunGraph
from adebug_lsp.languages.python.questions.origins.parts import Evaluation
from adebug_lsp.languages.python.reading.static import DEFINITIONS, SCOPES, STATEMENTS, Module, Routine
from adebug_lsp.slicing.slicer import ReducedFile

BLOCKS = DEFINITIONS | {"If", "While", "For", "AsyncFor", "With", "AsyncWith", "Try", "TryStar", "Match"}
"""Statements that contain others."""
_JUMPS = frozenset({"Break", "Continue", "Return", "Raise"})
_ATTRIBUTES = frozenset({"Assign", "AnnAssign", "AugAssign"})


@define(eq=False)
class ProgramSlice:
    """Adds statements until nothing is missing, or `most` dependences were followed."""

    graph: RunGraph
    syntax: ProgramSyntax
    moment: int
    """The moment of the criterion: code that ran later is not needed."""
    every_time: bool
    """Whether a statement needs everything that it needed in any execution, or only in those in the slice.

    The first is correct, because a statement that stays runs as often as before. The second is smaller, and usually
    works.
    """
    most: int
    statements: set[tuple[int, int]] = field(factory=set)
    """Statements, by module and number of the syntax."""
    names: dict[int, set[str]] = field(factory=lambda: defaultdict(set))
    """For each module, the names that its statements use, or that others import from it."""
    points: set[tuple[int, int]] = field(factory=set)
    """Statements that may be replaced by `pass`."""
    too_long: bool = False
    _waiting: list[Node] = field(factory=list)
    _seen: set[Node] = field(factory=set)

    def follow(self, nodes: Iterable[Node]) -> None:
        """Add nodes and everything that they need."""
        self._waiting.extend(nodes)
        while self._waiting and not self.too_long:
            node = self._waiting.pop()
            if node in self._seen:
                continue
            self._seen.add(node)
            self.too_long = len(self._seen) > self.most
            self._waiting.extend(edge.on for edge in self.graph.dependences(node))
            at = node.whole if isinstance(node, Element) else node
            if isinstance(at, Evaluation | Executed):
                self._execution(at.activation, at.node, at.position)

    def _execution(self, activation: int, node: int, position: int) -> None:
        """Add one execution of a statement."""
        routine = self.graph.run.spans[activation].routine
        module = routine.module
        if routine.node >= 0:
            self._statement(module, routine.node, position)
        number = statement_around(module, node)
        if number < 0:
            return
        if scope_of(module, number) != routine.node:  # a lambda
            self._statement(module, number, position)
            return
        whole = Evaluation(activation, number, position)
        self._waiting.append(whole)
        self._statement(module, number, position, activation)
        matched, others = self.graph.evaluations.calls_during(whole)
        for call in (*matched.values(), *others):  # at least with an empty body
            self._statement(call.routine.module, call.routine.node, position)

    def _statement(self, module: Module, node: int, position: int, activation: int | None = None) -> None:
        """Add a statement and what it needs by its syntax."""
        number = statement_around(module, node)
        if number < 0:
            return
        self._add_blocks(module, number, position, activation)
        if (module.first, number) in self.statements:
            return
        self.statements.add((module.first, number))
        self._names(module, number, position)
        if module.nodes[number].kind in DEFINITIONS:
            self._defined(module, number, position)
        elif not self.too_long and (self.every_time or activation is None):
            self._executions(module, number)
        for jump in directly_inside(module, number):
            if module.nodes[jump].kind in _JUMPS and not self.too_long:
                self._executions(module, jump, once=not self.every_time)

    def _add_blocks(self, module: Module, number: int, position: int, activation: int | None) -> None:
        """Add the blocks around a statement; of those in the same routine, this execution."""
        index, node, own = self.graph.index, module.nodes[number].parent, activation is not None
        while node >= 0:
            kind = module.nodes[node].kind
            own = own and kind not in SCOPES
            if kind in STATEMENTS:
                known = (module.first, node) in self.statements
                if own and activation is not None and kind not in DEFINITIONS:
                    last = index.last(activation, self.syntax.markers(module, node), position + 1)
                    if last is not None:
                        self._waiting.append(Evaluation(activation, node, last))
                if not known:
                    self._statement(module, node, position)
            node = module.nodes[node].parent

    def _executions(self, module: Module, number: int, *, once: bool = False) -> None:
        """Add the executions of a statement before the criterion; with `once`, only the last."""
        markers = self.syntax.markers(module, number)
        positions = self.graph.run.positions(markers) if markers else np.empty(0, np.int64)
        positions = positions[: np.searchsorted(positions, self.moment, "right")]
        for position in positions[-1:] if once else positions[-self.most :]:
            owner = self.graph.evaluations.owner(int(position))
            self._waiting.append(Evaluation(owner, number, int(position)))

    def _defined(self, module: Module, number: int, position: int) -> None:
        """Add what a definition evaluates: decorators, defaults, bases, annotations, and the attributes of a class."""
        activation = self._activation(routine_around(module, number), position)
        for child in module.children(number):
            kind = module.nodes[child].kind
            if module.nodes[number].kind == "ClassDef" and kind in _ATTRIBUTES:
                self._statement(module, child, position)
            elif kind not in STATEMENTS and activation is not None:
                self._waiting.append(Evaluation(activation, child, position))

    def _activation(self, routine: Routine, position: int) -> int | None:
        return next(iter(self.graph.run.activations_of(routine, position)[::-1]), None)

    # Names

    def _names(self, module: Module, number: int, position: int) -> None:
        heads = [number]
        if module.nodes[number].kind in DEFINITIONS:
            heads += [n for n in module.children(number) if module.nodes[n].kind not in STATEMENTS]
        for head in heads:
            for inner in evaluated_with(module, head):
                if module.nodes[inner].kind == "Name":
                    self.need(module, str(module.nodes[inner].extra), position)

    def need(self, module: Module, name: str, position: int) -> None:
        """Add the definition of a name in a module, or in the module that it is imported from."""
        if name in self.names[module.first]:
            return
        self.names[module.first].add(name)
        for node in self.syntax.definitions(module).get(name, ()):
            self._statement(module, node, position)
        source = self.syntax.imports(module).get(name)
        other = None if source is None else self.syntax.modules.get(source[0])
        if source is None or other is None or source[1] is None:
            return
        self.need(other, source[1], position)
        activation = self._activation(routine_around(other, -1), position)
        bound = None if activation is None else self.graph.variable(activation, source[1], position)
        self._waiting.extend(bound or ())

    # The program

    def stand_at(self, position: int) -> None:
        """Keep the place of a statement, and what decides that it is reached; the statement may become a `pass`."""
        record = self.graph.run.record(position)
        activation, module = self.graph.evaluations.owner(position), record.marker.module
        number = statement_around(module, record.marker.node)
        if record.marker.kind == "enter" or module.nodes[number].kind in BLOCKS:
            self._waiting.append(Evaluation(activation, number, position))
            return
        self.points.add((module.first, number))
        self._waiting.extend(edge.on for edge in self.graph.control.of(activation, number, position))
        self._add_blocks(module, number, position, activation)

    def add_all(self) -> None:
        """Add every statement that ran before the criterion."""
        for record in self.graph.run.summary_of_all(0, self.moment):
            if record.marker.node >= 0:
                self._statement(record.marker.module, record.marker.node, self.moment)

    def files(self) -> dict[str, ReducedFile]:
        """The files of the sliced program, by path."""
        statements, points = defaultdict(set), defaultdict(set)
        for first, number in self.statements:
            statements[first].add(number)
        for first, number in self.points - self.statements:
            points[first].add(number)
        modules = {module.first: module for module in self.graph.run.program.modules}
        used = {first for first in modules if statements[first] or points[first] or self.names[first]}
        packages = {name for first in used for name in _packages(modules[first])}
        return {
            module.path: reduced(
                module.source,
                _places(module, statements[first]),
                _places(module, points[first]),
                self.names[first],
            )
            for first, module in modules.items()
            if first in used or (module.name in packages and module.path.endswith("__init__.py"))
        }


def _places(module: Module, numbers: Iterable[int]) -> set[tuple[int, int]]:
    return {(place[0], place[1]) for number in numbers if (place := module.nodes[number].place) is not None}


def _packages(module: Module) -> Iterator[str]:
    name = module.name
    while name := name.rpartition(".")[0]:
        yield name
