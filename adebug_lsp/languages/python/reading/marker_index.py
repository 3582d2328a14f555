"""Finds the positions of records with given markers, in C or, block by block, by array operations."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adebug_lsp.native.shared_library import address, column, int64, library

Array = NDArray[Any]
"""Words, positions, numbers or flags, as a column."""
_BLOCK = 1 << 18


def flags(numbers: Iterable[int]) -> Array:
    """A column of flags by marker number, set for the given numbers."""
    listed = list(numbers)
    flagged = np.zeros(max(listed, default=-1) + 1, np.bool_)
    flagged[listed] = True
    return flagged


def places(words: Array, wanted: Array, first: int = 0) -> Array:
    """The positions of markers whose flag is set; the column starts with the flag of the marker `first`."""
    if not wanted.any():
        return np.empty(0, np.int64)
    if library is None or words.dtype != np.uint32 or not words.flags.c_contiguous:
        return places_by_blocks(words, wanted, first)
    marked = column(wanted, "u1")
    arguments = address(words), int64(len(words)), address(marked), len(marked), first
    positions = np.empty(library.adebug_places(*arguments, None), np.int64)
    library.adebug_places(*arguments, address(positions))
    return positions


def places_by_blocks(words: Array, wanted: Array, first: int = 0) -> Array:
    """The same by array operations, block by block: flags for all words might not fit into memory."""
    parts = [np.empty(0, np.int64)]
    for start in range(0, len(words), _BLOCK):
        numbers = words[start : start + _BLOCK]
        if first:
            numbers = numbers - np.uint32(first)  # lower numbers wrap around and become very large
        offsets = np.flatnonzero(numbers < len(wanted))
        offsets = offsets[wanted[numbers[offsets]]]
        if len(offsets):
            parts.append(offsets + start)
    return np.concatenate(parts)
