"""Loads the library built from `columns.c`, if there is one for this platform, and calls it with columns."""

import ctypes
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

NAME = "_columns.dll" if os.name == "nt" else "_columns.so"
CONTRACT = 2
"""The version of the functions' parameters and results; `adebug_contract` returns it."""


def load() -> ctypes.CDLL | None:
    """Return the library if it is next to this file, fits this version and is not disabled; otherwise None."""
    if os.environ.get("ADEBUG_PURE") == "1":
        return None
    try:
        loaded = ctypes.CDLL(str(Path(__file__).with_name(NAME)))
        if loaded.adebug_contract() != CONTRACT:
            return None
    except (OSError, AttributeError):
        return None
    for function in (loaded.adebug_places, loaded.adebug_spans, loaded.adebug_ranges):
        function.restype = ctypes.c_int64
    return loaded


library: Any = load()


def column(values: NDArray[Any], kind: str) -> NDArray[Any]:
    """A column as C expects it: contiguous, of this type."""
    return np.ascontiguousarray(values, kind)


def address(values: NDArray[Any]) -> ctypes.c_void_p:
    """The start of a column, which must live as long as the call."""
    return ctypes.c_void_p(values.ctypes.data)


def int64(value: int) -> ctypes.c_int64:
    """A 64-bit argument: ctypes takes plain ints for C's `int`."""
    return ctypes.c_int64(value)


def uint32(value: int) -> ctypes.c_uint32:
    """An unsigned argument of 32 bits."""
    return ctypes.c_uint32(value)
