"""The accelerator and its Python twin give the same, to the last byte, and neither asks the program anything."""

import gc
import os
import shutil
import subprocess
import sys
import zlib
from array import array
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.recording import segments
from tests.recording.support import INSIDE, accelerated, sort, tape
from tests.support import ROOT


def asked(*_args: Any) -> NoReturn:
    raise AssertionError("code of the program was run")


class Curious(type):
    __eq__ = __hash__ = __instancecheck__ = __subclasscheck__ = asked  # type: ignore[assignment]


class Hostile(metaclass=Curious):
    __eq__ = __hash__ = __bool__ = __index__ = __int__ = __float__ = __getattribute__ = asked  # type: ignore[assignment]


class OwnInt(int):
    __eq__ = __hash__ = __index__ = __int__ = asked  # type: ignore[assignment]


class OwnFloat(float):
    __eq__ = __hash__ = __float__ = asked  # type: ignore[assignment]


class OwnText(str):
    __eq__ = __hash__ = asked  # type: ignore[assignment]


MARKERS = [tape.Marker(number) for number in (1, 13, 64, 65, 1 << 23)]
FREQUENT = [tape.Marker(number) for number in (2, 70, 71)]
POOL = [
    *(None, True, False, ..., NotImplemented, 0, 1, -1, 256, 257, 1 << 62, -(1 << 62)),
    *((1 << 63) - 1, 1 << 63, -(1 << 63), -(1 << 63) - 1, (1 << 64) - 1, 1 << 64, -(1 << 64), 1 << 2000),
    *(0.0, -0.0, 1.5, float("nan"), float("inf"), -float("inf"), 5e-324, 2j, "", "text", b"", (), (1,), [], {}, set()),
    *(Hostile(), Hostile, OwnInt(5), OwnInt(1 << 70), OwnFloat(0.5), OwnText("t"), int, type, len, object()),
    *MARKERS,
    *FREQUENT,
]
DRAWN = st.lists(st.integers(0, len(POOL) - 1).map(lambda at: (at,)) | st.integers() | st.floats(), max_size=60)
"""Words, of which many are there several times; those of the pool by their places: hypothesis asks its values."""


def words_of(drawn: list[Any]) -> list[Any]:
    return [POOL[word[0]] if type(word) is tuple else word for word in drawn]


@pytest.fixture(scope="module")
def twins() -> list[Any]:
    """One sorter of each sort, which know the same frequent markers; a marker has its class from the first of them."""
    accelerated()
    both = [sort.Sorter(), sort.AcceleratedSorter()]
    for sorter in both:
        sorter.look_at_metaclasses()
        for marker in FREQUENT:
            sorter._give_class(marker)
    return both


def identities(values: list[Any]) -> list[int]:
    return list(map(id, values))


@settings(deadline=None)
@given(drawn=DRAWN, ends=st.tuples(st.integers(0, 60), st.integers(0, 60)), is_tape=st.booleans())
def test_words_are_sorted_alike(twins: list[Any], drawn: list[Any], ends: tuple[int, int], is_tape: bool) -> None:
    words = words_of(drawn)
    start, stop = sorted(min(end, len(words)) for end in ends)
    (*columns, markers, others), (*same, same_markers, same_others) = (
        sorter.sort(words, start, stop, is_tape=is_tape) for sorter in twins
    )
    assert columns == same
    assert identities(markers) == identities(same_markers)
    assert identities(others) == identities(same_others)


@settings(deadline=None)
@given(stretches=st.lists(DRAWN, max_size=4), first=st.integers(1 << 24, (1 << 32) - 1000), forgets=st.booleans())
def test_values_are_numbered_alike(twins: list[Any], stretches: list[list[Any]], first: int, forgets: bool) -> None:
    known: list[dict[int, int]] = [{}, {}]
    for values in map(words_of, stretches):
        (*found, new), (*same, same_new) = (
            sorter.number(values, numbers, first) for sorter, numbers in zip(twins, known, strict=True)
        )
        assert found == same
        assert identities(new) == identities(same_new)
        assert list(known[0].items()) == list(known[1].items())
        first += len(values)
        for numbers in known:
            for value in values[::3] if forgets else ():
                numbers.pop(id(value), None)


