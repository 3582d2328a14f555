"""Time equations of a program, the costs of calls in closed form, and stated costs that they contradict."""

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from adebug_lsp.model.source import Location


@frozen
class Equation:
    """A function that returns its value and its cost; `refused` is set if there is none."""

    name: str
    lines: tuple[str, ...]
    refused: str = ""
    """The place and the reason."""


@frozen
class CallCost:
    """The number of function unfoldings of a call, by the sizes of its free variables."""

    call: str
    variables: tuple[str, ...]
    samples: tuple[tuple[tuple[int, ...], int, int | None], ...]
    """Sizes, the cost to the first constructor, and to the whole result (None: it has no end in sight)."""
    head: str | None
    """The cost to the first constructor in closed form; None: none was found."""
    whole: str | None
    refused: str = ""


@frozen
class Contradiction:
    """A cost that a comment states, and the equations contradict."""

    place: Location
    message: str


@frozen
class CostEquations:
    """All that `adebug time-equations` shows."""

    equations: tuple[Equation, ...]
    costs: tuple[CallCost, ...]
    contradictions: tuple[Contradiction, ...]


@frozen
class EquationsRequest:
    """A program, and calls whose costs are wanted."""

    program: Path
    workspace: Path
    calls: Sequence[str] = ()
