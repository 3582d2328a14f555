"""Refills live objects with the content of a row: the effect of a call that was answered."""

import collections
import types
from contextlib import suppress
from typing import Any

from ..modules import CannotAnswer
from ..protocol import Row
from . import array_rows
from .rebuild import Rebuilder, Standin


def refill(made: Rebuilder, row: Row) -> object:
    """Changes an object to the content of a row, and returns it."""
    if row["k"] == "missing":
        raise CannotAnswer(row["why"])
    live = made.objects[row["id"]]
    if type(live) is Standin:
        return live
    items, values = made.all(row.get("items", ())), made.all(row.get("values", ()))
    kind = row["k"]
    if kind == "list":
        list.__setitem__(live, slice(None), items)
    elif kind == "deque":
        collections.deque.clear(live)
        collections.deque.extend(live, items)
    elif kind == "dict":
        _refill_dict(live, items, values)
    elif kind == "set":
        set.clear(live)
        set.update(live, items)
    elif kind == "array":
        live[...] = array_rows.make(made.names.module("numpy"), row)
        for place, value in enumerate(items):
            live.flat[place] = value
    elif kind == "bytearray":
        bytearray.__setitem__(live, slice(None), bytes.fromhex(row["v"]))
    if "attrs" in row:
        names = [name for name, _ in row["attrs"]]
        _reset(live, dict(zip(names, made.all([index for _, index in row["attrs"]]), strict=True)))
    return live


def _refill_dict(live: dict[object, object], keys: list[object], values: list[object]) -> None:
    ordered = isinstance(live, collections.OrderedDict)
    (collections.OrderedDict.clear if ordered else dict.clear)(live)
    store: Any = collections.OrderedDict.__setitem__ if ordered else dict.__setitem__
    for key, value in zip(keys, values, strict=True):
        store(live, key, value)


def _reset(live: object, held: dict[str, object]) -> None:
    """Sets all attributes, and deletes the others."""
    for name, value in held.items():
        Rebuilder._set_attribute(live, name, value)
    for cls in type(live).__mro__:
        for name, slot in vars(cls).items():
            if isinstance(slot, types.MemberDescriptorType) and name not in held:
                with suppress(AttributeError):  # it is empty already
                    slot.__delete__(live)
    try:
        own = object.__getattribute__(live, "__dict__")
    except AttributeError:
        return
    for name in own.keys() - held.keys():
        del own[name]
