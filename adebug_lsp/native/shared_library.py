"""Loads the library built from `columns.c`, if there is one for this platform, and calls it with columns."""

import ctypes
import os
import sys
from contextlib import suppress
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


_TRIM_THRESHOLD, _MMAP_THRESHOLD, _LARGEST = -1, -3, 32 << 20
"""Parameters of glibc's `mallopt`, and the largest value that all versions take (man 3 mallopt)."""


def make_memory_cheap() -> None:
    """Allocate large columns faster, in this process only.

    The kernel zeroes pages on first use. numpy asks for huge pages (`madvise`), which a busy machine has to assemble: 2
    s per gigabyte, where ordinary pages take 0.4. And glibc returns large blocks at once, so that the next column is
    zeroed again.
    """
    core: Any = np.core if np.__version__.startswith("1.") else np._core  # type: ignore[attr-defined]
    with suppress(AttributeError):  # private; the variable NUMPY_MADVISE_HUGEPAGE would reach the user's program
        core.multiarray._set_madvise_hugepage(False)
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # other C libraries have no mallopt
            system = ctypes.CDLL(None)
            system.mallopt(_MMAP_THRESHOLD, _LARGEST)
            system.mallopt(_TRIM_THRESHOLD, _LARGEST)


make_memory_cheap()
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
