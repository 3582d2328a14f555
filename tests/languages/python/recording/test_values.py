"""Whatever values a tape holds, the reader gives them back."""

import collections
import datetime
import decimal
import enum
import fractions
import io
import pathlib
import sys
import uuid
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adebug_lsp.languages.python.reading.recorded_values import (
    Atom,
    Derived,
    Member,
    Object,
    Opaque,
    TupleLike,
    TypeInfo,
)
from tests.languages.python.recording.support import MARK, opened, picture, show, write

pytestmark = pytest.mark.usefixtures("twin")

ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(1 << 70), 1 << 70)
    | st.floats()
    | st.complex_numbers()
    | st.text(st.characters(exclude_categories=[]))
    | st.binary()
    | st.just(...)
)
HASHABLE = st.recursive(
    ATOMS, lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3), max_leaves=8
)


class Thing:
    next: "Thing"

    def __init__(self, **held: Any) -> None:
        self.__dict__.update(held)


NESTED = st.recursive(
    HASHABLE | st.builds(range, st.integers(), st.integers(), st.integers(1, 9)),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(HASHABLE, inner, max_size=4)
        | st.sets(HASHABLE, max_size=4)
        | st.lists(inner, max_size=4).map(collections.deque)
        | st.binary().map(bytearray)
        | st.dictionaries(st.from_regex("[a-z]{1,4}", fullmatch=True), inner, max_size=4).map(lambda h: Thing(**h))
        | st.builds(slice, inner, inner, inner)
    ),
    max_leaves=30,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(spills=st.lists(st.lists(NESTED, max_size=6), max_size=3))
def test_every_value_round_trips(tmp_path: Path, spills: list[list[Any]]) -> None:
    chunks = [[word for value in values for word in (MARK, value)] for values in spills]
    expected = [picture(value) for values in spills for value in values]
    recording, heap = opened(write(tmp_path / "r", *chunks))
    assert (recording.words[::2] == 64).all()
    end = len(recording.words)
    assert [show(recording, heap, int(word), end) for word in recording.words[1::2]] == expected


def test_an_object_keeps_its_number_and_atoms_do_not_need_one(tmp_path: Path) -> None:
    shared: list[Any] = []
    recording, _heap = opened(write(tmp_path / "r", [MARK, shared, MARK, [1]], [MARK, shared, MARK, [1]]))
    first, other, again, another = recording.words[1::2].tolist()
    assert first == again
    assert len({first, other, another}) == 3


def test_a_number_is_never_given_to_another_object(tmp_path: Path) -> None:
    """Objects die between spills and new ones take their place in memory."""
    chunks = ([MARK, [turn]] for turn in range(300))
    path = tmp_path / "r"
    recording, heap = opened(write(path, *chunks))
    numbers = recording.words[1::2].tolist()
    assert len(set(numbers)) == 300
    held = [recording.values.atom(heap.state(number, len(recording.words)).items[0]) for number in numbers]
    assert held == list(range(300))


class Colour(enum.Enum):
    RED = 1


class Small(enum.IntEnum):
    ONE = 1


class Word(str):
    __slots__ = ()


class Tagged(str):
    pass


class Stack(list[Any]):
    def __init__(self, *items: Any) -> None:
        super().__init__(items)
        self.name = "s"


class Pair(NamedTuple):
    x: int
    y: int


@dataclass
class Point:
    x: int
    y: int


class Slotted:
    __slots__ = ("empty", "x")

    def __init__(self) -> None:
        self.x = 1


def test_types_say_what_they_are(tmp_path: Path) -> None:
    tagged = Tagged("t")
    tagged.mark = 5  # type: ignore[attr-defined]
    things = [Colour.RED, Small.ONE, Word("w"), tagged, Stack(1, 2), Pair(1, 2), Point(1, 2), Slotted(), ValueError(3)]
    recording, heap = opened(write(tmp_path / "r", [word for thing in things for word in (MARK, thing)]))
    values, end = recording.values, len(recording.words)
    decoded = [values.value(int(word)) for word in recording.words[1::2]]
    colour, small, word, text, stack, pair, point, slotted, error = decoded
    assert isinstance(colour, Member)
    assert isinstance(small, Member)
    assert (colour.type.name, values.atom(colour.name), values.atom(small.value)) == ("Colour", "RED", 1)
    assert isinstance(word, Derived)
    assert (word.type.base, values.atom(word.value)) == ("str", "w")
    assert isinstance(text, Object)
    assert text.extra is not None
    assert values.atom(text.extra) == "t"
    assert isinstance(stack, Object)
    state = heap.state(int(recording.words[9]), end)
    assert [values.atom(item) for item in state.items] == [1, 2]
    assert [(name, values.atom(value)) for name, value in state.attributes] == [("name", "s")]
    assert isinstance(pair, Derived)
    assert pair.type.fields == (("x", True, True), ("y", True, True))
    assert isinstance(point, Object)
    assert point.type.equal == "dataclass"
    assert [name for name, _value in heap.state(int(recording.words[13]), end).attributes] == ["x", "y"]
    assert isinstance(slotted, Object)
    assert [name for name, _value in heap.state(int(recording.words[15]), end).attributes] == ["x"]
    assert isinstance(error, Object)
    assert error.type.base == "exception"
    assert error.extra is not None
    assert [values.atom(item) for item in values.items(error.extra)] == [3]


