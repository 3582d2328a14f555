"""Slices of a Python run: criteria from source lines and marks, slices as executed statements."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath

import numpy as np
from attrs import define, evolve, field

from adebug_lsp.languages.python.questions.dependences.needed_nodes import criterion_of, moment_of
from adebug_lsp.languages.python.questions.dependences.nodes import Element, Executed, Node
from adebug_lsp.languages.python.questions.dependences.program_slice import ProgramSlice
from adebug_lsp.languages.python.questions.dependences.program_syntax import ProgramSyntax
from adebug_lsp.languages.python.questions.dependences.reads import evaluated_with, statement_of
from adebug_lsp.languages.python.questions.dependences.run_graph import RunGraph
from adebug_lsp.languages.python.questions.executed_parts import MAIN
from adebug_lsp.languages.python.questions.origins.marked_values import PythonDependences
from adebug_lsp.languages.python.questions.origins.parts import Evaluation, TracedPart
from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import DEFINITIONS, Module
from adebug_lsp.model.answers import Mark
from adebug_lsp.model.errors import BadInputError, NoSuchValueError
from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.slicing.provenance import Certainty, find_origin
from adebug_lsp.slicing.slicer import Criterion, ReducedFile, Slice, SliceStep
from adebug_lsp.slicing.slices import Reached, backward, forward

MOST = 2_500
"""Dependences followed for one slice; they take about a second."""
_MOST_OF_PROGRAM = 20_000
"""Dependences followed for an executable slice, which runs the program twice anyway."""

_RUN = MAIN | {"enter"}
"""Records of code that ran; `enter` is a routine's head, which binds its parameters."""
_BLOCKS = DEFINITIONS | {"Try", "TryStar", "With", "AsyncWith", "Match"}
"""Syntax around a step that has to stay so that the step is valid."""


