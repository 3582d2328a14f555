"""Reads classes through the descriptors of `type`, because a metaclass may answer otherwise and run code."""

from collections.abc import Callable, Mapping
from typing import Any

_mro_of = type.__dict__["__mro__"].__get__
_dict_of = type.__dict__["__dict__"].__get__
_module_of = type.__dict__["__module__"].__get__
qualname_of: Callable[[type], str] = type.__dict__["__qualname__"].__get__
flags: Callable[[type], int] = type.__dict__["__flags__"].__get__
HEAP_TYPE = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: a class made by a class statement; objects of other classes have no attributes to record."""


def class_dict(cls: type) -> Mapping[str, Any]:
    """The namespace of a class; empty for a type that the interpreter has not initialised (`PyType_Ready`)."""
    return _dict_of(cls) or {}


def mro(cls: type) -> tuple[type, ...]:
    """The class and its bases; a class under construction has no bases yet."""
    return _mro_of(cls) or (cls,)


def module_of(cls: type) -> str:
    """The module that a class says it is from."""
    module = _module_of(cls)
    return module if type(module) is str else ""
