"""The symbolic costs of one run by cost centre, as front ends show them."""

from collections.abc import Callable
from pathlib import Path

from attrs import frozen


@frozen
class ProfileRequest:
    """A program whose costs are counted."""

    program: Path
    workspace: Path
    write: Callable[[str], None]
    """Called with what the program prints."""
    read: Callable[[], str]
    """Returns the next line of standard input, with its end; empty at the end of the input."""
    per_function: bool = False
    """Whether every function of the user is a cost centre, even if the program names centres."""
    instrumented: bool = False
    """Whether to count in an instrumented version of the program instead of a cost-counting interpreter; centres then
    have no paths.
    """
    timeout: float | None = None


@frozen
class CostKind:
    """A kind of cost."""

    symbol: str
    meaning: str


@frozen
class CostCentre:
    """The costs of a cost centre for one path by which it was entered."""

    path: tuple[str, ...]
    """The names of the centres from the outermost to this one."""
    costs: tuple[int, ...]
    """The costs in the order of the kinds, without those of centres below."""


@frozen
class CostProfile:
    """The costs of a run."""

    kinds: tuple[CostKind, ...]
    centres: tuple[CostCentre, ...]
    exit_code: int
    message: str = ""
    """Why the run did not end by itself; the costs are those up to that point."""

    def totals(self) -> dict[str, list[int]]:
        """The costs of each centre, over all paths."""
        result: dict[str, list[int]] = {}
        for centre in self.centres:
            sums = result.setdefault(centre.path[-1], [0] * len(self.kinds))
            sums[:] = map(int.__add__, sums, centre.costs)
        return result
