"""The kinds of execution nodes, and the granularities at which a session can ask about them.

Numbers are part of the tree file format: add at the end, never renumber.
"""

from enum import Enum, IntEnum


class NodeKind(IntEnum):
    """The kind of code fragment that a node executed."""

    ROUTINE = 0
    LAMBDA = 1
    GENERATOR = 2
    COROUTINE = 3
    PROCESS_STEP = 4
    LOOP = 5
    ITERATION = 6
    ITERATION_RANGE = 7
    BLOCK = 8
    STATEMENT = 9
    EXPRESSION = 10
    PROJECTION = 11
    COLLAPSE = 12

    @property
    def label(self) -> str:
        """The name in messages, options and JSON."""
        return "range" if self is NodeKind.ITERATION_RANGE else self.name.lower().replace("_", "-")


def kind_named(name: str) -> NodeKind | None:
    """Return the kind with a label, or with its name in prose: "process step", "iteration range", "collapse node"."""
    plain = name.lower().replace(" ", "-").replace("_", "-").removesuffix("-node")
    return next((kind for kind in NodeKind if plain in (kind.label, kind.name.lower().replace("_", "-"))), None)


class Granularity(Enum):
    """The finest kind of questions; nodes of finer kinds are not asked about until the session zooms."""

    ROUTINE = "routine"
    STATEMENT = "statement"
    EXPRESSION = "expression"

    @property
    def kinds(self) -> frozenset[NodeKind]:
        """The kinds of nodes that may be asked about."""
        return _KINDS[self]


_ROUTINES = frozenset(
    {
        NodeKind.ROUTINE,
        NodeKind.LAMBDA,
        NodeKind.GENERATOR,
        NodeKind.COROUTINE,
        NodeKind.PROCESS_STEP,
        NodeKind.PROJECTION,
        NodeKind.COLLAPSE,
    }
)
_KINDS = {
    Granularity.ROUTINE: _ROUTINES,
    Granularity.STATEMENT: frozenset(NodeKind) - {NodeKind.EXPRESSION},
    Granularity.EXPRESSION: frozenset(NodeKind),
}

ROUTINE_KINDS = _ROUTINES
"""The kinds of nodes in a routine tree (Def. 4.16), including the ranges that balancing adds."""

LOOP_KINDS = frozenset({NodeKind.LOOP, NodeKind.ITERATION, NodeKind.ITERATION_RANGE})
"""The kinds that loop expansion adds to a routine tree."""
