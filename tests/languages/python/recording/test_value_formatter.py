"""How recorded Python values read, how they are compared, and how they are built again."""

import collections
import datetime
import decimal
import enum
import fractions
import importlib
import json
import math
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings

from adebug_lsp.languages.python.reading.plain_values import CannotRebuild
from adebug_lsp.languages.python.reading.value_formatter import MOST_TEXT, ValueFormatter
from tests.languages.python.recording.support import MARK, images, opened, picture, write
from tests.languages.python.recording.test_values import NESTED


@dataclass
class Point:
    x: int
    y: int
    hidden: int = field(default=0, repr=False)


class Pair(NamedTuple):
    x: int
    y: int


class Colour(enum.Enum):
    RED = 1


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Node:
    def __init__(self, value: Any) -> None:
        self.value = value
        self.next: Any = None

    def method(self) -> None:
        pass


class Stack(list[Any]):
    pass


def formatter(path: Path, *values: Any) -> tuple[ValueFormatter, list[int], int]:
    recording, heap = opened(write(path / "r", [word for value in values for word in (MARK, value)]))
    return ValueFormatter(recording, heap), recording.words[1::2].tolist(), len(recording.words)


def text(path: Path, value: Any) -> str:
    show, numbers, end = formatter(path, value)
    return show.value(numbers[0], end).text


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 5, -1.5, math.inf, "it's", b"a\0", 2j, ..., (), (1,), (1, "a"), [], [1, [2]], {}, {"a": [1]}),
        *(set(), {1, 2, 3}, frozenset(), frozenset((1,)), range(3), range(1, 9, 2), slice(1, None), bytearray(b"ab")),
        *(collections.deque([1], maxlen=3), collections.deque(), collections.defaultdict(list, {"a": [1]})),
        *(collections.Counter("a"), Pair(1, 2), Point(1, 2), ValueError("x", 1), KeyError(), int, Point),
        *(datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 1, 2), datetime.timedelta(hours=30)),
        *(datetime.timedelta(0), datetime.time(1, 2, 3), datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)),
        *(decimal.Decimal("1.50"), fractions.Fraction(1, 3), uuid.UUID(int=77), {(1, 2): {3}}),
        *(re.compile("a+b"), re.compile(b"a", re.IGNORECASE | re.MULTILINE), re.search("b(c)?", "abcd")),
    ],
    ids=repr,
)
def test_a_value_reads_as_python_writes_it(tmp_path: Path, value: Any) -> None:
    assert text(tmp_path, value) == repr(value)


def test_values_whose_repr_says_too_little(tmp_path: Path) -> None:
    node = Node([1])
    node.next = Node(2)
    stack = Stack([1])
    assert text(tmp_path, node) == "Node(value=[1], next=Node(value=2, next=None))"
    assert text(tmp_path, stack) == "Stack([1])"
    assert text(tmp_path, Colour.RED) == "Colour.RED"
    assert text(tmp_path, text) == "<function text>"
    assert text(tmp_path, json) == "<module 'json'>"
    assert text(tmp_path, node.method) == "<bound method Node.method>"
    assert text(tmp_path, object()) == "<object object>"
    assert text(tmp_path, collections.OrderedDict(a=1)) == "OrderedDict({'a': 1})"


def test_cycles_end(tmp_path: Path) -> None:
    ring: list[Any] = [1]
    ring.append(ring)
    node = Node(1)
    node.next = node
    assert text(tmp_path, ring) == "[1, [...]]"
    assert text(tmp_path, node) == "Node(value=1, next=...)"
    table: dict[Any, Any] = {}
    table["self"] = table
    assert text(tmp_path, table) == "{'self': {...}}"


def test_parts_can_be_pointed_at(tmp_path: Path) -> None:
    value = {"row": [Point(1, 2), (3, [4])], 5: {6}}
    show, (number,), end = formatter(tmp_path, value)
    shown = show.value(number, end)
    paths: list[list[str | int]] = [["'row'", 0, "y"], ["'row'", 1, 1, 0], ["5", 0], ["'row'", 0, "hidden"]]
    parts = [shown.at(path) for path in paths]
    assert [part and part.text for part in parts] == ["2", "4", "6", "0"]
    assert shown.at(["'row'", 7]) is None


