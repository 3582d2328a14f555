"""Finds the write that put a value into a mutable object, by reading the log of writes backwards from a moment."""

from collections.abc import Iterable, Iterator

from attrs import define, evolve, frozen

from adebug_lsp.languages.python.questions.origins.evaluations import UNKNOWN_VALUE, Evaluations
from adebug_lsp.languages.python.questions.origins.parts import Attribute, Index, Item, Step
from adebug_lsp.languages.python.reading.heap.object_states import Record
from adebug_lsp.languages.python.reading.recorded_values import TupleLike
from adebug_lsp.languages.python.recorder.contract import (
    CALL_METHOD,
    DEL_ITEM,
    IMAGE_BYTES,
    SET_ATTR,
    SET_ITEM,
)

_MOST_RECORDS = 50_000
"""Changes of one object that are searched."""
_ADDS_AT_END = ("append", "add")
_REARRANGES = ("sort", "reverse", "rotate")


@frozen
class Written:
    """The write that put a value into its place."""

    record: Record
    argument: int | None = None
    """The argument of a method that it came from; None for an assignment."""
    element: int | None = None
    """The element of that argument."""
    word: int | None = None
    """The value, if the record has it only inside another."""
    key: int | None = None
    """The key in that argument, a mapping."""


@frozen
class Moved:
    """A method such as `sort` moved the value there from another index."""

    record: Record
    step: Index
    """The step to the element just before that."""


@frozen
class Initial:
    """The object had the value from the beginning."""

    step: Step


@frozen
class Untraceable:
    """The write is not known."""

    why: str


class _TooManyError(Exception):
    """Raised if there are too many changes to search."""