@define(eq=False)
class PythonSlicer:
    """See `Slicer`."""

    run: Run
    origins: PythonDependences
    may_run: bool = False
    """Whether the program may be executed: only if the recording is the user's own."""
    graph: RunGraph = field(init=False)
    _syntax: ProgramSyntax = field(init=False)
    _shown: dict[tuple[int, int], tuple[Location, tuple[Location, ...]]] = field(factory=dict)
    """By statement: its head, and the heads around it."""

    def __attrs_post_init__(self) -> None:
        self.graph = self.origins.graph
        self._syntax = ProgramSyntax(self.run)

    # Criteria

    def variable(self, path: str, line: int, name: str | None, nth: int | None) -> Criterion:
        """See `Slicer`."""
        if self.run.by_calls:
            raise NoSuchValueError("only calls were recorded (--level calls); record again with --level full")
        module = self._module(path)
        positions = self._executions(module, line)
        where = f"{PurePath(module.path).name}:{line + 1}"
        if not len(positions):
            raise NoSuchValueError(f"{where} did not run")
        if nth is not None and not 1 <= nth <= len(positions):
            raise NoSuchValueError(f"{where} ran {len(positions)} times, so there is no time {nth}")
        position = int(positions[-1 if nth is None else nth - 1])
        when = f"{where}, time {len(positions) if nth is None else nth} of {len(positions)}"
        activation = self.graph.evaluations.owner(position)
        node = self.run.record(position).marker.node
        at = self._head(module, node)
        if name is None:
            evaluation = Evaluation(activation, statement_of(module, node), position)
            return Criterion(when, (evaluation,), position, at, tuple(self.run.record(position).words))
        nodes = self.graph.variable(activation, name, position + 1)
        if nodes is None:
            known = ", ".join(self.run.variables(self.run.spans[activation]).names)
            raise NoSuchValueError(f"no variable {name!r} after {when}; there are: {known or 'none'}")
        place = self.graph.evaluations.place_at(self.run.spans[activation], name, position + 1)
        words = () if place is None else (int(self.run.recording.words[place]),)
        return Criterion(f"{name} after {when}", nodes, position, at, words)

    def _module(self, path: str) -> Module:
        """The module of a path, which may be given in part."""
        wanted = PurePath(path).as_posix()
        modules = self.run.program.modules
        for fits in (wanted.__eq__, lambda p: p.endswith(f"/{wanted}"), lambda p: wanted.endswith(f"/{p}")):
            fitting = [module for module in modules if fits(PurePath(module.path).as_posix())]
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                raise NoSuchValueError(f"{path} may be any of {', '.join(m.path for m in fitting)}")
        files = ", ".join(sorted(module.path for module in modules))
        raise NoSuchValueError(f"{path} is not in the recording; its files are: {files}")

    def _executions(self, module: Module, line: int) -> Array:
        """Positions of the records of statements that begin on a line; if there are none, of those that span it."""
        begin, over = [], []
        for index, marker in enumerate(module.markers):
            node = statement_of(module, marker.node) if marker.kind != "enter" else marker.node
            reached = module.nodes[node].place if node >= 0 and marker.kind in _RUN else None
            if reached is None or not reached[0] <= line + 1 <= reached[2]:
                continue
            where = self._head(module, node).range
            if where.start.line == line:
                begin.append(module.first + index)
            elif where.start.line <= line <= where.end.line:
                over.append(module.first + index)
        return self.run.positions(begin or over)

    def part(self, node: int, mark: Mark) -> Criterion:
        """See `Slicer`: hand-overs of the part are followed to where it was made, and are steps of the slice."""
        moment = int(self.origins.tree.last[node])
        part = self.origins.marked(self.origins.span(node), mark, moment + 1)
        if part is None:
            raise NoSuchValueError("that part is not recorded")
        return self.of_part(part, moment)

    def of_part(self, part: TracedPart, moment: int) -> Criterion:
        """The criterion for a part of a value at a moment."""
        origin = find_origin(part, self.origins.flow.source)
        word = self.origins.flow.part_word(origin.part)
        nodes = criterion_of(self.graph, origin, word, moment)
        return Criterion("", nodes, moment, None, () if word is None else (word,))

    # Slices

    def backward(self, criterion: Criterion) -> Slice:
        """See `Slicer`."""
        reached = backward(self.graph.dependences, _nodes(criterion), MOST)
        nodes = [(node, reached.certainties[node]) for node in reached.nodes]
        if not reached.pending:
            return self._slice(nodes)
        until = max(map(moment_of, reached.pending))
        rest = ((statement, Certainty.UNKNOWN) for statement in self._ran_before(until))
        return evolve(self._slice([*nodes, *rest]), followed=MOST)

    def forward(self, criterion: Criterion) -> Slice:
        """See `Slicer`: slices every later statement backward, and keeps those that reach the criterion."""
        reached = backward(self.graph.dependences, self._after(criterion.moment), MOST)
        start = {self._place_of(node) for node in _nodes(criterion)}
        same = {node for node in reached.nodes if self._place_of(node) in start}
        affected = forward(self.graph.dependences, self._followed(reached), {*same, *_nodes(criterion)})
        return evolve(self._affected(affected, reached), after=criterion.moment)

    def chop(self, source: Criterion, target: Criterion) -> Slice:
        """See `Slicer`."""
        reached = backward(self.graph.dependences, _nodes(target), MOST)
        affected = forward(self.graph.dependences, self._followed(reached), set(_nodes(source)) & reached.nodes)
        return self._affected(affected, reached)

    def value(self, criterion: Criterion) -> str:
        """See `Slicer`."""
        return " ".join(self.run.formatter.digest(word, criterion.moment + 1) for word in criterion.words)

    def programs(self, criterion: Criterion) -> Iterator[dict[str, ReducedFile]]:
        """See `Slicer`."""
        if not self.may_run:
            raise BadInputError("this recording was made elsewhere, and its program is never run")
        for every_time in (False, True):
            program = ProgramSlice(self.graph, self._syntax, criterion.moment, every_time, _MOST_OF_PROGRAM)
            if criterion.at is not None:
                program.stand_at(criterion.moment)
            program.follow(_nodes(criterion))
            if program.too_long:
                program.add_all()
            yield program.files()

    @staticmethod
    def _followed(reached: Reached[Node]) -> set[Node]:
        return set(reached.nodes).difference(reached.pending)

    def _affected(self, nodes: set[Node], reached: Reached[Node]) -> Slice:
        """A slice of some nodes, and of nodes that were not followed, which may be affected."""
        affected = self._slice(
            [(n, Certainty.EXACT) for n in nodes] + [(n, Certainty.UNKNOWN) for n in reached.pending]
        )
        return evolve(affected, followed=MOST) if reached.pending else affected

    def _ran_before(self, moment: int) -> Iterator[Evaluation]:
        """The first execution of every statement up to a moment, which stands for all of its executions."""
        for record in self.run.summary_of_all(0, moment):
            if record.marker.kind in MAIN and record.marker.node >= 0:
                yield self._statement(record)

    def _statement(self, record: Record) -> Evaluation:
        node = statement_of(record.marker.module, record.marker.node)
        return Evaluation(self.graph.evaluations.owner(record.position), node, record.position)

    def _after(self, moment: int) -> Iterator[Node]:
        kinds = [n for n, marker in self.run.program.markers.items() if marker.kind in MAIN and marker.node >= 0]
        positions = self.run.positions(kinds)
        for position in positions[np.searchsorted(positions, moment) :][:MOST].tolist():
            yield self._statement(self.run.record(position))

    def _slice(self, nodes: Iterable[tuple[Node, Certainty]]) -> Slice:
        """The slice of these nodes, as steps."""
        certainties: dict[tuple[int, int, int], Certainty] = {}
        for node, certainty in nodes:
            place = self._place_of(node)
            if place is not None:
                certainties[place] = max(certainty, certainties.get(place, Certainty.UNKNOWN))
        steps = [self._step(place, certainty) for place, certainty in certainties.items()]
        steps.sort(key=lambda step: (step.moment, step.place.path, step.place.range.start.line))
        return Slice(tuple(steps))

    def _step(self, place: tuple[int, int, int], certainty: Certainty) -> SliceStep:
        activation, number, position = place
        module = self.run.spans[activation].routine.module
        if (module.first, number) not in self._shown:
            self._shown[module.first, number] = self._head(module, number), tuple(self._blocks_around(module, number))
        head, around = self._shown[module.first, number]
        return SliceStep(position, head, certainty, around)

    def _place_of(self, node: Node) -> tuple[int, int, int] | None:
        """The activation, statement and position of a node; None for a place that was left unchanged."""
        at = node.whole if isinstance(node, Element) else node
        if not isinstance(at, Evaluation | Executed) or at.node < 0:
            return None
        module = self.run.spans[at.activation].routine.module
        number = statement_of(module, at.node)
        return at.activation, at.node if number < 0 else number, self._end(at.activation, at.position)

    def _end(self, activation: int, position: int) -> int:
        """The last record of a statement's execution, which stands for all of them."""
        marker = self.run.program.markers.get(int(self.run.recording.words[position]))
        if marker is not None and marker.kind in MAIN:
            return position
        window = self.graph.evaluations.window_around(activation, position)
        return window[-1].position if window else position

    # Source

    def _head(self, module: Module, number: int) -> Location:
        """The location of a statement; of a compound one, up to the end of its condition."""
        if module.nodes[number].kind == "match_case":
            return self._head(module, module.nodes[number].parent)
        where = module.location(number).range
        inner = [n for n in module.children(number) if module.nodes[n].place is not None]
        own = [n for n in evaluated_with(module, number) if module.nodes[n].place is not None]
        if (own and any(n not in own for n in inner)) or module.nodes[number].kind in DEFINITIONS:
            last = max((module.location(n).range.end.line for n in own if n != number), default=where.start.line)
            line = min(max(last, where.start.line), where.end.line)
            width = len(module.lines[line].rstrip("\r\n")) if line < len(module.lines) else 0
            return Location(module.path, Range(where.start, Position(line, width)))
        return Location(module.path, where)

    def _blocks_around(self, module: Module, number: int) -> Iterator[Location]:
        node = number
        while (node := module.nodes[node].parent) >= 0:
            if module.nodes[node].kind in _BLOCKS:
                yield self._head(module, node)


def _nodes(criterion: Criterion) -> Iterator[Node]:
    """The nodes of a criterion of this slicer."""
    return (node for node in criterion.nodes if isinstance(node, Node))
