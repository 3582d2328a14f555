"""The augmented redex trail (Def. 40) as a graph, and the slices of chapter 6 over it: `collect` and `chop`.

Nodes are integers. A node is created under another by one of the steps left and right (the parts of an application) or
top (its reduct); the thesis writes this as a word over l, r and t. A node is only ever extended, never changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from attrs import frozen

from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.slicing.dependence_contract import Trace


class Step(Enum):
    """How a node was made under another."""

    LEFT = "l"
    RIGHT = "r"
    TOP = "t"


@frozen
class Atom:
    """A function symbol or a constructor."""

    name: str


@frozen
class Ref:
    """The same value as another node: an indirection."""

    node: int


@frozen
class App:
    """An application; its parts are nodes made here, or older nodes that are shared."""

    left: int
    right: int


Expression = Atom | Ref | App | None
"""The value of a node; None is the bottom: never evaluated."""

START = 0
"""The node of the start term."""


class Trail:
    """A trace graph that grows by reduction steps."""

    def __init__(self) -> None:
        self.expressions: list[Expression] = []
        self._under: list[int] = []
        self._steps: list[Step | None] = []
        self._parents: list[int | None] = []
        self._reducts: dict[int, int] = {}

    def add(self, under: int | None = None, step: Step | None = None) -> int:
        """A new node, not evaluated yet; the first one is the start term."""
        node = len(self.expressions)
        self.expressions.append(None)
        self._under.append(-1 if under is None else under)
        self._steps.append(step)
        if under is None or step is None:
            self._parents.append(None)
        else:
            self._parents.append(under if step is Step.TOP else self._parents[under])
            if step is Step.TOP:
                self._reducts[under] = node
        return node

    def set(self, node: int, expression: Expression) -> None:
        """Set the expression of a node."""
        self.expressions[node] = expression

    def __len__(self) -> int:
        return len(self.expressions)

    def parent(self, node: int) -> int | None:
        """The redex whose reduction created the node."""
        return self._parents[node]

    def reduct(self, node: int) -> int | None:
        """The node that this one was reduced to in one step, if it was."""
        return self._reducts.get(node)

    def reductions(self) -> Iterator[int]:
        """All reduced nodes, in order of creation."""
        return iter(sorted(self._reducts))

    def ancestors(self, node: int) -> Iterator[int]:
        """The redexes above a node, nearest first."""
        above = self.parent(node)
        while above is not None:
            yield above
            above = self.parent(above)

    def prefixes(self, node: int) -> Iterator[int]:
        """The node itself, the node it was made under, and so on up to the start."""
        while node >= 0:
            yield node
            node = self._under[node]

    def way(self, node: int) -> Iterator[int]:
        """The nodes on the path to the most evaluated form, along reductions and indirections."""
        while True:
            yield node
            reduct = self.reduct(node)
            expression = self.expressions[node]
            if reduct is not None:
                node = reduct
            elif isinstance(expression, Ref):
                node = expression.node
            else:
                return

    def settle(self, node: int) -> int:
        """The most evaluated form of a node."""
        *_, last = self.way(node)
        return last

    def find(self, node: int, path: Sequence[Step]) -> list[int]:
        """`patNodes` (Def. 53) for a pattern with one marked place, with the way to it; the place itself is last."""
        nodes = list(self.way(node))
        for step in path:
            expression = self.expressions[nodes[-1]]
            if not isinstance(expression, App):
                raise LookupError(f"node {nodes[-1]} has no parts")
            nodes += self.way(expression.left if step is Step.LEFT else expression.right)
        return nodes

    def own_parts(self, node: int) -> list[int]:
        """The parts of an application that were created for it, and not shared with older nodes."""
        expression = self.expressions[node]
        if not isinstance(expression, App):
            return []
        return [part for part in (expression.left, expression.right) if self._under[part] == node]


def collect(trail: Trail, start: int, end: int) -> set[int]:
    """All nodes between start and end that can have influenced `end` (Figure 6.4).

    They are the nodes on the way, the ancestors of `end`, and all that was computed in the ancestors' arguments.
    """
    nodes: set[int] = set()
    node = end
    while (parent := trail.parent(node)) is not None and parent != trail.parent(start):
        nodes |= {parent, *_made_for(trail, parent), *_path(trail, trail.reduct(parent), node)}
        node = parent
    return nodes | {*_path(trail, start, node)}


def influencers(trail: Trail, start: int, end: int) -> set[int]:
    """The askable part of `collect`: reductions only, and none whose argument `end` merely is."""
    reductions: set[int] = set()
    node = end
    while (parent := trail.parent(node)) is not None and parent != trail.parent(start):
        reductions |= {parent, *(n for n in _made_for(trail, parent) if trail.reduct(n) is not None)}
        node = parent
    return reductions


def _made_for(trail: Trail, redex: int) -> set[int]:
    """All nodes in the evaluation of the redex's parts that were created there: `subnodes`."""
    nodes: set[int] = set()
    pending = trail.own_parts(redex)
    while pending:
        node = pending.pop()
        nodes.add(node)
        pending.extend(trail.own_parts(node))
        if (reduct := trail.reduct(node)) is not None:
            pending.append(reduct)
    return nodes


