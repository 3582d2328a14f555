"""The frame of a recording file: a header, then segments, each with its length and checksum.

Reading never trusts a length: it is checked against the size of the file, and decompression is bounded by the
length of the segment and by a limit. A truncated file yields every segment before the cut.
"""

import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

from adebug_lsp.model.errors import BadInputError

HEADER = struct.Struct("<8sI")
SEGMENT = struct.Struct("<4sIQQ")
"""Tag, CRC-32 of tag, lengths and stored bytes, raw length, stored length."""

MOST_RAW = 1 << 33
"""Maximum size of an uncompressed segment in bytes; the recorder writes none that is larger."""
_MOST_RATIO = 1100
"""Maximum compression ratio; that of deflate is 1032."""


@frozen
class Segment:
    """One segment, still compressed."""

    tag: bytes
    raw_length: int
    stored: bytes

    def raw(self) -> bytes:
        """The content."""
        return self._decompress(self.raw_length)

    def beginning(self, length: int) -> bytes:
        """The first bytes of the content."""
        return self._decompress(min(length, self.raw_length))

    def _decompress(self, length: int) -> bytes:
        machine = zlib.decompressobj(-15)
        try:
            data = machine.decompress(self.stored, max(length, 1))
        except zlib.error as error:
            raise BadInputError(f"a segment cannot be decompressed: {error}") from None
        if len(data) < length or (length == self.raw_length and machine.decompress(machine.unconsumed_tail, 1)):
            raise BadInputError("a segment has another length than it says")
        return data[:length]


@frozen
class Cut:
    """The end of the readable part of a file, and the reason for it."""

    reason: str


@frozen
class Frame:
    """The header and tags of one file format."""

    magic: bytes
    version: int
    tags: frozenset[bytes]


def has_frame(path: Path, frame: Frame) -> bool:
    """Whether a file has the magic bytes of a format, in any version."""
    try:
        with path.open("rb") as file:
            return file.read(len(frame.magic)) == frame.magic
    except OSError:
        return False


def write_segments(path: Path, frame: Frame, segments: Iterable[tuple[bytes, bytes]]) -> None:
    """Write a file of segments: tags, each with its content."""
    with path.open("wb") as file:
        file.write(HEADER.pack(frame.magic, frame.version))
        for tag, raw in segments:
            machine = zlib.compressobj(1, zlib.DEFLATED, -15)
            stored = machine.compress(raw) + machine.flush()
            checksum = zlib.crc32(stored, zlib.crc32(tag + struct.pack("<QQ", len(raw), len(stored))))
            file.write(SEGMENT.pack(tag, checksum, len(raw), len(stored)) + stored)


def read_segments(path: Path, frame: Frame) -> Iterator[Segment | Cut]:
    """The complete segments of a file, in order; followed by a `Cut` if the file is truncated or damaged."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            check_header(file.read(HEADER.size), frame)
            offset = HEADER.size
            while offset < size:
                head = file.read(SEGMENT.size)
                if len(head) < SEGMENT.size:
                    yield Cut(f"it is cut short at byte {offset} of {size}")
                    return
                tag, checksum, raw, stored = SEGMENT.unpack(head)
                wrong = _wrong_head(tag in frame.tags, raw, stored, size - offset - SEGMENT.size)
                if wrong:
                    yield Cut(f"{wrong} at byte {offset} of {size}")
                    return
                data = file.read(stored)
                if zlib.crc32(data, zlib.crc32(head[:4] + head[8:])) != checksum:
                    yield Cut(f"it is damaged at byte {offset} of {size} (the checksum differs)")
                    return
                yield Segment(tag, raw, data)
                offset += SEGMENT.size + stored
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read: {error.strerror}") from error


def check_header(head: bytes, frame: Frame) -> None:
    """Raise an error for a file that is not a recording, or has an unsupported version."""
    if len(head) < HEADER.size or head[: len(frame.magic)] != frame.magic:
        raise BadInputError("this is not a recording of adebug")
    version = HEADER.unpack(head)[1]
    if version != frame.version:
        raise BadInputError(
            f"the recording was written as version {version}; this adebug reads version {frame.version}"
        )


def _wrong_head(known: bool, raw: int, stored: int, left: int) -> str:
    if not known:
        return "it is damaged: there is no such segment"
    if stored > left:
        return "it is cut short: the segment is not whole"
    if raw > min(MOST_RAW, _MOST_RATIO * stored + 64):
        return "it is damaged: a length is impossible"
    return ""
