"""Finds the parts in which two states of a value differ, however large the value is.

Parts are compared by digest, level by level. So a question can show where two long lists differ, and not only how they
begin.
"""

from collections.abc import Callable, Iterator

from attrs import define, field, frozen

from adebug_lsp.languages.python.reading.heap.object_states import Heap, State
from adebug_lsp.languages.python.reading.recorded_values import Object, Values
from adebug_lsp.model.values import Key

_MOST_COMPARED = 4000
"""Parts compared in one search, which takes a second if they are all objects."""
_MOST_FOUND = 4
_DEEPEST = 12


@frozen
class At:
    """A value at one moment."""

    word: int
    position: int


@frozen
class Differing:
    """A part that differs, with the words on the path to it on both sides; the last ones may be missing."""

    path: tuple[Key, ...]
    before: tuple[int | None, ...]
    after: tuple[int | None, ...]


@define(eq=False)
class DifferingParts:
    """One search."""

    values: Values
    heap: Heap
    digest: Callable[[int, int], str]
    key_text: Callable[[int], str]
    _compared: int = 0
    _found: int = field(default=0)

    def between(self, before: At, after: At) -> Iterator[Differing]:
        """The first parts that differ, as deep as both sides have the same structure."""
        yield from self._between(before, after, Differing((), (), ()))

    def _between(self, before: At, after: At, way: Differing) -> Iterator[Differing]:
        old, new = self._parts(before), self._parts(after)
        if not old or not new or len(way.path) >= _DEEPEST:
            if way.path:
                self._found += 1
                yield way
            return
        for key in dict.fromkeys((*old, *new)):
            if self._found >= _MOST_FOUND or self._compared >= _MOST_COMPARED:
                return
            earlier, later = old.get(key), new.get(key)
            below = Differing((*way.path, key), (*way.before, earlier), (*way.after, later))
            if earlier is None or later is None:
                self._found += 1
                yield below
            elif self._differ(earlier, before.position, later, after.position):
                yield from self._between(At(earlier, before.position), At(later, after.position), below)

    def _differ(self, before: int, position: int, after: int, later: int) -> bool:
        self._compared += 1
        is_object = isinstance(self.values.value(before), Object)
        return (before != after or is_object) and self.digest(before, position) != self.digest(after, later)

    def _parts(self, at: At) -> dict[Key, int]:
        value = self.values.value(at.word)
        if not isinstance(value, Object):
            return dict(enumerate(self.values.items(at.word))) if self._is_tuple(at.word) else {}
        state = self.heap.state(at.word, at.position)
        return {} if state.uncertain or state.shape == "set" else self._of_state(state)

    def _of_state(self, state: State) -> dict[Key, int]:
        pairs: dict[Key, int] = {self.key_text(key): value for key, value in state.pairs[:_MOST_COMPARED]}
        return {**pairs, **dict(enumerate(state.items)), **dict(state.attributes)}

    def _is_tuple(self, word: int) -> bool:
        return getattr(self.values.value(word), "type", None) == "tuple"
