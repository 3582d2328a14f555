"""Behaviours (Def. 4.6): the environment before, the projection of the code, the environment after.

A question is a behaviour with its node, asked for a reason.
"""

from enum import Enum

from attrs import frozen

from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location, Site
from adebug_lsp.model.values import Binding, Environment, Value


@frozen
class CallSite:
    """Where a routine was called."""

    text: str
    """The statement, on one line."""
    routine: str
    """The routine that made the call."""
    location: Location


class Judged(Enum):
    """What a question judges, where its kind of node does not say it."""

    OUTCOME = "outcome"
    DECISION = "decision"
    """Whether a condition should have been true."""
    CALL = "call"
    """Whether this call should be made here, whatever it does."""


@frozen
class Behaviour:
    """From this environment, this code led to that environment."""

    text: str
    """The whole behaviour on one line, as in `sum2(3) = 2`."""
    before: Environment = Environment()
    projection: tuple[Location, ...] = ()
    """The code that was executed and needed; empty if the tree has no source."""
    after: Environment = Environment()
    result: Value | None = None
    raised: Value | None = None
    identity: str = ""
    """Equal, across runs, if and only if the same routine behaved the same in the same environment; empty: unknown."""
    code_hash: str = ""
    """Changes with the source of the routine; empty: unknown."""
    coarse: str = ""
    """Why the behaviour is less exact than usual (say, a recording budget was exceeded); empty: it is exact."""
    asked: str = ""
    """The headline of a question that is too long for one line, without the outcome; empty if `text` is all."""
    in_text: tuple[str, ...] = ()
    """Addresses of the values that `text` shows whole, so that they need not be shown again."""
    unchanged: tuple[Binding, ...] = ()
    """Variables and parts that the code looks as if it changed but that are as before, named by their path."""
    consequence: str = ""
    """The consequence of a condition, as in `lines 3-5 were skipped`."""
    judged: Judged = Judged.OUTCOME
    call_site: CallSite | None = None
    """Where a call came from, if that is known."""
    doer: str = ""
    """The process that executed the code, if several are possible and the text does not name it."""


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
    """The first event of the node's computation."""
    last: int
    """The last event of the node's computation."""


@frozen
class Question:
    """A question whether a behaviour is the intended one."""

    facts: NodeFacts
    behaviour: Behaviour
    default: str | None = None
    """An earlier answer, offered as the default: its verdict was rejected, or the code has changed since."""
    zoomed: tuple[int, ...] = ()
    """The buggy nodes that the session zoomed into, outermost first; the question's node is in the innermost tree."""

    @property
    def node(self) -> int:
        """The node that is asked about."""
        return self.facts.node


@frozen
class Reason:
    """Why a question is asked, and the effect of each answer: the reply to "why"."""

    because: str
    """The reason for choosing this node."""
    candidates: int
    """Number of nodes that could still be the bug."""
    yes_leaves: int
    no_leaves: int
    questions_left: int
    """Estimated number of questions left."""