@given(numbers=st.lists(st.integers(0, (1 << 64) - 1) | st.integers(0, 300), max_size=1200), wide=st.booleans())
def test_planes_are_alike(numbers: list[int], wide: bool) -> None:
    raw = array("Q" if wide else "I", [one if wide else one % (1 << 32) for one in numbers]).tobytes()
    with pytest.MonkeyPatch.context() as patch:
        fast = accelerated().planes(raw, 8 if wide else 4)
        patch.setattr(sort, "accelerator", None)
        assert sort.planes(raw, 8 if wide else 4) == fast


def test_markers_of_another_writer_are_markers(twins: list[Any]) -> None:
    """They have a class that this sorter gave no code."""
    foreign = tape.Marker(99)
    sort.Sorter()._give_class(foreign)
    for sorter in twins:
        codes, _ints, _floats, markers, others = sorter.sort([foreign, 1], 0, 2, is_tape=True)
        assert (list(codes), markers, others) == ([sort.A_MARKER, sort.AN_INT], [foreign], [])
        codes, _ints, _floats, markers, others = sorter.sort([foreign, 1], 0, 2, is_tape=False)
        assert (list(codes), markers, others) == ([sort.ANOTHER, sort.AN_INT], [], [foreign])


def test_the_accelerator_counts_its_references(twins: list[Any]) -> None:
    _python, sorter = twins
    values = [object(), "a text", 1 << 70, 1 << 40, 2.5, Hostile(), MARKERS[0], FREQUENT[0], OwnInt(7)]
    words = values * 50
    known: dict[int, int] = {}
    gc.collect()
    before = [sys.getrefcount(value) for value in values]
    types = [sys.getrefcount(cls) for cls in (int, Hostile, type(FREQUENT[0]))]
    blocks = []
    for _ in range(3):
        for _ in range(300):
            found = sorter.sort(words, 3, len(words) - 3, is_tape=True)
            numbers = sorter.number(found[4], known, 1 << 24)
            known.clear()
            with pytest.raises(IndexError):
                sorter.sort(words, 3, len(words) + 1, is_tape=True)
            with pytest.raises(OverflowError):
                sorter.number(words, known, (1 << 32) - 100)
            with pytest.raises(OverflowError):
                sorter.number(words, {id(words[0]): 1 << 40}, 0)
            del found, numbers
        gc.collect()
        blocks.append(sys.getallocatedblocks())
    assert [sys.getrefcount(value) for value in values] == before
    assert [sys.getrefcount(cls) for cls in (int, Hostile, type(FREQUENT[0]))] == types
    assert blocks[2] - blocks[1] < 100


@pytest.mark.parametrize(
    "wrong",
    [
        ((), 0, 0, [], b""),
        ([], -1, 0, [], b""),
        ([], 0, 1, [], b""),
        ([1], 1, 0, [], b""),
        ([1], 0, 1, [int], b""),
        ([1], 0, 1, [], b"\0"),
        ([1], 0, 1, (int,), b"\3"),
        ([1], 0, 1, [int], [3]),
        ([1], 0, 1),
    ],
)
def test_the_accelerator_refuses_what_makes_no_sense(wrong: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ValueError, IndexError)):
        accelerated().sort(*wrong)


@pytest.mark.parametrize("wrong", [(b"1234567", 4), (b"", 0), (b"12", 1), (bytearray(8), 8), (b"12345678", -8)])
def test_planes_are_made_of_whole_numbers(wrong: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ValueError)):
        accelerated().planes(*wrong)


PROGRAMS = ROOT / "benchmarks" / "recording" / "programs"
QUIET = """
import signal

def stop():
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)  # it gives the time that was left, which differs between runs
"""
ALL_OF_THEM = """
import importlib
import sys
sys.path.append("../outside")
import quiet
quiet.stop()  # the tape is written at the end only, and not when some time has passed
for name, size in {sizes}:
    print(importlib.import_module(name).main(size))
"""
SIZES = [
    *[("fib", 14), ("quicksort", 300), ("json_parser", 10), ("queens", 5), ("constraints", 1), ("simulation", 60)],
    *[("raytrace", 5), ("words", 3), ("matrix", 10), ("graph", 12), ("pipeline", 300), ("nbody", 60)],
]


