"""Compares a recorded value with one of a running program, as far as the recorded run evaluated it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from adebug_lsp.languages.haskell.reading.graph import Bottom, Constant, Data, Function, Graph, Ref, Unevaluated

Running: TypeAlias = Any
"""A value of a running program, of any Python type."""

Force = Callable[[Any], Running]


def agrees(graph: Graph, ref: Ref, other: object, force: Force) -> bool | None:
    """Whether the values agree; None if that cannot be decided."""
    value = graph.value(ref)
    if isinstance(value, Unevaluated):
        return True
    if isinstance(value, Function | Bottom):
        return None
    result = force(other)
    if isinstance(value, Constant) and not value.is_string:
        return bool(value.value == result)
    if isinstance(value, Constant):
        value = graph.listed(value)
    assert isinstance(value, Data)
    if value.info.type_name == "Data.Map.Map":
        return _maps_agree(graph, value, result, force)
    if not isinstance(result, bool | tuple):
        return None  # of another type
    tag = int(result) if isinstance(result, bool) else result[0]
    if value.info.tag != tag:
        return False
    parts = result[1:] if isinstance(result, tuple) else ()
    return all_agree(graph, list(value.fields), list(parts), force)


def all_agree(graph: Graph, refs: list[Ref], others: list[object], force: Force) -> bool | None:
    """Whether all values agree; None if that cannot be decided."""
    unsure = False
    for ref, other in zip(refs, others, strict=False):
        agreed = agrees(graph, ref, other, force)
        if agreed is False:
            return False
        unsure = unsure or agreed is None
    return None if unsure else True


def _maps_agree(graph: Graph, value: Data, other: Running, force: Force) -> bool | None:
    """Whether two maps have equal entries; their trees may be balanced in different ways."""
    refs: list[Ref] = []
    if not _collect(graph, value, refs):
        return None
    others: list[object] = []
    _collect_running(other, others, force)
    return all_agree(graph, refs, others, force) if len(refs) == len(others) else False


def _collect(graph: Graph, ref: Ref, refs: list[Ref]) -> bool:
    """Add keys and contents in order; False if a part of the tree was not evaluated."""
    value = graph.value(ref)
    if not isinstance(value, Data):
        return False
    if not value.fields:
        return True
    _, key, content, left, right = value.fields
    if not _collect(graph, left, refs):
        return False
    refs += [key, content]
    return _collect(graph, right, refs)


def _collect_running(tree: Running, others: list[object], force: Force) -> None:
    if tree[0] == 0:
        return
    _, _, key, content, left, right = tree
    _collect_running(force(left), others, force)
    others += [key, content]
    _collect_running(force(right), others, force)


def items(rest: Running, force: Force) -> list[object]:
    """The items of a running program's list."""
    others, rest = [], force(rest)
    while rest[0]:
        others.append(rest[1])
        rest = force(rest[2])
    return others
