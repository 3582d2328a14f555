"""The interface between a session and a language: one run as a tree, with a description of every node."""

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
        """The origins of values; None if the language does not know them."""

    @property
    def suspicion(self) -> NDArray[np.float64] | None:
        """The suspicion of every site from other runs, from 0 to 1; 1/2 is neutral. None without other runs.

        It changes probabilities but never answers a question.
        """

    @property
    def plumbing(self) -> NDArray[np.bool_] | None:
        """Which nodes only carry the program or its test, and are asked about last; None if there are none."""

    def behaviour(self, node: int) -> Behaviour:
        """The behaviour that a question about this node shows."""

    def behaviour_key(self, node: int) -> str:
        """Equal for two nodes, on any levels, exactly if one answer applies to both; empty if unknown.

        That is, both executed the same code from the same values, including everything that it read, to the same
        outcome.
        """

    def code(self, node: int) -> tuple[Location, ...]:
        """The code that the node executed outside its children (Lemma 1)."""

    def holds(self, rule: str, node: int) -> bool | None:
        """Whether a rule holds for a behaviour; None if that cannot be decided.

        Raises `BadAnswerError` for an invalid rule.
        """

    def inside(self, node: int) -> "Subject | None":
        """The finer code that a node executed, as a subject whose root is that node; None if there is none.

        Code of the node's children in this tree is left out. Calls with the same node return equal subjects.
        """

    def sources(self) -> dict[str, str]:
        """The text of every source file that a location names, by path; empty if the tree has no source."""
