"""Slices of calls, for languages whose slicing criterion is a call with a pattern on its result (Definition 22)."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from attrs import field, frozen

from adebug_lsp.model.answers import Mark
from adebug_lsp.slicing.slicer import Slice


@frozen
class CallCriterion:
    """A recorded value that a slice is taken of."""

    text: str
    """The value as people read it: `minmax [Z, S Z] = Pair _ *`."""
    value: object = field(eq=False, repr=False)
    """The value as the language represents it."""


@runtime_checkable
class CallSlicer(Protocol):
    """Slices of one run; implemented by languages. Their places are exact: text between them was not needed."""

    def call(self, text: str, nth: int | None) -> CallCriterion:
        """The n-th call (from 1; None means the first) of `f`, `f 1 [2, 3]` or `f 1 [2, 3] = PATTERN`.

        Raises `NoSuchValueError` if there is none, and `BadInputError` for a pattern that does not fit the result.
        """

    def part(self, node: int, mark: Mark) -> CallCriterion:
        """A part of the inputs or the outcome of a node; raises `NoSuchValueError`."""

    def line(self, path: str, line: int, variable: str | None, nth: int | None) -> CallCriterion:
        """The call that ran a line (from 0) for the n-th time (None means the last), or a variable in it."""

    def backward(self, criteria: Sequence[CallCriterion]) -> Slice:
        """Everything that the values need: the union of their slices."""

    def programs(self, criteria: Sequence[CallCriterion]) -> Mapping[str, str]:
        """The files of a program that computes the values and leaves out everything else; it was run.

        Raises `BadInputError` if there is none.
        """


def routine_named(text: str) -> str:
    """The name of a routine as it is recorded: `+` for `(+)`."""
    in_parentheses = re.fullmatch(r"\s*\(\s*(\S+?)\s*\)\s*", text)
    return in_parentheses[1] if in_parentheses else text