def interpreters() -> list[str]:
    """This one, and those of other versions that are on the path and run."""
    found = {sys.version_info[:2]: sys.executable}
    for minor in range(10, 14):
        path = shutil.which(f"python3.{minor}")
        if (
            path
            and (3, minor) not in found
            and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0
        ):
            found[3, minor] = path
    return list(found.values())


def record(python: str, folder: Path, program: str, *, pure: bool, inside: Path = INSIDE) -> str:
    """Record a program of the folder to `out` there; gives what it printed."""
    done = subprocess.run(
        [python, str(inside), "--out", "out", "--workspace", ".", program],
        cwd=folder, env={**os.environ, "PYTHONHASHSEED": "0", "ADEBUG_PURE": str(int(pure))},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def contents(path: Path) -> list[tuple[bytes, bytes]]:
    """The tags and contents of a recording, without what differs between runs: time and thread."""
    data, at, found = path.read_bytes(), segments.HEADER.size, []
    while at < len(data):
        tag, _checksum, _length, stored = segments.SEGMENT.unpack_from(data, at)
        at += segments.SEGMENT.size
        content = zlib.decompress(data[at : at + stored], -15)
        found.append((tag, content[8:] if tag == b"TAPE" else content))
        at += stored
    return found[1:]


@pytest.mark.parametrize("python", interpreters())
def test_both_write_the_same_file(tmp_path: Path, python: str) -> None:
    accelerated()
    folder, outside = tmp_path / "work", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (outside / "quiet.py").write_text(QUIET)
    for path in PROGRAMS.glob("*.py"):
        shutil.copy(path, folder)
    (folder / "which.py").write_text("import sys; print('adebug_inside._accelerator' in sys.modules)")
    (folder / "all_of_them.py").write_text(ALL_OF_THEM.format(sizes=SIZES))
    found = []
    for pure in (False, True):
        assert record(python, folder, "which.py", pure=pure) == f"{not pure}\n"
        record(python, folder, "all_of_them.py", pure=pure)
        found.append(contents(folder / "out"))
    fast, slow = found
    assert [tag for tag, _content in fast] == [tag for tag, _content in slow]
    assert fast == slow
    assert sum(len(content) for _tag, content in fast) > 500_000


WHICH = "import sys; print(getattr(sys.modules.get('adebug_inside._accelerator'), '__file__', None))"


def test_the_accelerator_is_never_taken_from_the_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "adebug_inside").mkdir()
    for folder in (tmp_path, tmp_path / "adebug_inside"):
        (folder / "_accelerator.py").write_text("raise SystemExit('taken')")
    (tmp_path / "which.py").write_text(WHICH)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = record(sys.executable, tmp_path, "which.py", pure=False).strip()
    assert found == ("None" if sort.accelerator is None else sort.accelerator.__file__)
    without = tmp_path / "without"
    shutil.copytree(INSIDE, without, ignore=shutil.ignore_patterns("_accelerator.*", "__pycache__"))
    assert record(sys.executable, tmp_path, "which.py", pure=False, inside=without) == "None\n"


def test_a_library_that_does_not_load_is_no_harm(tmp_path: Path) -> None:
    broken = tmp_path / "inside"
    shutil.copytree(INSIDE, broken, ignore=shutil.ignore_patterns("_accelerator.*", "__pycache__"))
    for suffix in EXTENSION_SUFFIXES:
        (broken / f"_accelerator{suffix}").write_bytes(b"this is no library")
    (tmp_path / "which.py").write_text(WHICH)
    assert record(sys.executable, tmp_path, "which.py", pure=False, inside=broken) == "None\n"


def test_a_library_of_another_contract_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ADEBUG_PURE", raising=False)
    package = sys.modules["adebug_inside"]
    this, older = (SimpleNamespace(CONTRACT=sort._CONTRACT + more) for more in (0, -1))
    monkeypatch.setattr(package, "_accelerator", older, raising=False)
    assert sort._load() is None
    monkeypatch.setattr(package, "_accelerator", this)
    assert sort._load() is this
    monkeypatch.setenv("ADEBUG_PURE", "1")
    assert sort._load() is None
