"""The cursor of a replay, and its moves over the execution tree.

A cursor is at a node of the run's tree, or of the tree inside one of its nodes (statements, expressions). The root of
an inner tree represents the enclosing node, so no cursor is ever there.
"""

from collections.abc import Iterator

from attrs import field, frozen

from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.source import Location
from adebug_lsp.session.session import Session
from adebug_lsp.session.subject import Subject


@frozen
class Cursor:
    """One node."""

    subject: Subject = field(eq=False, repr=False)
    node: int
    around: "Cursor | None" = None
    """The cursor of the enclosing node, for a cursor in an inner tree."""
    line: Location | None = None
    """The part of the node's code to show; None: all of it."""

    @property
    def path(self) -> tuple[int, ...]:
        """The nodes from the outermost tree inwards, which identify the cursor."""
        return (self.node,) if self.around is None else (*self.around.path, self.node)

    @property
    def place(self) -> Location | None:
        """The location in the source."""
        return self.line or self.subject.tree.site_of(self.node).location

    @property
    def moment(self) -> int:
        """The first event of the node."""
        return int(self.subject.tree.first[self.node])

    def behaviour(self) -> Behaviour:
        """The behaviour of the node."""
        return self.subject.behaviour(self.node)

    def above(self) -> "Cursor | None":
        """The parent; None for the run."""
        parent = int(self.subject.tree.parent[self.node])
        if parent < 0:
            return None
        return self.around if parent == 0 and self.around is not None else Cursor(self.subject, parent, self.around)

    def stack(self) -> Iterator["Cursor"]:
        """This cursor and all above it, up to the run."""
        cursor: Cursor | None = self
        while cursor is not None:
            yield cursor
            cursor = cursor.above()

    def below(self) -> list["Cursor"]:
        """The children; if there are none, the statements that the node executed."""
        tree = self.subject.tree
        if int(tree.size[self.node]) > 1:
            return [Cursor(self.subject, child, self.around) for child in tree.children(self.node)]
        inside = self.inside()
        return [] if inside is None else [Cursor(inside, child, self) for child in inside.tree.children(0)]

    def inside(self) -> Subject | None:
        """The statements and expressions of the node itself."""
        return None if self.around is not None else self.subject.inside(self.node)

    # Moves

    def into(self) -> "Cursor":
        """The first child; the cursor itself if there is none."""
        tree = self.subject.tree
        if int(tree.size[self.node]) > 1:
            return Cursor(self.subject, self.node + 1, self.around)
        inside = self.inside()
        return self if inside is None or len(inside.tree) == 1 else Cursor(inside, 1, self)

    def over(self) -> "Cursor":
        """The next sibling; from the last one, the end of the parent."""
        tree = self.subject.tree
        parent, following = int(tree.parent[self.node]), tree.end(self.node)
        if parent >= 0 and following < tree.end(parent):
            return Cursor(self.subject, following, self.around)
        return self.out()

    def out(self) -> "Cursor":
        """The parent; the root itself for the root."""
        return self.above() or self

    def back(self) -> "Cursor":
        """The previous node in preorder; the root itself for the root."""
        if self.node == 0:
            return self
        if self.node == 1 and self.around is not None:
            return self.around
        return Cursor(self.subject, self.node - 1, self.around)


def cursor_at(run: Subject, path: tuple[int, ...]) -> Cursor | None:
    """The cursor with a path of nodes, or None."""
    cursor: Cursor | None = None
    inside: Subject | None = run
    for depth, node in enumerate(path):
        if depth:  # opening the inside of a node is slow, so it is done only if the path continues there
            inside = None if inside is None else inside.inside(path[depth - 1])
        if inside is None or not 0 <= node < len(inside.tree):
            return None
        cursor = cursor if node == 0 and cursor is not None else Cursor(inside, node, cursor)
    return cursor


def cursor_in(session: Session, node: int) -> Cursor:
    """The cursor of a node in the tree that the session is searching."""
    cursor = cursor_at(session.run, (*session.levels.path, session.node_to_show(node)))
    return Cursor(session.run, 0) if cursor is None else cursor
