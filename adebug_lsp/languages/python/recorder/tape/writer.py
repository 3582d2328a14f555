"""Writes the tapes of a recording to a file, segment by segment, while the program runs.

Each flush writes the new values, the words of a tape, and late images of objects that no record has shown yet.
An object keeps its number as long as the program can reach it. The format is in `docs/reference/recording.md`.
"""

import gc
import json
import struct
import sys
import weakref
import zlib
from _thread import allocate_lock, get_ident
from array import array
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from os import PathLike
from types import CellType, MethodType
from typing import TYPE_CHECKING, Any

from ..contract import (
    END,
    FIRST_VALUE,
    HEADER_FORMAT,
    IMAGES,
    MAGIC,
    META,
    MODULE,
    MOST_RAW,
    OBJECT,
    OPAQUE,
    PREDEFINED,
    SEGMENT_FORMAT,
    TAPE,
    TYPE,
    VALUES,
    VERSION,
)
from ..native.loader import accelerator
from ..observe.arrays import LARGE, size_of
from ..observe.object_inspector import Inspector, StandIn
from ..observe.pandas_frames import is_frame
from .batch import Batch, Full, Inspectors, Tape, packed
from .numbering import Numbering, Registry, new_numbering
from .stand_ins import StandIns

if TYPE_CHECKING:
    from ..native._accelerator import NativeTape

HEADER = struct.Struct(HEADER_FORMAT)
SEGMENT = struct.Struct(SEGMENT_FORMAT)

_SLICE = 1 << 13
"""Number of words sorted at a time; with their objects, they should fit into the processor's cache."""
_BLOCK = 1 << 18
"""Maximum number of words in one segment."""
_MOST_BYTES = 1 << 33
"""Maximum size of a file, so that no program fills the disk."""
_MOST_IMAGES = 100_000
_FOREIGN_DEPTH = 2
_FIRST_LOOK = 10_000
_RECENT = 200
"""Number of older objects searched after each flush for those that lead to an object whose end can be noticed."""
_FIRST_SEARCH = 50_000
_PIECE, _SMALL, _SAMPLE = 1 << 16, 1 << 12, 1 << 10
_WORTH = 0.15
"""A piece is compressed if a sample shrinks to less than this; above it, each saved byte costs 10 ns or more."""
_MIXED = 96
"""Distinct bytes in half a sample, above which compression is not tried: floats or texts."""
Written = Callable[[Container[int], Iterable[int]], object]


