"""Haskell's recording file: the sources, and the columns of the trail."""

from __future__ import annotations

import json
from array import array
from pathlib import Path
from typing import Any

from attrs import frozen

from adebug_lsp.languages.haskell.engine.machine import Trail
from adebug_lsp.languages.haskell.engine.program_execution import Outcome
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.recording.segments import Cut, Frame, read_segments, write_segments

_COLUMNS = {
    b"REDX": ("redexes", "q"),
    b"UNIT": ("units", "i"),
    b"PRMN": ("primitive_nodes", "q"),
    b"PRMV": ("primitive_values", "q"),
    b"ENTR": ("entered", "q"),
    b"DBLN": ("double_nodes", "q"),
    b"DBLV": ("double_values", "d"),
}
FRAME = Frame(b"ADEBUGHS", 1, frozenset({b"META", *_COLUMNS}))


@frozen
class Recording:
    """A recorded run."""

    program: str
    """The path of its main module in the workspace."""
    sources: dict[str, str]
    """Texts of its modules, by path in the workspace."""
    names: dict[str, str]
    """Paths of modules by name."""
    workspace: str
    trail: Trail
    outcome: Outcome
    library: str
    """Hash of the library used, which the numbers of the trail refer to."""
    problem: str = ""
    start: str = ""
    """The expression that was evaluated; empty if `main` ran."""
    test: str = ""
    """The name of the test that was recorded."""
    failure: str = ""
    """The failure of the test."""


def write_recording(path: Path, recording: Recording) -> None:
    """Write a recording; all small facts go into one JSON segment."""
    trail = recording.trail
    meta = {
        "program": recording.program,
        "sources": recording.sources,
        "names": recording.names,
        "workspace": recording.workspace,
        "library": recording.library,
        "start": recording.start,
        "test": recording.test,
        "failure": recording.failure,
        "outcome": [recording.outcome.how, recording.outcome.exit_code, recording.outcome.message],
        "input": trail.input,
        "output": trail.output,
        "errors": trail.errors,
        "large": [[node, str(value)] for node, value in trail.large.items()],
    }
    segments = [(b"META", json.dumps(meta).encode())]
    segments += [(tag, getattr(trail, name).tobytes()) for tag, (name, _) in _COLUMNS.items()]
    write_segments(path, FRAME, segments)


def read_recording(path: Path) -> Recording:
    """Read a recording; truncated columns are read as far as they go. Raises `BadInputError`."""
    trail, meta, problem = Trail(), None, ""
    for segment in read_segments(path, FRAME):
        if isinstance(segment, Cut):
            problem = segment.reason
        elif segment.tag == b"META":
            meta = _json(path, segment.raw())
        else:
            name, kind = _COLUMNS[segment.tag]
            column = array(kind)
            data = segment.raw()
            column.frombytes(data[: len(data) - len(data) % column.itemsize])
            setattr(trail, name, column)
    if meta is None or not len(trail.redexes) or len(trail.units) < len(trail.redexes):
        raise BadInputError(f"{path}: nothing of this recording can be read: {problem or 'it has no reductions'}")
    try:
        return _recording(meta, trail, problem)
    except (KeyError, TypeError, ValueError) as error:
        raise BadInputError(f"{path}: not a recording of a Haskell program: {error}") from error


def _json(path: Path, data: bytes) -> dict[str, Any]:
    try:
        meta = json.loads(data)
    except ValueError as error:
        raise BadInputError(f"{path}: damaged: {error}") from error
    return meta if isinstance(meta, dict) else {}


def _recording(meta: dict[str, Any], trail: Trail, problem: str) -> Recording:
    """A recording from its decoded parts."""
    trail.input = [(int(node), str(text)) for node, text in meta["input"]]
    trail.output = [(int(node), str(text)) for node, text in meta["output"]]
    trail.errors = [(int(node), str(text)) for node, text in meta["errors"]]
    trail.large = {int(node): int(value) for node, value in meta["large"]}
    how, code, message = meta["outcome"]
    return Recording(
        str(meta["program"]),
        {str(k): str(v) for k, v in meta["sources"].items()},
        {str(k): str(v) for k, v in meta["names"].items()},
        str(meta["workspace"]),
        trail,
        Outcome(str(how), int(code), str(message)),
        str(meta["library"]),
        problem,
        *(str(meta.get(name, "")) for name in ("start", "test", "failure")),
    )
