"""The input and output of a run: what recorded code printed, wrote, read and logged, from the recorded calls.

The recording has the arguments and the result of every library call, so nothing else is recorded for this.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from attrs import define, field, frozen

from adebug_lsp.languages.python.questions.describe.globals import Globals
from adebug_lsp.languages.python.questions.describe.io_calls import PRINTED, CallEffects, Effect, may_have_effects
from adebug_lsp.languages.python.questions.origins.evaluations import Evaluations
from adebug_lsp.languages.python.questions.origins.parts import Evaluation, TracedPart
from adebug_lsp.languages.python.reading.grouping import grouped_places
from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.reading.run import Record, Run
from adebug_lsp.languages.python.reading.static import LOOPS, Marker
from adebug_lsp.languages.python.reading.structure.spans import Span

_MOST_LINES = 20
_MOST_LOOKED_AT = 400
"""Records between two positions that are searched for effects; the last ones."""
_MOST_ITERATED = 4000
"""Iterables of one loop that are checked for files."""
_BLOCK = 1 << 16


@frozen
class EffectsOn:
    """Consecutive effects of one kind on one stream."""

    target: str
    text: str
    """The text written or read, limited to its last lines."""
    kind: str


@define(eq=False)
class Effects:
    """The effects of one run."""

    run: Run
    global_variables: Globals
    _evaluations: Evaluations = field(init=False)
    _single: CallEffects = field(init=False)
    _known: dict[int, tuple[Effect, ...]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._evaluations = Evaluations(self.run, self.global_variables)
        self._single = CallEffects(self.run, self._evaluations)

    def between(self, first: int, last: int) -> list[EffectsOn]:
        """Effects of any code between two positions, in the order of the first on each stream."""
        effects, left_out = self.each(first, last)
        targets: dict[str, list[Effect]] = {}
        for effect in effects:
            targets.setdefault(effect.target, []).append(effect)
        return [_joined(of_target, left_out > 0) for of_target in targets.values()]

    def each(self, first: int, last: int) -> tuple[list[Effect], int]:
        """The effects between two positions one by one, and the number of earlier records that were not searched."""
        low, high = np.searchsorted(self._positions, [first, last + 1]).tolist()
        begin = max(low, high - _MOST_LOOKED_AT)
        looked_at = self._positions[begin:high].tolist()
        return [effect for position in looked_at for effect in self._at(position)], begin - low

    def lines(self, first: int, last: int) -> list[str]:
        """Effects without file names, which differ between runs."""
        return [f"{effect.kind} {effect.text}" for effect in self.between(first, last)]

    def printed_at(self, first: int, last: int, start: int, stop: int) -> tuple[Effect | None, TracedPart | None]:
        """The effect that printed a range of the text shown between two positions, and the value that it wrote."""
        effects, left_out = self.each(first, last)
        printed = [effect for effect in effects if effect.kind == PRINTED]
        whole = "".join(effect.text for effect in printed)
        shown = _joined(printed, left_out > 0).text if printed else ""
        if not 0 <= start < stop <= len(shown):
            return None, None
        end = len(whole.removesuffix("\n"))
        begin = end - len(shown) + start  # the shown text ends where the whole does
        for effect in printed if begin >= 0 else ():
            if begin < len(effect.text):
                parts = (part for part, ends in effect.arguments if begin < ends)
                return effect, next(parts, None)
            begin -= len(effect.text)
        return None, None

    # Candidates

    @cached_property
    def _positions(self) -> Array:
        """The positions of all records that may have effects."""
        calling = self.run.positions(list(self._calls))
        return np.sort(np.concatenate([calling, self.run.positions([*self._iterations, *self._comprehensions])]))

    @cached_property
    def _calls(self) -> dict[int, list[int]]:
        """For each marker, its nodes that may be calls with effects."""
        markers = self.run.program.markers.items()
        calls = {number: [n for n in _executed(m) if may_have_effects(m.module, n)] for number, m in markers}
        return {number: nodes for number, nodes in calls.items() if nodes}

    @cached_property
    def _iterations(self) -> dict[int, Marker]:
        """The markers of iterations of loops over files."""
        markers = self.run.program.markers
        loops = [number for number, marker in markers.items() if marker.kind == "loop" and _has_iterable(marker)]
        over_files = {
            (markers[number].module.first, markers[number].node)
            for number, positions in grouped_places(self.run.recording.words, loops).items()
            if self._is_over_files(positions)
        }
        return {
            number: marker
            for number, marker in markers.items()
            if marker.kind == "iteration" and marker.stores and (marker.module.first, marker.node) in over_files
        }

    @cached_property
    def _comprehensions(self) -> dict[int, int]:
        """For each marker of the iterations of a comprehension over files, the iterated expression."""
        markers = {number: m for number, m in self.run.program.markers.items() if m.kind == "comprehension"}
        nodes = {number: node for number, m in markers.items() if (node := _iterated(m)) is not None}
        places = grouped_places(self.run.recording.words, nodes)
        return {
            number: nodes[number]
            for number, positions in places.items()
            if self._is_iteration_over_files(positions, nodes[number])
        }

    def _is_iteration_over_files(self, positions: Array, node: int) -> bool:
        some = positions[[0, len(positions) // 2, -1]].tolist()
        return any(self._comprehension_file(self.run.record(position), node) is not None for position in some)

    def _comprehension_file(self, record: Record, node: int) -> tuple[Evaluation, int] | None:
        """The iterated expression of a comprehension, and its value if that is a file."""
        activation = self._activation(record)
        if activation is None:
            return None
        iterated = Evaluation(activation.number, node, record.position)
        stream = self._evaluations.value(iterated)
        return (iterated, stream[0]) if stream is not None and self._single.is_stream(stream[0]) else None

    def _is_over_files(self, positions: Array) -> bool:
        words = self.run.recording.words
        places = positions + 1
        iterables = smallest(words[places[places < len(words)]], _MOST_ITERATED)
        return any(self._single.is_stream(word) for word in iterables.tolist())

    # One record

    def _at(self, position: int) -> tuple[Effect, ...]:
        if position not in self._known:
            self._known[position] = tuple(self._effects(self.run.record(position)))
        return self._known[position]

    def _effects(self, record: Record) -> Iterator[Effect]:
        """The effects of the calls in a record."""
        activation = self._activation(record) if record.whole else None
        if activation is None:
            return
        number = int(self.run.recording.words[record.position])
        if number in self._iterations:
            effect = self._iterated(record, activation)
            if effect is not None:
                yield effect
        if (
            number in self._comprehensions
            and (turned := self._comprehension_file(record, self._comprehensions[number])) is not None
        ):
            yield self._taken(turned[1], record, record.marker.iteration_stores, turned[0])
        for node in self._calls.get(number, ()):
            yield from self._single.of(Evaluation(activation.number, node, record.position))

    def _activation(self, record: Record) -> Span | None:
        """The innermost running activation of the record's routine."""
        spans, routine = self.run.spans, record.marker.module.routines[record.marker.routine]
        for number in reversed(self.run.activations_of(routine, record.position)):
            if spans.last[number] >= record.position:
                return spans[number]
        return None

    def _iterated(self, record: Record, activation: Span) -> Effect | None:
        """The line that a loop over a file read."""
        module, loop = record.marker.module, record.marker.node
        call = Evaluation(activation.number, module.children(loop)[1], record.position)
        own = self.run.own(activation)
        begins = [module.first + i for i, m in enumerate(module.markers) if m.kind == "loop" and m.node == loop]
        before = own[: np.searchsorted(own, record.position)]
        loops = before[np.isin(self.run.recording.words[before], begins)]
        stream = self.run.record(int(loops[-1])).words[:1] if len(loops) else ()
        if not stream or not self._single.is_stream(stream[0]):
            return None
        return self._taken(stream[0], record, record.marker.stores, call)

    def _taken(self, stream: int, record: Record, stores: Sequence[tuple[str, int]], call: Evaluation) -> Effect:
        """An item that an iteration took from a stream; if it was unpacked, the item itself is not recorded."""
        is_whole = len(stores) == 1
        text = self._single.content(record.words[stores[0][1]], call) if is_whole else f"{self._single.source(call)}\n"
        return self._single.read(self._single.name(stream), text, call)