@define(eq=False)
class Contents:
    """The contents of mutable objects over time."""

    evaluations: Evaluations

    def writer(self, word: int, step: Step) -> Written | Moved | Initial | Untraceable:
        """The last write that put the value there which the step leads to at its moment."""
        records = self._changes(word, step)
        try:
            if isinstance(step, Attribute):
                return self._attribute(word, records, step)
            if isinstance(step, Item):
                return self._item(word, records, step)
            return self._element(word, records, step) if isinstance(step, Index) else Untraceable("it has no such part")
        except _TooManyError:
            return Untraceable(f"there are more than {_MOST_RECORDS} changes to look through")

    def _changes(self, word: int, step: Step) -> Iterator[Record]:
        heap = self.evaluations.run.heap
        changes = heap.changes_before(word, step.moment, of_attributes=isinstance(step, Attribute))
        for count, record in enumerate(changes):
            if count == _MOST_RECORDS:
                raise _TooManyError
            yield record

    def _attribute(self, word: int, records: Iterable[Record], step: Attribute) -> Written | Initial:
        for record in records:
            if record.kind == SET_ATTR and self.evaluations.plain(record.key) == step.name:
                return Written(record)
            if record.kind <= IMAGE_BYTES and self._is_new(word, step, record):
                return Written(record)
        return Initial(step)

    def _item(self, word: int, records: Iterable[Record], step: Item) -> Written | Initial | Untraceable:
        """The last write to a key of a mapping."""
        for record in records:
            if record.kind == SET_ITEM and self._same_key(record.key, step.key, record.position):
                return Written(record)
            if record.kind <= IMAGE_BYTES and self._is_new(word, step, record):
                return Written(record)
            if record.kind != CALL_METHOD:
                continue
            name, arguments = self._method(record)
            sets = name == "__setitem__" or (name == "setdefault" and self._was_missing(word, step, record))
            if sets and self._same_key(arguments[0], step.key, record.position):
                return Written(record, argument=1)
            if name in ("update", "__ior__") and arguments:
                keys = self.evaluations.items(arguments[0], record.position)
                if keys is None:
                    return Untraceable("it was changed by a method whose argument is not recorded")
                if any(self._same_key(key, step.key, record.position) for key in keys):
                    return Written(record, argument=0, key=step.key)
        return Initial(step)

    def _is_new(self, word: int, step: Attribute | Item, image: Record) -> bool:
        """Whether an image shows a value for the first time, because code that is not recorded wrote it."""
        if self.evaluations.run.heap.state(word, image.position).uncertain:
            return False
        before, after = (self.evaluations.part_at(word, step, image.position + later) for later in (0, 1))
        return after is not None and (before is None or not self.evaluations.same(before, after))

    def _same_key(self, left: int, right: int, position: int) -> bool:
        return self.evaluations.run.heap.is_same_key(left, right, position)

    def _was_missing(self, word: int, step: Item, record: Record) -> bool:
        before = self.evaluations.items(word, record.position) or ()
        return not any(self._same_key(key, step.key, record.position) for key in before)

    def _element(self, word: int, records: Iterable[Record], step: Index) -> Written | Moved | Initial | Untraceable:
        """Follow an element of a list backwards; insertions and removals before it change its index."""
        items = self.evaluations.items(word, step.moment)
        if items is None:
            return Untraceable("its elements are not recorded")
        number = step.number + len(items) if step.number < 0 else step.number
        if not 0 <= number < len(items):
            return Untraceable("there is no such element")
        element = items[number]
        for record in records:
            if record.kind == SET_ITEM and isinstance(index := self.evaluations.plain(record.key), int) and index >= 0:
                if index == number:
                    return Written(record)
                continue
            before = self.evaluations.items(word, record.position)
            if before is None:
                return Untraceable("an earlier state is not recorded")
            moved = self._before(record, number, element, before)
            if isinstance(moved, Written | Untraceable):
                return moved
            if record.kind <= IMAGE_BYTES or self._method(record)[0] in _REARRANGES:
                if moved == number and before == self.evaluations.items(word, record.position + 1):
                    continue
                return Moved(record, Index(moved, record.position))
            number = moved
        return Initial(evolve(step, number=number))

    def _before(
        self, record: Record, number: int, element: int, before: tuple[int, ...]
    ) -> int | Written | Untraceable:
        """The index of an element before a write, or the write that put it there."""
        if record.kind <= IMAGE_BYTES:
            return self._rearranged(record, number, element, before, "sort")
        if record.kind in (SET_ITEM, DEL_ITEM):
            if (bounds := self._bounds(record.key)) is not None:
                return self._spliced(record, number, element, bounds)
            index = self.evaluations.plain(record.key)
            if not isinstance(index, int):
                return Untraceable("it was changed by a slice")
            index += len(before) if index < 0 else 0
            if record.kind == SET_ITEM:
                return Written(record) if index == number else number
            return number + (number >= index)
        name, arguments = self._method(record)
        if name in _ADDS_AT_END and number == len(before):
            return Written(record, argument=0)
        if name in ("extend", "__iadd__") and number >= len(before):
            return Written(record, argument=0, element=number - len(before))
        if name in ("appendleft", "insert"):
            index = 0 if name == "appendleft" else self._insertion(arguments[0], len(before))
            if index == number:
                return Written(record, argument=len(arguments) - 1)
            return number - (number > index)
        if name in ("pop", "popleft", "popped"):
            index = 0 if name == "popleft" else len(before) - 1
            if name == "pop" and arguments and isinstance(popped := self.evaluations.plain(arguments[0]), int):
                index = popped + len(before) if popped < 0 else popped
            return number + (number >= index)
        if name == "reverse":
            return len(before) - 1 - number
        return self._rearranged(record, number, element, before, name)

    def _bounds(self, key: int) -> tuple[int, int] | None:
        """The start and stop of a key that is a slice."""
        described = self.evaluations.run.recording.values.value(key)
        if not isinstance(described, TupleLike) or described.type != "slice":
            return None
        start, stop = (self.evaluations.plain(item) for item in described.items[:2])
        return (start, stop) if isinstance(start, int) and isinstance(stop, int) else None

    def _spliced(self, record: Record, number: int, element: int, bounds: tuple[int, int]) -> int | Written:
        """The index of an element before a slice was replaced, or the write that put it there."""
        start, stop = bounds
        new = len(self.evaluations.items(record.value, record.position) or ()) if record.kind == SET_ITEM else 0
        if start <= number < start + new:
            return Written(record, word=element)
        return number if number < start else number - new + (stop - start)

    def _rearranged(
        self, record: Record, number: int, element: int, before: tuple[int, ...], name: str
    ) -> int | Written | Untraceable:
        """The index of the same element before a method that reorders; equal elements keep their order."""
        places = [index for index, word in enumerate(before) if self.evaluations.same(word, element)]
        if number in places and name not in _REARRANGES:
            return number
        return places[0] if places else Written(record, word=element)

    def _insertion(self, word: int, length: int) -> int:
        index = self.evaluations.plain(word)
        index = index if isinstance(index, int) else length
        return min(max(index + length if index < 0 else index, 0), length)

    def _method(self, record: Record) -> tuple[str, tuple[int, ...]]:
        """The name and arguments of the method that a record is of."""
        name = self.evaluations.plain(record.key)
        return ("" if name is UNKNOWN_VALUE else str(name)), self.evaluations.run.heap.method_arguments(record)
