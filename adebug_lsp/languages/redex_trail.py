"""The trail of a lazy run, as front ends show it: how a value was computed, call by call."""

from typing import Any, Protocol, runtime_checkable

from attrs import frozen

from adebug_lsp.model.source import Location


@frozen
class TrailArgument:
    """An argument of a call, or a field of a constructor."""

    name: str
    text: str
    """Its value, as far as the whole run evaluated it."""
    address: str
    """Opens the trail of this argument; empty if nothing is recorded of how it was made."""


@frozen
class TrailRow:
    """One step: `value = call`."""

    number: str
    value: str
    call: str
    place: Location | None
    """Where the call is written; None: in the library."""
    arguments: tuple[TrailArgument, ...]


@frozen
class Trail:
    """The steps that led to one value, the first call first and the value last."""

    title: str
    rows: tuple[TrailRow, ...]
    has_more: bool = False
    """Whether only the first of many steps are in it."""


class Tracer(Protocol):
    """Implemented by a language. A run that was stopped has the steps up to there."""

    def start(self) -> Trail:
        """The trail of the whole program."""

    def call(self, text: str, nth: int | None) -> Trail:
        """The trail of the n-th call of a function (from 1; None: the first); raises `NoSuchValueError`."""

    def argument(self, address: str) -> Trail:
        """The trail that made an argument; raises `NoSuchValueError`."""


@runtime_checkable
class Traced(Protocol):
    """An open recording of a language that has trails."""

    def tracer(self, _subject: Any, /) -> Tracer:
        """The trails of a run."""
