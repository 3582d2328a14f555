"""The interface of an oracle: it has an opinion on a question, or abstains.

An oracle that fails raises `OracleError`; the chain reports the error and continues without it.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from attrs import frozen

from adebug_lsp.model.answers import Confine, Judgement, Mark
from adebug_lsp.model.behaviour import Question


@frozen
class Opinion:
    """The judgement of an oracle about a behaviour, with its reason."""

    judgement: Judgement
    reason: str = ""
    mark: Mark | None = None
    expected: str | None = None
    sure: bool = True
    """Only sure opinions answer a question; others are offered to the person as the default."""


class Oracle(Protocol):
    """Answers questions without a person."""

    @property
    def name(self) -> str:
        """The name of the oracle in messages and sources."""

    def opinion(self, question: Question) -> Opinion | None:
        """Return the oracle's opinion, or None to abstain."""


@runtime_checkable
class Witness(Oracle, Protocol):
    """An oracle that knows answers before anything is asked."""

    @property
    def nodes(self) -> Sequence[int]:
        """The nodes of the run that it can judge, in the order to judge them."""


ORACLE_SECONDS = 20
"""The time that an oracle may spend on executing code in one session, unless the user chooses another."""


@runtime_checkable
class Executing(Oracle, Protocol):
    """An oracle that executes code to answer, and abstains when its time is used up."""

    seconds_left: float


@runtime_checkable
class Comparer(Oracle, Protocol):
    """An oracle that knows which code can hold the bug, independent of the answers."""

    @property
    def confined(self) -> Confine | None:
        """The first step of a new session; None if any code can hold the bug."""

    @property
    def first(self) -> Sequence[int]:
        """The nodes to judge next, before the strategy chooses."""
