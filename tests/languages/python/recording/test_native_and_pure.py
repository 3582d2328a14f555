"""The accelerator and its Python twin give the same, and neither asks the program anything."""

import gc
import os
import shutil
import subprocess
import sys
from array import array
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.reading.value_formatter import ValueFormatter
from adebug_lsp.languages.python.recorder import contract
from adebug_lsp.languages.python.recorder.contract import FIRST_VALUE
from tests.languages.python.recording.support import (
    RECORDER,
    RECORDER_FOLDER,
    accelerated,
    batch,
    images,
    loader,
    numbering,
    opened,
)
from tests.support import ROOT


def asked(*_args: Any) -> NoReturn:
    raise AssertionError("code of the program was run")


class Curious(type):
    __eq__ = __hash__ = __instancecheck__ = __subclasscheck__ = asked


class Hostile(metaclass=Curious):
    __eq__ = __hash__ = __bool__ = __index__ = __int__ = __float__ = __getattribute__ = asked


class OwnInt(int):
    __eq__ = __hash__ = __index__ = __int__ = asked


class OwnFloat(float):
    __eq__ = __hash__ = __float__ = asked


class OwnText(str):
    __eq__ = __hash__ = asked


MARKERS = [images.Marker(number) for number in (1, 13, 64, 65, 1 << 23)]
FREQUENT = [*(images.Marker(number) for number in (2, 70, 71)), images.Birth(72)]
BIRTHS = [images.Birth(number) for number in (66, 67)]
POOL = [
    *(None, True, False, ..., NotImplemented, 0, 1, -1, 256, 257, 1 << 62, -(1 << 62)),
    *((1 << 30) - 1, 1 << 30, -(1 << 30), 1 << 45, (1 << 60) - 1, 1 - (1 << 60), 1 << 60, -(1 << 60)),
    *((1 << 63) - 1, 1 << 63, -(1 << 63), -(1 << 63) - 1, (1 << 64) - 1, 1 << 64, -(1 << 64), 1 << 2000),
    *(0.0, -0.0, 1.5, float("nan"), float("inf"), -float("inf"), 5e-324, 2j, "", "text", b"", (), (1,), [], {}, set()),
    *(Hostile(), Hostile, OwnInt(5), OwnInt(1 << 70), OwnFloat(0.5), OwnText("t"), int, type, len, object()),
    *MARKERS,
    *FREQUENT,
    *BIRTHS,
    *(images.IMAGE_LIST, images.BORN),
]
DRAWN = st.lists(st.integers(0, len(POOL) - 1).map(lambda index: (index,)) | st.integers() | st.floats(), max_size=60)
"""Words, of which many are there several times; those of the pool by their places: hypothesis asks its values."""


def words_of(drawn: list[Any]) -> list[Any]:
    return [POOL[word[0]] if type(word) is tuple else word for word in drawn]


@pytest.fixture(scope="module")
def twins() -> list[Any]:
    """One sorter of each sort, which know the same frequent markers; a marker has its class from the first of them."""
    accelerated()
    both = [numbering.Numbering(), numbering.NativeNumbering()]
    for sorter in both:
        sorter.check_metaclasses()
        for marker in FREQUENT:
            sorter._give_class(marker)
    return both


def identities(values: list[Any]) -> list[int]:
    return list(map(id, values))


def met(sorter: Any) -> Any:
    """A registry in which some values of the pool are."""
    known = sorter.registry()
    sorter.number(POOL[::3], known, 1 << 20)
    return known


@settings(deadline=None)
@given(drawn=DRAWN, ends=st.tuples(st.integers(0, 60), st.integers(0, 60)), is_tape=st.booleans())
def test_both_implementations_sort_words_alike(
    twins: list[Any], drawn: list[Any], ends: tuple[int, int], is_tape: bool
) -> None:
    words = words_of(drawn)
    start, stop = sorted(min(end, len(words)) for end in ends)
    native, same = (sorter.take(words, start, stop, met(sorter), 1 << 24, is_tape=is_tape) for sorter in twins)
    assert [list(map(id, part)) if type(part) is list else part for part in native] == [
        list(map(id, part)) if type(part) is list else part for part in same
    ]


