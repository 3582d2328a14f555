"""Verdicts: the outcome of a session. A verdict names code that ran, never code that did not."""

from enum import Enum

from attrs import frozen

from adebug_lsp.model.source import Location


class VerdictKind(Enum):
    """How a search ended."""

    BUG = "bug"
    """A buggy node: wrong, with all children correct."""
    INADMISSIBLE = "inadmissible"
    """A node that passed arguments it should never have passed."""
    CANDIDATES = "candidates"
    """"Don't know" answers leave several nodes; one of them is buggy."""
    NONE = "none"
    """Everything was judged correct: the run was not wrong after all."""


@frozen
class Candidate:
    """A node that may be the bug."""

    node: int
    text: str
    routine: str
    why: str = ""
    """Why it can be the bug, if more is known than that nobody judged it."""
    code: tuple[Location, ...] = ()
    """Its code, if that is not the node's."""


@frozen
class Verdict:
    """The outcome of a session."""

    kind: VerdictKind
    node: int | None = None
    """The buggy node; for `inadmissible`, the one that made the call."""
    called: int | None = None
    """For `inadmissible`: the call that should not have been made."""
    text: str = ""
    rule: str = ""
    code: tuple[Location, ...] = ()
    """The code that the node executed outside its children (Lemma 1)."""
    known_wrong: tuple[Candidate, ...] = ()
    """For `candidates`: nodes judged wrong, buggy if everything unknown below them is right."""
    unknown: tuple[Candidate, ...] = ()
    """For `candidates`: nodes answered "don't know"."""
    left_out: int = 0
    """For `candidates`: how many are not listed."""
    can_zoom: bool = False
    """Whether finer questions about this node are possible."""
    explanation: str = ""
