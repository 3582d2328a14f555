"""Nodes of the dependence graph of a run: evaluations, and places that a run left as they were."""

from attrs import frozen

from adebug_lsp.languages.python.questions.origins.parts import Attribute, Evaluation, Index, Item
from adebug_lsp.slicing.dependence_graph import Edge


@frozen
class Element:
    """An element of the tuple that an expression gives, such as the second value that a function returns."""

    whole: Evaluation
    number: int


@frozen
class Executed:
    """That a statement was executed, whatever it computed."""

    activation: int
    node: int
    position: int


@frozen
class KeptVariable:
    """A variable that was left as it was, at a condition or loop that could have changed it."""

    activation: int
    name: str
    moment: int
    """Position of the record of the condition."""
    bound: int
    """Position of the record that bound it before."""


Place = Attribute | Index | Item
"""A place in an object; its moment is 0, so that two reads of one place are equal."""


@frozen
class KeptPlace:
    """A place in an object that was left as it was, at a condition or write that could have changed it."""

    word: int
    place: Place
    moment: int
    written: int
    """Position at which it was written before."""


@frozen
class Content:
    """Everything that was written into an object before a moment."""

    word: int
    moment: int


@frozen
class Shape:
    """How many elements an object had at a moment, in which order."""

    word: int
    moment: int


Node = Evaluation | Element | Executed | KeptVariable | KeptPlace | Content | Shape
Edges = list[Edge[Node]]
