"""What processes did to one another, in order: who started whom, and who sent what to whom."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property

from attrs import frozen


class ArrowKind(Enum):
    """What goes from one process to another."""

    START = "starts"
    MESSAGE = "sends"
    LOST = "sends in vain"
    LINK = "is linked with"
    SIGNAL = "signals"
    EXIT = "takes along"
    """The end of one is the end of another that is linked with it."""
    END = "ends"


@frozen
class Lane:
    """One process."""

    name: str
    text: str
    """What it began with, and how it ended."""
    parent: int
    """The lane of the process that started it; -1: none."""
    node: int
    """The node of the tree that is about all that it did."""


@frozen
class Arrow:
    """One event between two processes, or of one alone."""

    kind: ArrowKind
    source: int
    target: int
    """The lane that it leads to; -1: none that is recorded."""
    text: str
    node: int
    """The innermost node in which it happened."""


@frozen(slots=False)
class Diagram:
    """All of them. A debugger wants the processes of a run at once; its events may be many."""

    lanes: Sequence[Lane]
    _draw: Callable[[], Sequence[Arrow]]

    @cached_property
    def arrows(self) -> Sequence[Arrow]:
        """The events, in the order in which the run did them."""
        return self._draw()