def test_shown_and_created_objects_are_reported(twins: list[Any]) -> None:
    first, second = object(), object()
    words = [
        *(images.IMAGE_LIST, first, (), BIRTHS[0], second, 5, BIRTHS[1], 7, FREQUENT[3], first, images.BORN),
        second,
    ]
    for sorter in twins:
        *_columns, shown, born = sorter.take(words, 0, len(words) - 1, sorter.registry(), 1 << 24, is_tape=True)
        assert identities(shown) == identities([first, second])
        assert born == [second]  # the other was met before it began
        known = sorter.registry()
        assert sorter.take(words, 0, len(words), known, 1 << 24, is_tape=False)[-2:] == ([], [])
        assert sorter.take(words, 0, len(words), known, 1 << 25, is_tape=True)[-1] == []


def test_objects_without_records_are_found(twins: list[Any]) -> None:
    class Born:
        def __init__(self) -> None:
            pass

    looks = batch.Inspectors(__name__.__eq__)
    for cls in (Born, list):
        looks.of(cls)
    assert looks.born == {id(Born)}
    objects = [Born(), Born(), [1], [2], object()]
    for sorter in twins:
        unshown = sorter.unshown(objects, [objects[2], None], [objects[0], objects[3], objects[4]], looks)
        assert identities(unshown) == identities([objects[1], objects[3], objects[4]])


@settings(deadline=None)
@given(stretches=st.lists(DRAWN, max_size=4), first=st.integers(1 << 24, (1 << 32) - 1000), forgets=st.booleans())
def test_values_are_numbered_alike(twins: list[Any], stretches: list[list[Any]], first: int, forgets: bool) -> None:
    known = [sorter.registry() for sorter in twins]
    for values in map(words_of, stretches):
        (*native, new), (*pure, same_new) = (
            sorter.number(values, numbers, first) for sorter, numbers in zip(twins, known, strict=True)
        )
        assert native == pure
        assert identities(new) == identities(same_new)
        assert len(known[0]) == len(known[1])
        assert [known[1][i] for i in known[0]] == list(known[0].values())
        first += len(values)
        both = [sorter.look_up(values, numbers) for sorter, numbers in zip(twins, known, strict=True)]
        assert both[0] == both[1] == native[0]
        if forgets:
            gone = list({id(value): value for value in values[::3]}.values())
            for sorter, numbers in zip(twins, known, strict=True):
                sorter.forget(gone, numbers)


def test_a_registry_is_like_a_dictionary() -> None:
    """Many values come and go, so that its slots are shared and it grows."""
    known, plain = accelerated().registry(), dict[int, int]()
    for round_ in range(6):
        for i in range(round_, 40_000, 1 + round_ % 3):
            identity = 16 * (i * 7919 % 65_536) + 16
            if i % 5 < 2 and identity in plain:
                del known[identity], plain[identity]
            else:
                known[identity] = plain[identity] = i
        assert len(known) == len(plain)
        assert all(known[identity] == number for identity, number in plain.items())
        assert not any(16 * i + 16 in known for i in range(70_000) if 16 * i + 16 not in plain)
    with pytest.raises(KeyError):
        known[8]
    with pytest.raises(KeyError):
        del known[8]
    with pytest.raises(OverflowError):
        known[16] = 1 << 32


@settings(deadline=None)
@given(drawn=DRAWN)
def test_both_implementations_decompose_values_alike(twins: list[Any], drawn: list[Any]) -> None:
    values = [*words_of(drawn), (1, (2, "x")), frozenset([3]), slice(1, 2), range(4), [5], len]
    results = []
    for sorter in twins:
        owners: list[list[Any]] = [[] for _ in range(16)]
        kinds, lengths, parts = sorter.apart(values, owners, batch.Inspectors(lambda _module: False))
        simple = [part for part in parts if type(part) in (int, str)]
        results.append((kinds, lengths, list(map(id, map(type, parts))), simple, list(map(identities, owners))))
    assert results[0] == results[1]