def test_the_same_object_has_the_same_identity(tmp_path: Path) -> None:
    held: list[Any] = []
    show, numbers, end = formatter(tmp_path, held, [held], [])
    first, outer, other = (show.value(number, end) for number in numbers)
    assert first.identity == outer.parts[0].value.identity != other.identity
    show, (number,), end = formatter(tmp_path, (1, 2))
    assert show.value(number, end).identity is None


def test_large_values_are_bounded(tmp_path: Path) -> None:
    deep: list[Any] = []
    for _ in range(100):
        deep = [deep]
    wide = [[[list(range(50)) for _ in range(50)] for _ in range(50)] for _ in range(50)]
    for value in (list(range(10_000)), "x" * 10_000_000, b"x" * 10_000_000, 7**100_000, -(7**900), deep, wide):
        show, (number,), end = formatter(tmp_path, value)
        shown = show.value(number, end)
        assert len(shown.text) <= MOST_TEXT + 10
        assert len(shown.parts) <= 100
    show, (number,), end = formatter(tmp_path, list(range(10_000)))
    assert show.value(number, end).elided == 9_900
    assert "…" in text(tmp_path, "x" * 5000)


def test_a_value_reads_as_it_was(tmp_path: Path) -> None:
    held = [1]
    chunk = [images.IMAGE_LIST, held, (1,), images.CALL_METHOD, held, "append", (2,), MARK, held]
    held.append(2)
    recording, heap = opened(write(tmp_path / "r", chunk))
    show = ValueFormatter(recording, heap)
    number = int(recording.words[1])
    assert [show.value(number, position).text for position in (0, 3, 4, 9)] == ["[1]", "[1]", "[1, 2]", "[1, 2]"]
    assert show.digest(number, 0) == show.digest(number, 3) != show.digest(number, 9)


def test_uncertain_values_are_labelled(tmp_path: Path) -> None:
    held = [3]
    chunk = [images.IMAGE_LIST, held, (3,), images.CALL_METHOD, held, "extend", (iter([1]),)]
    recording, heap = opened(write(tmp_path / "r", chunk))
    show = ValueFormatter(recording, heap)
    number = int(recording.words[1])
    assert show.value(number, 7).text == "[3] (perhaps)"
    with pytest.raises(CannotRebuild, match="is uncertain"):
        show.plain(number, 7)


def digest(path: Path, value: Any) -> str:
    show, (number,), end = formatter(path, value)
    return show.digest(number, end)


def test_digests_tell_structures_apart_and_nothing_else(tmp_path: Path) -> None:
    shared: list[Any] = []
    ring: list[Any] = []
    ring.append(ring)
    other_ring: list[Any] = []
    other_ring.append(other_ring)
    long_ring: list[Any] = [[]]
    long_ring[0].append(long_ring)
    alike = [
        *(([1, 2], [1, 2]), ({1, "a", 2.0}, {2.0, "a", 1}), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), (ring, other_ring)),
        *((Point(1, 2), Point(1, 2)), ((1, (2,)), (1, (2,))), ({Colour.RED}, {Colour.RED}), (math.nan, -math.nan)),
        *(([shared, shared], [ring[:0]] * 2), ({Node(1), Node(2)}, {Node(2), Node(1)}), (([],), ([],))),
    ]
    for left, same in alike:
        assert digest(tmp_path, left) == digest(tmp_path, same)
    different: list[object] = [
        *(
            1,
            1.0,
            True,
            "1",
            b"1",
            None,
            [1],
            (1,),
            {1},
            frozenset((1,)),
            {1: 1},
            {1: 2},
            [1, 2],
            [2, 1],
            [[1], 2],
            [[1, 2]],
        ),
        *(Point(1, 2), Pair(1, 2), (1, 2), Point(2, 1), [shared, shared], [[], []], ring, long_ring, [[[]]], 0.0, -0.0),
        *(
            Colour.RED,
            Colour,
            Access.READ,
            Access.READ | Access.WRITE,
            Access(0),
            bytearray(b"1"),
            collections.OrderedDict(a=1, b=2),
            collections.OrderedDict(b=2, a=1),
        ),
        *(collections.deque([1]), collections.deque([1], 2), ValueError(1), ValueError(2), "ab", ("a", "b"), ("ab",)),
    ]
    assert len({digest(tmp_path, value) for value in different}) == len(different)


