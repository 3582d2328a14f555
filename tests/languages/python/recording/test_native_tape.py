"""Native tapes, which hold the records of a program with one thread: put there by the operators of native markers."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.languages.python.recording.support import MARK, accelerated, images, opened, picture, show, tape_writer
from tests.languages.python.recording.test_words import POOL, Thing


@pytest.fixture
def tape() -> Iterator[Any]:
    library = accelerated()
    yield library.begin_tape(images.Marker)
    library.when_full(None)
    library.begin_tape(images.Marker)


MORE: Any = None if images.accelerator is None else images.accelerator.more()


def put(marker: Any, values: list[Any], dice: random.Random) -> None:
    """Put a record there, by one of the ways that recording code has."""
    way = dice.randrange(3)
    if not values:
        assert (~marker) is None
    elif way == 0:
        assert (marker @ tuple(values)) is values[-1]
    elif way == 1:
        for index, value in enumerate(values):
            to = MORE if index else marker
            chosen = dice.randrange(3)
            if chosen == 0:
                assert to[value] is value
            elif chosen == 1:
                assert (value in to) is False
            else:
                assert (to << value) is None
    else:
        for index in range(0, len(values) - 1, 2):
            (MORE if index else marker)[values[index]] = values[index + 1]
        if len(values) % 2:
            assert (values[-1] in (MORE if len(values) > 1 else marker)) is False


def same(words: list[Any], wanted: list[Any]) -> bool:
    """Whether words are the same: numbers by value and kind, all else by identity."""
    return len(words) == len(wanted) and all(
        a is b or (type(a) is type(b) and type(a) in (int, float) and repr(a) == repr(b))
        for a, b in zip(words, wanted, strict=True)
    )


@pytest.mark.parametrize("seed", range(8))
def test_words_of_all_kinds_come_back(tape: Any, seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    markers = [*(images.Marker(number) for number in range(64, 84)), images.Birth(90)]
    words: list[Any] = []
    for _ in range(1500):
        marker = dice.choice(markers)
        values = [dice.choice(POOL) for _ in range(dice.randrange(6))]
        if dice.random() < 0.2:
            tape.extend((marker, *values))
        else:
            put(marker.native, values, dice)
        words += (marker, *values)
    assert len(tape) == len(words)
    assert same(tape.words(), words)
    index = dice.randrange(len(words))
    others = [
        word for word in words[index:] if type(word) not in (int, float, bool, type(None), images.Marker, images.Birth)
    ]
    large = [word for word in words[index:] if type(word) is int and not -(1 << 63) <= word < 1 << 63]
    assert len(tape.held(index)) == len(others) + len(large)
    writer = tape_writer.Writer(tmp_path / "r", {"language": "python"})
    writer.write_tape(1, tape.take())
    assert len(tape) == 0
    writer.close({"how": "finished"})
    recording, heap = opened(tmp_path / "r")
    expected = [word.number if isinstance(word, images.Marker) else None for word in words]
    assert [int(word) if word < 1 << 24 else None for word in recording.words] == expected
    for index in range(0, len(words), 7):
        if not isinstance(words[index], images.Marker) and words[index] is not Thing and words[index] is not len:
            assert show(recording, heap, int(recording.words[index]), len(words)) == picture(words[index])


def test_a_tape_is_cut_anywhere(tape: Any) -> None:
    words = [
        word
        for index in range(300)
        for word in (MARK, index, [index], index / 2, None, True, images.IMAGE_LIST, [index], ())
    ]
    tape.extend(words)
    for index in (2500, 2499, 1000, 7, 1, 0):
        tape.cut(index)
        assert same(tape.words(), words[:index])
        tape.extend((MARK, "more"))
        assert same(tape.words(), [*words[:index], MARK, "more"])
        tape.cut(index)


def test_a_tape_reports_objects_that_are_shown_and_born(tape: Any) -> None:
    first, second, third = object(), object(), object()
    birth = images.Birth(70)
    images.IMAGE_LIST.native[first] = ()
    birth.native[second] = 5
    birth.native @ (7, third)
    tape.extend((images.BORN, second, birth, first))
    library = accelerated()
    *_columns, shown, born = library.take_tape(tape.take(), library.registry(), 1 << 24)
    assert (shown, born) == ([first, second], [second])


def test_objects_are_held_and_numbers_are_not(tape: Any) -> None:
    values = [object(), "a text", 1 << 70, 1 << 40, 2.5]
    before = [sys.getrefcount(value) for value in values]
    for value in values:
        MARK.native[value]
        assert value not in MARK.native
        tape.extend((MARK, value))
    del value
    held = [sys.getrefcount(value) for value in values]
    assert held == [before[0] + 3, before[1] + 3, before[2] + 3, *before[3:]]
    with pytest.raises(ValueError, match="this is the current tape"):
        tape.let_go()
    taken = tape.take()
    taken.let_go()
    assert [sys.getrefcount(value) for value in values] == before
    assert len(taken) == len(tape) == 0


def test_a_marker_object_found_by_the_program_is_recorded_as_a_value(tape: Any) -> None:
    """It finds native markers, and by them markers, among the constants of its functions."""
    MARK.native[MARK] = MARK.native
    assert len(tape.held(0)) == 2


def test_a_full_tape_is_written_away_before_a_record_that_says_so(tape: Any) -> None:
    library = accelerated()
    lengths = []

    def write() -> None:
        lengths.append(len(tape))
        tape.take()

    library.when_full(write)
    often, safe = images.Marker(64), images.Marker(65, safe=True)
    for n in range(40_000):
        often.native[n] = n
    assert lengths == []
    for n in range(40_000):
        safe.native[n] = n
    assert lengths == [120_000, 65_538]
    assert len(tape) == 6 * 40_000 - sum(lengths)


def test_at_the_end_nothing_is_left_on_the_tape(tape: Any) -> None:
    value = object()
    accelerated().use_lists(None)
    before = sys.getrefcount(value)
    MARK.native[value] = value
    MORE << value
    tape.extend((MARK, value))
    assert (~MARK.native, value in MARK.native, MARK.native @ (1, value) is value) == (None, False, True)
    assert (len(tape), sys.getrefcount(value)) == (0, before)


def test_a_stack_too_small_for_the_recorder_is_not_an_error_of_the_program(tape: Any) -> None:
    library = accelerated()
    tries = []

    def write() -> None:
        tries.append(len(tape))
        raise RecursionError

    library.when_full(write)
    safe = images.Marker(65, safe=True)
    for n in range(200_000):
        safe.native[n]
    assert len(tape) == 400_000
    assert 1 < len(tries) < 200


@pytest.mark.parametrize("thing", ["native", "more"])
def test_operators_that_make_no_sense_are_refused(tape: Any, thing: str) -> None:
    marker = MARK.native if thing == "native" else MORE
    with pytest.raises(TypeError):
        del marker[1]
    with pytest.raises(TypeError):
        5 << marker
    with pytest.raises(TypeError):
        marker @ [1]
    with pytest.raises(TypeError):
        type(marker)()
    assert len(tape) == 0


def test_kinds_are_asked_by_the_identity_of_a_type() -> None:
    class Asks(type):
        __eq__ = __hash__ = None  # type: ignore[assignment]

    class Thing(metaclass=Asks):
        pass

    known = {id(Thing): Thing, id(int): int}
    kinds = accelerated().kinds(known)
    for _ in range(2):
        assert Thing() in kinds
        assert 5 in kinds
        assert True not in kinds
        assert "text" not in kinds
    known.clear()
    assert 5 in kinds
    kinds.forget()
    assert 5 not in kinds
