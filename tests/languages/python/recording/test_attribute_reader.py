"""Attributes are read without asking objects for their dictionaries, and without running any code of theirs."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NoReturn

import pytest

from tests.languages.python.recording.support import accelerated, recorder_module

peek = recorder_module("observe.attribute_reader")
look = recorder_module("observe.object_inspector")
NAMES = ("first", "second", "third", "only", "shadowed", "computed")


@pytest.fixture(autouse=True, params=["Python", "C"])
def names(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(peek, "accelerator", accelerated() if request.param == "C" else None)
    peek.learn({"markers": [{"writes": [["set_attr", name, 0, 1]]} for name in NAMES] + [{}]})
    yield
    peek.forget()


def asked(*_args: Any) -> NoReturn:
    raise AssertionError("code of the program was run")


class Plain:
    shadowed = 5

    def __init__(self, **held: Any) -> None:
        for name, value in held.items():
            setattr(self, name, value)


def pairs(o: Any) -> dict[str, Any] | None:
    attributes = peek.peeked(o)
    return None if attributes is None else dict(zip(attributes[::2], attributes[1::2], strict=True))


def test_all_attributes_are_found() -> None:
    for number in range(5):
        held = {"first": number, "second": [number], "third": None}
        assert pairs(Plain(**held)) == held
    assert pairs(Plain(only=1.5)) == {"only": 1.5}
    assert pairs(Plain(second=1, first=1)) == {"first": 1, "second": 1}
    assert pairs(Plain()) == {}


@pytest.mark.parametrize("held", [{"unknown": 1}, {"first": 1, "unknown": 2}, {"shadowed": 6}, {"shadowed": 5}])
def test_attributes_that_cannot_all_be_read_are_not_read(held: dict[str, Any]) -> None:
    assert pairs(Plain(**held)) is None
    assert pairs(Plain(**held)) is None


def test_the_attributes_of_an_object_whose_dict_was_requested_are_not_read_directly() -> None:
    o = Plain(first=1, second=2)
    assert vars(o)
    assert pairs(o) is None
    assert pairs(Plain(first=3, second=4)) == {"first": 3, "second": 4}


def test_no_code_is_run() -> None:
    class Curious(Plain):
        computed = property(asked, lambda _self, _value: None)
        __getattr__ = __eq__ = __hash__ = asked

    assert pairs(Curious(first=1, second=2)) == {"first": 1, "second": 2}
    assert pairs(Curious(first=1)) == {"first": 1}
    asking = type("Asking", (Plain,), {"__getattribute__": asked})
    assert pairs(asking(first=1, second=2)) == {"first": 1, "second": 2}
    assert pairs(asking(first=3, second=4)) == {"first": 3, "second": 4}


@pytest.mark.parametrize("name", ["first", "__getattr__", "__getattribute__"])
def test_code_added_to_a_class_later_is_not_run(name: str) -> None:
    class Changing(Plain):
        pass

    assert pairs(Changing(first=1, second=2)) == {"first": 1, "second": 2}
    o, fewer = Changing(first=3, second=4), Changing(second=5)
    setattr(Changing, name, property(asked) if name == "first" else asked)
    assert pairs(o) == (None if name == "first" else {"first": 3, "second": 4})
    assert pairs(fewer) in (None, {"second": 5})


def test_objects_with_varying_attributes_are_read_correctly_or_not_at_all() -> None:
    for number in range(40):
        held = {name: object() for index, name in enumerate(NAMES[:4]) if number >> index & 1}
        assert pairs(Plain(**held)) in (held, None)


class Slotted:
    __slots__ = ("first", "second")


class Caching(Plain):
    kept = cached_property(asked)


class Made(Plain):
    def __new__(cls, **_held: Any) -> "Made":
        return super().__new__(cls)


class Setting(Plain):
    computed = property(asked, asked)


class Meta(type):
    pass


class WithMeta(metaclass=Meta):
    pass


@pytest.mark.parametrize("cls", [Plain, Slotted])
def test_objects_of_plain_classes_begin_with_nothing(cls: type) -> None:
    assert look.Inspector(cls, lambda module: module != "builtins").is_born()
    assert not look.Inspector(cls, lambda _module: False).is_born()


@pytest.mark.parametrize("base", [Caching, Made, Setting, WithMeta, list, dict, Exception, int, property])
def test_other_objects_may_begin_with_something(base: type) -> None:
    for cls in (base, type("Derived", (base,), {})):
        assert not look.Inspector(cls, lambda module: module != "builtins").is_born()
