"""The fixed markers, and images: the content of mutable objects from which the write log starts.

Nothing here runs code of the user: contents are read through the methods of the builtin types and through the slots of
the objects themselves, and types are distinguished by identity, because a metaclass may define how classes compare.
"""

import collections
import types
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any

from .. import contract
from ..analysis.call_effects import Counter
from ..native.loader import accelerator
from . import arrays, attribute_reader, pandas_frames
from .classes import HEAP_TYPE, class_dict, flags, module_of, mro, qualname_of


class Marker:
    """The marker that starts a record."""

    __slots__ = ("detail", "native", "number")
    is_birth = False

    def __init__(self, number: int, *, shows: bool = False, safe: bool = False, detail: bool = False) -> None:
        self.number, self.detail = number, detail
        self.native: Any = None
        """Its native counterpart in recorded code, with the accelerator."""
        if accelerator is not None:
            self.native = accelerator.marker(self, number, shows, self.is_birth, safe, detail)


class Birth(Marker):
    """The marker of a starting `__init__`; the first value of the record is the object."""

    __slots__ = ()
    is_birth = True


def fixed(number: int) -> Marker:
    """A marker of the contract."""
    return Marker(number, shows=contract.MARKERS[number].shows)


IMAGE_LIST, IMAGE_DICT, IMAGE_SET = map(fixed, (contract.IMAGE_LIST, contract.IMAGE_DICT, contract.IMAGE_SET))
IMAGE_ATTRS, IMAGE_DEQUE, IMAGE_BYTES = map(fixed, (contract.IMAGE_ATTRS, contract.IMAGE_DEQUE, contract.IMAGE_BYTES))
SET_ITEM, DEL_ITEM = map(fixed, (contract.SET_ITEM, contract.DEL_ITEM))
SET_ATTR, DEL_ATTR = map(fixed, (contract.SET_ATTR, contract.DEL_ATTR))
CALL_METHOD, BORN = map(fixed, (contract.CALL_METHOD, contract.BORN))

MUTABLE = (list, dict, set, deque, bytearray, collections.defaultdict, collections.OrderedDict, Counter)
"""The mutable builtin types."""


def _items(o: dict[Any, Any]) -> tuple[Any, ...]:
    return tuple(chain.from_iterable(dict.items(o)))


_READERS: dict[type, tuple[Marker, Callable[[Any], tuple[Any, ...]]]] = {
    list: (IMAGE_LIST, tuple),
    **dict.fromkeys((dict, collections.defaultdict, Counter), (IMAGE_DICT, _items)),
    set: (IMAGE_SET, tuple),
    deque: (IMAGE_DEQUE, tuple),
    bytearray: (IMAGE_BYTES, lambda b: (bytes(b),)),
    collections.OrderedDict: (IMAGE_DICT, lambda d: tuple(chain.from_iterable(collections.OrderedDict.items(d)))),
}
READERS = {id(kind): reader for kind, reader in _READERS.items()}
"""Functions that take images, for exactly these types, by identity."""

_BASES = (list, dict, set, deque, bytearray)
_COPIES: dict[type, Any] = {
    list: list.copy,
    dict: lambda o: o,  # its items are read by the method of `dict` itself
    set: lambda o: set(set.__iter__(o)),
    deque: lambda o: tuple(deque.__iter__(o)),
    bytearray: bytearray.copy,
}


def attributes(o: object) -> tuple[Any, ...]:
    """Name, value, name, value...: the content of the object's own dictionary and slots."""
    peeked = attribute_reader.peeked(o) if attribute_reader.MATTERS else None
    if peeked is not None:
        return peeked
    pairs: list[Any] = []
    held = dictionary(o)
    if type(held) is types.MappingProxyType:
        pairs.extend(chain.from_iterable(list(held.items())))
    elif held is not None and dict in map(_plain, mro(type(held))):
        pairs.extend(_items(held))
    for cls in mro(type(o)):
        own = class_dict(cls)
        if "__slots__" in own:
            pairs.extend(_slots(o, own))
    return tuple(pairs)


