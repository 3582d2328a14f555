"""Spots: where a replay stands, and the moves from one to another over the execution tree.

A spot is a node of the tree of the run, or of the tree inside such a node (its statements and expressions). The root of
a tree inside stands for the node around it and is never a spot of its own.
"""

from collections.abc import Iterator

from attrs import field, frozen

from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.source import Location
from adebug_lsp.session.session import Session
from adebug_lsp.session.subject import Subject


@frozen
class Spot:
    """One node."""

    subject: Subject = field(eq=False, repr=False)
    node: int
    around: "Spot | None" = None
    """The spot whose inside this one is in."""
    line: Location | None = None
    """The code of the node that is looked at; None: all of it."""

    @property
    def path(self) -> tuple[int, ...]:
        """The nodes from the outermost tree inwards: what the spot is called."""
        return (self.node,) if self.around is None else (*self.around.path, self.node)

    @property
    def place(self) -> Location | None:
        """Where it is in the source."""
        return self.line or self.subject.tree.site_of(self.node).location

    @property
    def moment(self) -> int:
        """The event at which it begins."""
        return int(self.subject.tree.first[self.node])

    def behaviour(self) -> Behaviour:
        """What the node did."""
        return self.subject.behaviour(self.node)

    def above(self) -> "Spot | None":
        """What directly depends on this; None for the run."""
        parent = int(self.subject.tree.parent[self.node])
        if parent < 0:
            return None
        return self.around if parent == 0 and self.around is not None else Spot(self.subject, parent, self.around)

    def stack(self) -> Iterator["Spot"]:
        """This spot and all above it, up to the run."""
        spot: Spot | None = self
        while spot is not None:
            yield spot
            spot = spot.above()

    def below(self) -> list["Spot"]:
        """What this directly depends on; where that is nothing, the statements that it executed."""
        tree = self.subject.tree
        if int(tree.size[self.node]) > 1:
            return [Spot(self.subject, child, self.around) for child in tree.children(self.node)]
        inside = self.inside()
        return [] if inside is None else [Spot(inside, child, self) for child in inside.tree.children(0)]

    def inside(self) -> Subject | None:
        """The statements and expressions of the node itself."""
        return None if self.around is not None else self.subject.inside(self.node)

    # Moves

    def into(self) -> "Spot":
        """To the first thing that this depends on; a spot without any stays."""
        tree = self.subject.tree
        if int(tree.size[self.node]) > 1:
            return Spot(self.subject, self.node + 1, self.around)
        inside = self.inside()
        return self if inside is None or len(inside.tree) == 1 else Spot(inside, 1, self)

    def over(self) -> "Spot":
        """To the next sibling; from the last one to the end of what is above."""
        tree = self.subject.tree
        parent, following = int(tree.parent[self.node]), tree.end(self.node)
        if parent >= 0 and following < tree.end(parent):
            return Spot(self.subject, following, self.around)
        return self.out()

    def out(self) -> "Spot":
        """To what is above; the run stays."""
        return self.above() or self

    def back(self) -> "Spot":
        """To the one before in the order of the run (preorder); the run stays."""
        if self.node == 0:
            return self
        if self.node == 1 and self.around is not None:
            return self.around
        return Spot(self.subject, self.node - 1, self.around)


def spot_at(run: Subject, path: tuple[int, ...]) -> Spot | None:
    """The spot with a path of nodes, or None where there is none."""
    spot: Spot | None = None
    inside: Subject | None = run
    for depth, node in enumerate(path):
        if depth:  # opening the inside of a node takes long, so it is done only where there is more to come
            inside = None if inside is None else inside.inside(path[depth - 1])
        if inside is None or not 0 <= node < len(inside.tree):
            return None
        spot = spot if node == 0 and spot is not None else Spot(inside, node, spot)
    return spot


def spot_in(session: Session, node: int) -> Spot:
    """The spot of a node that the session speaks of where it stands."""
    spot = spot_at(session.run, (*session.levels.path, session.node_to_show(node)))
    return Spot(session.run, 0) if spot is None else spot
