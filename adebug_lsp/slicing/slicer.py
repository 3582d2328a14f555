"""Slices for front ends: the interface that a language implements, and slices as executed statements."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from typing import Protocol

from attrs import evolve, field, frozen

from adebug_lsp.model.answers import Mark
from adebug_lsp.model.source import Location
from adebug_lsp.slicing.provenance import Certainty


@frozen
class Criterion:
    """The value that a slice is taken of."""

    text: str
    """The value as people read it: `total after line 12 of pay.py`."""
    nodes: tuple[Hashable, ...]
    """Nodes of the language's dependence graph."""
    moment: int
    """The moment of the value, as a position in the run."""
    at: Location | None = None
    """The statement after which it is taken; None for a part of a call."""
    words: tuple[int, ...] = ()
    """The values, by the language's numbers."""


@frozen
class SliceStep:
    """One executed statement of a slice, or one evaluation of a condition."""

    moment: int
    place: Location
    certainty: Certainty = field(default=Certainty.EXACT, eq=False)
    around: tuple[Location, ...] = field(default=(), eq=False)
    """The heads of the routine, class and blocks around it."""


@frozen
class Slice:
    """A slice of a run."""

    steps: tuple[SliceStep, ...]
    """The steps in the order in which they ended."""
    after: int | None = field(default=None, eq=False)
    """For a forward slice: the moment of its criterion; later steps use the value."""
    followed: int | None = None
    """For a slice that was too long: the number of dependences that were followed; all earlier code is included."""

    @property
    def places(self) -> frozenset[Location]:
        """The source of the slice."""
        return frozenset(step.place for step in self.steps)

    def lines(self) -> dict[str, set[int]]:
        """The lines of the slice by file, counted from 0."""
        return _lines(self.places)

    def lines_around(self) -> dict[str, set[int]]:
        """The lines of the heads around it."""
        return _lines(frozenset(place for step in self.steps for place in step.around))

    def without(self, other: "Slice") -> "Slice":
        """A dice: the steps whose source the other slice does not have."""
        return evolve(self, steps=tuple(step for step in self.steps if step.place not in other.places))


@frozen
class ReducedFile:
    """A file of a program without the code outside a slice."""

    text: str
    lines: tuple[int, ...]
    """For each of its lines, the number of the original line, from 0."""


def _lines(places: frozenset[Location]) -> dict[str, set[int]]:
    lines: dict[str, set[int]] = defaultdict(set)
    for place in places:
        lines[place.path].update(range(place.range.start.line, place.range.end.line + 1))
    return dict(lines)


class Slicer(Protocol):
    """Slices of one recorded run; implemented by languages."""

    def variable(self, path: str, line: int, name: str | None, nth: int | None) -> Criterion:
        """A variable just after a line (from 0) ran for the n-th time (from 1; None means the last).

        Without a name, everything that the line computed. Raises `NoSuchValueError`.
        """

    def part(self, node: int, mark: Mark) -> Criterion:
        """A part of the inputs or the outcome of a node; raises `NoSuchValueError`."""

    def backward(self, criterion: Criterion) -> Slice:
        """Everything that the value depends on."""

    def forward(self, criterion: Criterion) -> Slice:
        """Everything that depends on the value."""

    def chop(self, source: Criterion, target: Criterion) -> Slice:
        """Everything by which one value affects another."""

    def value(self, criterion: Criterion) -> str:
        """The value as text: equal for equal values, even of other runs."""

    def programs(self, criterion: Criterion) -> Iterator[Mapping[str, ReducedFile]]:
        """Programs, by path, that should compute the value without the code that it does not depend on, smallest first.

        Raises `BadInputError` if the program may not be executed to verify that.
        """