def _executed(marker: Marker) -> list[int]:
    """The expressions whose evaluation a record of this marker shows."""
    nodes = [slot for slot in marker.slots if slot >= 0]
    if marker.kind == "statement" and marker.node >= 0 and marker.module.nodes[marker.node].kind == "Expr":
        # The result of a call of library code that is a statement has no slot.
        nodes += [child for child in marker.module.children(marker.node) if child not in nodes]
    return nodes


def _iterated(marker: Marker) -> int | None:
    """The expression that a comprehension iterates over, from a marker of its iterations."""
    module = marker.module
    number = next((slot for slot in marker.slots if slot >= 0), -1)
    while number >= 0 and module.nodes[number].kind != "comprehension":
        number = module.nodes[number].parent
    return module.children(number)[1] if number >= 0 else None


def _joined(effects: list[Effect], is_cut: bool) -> EffectsOn:
    """Effects on one stream as one text of whole lines, without the last line end."""
    text = "".join(effect.text for effect in effects)
    is_whole = text.endswith("\n") or not text or effects[0].kind == "read"
    lines = text.removesuffix("\n").split("\n")
    left_out = max(len(lines) - _MOST_LINES, 0)
    if is_cut or left_out:
        lines = [f"... {'more' if is_cut else left_out} lines before", *lines[left_out:]]
    target = effects[0].target + ("" if is_whole else ", without a newline at the end")
    return EffectsOn(target, "\n".join(lines), effects[0].kind)


def _has_iterable(marker: Marker) -> bool:
    """Whether the record of a loop's start has the iterable."""
    return bool(marker.slots) and marker.module.nodes[marker.node].kind in LOOPS


def smallest(words: Array, most: int, block_size: int = _BLOCK) -> Array:
    """The smallest distinct words; most blocks of a long column are skipped by a comparison."""
    smallest_words = words[:0]
    for start in range(0, len(words), block_size):
        block = words[start : start + block_size]
        if len(smallest_words) == most:
            block = block[block < smallest_words[-1]]
        if len(block):
            smallest_words = np.unique(np.concatenate([smallest_words, block]))[:most]
    return smallest_words
