"""The elements of recorded numpy arrays: shape, type, and all of them or a head and a tail."""

import struct
import zlib
from collections.abc import Iterator
from math import prod

import numpy as np
from attrs import frozen

from adebug_lsp.languages.python.reading.heap.object_states import State
from adebug_lsp.languages.python.reading.marker_index import Array
from adebug_lsp.languages.python.reading.recorded_values import Values

Index = tuple[int, ...]
_PLAIN = "biufcSU?"
"""Kinds of elements that have a plain text (`numpy.dtype.kind`)."""


@frozen(eq=False)
class Elements:
    """The recorded elements of an array at one moment, in C order."""

    shape: tuple[int, ...]
    type: str
    head: Array
    tail: Array
    """The last elements of an array that is not recorded whole."""
    objects: tuple[int, ...]
    """For an array of objects, the numbers of the first items."""
    exact: bool
    """Whether comparisons cover all elements: they are recorded, or their checksum is."""

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    def is_known(self, offset: int) -> bool:
        """Whether the element at an offset is recorded."""
        return offset < max(len(self.head), len(self.objects)) or self.size - len(self.tail) <= offset < self.size

    def text(self, offset: int) -> str:
        """An element as text."""
        is_head = offset < len(self.head)
        element = self.head[offset] if is_head else self.tail[offset - self.size + len(self.tail)]
        return _element_text(element)

    def differing(self, other: "Elements") -> Iterator[Index]:
        """The indices at which two arrays of the same shape differ, among the elements recorded of both."""
        if self.shape != other.shape or self.head.dtype != other.head.dtype:
            return
        for left, right, first in ((self.head, other.head, 0), (self.tail, other.tail, self.size - len(self.tail))):
            count = min(len(left), len(right))
            same = left[:count] == right[:count]
            if left.dtype.kind in "fc":
                same |= np.isnan(left[:count]) & np.isnan(right[:count])
            for offset in np.flatnonzero(~same).tolist():
                yield self.index(first + offset)

    def index(self, offset: int) -> Index:
        """The index of the element at an offset."""
        indices: list[int] = []
        for length in reversed(self.shape):
            offset, last = divmod(offset, length)
            indices.insert(0, last)
        return tuple(indices)

    def offset(self, index: Index) -> int:
        """The offset of the element at an index."""
        flat = 0
        for length, at in zip(self.shape, index, strict=True):
            flat = flat * length + at
        return flat


def read_elements(values: Values, state: State) -> Elements | None:
    """The elements of an array in a state; None if nothing can be read from it."""
    names = dict(state.attributes)
    try:
        shape = tuple(int(values.atom(item)) for item in values.items(names["shape"]))
        kind = _element_type(values, names["dtype"])
        objects = values.items(names["items"]) if "items" in names else ()
        first, last = (values.atom(names[name]) if name in names else b"" for name in ("head", "tail"))
        whole = values.atom(names["data"]) if "data" in names else first
        pieces = [_read(piece, kind, at_end) for piece, at_end in ((whole, False), (last, True))]
    except (KeyError, ValueError, TypeError):
        return None
    objects = tuple(number for number in objects if values.atom(number) is not ...)
    size = prod(shape)
    if min(shape, default=0) < 0 or ("data" in names and len(pieces[0]) != size) or len(objects) > size:
        return None
    exact = "data" in names or "checksum" in names or len(objects) == size
    return Elements(shape, _type_text(kind), pieces[0], pieces[1], objects, exact)


def checksum(values: Values, state: State) -> bytes:
    """The checksum of an array's elements, computed or recorded; empty if neither is possible."""
    names = dict(state.attributes)
    data, taken = (values.atom(names[name]) if name in names else None for name in ("data", "checksum"))
    if isinstance(data, bytes):
        return struct.pack("<II", zlib.crc32(data), zlib.adler32(data))
    return taken if isinstance(taken, bytes) else b""


def is_exact(values: Values, state: State) -> bool:
    """Whether equal states of an array mean equal elements."""
    elements = read_elements(values, state)
    return elements is not None and elements.exact


def _element_type(values: Values, number: int) -> "np.dtype[np.generic]":
    """The numpy type that a description stands for."""
    code = values.atom(number)
    if isinstance(code, str):
        return np.dtype(code)
    fields, size = values.items(number)
    names, formats, offsets = zip(*map(values.items, values.items(fields)), strict=True)
    return np.dtype(
        {
            "names": list(map(values.atom, names)),
            "formats": [_element_type(values, part) for part in formats],
            "offsets": list(map(values.atom, offsets)),
            "itemsize": values.atom(size),
        }
    )


def _read(piece: object, kind: "np.dtype[np.generic]", at_end: bool) -> Array:
    """The whole elements in some bytes, which may begin or end inside one."""
    if not isinstance(piece, bytes) or kind.hasobject or not kind.itemsize:
        return np.zeros(0, np.uint8)
    count = len(piece) // kind.itemsize
    return np.frombuffer(piece, kind, count, len(piece) - count * kind.itemsize if at_end else 0)


def _type_text(kind: "np.dtype[np.generic]") -> str:
    if kind.names is not None:
        return f"fields {', '.join(kind.names)}"
    return "object" if kind.hasobject else str(kind)


def _element_text(element: np.generic) -> str:
    if element.dtype.kind in "SU" or element.dtype.names is not None:
        return repr(element.item())
    return str(element) if element.dtype.kind in _PLAIN else f"'{element}'"
