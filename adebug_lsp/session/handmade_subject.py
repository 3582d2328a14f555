"""A hand-made tree as the subject of a session, and its author's labels as an oracle."""

from fnmatch import fnmatchcase

from attrs import frozen

from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.source import Location
from adebug_lsp.slicing.dependence_contract import Dependences, KnownTraces, Trace
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.handmade import HandmadeTree


@frozen
class HandmadeSubject:
    """The subject of a hand-made tree. Behaviours are lines of text, rules are wildcard patterns that right ones match.

    Rules are not regular expressions, which can take exponential time: a saved rule may come from anyone.
    """

    handmade: HandmadeTree

    @property
    def tree(self) -> ExecutionTree:
        """See `Subject`."""
        return self.handmade.tree

    @property
    def dependences(self) -> Dependences:
        """The traces of the marks in the file."""
        return KnownTraces(
            {(n, marked.mark): Trace(marked.origin, marked.influencers) for n, marked in self.handmade.marks.items()}
        )

    @property
    def suspicion(self) -> None:
        """See `Subject`; a hand-made tree has no other runs."""

    @property
    def plumbing(self) -> None:
        """See `Subject`: no node of such a tree is."""

    def behaviour(self, node: int) -> Behaviour:
        """See `Subject`."""
        return self.handmade.behaviour(node)

    def behaviour_key(self, _node: int) -> str:
        """See `Subject`; the tree's `behaviour` column has the equal ones."""
        return ""

    def code(self, node: int) -> tuple[Location, ...]:
        """The location of the node's site, if the file has one."""
        location = self.tree.site_of(node).location
        return () if location is None else (location,)

    def holds(self, rule: str, node: int) -> bool | None:
        """See `Subject`."""
        return fnmatchcase(self.handmade.texts[node], rule)

    def inside(self, _node: int) -> "HandmadeSubject | None":
        """See `Subject`; hand-made trees have no finer code."""
        return None

    def sources(self) -> dict[str, str]:
        """See `Subject`."""
        return {}


def truth(handmade: HandmadeTree, node: int) -> Answer:
    """The answer of the tree's author, with its mark."""
    marked = handmade.marks.get(node)
    judgement = Judgement.NO if node in handmade.wrong else Judgement.YES
    return Answer(node, judgement, None if marked is None else marked.mark)
