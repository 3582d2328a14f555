"""Behaviours (Def. 4.6): the environment before, the projection of the code, the environment after.

A question is a behaviour with its node, asked for a reason.
"""

from attrs import frozen

from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location, Site
from adebug_lsp.model.values import Environment, Value


@frozen
class Behaviour:
    """From this environment, this code led to that environment."""

    text: str
    """The whole behaviour on one line, as in `sum2(3) = 2`."""
    before: Environment = Environment()
    projection: tuple[Location, ...] = ()
    """The code that was executed and needed; empty where a tree carries no source."""
    after: Environment = Environment()
    result: Value | None = None
    raised: Value | None = None
    identity: str = ""
    """Equal in any run exactly when the same routine did the same from the same environment; empty: not comparable."""
    code_hash: str = ""
    """Changes when the routine's own source does; empty: unknown."""
    coarse: str = ""
    """Why the behaviour is less exact than usual (a recording budget was spent); empty: it is exact."""
    doer: str = ""
    """The process that did it, where several could have and the text does not say which."""


@frozen
class NodeFacts:
    """Facts about a node that need no recorded value."""

    node: int
    parent: int | None
    kind: NodeKind
    site: Site
    descendants: int
    raised: bool
    cost: int
    """Characters to read in its question."""
    first: int
    """The event at which the node's computation begins."""
    last: int
    """The event at which it ends."""


@frozen
class Question:
    """Is this behaviour what was meant?"""

    facts: NodeFacts
    behaviour: Behaviour
    default: str | None = None
    """The answer given before (to a verdict that was rejected, or to code that has changed since), offered again."""
    zoomed: tuple[int, ...] = ()
    """The buggy nodes whose insides were entered, outermost first; the question's node is of the innermost tree."""

    @property
    def node(self) -> int:
        """The node that is asked about."""
        return self.facts.node


@frozen
class Reason:
    """Why a question is asked, and what each answer would do: the reply to "why"."""

    because: str
    """The reason for choosing this node."""
    candidates: int
    """Number of nodes that could still be the bug."""
    yes_leaves: int
    no_leaves: int
    questions_left: int
    """An estimate."""
