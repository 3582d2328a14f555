"""Evaluations of expressions, and parts of their values."""

from attrs import frozen

from adebug_lsp.slicing.provenance import HandOver, Made


@frozen
class Evaluation:
    """One evaluation of an expression."""

    activation: int
    node: int
    position: int
    """The position of a record of the same statement execution by which it had been evaluated."""


@frozen
class Variable(Evaluation):
    """A variable as bound by this activation, with a record at this position; it is no expression."""

    name: str
    place: int
    """The position of the word that it was bound to."""


@frozen
class Index:
    """An element of a sequence, or the k-th value of an iterable; from the end if negative."""

    number: int
    moment: int
    """The moment at which the step is taken, because a container may change later."""


@frozen
class Item:
    """The value of a key in a mapping."""

    key: int
    """The word of the key."""
    moment: int


@frozen
class Attribute:
    """An attribute of an object."""

    name: str
    moment: int


@frozen
class Characters:
    """A range of a text."""

    start: int
    stop: int
    moment: int


@frozen
class Effect:
    """The effect of code that is not recorded on an object, at a moment."""

    moment: int


Step = Index | Item | Attribute | Characters | Effect
Path = tuple[Step, ...]


@frozen
class TracedPart:
    """A part of the value of an expression or variable; the whole value if the path is empty."""

    evaluation: Evaluation
    path: Path = ()


Source = HandOver[TracedPart] | Made
