"""Nodes of the dependence graph of a run: evaluations, and variables and places that were left unchanged."""

from attrs import frozen

from adebug_lsp.languages.python.questions.origins.parts import Attribute, Evaluation, Index, Item
from adebug_lsp.slicing.dependence_graph import Edge


@frozen
class Element:
    """An element of the tuple that an expression evaluates to, such as the second value that a function returns."""

    whole: Evaluation
    number: int


@frozen
class Executed:
    """The fact that a statement was executed, whatever it computed."""

    activation: int
    node: int
    position: int


@frozen
class KeptVariable:
    """A variable left unchanged at a condition or loop that could have changed it."""

    activation: int
    name: str
    moment: int
    """Position of the record of the condition."""
    bound: int
    """Position of the record that bound it before that."""


Place = Attribute | Index | Item
"""A place in an object. Its moment is 0, so that two reads of one place are equal."""


@frozen
class KeptPlace:
    """A place in an object left unchanged at a condition or write that could have changed it."""

    word: int
    place: Place
    moment: int
    written: int
    """Position of the write before that."""


@frozen
class Content:
    """Everything that was written into an object before a moment."""

    word: int
    moment: int


@frozen
class Shape:
    """The number and order of an object's elements at a moment."""

    word: int
    moment: int


Node = Evaluation | Element | Executed | KeptVariable | KeptPlace | Content | Shape
Edges = list[Edge[Node]]
