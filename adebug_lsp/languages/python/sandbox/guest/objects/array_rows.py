"""Rebuilds recorded numpy arrays, and compares live ones with them; `nan` equals `nan`."""

import struct
import zlib
from typing import Any

from ..modules import CannotAnswer
from ..protocol import Row


def make(numpy: Any, row: Row) -> Any:
    """An array with the recorded elements; one of objects is filled later."""
    if "v" not in row and "items" not in row:
        raise CannotAnswer("not all elements of an array are recorded")
    if "items" in row:
        return numpy.empty(tuple(row["shape"]), row["code"])
    return numpy.frombuffer(bytes.fromhex(row["v"]), row["code"]).reshape(row["shape"]).copy()


def differing(numpy: Any, live: Any, row: Row) -> tuple[bool | None, tuple[int, ...]]:
    """Whether a live array has the recorded elements, None if that is not known; and the first index that differs."""
    if list(live.shape) != row["shape"] or live.dtype.str != row["code"]:
        return False, ()
    if "v" in row:
        return _compared(numpy, live, make(numpy, row))
    whole = live.tobytes()
    if struct.pack("<II", zlib.crc32(whole), zlib.adler32(whole)).hex() == row["sum"]:
        return True, ()
    if live.dtype.kind not in "fc":
        return False, ()
    for name, at in (("head", 0), ("tail", -1)):  # the others may differ by rounding only
        piece = bytes.fromhex(row[name])
        count = len(piece) // live.dtype.itemsize
        meant = numpy.frombuffer(piece, row["code"], count, -at * (len(piece) - count * live.dtype.itemsize))
        flat = live.reshape(-1)
        if _compared(numpy, flat[:count] if at == 0 else flat[len(flat) - count :], meant)[0] is False:
            return False, ()
    return None, ()


def _compared(numpy: Any, live: Any, meant: Any) -> tuple[bool, tuple[int, ...]]:
    if live.dtype.kind in "fc":
        same = numpy.isclose(live, meant, rtol=1e-9, atol=1e-12, equal_nan=True)
    elif live.dtype.kind in "mM":
        same = live.view("i8") == meant.view("i8")
    else:
        same = numpy.asarray(live == meant)
    if same.all():
        return True, ()
    return False, tuple(int(axis[0]) for axis in numpy.nonzero(~numpy.atleast_1d(same)))[: live.ndim]
