"""Which mutable objects have an image on the tape, so that their later states follow from the writes.

They are the keys of a dictionary, by identity and the oldest first. An identity is good for as long as somebody keeps
the object alive: at first the tape, and when that was written the writer, or nothing.
"""

from collections.abc import Container, Iterable
from itertools import takewhile

Known = dict[int, None]
"""No class of its own: to ask one that derives from `dict` whether it has a key takes twice as long."""


def hand_over(known: Known, last: int, alive: Container[int], dead: Iterable[int]) -> int:
    """The tape was written: forget the objects that the writer does not keep alive, and those that it lets die.

    `last` was the newest when that was done before; returns the newest now.
    """
    for identity in list(takewhile(last.__ne__, reversed(known))):
        if identity not in alive:
            known.pop(identity, None)
    for identity in known.keys() & dead:
        known.pop(identity, None)
    return next(reversed(known), 0)