def dictionary(o: object) -> Any:
    """The mapping that holds an object's attributes, or None."""
    for cls in mro(type(o)):
        read = dictionary_of(cls)
        if read is not None:
            return read(o)
    return None


def dictionary_of(cls: type) -> Callable[[Any], Any] | None:
    """The function that reads the dictionary of an object that has one because of this class.

    A `partial` gets a dictionary when it is requested, and is then no longer merged with other partials.
    """
    own = class_dict(cls)
    descriptor = own.get("__dict__")
    if type(descriptor) is not types.GetSetDescriptorType:
        return None
    apart = own.get("__reduce__")
    if type(apart) is types.MethodDescriptorType and module_of(cls) == "functools" and qualname_of(cls) == "partial":
        return lambda o: apart(o)[2][3]
    return descriptor.__get__


def class_entry(cls: type, name: str) -> object:
    """The first entry by a name in the namespaces of a class and its bases."""
    return next((own[name] for own in map(class_dict, mro(cls)) if name in own), None)


def data_descriptors(cls: type) -> Iterator[Any]:
    """Properties and data descriptors other than slots: they control writes of single attributes."""
    for own in map(class_dict, mro(cls)[:-1]):
        for held in own.values():
            if type(held) is property or (
                flags(type(held)) & HEAP_TYPE and class_entry(type(held), "__set__") is not None
            ):
                yield held


def setter_of(descriptor: object) -> object:
    """The setter function."""
    if type(descriptor) is property:
        return descriptor.fset if descriptor.fset is not None else descriptor.fget
    return class_entry(type(descriptor), "__set__")


def has_weak_references(o: object) -> bool:
    """Whether there can be weak references to an object."""
    return any("__weakref__" in class_dict(cls) for cls in mro(type(o)))


def _slots(o: object, own: Mapping[str, Any]) -> list[Any]:
    pairs: list[Any] = []
    for name, member in own.items():
        if type(member) is types.MemberDescriptorType:
            with suppress(AttributeError):  # an empty slot
                pairs.extend((name, member.__get__(o)))
    return pairs


def _plain(cls: type) -> type | None:
    """The class itself, if comparing it runs no user code."""
    return cls if type(cls) is type else None


def images_of(o: object) -> list[tuple[Marker, tuple[Any, ...]]]:
    """The images of a mutable object now: content, attributes or both, each with its marker."""
    kind = type(o)
    reader = READERS.get(id(kind))
    if reader is not None:
        return [(reader[0], reader[1](o))]
    if arrays.is_array(o):
        return [(IMAGE_ATTRS, arrays.content(o))]
    if pandas_frames.is_frame(o):
        return [(IMAGE_ATTRS, pandas_frames.content(o))]
    base = _base(kind)
    named = [(IMAGE_ATTRS, attributes(o))] if flags(kind) & HEAP_TYPE else []
    if base is None:
        return named
    marker, content = _READERS[base]
    return [(marker, content(_COPIES[base](o))), *named]


def _base(kind: type) -> type | None:
    """The mutable builtin type that a class derives from."""
    cached = _based.get(id(kind))
    if cached is None:
        bases = (base for base in _BASES if any(cls is base for cls in mro(kind)))
        cached = _based[id(kind)] = (kind, next(bases, None))
        if cached[1] is None and flags(kind) & HEAP_TYPE:
            _named.add(id(kind))
    return cached[1]


_based: dict[int, tuple[type, type | None]] = {}
"""Cache: the mutable builtin base of classes, by identity."""
_named: set[int] = set()
"""Classes, by identity, whose objects have only attributes."""


def forget() -> None:
    """Clear the caches of classes."""
    _based.clear()
    _named.clear()
    arrays.forget()
    pandas_frames.forget()
    attribute_reader.forget()


def image(tape: list[Any], o: object) -> None:
    """Append the images of a mutable object."""
    if id(type(o)) in _named:
        tape += (IMAGE_ATTRS, o, attributes(o))
        return
    for marker, content in images_of(o):
        tape += (marker, o, content)
