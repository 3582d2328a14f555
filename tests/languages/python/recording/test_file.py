"""A recording file that is cut, damaged, forged or not one at all."""

import json
import random
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adebug_lsp.languages.python.reading.heap.object_states import Heap
from adebug_lsp.languages.python.reading.recording_file import is_recording, open_recording
from adebug_lsp.languages.python.recorder import contract
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.recording import segments
from tests.languages.python.recording.support import MARK, RECORDER_FOLDER, batch, tape_writer


def example(path: Path) -> Path:
    held = [1, 2.5, "text", (1, 1 << 80), {"a": b"b"}, 1j, open_recording, Path]
    writer = tape_writer.Writer(path, {"language": "python", "level": "full"})
    writer.module({"path": "m.py", "markers": [1]})
    for number in range(4):
        writer.write_tape(7, [MARK, held, MARK, number, MARK, f"line {number}\n"])
    writer.write_tape(8, [MARK, held])
    writer.close({"how": "finished", "exit_code": 0})
    return path


def borders(data: bytes) -> list[int]:
    """Where segments begin, and the end."""
    offset, starts = segments.HEADER.size, []
    while offset < len(data):
        starts.append(offset)
        offset += segments.SEGMENT.size + segments.SEGMENT.unpack_from(data, offset)[3]
    return [*starts, offset]


def use(path: Path) -> None:
    """Look at everything that is in a recording."""
    recording = open_recording(path)
    heap = Heap(recording.words, recording.values, recording.images)
    for word in set(recording.words[recording.words >= contract.FIRST_VALUE].tolist()):
        waiting, done = [word], set()
        while waiting:
            number = waiting.pop()
            value = recording.values.value(number)
            if number not in done:
                done.add(number)
                state = heap.state(number, len(recording.words))
                waiting += [
                    *state.items,
                    *(word for pair in state.pairs for word in pair),
                    *getattr(value, "items", ()),
                ]


def test_a_complete_file_has_all_its_content(tmp_path: Path) -> None:
    recording = open_recording(example(tmp_path / "r"))
    assert recording.meta == {"language": "python", "level": "full"}
    assert recording.modules == [{"path": "m.py", "markers": [1]}]
    assert recording.ending == {"how": "finished", "exit_code": 0}
    assert recording.problem == ""
    assert [(piece.thread, piece.start, piece.stop) for piece in recording.threads] == [(7, 0, 24), (8, 24, 26)]
    assert recording.words.dtype == np.uint32
    assert is_recording(tmp_path / "r")
    assert not is_recording(Path(__file__))


def test_reading_a_file_reports_how_much_of_it_is_read(tmp_path: Path) -> None:
    path, reports = example(tmp_path / "r"), []
    open_recording(path, lambda done, total: reports.append((done, total)))
    assert [done for done, _ in reports] == sorted({done for done, _ in reports})
    assert {total for _, total in reports} == {path.stat().st_size}
    assert 0 < reports[-1][0] <= path.stat().st_size


def test_a_truncated_file_yields_every_complete_segment(tmp_path: Path) -> None:
    data = example(tmp_path / "whole").read_bytes()
    whole = open_recording(tmp_path / "whole").words
    path = tmp_path / "cut"
    ends = borders(data)
    for length in range(len(data)):
        path.write_bytes(data[:length])
        if length < ends[1]:
            with pytest.raises(BadInputError):
                open_recording(path)
            continue
        recording = open_recording(path)
        kept = len(recording.words)
        assert (recording.words == whole[:kept]).all()
        assert f"{kept} words were kept" in recording.problem
        assert recording.ending is None
    path.write_bytes(data[: ends[-2]])  # only the ending is missing
    assert len(open_recording(path).words) == len(whole)
    use(path)


def test_a_flipped_bit_is_noticed_and_never_fatal(tmp_path: Path) -> None:
    data = bytearray(example(tmp_path / "whole").read_bytes())
    path = tmp_path / "bad"
    dice = random.Random(5)
    for _ in range(300):
        offset, bit = dice.randrange(len(data)), 1 << dice.randrange(8)
        data[offset] ^= bit
        path.write_bytes(data)
        data[offset] ^= bit
        try:
            assert open_recording(path).problem
        except BadInputError as error:
            assert str(path) in str(error)  # noqa: PT017 - either way is right


def forged(data: bytes, index: int, change: Any) -> bytes:
    """The file with the content of one segment changed and everything around it made to fit."""
    start, end = borders(data)[index : index + 2]
    tag = data[start : start + 4]
    raw = change(bytearray(zlib.decompress(data[start + segments.SEGMENT.size : end], -15)))
    stored = zlib.compress(raw)[2:-4]
    lengths = struct.pack("<QQ", len(raw), len(stored))
    checksum = zlib.crc32(stored, zlib.crc32(tag + lengths))
    return data[:start] + tag + struct.pack("<I", checksum) + lengths + stored + data[end:]


def test_forged_content_is_refused_or_survived(tmp_path: Path) -> None:
    """Random bytes in the content, with right checksums: every answer but a crash, a hang or huge memory is right."""
    data = example(tmp_path / "whole").read_bytes()
    path = tmp_path / "forged"
    dice = random.Random(6)
    refused = 0
    for _ in range(400):

        def change(raw: bytearray) -> bytearray:
            for _ in range(dice.randint(1, 4)):
                offset = dice.randrange(min(len(raw), dice.choice([16, 100, len(raw)])))
                raw[offset] = dice.choice([0, 1, 255, dice.randrange(256)])
            return raw[: dice.choice([len(raw), len(raw), dice.randrange(len(raw) + 1)])]

        path.write_bytes(forged(data, dice.randrange(len(borders(data)) - 1), change))
        try:
            use(path)
        except BadInputError:
            refused += 1
    assert refused > 25


