"""The state of an object at any moment, against the real containers that were changed."""

import collections
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.reading.heap import object_states as heaps
from adebug_lsp.languages.python.reading.heap.object_states import Heap, Writes
from adebug_lsp.languages.python.reading.recording_file import open_recording
from adebug_lsp.languages.python.recorder.contract import CALL_METHOD, SET_ITEM
from tests.languages.python.recording.support import MARK, images, opened, picture, show, tape_writer, write

pytestmark = pytest.mark.usefixtures("twin")


class Thing:
    pass


class Slow(list[Any]):
    """A list with attributes."""


POOL: list[Callable[[], Any]] = [
    lambda: [1, 2, 3],
    list,
    lambda: {"a": 1, 2: [3]},
    dict,
    lambda: {1, 2, "x"},
    lambda: collections.deque([1, 2, 3], maxlen=4),
    collections.deque,
    lambda: bytearray(b"abc"),
    lambda: collections.OrderedDict(a=1, b=2, c=3),
    lambda: collections.defaultdict(list, {"k": [1]}),
    lambda: collections.Counter("abca"),
    Thing,
    Slow,
]

METHODS = {
    list: [
        *("append:x", "extend:i", "insert:nx", "pop:", "pop:n", "remove:x", "clear:", "reverse:", "sort:"),
        *("__setitem__:nx", "__setitem__:si", "__delitem__:n", "__delitem__:s", "__iadd__:i", "__imul__:n"),
    ],
    dict: [
        *("__setitem__:xx", "__delitem__:x", "pop:x", "pop:xx", "popitem:", "clear:", "update:d", "update:p"),
        *("setdefault:x", "setdefault:xx", "__ior__:d"),
    ],
    collections.OrderedDict: ["move_to_end:x", "move_to_end:xb", "popitem:b", "__setitem__:xx", "pop:x"],
    collections.Counter: ["update:i", "subtract:i", "__setitem__:xn", "update:c"],
    set: [
        *("add:x", "discard:x", "remove:x", "pop:", "clear:", "update:i", "update:ii", "difference_update:i"),
        *(
            "intersection_update:i",
            "symmetric_difference_update:i",
            "__ior__:f",
            "__isub__:f",
            "__iand__:f",
            "__ixor__:f",
        ),
    ],
    collections.deque: [
        *("append:x", "appendleft:x", "extend:i", "extendleft:i", "insert:nx", "pop:", "popleft:", "remove:x"),
        *("rotate:", "rotate:n", "clear:", "reverse:", "__setitem__:nx", "__delitem__:n", "__iadd__:i"),
    ],
    bytearray: [
        *("append:n", "extend:y", "insert:nn", "pop:", "pop:n", "remove:n", "clear:", "reverse:"),
        *("__setitem__:nn", "__setitem__:sy", "__delitem__:n", "__delitem__:s", "__iadd__:y"),
    ],
    Thing: ["=:x", "-:"],
    Slow: ["=:x", "append:x", "__setitem__:nx"],
}
METHODS[collections.defaultdict] = METHODS[dict]


