"""The functions of `heapq`, each of which changes one path of the heap, from the root down or from the end up."""

import heapq
from typing import Any

from .differences import Held, Places, Whole

_UP, _DOWN, _DOWN_SHORTER = range(3)
_FUNCTIONS = {
    id(heapq.heappush): _UP,
    id(heapq.heappop): _DOWN_SHORTER,
    id(heapq.heapreplace): _DOWN,
    id(heapq.heappushpop): _DOWN,
}


def is_heap_function(function: object) -> bool:
    """Whether a function changes a path of its first argument, and nothing else."""
    return id(function) in _FUNCTIONS


def heap_held(function: object, heap: list[Any]) -> Held:
    """The positions of a heap that such a function may change."""
    way = _FUNCTIONS[id(function)]
    if way == _UP:
        return Places(heap, _path_up(len(heap)))
    try:
        return Places(heap, _path_down(heap, len(heap) - (way == _DOWN_SHORTER)))
    except _Unsure:
        return Whole(heap)


def _path_up(index: int) -> list[int]:
    """The positions above a position."""
    path = []
    while index > 0:
        index = (index - 1) >> 1
        path.append(index)
    return path


def _path_down(heap: list[Any], length: int) -> list[int]:
    """The positions from the root down along the smaller children, which move up."""
    path, index = [], 0
    while index < length:
        path.append(index)
        index = 2 * index + 1
        if index + 1 < length and not _less(heap[index], heap[index + 1]):
            index += 1
    return path


class _Unsure(Exception):  # noqa: N818 - it is expected
    """Comparing two items would run user code."""


def _less(left: Any, right: Any) -> bool:
    """`left < right` for values that only Python itself compares."""
    if type(left) is tuple and type(right) is tuple:
        for a, b in zip(left, right):  # noqa: B905 - they may have different lengths
            if a is not b and not _equal(a, b):
                return _less(a, b)
        return len(left) < len(right)
    if _kind(left) != _kind(right):
        raise _Unsure
    return bool(left < right)


def _equal(left: object, right: object) -> bool:
    if type(left) is tuple and type(right) is tuple:
        return len(left) == len(right) and all(a is b or _equal(a, b) for a, b in zip(left, right))  # noqa: B905
    if _kind(left) != _kind(right):
        raise _Unsure
    return bool(left == right)


def _kind(value: object) -> int:
    kind = _KINDS.get(id(type(value)))
    if kind is None:
        raise _Unsure
    return kind


_KINDS = {id(int): 1, id(float): 1, id(bool): 1, id(str): 2, id(bytes): 3}
