"""Loop expansion (Insa, Silva and Tomás): questions about a loop and about each of its iterations.

A language reports the loops that some nodes executed. Each of these nodes is replaced by one for the code outside the
loops, with LOOP and ITERATION nodes below it; its children move under the innermost of these whose computation contains
them. All new nodes are made from the replaced one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from attrs import frozen

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.transform.draft import Draft, Transformed, children_of_all


@frozen
class Iteration:
    """One iteration of a loop: the events first, ..., last - 1, and the loops inside it, in order."""

    first: int
    last: int
    loops: tuple[Loop, ...] = ()
    raised: bool = False


@frozen
class Loop:
    """One execution of a loop, from before its first test to after its last; `site` is an index into the sites."""

    site: int
    first: int
    last: int
    iterations: tuple[Iteration, ...] = ()
    raised: bool = False


class _Placed:
    """A loop or an iteration with its number in the draft and its direct content, in order."""

    def __init__(self, number: int, first: int, last: int) -> None:
        self.number = number
        self.last = last
        self.free = first
        """The first event that the next piece of content may have."""
        self._firsts: list[int] = []
        self._parts: list[tuple[int, int, _Placed | None]] = []

    def add(self, number: int, piece: Loop | Iteration, inner: _Placed | None) -> None:
        """Append a piece of content; `inner` describes its own content, if it has any."""
        self.free = piece.last
        self._firsts.append(piece.first)
        self._parts.append((number, piece.last, inner))

    def innermost(self, first: int, last: int) -> int:
        """The number of the innermost loop or iteration that contains a computation."""
        here: _Placed | None = self
        number = self.number
        while here is not None:
            index = bisect_right(here._firsts, first) - 1
            if index < 0 or last > here._parts[index][1]:
                break
            number, _, here = here._parts[index]
        return number


def expand_loops(tree: ExecutionTree, loops: Mapping[int, Sequence[Loop]]) -> Transformed:
    """Expand the given loops; an empty sequence means that the routine has a loop that was not executed."""
    draft = Draft(tree)
    members, starts = children_of_all(tree)
    first: list[int] = tree.first.tolist()
    last: list[int] = tree.last.tolist()
    for node in sorted(loops):
        children: list[int] = members[starts[node] : starts[node + 1]].tolist()
        top = _Placed(draft.restate(node, (node,)), first[node], last[node])
        _place(draft, node, top, loops[node], [(child, first[child]) for child in children])
        for child in children:
            draft.move(child, top.innermost(first[child], last[child]))
    return draft.finish()


def _place(draft: Draft, node: int, top: _Placed, loops: Sequence[Loop], children: list[tuple[int, int]]) -> None:
    """Create the loops and iterations of a node, each before the first child that starts after it."""
    cost = int(draft.tree.cost[node])
    start = draft.pool((node,))
    ahead = iter(children)
    beyond = (draft.tree.end(node), top.last + 1)
    child, begins = next(ahead, beyond)
    pending: list[tuple[_Placed, int, Loop | Iteration]] = [(top, 0, loop) for loop in reversed(loops)]
    while pending:
        above, site, piece = pending.pop()
        inner, kind, site = _described(piece, site)
        _check(draft.tree, node, above, piece, site)
        first, last = piece.first, piece.last
        while begins < first:
            child, begins = next(ahead, beyond)
        facts = (site, kind, piece.raised, cost, first, last, 0)
        number = draft.make(above.number, child, (start, start + 1), facts)
        placed = _Placed(number, first, last) if inner else None
        above.add(number, piece, placed)
        if placed is not None:
            pending.extend((placed, site, part) for part in reversed(inner))


def _described(piece: Loop | Iteration, site: int) -> tuple[Sequence[Loop | Iteration], int, int]:
    """Content, kind and site of a loop or iteration; an iteration has the site of its loop."""
    if isinstance(piece, Loop):
        return piece.iterations, _LOOP, piece.site
    return piece.loops, _ITERATION, site


def _check(tree: ExecutionTree, node: int, above: _Placed, piece: Loop | Iteration, site: int) -> None:
    if not above.free <= piece.first <= piece.last <= above.last:
        events = f"events {piece.first} to {piece.last} lie outside {above.free} to {above.last}"
        raise BadInputError(f"node {node}: a loop or iteration does not fit: {events}")
    if not 0 <= site < len(tree.sites):
        raise BadInputError(f"node {node}: a loop has the unknown site {site}")


_LOOP, _ITERATION = int(NodeKind.LOOP), int(NodeKind.ITERATION)
