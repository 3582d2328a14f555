"""One contract: the recorder, its C part, the reader and the page in the documentation have the same numbers."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from adebug_lsp.languages.python.reading.recorded_values import read_batch
from adebug_lsp.languages.python.reading.recording_file import FRAME, Recording, open_recording
from adebug_lsp.languages.python.reading.static import read_module
from adebug_lsp.languages.python.recorder import contract, contract_files
from adebug_lsp.recording import segments
from tests.languages.python.recording.support import RECORDER_FOLDER, accelerated, recorder_module
from tests.support import ROOT

PROGRAM = """\
import asyncio
import collections
import enum
import threading
from decimal import Decimal
from pathlib import Path


class Point:
    def __init__(self, x):
        self.x = x
        self.y = 0


class Colour(enum.Enum):
    RED = 1


def gathered(held):
    held.append((frozenset({1}), range(3), slice(1, 2), 1 << 80, 2.5, 1j, b"bytes", ..., Colour.RED, Decimal("1.5")))
    held[0] = Path("a")
    names = {"a": 1}
    names["b"] = 2
    del names["a"]
    queue, letters = collections.deque([1]), bytearray(b"ab")
    queue.append(2)
    letters += b"c"
    chosen = {1, 2}
    chosen.add(3)
    point = Point(1)
    del point.y
    setattr(point, "z", [n for n in held if n])
    return names, queue, letters, chosen, point


def counted(limit):
    while limit:
        limit -= 1
    else:
        limit = -1
    for i in range(3):
        if i == 1:
            continue
        try:
            with open(__file__) as file:
                for line in file:
                    return len(line)
        except OSError as error:
            raise ValueError from error
        finally:
            assert i < 3
    match limit:
        case 1:
            pass


def numbers():
    yield 1
    yield from iter([2])


async def waited():
    await asyncio.sleep(0)
    return 1


gathered([0])
counted(2)
try:
    counted("no number")
except TypeError:
    pass
print(sum(numbers()), asyncio.run(waited()))
thread = threading.Thread(target=counted, args=(1,))
thread.start()
thread.join()
"""


@pytest.fixture(scope="module", params=["C", "Python"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real recording, made with the accelerator or without."""
    if request.param == "C":
        accelerated()
    folder = tmp_path_factory.mktemp("contract")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(RECORDER_FOLDER), "--out", "out", "--workspace", ".", "program.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "ADEBUG_PURE": str(int(request.param == "Python"))},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "out"


def markers(recording: Recording) -> dict[int, str]:
    """The kinds of the markers that modules explain, by number."""
    return {
        number: marker["kind"]
        for module in recording.modules
        for number, marker in enumerate(module["markers"], module["first"])
    }


def test_every_marker_is_declared_and_followed_by_as_many_values(path: Path) -> None:
    recording = open_recording(path)
    arity = {number: marker.arity for number, marker in contract.MARKERS.items()}
    for module in recording.modules:
        arity.update((number, len(marker["slots"])) for number, marker in enumerate(module["markers"], module["first"]))
    places = np.flatnonzero(recording.words < contract.FIRST_VALUE)
    numbers = recording.words[places].tolist()
    following = (np.diff([*places, len(recording.words)]) - 1).tolist()
    assert places[0] == 0
    assert [(n, count) for n, count in zip(numbers, following, strict=True) if arity.get(n) != count] == []
    fixed = set(numbers) & set(contract.MARKERS)
    assert {*range(contract.IMAGE_LIST, contract.SET_ITEM), contract.THREAD_STARTED, contract.THREAD_BEGUN} <= fixed


def test_every_kind_of_record_is_declared(path: Path) -> None:
    recording = open_recording(path)
    assert set(markers(recording).values()) <= set(contract.RECORD_KINDS)
    recorded = {markers(recording).get(word, "") for word in set(recording.words.tolist())}
    assert {"enter", "return", "raised", "yield", "delegate", "resume", "resumed", "loop", "iteration"} <= recorded
    writes = {
        write[0] for module in recording.modules for marker in module["markers"] for write in marker.get("writes", ())
    }
    assert {"set_item", "call"} <= writes <= set(contract.WRITES)


def test_every_segment_and_every_kind_of_value_is_declared(path: Path) -> None:
    tags, kinds, expected = set(), set(), contract.FIRST_VALUE
    for segment in segments.read_segments(path, FRAME):
        assert isinstance(segment, segments.Segment)
        tags.add(segment.tag)
        if segment.tag == contract.VALUES:
            batch = read_batch(segment, expected)
            expected = batch.end
            kinds |= set(bytes(batch.columns()._kinds))
    assert tags == set(contract.SEGMENTS)
    assert kinds == {kind for kind, facts in contract.VALUE_KINDS.items() if facts.listed}


def test_all_languages_share_the_file_frame() -> None:
    assert segments.HEADER.format == contract.HEADER_FORMAT
    assert segments.SEGMENT.format == contract.SEGMENT_FORMAT
    assert segments.MOST_RAW == contract.MOST_RAW


def test_the_accelerator_was_compiled_with_the_contract() -> None:
    assert accelerated().CONTRACT == contract.NATIVE == recorder_module("contract").NATIVE


def test_numbers_are_declared_once() -> None:
    """A new kind has the next number; constants and tables cannot disagree."""
    assert list(contract.VALUE_KINDS) == list(range(len(contract.VALUE_KINDS)))
    assert sorted(contract.MARKERS) == list(contract.MARKERS)
    assert max(contract.MARKERS) < contract.FIRST_OF_MODULES
    assert list(contract.COMPOSITE) == [kind for kind, facts in contract.VALUE_KINDS.items() if facts.most]
    assert contract.PREDEFINED[contract.ZERO - contract.FIRST_VALUE] == 0
    assert contract.PREDEFINED[contract.UNBOUND - contract.FIRST_VALUE] is ...


def test_the_generated_header_is_not_stale() -> None:
    assert (ROOT / contract_files.HEADER).read_text(encoding="utf-8") == contract_files.header(), "run `make docs`"


def test_the_generated_tables_are_not_stale() -> None:
    text = (ROOT / contract_files.PAGE).read_text(encoding="utf-8")
    assert contract_files.page(text) == text, "run `make docs`"
    for name, table in contract_files.tables().items():
        assert table in text, f"{contract_files.PAGE} lacks the table of {name}"


def test_records_of_comprehensions_are_read_by_their_former_name() -> None:
    marker = {"kind": "turn", "node": 0, "routine": 0, "slots": [0], "stores": [["x", 0]]}
    facts = {"path": "a.py", "module": "a", "source": "", "first": 64, "nodes": [], "routines": [], "markers": [marker]}
    (read,) = read_module(facts).markers
    assert read.kind in contract.RECORD_KINDS
    assert (read.stores, read.iteration_stores) == ((), (("x", 0),))
