"""Origin of a marked value: the node that wrote it, and everything that ran before and could have influenced it.

A part of a mutable object comes from the last write to its place; a returned value from the innermost call that
returned the same object. In an eager language only code that ran before can influence a value.
"""

from collections.abc import Callable

import numpy as np
from attrs import define

from adebug_lsp.languages.python.questions.describe.behaviours import BehaviourBuilder
from adebug_lsp.languages.python.reading.recorded_values import Atom, Derived, Object, TupleLike
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.structure.spans import Span
from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.values import Key
from adebug_lsp.slicing.dependence_contract import Trace
from adebug_lsp.tree.columns import ExecutionTree


@define(eq=False)
class PythonDependences:
    """Dependences over the tree of one subject."""

    run: Run
    behaviours: BehaviourBuilder
    tree: ExecutionTree
    span: Callable[[int], Span]

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`."""
        moment = self._made(node, mark)
        if moment is None:
            return None
        origin = self._at(moment)
        last = self.tree.first
        earlier = np.flatnonzero(last <= moment)
        return Trace(origin, frozenset({origin, *earlier.tolist()}))

    def _at(self, position: int) -> int:
        """The innermost node running at a position."""
        tree = self.tree
        inside = np.flatnonzero((tree.first <= position) & (tree.last >= position))
        return int(inside[-1]) if len(inside) else 0

    def _made(self, node: int, mark: Mark) -> int | None:
        """Position at which the marked value was stored; None if unknown."""
        span = self.span(node)
        if mark.of is MarkOf.CALL:
            return span.first - 1
        if mark.of is MarkOf.AFTER:
            return self._afterwards(node, span, str(mark.path[0]), mark.path[1:])
        records = self.run.summary(span, span.first, span.last)
        if mark.of is MarkOf.RESULT:
            result, raised = self.behaviours.outcome(span)
            start, path = (raised if result is None else result), mark.path
            moment = span.last + 1
        else:
            arguments = self.behaviours.arguments(span, records)
            named = dict(arguments) | {str(index): word for index, (_, word) in enumerate(arguments)}
            name, path = str(mark.path[0]) if mark.path else "", mark.path[1:]
            start, moment = named.get(name), span.first + 1
            if start is None:
                start = dict(self.behaviours.nonlocal_reads(span, records)).get(name)
                return None if start is None else self._outside(span, name, start, path)
            if not path and not self.behaviours.is_mutable(start):
                return span.first - 1
        return None if start is None else self._follow(start, path, moment)

    def _afterwards(self, node: int, span: Span, name: str, path: tuple[Key, ...]) -> int | None:
        """The same for the value of a variable at the end."""
        activation, moment = self.run.spans[span.activation], int(self.tree.last[node]) + 1
        start = self.behaviours.bound(activation, name, moment)
        if start is None:
            read = self.behaviours.nonlocal_reads(span, self.run.summary(span, span.first, span.last))
            start = dict(read).get(name)
        if start is None:
            return None
        bound = self.run.variables(activation).bound_at(name, moment)
        return bound if not path and not self.behaviours.is_mutable(start) else self._follow(start, path, moment)

    def _outside(self, span: Span, name: str, word: int, path: tuple[Key, ...]) -> int | None:
        """The same for a global or free variable, which no caller passed."""
        moment = span.first + 1
        if path:
            return self._follow(word, path, moment)
        if self.behaviours.is_mutable(word):
            return None if any(self.run.heap.records(word, 0, moment)) else self._first_seen(word, moment)
        module, words = span.routine.module, self.run.recording.words
        binds = [module.first + i for i, m in enumerate(module.markers) if any(n == name for n, _ in m.stores)]
        places = np.flatnonzero(np.isin(words[:moment], binds))
        return int(places[-1]) if len(places) else None

    def _follow(self, word: int, path: tuple[Key, ...], moment: int) -> int | None:
        """Follows a path into a value; returns the position of the latest write on the way.

        Changes inside a mutable value are not followed, so only a path to an atom has an answer.
        """
        moments: list[int] = []
        for key in path:
            part = self._part(word, key, moment)
            written = None if part is None else self._written(word, key, part, moment)
            if part is None or written is None:
                return None
            moments.append(written)
            word = part
        if self.behaviours.is_mutable(word):
            return None
        return max(moments) if moments else self._first_seen(word, moment)

    def _part(self, word: int, key: Key, moment: int) -> int | None:
        """Word at a place inside a value."""
        described = self.run.recording.values.value(word)
        if isinstance(described, TupleLike):
            return (
                described.items[key]
                if isinstance(key, int) and -len(described.items) <= key < len(described.items)
                else None
            )
        if isinstance(described, Derived) and described.type.base == "tuple":
            names = [name for name, _shown, _compared in described.type.fields or ()]
            return self._part(described.value, names.index(key) if key in names else key, moment)
        if not isinstance(described, Object):
            return None
        state = self.run.heap.state(word, moment)
        if isinstance(key, int) and state.items:
            return state.items[key] if -len(state.items) <= key < len(state.items) else None
        for name, value in state.attributes:
            if name == key:
                return value
        for name_word, value in state.pairs:
            if self.behaviours.value(name_word, moment).text == key or self._plain(name_word) == key:
                return value
        return None

    def _plain(self, word: int) -> object:
        described = self.run.recording.values.value(word)
        return described.value if isinstance(described, Atom) else None

    def _written(self, word: int, key: Key, part: int, moment: int) -> int | None:
        """Position of the last record that changed the place; else where the whole value was made."""
        if not isinstance(self.run.recording.values.value(word), Object):
            return self._first_seen(word, moment)
        records = list(self.run.heap.records(word, 0, moment))
        for record in reversed(records[-_FAR:]):
            if self._part(word, key, record.position) != part:
                return record.position
        return self._first_seen(word, moment)

    def _first_seen(self, word: int, moment: int) -> int | None:
        """Position of the first occurrence of a value."""
        places = np.flatnonzero(self.run.recording.words[:moment] == word)
        return int(places[0]) if len(places) else None


_FAR = 5000
