"""Time equations of a program, the costs of calls in closed form, and the stated costs that they contradict."""

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from adebug_lsp.model.source import Location


@frozen
class Equation:
    """The time equation of a function; `refused` is set if there is none."""

    name: str
    lines: tuple[str, ...]
    refused: str = ""
    """Where and why no equation could be derived."""


@frozen
class CallCost:
    """The number of function unfoldings in a call, by the sizes of its free variables."""

    call: str
    variables: tuple[str, ...]
    samples: tuple[tuple[tuple[int, ...], int, int | None], ...]
    """Sizes, cost to the first constructor, and cost to the whole result; the last is None if no end is in sight."""
    head: str | None
    """The cost to the first constructor in closed form; None if none was found."""
    whole: str | None
    refused: str = ""


@frozen
class Contradiction:
    """A cost stated in a comment that the equations contradict."""

    place: Location
    message: str


@frozen
class CostEquations:
    """Everything that `adebug time-equations` shows."""

    equations: tuple[Equation, ...]
    costs: tuple[CallCost, ...]
    contradictions: tuple[Contradiction, ...]


@frozen
class EquationsRequest:
    """A program, and calls whose costs are wanted."""

    program: Path
    workspace: Path
    calls: Sequence[str] = ()
