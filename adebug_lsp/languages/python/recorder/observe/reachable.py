"""Finds the mutable objects that code can reach from some values, without running any code."""

import functools
import gc
import itertools
import types
from collections.abc import Callable
from typing import Any

from .arrays import inside, is_array
from .classes import HEAP_TYPE, flags, mro
from .images import READERS, images_of
from .pandas_frames import indexed

Question = Callable[[Any], bool]
MOST = 64
"""Maximum number of objects per call; those nearest to its arguments come first."""
LONG = 256
"""Containers with more items than this are included, but their items are not."""

_HOLDERS = frozenset(
    id(kind)
    for kind in (
        *(types.BuiltinMethodType, types.MethodWrapperType, types.MethodType, functools.partial),
        *(map, filter, zip, enumerate, reversed, types.GeneratorType),
        *(kind for kind in vars(itertools).values() if isinstance(kind, type)),
    )
)
"""Types whose objects hold others, and change or call them when they are called or iterated over."""
_WHOLES = frozenset(map(id, (list, tuple, set, dict)))
_ITERATORS = frozenset(id(type(iter(kind()))) for kind in (list, tuple, set, dict))
_NOT_INTO = frozenset(map(id, (type, types.ModuleType, types.FunctionType)))


def calls_back(value: object) -> bool:
    """Whether using a value may change other objects, even in harmless code."""
    return id(type(value)) in _HOLDERS or type(value) is types.FunctionType


def reached(values: tuple[Any, ...], is_recorded: Question, changes: Question) -> list[Any]:
    """The mutable objects that can be reached from values, the nearest first.

    The callbacks say whether code is recorded, and whether a function may change its arguments.
    """
    objects: list[Any] = []
    waiting, seen = list(values), set(map(id, values))
    for value in waiting:  # grows while it is read
        if id(type(value)) in READERS or _has_attributes(value) or is_array(value):
            objects.append(value)
            if len(objects) == MOST:
                break
        for part in _inside(value, is_recorded, changes):
            if id(part) not in seen:
                seen.add(id(part))
                waiting.append(part)
    return objects


def _inside(value: Any, is_recorded: Question, changes: Question) -> Any:
    """The values that a value leads to, except for recorded code, which records its own effects."""
    kind = type(value)
    if is_array(value):
        return inside(value)
    if kind is types.FunctionType:
        cells = () if is_recorded(value) else value.__closure__ or ()
        return [referent for cell in cells for referent in gc.get_referents(cell)]
    if kind is types.MethodType and type(value.__func__) is types.FunctionType and is_recorded(value.__func__):
        return ()
    if kind is types.GeneratorType:
        frame = None if is_recorded(value) else value.gi_frame
        return () if frame is None else list(frame.f_locals.values())
    if id(kind) in _HOLDERS:
        # A tuple inside of an iterator may lack items; only the garbage collector knows how to go through it.
        held = gc.get_referents(value)
        parts = [referent for part in held for referent in (gc.get_referents(part) if type(part) is tuple else (part,))]
        return [*parts, *_iterated_items(parts)] if any(map(changes, parts)) else parts
    if kind is memoryview:
        return (value.obj,)
    if kind is tuple:
        return value if len(value) <= LONG else ()
    if id(kind) in READERS and len(value) > LONG:
        return ()
    if id(kind) in READERS or _has_attributes(value):
        return [*indexed(value), *(part for _, content in images_of(value) for part in content)]
    return ()


def _iterated_items(parts: list[Any]) -> list[Any]:
    """The items that an iterator will pass to a function among its parts."""
    through = [whole for part in parts if id(type(part)) in _ITERATORS for whole in gc.get_referents(part)]
    short = [whole for whole in through if id(type(whole)) in _WHOLES and len(whole) <= LONG]
    return [item for whole in short for item in gc.get_referents(whole)]


def _has_attributes(value: object) -> bool:
    kind = type(value)
    return bool(flags(kind) & HEAP_TYPE) and not any(id(base) in _NOT_INTO for base in mro(kind))
