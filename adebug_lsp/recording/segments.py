"""The frame of a recording file: a header, then segments, each with its length and checksum.

Reading never trusts a length: it is held against the size of the file, and what is decompressed is bounded by what the
segment says and by a limit of its own. A file that was cut gives every segment before the cut.
"""

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from adebug_lsp.model.errors import BadInputError

MAGIC = b"ADEBUGRC"
VERSION = 2
HEADER = struct.Struct("<8sI")
SEGMENT = struct.Struct("<4sIQQ")
"""Tag, CRC-32 of tag, lengths and stored bytes, raw length, stored length."""

META, MODULE, VALUES, TAPE, IMAGES, END = b"META", b"MODL", b"VALS", b"TAPE", b"IMGS", b"END."
TAGS = frozenset((META, MODULE, VALUES, TAPE, IMAGES, END))
MOST_RAW = 1 << 30
_MOST_RATIO = 1100
"""Deflate makes nothing more than 1032 times smaller."""


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
            found = machine.decompress(self.stored, max(length, 1))
        except zlib.error as error:
            raise BadInputError(f"a segment cannot be decompressed: {error}") from None
        if len(found) < length or (length == self.raw_length and machine.decompress(machine.unconsumed_tail, 1)):
            raise BadInputError("a segment has another length than it says")
        return found[:length]


@frozen
class Cut:
    """Where reading had to stop, and why."""

    reason: str


def read_segments(path: Path) -> Iterator[Segment | Cut]:
    """The whole segments of a file, in order; a last `Cut` where something is wrong."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            check_header(file.read(HEADER.size))
            at = HEADER.size
            while at < size:
                head = file.read(SEGMENT.size)
                if len(head) < SEGMENT.size:
                    yield Cut(f"it is cut short at byte {at} of {size}")
                    return
                tag, checksum, raw, stored = SEGMENT.unpack(head)
                wrong = _wrong_head(tag, raw, stored, size - at - SEGMENT.size)
                if wrong:
                    yield Cut(f"{wrong} at byte {at} of {size}")
                    return
                data = file.read(stored)
                if zlib.crc32(data, zlib.crc32(head[:4] + head[8:])) != checksum:
                    yield Cut(f"it is damaged at byte {at} of {size} (the checksum differs)")
                    return
                yield Segment(tag, raw, data)
                at += SEGMENT.size + stored
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read: {error.strerror}") from error


def check_header(head: bytes) -> None:
    """Refuse what is not a recording, or one that this adebug cannot read."""
    if len(head) < HEADER.size or head[: len(MAGIC)] != MAGIC:
        raise BadInputError("this is not a recording of adebug")
    version = HEADER.unpack(head)[1]
    if version != VERSION:
        raise BadInputError(f"the recording was written as version {version}; this adebug reads version {VERSION}")


def _wrong_head(tag: bytes, raw: int, stored: int, left: int) -> str:
    if tag not in TAGS:
        return "it is damaged: there is no such segment"
    if stored > left:
        return "it is cut short: the segment is not whole"
    if raw > min(MOST_RAW, _MOST_RATIO * stored + 64):
        return "it is damaged: a length is impossible"
    return ""
