"""The mutable objects that have an image on the tape, so that their later states follow from the writes.

They are the keys of a dictionary, by identity, oldest first. An identity is valid as long as something keeps
the object alive: first the tape, and after a flush the writer, or nothing.
"""

from collections.abc import Container, Iterable
from itertools import takewhile

Known = dict[int, None]
"""A plain `dict`: lookups in a subclass take twice as long."""


def hand_over(known: Known, last: int, alive: Container[int], dead: Iterable[int]) -> int:
    """After a flush, forget the objects that the writer does not keep alive, and those that it releases.

    `last` is the newest object of the previous call; returns the newest one now.
    """
    for identity in list(takewhile(last.__ne__, reversed(known))):
        if identity not in alive:
            known.pop(identity, None)
    for identity in known.keys() & dead:
        known.pop(identity, None)
    return next(reversed(known), 0)
