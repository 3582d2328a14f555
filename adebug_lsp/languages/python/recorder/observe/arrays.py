"""Reads numpy arrays and scalars through their C slots, without importing numpy or running code of the program.

A small array is recorded whole; of a larger one the head, the tail and a checksum, while the run's allowance lasts. The
content is shown as attributes of the object, so that images, changes and digests of arrays are those of any object.
"""

import struct
import zlib
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from .classes import HEAP_TYPE, class_dict, flags, module_of, mro, qualname_of

WHOLE = 1 << 12
"""Bytes up to which an array is recorded whole."""
ENDS, LEAST = 1 << 9, 1 << 6
"""Bytes of the head and of the tail of a larger one, while the run may copy bytes and afterwards."""
LARGE = 1 << 16
"""Bytes from which an array is not kept alive longer than needed."""
MOST_COPIED, MOST_READ = 1 << 25, 1 << 28
"""Bytes that a run may copy, and read for checksums: a checksum of a large array takes as long as five additions."""
MOST_ITEMS = 1000
"""Items of an array of objects up to which they are recorded."""
Pairs = tuple[Any, ...]
Array = Any
"""A numpy array, or another buffer: the recorder does not import numpy."""


class Allowance:
    """The bytes that the rest of the run may copy and read."""

    __slots__ = ("copied", "read")

    def __init__(self) -> None:
        self.copied, self.read = MOST_COPIED, MOST_READ


class _Getters:
    """The C functions that read arrays, of the one type that all of them derive from."""

    __slots__ = ("base", "dtype", "items", "nbytes", "shape", "tobytes")

    def __init__(self, own: Mapping[str, Any]) -> None:
        self.shape, self.dtype, self.nbytes, self.base = (
            own[name].__get__ for name in ("shape", "dtype", "nbytes", "base")
        )
        self.tobytes: Callable[[Any], bytes] = own["tobytes"]
        self.items: Callable[[Any], Any] = own["tolist"]


_getters: list[_Getters] = []
"""The functions for `numpy.ndarray`, once the program has used it."""
_arrays: dict[int, tuple[type, bool]] = {}
"""A cache of whether a class is one of arrays, by identity."""
_content: dict[int, Pairs] = {}
"""The last read content of arrays that are on the tape, by identity."""
allowance = Allowance()


def is_array_class(cls: type) -> bool:
    """Whether the objects of a class are numpy arrays that can be read without running code of the program."""
    cached = _arrays.get(id(cls))
    if cached is None:
        cached = _arrays[id(cls)] = (cls, _derives_from_arrays(cls))
    return cached[1]


def _derives_from_arrays(cls: type) -> bool:
    for base in mro(cls):
        own = class_dict(base)
        if not flags(base) & HEAP_TYPE and module_of(base) == "numpy" and qualname_of(base) == "ndarray":
            if not _getters:
                _getters.append(_Getters(own))
            return True
        if "__buffer__" in own:  # PEP 688: the class has a say in what its buffer is
            return False
    return False


def is_array(o: object) -> bool:
    """Whether an object is a numpy array."""
    cached = _arrays.get(id(type(o)))
    return is_array_class(type(o)) if cached is None else cached[1]


def learn(module: object) -> None:
    """Note the class of arrays of numpy, if the program has imported it."""
    array_class = _names_of(module).get("ndarray") if type(module) is ModuleType and not _getters else None
    if type(array_class) is type:
        is_array_class(array_class)


_names_of: Callable[[Any], dict[str, Any]] = class_dict(ModuleType)["__dict__"].__get__


def size_of(o: Array) -> int:
    """The bytes of a buffer: of an array, of bytes or of a bytearray; 0 for anything else."""
    if type(o) is bytes or type(o) is bytearray:
        return len(o)
    if not is_array(o):
        return 0
    size: int = _getters[0].nbytes(o)
    return size


def inside(o: object) -> tuple[Any, ...]:
    """The array whose elements an array shares, and the items of an array of objects."""
    get = _getters[0]
    around = get.base(o)
    return (*(_objects(o, get, get.dtype(o)) if get.dtype(o).hasobject else ()), around)


def content(o: object) -> Pairs:
    """Name, value, name, value... of an array now; the same tuple as before if nothing has changed."""
    last, now = _content.get(id(o)), _read(o)
    if last is not None and _are_equal(last, now):
        return last
    _content[id(o)] = now
    return now


def last_content(o: object) -> Pairs:
    """The content of an array when it was last read; if it never was, now."""
    held = _content.get(id(o))
    return content(o) if held is None else held


def forget_contents() -> None:
    """Forget what was read: objects may have gone, and others have their identities."""
    _content.clear()


def forget() -> None:
    """Drop the references to classes of the program."""
    _content.clear()
    _arrays.clear()
    _getters.clear()


def _are_equal(old: Pairs, new: Pairs) -> bool:
    """Whether two contents are the same; items of arrays of objects count by identity."""
    if old[4] == "items" == new[4]:
        return old[:4] == new[:4] and len(old[5]) == len(new[5]) and all(a is b for a, b in zip(old[5], new[5]))  # noqa: B905
    if old[4] == "data" and new[-2] == "checksum":  # the allowance has been used up since
        return old[:4] == new[:4] and _checksum(old[5]) == new[-1]
    return "items" not in (old[4], new[4]) and old == new