def _path(trail: Trail, above: int | None, node: int) -> Iterator[int]:
    """The prefixes of a node, from itself up to `above`."""
    for prefix in trail.prefixes(node):
        yield prefix
        if prefix == above:
            return


def weakly_influences(trail: Trail, cause: int, node: int) -> bool:
    """Def. 46: a prefix of the node, or a part of an ancestor's arguments."""
    if cause in trail.prefixes(node):
        return True
    ancestors = set(trail.ancestors(node))
    below = cause
    for above in trail.prefixes(cause):
        if above in ancestors:
            return trail.reduct(above) != below
        below = above
    return False


def chop(trail: Trail, start: int, end: int) -> set[int]:
    """Def. 55, by its definition: the nodes that `start` weakly influences and that weakly influence `end`.

    `collect` computes the same set (Theorem 56) without looking at every node.
    """
    nodes = range(len(trail))
    return {n for n in nodes if weakly_influences(trail, start, n) and weakly_influences(trail, n, end)}


@frozen
class TrailDependences:
    """Dependences of a program whose run left a redex trail."""

    trail: Trail
    nodes: Mapping[int, int]
    """The execution node of each reduction; reductions of trusted code have none."""
    redexes: Mapping[int, int]
    """The reduction of each execution node."""

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`. A path names parts by "l" and "r"; that of an argument begins with its position."""
        redex = self.redexes[node]
        if mark.of is MarkOf.AFTER:
            return None  # nothing is changed by a reduction
        if mark.of is MarkOf.RESULT:
            start, way = redex, self.trail.find(redex, _steps(mark.path))
        else:
            start, way = START, self._left_hand_side(redex, mark)
        end = way[-1]
        # A value that came in through an argument was not made below the start, but handed on there: each reduction
        # on the way to it may have handed on the wrong one. (The thesis only looks at values made below the start.)
        reducts = [r for n in way if (r := self.trail.reduct(n)) is not None]
        ends = [n for n in (*reducts, end) if start in self.trail.prefixes(n)]
        reductions = {r for n in ends for r in influencers(self.trail, start, n)}
        nodes = {self.nodes[r] for r in reductions if r in self.nodes}
        origin = next((self.nodes[r] for r in self.trail.ancestors(end) if r in self.nodes), node)
        return Trace(origin, frozenset(nodes | {origin}))

    def _left_hand_side(self, redex: int, mark: Mark) -> list[int]:
        """The way to the marked part of the call itself: its function symbol, or a part of an argument."""
        function, arguments = redex, []
        while isinstance(expression := self.trail.expressions[function], App):
            arguments.append(expression.right)
            function = self.trail.settle(expression.left)
        if mark.of is MarkOf.CALL:
            return [function]
        if not mark.path:
            return list(self.trail.way(arguments[0]))
        position, *path = mark.path
        return self.trail.find(arguments[::-1][int(position)], _steps(path))


def _steps(path: Sequence[object]) -> list[Step]:
    return [Step(step) for step in path]
