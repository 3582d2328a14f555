"""Groups the rows of long columns by a number with few distinct values, without sorting whole columns."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from adebug_lsp.languages.python.reading.marker_index import Array, flags, places


def grouped_places(words: Array, numbers: Iterable[int]) -> dict[int, Any]:
    """The positions of the records with these markers, by marker number."""
    positions = places(words, flags(numbers))
    return grouped(words[positions], positions)


def grouped(keys: Array, values: Array) -> dict[int, Any]:
    """Values by key, in their order."""
    if len(keys) == 0:
        return {}
    order = np.argsort(keys.astype(np.uint16) if int(keys.max()) < 1 << 16 else keys, kind="stable")
    keys = keys[order]
    starts = np.append(0, np.flatnonzero(keys[1:] != keys[:-1]) + 1)
    return dict(zip(keys[starts].tolist(), np.split(values[order], starts[1:]), strict=True))
