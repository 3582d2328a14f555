"""The contract of breakpoint conditions: expressions in a language's own syntax, decided by recorded values alone."""

from collections.abc import Callable
from typing import Protocol

from adebug_lsp.model.values import Value

LookUp = Callable[[str], Value]
"""Returns the value of a variable or of a part of one; raises `BadInputError` if there is none."""

LONGEST_CONDITION = 1000
"""Maximum length of a condition."""


class UnknownValueError(Exception):
    """A value was not recorded, or not in full, so that an expression over it has no value."""


class Condition(Protocol):
    """A parsed expression over recorded values. Evaluating it never runs code of the program."""

    def holds(self, look_up: LookUp) -> bool:
        """Whether the condition is true; False if a value that it needs is unknown."""

    def value(self, look_up: LookUp) -> str:
        """The value of the expression, as text; raises `BadInputError` if it has none."""