def _read(o: Array) -> Pairs:
    """Shape, type of the elements, and as much of the elements as may be recorded."""
    get = _getters[0]
    kind = get.dtype(o)
    head = ("shape", get.shape(o), "dtype", _element(kind))
    if kind.hasobject:
        return (*head, "items", _objects(o, get, kind))
    size = get.nbytes(o)
    if size <= WHOLE and size + LEAST <= allowance.copied:
        allowance.copied -= size + LEAST
        return (*head, "data", get.tobytes(o))
    return (*head, *_parts(o, get, size))


def _element(kind: Array) -> str | Pairs:
    """The type of elements: its code, or for records the name, code and offset of each field, and their size."""
    if kind.names is None or kind.subdtype is not None:
        code: str = kind.str
        return code
    return tuple((name, _element(kind.fields[name][0]), kind.fields[name][1]) for name in kind.names), kind.itemsize


def _objects(o: Array, get: _Getters, kind: Array) -> tuple[Any, ...]:
    """The first items of an array of objects; an Ellipsis stands for the others."""
    if kind.names is not None or get.nbytes(o) > MOST_ITEMS * kind.itemsize:
        return (...,)
    parts: list[Any] = [get.items(o)]
    for _dimension in get.shape(o):
        parts = [part for row in parts for part in row]
    return tuple(parts)


def _parts(o: Array, get: _Getters, size: int) -> Pairs:
    """Head, tail and checksum of a large array; without allowance the checksum is of a sample, or missing."""
    count = min(size, ENDS if allowance.copied >= 2 * ENDS else LEAST)
    allowance.copied -= min(2 * count, allowance.copied)
    if size > allowance.read:
        return _sample(o, size, count)
    allowance.read -= size
    try:
        data, first = o, _cut(o, 0, count)
    except (ValueError, BufferError):  # its elements are not in order: they have to be copied
        allowance.read -= min(3 * size, allowance.read)
        data = get.tobytes(o)
        first = _cut(data, 0, count)
    return ("head", first, "tail", _cut(data, size - count, count), "checksum", _checksum(data))


def _sample(o: Array, size: int, count: int) -> Pairs:
    try:
        pieces = [_cut(o, offset, count) for offset in range(0, size - count + 1, max(size // 16, count))]
        return ("head", pieces[0], "tail", _cut(o, size - count, count), "sample", _checksum(b"".join(pieces)))
    except (ValueError, BufferError):
        return ("sample", b"")


def _cut(data: Array, offset: int, count: int) -> bytes:
    """Some bytes of a buffer; fails if its elements are not in order."""
    piece: bytes = struct.unpack_from(f"{count}s", data, offset)[0]
    return piece


def _checksum(data: Array) -> bytes:
    return struct.pack("<II", zlib.crc32(data), zlib.adler32(data))


# Calls that leave arrays as they are

_IN_PLACE = frozenset(
    [
        *("sort", "fill", "put", "partition", "resize", "itemset", "setfield", "byteswap", "setflags", "__setitem__"),
        *("__setstate__", "copyto", "place", "putmask", "fill_diagonal", "put_along_axis", "at", "shuffle", "setitem"),
        *("__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__", "__imod__", "__ipow__", "__imatmul__"),
        *("__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__", "nan_to_num", "apply_along_axis"),
        *("apply_over_axes", "piecewise"),
    ]
)
"""Functions and methods of numpy that write into an argument that is not `out`, or call a function of the program."""


def only_reads_arrays(function: Any, values: tuple[Any, ...]) -> bool:
    """Whether a call without an argument named `out` changes no array, because it is one of numpy."""
    kind = type(function)
    if flags(kind) & HEAP_TYPE or not _getters:
        return False
    if kind is BuiltinFunctionType and is_array(function.__self__):
        return function.__name__ not in _IN_PLACE
    module = module_of(kind) if kind not in (BuiltinFunctionType, FunctionType) else function.__module__
    if type(module) is not str or module.partition(".")[0] != "numpy":
        return False
    if qualname_of(kind) == "ufunc":
        return bool(len(values) <= function.nin)
    return getattr(function, "__name__", "") not in _IN_PLACE


# Scalars

_PLAIN: dict[str, tuple[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("bool", "bool_"), ("bool", bool)),
    **dict.fromkeys(("int8", "int16", "int32", "int64", "intc", "intp", "longlong"), ("int", int)),
    **dict.fromkeys(("uint8", "uint16", "uint32", "uint64", "uintc", "uintp", "ulonglong"), ("int", int)),
    **dict.fromkeys(("float16", "float32", "longdouble"), ("float", float)),
    **dict.fromkeys(("complex64", "clongdouble"), ("complex", complex)),
    **dict.fromkeys(("datetime64", "timedelta64"), ("str", str)),
}


def scalar(cls: type) -> tuple[str, Callable[[Any], Any]] | None:
    """The plain type of numpy scalars of a class that derives from no builtin, and the function that converts them."""
    if flags(cls) & HEAP_TYPE or module_of(cls) != "numpy":
        return None
    return _PLAIN.get(qualname_of(cls))
