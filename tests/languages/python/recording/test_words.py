"""The words of a tape, through every way that the writer has of sorting and packing them."""

import gc
import random
import subprocess
import sys
import weakref
import zlib
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.languages.python.reading.recorded_values import Object, TupleLike
from adebug_lsp.languages.python.recorder.contract import FIRST_VALUE
from adebug_lsp.model.errors import BadInputError
from tests.languages.python.recording.support import (
    MARK,
    RECORDER_FOLDER,
    images,
    numbering,
    opened,
    picture,
    show,
    tape_writer,
    write,
)

pytestmark = pytest.mark.usefixtures("twin")


class Thing:
    pass


class Chain:
    """Refers to another, and back."""

    alive = 0

    def __init__(self) -> None:
        self.others: list[Any] = []
        Chain.alive += 1

    def __del__(self) -> None:
        Chain.alive -= 1


POOL = [
    *(None, True, False, ..., 0, 1, -1, 255, 256, 257, -5, -6, 1 << 40, -(1 << 40)),
    *((1 << 63) - 1, -(1 << 63), 1 << 63, -(1 << 63) - 1, (1 << 64) - 1, 1 << 64, 1 << 200),
    *(0.0, -0.0, 1.5, float("inf"), 1e308, 2j, "", "a", "text", "\ud800", b"", b"bytes", (), (1, 2.5), (True, (None,))),
    *(range(3), slice(1, None), frozenset({1}), [], [1, [2.5]], {"k": {1, 2}}, Thing(), Thing, len, MARK.number),
]


@pytest.mark.parametrize("plain", [True, False], ids=["by type", "by identity"])
@pytest.mark.parametrize("seed", range(6))
def test_slices_and_blocks_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, plain: bool
) -> None:
    dice = random.Random(seed)
    monkeypatch.setattr(tape_writer, "_SLICE", dice.randint(1, 40))
    monkeypatch.setattr(tape_writer, "_BLOCK", dice.randint(1, 200))
    monkeypatch.setattr(numbering, "FREQUENT_AFTER", 3)
    monkeypatch.setattr(numbering.Numbering, "check_metaclasses", lambda self: setattr(self, "_plain", plain))
    markers = [images.Marker(number) for number in range(64, 64 + 40)]
    spills = [[dice.choice(POOL) for _ in range(300)] for _ in range(4)]
    chunks = [[word for value in values for word in (dice.choice(markers), value)] for values in spills]
    numbers = [marker.number for chunk in chunks for marker in chunk[::2]]
    recording, heap = opened(write(tmp_path / "r", *chunks))
    assert recording.words[::2].tolist() == numbers
    end = len(recording.words)
    expected = [picture(value) if value is not Thing and value is not len else None for s in spills for value in s]
    shown = [show(recording, heap, int(word), end) for word in recording.words[1::2]]
    assert [text if wanted else None for text, wanted in zip(shown, expected, strict=True)] == expected


def test_fixed_values_have_the_same_numbers_everywhere(tmp_path: Path) -> None:
    values = [None, False, True, ..., NotImplemented, -5, 0, 256]
    chunk = [word for value in values for word in (MARK, value)]
    recording, _heap = opened(write(tmp_path / "r", chunk, [MARK, tuple(values)]))
    expected = [FIRST_VALUE + index for index in (0, 1, 2, 3, 4, 5, 10, 266)]
    assert recording.words[1 : len(chunk) : 2].tolist() == expected
    assert list(recording.values.items(int(recording.words[-1]))) == expected


def test_a_frequent_marker_still_shows_its_object(tmp_path: Path) -> None:
    """What an image record shows needs no late image, in the spill where its marker becomes frequent and afterwards."""
    shown = [[[n]] for n in range(3000)]
    chunks = [
        [word for held in shown[index : index + 1000] for word in (images.IMAGE_LIST, held, tuple(held))]
        for index in (0, 1000, 2000)
    ]
    recording, heap = opened(write(tmp_path / "r", *chunks))
    assert recording.words[::3].tolist() == [1] * 3000
    outer = set(recording.words[1::3].tolist())
    assert outer.isdisjoint(recording.images.object.tolist())
    for index in (0, 1500, 2999):
        (inner,) = heap.state(int(recording.words[3 * index + 1]), 9000).items
        assert [recording.values.atom(n) for n in heap.state(inner, 9000).items] == [index]


