"""Positions of an activation's records by marker, to find the last execution of some code before a moment."""

from collections.abc import Iterable

import numpy as np
from attrs import define, field

from adebug_lsp.languages.python.reading.grouping import grouped
from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import Module

_MOST_KEPT = 4_000
"""Activations in the cache; when it is full it is emptied, so that memory does not grow with the slice."""


@define(eq=False)
class RecordIndex:
    """The records of one run."""

    run: Run
    _by_activation: dict[int, dict[int, Array]] = field(factory=dict)
    _markers: dict[int, dict[tuple[str, int], list[int]]] = field(factory=dict)

    def markers(self, module: Module, kinds: Iterable[str], node: int) -> list[int]:
        """The markers of these kinds for a piece of syntax."""
        if module.first not in self._markers:
            table = self._markers[module.first] = {}
            for index, marker in enumerate(module.markers):
                table.setdefault((marker.kind, marker.node), []).append(module.first + index)
        return [number for kind in kinds for number in self._markers[module.first].get((kind, node), ())]

    def last(self, activation: int, markers: Iterable[int], moment: int, after: int = -1) -> int | None:
        """The position of an activation's last record with one of these markers, between two moments."""
        by_marker, latest = self._positions_of(activation), after
        for marker in markers:
            positions = by_marker.get(marker)
            index = 0 if positions is None else int(np.searchsorted(positions, moment))
            if positions is not None and index:
                latest = max(latest, int(positions[index - 1]))
        return latest if latest > after else None

    def count(self, activation: int, markers: Iterable[int], first: int, moment: int) -> int:
        """The number of records with one of these markers between two positions."""
        by_marker = self._positions_of(activation)
        arrays = [by_marker[marker] for marker in markers if marker in by_marker]
        return sum(int(np.searchsorted(a, moment) - np.searchsorted(a, first)) for a in arrays)

    def _positions_of(self, activation: int) -> dict[int, Array]:
        """The positions of an activation's records, by marker; all steps of a generator count as one activation."""
        steps = self.run.steps_of(self.run.spans[activation]) or [self.run.spans[activation]]
        key = steps[0].number
        if key not in self._by_activation:
            if len(self._by_activation) >= _MOST_KEPT:
                self._by_activation.clear()
            positions = np.concatenate([self.run.own(step) for step in steps])
            self._by_activation[key] = dict(grouped(self.run.recording.words[positions], positions).items())
        return self._by_activation[key]
