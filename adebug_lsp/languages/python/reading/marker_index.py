"""Finds the positions of records with given markers.

A column of positions for all words might not fit into memory, so the search goes block by block.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Words, positions, numbers or flags, as a column."""
_BLOCK = 1 << 18


def flags(numbers: Iterable[int]) -> Array:
    """A column of flags by marker number, set for the given numbers."""
    listed = list(numbers)
    column = np.zeros(max(listed, default=-1) + 1, np.bool_)
    column[listed] = True
    return column


def places(words: Array, wanted: Array, first: int = 0) -> Array:
    """The positions of markers whose flag is set; the column starts with the flag of the marker `first`."""
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
