"""Working memory for numbers about every node of a tree: in memory while that is reasonable, else in a file.

A tree may be larger than memory, and then so is a column that is made from it.
"""

from tempfile import TemporaryFile
from typing import Any

import numpy as np

from adebug_lsp.tree.columns import Column

SPILL = 1 << 30
"""From this many bytes on, a column lies in a file without a name."""


def scratch(length: int, kind: "np.dtype[Any]") -> Column:
    """A column of any content, to be filled."""
    if length * kind.itemsize < SPILL:
        return np.empty(length, dtype=kind)
    return np.memmap(TemporaryFile(), dtype=kind, mode="w+", shape=(length,))
