"""An open recording: its static facts, and the words of all tapes in one array.

A *position* is an index into that array. A word below 2**24 is a marker, any other the number of a value. A damaged or
truncated file yields everything before the damage, and the reason.
"""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from adebug_lsp.languages.python.reading.recorded_values import (
    FORMER,
    Batch,
    Values,
    read_batch,
    read_words,
)
from adebug_lsp.languages.python.recorder.contract import (
    END,
    FIRST_VALUE,
    IMAGES,
    MAGIC,
    META,
    MODULE,
    MOST_FREQUENT,
    SEGMENTS,
    VALUES,
    VERSION,
)
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.recording.segments import Cut, Frame, Segment, has_frame, read_segments

FRAME = Frame(MAGIC, VERSION, frozenset(SEGMENTS))
_TAPE_HEAD = struct.Struct("<QQI")
_IMAGES_HEAD = struct.Struct("<Q")


@frozen
class Piece:
    """A stretch of words that one thread wrote."""

    thread: int
    start: int
    stop: int


@frozen
class LateImages:
    """The contents of objects when their tape was flushed, for objects without an earlier record."""

    position: Any
    kind: Any
    object: Any
    content: Any
    """The number of the tuple with the content."""


@frozen(eq=False)
class Recording:
    """The content of a recording file."""

    path: Path
    meta: dict[str, Any]
    modules: list[dict[str, Any]]
    ending: dict[str, Any] | None
    """How the run ended; None if the file does not say."""
    problem: str
    """The reason why a damaged or truncated file is incomplete, or empty."""
    words: Any
    threads: list[Piece]
    images: LateImages
    values: Values


def is_recording(path: Path) -> bool:
    """Whether a file starts like a recording of any version."""
    return has_frame(path, FRAME)


def open_recording(path: Path, report: Callable[[int, int], None] | None = None) -> Recording:
    """Open a recording; raises `BadInputError` if the file is not a recording or is empty.

    `report` is called with the number of bytes that were read, and that of all.
    """
    try:
        draft, done = _Draft(), 0
        for segment in read_segments(path, FRAME):
            if isinstance(segment, Cut):
                draft.problem = segment.reason
                break
            try:
                draft.take(segment)
            except BadInputError as error:
                draft.problem = f"it is damaged: {error}"
                break
            done += len(segment.stored)
            if report is not None:
                report(done, path.stat().st_size)
        return draft.finish(path)
    except BadInputError as error:
        raise BadInputError(f"{path}: {error}" if not str(error).startswith(str(path)) else str(error)) from None


def read_ending(path: Path) -> dict[str, Any] | None:
    """How a run ended, without reading its records; None if the file does not say."""
    for segment in read_segments(path, FRAME):
        if isinstance(segment, Segment) and segment.tag == END:
            try:
                return _json(segment)
            except BadInputError:
                return None
    return None


class _Draft:
    """Collects segments; each is added completely or not at all."""

    def __init__(self) -> None:
        self.meta: dict[str, Any] | None = None
        self.modules: list[dict[str, Any]] = []
        self.ending: dict[str, Any] | None = None
        self.problem = ""
        self.batches: list[Batch] = []
        self.next = FIRST_VALUE
        self.words: Any = np.empty(1 << 16, np.uint32)
        """Words so far, with a little room for more, so that they are in memory only once."""
        self.length = 0
        self.pieces: list[Piece] = []
        self.images: list[tuple[Any, Any, Any, Any]] = []

    def take(self, segment: Segment) -> None:
        """Add the content of a segment."""
        if self.meta is None and segment.tag != META:
            raise BadInputError("the recording does not begin with its facts")
        if segment.tag == META:
            self.meta = _json(segment)
        elif segment.tag == MODULE:
            self.modules.append(_json(segment))
        elif segment.tag == END:
            self.ending = _json(segment)
        elif segment.tag == VALUES:
            batch = read_batch(segment, self.next)
            self.batches.append(batch)
            self.next = batch.end
        elif segment.tag == IMAGES:
            self._images(segment.raw())
        else:
            self._tape(segment.raw())

    def _tape(self, raw: bytes) -> None:
        """Add the words of a `TAPE` segment."""
        if len(raw) < _TAPE_HEAD.size:
            raise BadInputError("a tape is too short")
        thread, count, own = _TAPE_HEAD.unpack_from(raw)
        start = _TAPE_HEAD.size + 4 * own
        if own > MOST_FREQUENT or len(raw) < start:
            raise BadInputError("a tape has more markers than it can have")
        if self.next < FORMER:
            raise BadInputError("a tape comes before the values that every recording has")
        markers = np.frombuffer(raw, "<u4", own, _TAPE_HEAD.size)
        if own and (int(markers.min()) == 0 or int(markers.max()) >= FIRST_VALUE):
            raise BadInputError("a tape has a marker that cannot be one")
        batch = self.batches[-1]
        words = read_words(memoryview(raw)[start:], count, batch, lambda: batch.columns().integers, markers)
        if count and int(words.max()) >= self.next:
            raise BadInputError("a tape names a value that does not exist")
        start, self.length = self.length, self.length + count
        if self.length > len(self.words):
            self.words.resize(max(self.length, len(self.words) * 9 // 8), refcheck=False)
        self.words[start : self.length] = words
        if self.pieces and self.pieces[-1].thread == thread:
            start = self.pieces.pop().start
        self.pieces.append(Piece(thread, start, self.length))

    def _images(self, raw: bytes) -> None:
        """Add the late images of a segment."""
        count = _IMAGES_HEAD.unpack_from(raw)[0] if len(raw) >= _IMAGES_HEAD.size else -1
        if len(raw) - _IMAGES_HEAD.size != 9 * count:
            raise BadInputError("images have the wrong length")
        kinds = np.frombuffer(raw, "u1", count, _IMAGES_HEAD.size)
        objects = np.frombuffer(raw, "<u4", count, _IMAGES_HEAD.size + count)
        contents = np.frombuffer(raw, "<u4", count, _IMAGES_HEAD.size + 5 * count)
        for column in (objects, contents):
            if count and (int(column.max()) >= self.next or int(column.min()) < FIRST_VALUE):
                raise BadInputError("an image names a value that does not exist")
        self.images.append((np.full(count, self.length, np.int64), kinds, objects, contents))

    def finish(self, path: Path) -> Recording:
        """The recording up to here."""
        if self.meta is None:
            raise BadInputError(f"the recording holds nothing; {self.problem or 'it is empty'}")
        problem = self.problem or ("" if self.ending is not None else "it does not say how the run ended")
        columns = list(zip(*self.images, strict=True)) or [(), (), (), ()]
        kinds = (np.int64, np.uint8, np.uint32, np.uint32)
        return Recording(
            path=path,
            meta=self.meta,
            modules=self.modules,
            ending=self.ending,
            problem=f"{path}: {problem}; {self.length} words were kept" if problem else "",
            words=self.words[: self.length],
            threads=self.pieces,
            images=LateImages(
                *(np.concatenate([*c, np.empty(0, kind)]) for c, kind in zip(columns, kinds, strict=True))
            ),
            values=Values(self.batches),
        )


def _json(segment: Segment) -> dict[str, Any]:
    try:
        document = json.loads(segment.raw())
    except (ValueError, RecursionError):
        raise BadInputError("a segment of JSON cannot be read") from None
    if not isinstance(document, dict):
        raise BadInputError("a segment of JSON is no object")
    return document
