"""Data dependences through objects: who wrote a part that is read, and what could have written it but did not."""

import numpy as np
from attrs import define, evolve, field

from adebug_lsp.languages.python.questions.dependences.control import Control
from adebug_lsp.languages.python.questions.dependences.nodes import (
    Content,
    Edges,
    Executed,
    KeptPlace,
    Node,
    Place,
    Shape,
)
from adebug_lsp.languages.python.questions.dependences.possible_writes import ELEMENT, PossibleWrites, Write
from adebug_lsp.languages.python.questions.dependences.reads import statement_of
from adebug_lsp.languages.python.questions.origins.contents import Contents, Initial, Moved, Written
from adebug_lsp.languages.python.questions.origins.evaluations import Evaluations
from adebug_lsp.languages.python.questions.origins.parts import Attribute, Evaluation, Index
from adebug_lsp.languages.python.reading.heap.object_states import Record
from adebug_lsp.languages.python.reading.recorded_values import Atom, Object, Opaque, TypeInfo
from adebug_lsp.languages.python.recorder.contract import CALL_METHOD, FIRST_OF_MODULES, SET_ITEM
from adebug_lsp.slicing.dependence_graph import Dependence, Edge
from adebug_lsp.slicing.provenance import Certainty

_ADDS_ONE = frozenset({"append", "appendleft", "add"})
_MOST_INSIDE = 2_000
"""Objects inside one value up to which each one's contents are followed."""
_BLOCK = 1 << 16


