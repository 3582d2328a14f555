"""Facts about markers that the search for spans needs, by their numbers."""

from typing import Any

import numpy as np

from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.reading.recorded_values import Object
from adebug_lsp.languages.python.reading.recording_file import Recording
from adebug_lsp.languages.python.reading.structure.run_structure import AWAITED, Program
from adebug_lsp.languages.python.recorder.contract import FIRST_OF_MODULES, TRUE


class Facts:
    """Facts about markers, by number."""

    def __init__(self, program: Program) -> None:
        count = max([FIRST_OF_MODULES, *(number + 1 for number in program.markers)])
        self.count = count
        self.routine, self.arity = [-1] * count, [0] * count
        self.markers = program.markers
        self.routines = program.routines
        self.around: dict[int, frozenset[int]] = {}
        self.made: tuple[Any, Any] = (np.empty(0, np.int64), np.empty(0, np.uint32))
        """First mentions of the coroutines of tasks: positions of words, and the words."""
        numbers = {id(routine): index for index, routine in enumerate(program.routines)}
        for number, marker in program.markers.items():
            self.routine[number] = numbers[id(marker.module.routines[marker.routine])]
            self.arity[number] = len(marker.slots)

    def find_tasks(self, words: Array) -> None:
        """Find the spans that created tasks, by the first mention of their coroutines; event loops do not record it."""
        started = [np.empty(0, np.uint32)]
        for number, marker in self.markers.items():
            if marker.kind == "enter" and self.routines[self.routine[number]].kind in AWAITED:
                places = np.flatnonzero(words == number) + self.arity[number]
                started.append(words[places[places < len(words)]])
        coroutines = np.unique(np.concatenate(started))
        coroutines = coroutines[coroutines > TRUE]
        if len(coroutines):
            places = np.flatnonzero(np.isin(words, coroutines))
            _, first = np.unique(words[places], return_index=True)
            places = np.sort(places[first])
            self.made = places, words[places]

    def loops_around(self, number: int) -> frozenset[int]:
        """The loops around a record; for an iteration including its own."""
        loops = self.around.get(number)
        if loops is None:
            marker = self.markers[number]
            own = (marker.node,) if marker.kind == "iteration" else ()
            node = marker.node if marker.lingers is None else marker.lingers
            loops = self.around[number] = frozenset((*own, *marker.module.loops_around(node)))
        return loops

    def token_slot(self, number: int) -> int:
        """The slot of the activation's number in a record of a generator or coroutine."""
        arity = self.arity[number]
        return 1 if self.markers[number].result == arity - 1 and arity > 1 else arity

    def is_closed(self, recording: Recording, position: int, number: int) -> bool:
        """Whether a generator is closed without running any more code, which is not a step."""
        after = position + 1 + self.arity[number]
        if self.markers[number].kind != "thrown" or after >= len(recording.words):
            return False
        ends = self.markers.get(int(recording.words[after]))
        thrown = recording.values.value(int(recording.words[position + 2]))
        closed = isinstance(thrown, Object) and thrown.type.full_name == "GeneratorExit"
        return closed and ends is not None and ends.kind == "raised"