class Run:
    """Containers that are really changed, and the tapes that a recorder would have written about it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.pool = [make() for make in POOL]
        self.chunks: list[list[Any]] = [[]]
        self.seen: set[int] = set()
        self.expected: list[tuple[int, list[Any]]] = []
        self.writes = 0
        self.skip: int | None = None
        """The write whose record is left out."""

    @property
    def now(self) -> int:
        return sum(map(len, self.chunks))

    def remember(self) -> None:
        self.chunks[-1] += [word for o in self.pool for word in (MARK, o)]
        self.expected.append((self.now, [picture(o) for o in self.pool]))

    def value(self, code: str) -> Any:
        r = self.random
        plain = [0, 1, 2, 1.0, True, "a", "b", "k", None, (1, 2), (1.0, 2), frozenset((1,)), "x", "c"]
        ends = [None, -2, -1, 0, 1, 2, 5]
        builders: dict[str, Callable[[], Any]] = {
            "x": lambda: r.choice([*plain, *plain, *plain, r.choice(self.pool)]),
            "n": lambda: r.randint(-2, 4),
            "b": lambda: r.choice([True, False]),
            "s": lambda: slice(r.choice(ends), r.choice(ends), r.choice([None, None, 1, 2, -1])),
            "i": lambda: r.choice(
                [[1, "a"], (2, 2), "ab", range(3), b"\1\2", {1: 2}, collections.deque([5]), r.choice(self.pool), []]
            ),
            "f": lambda: r.choice([{1, "a"}, frozenset((1.0, 2)), self.pool[4]]),
            "d": lambda: r.choice([{1: 5}, {"z": [1]}, self.pool[2], self.pool[8], self.pool[9]]),
            "p": lambda: r.choice([[(1, 2), ("q", 3)], [["k", 1]], ()]),
            "c": lambda: r.choice([collections.Counter("aa"), {"a": 2}]),
            "y": lambda: r.choice([b"xyz", bytearray(b"q"), [1, 2], (3,), self.pool[7]]),
        }
        return builders[code]()

    def see(self, o: Any) -> None:
        if id(o) not in self.seen:
            self.seen.add(id(o))
            images.image(self.chunks[-1], o)

    def step(self) -> None:
        o = self.random.choice(self.pool)
        name, codes = self.random.choice(METHODS[type(o)]).split(":")
        arguments = tuple(map(self.value, codes))
        self.see(o)
        before = list(self.chunks[-1])
        tape_ = self.chunks[-1]
        try:
            self._do(o, name, arguments)
        except (TypeError, ValueError, IndexError, KeyError, AttributeError, RuntimeError, BufferError):
            del tape_[:]
            tape_ += before
            images.image(tape_, o)  # a method that failed may have done half of its work
            return
        self.writes += 1
        if self.writes - 1 == self.skip:
            tape_[:] = before
        if name == "sort" or (name == "pop" and isinstance(o, set)):
            images.image(tape_, o)

    def _do(self, o: Any, name: str, arguments: tuple[Any, ...]) -> None:
        tape_ = self.chunks[-1]
        if name == "=":
            attribute = self.random.choice("pqr")
            setattr(o, attribute, *arguments)
            tape_ += [images.SET_ATTR, o, attribute, *arguments]
        elif name == "-":
            attribute = self.random.choice("pqr")
            delattr(o, attribute)
            tape_ += [images.DEL_ATTR, o, attribute]
        else:
            getattr(o, name)(*arguments)
            if name == "__setitem__" and self.random.random() < 0.5:
                tape_ += [images.SET_ITEM, o, *arguments]
            elif name == "__delitem__" and self.random.random() < 0.5:
                tape_ += [images.DEL_ITEM, o, *arguments]
            else:
                tape_ += [images.CALL_METHOD, o, name, arguments]

    def play(self, path: Path, steps: int) -> Path:
        """Run, spilling now and then."""
        writer = tape_writer.Writer(path, {})
        for _ in range(steps):
            if sum(map(len, self.pool[:1])) > 200:
                break
            self.step()
            self.remember()
            if self.random.random() < 0.1:
                self.spill(writer)
        self.spill(writer)
        writer.close({})
        return path

    def spill(self, writer: Any) -> None:
        writer.write_tape(1, self.chunks[-1])
        self.chunks.append([])
        self.seen.clear()


def differences(path: Path, run: Run, order: list[int] | None = None) -> list[Any]:
    """The moments at which a rebuilt object is not what it was."""
    recording, heap = opened(path)
    wrong = []
    for moment in order or range(len(run.expected)):
        position, pictures = run.expected[moment]
        for index, expected in enumerate(pictures):
            number = int(recording.words[position - 2 * len(pictures) + 2 * index + 1])
            if heap.state(number, position).uncertain:
                wrong.append((moment, index, "uncertain", expected))
                continue
            try:
                shown = show(recording, heap, number, position)
            except AssertionError:
                continue  # a part of it is uncertain, and is found on its own
            if shown != expected:
                wrong.append((moment, index, shown, expected))
    return wrong


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(seed=st.integers(0, 1 << 30), shuffled=st.booleans())
@example(seed=93, shuffled=False)
@example(seed=729, shuffled=False)
def test_every_state_is_what_the_container_held(tmp_path: Path, seed: int, shuffled: bool) -> None:
    run = Run(seed)
    run.play(tmp_path / "r", 60)
    order = list(range(len(run.expected)))
    if shuffled:
        random.Random(seed).shuffle(order)
    wrong = differences(tmp_path / "r", run, order)
    assert [difference for difference in wrong if difference[2] != "uncertain"] == []
    # Only an unordered set that was poured into something ordered may be uncertain.
    assert len(wrong) <= len(run.expected) * len(POOL) // 10


def test_a_record_that_is_left_out_is_noticed(tmp_path: Path) -> None:
    """The check above has no blind spot: without any one of the writes that changed something, it fails."""
    whole = Run(7)
    whole.play(tmp_path / "whole", 60)
    assert [difference for difference in differences(tmp_path / "whole", whole) if difference[2] != "uncertain"] == []
    noticed = silent = 0
    for skip in range(whole.writes):
        run = Run(7)
        run.skip = skip
        run.play(tmp_path / "r", 60)
        if differences(tmp_path / "r", run):
            noticed += 1
        else:
            silent += 1
    assert noticed > 3 * silent  # the silent ones changed nothing: clearing what was empty, adding what was there
    assert noticed > 20


def states(path: Path, number: int, positions: range) -> list[list[Any]]:
    recording, heap = opened(path)
    return [[recording.values.atom(item) for item in heap.state(number, position).items] for position in positions]


def test_an_image_describes_the_time_before_it(tmp_path: Path) -> None:
    held = [1]
    chunk = [MARK, held, images.IMAGE_LIST, held, (1,), images.CALL_METHOD, held, "append", (2,)]
    held.append(2)
    path = write(tmp_path / "r", chunk)
    number = int(open_recording(path).words[1])
    assert states(path, number, range(10)) == [[1]] * 6 + [[1, 2]] * 4


def test_a_late_image_describes_all_the_time_before(tmp_path: Path) -> None:
    held = [1]
    path = write(tmp_path / "r", [MARK, held], [MARK, 0])
    assert states(path, int(open_recording(path).words[1]), range(5)) == [[1]] * 5


def test_an_object_is_born_empty(tmp_path: Path) -> None:
    held: list[Any] = []
    path = write(tmp_path / "r", [images.BORN, held, images.CALL_METHOD, held, "append", (5,)])
    assert states(path, int(open_recording(path).words[1]), range(7)) == [[]] * 3 + [[5]] * 4


def test_a_record_that_cannot_be_followed_makes_the_state_uncertain_until_the_next_image(tmp_path: Path) -> None:
    held = [3]
    chunk = [
        *(images.IMAGE_LIST, held, (3,)),
        *(images.CALL_METHOD, held, "extend", (iter([1]),)),
        *(images.CALL_METHOD, held, "append", (2,)),
        *(images.IMAGE_LIST, held, (3, 1, 2)),
        *(MARK, held),
    ]
    recording, heap = opened(write(tmp_path / "r", chunk))
    number = int(recording.words[1])
    states = [heap.state(number, position) for position in range(len(recording.words) + 1)]
    assert [state.uncertain for state in states] == [False] * 4 + [True] * 8 + [False] * (len(states) - 12)
    assert [recording.values.atom(item) for item in states[12].items] == [3, 1, 2]


def test_an_image_after_a_call_that_failed_does_not_describe_the_time_before_the_call(tmp_path: Path) -> None:
    """`Counter.update` with a mapping whose second value is no number: the first key is counted, then it raises."""
    counter = collections.Counter("a")
    unordered = {2, "x"}
    chunk = [
        *(images.IMAGE_DICT, counter, ("a", 1)),
        *(images.IMAGE_SET, unordered, (2,), images.CALL_METHOD, unordered, "add", ("x",)),
        *(images.CALL_METHOD, counter, "update", (unordered,)),
        *(MARK, counter),
        *(images.IMAGE_DICT, counter, ("a", 2, 2, 1, "x", 1)),
        *(MARK, counter),
    ]
    recording, heap = opened(write(tmp_path / "r", chunk))
    number = int(recording.words[1])
    assert heap.state(number, 16).uncertain
    state = heap.state(number, len(recording.words))
    assert not state.uncertain
    assert [recording.values.atom(value) for _key, value in state.pairs] == [2, 1, 1]


def test_an_image_after_unknown_code_sets_the_state_right(tmp_path: Path) -> None:
    held = [2, 1]
    chunk = [images.IMAGE_LIST, held, (2, 1), MARK, held, images.IMAGE_LIST, held, (1, 2), MARK, held]
    path = write(tmp_path / "r", chunk)
    assert states(path, int(open_recording(path).words[1]), range(11)) == [[2, 1]] * 6 + [[1, 2]] * 5


@dataclass(frozen=True)
class Cell:
    x: int
    y: int


class Same:
    """All of them are equal."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