class Writer:
    """Writes one recording. Several threads may flush their tapes, one at a time."""

    def __init__(
        self,
        path: str | PathLike[str],
        meta: dict[str, Any],
        is_user_code: Callable[[str], bool] = lambda _module: True,
        forget: Callable[[int], object] = bool,
    ) -> None:
        self._file = open(path, "wb")  # noqa: SIM115 - closed by `close`
        self._file.write(HEADER.pack(MAGIC, VERSION))
        self.size = HEADER.size
        self._inspectors = Inspectors(is_user_code)
        self._numbering = new_numbering()
        self._next = FIRST_VALUE
        self.stand_ins = StandIns(self._inspectors, forget)
        self._live = _Live(self._numbering, self._inspectors.large, self.stand_ins.living)
        self._inspectors.held, self._inspectors.plain = self.stand_ins.held, self.stand_ins.plain
        self._lock = allocate_lock()
        self._owner: int | None = None
        self._waiting: list[tuple[int, Any]] = []
        self._json(META, meta)
        self._permanent()
        self.flush()

    @property
    def numbers(self) -> Registry:
        """The values that have a number."""
        return self._live.numbers

    def module(self, static: dict[str, Any]) -> None:
        """Write the static facts of a module, before any record that uses its markers is written."""
        if self._owner == get_ident():  # imported by a finaliser, or by the writer itself
            self._json(MODULE, static)
            return
        with self._lock:
            self._json(MODULE, static)

    def write_tape(
        self,
        thread: int,
        chunk: "list[Any] | NativeTape",
        written: Written = lambda _alive, _dead: None,
        start: int = 0,
    ) -> int:
        """Write the records of a list from an index on, or a native tape; returns the written length.

        `written` is called with the identities of the objects that are kept alive and of those that are released.
        A finaliser that runs meanwhile may append to the same list, or flush as well: its records wait.
        """
        length = len(chunk)
        me = get_ident()
        if self._owner == me:
            self._waiting.append((thread, chunk[start:length] if isinstance(chunk, list) else chunk))
            return length
        with self._lock, _without_collections():
            self._owner = me
            try:
                dead = self._live.take_dead()  # freed when this returns
                self._write_tape(thread, chunk, start, length)
                while self._waiting:
                    thread, waited = self._waiting.pop(0)
                    self._write_tape(thread, waited, 0, len(waited))
                dead += self._live.replace_by_stand_ins(self.stand_ins)
                written(self._live.numbers, map(id, dead))
            finally:
                self._owner = None
        if _OLDEST_FIRST:
            dead.reverse()  # a list releases its last item first
        del dead
        return length

    def look_again(self) -> None:
        """Let the next flush search all objects for unreferenced ones, unless that takes too long."""
        if self._live.next_look <= _FIRST_LOOK:
            self._live.next_look = 0

    def release_large(self) -> list[int]:
        """Release large buffers that nothing else refers to; returns their identities."""
        with self._lock:
            return self._live.release_large()

    def flush(self) -> None:
        """Hand everything to the operating system."""
        self._file.flush()

    def close(self, ending: dict[str, Any]) -> None:
        """Write how the run ended, and close the file."""
        with self._lock:
            self._json(END, ending)
            self._file.close()

    def _batch(self) -> Batch:
        return Batch(self._inspectors, self._numbering, self._live.numbers, self._live.far, self._next)

    def _permanent(self) -> None:
        """Number the values that Python keeps forever, once."""
        batch = self._batch()
        batch.add(list(PREDEFINED))
        self._write_values(batch, batch.finish()[0])

    def _write_tape(self, thread: int, chunk: "list[Any] | NativeTape", begin: int, end: int) -> None:
        """Write words block by block, or a native tape at once; then late images of objects that were not shown."""
        if self.size > _MOST_BYTES:
            raise Full(f"it has {_MOST_BYTES >> 30} GB; the program goes on without it")
        self._numbering.check_metaclasses()
        new: list[Any] = []
        shown: list[Any] = []
        born: list[Any] = []
        listed = isinstance(chunk, list)
        block = _BLOCK if listed else max(end - begin, 1)
        for start in range(begin, end, block):
            stop = min(start + block, end)
            batch = self._batch()
            tape = Tape(self._numbering, batch)
            if isinstance(chunk, list):
                for first in range(start, stop, _SLICE):
                    tape.add(chunk, first, min(first + _SLICE, stop))
            else:
                tape.add_native(chunk)
            values, words = batch.finish(tape.words)
            self._write_values(batch, values)
            own = self._numbering.own if listed else accelerator.own()
            self._segment(TAPE, [struct.pack("<QQI", thread, stop - start, len(own)), packed("I", own), *words])
            self._live.add(batch.forget())
            if listed:
                self._numbering.promote_frequent(tape.words.markers)
            new += batch.owners[OBJECT] + batch.again
            shown += tape.shown
            born += tape.born
        unshown = self._numbering.unshown(new, shown, born, self._inspectors)
        self._late_images(self.stand_ins.not_born(unshown, born))
        self.stand_ins.flushed(self._live.numbers)
        self.flush()

    def _write_values(self, batch: Batch, content: list[bytes]) -> None:
        """Write the values of a batch; its objects are remembered."""
        self._next = batch.next
        for kind in (OBJECT, OPAQUE, TYPE):
            self._live.add(batch.owners[kind])
        if batch.next > batch.first:
            self._segment(VALUES, content)

    def _late_images(self, objects: list[Any]) -> None:
        """Take images of objects that no record has shown, and of those reachable from them."""
        if not objects:
            return
        images = _Images(self._batch(), self._inspectors)
        images.look(objects)
        self._write_values(images.batch, images.batch.finish()[0])
        both = (images.objects, images.contents)
        objects_of, contents_of = (packed("I", array("I", images.batch.look_up(some))) for some in both)
        self._live.add(images.batch.forget())
        self._live.leave(images.left_out)
        self._segment(IMAGES, [struct.pack("<Q", len(images.kinds)), bytes(images.kinds), objects_of, contents_of])

    def _json(self, tag: bytes, content: dict[str, Any]) -> None:
        self._segment(tag, [json.dumps(content).encode("ascii")])

    def _segment(self, tag: bytes, columns: list[bytes]) -> None:
        """Write one segment, compressed; raises `Full` if it is too large."""
        raw = b"".join(columns)
        if len(raw) > MOST_RAW:
            raise Full(f"some values take more than {MOST_RAW >> 30} GB; the program goes on without it")
        stored = _deflated(raw)
        length = sum(map(len, stored))
        lengths = struct.pack("<QQ", len(raw), length)
        checksum = zlib.crc32(tag + lengths)
        for piece in stored:
            checksum = zlib.crc32(piece, checksum)
        self._file.write(tag + struct.pack("<I", checksum) + lengths)
        self._file.writelines(stored)
        self.size += SEGMENT.size + length


