"""Compares a live value with a described one, part by part.

Mutable objects are paired one to one, so that sharing counts. The verdict is True, False, or None for undecidable:
where the description ends, the live part is kept as text, to be compared with that of another run.
"""

import collections
import functools
import inspect
import math
import re
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..protocol import Row
from . import array_rows
from .rebuild import Rebuilder, Standin

_GENERATORS = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
_IN_C = ("method_descriptor", "wrapper_descriptor", "classmethod_descriptor")
OWN_NAME = "_adebug_piece"
"""Name of the function that wraps a piece of code; it shows up in the qualified names of functions defined inside."""
_LONGEST = 300
_BY_PARTS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "Template": tuple,
    "Interpolation": lambda o: (o.value, o.expression, o.conversion, o.format_spec),
    "frozendict": lambda o: (tuple(o.items()),),
}
"""Immutable values without `==`, or with arbitrary parts, as the recorder takes them apart."""
Path = tuple[Any, ...]
Verdict = bool | None


class Comparison:
    """Compares the outcome of one run with one table of described values."""

    def __init__(
        self, made: Rebuilder, same_head: Callable[[str, str], bool], live: dict[int, object] | None = None
    ) -> None:
        self.made = made
        """Values before the run, which it may have changed."""
        self.rows = made.rows
        self.live = dict(made.objects if live is None else live)
        self.numbers = {id(obj): number for number, obj in self.live.items()}
        self.kept = list(self.live.values())
        """Keeps paired objects alive, so that their identities stay unique."""
        self.same_head = same_head
        """Whether a nested function (module and qualified name) has the same head in both versions."""
        self.differing: Path | None = None
        """Path of the first difference."""
        self.unknown: list[str] = []
        """Texts of live parts that are not described."""
        self._begun: set[int] = set()

    def same(self, live: object, index: int, path: Path = ()) -> Verdict:
        """Whether a live value equals the described one."""
        verdict = self._same(live, index, path)
        if verdict is False and self.differing is None:
            self.differing = path
        return verdict

    def all(self, pairs: Iterable[tuple[object, int, Path]]) -> Verdict:
        """Whether every live value equals the described one; stops at the first difference."""
        verdict: Verdict = True
        for live, index, path in pairs:
            outcome = self.same(live, index, path)
            if outcome is False:
                return False
            verdict = verdict and outcome
        return verdict

    def _same(self, live: object, index: int, path: Path) -> Verdict:
        """Compare by the kind of the described value."""
        row = self.rows[index]
        if "id" in row:
            if not self._pair(live, row["id"]):
                return False
            if index in self._begun:
                return True
            self._begun.add(index)
        if type(live) is Standin:
            return "id" in row or self._unknown(live)
        return getattr(self, f"_{row['k']}")(live, row, path)  # type: ignore[no-any-return]

    def _pair(self, live: object, number: int) -> bool:
        """Pairs two objects; False if one of them is already paired with another."""
        if number in self.live or id(live) in self.numbers:
            return self.live.get(number) is live
        self.live[number] = live
        self.numbers[id(live)] = number
        self.kept.append(live)
        return True

    def _unknown(self, live: object) -> Verdict:
        """Keeps the text of a part that cannot be compared, unless it contains an address."""
        try:
            text = "" if type(live) is Standin else repr(live)
        except Exception:
            text = ""
        self.unknown.append("" if text.startswith("<") or " at 0x" in text else text[:_LONGEST])
        return None

    # Atoms

    @staticmethod
    def _single(live: object, row: Row, _path: Path) -> Verdict:
        return (live is None or live is True or live is False or live is ... or live is NotImplemented) and (
            repr(live) == row["v"]
        )

    @staticmethod
    def _int(live: object, row: Row, _path: Path) -> Verdict:
        return type(live) is int and live == int(row["v"], 16)

    @staticmethod
    def _float(live: object, row: Row, _path: Path) -> Verdict:
        return type(live) is float and close(live, float.fromhex(row["v"]))

    @staticmethod
    def _complex(live: object, row: Row, _path: Path) -> Verdict:
        real, imaginary = map(float.fromhex, row["v"])
        return type(live) is complex and close(live.real, real) and close(live.imag, imaginary)

    @staticmethod
    def _str(live: object, row: Row, _path: Path) -> Verdict:
        return type(live) is str and live == row["v"]

    @staticmethod
    def _bytes(live: object, row: Row, _path: Path) -> Verdict:
        return type(live) is bytes and live.hex() == row["v"]

    # Values with parts

    def _tuple(self, live: object, row: Row, path: Path) -> Verdict:
        return type(live) is tuple and self._items(live, row["items"], path)

    def _items(self, live: Sequence[object], indices: Sequence[int], path: Path) -> Verdict:
        if len(live) != len(indices):
            return False
        return self.all((live[offset], index, (*path, offset)) for offset, index in enumerate(indices))

    def _frozenset(self, live: object, row: Row, path: Path) -> Verdict:
        return type(live) is frozenset and self._members(live, row["items"], path)

    def _range(self, live: object, row: Row, path: Path) -> Verdict:
        return type(live) is range and self._items((live.start, live.stop, live.step), row["items"], path)

    def _slice(self, live: object, row: Row, path: Path) -> Verdict:
        return type(live) is slice and self._items((live.start, live.stop, live.step), row["items"], path)

    def _list(self, live: object, row: Row, path: Path) -> Verdict:
        if not (isinstance(live, list) and self._is_of(live, row)):
            return False
        return _both(self._items(list(list.__iter__(live)), row["items"], path), self._attributes(live, row, path))

    def _deque(self, live: object, row: Row, path: Path) -> Verdict:
        if not (isinstance(live, collections.deque) and self._is_of(live, row)):
            return False
        return self._items(list(collections.deque.__iter__(live)), row["items"], path)

    def _dict(self, live: object, row: Row, path: Path) -> Verdict:
        if not (isinstance(live, dict) and self._is_of(live, row)) or len(live) != len(row["items"]):
            return False
        pairs = list(live.items() if isinstance(live, collections.OrderedDict) else dict.items(live))
        keys: Verdict = True
        for (key, _value), index in zip(pairs, row["items"], strict=True):
            keys = _both(keys, self._same(key, index, path))
        if keys is False:
            return False
        named = [(value, index, (*path, _text(key))) for (key, value), index in zip(pairs, row["values"], strict=True)]
        return _both(keys, self.all(named), self._attributes(live, row, path))

    def _set(self, live: object, row: Row, path: Path) -> Verdict:
        if not (isinstance(live, set) and self._is_of(live, row)):
            return False
        return self._members(set.__iter__(live), row["items"], path)

    def _members(self, live: Iterable[object], indices: Sequence[int], path: Path) -> Verdict:
        """Pairs members regardless of order; a failed attempt must not leave pairings behind."""
        unmatched = list(indices)
        for member in live:
            for index in unmatched:
                trial = Comparison(self.made, self.same_head, self.live)
                if trial._same(member, index, path):
                    self.live, self.numbers, self.kept = trial.live, trial.numbers, trial.kept
                    unmatched.remove(index)
                    break
            else:
                return False
        return not unmatched

    def _bytearray(self, live: object, row: Row, _path: Path) -> Verdict:
        return isinstance(live, bytearray) and self._is_of(live, row) and bytes(live).hex() == row["v"]

    def _array(self, live: Any, row: Row, path: Path) -> Verdict:
        if not self._is_of(live, row) or type(live).__module__ != "numpy":
            return False
        if "items" in row:
            return list(live.shape) == row["shape"] and self._items(live.reshape(-1).tolist(), row["items"], path)
        verdict, index = array_rows.differing(self.made.names.module("numpy"), live, row)
        if verdict is False:
            self.differing = self.differing or (*path, *index)
        return self._unknown(live) if verdict is None else verdict

    def _object(self, live: object, row: Row, path: Path) -> Verdict:
        if not self._is_of(live, row):
            return False
        return self._attributes(live, row, path)

    def _partial(self, live: object, row: Row, path: Path) -> Verdict:
        if not (isinstance(live, functools.partial) and self._is_of(live, row)):
            return False
        held = (live.func, live.args, live.keywords)
        return _both(self.same(held, row["extra"], path), self._attributes(live, row, path))

    def _exception(self, live: object, row: Row, path: Path) -> Verdict:
        if not (isinstance(live, BaseException) and self._is_of(live, row)):
            return False
        if type(live) is RecursionError or (type(live) is AssertionError and not live.args):
            return True  # the message depends on where the limit was hit, or on the test runner
        arguments = self.same(live.args, row["extra"], path) if "extra" in row else True
        return _both(arguments, self._attributes(live, row, path))

    def _attributes(self, live: object, row: Row, path: Path) -> Verdict:
        if "attrs" not in row:
            return True
        held = attributes(live)
        described = {name: index for name, index in row["attrs"] if name in held or not _is_computed(live, name)}
        missing = held.keys() ^ described.keys()
        if missing:
            self.differing = self.differing or (*path, min(missing))
            return False
        return self.all((held[name], index, (*path, name)) for name, index in described.items())

    def _derived(self, live: object, row: Row, path: Path) -> Verdict:
        if not self._is_of(live, row):
            return False
        value = self.rows[row["value"]]
        base: Any = {
            "int": int,
            "float": float,
            "str": str,
            "bytes": bytes,
            "tuple": tuple,
            "frozenset": frozenset,
        }.get(value["k"])
        if base is not None and not isinstance(live, base) and type(live).__module__ == "numpy":
            return self.same(base(live), row["value"], path)
        if base is None or not isinstance(live, base):
            return self._unknown(live)
        if base is tuple:
            names = getattr(type(live), "_fields", range(len(live)))
            items = zip(tuple.__iter__(live), value["items"], names, strict=False)
            same_length = tuple.__len__(live) == len(value["items"])
            return same_length and self.all((part, index, (*path, name)) for part, index, name in items)
        plain = live[:] if base in (str, bytes) else base.__int__(live) if base is int else base(live)
        return self.same(plain, row["value"], path)

    def _built(self, live: object, row: Row, path: Path) -> Verdict:
        if row["type"][1] in _BY_PARTS and self._is_of(live, row):
            return self.same(_BY_PARTS[row["type"][1]](live), row["value"], path)
        meant = Rebuilder(self.rows, self.made.names).value(self.rows.index(row))
        if type(meant) is Standin:
            return self._unknown(live)
        if type(live) is re.Match and type(meant) is re.Match:  # which compare by identity
            return (live.re, live.string, live.regs) == (meant.re, meant.string, meant.regs)
        return type(live) is type(meant) and bool(live == meant)

    @staticmethod
    def _enum(live: object, row: Row, _path: Path) -> Verdict:
        return bool(type(live).__qualname__ == row["type"][1] and getattr(live, "_name_", None) == row["name"])

    # Values known by name

    @staticmethod
    def _type(live: object, row: Row, _path: Path) -> Verdict:
        return bool(isinstance(live, type) and live.__qualname__ == row["type"][1])

    def _function(self, live: object, row: Row, _path: Path) -> Verdict:
        if "id" in row and self.made.objects.get(row["id"]) is live:
            return True  # it existed before
        name = getattr(live, "__qualname__", None)
        if not isinstance(name, str):
            return False
        own, inner = row["name"], name.rpartition(f"{OWN_NAME}.")[2]
        if own != name and not (OWN_NAME in name and own.endswith(inner)):
            return False
        return self.same_head(row["module"], row["name"]) if "<locals>" in row["name"] else True

    @staticmethod
    def _module(live: object, row: Row, _path: Path) -> Verdict:
        """Whether a live module has the recorded name; packages may be laid out differently."""
        return isinstance(live, types.ModuleType) and live.__name__.rpartition(".")[2] == row["name"].rpartition(".")[2]

    def _method(self, live: Any, row: Row, path: Path) -> Verdict:
        receiver = getattr(live, "__self__", None)
        if receiver is None or live.__name__ != row["name"].rpartition(".")[2]:
            return False
        verdict = self.same(receiver, row["receiver"], path)
        if verdict is False:
            self.differing = path  # a method has no parts to mark
        return verdict

    def _descriptor(self, live: Any, row: Row, path: Path) -> Verdict:
        if type(live).__name__ not in _IN_C or live.__name__ != row["name"]:
            return False
        return self.same(live.__objclass__, row["receiver"], path)

    def _stream(self, live: Any, row: Row, _path: Path) -> Verdict:
        meant = Rebuilder(self.rows, self.made.names).value(self.rows.index(row))
        if type(meant) is Standin:
            return self._unknown(live)
        if type(live) is not type(meant) or live.closed or meant.closed:
            return type(live) is type(meant) and bool(live.closed and meant.closed)
        return bool(live.getvalue() == meant.getvalue() and live.tell() == meant.tell())

    @staticmethod
    def _sentinel(live: Any, row: Row, _path: Path) -> Verdict:
        return bool(type(live).__name__ == "sentinel" and live.__name__ == row["name"])

    @staticmethod
    def _lock(live: object, row: Row, _path: Path) -> Verdict:
        return bool(type(live).__name__ == row["name"])

    def _generator(self, live: object, row: Row, path: Path) -> Verdict:
        """A generator that has not started: the same routine with the same arguments."""
        if not isinstance(live, types.GeneratorType) or live.__qualname__ != row["name"]:
            return False
        if live.gi_frame is None or inspect.getgeneratorstate(live) != inspect.GEN_CREATED:
            return False
        held, names = live.gi_frame.f_locals, live.gi_code.co_varnames
        arguments = [*zip(names, row["items"], strict=False), *row["attrs"]]
        if len(row["items"]) > live.gi_code.co_argcount or any(name not in held for name, _ in arguments):
            return self._unknown(live)
        return self.all((held[name], index, path) for name, index in arguments)

    def _missing(self, live: object, row: Row, _path: Path) -> Verdict:
        if "type" in row and type(live).__qualname__ != row["type"][1]:
            return False
        if row.get("name") and isinstance(live, _GENERATORS) and live.__qualname__ == row["name"]:
            return True
        return self._unknown(live)

    @staticmethod
    def _is_of(live: object, row: Row) -> bool:
        return bool(type(live).__qualname__ == row["type"][1])


def close(first: float, second: float) -> bool:
    """Whether two numbers are equal up to rounding."""
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-12)


def attributes(live: object) -> dict[str, object]:
    """Attributes in an object's own dictionary and slots."""
    values: dict[str, Any] = {}
    try:
        held = object.__getattribute__(live, "__dict__")
        values.update((name, value) for name, value in dict.items(held) if isinstance(name, str))
    except (AttributeError, TypeError):
        pass
    for cls in type(live).__mro__:
        if "__slots__" in vars(cls):
            for name, member in vars(cls).items():
                if isinstance(member, types.MemberDescriptorType):
                    try:
                        values[name] = member.__get__(live)
                    except AttributeError:
                        continue  # the slot is empty
    return values


def _is_computed(live: object, name: str) -> bool:
    """Whether an attribute is a property: a recording does not distinguish assignments to it."""
    held = next((vars(cls)[name] for cls in type(live).__mro__ if name in vars(cls)), None)
    return hasattr(type(held), "__set__") and not isinstance(held, types.MemberDescriptorType)


def _both(*verdicts: Verdict) -> Verdict:
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _text(key: object) -> object:
    """A key as marks name it: its `repr`."""
    try:
        return repr(key)[:_LONGEST]
    except Exception:
        return type(key).__name__
