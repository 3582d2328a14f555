"""Temporary columns with one number per node of a tree, in memory or, if they are large, in a file.

A tree may be larger than memory, and so may a column computed from it.
"""

from tempfile import TemporaryFile
from typing import Any

import numpy as np

from adebug_lsp.tree.columns import Column

SPILL = 1 << 30
"""Size in bytes from which a column is put into an unnamed file."""


def scratch(length: int, kind: "np.dtype[Any]") -> Column:
    """Return an uninitialized column."""
    if length * kind.itemsize < SPILL:
        return np.empty(length, dtype=kind)
    return np.memmap(TemporaryFile(), dtype=kind, mode="w+", shape=(length,))
