"""Follows a part of a value back along hand-overs to the evaluation that made it.

For each part, a language says either what handed it over, or that it was made there. Every step has a certainty: exact
if the recording shows it, derived if a model of an operation says so, unknown if only a superset is known.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Generic, TypeVar

from attrs import frozen

MOST_STEPS = 10_000
"""Hand-overs that are followed; a value can be handed on once for every level of a recursion."""

P = TypeVar("P")


class Certainty(IntEnum):
    """How sure a step is; the least sure step decides for all of them."""

    UNKNOWN = 0
    DERIVED = 1
    EXACT = 2


@frozen
class HandOver(Generic[P]):
    """The part is the same value as an older part."""

    part: P
    how: str
    """How it was handed over, as a clause: `returned by total`."""
    certainty: Certainty = Certainty.EXACT


@frozen
class Made:
    """The part was made there, or cannot be followed further."""

    why: str
    certainty: Certainty = Certainty.EXACT


@frozen
class Origin(Generic[P]):
    """The evaluation that made a part, and how it was handed on from there."""

    part: P
    path: tuple[HandOver[P], ...]
    """The hand-overs, newest first; the part of the last one was made there."""
    certainty: Certainty
    why: str
    """Why the path ends there."""


def find_origin(part: P, step: Callable[[P], HandOver[P] | Made]) -> Origin[P]:
    """Follow a part to its maker."""
    path: list[HandOver[P]] = []
    certainty = Certainty.EXACT
    seen = {part}
    while len(path) < MOST_STEPS:
        source = step(part)
        certainty = min(certainty, source.certainty)
        if isinstance(source, Made):
            return Origin(part, tuple(path), certainty, source.why)
        if source.part in seen:
            return Origin(part, tuple(path), Certainty.UNKNOWN, "it seems to come from itself")
        path.append(source)
        part = source.part
        seen.add(part)
    return Origin(part, tuple(path), Certainty.UNKNOWN, f"it was handed on more than {MOST_STEPS} times")
