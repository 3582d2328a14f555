"""Recordings made in this process, by the writer that runs in the user's interpreter."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.languages.python.reading.heap.object_states import Heap
from adebug_lsp.languages.python.reading.recorded_values import (
    Atom,
    Derived,
    Member,
    Object,
    Opaque,
    TupleLike,
    TypeInfo,
)
from adebug_lsp.languages.python.reading.recording_file import Recording, open_recording
from adebug_lsp.languages.python.recorder.isolation import isolated_recorder
from tests.support import ROOT

RECORDER_FOLDER = ROOT / "adebug_lsp" / "languages" / "python" / "recorder"


RECORDER = isolated_recorder()


def recorder_module(name: str) -> Any:
    """A module of the recorder, loaded as it is in the user's interpreter: isolated, as a package of its own."""
    return RECORDER.load(f"adebug_recorder.{name}")


tape_writer = recorder_module("tape.writer")
images = recorder_module("observe.images")
numbering = recorder_module("tape.numbering")
batch = recorder_module("tape.batch")
loader = recorder_module("native.loader")
MARK = images.Marker(64)
"""Begins a record of one value that means nothing to the heap."""


def accelerated() -> Any:
    """The accelerator. Where continuous integration could have built it, it must be there."""
    if numbering.accelerator is None and os.environ.get("ADEBUG_PURE") != "1":
        assert os.environ.get("CI") != "true" or not shutil.which("cc"), "the accelerator was not built"
    if numbering.accelerator is None:
        pytest.skip("the accelerator is not built: there is no C compiler, or ADEBUG_PURE is set")
    return numbering.accelerator


def write(path: Path, *chunks: list[Any], **options: Any) -> Path:
    """A whole recording with these spills."""
    writer = tape_writer.Writer(path, {"language": "python"}, **options)
    for chunk in chunks:
        writer.write_tape(1, chunk)
    writer.close({"how": "finished"})
    return path


def opened(path: Path) -> tuple[Recording, Heap]:
    recording = open_recording(path)
    assert recording.problem == ""
    return recording, Heap(recording.words, recording.values, recording.images)


def show(recording: Recording, heap: Heap, number: int, position: int, path: tuple[int, ...] = ()) -> Any:
    """A plain, comparable picture of a recorded value; `picture` makes the same of a live one."""
    decoded = recording.values.value(number)
    inner = (*path, number)

    def of(part: int) -> Any:
        return show(recording, heap, part, position, inner)

    if isinstance(decoded, Atom):
        return (decoded.type, repr(decoded.value))
    if number in path:
        return ("again", len(path) - path.index(number))
    if isinstance(decoded, TupleLike):
        parts = [of(item) for item in decoded.items]
        return (decoded.type, *(sorted(parts, key=repr) if decoded.type == "frozenset" else parts))
    if isinstance(decoded, Derived):
        return (decoded.type.name, of(decoded.value))
    if isinstance(decoded, Member):
        return (decoded.type.name, recording.values.atom(decoded.name))
    if isinstance(decoded, Opaque | TypeInfo):
        return decoded.name
    assert isinstance(decoded, Object)
    state = heap.state(number, position)
    assert not state.uncertain
    if state.shape == "set":
        parts = sorted(map(of, state.items), key=repr)
    elif state.shape == "mapping":
        parts = [(of(key), of(value)) for key, value in state.pairs]
    elif state.shape == "bytes":
        parts = [state.data]
    else:
        parts = [of(item) for item in state.items]
    return (decoded.type.name, *parts, *((name, of(value)) for name, value in state.attributes))


def picture(value: Any, path: tuple[int, ...] = ()) -> Any:
    """The same of a live value, by ordinary means."""
    inner = (*path, id(value))

    def of(part: Any) -> Any:
        return picture(part, inner)

    kind = type(value).__name__
    if isinstance(value, int | float | complex | str | bytes | bool | type(None) | type(Ellipsis)):
        return (kind, repr(value))
    if id(value) in path:
        return ("again", len(path) - path.index(id(value)))
    if isinstance(value, range | slice):
        return (kind, of(value.start), of(value.stop), of(value.step))
    attributes = [(name, of(held)) for name, held in getattr(value, "__dict__", {}).items()]
    if isinstance(value, set | frozenset):
        return (kind, *sorted(map(of, value), key=repr), *attributes)
    if isinstance(value, dict):
        return (kind, *((of(key), of(held)) for key, held in value.items()), *attributes)
    if isinstance(value, bytearray):
        return (kind, bytes(value))
    if isinstance(value, tuple) or hasattr(value, "append"):
        return (kind, *map(of, value), *attributes)
    return (kind, *attributes)
