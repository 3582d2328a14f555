"""Answers inquiries about a value without judging it: its origin, the history of its place, who printed a text."""

from collections.abc import Callable, Iterator

from attrs import define, evolve, frozen

from adebug_lsp.languages.python.questions.dependences.python_slicer import PythonSlicer
from adebug_lsp.languages.python.questions.describe.io_effects import Effects
from adebug_lsp.languages.python.questions.origins.contents import Contents, Moved, Untraceable, Written
from adebug_lsp.languages.python.questions.origins.evaluations import Evaluations
from adebug_lsp.languages.python.questions.origins.marked_values import PythonDependences
from adebug_lsp.languages.python.questions.origins.parts import Evaluation, Index, Step, TracedPart
from adebug_lsp.languages.python.reading.heap.object_states import Record as HeapRecord
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.languages.python.recorder.contract import FIRST_OF_MODULES, SET_ITEM
from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.slicing.dependence_contract import History, Stage, Trace, Write
from adebug_lsp.slicing.provenance import Certainty, find_origin
from adebug_lsp.slicing.slicer import Slice

MOST_WRITES = 200
_LEFT_OUT = f"earlier writes are left out: only the last {MOST_WRITES} are listed"


@frozen
class Extent:
    """The part of a run that a node stands for."""

    span: Span
    start: int
    """The moment at which it begins."""
    end: int
    result: Evaluation | None = None
    """The expression, if the node is one."""


@define(eq=False)
class PythonTracing:
    """`Tracing` for the questions of one subject."""

    dependences: PythonDependences
    extent: Callable[[int], Extent]
    effects: Effects

    @property
    def _evaluations(self) -> Evaluations:
        return self.dependences.flow.evaluations

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Tracing`."""
        part = self._part(self.extent(node), mark)
        if part is None:
            return None
        origin = find_origin(part, self.dependences.flow.source)
        stages, explanation = self.dependences.stages(origin), self.dependences.explain(origin)
        return Trace(node, frozenset(), explanation, stages, origin.certainty)

    def _part(self, extent: Extent, mark: Mark) -> TracedPart | None:
        if mark.of is MarkOf.RESULT and extent.result is not None:
            value = self._evaluations.value(extent.result)
            return None if value is None else self.dependences.part_of(extent.result, value[0], mark.path, extent.end)
        is_before = mark.of is MarkOf.ARGUMENT
        return self.dependences.marked(extent.span, mark, extent.start if is_before else extent.end)

    def slice(self, node: int, mark: Mark, *, forward: bool) -> Slice | None:
        """See `Tracing`."""
        extent = self.extent(node)
        part = self._part(extent, mark)
        if part is None or self.dependences.run.by_calls:
            return None
        moment = extent.start if mark.of is MarkOf.ARGUMENT else extent.end
        slicer = PythonSlicer(self.dependences.run, self.dependences)
        criterion = slicer.of_part(part, moment - 1)
        return slicer.forward(criterion) if forward else slicer.backward(criterion)

    def printed(self, node: int, start: int, stop: int) -> Trace | None:
        """See `Tracing`."""
        extent = self.extent(node)
        effect, part = self.effects.printed_at(extent.start - 1, extent.end - 1, start, stop)
        if effect is None:
            return None
        how = f"printed by `{self._evaluations.text(effect.call)}`"
        location = self._evaluations.module(effect.call).location(effect.call.node)
        if part is None:
            at = f"{how} at line {location.range.start.line + 1}"
            return Trace(node, frozenset(), at, (Stage(how, location),), Certainty.EXACT)
        origin = find_origin(part, self.dependences.flow.source)
        explanation = f"{self.dependences.explain(origin)}, then {how} at line {location.range.start.line + 1}"
        stages = (*self.dependences.stages(origin), Stage(how, location))
        return Trace(node, frozenset(), explanation, stages, origin.certainty)

    # Histories

    def history(self, node: int, mark: Mark) -> History | None:
        """See `Tracing`."""
        extent = self.extent(node)
        if mark.of in (MarkOf.AFTER, MarkOf.ARGUMENT) and len(mark.path) == 1:
            moment = extent.end if mark.of is MarkOf.AFTER else extent.start
            return _history(self._of_variable(extent.span, str(mark.path[0]), moment))
        part = self._part(extent, mark)
        if part is None or not part.path:
            return None
        whole = self.dependences.flow.part_word(TracedPart(part.evaluation, part.path[:-1]))
        return None if whole is None else _history(self._of_part(whole, part.path[-1]))

    def _of_variable(self, span: Span, name: str, moment: int) -> Iterator[Write | str]:
        """Bindings of a variable, newest first; then why there are no more."""
        activation = self._evaluations.run.spans[span.activation]
        while (place := self._evaluations.place_at(activation, name, moment)) is not None:
            record = self._evaluations.run.record_around(place)
            word = int(self._evaluations.run.recording.words[place])
            yield self._write(record.position, word)
            moment = record.position
        yield "it had no value before"

    def _of_part(self, whole: int, step: Step) -> Iterator[Write | str]:
        """Writes to an element or attribute of an object, newest first; then why there are no more."""
        contents = Contents(self._evaluations)
        while True:
            writer = contents.writer(whole, step)
            if isinstance(writer, Untraceable):
                yield writer.why
                return
            if not isinstance(writer, Written | Moved):
                yield "the object was made with it" if self._evaluations.part_at(whole, step, step.moment) else ""
                return
            position = writer.record.position
            word = self._evaluations.part_at(whole, step, step.moment)
            if word is None:
                yield "an earlier value is not recorded"
                return
            yield self._write(position, word)
            earlier = writer.step if isinstance(writer, Moved) else self._earlier(step, writer.record)
            if earlier is None or self._evaluations.part_at(whole, earlier, position) is None:
                yield "it did not exist before"
                return
            step = earlier

    def _earlier(self, step: Step, record: HeapRecord) -> Step | None:
        """The same place before a write; None if the write inserted the element."""
        if not isinstance(step, Index):
            return evolve(step, moment=record.position)
        number = self._evaluations.plain(record.key) if record.kind == SET_ITEM else None
        return Index(number, record.position) if isinstance(number, int) else None

    def _write(self, position: int, word: int) -> Write:
        """A write, shown with its statement."""
        run = self._evaluations.run
        if run.recording.words[position] >= FIRST_OF_MODULES:
            marker = run.record(position).marker
        else:  # of code that is not recorded, during the statement that follows
            window = self._evaluations.window_around(self._evaluations.owner(position), position)
            if not window:
                return Write("code that is not recorded", "", self._shown(word, position + 1), None)
            marker = window[-1].marker
        module, routine = marker.module, marker.module.routines[marker.routine]
        name = routine.qualname or module.name
        node = routine.node if marker.kind == "enter" else marker.node
        text = f"passed to {name}" if marker.kind == "enter" else module.text(node).partition("\n")[0].strip()
        return Write(text, name, self._shown(word, position + 1), module.location(node))

    def _shown(self, word: int, moment: int) -> str:
        return self.dependences.behaviours.value(word, moment).text


def _history(entries: Iterator[Write | str]) -> History:
    """Collect writes, newest first, up to a limit."""
    writes: list[Write] = []
    for item in entries:
        if isinstance(item, str):
            return History(tuple(writes[::-1]), item)
        if len(writes) == MOST_WRITES:
            break
        writes.append(item)
    return History(tuple(writes[::-1]), _LEFT_OUT)