def test_objects_that_nobody_else_holds_are_found(twins: list[Any]) -> None:
    for sorter in twins:
        kept = [object() for _ in range(3)]
        dead, alive = sorter.alone([object(), *kept, object(), None])
        assert len(dead) == 2
        assert identities(alive) == identities([*kept, None])


@given(numbers=st.lists(st.integers(0, (1 << 64) - 1) | st.integers(0, 300), max_size=1200), wide=st.booleans())
def test_planes_are_alike(numbers: list[int], wide: bool) -> None:
    raw = array("Q" if wide else "I", [number if wide else number % (1 << 32) for number in numbers]).tobytes()
    with pytest.MonkeyPatch.context() as patch:
        fast = accelerated().planes(raw, 8 if wide else 4)
        patch.setattr(numbering, "accelerator", None)
        assert numbering.planes(raw, 8 if wide else 4) == fast


def test_markers_of_another_writer_are_markers(twins: list[Any]) -> None:
    """They have a class that this sorter gave no code."""
    foreign = images.Marker(99)
    numbering.Numbering()._give_class(foreign)
    for sorter in twins:
        taken = sorter.take([foreign, 1], 0, 2, sorter.registry(), 1 << 24, is_tape=True)
        assert (list(taken[0]), taken[3], taken[6]) == ([contract.WORD_MARKER, contract.WORD_INT], [foreign], [])
        taken = sorter.take([foreign, 1], 0, 2, sorter.registry(), 1 << 24, is_tape=False)
        assert (list(taken[0]), taken[3], taken[6]) == ([contract.WORD_OTHER, contract.WORD_INT], [], [foreign])


def test_markers_have_their_numbers(twins: list[Any]) -> None:
    for sorter in twins:
        for markers in (MARKERS, [*BIRTHS, *MARKERS, MARKERS[1]]):
            assert list(array("I", sorter.of_markers(markers))) == [marker.number for marker in markers]


def test_a_list_lets_go_of_words() -> None:
    library, last = accelerated(), object()
    before = sys.getrefcount(last)
    words = [0, last, 1, last, 2, last]
    library.drop(words, 1, 4)
    assert words == [0, 2, last]
    library.drop(words, 0, 3)
    assert (words, sys.getrefcount(last)) == ([], before)
    for wrong in ((0, 1), (-1, 0), (1, 0)):
        with pytest.raises(IndexError):
            library.drop(words, *wrong)


def test_the_accelerator_counts_its_references(twins: list[Any]) -> None:
    _python, sorter = twins
    values = [object(), "a text", 1 << 70, 1 << 40, 2.5, Hostile(), MARKERS[0], FREQUENT[0], OwnInt(7)]
    words = values * 50
    looks = batch.Inspectors(lambda _module: False)
    sorter.apart(values, [[] for _ in range(16)], looks)  # so that it knows their classes
    sorter.take(words, 0, len(words), sorter.registry(), 1 << 24, is_tape=True)
    gc.collect()
    before = [sys.getrefcount(value) for value in values]
    types = [sys.getrefcount(cls) for cls in (int, Hostile, type(FREQUENT[0]))]
    blocks = []
    for _ in range(3):
        for _ in range(300):
            known = sorter.registry()
            taken = sorter.take(words, 3, len(words) - 3, known, 1 << 24, is_tape=True)
            sorter.forget(taken[6], known)
            numbers = sorter.number(taken[6], known, 1 << 24)
            owners: list[list[Any]] = [[] for _ in range(16)]
            parts = sorter.apart(numbers[2], owners, looks)
            both = sorter.alone(words)
            rest = sorter.unshown(words, taken[6], words, looks)
            with pytest.raises(IndexError):
                sorter.take(words, 3, len(words) + 1, known, 1 << 24, is_tape=True)
            for number in (sorter.number, lambda *a: sorter.take(a[0], 0, len(a[0]), *a[1:], is_tape=True)):
                with pytest.raises(OverflowError):
                    number(words, known, (1 << 32) - 100)
            del taken, numbers, known, owners, parts, both, rest
        gc.collect()
        blocks.append(sys.getallocatedblocks())
    assert [sys.getrefcount(value) for value in values] == before
    assert [sys.getrefcount(cls) for cls in (int, Hostile, type(FREQUENT[0]))] == types
    assert blocks[2] - blocks[1] < 100