@define(eq=False)
class Places:
    """The places in the objects of one run."""

    evaluations: Evaluations
    control: Control
    possible: PossibleWrites
    _contents: Contents = field(init=False)
    _births: dict[int, int] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._contents = Contents(self.evaluations)

    # One place

    def read(self, word: int, place: Place, moment: int) -> Edges:
        """What the value at a place of an object depends on, at a moment."""
        if isinstance(place, Index):
            items = self.evaluations.items(word, moment) or ()
            number = place.number + len(items) if place.number < 0 else place.number
            place = Index(number, 0)
        writer = self._contents.writer(word, evolve(place, moment=moment))
        edges: Edges = []
        if isinstance(writer, Written):
            written = writer.record.position
        elif isinstance(writer, Moved):
            written = writer.record.position
            edges += [*self.read(word, evolve(writer.step, moment=0), written), Edge(Content(word, written))]
        elif isinstance(writer, Initial):
            written = -1
        else:
            return [Edge(Content(word, moment), certainty=Certainty.UNKNOWN)]
        if isinstance(place, Index) and isinstance(self.evaluations.run.recording.values.value(word), Object):
            edges.append(Edge(Shape(word, moment)))
        return edges + self._last_possible_write(word, place, moment, written)

    def kept(self, node: KeptPlace) -> Edges:
        """Why a place was left unchanged, and what its value depended on before."""
        owner = self.evaluations.owner(node.moment)
        record = self.evaluations.run.record(node.moment)
        if record.marker.writes:
            edges = self._written_elsewhere(owner, node.moment)
        else:
            edges = self.control.head(owner, node.moment, Dependence.RELEVANT)
        return edges + self._last_possible_write(node.word, node.place, node.moment, node.written)

    def _last_possible_write(self, word: int, place: Place, moment: int, written: int) -> Edges:
        """The last event before a moment that could have changed a place, or the write itself."""
        write = Write("attribute", place.name) if isinstance(place, Attribute) else ELEMENT
        last = self.possible.last_head(write, moment, max(written, self._first_seen(word)))
        if write == ELEMENT:
            last = max((p for p in (last, self._other_write(word, moment, written)) if p is not None), default=None)
        if last is not None:
            return [Edge(KeptPlace(word, place, last, written), Dependence.RELEVANT)]
        return [] if written < 0 else [self.statement_at(written)]

    def _other_write(self, word: int, moment: int, written: int) -> int | None:
        """The position of a later write to another place of the same object."""
        for record in self.evaluations.run.heap.changes_before(word, moment, of_attributes=False):
            if record.position <= written:
                return None
            if record.kind == SET_ITEM and self._is_of_module(record.position):
                return record.position
        return None

    def _written_elsewhere(self, owner: int, position: int) -> Edges:
        """The keys of a statement that wrote to other places of the same object."""
        record = self.evaluations.run.record(position)
        module = record.marker.module
        inside = module.inside(statement_of(module, record.marker.node))
        keys = [module.children(n)[1] for n in inside if module.nodes[n].kind == "Subscript"]
        return [Edge(Evaluation(owner, key, position), Dependence.RELEVANT) for key in keys]

    def statement_at(self, position: int) -> Edge[Node]:
        """The statement that made the write at a position."""
        owner = self.evaluations.owner(position)
        if self._is_of_module(position):
            record = self.evaluations.run.record(position)
            node = statement_of(record.marker.module, record.marker.node)
            return Edge(Evaluation(owner, node, position))
        window = self.evaluations.window_around(owner, position)
        last = window[-1] if window else self.evaluations.run.record(self.evaluations.run.spans.first[owner])
        node = statement_of(last.marker.module, last.marker.node)
        return Edge(Evaluation(owner, node, last.position), certainty=Certainty.DERIVED)

    def _is_of_module(self, position: int) -> bool:
        return bool(self.evaluations.run.recording.words[position] >= FIRST_OF_MODULES)

    # Whole objects

    def inside(self, word: int, moment: int) -> Edges:
        """Everything that was written into a value and what it contains, before a moment."""
        edges: Edges = []
        waiting, seen = [word], {word}
        for inner in waiting:  # grows while it is read
            described = self.evaluations.run.recording.values.value(inner)
            if isinstance(described, Atom | Opaque | TypeInfo):
                continue
            if isinstance(described, Object):
                edges.append(Edge(Content(inner, moment)))
            if len(waiting) < _MOST_INSIDE:
                parts = dict.fromkeys(part for _, part in self.evaluations.parts(inner, moment) if part not in seen)
                seen.update(parts)
                waiting.extend(parts)
        return edges

    def content(self, node: Content) -> Edges:
        """The last write into an object, or the last event that could have led to one, and the contents before it."""
        change = self._last_change(node.word, node.moment)
        written = -1 if change is None else change.position
        since = max(written, self._first_seen(node.word))
        heads = (self.possible.last_head(write, node.moment, since) for write in self._writes(node))
        last = max((head for head in heads if head is not None), default=None)
        if last is not None:
            edges = self.control.head(self.evaluations.owner(last), last, Dependence.RELEVANT)
            return [*edges, Edge(Content(node.word, last))]
        return [] if change is None else [self.statement_at(written), Edge(Content(node.word, written))]

    def _writes(self, node: Content) -> list[Write]:
        state = self.evaluations.run.heap.state(node.word, node.moment)
        named = [Write("attribute", name) for name, _ in state.attributes]
        return [*named, ELEMENT] if state.shape else named

    def _last_change(self, word: int, moment: int) -> Record | None:
        """The last record before a moment that changed an object."""
        heap = self.evaluations.run.heap
        changes = [next(heap.changes_before(word, moment, of_attributes=named), None) for named in (False, True)]
        return max((r for r in changes if r is not None), key=lambda r: r.position, default=None)

    def shape(self, node: Shape) -> Edges:
        """The last change of the number or order of elements, and the shape before it."""
        changes = self.evaluations.run.heap.changes_before(node.word, node.moment, of_attributes=False)
        sequence = self.evaluations.run.heap.state(node.word, node.moment).shape == "sequence"
        change = next((r for r in changes if not (sequence and self._replaces_one(r))), None)
        written = -1 if change is None else change.position
        last = self.possible.last_head(ELEMENT, node.moment, max(written, self._first_seen(node.word)))
        if last is not None:
            edges = self.control.head(self.evaluations.owner(last), last, Dependence.RELEVANT)
            return [*edges, Edge(Shape(node.word, last))]
        if change is None:
            return []
        edge, before = self.statement_at(written), Edge[Node](Shape(node.word, written))
        adds = change.kind == CALL_METHOD and self.evaluations.plain(change.key) in _ADDS_ONE
        if adds and isinstance(at := edge.on, Evaluation):
            edge = Edge(Executed(at.activation, at.node, at.position), Dependence.CONTROL, edge.certainty)
        return [edge, before]

    def _replaces_one(self, record: Record) -> bool:
        """Whether a write replaced an element, so that number and order stay."""
        return record.kind == SET_ITEM and isinstance(self.evaluations.plain(record.key), int)

    def _first_seen(self, word: int) -> int:
        """The position at which an object first appears."""
        if word not in self._births:
            words = self.evaluations.run.recording.words
            starts = range(0, len(words), _BLOCK)
            blocks = ((start, np.flatnonzero(words[start : start + _BLOCK] == word)) for start in starts)
            self._births[word] = next((start + int(offsets[0]) for start, offsets in blocks if len(offsets)), -1)
        return self._births[word]