@contextmanager
def _without_collections() -> Iterator[None]:
    """Pause the garbage collector, which would traverse everything on the tape repeatedly and find nothing."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _deflated(raw: bytes) -> list[bytes | memoryview]:
    """Compress to one deflate stream, in which pieces that would hardly shrink are stored uncompressed."""
    blocks: list[bytes | memoryview] = []
    view = memoryview(raw)
    offset = 0
    while offset < len(raw):
        level, end = _level(view, offset), offset + _PIECE
        while end < len(raw) and _level(view, end) == level:
            end += _PIECE
        if level:
            machine = zlib.compressobj(level, zlib.DEFLATED, -15)
            blocks += (machine.compress(view[offset:end]), machine.flush(zlib.Z_FULL_FLUSH))
        else:
            blocks += _as_it_is(view[offset:end])
        offset = end
    blocks.append(_LAST)
    return blocks


def _as_it_is(view: memoryview) -> Iterator[bytes | memoryview]:
    """Stored deflate blocks, written without zlib, which would take as long as writing them."""
    for offset in range(0, len(view), _MOST_IN_BLOCK):
        block = view[offset : offset + _MOST_IN_BLOCK]
        yield struct.pack("<BHH", 0, len(block), len(block) ^ _MOST_IN_BLOCK)
        yield block


def _level(view: memoryview, offset: int) -> int:
    """The compression level for the piece at an offset."""
    if len(view) - offset <= _SMALL:
        return 1
    middle = (offset + min(offset + _PIECE, len(view)) - _SAMPLE) // 2
    sample = view[middle : middle + _SAMPLE]
    if 256 - len(_EVERY_BYTE.translate(None, bytes(sample[: _SAMPLE // 2]))) > _MIXED:
        return 0
    return int(len(zlib.compress(sample, 1)) < _WORTH * _SAMPLE)


_EVERY_BYTE = bytes(range(256))
_MOST_IN_BLOCK = (1 << 16) - 1
_LAST = zlib.compressobj(1, zlib.DEFLATED, -15).flush()
"""An empty final deflate block."""


class _Images:
    """Takes late images of objects and of those reachable from them: user objects to any depth, others nearby."""

    def __init__(self, batch: Batch, inspectors: Inspectors) -> None:
        self.batch = batch
        self.inspectors = inspectors
        self.kinds = bytearray()
        self.objects: list[Any] = []
        self.contents: list[tuple[Any, ...]] = []
        self.left_out: list[Any] = []

    def look(self, todo: list[Any]) -> None:
        """Take the images of these objects and of those reachable from them."""
        rings = {_FOREIGN_DEPTH: todo}
        while rings:
            depth = max(rings)
            near: list[tuple[Any, ...]] = []
            far: list[tuple[Any, ...]] = []
            for group in _by_class(rings.pop(depth)):
                inspector = self.inspectors.of(type(group[0]))
                if type(group[0]) is StandIn:
                    self._take_described(group, near)
                    continue
                passes = inspector.is_user_class or inspector.container or inspector.frame
                room = max(0, _MOST_IMAGES - len(self.objects)) if passes or depth else 0
                self.left_out += group[room:]
                self._take(inspector, group[:room], near if passes else far)
            for ring, contents in ((depth, near), (depth - 1, far)):
                new = self._new_objects(contents)
                if new:
                    rings.setdefault(ring, []).extend(new)

    def _take(self, inspector: Inspector, group: list[Any], contents: list[tuple[Any, ...]]) -> None:
        """Take the images of objects of one class; one by one if another thread changes them meanwhile."""
        try:
            images = list(inspector.contents(group))
        except RuntimeError:  # another thread is changing one of them concurrently
            if len(group) == 1:
                self.left_out += group
            else:
                for o in group:
                    self._take(inspector, [o], contents)
            return
        for kind, held in images:
            self.kinds += bytes([kind]) * len(group)
            self.objects += group
            self.contents += held
            contents += held

    def _take_described(self, group: list[StandIn], contents: list[tuple[Any, ...]]) -> None:
        """Take the images of objects with stand-ins: as they are now or, if they have ended, as they were first."""
        for stand_in in group:
            o = stand_in.reference() if stand_in.reference is not None else None
            images = stand_in.content
            if o is not None:
                with suppress(RuntimeError):  # another thread is changing it concurrently
                    images = [
                        (kind, held) for kind, every in self.inspectors.of(type(o)).contents([o]) for held in every
                    ]
            for kind, held in images:
                self.kinds.append(kind)
                self.objects.append(stand_in)
                self.contents.append(held)
                contents.append(held)

    def _new_objects(self, contents: list[tuple[Any, ...]]) -> list[Any]:
        before, again = len(self.batch.owners[OBJECT]), len(self.batch.again)
        self.batch.add(contents)
        return self.batch.owners[OBJECT][before:] + self.batch.again[again:]


def _by_class(objects: list[Any]) -> list[list[Any]]:
    classes = list(map(id, map(type, objects)))
    groups: dict[int, list[Any]] = {i: [] for i in dict.fromkeys(classes)}
    for i, o in zip(classes, objects):  # noqa: B905 - both come from one list
        groups[i].append(o)
    return list(groups.values())


class _Live:
    """The numbered objects that something other than this registry can reach."""

    def __init__(self, numbering: Numbering, large: set[int], stand_ins: Container[int]) -> None:
        self.numbers = numbering.registry()
        self._classes = large
        """Classes whose objects can be large buffers."""
        self._large: dict[int, Any] = {}
        self._stand_ins = stand_ins
        """The identities of objects that the recorder itself has a weak reference to."""
        self.far: dict[int, int] = {}
        """Numbers of objects that were too deep to inspect, until a tape names them."""
        self._numbering = numbering
        self._young: list[Any] = []
        self._old: dict[int, Any] = {}
        self.next_look = _FIRST_LOOK
        self._next_search = _FIRST_SEARCH

    def add(self, objects: list[Any]) -> None:
        """Add objects that already have numbers."""
        if self._classes and not self._classes.isdisjoint(map(id, map(type, objects))):
            buffers = [o for o in objects if id(type(o)) in self._classes and (size_of(o) >= LARGE or is_frame(o))]
            self._large.update(zip(map(id, buffers), buffers))  # noqa: B905 - both are the same list
            objects = [o for o in objects if id(o) not in self._large]
        self._young += objects

    def replace_by_stand_ins(self, stand_ins: StandIns) -> list[Any]:
        """Replace young objects by their stand-ins if their end can be noticed because of what they refer to, or what
        refers to them.

        Returns containers that lead to such objects; they are forgotten, and their next record gives them a new number.
        """
        recent = list(islice(reversed(self._old.values()), _RECENT)) if stand_ins.has_new() else []
        learned, leading = stand_ins.learn(self._young + recent)
        del recent
        if learned:
            self._young = [self._replaced(o, stand_ins) if id(type(o)) in learned else o for o in self._young]
            for o in [o for o in self._old.values() if id(type(o)) in learned]:
                held = self._replaced(o, stand_ins)
                del self._old[id(o)]
                self._old[id(held)] = held
        if leading:
            gone = set(map(id, leading))
            self._young = [o for o in self._young if id(o) not in gone]
            for i in gone:
                self._old.pop(i, None)
            self._forget(leading)
        return leading

    def _replaced(self, o: Any, stand_ins: StandIns) -> Any:
        held = stand_ins.of(o)
        if held is not o and id(o) in self.numbers:
            if id(held) not in self.numbers:
                self.numbers[id(held)] = self.numbers[id(o)]
            del self.numbers[id(o)]
        return held

    def release_large(self) -> list[int]:
        """Forget the large buffers that only this registry still refers to, and free them."""
        gone: list[int] = []
        while unused := _alone(self._large):  # a frame holds arrays
            self._forget([self._large[i] for i in unused])
            for i in unused:
                del self._large[i]
            gone += unused
        return gone

    def leave(self, objects: list[Any]) -> None:
        """Note objects that are too deep to inspect."""
        for i in map(id, objects):
            if i in self.numbers:
                self.far[i] = self.numbers[i]
                del self.numbers[i]

    def take_dead(self) -> list[Any]:
        """Forget the objects that only this registry still refers to; they are freed with the returned list.

        Objects of the last flush are checked now, older ones whenever their number has doubled, so that the work is
        proportional to the number of objects. Cycles are harder to find, and searched for less often.
        """
        dead, alive = self._numbering.alone(self._young)
        self._young = []
        self._old.update(zip(map(id, alive), alive))  # noqa: B905 - both come from one list
        del alive
        if len(self._old) > self.next_look:
            dead += map(self._old.pop, _alone(self._old))
            self.next_look = max(_FIRST_LOOK, 2 * len(self._old))
        if len(self._old) > self._next_search:
            dead += map(self._old.pop, _in_dead_cycles(self._old, self._stand_ins))
            self._next_search = max(_FIRST_SEARCH, 4 * len(self._old))
        self._forget(dead)
        return dead

    def _forget(self, dead: list[Any]) -> None:
        for i in self.far.keys() & set(map(id, dead)) if self.far else ():
            self.numbers[i] = self.far.pop(i)
        self._numbering.forget(dead, self.numbers)


def _references(objects: dict[int, Any]) -> list[int]:
    return list(map(sys.getrefcount, objects.values()))


_OLDEST_FIRST = sys.version_info < (3, 14)
"""Whether a frame that ends releases its first variables first; since 3.14 it starts with the last."""

_ALONE = _references({0: object()})[0]
"""`sys.getrefcount` of an object that only one dictionary refers to; it depends on the version of CPython."""


def _alone(objects: dict[int, Any]) -> list[int]:
    return [i for i, references in zip(objects, _references(objects)) if references <= _ALONE]  # noqa: B905


def _in_dead_cycles(objects: dict[int, Any], stand_ins: Container[int]) -> list[int]:
    """The objects that only refer to each other, found as the garbage collector finds them.

    References among them are subtracted; an object with references left is alive, and so is everything that it reaches.
    """
    nodes = dict(objects)
    ring = objects
    for _ in range(_STEPS_BETWEEN):
        ring = {id(o): o for o in _referents(ring) if id(type(o)) in _BETWEEN and id(o) not in nodes}
        nodes.update(ring)
    held = _referents(nodes)
    if len(held) > _MOST_REFERENCES:
        return []
    inner = Counter(filter(nodes.__contains__, map(id, held)))
    # An object is referenced from `nodes`, perhaps from `objects`, and once more from `held` for each reference to it.
    live = {
        i: o
        for (i, o), references in zip(nodes.items(), _references(nodes))  # noqa: B905
        if references > _ALONE + (i in objects) + 2 * inner[i] or weakref.getweakrefcount(o) > (i in stand_ins)
    }
    del held
    reached = live
    while reached:
        reached = {id(o): o for o in gc.get_referents(*reached.values()) if id(o) in nodes and id(o) not in live}
        live.update(reached)
    return [i for i in objects if i not in live]


def _referents(objects: dict[int, Any]) -> list[Any]:
    """The referents of objects, up to a limit."""
    referents: list[Any] = []
    every = iter(objects.values())
    while len(referents) <= _MOST_REFERENCES:
        group = list(islice(every, 1000))
        if not group:
            break
        referents += gc.get_referents(*group)
    return referents


_BETWEEN = frozenset(map(id, (dict, list, tuple, set, CellType, MethodType)))
"""Types whose unnumbered objects connect the objects of a cycle."""
_STEPS_BETWEEN = 3
_MOST_REFERENCES = 4_000_000