def test_forged_lengths_allocate_nothing(tmp_path: Path) -> None:
    data = example(tmp_path / "whole").read_bytes()
    path = tmp_path / "forged"
    start = borders(data)[2]
    for raw, stored in ((1 << 63, 10), (10, 1 << 63), (1 << 40, 1 << 40), (0, 0)):
        head = bytearray(data)
        struct.pack_into("<QQ", head, start + 8, raw, stored)
        path.write_bytes(head)
        assert open_recording(path).problem


def test_a_segment_that_decompresses_to_too_much_is_refused(tmp_path: Path) -> None:
    data = example(tmp_path / "whole").read_bytes()
    stored = zlib.compress(bytes(1 << 24))[2:-4]
    lengths = struct.pack("<QQ", 100, len(stored))
    checksum = zlib.crc32(stored, zlib.crc32(b"TAPE" + lengths))
    path = tmp_path / "bomb"
    path.write_bytes(data[: borders(data)[-2]] + b"TAPE" + struct.pack("<I", checksum) + lengths + stored)
    assert "another length" in open_recording(path).problem


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a recording"),
        (b"ADEBUG", "not a recording"),
        (b"x" * 100, "not a recording"),
        (b"ADEBUGRC" + struct.pack("<I", 99), "version 99"),
        (b"ADEBUGRC" + struct.pack("<I", contract.VERSION), "holds nothing"),
    ],
)
def test_a_file_that_is_not_a_recording_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "r"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=message) as caught:
        open_recording(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        open_recording(tmp_path / "none")


def test_the_recorder_writes_no_segment_that_the_reader_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (tape_writer, segments):
        monkeypatch.setattr(module, "MOST_RAW", 20_000)
    path = tmp_path / "r"
    writer = tape_writer.Writer(path, {"language": "python"})
    writer.write_tape(1, [MARK, "x" * 15_000])
    with pytest.raises(batch.Full, match="some values take more than"):
        writer.write_tape(1, [MARK, "y" * 25_000])
    writer.close({"how": "full"})
    recording = open_recording(path)
    assert recording.problem == ""
    assert [len(str(recording.values.atom(int(number)))) for number in recording.words[1::2]] == [15_000]


@pytest.mark.suites
def test_more_than_a_gibibyte_of_values_can_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "r"
    writer = tape_writer.Writer(path, {"language": "python"})
    writer.write_tape(1, [MARK, bytes((1 << 30) + 5), MARK, "after it"])
    writer.close({"how": "finished"})
    recording = open_recording(path)
    assert recording.problem == ""
    large, after = (recording.values.atom(int(number)) for number in recording.words[1::2])
    assert isinstance(large, bytes)
    assert len(large) == (1 << 30) + 5
    assert after == "after it"


PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from isolation import isolated_recorder
recorder = isolated_recorder()
images, tape_writer = (recorder.load(f"adebug_recorder.{name}") for name in ("observe.images", "tape.writer"))
writer = tape_writer.Writer(sys.argv[2], {"version": list(sys.version_info[:2])})
mark = images.Marker(64)
class Thing:
    def __init__(self): self.x = [1, {"a": (2, 3.5)}]
writer.write_tape(1, [mark, Thing(), mark, "text", mark, 5])
writer.write_tape(1, [mark, 6])
import os
os._exit(3)
"""


def test_a_process_that_ends_at_once_leaves_what_it_spilled(tmp_path: Path) -> None:
    path = tmp_path / "r"
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(RECORDER_FOLDER), str(path)], check=False)
    assert done.returncode == 3
    recording = open_recording(path)
    assert recording.meta == {"version": list(sys.version_info[:2])}
    assert len(recording.words) == 8
    assert recording.ending is None
    assert "does not say how the run ended" in recording.problem
    use(path)


def test_meta_and_modules_are_any_json(tmp_path: Path) -> None:
    meta = {"text": "\ud800é", "deep": [[[{"a": None}]]]}
    path = tmp_path / "r"
    writer = tape_writer.Writer(path, meta)
    writer.close({})
    assert open_recording(path).meta == json.loads(json.dumps(meta))


def test_a_finaliser_may_spill_while_a_spill_is_going_on(tmp_path: Path) -> None:
    """Its words come after those of the spill that it interrupts, and its object may be anything."""
    path = tmp_path / "r"
    writer = tape_writer.Writer(path, {})
    late: list[Any] = []

    class Finalised:
        def __del__(self) -> None:
            late.append(writer.write_tape(2, [MARK, "late"]))

    class Looks:
        """Stands for a finaliser that runs in the middle: it is called while values are being sorted."""

        def __call__(self, _module: str) -> bool:
            late.append(writer.write_tape(2, [MARK, "middle"]))
            return True

    writer.write_tape(1, [MARK, Finalised()])
    writer._inspectors.is_user_code = Looks()
    writer.write_tape(1, [MARK, Path("x"), MARK, open_recording])
    writer.close({})
    recording = open_recording(path)
    assert recording.problem == ""
    values = [recording.values.atom(int(word)) for word in recording.words[1::2]]
    assert "middle" in values
    assert "late" in values
    assert set(late) == {2}


def test_objects_that_the_program_dropped_are_let_go(tmp_path: Path) -> None:
    alive = 0

    class Counted:
        def __init__(self) -> None:
            nonlocal alive
            alive += 1

        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    writer = tape_writer.Writer(tmp_path / "r", {})
    kept = Counted()
    for _ in range(50):
        writer.write_tape(1, [MARK, kept, *(word for _ in range(10) for word in (MARK, Counted()))])
    assert alive <= 11
    writer.close({})
    recording = open_recording(tmp_path / "r")
    assert len(set(recording.words[1::22].tolist())) == 1
