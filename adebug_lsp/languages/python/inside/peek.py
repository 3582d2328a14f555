"""Reads the attributes of an object without asking it for its dictionary.

CPython 3.11 and 3.12 keep attributes in the object itself until somebody asks for the dictionary; from then on every
access to one of them is as slow as it can be. So they are read by the names that recorded code writes, and the garbage
collector, which knows all that an object holds, tells whether these were all.
"""

import gc
import sys
from typing import Any

from .frozen import kept as __builtins__  # type: ignore[no-redef]  # noqa: F401

MATTERS = (3, 11) <= sys.version_info < (3, 13)
_names: set[str] = set()
"""Of the attributes that recorded code writes."""
_found: dict[int, tuple[type, dict[str, Any]]] = {}
"""For classes, by identity, the attributes that objects had, each with what the class itself has by that name."""
_NOTHING: Any = object()
_get = object.__getattribute__
_mro = type.__dict__["__mro__"].__get__
_class_dict = type.__dict__["__dict__"].__get__


def learn(facts: dict[str, Any]) -> None:
    """Recorded code with these facts may run from now on."""
    for marker in facts["markers"]:
        _names.update(write[1] for write in marker.get("writes", ()) if write[0] == "set_attr")


def forget() -> None:
    """Know of no class."""
    _found.clear()


def peeked(o: Any) -> tuple[Any, ...] | None:
    """Name, value, name, value... of all attributes, where that can be found out."""
    cls = type(o)
    held = gc.get_referents(o)
    if not held or held.pop() is not cls:
        return None
    known = _found.get(id(cls))
    found = _read(o, known[1], held) if known is not None else None
    if found is not None or (known is not None and not known[1]):
        return found
    names = _readable(cls)
    found = _read(o, names, held)
    if found is not None:
        _found[id(cls)] = (cls, {name: names[name] for name in found[::2]})
    elif len(held) != 1:  # else it may be a dictionary that somebody has asked for
        _found[id(cls)] = (cls, {})
    return found


def _read(o: Any, names: dict[str, Any], held: list[Any]) -> tuple[Any, ...] | None:
    found: list[Any] = []
    for name, default in names.items():
        try:
            value = _get(o, name)
        except AttributeError:
            continue
        if value is not default:
            found += (name, value)
    whole = sorted(map(id, found[1::2])) == sorted(map(id, held))
    return tuple(found) if whole else None


def _readable(cls: type) -> dict[str, Any]:
    """Names that can be read without running code, with what the class has by each."""
    names = dict.fromkeys(sorted(_names), _NOTHING)
    for own in map(_class_dict, reversed(_mro(cls) or ())):
        for name in names.keys() & own.keys():
            names[name] = own[name]
    return {name: held for name, held in names.items() if not _is_descriptor(held)}


def _is_descriptor(held: Any) -> bool:
    return any("__get__" in _class_dict(base) for base in _mro(type(held)))
