"""What a session needs to know about one run: its tree, and how to describe any node of it. A language provides it."""

from typing import Protocol

from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.source import Location
from adebug_lsp.slicing.dependences import Dependences
from adebug_lsp.tree.columns import ExecutionTree


class Subject(Protocol):
    """One recorded run."""

    @property
    def tree(self) -> ExecutionTree:
        """What the run did."""

    @property
    def dependences(self) -> Dependences | None:
        """Where its values came from, if that is known."""

    def behaviour(self, node: int) -> Behaviour:
        """What a question about this node shows."""

    def code(self, node: int) -> tuple[Location, ...]:
        """What the node executed outside its children (Lemma 1)."""

    def holds(self, rule: str, node: int) -> bool | None:
        """Whether a rule holds for a behaviour; None where that cannot be told.

        Raises `BadAnswerError` for a rule that cannot be understood.
        """
