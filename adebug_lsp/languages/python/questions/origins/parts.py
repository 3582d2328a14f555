"""Names for what can be traced: one evaluation of an expression, and a part of its value."""

from attrs import frozen

from adebug_lsp.slicing.provenance import HandOver, Made


@frozen
class Evaluation:
    """One evaluation of an expression."""

    activation: int
    node: int
    position: int
    """Position of a record by which it had been evaluated, of the same execution of its statement."""


@frozen
class Variable(Evaluation):
    """A variable as it was bound: by this activation, with a record at this position. It is no expression."""

    name: str
    place: int
    """Position of the word that it was bound to."""


@frozen
class Index:
    """An element of a sequence, or the k-th value that an iterable yields; from the end if negative."""

    number: int
    moment: int
    """Position as of which the step is taken: a container may change later."""


@frozen
class Item:
    """The value of a key in a mapping."""

    key: int
    """Word of the key."""
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
    """Whatever code that is not recorded did to an object, at a moment."""

    moment: int


Step = Index | Item | Attribute | Characters | Effect
Path = tuple[Step, ...]


@frozen
class TracedPart:
    """A part of the value of an expression or variable; the whole value if the path is empty."""

    evaluation: Evaluation
    path: Path = ()


Source = HandOver[TracedPart] | Made
