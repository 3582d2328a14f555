"""Activations, generator steps, loops and iterations of a run, as columns: there can be millions.

A *span* is identified by its row. Spans are numbered in the order in which they start.
"""

from array import array

from attrs import frozen

from adebug_lsp.languages.python.reading.static import Routine
from adebug_lsp.model.kinds import NodeKind

OPEN, RAISED = 1, 2
"""Flags of a span: it never ended; an exception ended it."""


@frozen
class Span:
    """One row."""

    number: int
    parent: int
    kind: NodeKind
    routine: Routine
    node: int
    """The syntax node of the definition or loop."""
    first: int
    """Position of its first record."""
    last: int
    """Position of the last word of its last record; its computation ended after it."""
    raised: bool
    open: bool
    activation: int
    """The activation (a span) that it belongs to; itself for one."""
    token: int
    """The number of a generator's or coroutine's activation; otherwise -1."""


class Spans:
    """All rows."""

    def __init__(self, routines: list[Routine]) -> None:
        self.routines = routines
        self.parent = array("i")
        self.kind = array("b")
        self.routine = array("i")
        self.node = array("i")
        self.first = array("q")
        self.last = array("q")
        self.flags = array("b")
        self.activation = array("i")
        self.flow = array("i")
        self.tokens: dict[int, int] = {}
        self.several: dict[int, int] = {}
        """Folded iterations, and how many each represents; at most one per loop."""
        self.in_order = True
        """Whether every span starts while its parent is the innermost open one."""

    def __len__(self) -> int:
        return len(self.parent)

    def __getitem__(self, number: int) -> Span:
        flags = self.flags[number]
        return Span(
            number,
            self.parent[number],
            NodeKind(self.kind[number]),
            self.routines[self.routine[number]],
            self.node[number],
            self.first[number],
            self.last[number],
            bool(flags & RAISED),
            bool(flags & OPEN),
            self.activation[number],
            self.tokens.get(number, -1),
        )

    def add(
        self, parent: int, kind: int, routine: int, node: int, first: int, *, activation: int = -1, flow: int = -1
    ) -> int:
        """Start a span; returns its number. A span without an activation is an activation itself."""
        number = len(self.parent)
        self.parent.append(parent)
        self.kind.append(kind)
        self.routine.append(routine)
        self.node.append(node)
        self.first.append(first)
        self.last.append(-1)
        self.flags.append(OPEN)
        self.activation.append(number if activation < 0 else activation)
        self.flow.append(flow)
        return number

    def end(self, number: int, last: int, *, raised: bool = False) -> None:
        """End a span."""
        self.last[number] = last
        self.flags[number] = RAISED if raised else 0