@pytest.mark.parametrize("wrong", [((), 0, 0), ([], -1, 0), ([], 0, 1), ([1], 1, 0), ([1], 0)])
def test_the_accelerator_rejects_invalid_input(wrong: tuple[Any, ...]) -> None:
    library = accelerated()
    types, known = library.types([int], b"\3", b"\0", [None]), library.registry()
    with pytest.raises((TypeError, ValueError, IndexError)):
        library.take(*wrong, types, known, 0)
    for owners in ([], [()] * 16):
        with pytest.raises(ValueError, match="one list for each kind"):
            library.apart([1], types, owners)
    for other in (None, [], object()):
        with pytest.raises((TypeError, ValueError)):
            library.take([1], 0, 1, other, known, 0)
        with pytest.raises((TypeError, ValueError)):
            library.take([1], 0, 1, types, other, 0)
        with pytest.raises((TypeError, ValueError)):
            library.number([1], other, 0)
        with pytest.raises((TypeError, ValueError)):
            library.unshown([1], [], [], other)
        with pytest.raises((TypeError, ValueError)):
            library.apart([1], other, [[] for _ in range(16)])


@pytest.mark.parametrize(
    "wrong",
    [
        ([int], b"", b"\0", [None]),
        ([int], b"\3", b"", [None]),
        ([int], b"\3", b"\0", []),
        ([int], b"\3", b"\0", [5]),
        ((int,), b"\3", b"\0", [None]),
        ([int], [3], b"\0", [None]),
        ([int], b"\3", b"\0"),
    ],
)
def test_types_are_generated_with_their_dependencies(wrong: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        accelerated().types(*wrong)


@pytest.mark.parametrize("wrong", [(b"1234567", 4), (b"", 0), (b"12", 1), (bytearray(8), 8), (b"12345678", -8)])
def test_planes_are_made_of_whole_numbers(wrong: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        accelerated().planes(*wrong)


PROGRAMS = ROOT / "benchmarks" / "recording" / "programs"
LOADED = """
import gc
import types

def loaded():
    # It is not in `sys.modules`.
    modules = (o for o in gc.get_objects() if type(o) is types.ModuleType)
    return next((module for module in modules if module.__name__ == "adebug_recorder.native._accelerator"), None)
"""
QUIET = f"""{LOADED}
import signal

def stop():
    library = loaded()
    if library is not None:
        library.when_full(None)
    else:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
"""
ALL_OF_THEM = """
import importlib
import sys
sys.path.append("../outside")
import quiet
quiet.stop()  # the tape is written at the end only: what was written is known no more, and shown again
for name, size in {sizes}:
    print(importlib.import_module(name).main(size))
"""
SIZES = [
    *[("fib", 14), ("quicksort", 300), ("json_parser", 10), ("queens", 5), ("constraints", 1), ("simulation", 60)],
    *[("raytrace", 5), ("words", 3), ("matrix", 10), ("graph", 12), ("pipeline", 300), ("nbody", 60)],
]


def interpreters() -> list[str]:
    """This one, and those of other versions that are on the path and run."""
    interpreters = {sys.version_info[:2]: sys.executable}
    for minor in range(10, 14):
        path = shutil.which(f"python3.{minor}")
        if (
            path
            and (3, minor) not in interpreters
            and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0
        ):
            interpreters[3, minor] = path
    return list(interpreters.values())


def record(python: str, folder: Path, program: str, *, pure: bool, recorder: Path = RECORDER_FOLDER) -> str:
    """Record a program of the folder to `out` there; gives what it printed."""
    done = subprocess.run(
        [python, str(recorder), "--out", "out", "--workspace", ".", program],
        cwd=folder, env={**os.environ, "PYTHONHASHSEED": "0", "ADEBUG_PURE": str(int(pure))},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def contents(path: Path) -> tuple[list[int], list[str]]:
    """The markers of a recording with zeros between them, and what some of its values are, each at its time."""
    recording, heap = opened(path)
    formatter, words = ValueFormatter(recording, heap), recording.words
    values = [index for index in range(len(words)) if words[index] >= FIRST_VALUE]
    shown = [formatter.digest(int(words[index]), index) for index in values[::17]]
    return [word if word < FIRST_VALUE else 0 for word in words.tolist()], shown


@pytest.mark.parametrize("python", interpreters())
def test_both_record_the_same(tmp_path: Path, python: str) -> None:
    accelerated()
    folder, outside = tmp_path / "work", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "quiet.py").write_text(QUIET)
    for path in PROGRAMS.glob("*.py"):
        shutil.copy(path, folder)
    (folder / "which.py").write_text(LOADED + "print(loaded() is not None)")
    (folder / "all_of_them.py").write_text(ALL_OF_THEM.format(sizes=SIZES))
    results = []
    for pure in (False, True):
        assert record(python, folder, "which.py", pure=pure) == f"{not pure}\n"
        record(python, folder, "all_of_them.py", pure=pure)
        results.append(contents(folder / "out"))
    (fast, shown), (slow, same) = results
    assert fast == slow
    assert shown == same
    assert len(fast) > 200_000


WHICH = LOADED + "print(getattr(loaded(), '__file__', None))"


def test_the_accelerator_is_never_loaded_from_the_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "adebug_recorder" / "native").mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "adebug_recorder" / "native"):
        (folder / "_accelerator.py").write_text("raise SystemExit('taken')")
    (tmp_path / "which.py").write_text(WHICH)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delenv("ADEBUG_PURE", raising=False)
    own, in_use = loader.load(), record(sys.executable, tmp_path, "which.py", pure=False).strip()
    assert in_use == ("None" if own is None else own.__file__)
    without = tmp_path / "without"
    shutil.copytree(RECORDER_FOLDER, without, ignore=shutil.ignore_patterns("_accelerator.*", "__pycache__"))
    assert record(sys.executable, tmp_path, "which.py", pure=False, recorder=without) == "None\n"


