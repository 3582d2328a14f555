"""Breakpoints in a replay: which nodes executed a line of source, and when.

A line is executed by the innermost call or turn of a loop around it, if its projection has the line; then the hit is
the statement there. The line on which a routine or a loop begins is executed by every execution of that.
"""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from adebug_lsp.dap.spots import Spot
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location, Site
from adebug_lsp.session.subject import Subject

MOST_LOOKED_AT = 1000
"""Nodes whose behaviour is worked out before a search for a hit is given up."""
_BEGINNING = (NodeKind.ROUTINE, NodeKind.GENERATOR, NodeKind.COROUTINE, NodeKind.LOOP)
_WITHOUT_LINES = (NodeKind.ITERATION_RANGE, NodeKind.PROJECTION, NodeKind.COLLAPSE, NodeKind.LOOP)
_WITH_LINES = tuple(kind for kind in NodeKind if kind not in _WITHOUT_LINES)


@frozen(eq=False)
class Line:
    """One line of one file, counted from 0, and the nodes that may have executed it, in order."""

    run: Subject
    path: str
    number: int
    nodes: NDArray[np.int64]
    begins: bool
    """Whether a routine or a loop begins there, so that every node is a hit."""

    @classmethod
    def of(cls, run: Subject, path: str, number: int) -> "Line":
        """Look a line up in the tree of a run."""
        sites = {i: site for i, site in enumerate(run.tree.sites) if site.location and site.location.path == path}
        begins = _nodes(run, _smallest([i for i in sites if _begins(sites[i], number)], sites), _BEGINNING)
        if len(begins):
            return cls(run, path, number, begins, begins=True)
        around = [i for i in sites if _is_inside(sites[i], number)]
        return cls(run, path, number, _nodes(run, _smallest(around, sites), _WITH_LINES), begins=False)

    def after(self, moment: int) -> Spot | None:
        """The first hit after a moment."""
        first, last = self.run.tree.first, self.run.tree.last
        best: Spot | None = None
        for node in self.nodes[last[self.nodes] > moment][:MOST_LOOKED_AT].tolist():
            if best is not None and int(first[node]) >= best.moment:
                break  # what begins later cannot come to the line earlier
            spot = self._hit(node)
            if spot is not None and spot.moment > moment and (best is None or spot.moment < best.moment):
                best = spot
        return best

    def before(self, moment: int) -> Spot | None:
        """The last hit before a moment."""
        first, last = self.run.tree.first, self.run.tree.last
        nodes = self.nodes[first[self.nodes] < moment][::-1]
        best = next((spot for spot in self._hits(nodes[:MOST_LOOKED_AT]) if spot.moment < moment), None)
        if best is None:
            return None
        longer = nodes[last[nodes] > best.moment][:MOST_LOOKED_AT]  # what began earlier may have come there later
        found = [best, *(spot for spot in self._hits(longer) if spot.moment < moment)]
        return max(found, key=lambda spot: spot.moment)

    def all(self, most: int) -> list[Spot]:
        """The first hits, in order."""
        found = []
        for spot in self._hits(self.nodes[:MOST_LOOKED_AT]):
            found.append(spot)
            if len(found) == most:
                break
        return sorted(found, key=lambda spot: spot.moment)

    def _hits(self, nodes: NDArray[np.int64]) -> Iterator[Spot]:
        return (spot for node in nodes.tolist() if (spot := self._hit(node)) is not None)

    def _hit(self, node: int) -> Spot | None:
        """The spot at which a node executed the line, if it did."""
        whole = Spot(self.run, node)
        if self.begins:
            return whole
        places = [place for place in self.run.behaviour(node).projection if self._is_on(place)]
        return self._statement(whole) or Spot(self.run, node, line=places[0]) if places else None

    def _statement(self, whole: Spot) -> Spot | None:
        inside = whole.inside()
        parts = [] if inside is None else [Spot(inside, node, whole) for node in range(1, len(inside.tree))]
        on_line = [spot for spot in parts if spot.place is not None and self._is_on(spot.place)]
        starting = [spot for spot in on_line if spot.place and spot.place.range.start.line == self.number]
        return next(iter([*starting, *on_line]), None)

    def _is_on(self, place: Location) -> bool:
        return place.path == self.path and place.range.start.line <= self.number <= place.range.end.line


def _is_module(site: Site) -> bool:
    """A module has no line on which it begins."""
    return site.rule == site.module


def _begins(site: Site, number: int) -> bool:
    return site.location is not None and site.location.range.start.line == number and not _is_module(site)


def _is_inside(site: Site, number: int) -> bool:
    """Whether a line is in the body of something."""
    if site.location is None:
        return False
    place = site.location.range
    return (_is_module(site) or place.start.line < number) and place.start.line <= number <= place.end.line


def _smallest(found: list[int], sites: Mapping[int, Site]) -> list[int]:
    """Those with the smallest range."""
    extents = {i: _extent(sites[i].location) for i in found}
    return [i for i in found if extents[i] == min(extents.values())]


def _extent(place: Location | None) -> tuple[int, int]:
    if place is None:
        return 0, 0
    return place.range.end.line - place.range.start.line, place.range.end.column - place.range.start.column


def _nodes(run: Subject, sites: list[int], kinds: Iterable[NodeKind]) -> NDArray[np.int64]:
    tree = run.tree
    return np.flatnonzero(np.isin(tree.site, sites) & np.isin(tree.kind, [int(kind) for kind in kinds]))
