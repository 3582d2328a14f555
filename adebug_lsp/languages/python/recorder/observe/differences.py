"""Snapshots of objects before a call, and the words that describe how they changed."""

from collections.abc import Iterator
from itertools import compress, count
from operator import is_, is_not
from typing import Any

from .arrays import content, is_array, last_content
from .images import (
    CALL_METHOD,
    IMAGE_ATTRS,
    IMAGE_BYTES,
    IMAGE_DEQUE,
    IMAGE_DICT,
    IMAGE_LIST,
    SET_ITEM,
    Marker,
    image,
    images_of,
)

Items = tuple[Any, ...]


class Whole:
    """A snapshot of a whole object."""

    __slots__ = ("before", "o")

    def __init__(self, o: object) -> None:
        self.o = o
        self.before = images_of(o)

    def write(self, tape: list[Any]) -> None:
        """Append the changes since the snapshot, by the identities of the object's parts."""
        for (marker, old), (_, new) in zip(self.before, images_of(self.o)):  # noqa: B905 - both have the same parts
            if not _same(marker, old, new):
                few = _few(marker, self.o, old, new)
                tape += (marker, self.o, new) if few is None or len(few) > 3 + len(new) else few


def _same(marker: Marker, old: Items, new: Items) -> bool:
    """Whether nothing has changed; bytearrays are compared by value, as their bytes are new objects each time."""
    return old == new if marker is IMAGE_BYTES else len(old) == len(new) and all(map(is_, old, new))


class Places:
    """A snapshot of some positions of a list, whose length can change by one."""

    __slots__ = ("before", "length", "o", "places")

    def __init__(self, o: list[Any], places: list[int]) -> None:
        self.o, self.places = o, places
        self.length = len(o)
        self.before = [o[index] for index in places]

    def write(self, tape: list[Any]) -> None:
        """Append the changes since the snapshot."""
        o, longer = self.o, len(self.o) - self.length
        if not -1 <= longer <= 1:
            image(tape, o)
            return
        if longer == 1:
            tape += (CALL_METHOD, o, "append", (o[-1],))
        elif longer == -1:
            tape += (CALL_METHOD, o, "pop", ())
        for index, old in zip(self.places, self.before):  # noqa: B905 - one list was made from the other
            if index < len(o) and o[index] is not old:
                tape += (SET_ITEM, o, index, o[index])


class Elements:
    """A snapshot of an array, which is read once: before this call, or after the last one that could change it."""

    __slots__ = ("before", "o")

    def __init__(self, o: object) -> None:
        self.o = o
        self.before = last_content(o)

    def write(self, tape: list[Any]) -> None:
        """Append an image if the elements have changed."""
        now = content(self.o)
        if now is not self.before:
            tape += (IMAGE_ATTRS, self.o, now)


Held = Whole | Places | Elements


def held_of(o: object) -> Held:
    """A snapshot of an object."""
    return Elements(o) if is_array(o) else Whole(o)


def _few(marker: Marker, o: Any, old: Items, new: Items) -> list[Any] | None:
    """The words of single writes that turn the old content into the new; None if that is not possible."""
    if marker is IMAGE_DICT:
        return _new_pairs(o, old, new)
    if marker is not IMAGE_LIST and marker is not IMAGE_DEQUE:
        return None
    single = [word for index in _different(old, new) for word in (SET_ITEM, o, index, new[index])]
    if len(old) == len(new):
        return single
    both = min(len(old), len(new))
    first = next(_different(old, new), both)
    last = min(next(_different(old[::-1], new[::-1]), both), both - first)
    middle = [SET_ITEM, o, slice(first, len(old) - last), new[first : len(new) - last]]
    single += (SET_ITEM, o, slice(both, len(old)), new[both:])
    return min((middle, single), key=lambda words: len(words) + len(words[-1]))


def _new_pairs(o: object, old: Items, new: Items) -> list[Any] | None:
    """The changed pairs of a mapping, if all keys are still present and of types that Python itself compares."""
    keys = new[::2]
    if len(new) < len(old) or not all(map(is_, old[::2], keys)) or {id(type(key)) for key in keys} - _PLAIN:
        return None
    places = [*_different(old[1::2], new[1::2]), *range(len(old) // 2, len(keys))]
    return [word for index in places for word in (SET_ITEM, o, keys[index], new[2 * index + 1])]


def _different(old: Items, new: Items) -> Iterator[int]:
    return compress(count(), map(is_not, old, new))


_PLAIN = frozenset(id(kind) for kind in (str, int, float, bool, bytes, type(None)))