def test_dataclasses_are_one_key_if_their_fields_are_equal(tmp_path: Path) -> None:
    grid: dict[Any, Any] = {Cell(1, 2): "a"}
    chunk = [
        *(images.IMAGE_DICT, grid, tuple(word for pair in grid.items() for word in pair)),
        *(images.SET_ITEM, grid, Cell(1, 2), "b"),
        *(images.SET_ITEM, grid, Cell(2, 2), "c"),
    ]
    grid[Cell(1, 2)], grid[Cell(2, 2)] = "b", "c"
    recording, heap = opened(write(tmp_path / "r", chunk))
    state = heap.state(int(recording.words[1]), len(recording.words))
    assert [recording.values.atom(value) for _key, value in state.pairs] == ["b", "c"]
    assert not state.uncertain


def test_equality_of_the_programs_own_is_not_guessed(tmp_path: Path) -> None:
    first, second = Same(), Same()
    held = {first: 1}
    chunk = [
        *(images.IMAGE_DICT, held, (first, 1)),
        *(images.SET_ITEM, held, first, 2),
        *(images.SET_ITEM, held, second, 3),
    ]
    recording, heap = opened(write(tmp_path / "r", chunk))
    number = int(recording.words[1])
    assert not heap.state(number, 7).uncertain
    assert heap.state(number, 11).uncertain


