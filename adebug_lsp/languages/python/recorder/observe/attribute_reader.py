"""Reads the attributes of an object without asking it for its dictionary.

CPython 3.11 and 3.12 keep attributes in the object itself until its dictionary is requested; from then on every
attribute access is slow. So attributes are read by the names that recorded code writes, and `gc.get_referents`, which
returns everything that an object holds, confirms that none is missing.
"""

import gc
import sys
from collections.abc import Callable
from itertools import chain
from operator import attrgetter, is_
from typing import Any

from ..native.loader import accelerator

MATTERS = (3, 11) <= sys.version_info < (3, 13)
_MOST_SEARCHES = 8
"""Searches per class; objects whose attributes vary are not worth more."""
_names: set[str] = set()
"""Names of the attributes that recorded code writes."""
_NOTHING: Any = object()
_get = object.__getattribute__
_mro = type.__dict__["__mro__"].__get__
_class_dict = type.__dict__["__dict__"].__get__


class Shape:
    """The attributes that the last object of a class had; valid while the class does not change."""

    __slots__ = ("bases", "cls", "hopeless", "names", "own", "read", "searches", "sizes")

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.bases = _mro(cls) or ()
        self.own = list(map(_class_dict, self.bases))
        self.sizes = list(map(len, self.own))
        self.searches = 0
        self.hopeless = False
        """Whether to stop trying, and request the dictionaries of these objects."""
        self.names: tuple[str, ...] = ()
        self.read: Callable[[Any], tuple[Any, ...]] = tuple
        """Returns the values by these names."""

    def holds(self) -> bool:
        """Whether the class is unchanged; a new descriptor would run code."""
        return self.bases is _mro(self.cls) and self.sizes == list(map(len, self.own))

    def learn(self, names: tuple[str, ...]) -> None:
        """Remember the names of all attributes of an object; the class itself has none of these names."""
        self.names = names
        asked = any(name in own for own in self.own[:-1] for name in ("__getattribute__", "__getattr__"))
        if asked or len(names) < 2:
            self.read = lambda o: tuple([_get(o, name) for name in names])
        else:
            self.read = attrgetter(*names)


_shapes: dict[int, Shape] = {}
"""Shapes by the identity of the class."""


def learn(facts: dict[str, Any]) -> None:
    """Add the attribute names of newly instrumented code."""
    for marker in facts["markers"]:
        _names.update(write[1] for write in marker.get("writes", ()) if write[0] == "set_attr")


def forget() -> None:
    """Clear the cache."""
    _shapes.clear()


def peeked(o: object) -> tuple[Any, ...] | None:
    """Name, value, name, value... of all attributes; None if they cannot be read this way."""
    cls = type(o)
    shape = _shapes.get(id(cls))
    if accelerator and shape and shape.names and not shape.hopeless and shape.bases is _mro(cls):
        pairs: tuple[Any, ...] | None = accelerator.peek(o, shape.names, shape.own, shape.sizes)
        if pairs is not None:
            return pairs
    held = gc.get_referents(o)
    if not held or held.pop() is not cls:
        return None
    if shape is None or not shape.holds():
        shape = _shapes[id(cls)] = Shape(cls)
    elif shape.hopeless:
        return None
    elif shape.names:
        try:
            values = shape.read(o)
        except AttributeError:
            values = ()
        if len(values) == len(held) and all(map(is_, values, held)):
            return tuple(chain.from_iterable(zip(shape.names, values)))  # noqa: B905 - as many as there are names
    return _searched(o, shape, held)


def _searched(o: object, shape: Shape, held: list[Any]) -> tuple[Any, ...] | None:
    """Search by all known names; the next object of the class probably holds its values in the same order."""
    shape.searches += 1
    readable = _readable(shape.own)
    values = {name: value for name in readable if (value := _read(o, name)) is not _NOTHING}
    order = {id(value): index for index, value in enumerate(held)}
    whole = sorted(map(id, values.values())) == sorted(map(id, held))
    if not whole or shape.searches > _MOST_SEARCHES:
        if len(held) != 1 or shape.searches > _MOST_SEARCHES:  # otherwise it may be a dictionary that was requested
            shape.hopeless = True
        return None
    names = sorted(values, key=lambda name: order[id(values[name])])
    shape.learn(tuple(names))
    return tuple(chain.from_iterable((name, values[name]) for name in names))


def _read(o: object, name: str) -> object:
    try:
        return _get(o, name)
    except AttributeError:
        return _NOTHING


def _readable(classes: list[Any]) -> list[str]:
    """The names that the class does not define; reading others may run code, or return a value of the class."""
    return sorted(name for name in _names if not any(name in own for own in classes))