class Named(io.RawIOBase):
    """A stream of a program, with a property that nobody may call."""

    @property
    def name(self) -> str:
        raise AssertionError

    def readable(self) -> bool:
        return True


def test_a_file_has_the_name_that_it_was_opened_by(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.touch()
    detached = io.TextIOWrapper(io.BytesIO())
    detached.detach()
    with ExitStack() as closing:
        text, binary, both = (closing.enter_context(open(file, mode)) for mode in ("r", "rb", "r+b"))
        raw = closing.enter_context(open(file, "rb", 0))
        number = closing.enter_context(open(raw.fileno(), "rb", closefd=False))
        descriptor = f"descriptor {raw.fileno()}"
        streams = [text, binary, both, raw, number, detached, io.BufferedReader(Named()), io.StringIO()]
        recording, _heap = opened(write(tmp_path / "r", [word for stream in streams for word in (MARK, stream)]))
    values = [recording.values.value(int(word)) for word in recording.words[1::2]]
    names = [value.name for value in values if isinstance(value, Opaque)]
    assert names == [str(file)] * 4 + [descriptor, None, None, None]


def test_values_that_are_described_by_name(tmp_path: Path) -> None:
    thing, nothing = Thing(), list[int]()
    method = thing.__init__  # type: ignore[misc]  # any bound method of a class of the program
    things = [
        test_values_that_are_described_by_name,
        Point,
        sys,
        len,
        nothing.append,
        method,
        (n for n in nothing),
        object(),
    ]
    recording, _heap = opened(write(tmp_path / "r", [word for thing in things for word in (MARK, thing)]))
    decoded = [recording.values.value(int(word)) for word in recording.words[1::2]]
    assert isinstance(decoded[1], TypeInfo)
    assert (decoded[1].module, decoded[1].name) == (__name__, "Point")
    named = [(value.type.name, value.name) for value in decoded if isinstance(value, Opaque)]
    assert named == [
        ("function", "test_values_that_are_described_by_name"),
        ("module", "sys"),
        ("builtin_function_or_method", "len"),
        ("builtin_function_or_method", "append"),
        ("method", "Thing.__init__"),
        ("generator", "test_values_that_are_described_by_name.<locals>.<genexpr>"),
        ("object", None),
    ]


def test_values_of_the_standard_library_are_given_by_their_arguments(tmp_path: Path) -> None:
    moment = datetime.datetime(2024, 2, 29, 12, 30, 1, 5, datetime.timezone.utc)
    things = {
        "date": (datetime.date(2024, 2, 29), [2024, 2, 29]),
        "timedelta": (datetime.timedelta(1, 2, 3), [1, 2, 3]),
        "Decimal": (decimal.Decimal("1.50"), ["1.50"]),
        "Fraction": (fractions.Fraction(6, 4), [3, 2]),
        "UUID": (uuid.UUID(int=5), [f"{5:032x}"]),
        "PurePosixPath": (pathlib.PurePosixPath("a") / "b", ["a/b"]),
    }
    chunk = [word for thing, _arguments in things.values() for word in (MARK, thing)]
    recording, _heap = opened(write(tmp_path / "r", [*chunk, MARK, moment]))
    values = recording.values
    for word, (name, (_thing, arguments)) in zip(recording.words[1::2].tolist(), things.items(), strict=False):
        value = values.value(word)
        assert isinstance(value, Derived)
        assert (value.type.name, value.type.base) == (name, "built")
        assert [values.atom(item) for item in values.items(value.value)] == arguments
    last = values.value(int(recording.words[-1]))
    assert isinstance(last, Derived)
    zone = values.value(values.items(last.value)[7])
    assert isinstance(zone, Derived)
    assert zone.type.name == "timezone"


def refuse(*_args: Any, **_kwargs: Any) -> Any:
    raise AssertionError("code of the program was run")


NAMES = [
    *(
        "__repr__",
        "__str__",
        "__eq__",
        "__ne__",
        "__hash__",
        "__bool__",
        "__len__",
        "__iter__",
        "__next__",
        "__getattr__",
    ),
    *(
        "__getattribute__",
        "__contains__",
        "__getitem__",
        "__index__",
        "__int__",
        "__float__",
        "__format__",
        "__reduce__",
    ),
    *("__reduce_ex__", "__dir__", "__sizeof__", "__class_getitem__", "__lt__", "__copy__", "__deepcopy__", "__call__"),
    *("__instancecheck__", "__subclasscheck__", "keys", "items", "values", "__reversed__", "__missing__", "copy"),
]


class Wild(type):
    """A metaclass whose classes refuse everything, too."""


for _name in NAMES:
    setattr(Wild, _name, refuse)


def hostile(base: type, *arguments: Any) -> Any:
    cls = type.__call__(
        Wild, f"Hostile_{base.__name__}", (base,), {**dict.fromkeys(NAMES, refuse), "__dict__": property(refuse)}
    )
    made = base.__new__(cls, *arguments)
    if base in (list, dict, set, collections.deque, bytearray):
        base.__init__(made, *arguments)
    return made


@pytest.mark.parametrize(
    ("base", "argument"),
    [
        *((list, [1]), (dict, {1: 2}), (set, {1}), (collections.deque, [1]), (bytearray, b"a")),
        *((int, 5), (float, 1.5), (str, "s"), (bytes, b"b"), (tuple, (1, 2)), (frozenset, {1}), (Exception, 1)),
        *((collections.OrderedDict, {}), (complex, 1j)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_no_code_of_the_program_runs(tmp_path: Path, base: type, argument: Any) -> None:
    made = hostile(base, argument)
    plain = hostile(object)
    chunk = [MARK, made, MARK, type(made), MARK, [made, plain], MARK, (plain, made), MARK, plain]
    recording, heap = opened(write(tmp_path / "r", chunk))
    decoded = recording.values.value(int(recording.words[1]))
    assert isinstance(decoded, Object | Derived)
    assert decoded.type.name == f"Hostile_{base.__name__}"
    if isinstance(decoded, Object):
        heap.state(int(recording.words[1]), len(recording.words))


def test_keys_of_dictionaries_and_sets_are_not_asked(tmp_path: Path) -> None:
    calls: list[str] = []

    class Key:
        def __hash__(self) -> int:
            calls.append("hash")
            return 1

        def __eq__(self, other: object) -> bool:
            calls.append("eq")
            return self is other

    a, b = Key(), Key()
    chunk = [MARK, {a: 1, b: 2}, MARK, {a, b}, MARK, collections.OrderedDict([(a, 1), (b, 2)]), MARK, frozenset((a, b))]
    calls.clear()
    recording, heap = opened(write(tmp_path / "r", chunk))
    assert calls == []
    assert len(heap.state(int(recording.words[1]), 8).pairs) == 2
    assert len(heap.state(int(recording.words[3]), 8).items) == 2


def test_nesting_depth_is_not_limited(tmp_path: Path) -> None:
    deep: Any = ()
    for _ in range(5000):
        deep = (deep,)
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    recording, heap = opened(write(tmp_path / "r", [MARK, deep, MARK, nested]))
    number, depth = int(recording.words[1]), 0
    while recording.values.items(number):
        number, depth = recording.values.items(number)[0], depth + 1
    assert depth == 5000
    number, depth = int(recording.words[3]), 0
    while heap.state(number, 4).items:
        number, depth = heap.state(number, 4).items[0], depth + 1
    assert depth == 5000


def test_objects_of_others_are_looked_at_nearby_only(tmp_path: Path) -> None:
    first = last = Thing()
    for _ in range(5):
        last.next = Thing()
        last = last.next
    recording, heap = opened(write(tmp_path / "r", [MARK, first], is_user_code=lambda module: module == "mine"))
    number, known = int(recording.words[1]), 0
    while True:
        state = heap.state(number, 2)
        if state.uncertain:
            break
        known += 1
        number = state.attributes[0][1]
    assert known == 2


def test_a_deeply_nested_object_is_inspected_when_a_tape_names_it(tmp_path: Path) -> None:
    first = last = Thing()
    for _ in range(5):
        last.next = Thing()
        last = last.next
    far = first.next.next.next
    path = write(tmp_path / "r", [MARK, first], [MARK, far], is_user_code=lambda module: module == "mine")
    recording, heap = opened(path)
    assert not heap.state(int(recording.words[3]), 4).uncertain


def test_atoms_keep_their_values(tmp_path: Path) -> None:
    things = [True, 1, 1.0, "1", b"1", None, ..., NotImplemented, -0.0, 1 << 64, "\ud800", 1j]
    recording, _heap = opened(write(tmp_path / "r", [word for thing in things for word in (MARK, thing)]))
    decoded = [recording.values.value(int(word)) for word in recording.words[1::2]]
    assert [(value.type, repr(value.value)) for value in decoded if isinstance(value, Atom)] == [
        (type(thing).__name__, repr(thing)) for thing in things
    ]


def test_a_tuple_holds_the_very_objects(tmp_path: Path) -> None:
    held: list[Any] = []
    recording, _heap = opened(write(tmp_path / "r", [MARK, (held, held), MARK, held]))
    value = recording.values.value(int(recording.words[1]))
    assert isinstance(value, TupleLike)
    assert value.items == (int(recording.words[3]),) * 2
