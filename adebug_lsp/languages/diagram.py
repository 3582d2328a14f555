"""A sequence diagram of processes: which process started which, and which messages were sent, in order."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property

from attrs import frozen


class ArrowKind(Enum):
    """The kind of an event between processes."""

    START = "starts"
    MESSAGE = "sends"
    LOST = "sends in vain"
    LINK = "is linked with"
    SIGNAL = "signals"
    EXIT = "takes along"
    """One process ends because another that is linked with it ended."""
    END = "ends"


@frozen
class Lane:
    """One process."""

    name: str
    text: str
    """Its first call, and how it ended."""
    parent: int
    """The lane of the process that started it; -1 if there is none."""
    node: int
    """The node of the tree for all that it did."""


@frozen
class Arrow:
    """One event between two processes, or in one."""

    kind: ArrowKind
    source: int
    target: int
    """The lane at its end; -1: that process is not recorded."""
    text: str
    node: int
    """The innermost node in which it happened."""


@frozen(slots=False)
class Diagram:
    """The processes, and their events, which are read on demand because there may be many."""

    lanes: Sequence[Lane]
    _draw: Callable[[], Sequence[Arrow]]

    @cached_property
    def arrows(self) -> Sequence[Arrow]:
        """The events, in the order of the run."""
        return self._draw()