def test_writes_that_the_caller_knows_count_as_well(tmp_path: Path) -> None:
    held = [1, 2]
    recording, _heap = opened(write(tmp_path / "r", [images.IMAGE_LIST, held, (1, 2), MARK, 0, MARK, 9]))
    words = recording.words
    extra = Writes(*(np.array([value]) for value in (5, SET_ITEM, words[1], words[4], words[6])))
    heap = Heap(words, recording.values, recording.images, extra)
    states = [
        [recording.values.atom(item) for item in heap.state(int(words[1]), position).items] for position in (5, 6)
    ]
    assert states == [[1, 2], [9, 2]]
    assert [record.position for record in heap.records(int(words[1]))] == [0, 5]


def test_the_arguments_of_a_method_may_be_words_of_the_tape(tmp_path: Path) -> None:
    held = [1, 2]
    recording, _heap = opened(write(tmp_path / "r", [images.IMAGE_LIST, held, (1, 2), images.Marker(65), held, 1, 9]))
    words = recording.words
    insert = recording.values.make("insert")
    arguments = heaps.arguments_at(np.array([5]), 2)
    extra = Writes(np.array([3]), np.array([CALL_METHOD]), words[4:5], np.array([insert]), arguments)
    heap = Heap(words, recording.values, recording.images, extra)
    assert [recording.values.atom(item) for item in heap.state(int(words[1]), 7).items] == [1, 9, 2]


def test_lists_extended_by_themselves_and_long_chains(tmp_path: Path) -> None:
    """Rebuilding one list needs another, which needs another; no stack is deep enough for a chain of thousands."""
    chain = [[1]]
    chunk: list[Any] = [images.IMAGE_LIST, chain[0], (1,)]
    for _ in range(3000):
        chain.append([])
        chunk += [images.BORN, chain[-1], images.CALL_METHOD, chain[-1], "extend", (chain[-2],)]
        chain[-1].extend(chain[-2])
    last = chain[-1]
    chunk += [images.CALL_METHOD, last, "extend", (last,), MARK, last]
    last.extend(last)
    path = write(tmp_path / "r", chunk)
    words = open_recording(path).words
    assert states(path, int(words[-1]), range(len(words), len(words) + 1)) == [[1, 1]]


@pytest.mark.parametrize("size", [400])
def test_walking_through_all_states_in_any_order(tmp_path: Path, size: int) -> None:
    held = list(range(size))
    chunk: list[Any] = [images.IMAGE_LIST, held, tuple(held)]
    expected = [list(held)]
    shuffle = random.Random(3)
    for _ in range(3 * size):
        i, j = shuffle.randrange(size), shuffle.randrange(size)
        held[i] = held[j]
        chunk += [images.SET_ITEM, held, i, held[j]]
        expected.append(list(held))
    recording, heap = opened(write(tmp_path / "r", chunk))
    number = int(recording.words[1])
    order = list(range(len(expected)))
    shuffle.shuffle(order)
    for index in order:
        state = heap.state(number, 3 + 4 * index)
        assert [recording.values.atom(item) for item in state.items] == expected[index]