def test_a_marker_among_the_values_of_a_program_does_no_harm(tmp_path: Path) -> None:
    """A program that looks at the constants of its own functions finds markers there."""
    frequent = images.Marker(70)
    chunk = [word for n in range(2000) for word in (frequent, n)]
    recording, _heap = opened(write(tmp_path / "r", chunk, [MARK, (MARK, 5, frequent)]))
    value = recording.values.value(int(recording.words[-1]))
    assert isinstance(value, TupleLike)
    assert recording.values.atom(value.items[1]) == 5
    assert all(number >= FIRST_VALUE for number in value.items)


METACLASSES = """
import sys
sys.path.insert(0, sys.argv[1])
from isolation import isolated_recorder
recorder = isolated_recorder()
import abc, enum
sorter = recorder.load("adebug_recorder.tape.numbering").Numbering()
sorter.check_metaclasses()
print(sorter._plain)
class Meta(abc.ABCMeta):
    def __eq__(cls, other):
        raise SystemExit("asked")
    __hash__ = __eq__
class Asks(metaclass=Meta):
    pass
sorter.check_metaclasses()
words = [Asks(), 1, Asks, None, 1.5, True]
print(sorter._plain, list(sorter.take(words, 0, 6, sorter.registry(), 1 << 24, is_tape=True)[0]))
"""


def test_types_are_keys_only_while_no_metaclass_has_a_say() -> None:
    done = subprocess.run(
        [sys.executable, "-c", METACLASSES, str(RECORDER_FOLDER)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["True", "False [5, 3, 5, 1, 4, 2]"]


def test_a_number_between_values_is_unused(tmp_path: Path) -> None:
    first = [[n] for n in range(5)]
    chunk = [MARK, "new", *(word for held in first * 3 for word in (MARK, held)), MARK, "newer"]
    recording, _heap = opened(write(tmp_path / "r", chunk))
    used = set(recording.words[1::2].tolist())
    between = set(range(min(used), max(used))) - used
    with pytest.raises(BadInputError, match="no value number"):
        recording.values.value(min(between))


def test_incompressible_data_is_stored_uncompressed() -> None:
    dice = random.Random(1)
    noise = dice.randbytes(200_000)
    for raw in (b"", b"a", bytes(300_000), noise, bytes(100_000) + noise + b"ab" * 90_000, noise[:5000]):
        stored = b"".join(tape_writer._deflated(raw))
        assert zlib.decompress(stored, -15) == raw
        assert len(stored) < len(raw) + 300
    assert len(b"".join(tape_writer._deflated(bytes(300_000)))) < 3000


def test_a_stand_in_made_just_before_a_flush_is_described_by_the_next(tmp_path: Path) -> None:
    writer, error = tape_writer.Writer(tmp_path / "r", {}), KeyError("x")
    made = writer.stand_ins.of(error)
    writer.write_tape(1, [])
    assert writer.stand_ins.of(error) is made
    writer.write_tape(1, [MARK, made])
    writer.close({})
    recording, heap = opened(tmp_path / "r")
    assert not heap.state(int(recording.words[1]), len(recording.words)).uncertain


def family() -> list[Any]:
    parent, child = Chain(), Chain()
    plain: list[object] = [[]]
    parent.others += [child, (parent,), {"plain": plain}]
    child.others.append(parent)
    plain.append(plain)
    return [parent, child, plain, parent.others]


def test_garbage_in_cycles_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tape_writer, "_FIRST_SEARCH", 100)
    writer = tape_writer.Writer(tmp_path / "r", {})
    kept, watched = family(), family()
    name = weakref.ref(watched[0])
    before = Chain.alive
    gc.freeze()  # else every collection goes through all that the tests have imported
    for _ in range(60):
        objects = (*kept, name(), *family())
        chunk = [word for o in objects for word in (MARK, writer.stand_ins.held(o))]  # as the tape holds them
        del objects
        writer.write_tape(1, chunk)
        del chunk
        watched.clear()
        gc.collect()
    gc.unfreeze()
    assert Chain.alive < before + 2 * 50
    assert name() is not None  # the program could still come to it
    writer.close({})
    recording, heap = opened(tmp_path / "r")
    stretch = 2 * 9
    for place in (0, 1, 2, 4):  # the list at 3 leads to objects with an end, and has a new number after each flush
        numbers = set(recording.words[2 * place + 1 :: stretch].tolist())
        assert len(numbers) == 1, "what is alive keeps its number"
    assert isinstance(recording.values.value(int(recording.words[1])), Object)
    assert len(heap.state(int(recording.words[7]), len(recording.words)).items) == 3
