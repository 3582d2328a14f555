"""Where in a recording records with some markers are.

A recording may have more words than there is room for a column of positions: so they are looked for block by block.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""Words, positions, numbers or flags, as a column."""
_BLOCK = 1 << 18


def flags(numbers: Iterable[int]) -> Array:
    """For numbers of markers up to the last of these, whether they are among these."""
    listed = list(numbers)
    column = np.zeros(max(listed, default=-1) + 1, np.bool_)
    column[listed] = True
    return column


def places(words: Array, wanted: Array, first: int = 0) -> Array:
    """The positions of markers for which a column of flags says so; its first flag is that of the marker `first`."""
    parts = [np.empty(0, np.int64)]
    for start in range(0, len(words), _BLOCK):
        numbers = words[start : start + _BLOCK]
        if first:
            numbers = numbers - np.uint32(first)  # those before it become very large
        offsets = np.flatnonzero(numbers < len(wanted))
        offsets = offsets[wanted[numbers[offsets]]]
        if len(offsets):
            parts.append(offsets + start)
    return np.concatenate(parts)
