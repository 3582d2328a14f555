"""The trail of a lazy run, as front ends show it: how a value was computed, call by call."""

from typing import Any, Protocol, runtime_checkable

from attrs import frozen

from adebug_lsp.model.source import Location


@frozen
class TrailArgument:
    """An argument of a call, or a field of a constructor."""

    name: str
    text: str
    """Its value, as far as the run evaluated it."""
    address: str
    """Opens the trail of this argument; empty if it is not recorded how it was made."""


@frozen
class TrailRow:
    """A step of a trail: `value = call`."""

    number: str
    value: str
    call: str
    place: Location | None
    """The place of the call; None if that is in the library."""
    arguments: tuple[TrailArgument, ...]


@frozen
class Trail:
    """The steps that led to one value, from the first call to the value."""

    title: str
    rows: tuple[TrailRow, ...]
    has_more: bool = False
    """Whether it has only the first of many steps."""


class Tracer(Protocol):
    """Trails of one run; implemented by languages. A run that was stopped has the steps up to that point."""

    def start(self) -> Trail:
        """The trail of the whole program."""

    def call(self, text: str, nth: int | None) -> Trail:
        """The trail of the n-th call of a function (from 1; None means the first); raises `NoSuchValueError`."""

    def argument(self, address: str) -> Trail:
        """The trail that made an argument; raises `NoSuchValueError`."""


@runtime_checkable
class Traced(Protocol):
    """An open recording of a language that has trails."""

    def tracer(self, _subject: Any, /) -> Tracer:
        """The trails of a run."""
