"""Reads pandas frames and series as the arrays that they are made of, without running a property of any class.

Attributes are read from the instance's dictionary, and from descriptors made in C. A part that is stored in another way
is recorded as None.
"""

from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from .arrays import Array, is_array
from .arrays import size_of as bytes_of
from .classes import class_dict, module_of, mro, qualname_of

_HOMES = ("pandas", "pandas.core.frame", "pandas.core.series")
_INDEXERS = ("_LocIndexer", "_iLocIndexer", "_AtIndexer", "_iAtIndexer")
_SLOTS = (GetSetDescriptorType, MemberDescriptorType)
Held = Any
"""An attribute of an object of pandas, tested before it is used."""
_kinds: dict[int, tuple[type, str]] = {}
"""Cache: `frame`, `series` or nothing, by the identity of a class."""


def kind_of(cls: type) -> str:
    """Whether the objects of a class are frames or series."""
    cached = _kinds.get(id(cls))
    if cached is None:
        names = {"DataFrame": "frame", "Series": "series"}
        kinds = (names.get(qualname_of(base)) for base in mro(cls) if module_of(base) in _HOMES)
        cached = _kinds[id(cls)] = (cls, next(filter(None, kinds), ""))
    return cached[1]


def is_frame(o: object) -> bool:
    """Whether an object is a frame or a series."""
    return bool(kind_of(type(o)))


def indexed(o: object) -> tuple[Any, ...]:
    """The frame or series that an object such as its `loc`, `iloc`, `at` or `iat` writes to."""
    cls = type(o)
    return (_held(o, "obj"),) if module_of(cls) == "pandas.core.indexing" and qualname_of(cls) in _INDEXERS else ()


def size_of(o: object) -> int:
    """The bytes of the arrays in a frame or a series."""
    blocks = _held(_held(o, "_mgr"), "blocks")
    arrays = [_held(block, "values") for block in blocks] if type(blocks) in (tuple, list) else []
    return sum(map(bytes_of, arrays))


def forget() -> None:
    """Drop the references to classes of the program."""
    _kinds.clear()


def content(o: object) -> tuple[Any, ...]:
    """Name, value, name, value...: the labels, and the blocks with the places of their columns."""
    manager = _held(o, "_mgr")
    axes, blocks = _held(manager, "axes"), _held(manager, "blocks")
    if type(axes) is not list or type(blocks) not in (tuple, list):
        return ()
    held = tuple((_held(_held(block, "_mgr_locs"), "indexer"), _array(_held(block, "values"))) for block in blocks)
    if kind_of(type(o)) == "series":
        return ("index", _labels(axes[-1]), "name", _held(o, "_name"), "blocks", held)
    return ("index", _labels(axes[-1]), "columns", _labels(axes[0]), "blocks", held)


def _labels(index: object) -> Array | range | None:
    """The labels of an index: an array or a range."""
    spread = _held(index, "_range")
    return spread if type(spread) is range else _array(_held(index, "_data"))


def _array(values: object) -> Array | None:
    """The array in a column; for categories the array of their codes and the labels."""
    if is_array(values):
        return values
    inner = _held(values, "_ndarray")
    if not is_array(inner):
        return None
    if qualname_of(type(values)) == "Categorical":
        return (inner, _labels(_held(_held(values, "_dtype"), "_categories")))
    return inner


def _held(o: object, name: str) -> Held:
    """An attribute in a C slot, or in the dictionary of the instance; None if there is none."""
    for cls in mro(type(o)):
        own = class_dict(cls)
        for wanted in (name, "__dict__"):
            if type(own.get(wanted)) in _SLOTS:
                try:
                    value = own[wanted].__get__(o)
                except (AttributeError, TypeError, ValueError):
                    return None
                if wanted == name:
                    return value
                if type(value) is dict and name in value:
                    return value[name]
    return None
