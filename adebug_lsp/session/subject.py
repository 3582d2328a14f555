"""The contract between a session and a language: one run as a tree, with a description of every node."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.source import Location
from adebug_lsp.slicing.dependence_contract import Dependences
from adebug_lsp.tree.columns import ExecutionTree


class Subject(Protocol):
    """One recorded run."""

    @property
    def tree(self) -> ExecutionTree:
        """The execution tree."""

    @property
    def dependences(self) -> Dependences | None:
        """Where its values came from, if that is known."""

    @property
    def suspicion(self) -> NDArray[np.float64] | None:
        """For every site of the tree, from 0 to 1, how suspect other runs make it: 1/2 where they say nothing.

        None where there were no other runs. It moves probabilities and answers nothing.
        """

    @property
    def plumbing(self) -> NDArray[np.bool_] | None:
        """Which nodes only carry the program or its test, and are asked about last; None: no node."""

    def behaviour(self, node: int) -> Behaviour:
        """The behaviour that a question about this node shows."""

    def behaviour_key(self, node: int) -> str:
        """Equal for two nodes of the run, on whatever level, exactly when one answer holds for both; empty: unknown.

        They executed the same code from the same values, whatever it read among them, and led to the same.
        """

    def code(self, node: int) -> tuple[Location, ...]:
        """The code that the node executed outside its children (Lemma 1)."""

    def holds(self, rule: str, node: int) -> bool | None:
        """Whether a rule holds for a behaviour; None where that cannot be decided.

        Raises `BadAnswerError` for a rule that cannot be understood.
        """

    def inside(self, node: int) -> "Subject | None":
        """The finer code that a node executed itself, as a subject of its own whose root is that node; None: no finer.

        It leaves out the code of the node's children in this tree. The same node always returns an equal subject.
        """

    def sources(self) -> dict[str, str]:
        """The source text of every file that a location names, by its path; empty where a tree carries no source."""