def test_digests_of_deep_and_of_shared_structures_end(tmp_path: Path) -> None:
    deep: list[Any] = []
    for _ in range(20_000):
        deep = [deep]
    assert digest(tmp_path, deep) != digest(tmp_path, deep[0])
    twice: Any = ()
    for _ in range(60):
        twice = (twice, twice)
    around: Any = ([],)
    for _ in range(30):
        around = (around, around)
    assert digest(tmp_path, twice) != digest(tmp_path, twice[0])
    assert digest(tmp_path, around)


def rebuild(plain: dict[str, Any]) -> Any:
    """Builds values as another process would, from the description alone."""
    nodes = plain["values"]
    made: dict[int, Any] = {}

    def named(module: str, name: str) -> Any:
        return reduce(getattr, name.split("."), importlib.import_module(module))

    def of(index: int) -> Any:
        if index not in made:
            made[index] = build(*nodes[index], index=index)
        return made[index]

    def build(tag: str, *rest: Any, index: int) -> Any:
        if tag == "object":
            return build_object(index, *rest)
        makers: dict[str, Any] = {
            "constant": lambda value: value,
            "int": lambda value: value if isinstance(value, int) else int(value, 16),
            "float": float.fromhex,
            "complex": lambda real, imag: complex(float.fromhex(real), float.fromhex(imag)),
            "str": lambda value: value,
            "bytes": bytes.fromhex,
            "named": {"Ellipsis": ..., "NotImplemented": NotImplemented}.__getitem__,
            "class": named,
            "function": named,
            "module": importlib.import_module,
            "member": lambda module, name, member, value: (
                named(module, name)[member] if member else named(module, name)(of(value))
            ),
            "derived": lambda module, name, value: named(module, name)(*of(value)),
            "built": lambda module, name, value: named(module, name)(*of(value)[:7]),
        }
        if tag in makers:
            return makers[tag](*rest)
        collected: dict[str, Callable[[list[Any]], Any]] = {
            "tuple": tuple,
            "frozenset": frozenset,
            "range": lambda parts: range(*parts),
            "slice": lambda parts: slice(*parts),
        }
        return collected[tag]([of(part) for part in rest[0]])

    def build_object(index: int, *rest: Any) -> Any:
        module, name, base, extra, content, attributes = rest
        cls = named(module, name)
        o: Any = cls.__new__(cls) if base != "bytearray" else bytearray.fromhex(content)
        made[index] = o
        if base == "deque":
            collections.deque.__init__(o, [], of(extra))
        if base in ("list", "deque"):
            o.extend(of(item) for item in content)
        elif base in ("dict", "ordered"):
            o.update((of(key), of(value)) for key, value in content)
        elif base == "set":
            o.update(of(item) for item in content)
        for attribute, value in attributes.items():
            object.__setattr__(o, attribute, of(value))
        return o

    return of(plain["root"])


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=60
)
@given(value=NESTED)
def test_a_value_can_be_built_again(tmp_path: Path, value: Any) -> None:
    show, (number,), end = formatter(tmp_path, value)
    plain = json.loads(json.dumps(show.plain(number, end)))
    assert picture(rebuild(plain)) == picture(value)


def test_sharing_cycles_and_known_types_are_rebuilt(tmp_path: Path) -> None:
    shared = [1]
    node = Node(shared)
    node.next = node
    moment = datetime.datetime(2024, 1, 1)
    value = [
        shared,
        shared,
        node,
        Pair(1, 2),
        Colour.RED,
        decimal.Decimal("1.5"),
        Point(1, 2),
        text,
        Node,
        json,
        moment,
    ]
    show, (number,), end = formatter(tmp_path, value)
    again = rebuild(json.loads(json.dumps(show.plain(number, end))))
    assert again[0] is again[1] is again[2].value
    assert again[2].next is again[2]
    assert again[3:] == value[3:]


@pytest.mark.parametrize(
    "value", [iter([]), (n for n in range(0)), lambda: 0, object()], ids=lambda value: type(value).__name__
)
def test_values_that_cannot_be_rebuilt_are_refused(tmp_path: Path, value: Any) -> None:
    show, (number,), end = formatter(tmp_path, [value])
    with pytest.raises(CannotRebuild):
        show.plain(number, end)