def test_a_library_that_does_not_load_is_not_used(tmp_path: Path) -> None:
    broken = tmp_path / "recorder"
    shutil.copytree(RECORDER_FOLDER, broken, ignore=shutil.ignore_patterns("_accelerator.*", "__pycache__"))
    for suffix in EXTENSION_SUFFIXES:
        (broken / "native" / f"_accelerator{suffix}").write_bytes(b"this is no library")
    (tmp_path / "which.py").write_text(WHICH)
    assert record(sys.executable, tmp_path, "which.py", pure=False, recorder=broken) == "None\n"


@pytest.mark.parametrize("changed", contract.NATIVE)
def test_a_library_of_another_contract_is_not_used(monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    monkeypatch.delenv("ADEBUG_PURE", raising=False)
    package = RECORDER.modules["adebug_recorder.native"]
    this = SimpleNamespace(CONTRACT={**contract.NATIVE})
    older = SimpleNamespace(CONTRACT={**contract.NATIVE, changed: contract.NATIVE[changed] - 1})
    monkeypatch.setattr(package, "_accelerator", older, raising=False)
    assert loader.load() is None
    monkeypatch.setattr(package, "_accelerator", this)
    assert loader.load() is this
    monkeypatch.setenv("ADEBUG_PURE", "1")
    assert loader.load() is None
