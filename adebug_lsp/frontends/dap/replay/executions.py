"""Executions of source lines, which breakpoints in a replay stop at.

The first line of a routine or a loop counts as executed with every execution of it; any other line, with the statement
on it, inside the call or iteration that executed it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from adebug_lsp.frontends.dap.replay.cursor import Cursor
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location, Site
from adebug_lsp.session.subject import Subject

Executed = Callable[[str, int], NDArray[np.int64]]
"""The nodes that executed a line of a file: `Opened.executed`."""

_MOST_KNOWN = 16
_BEGINNING = (NodeKind.ROUTINE, NodeKind.GENERATOR, NodeKind.COROUTINE, NodeKind.LOOP)


@frozen(eq=False)
class Line:
    """One line of one file, counted from 0, and the nodes that executed it, in order."""

    run: Subject
    path: str
    number: int
    nodes: NDArray[np.int64]
    begins: bool
    """Whether it is the first line of a routine or a loop."""
    _known: dict[int, Cursor] = field(factory=dict)
    """Cache of executions: continuing from one looks it up twice."""

    @classmethod
    def of(cls, run: Subject, path: str, number: int, executed: Executed) -> "Line":
        """Look a line up in a run."""
        sites = {i: site for i, site in enumerate(run.tree.sites) if site.location and site.location.path == path}
        begins = _nodes(run, _smallest([i for i in sites if _begins(sites[i], number)], sites), _BEGINNING)
        if len(begins):
            return cls(run, path, number, begins, begins=True)
        return cls(run, path, number, executed(path, number), begins=False)

    def after(self, moment: int) -> Cursor | None:
        """The first execution after a moment."""
        first, last = self.run.tree.first, self.run.tree.last
        best: Cursor | None = None
        for node in self.nodes[last[self.nodes] > moment].tolist():
            if best is not None and int(first[node]) >= best.moment:
                break  # nodes that start later cannot reach the line earlier
            cursor = self._execution(node)
            if cursor.moment > moment and (best is None or cursor.moment < best.moment):
                best = cursor
        return best

    def before(self, moment: int) -> Cursor | None:
        """The last execution before a moment."""
        first, last = self.run.tree.first, self.run.tree.last
        nodes = self.nodes[first[self.nodes] < moment][::-1]
        best = next((cursor for cursor in self._executions(nodes) if cursor.moment < moment), None)
        if best is None:
            return None
        longer = nodes[last[nodes] > best.moment]  # nodes that started earlier may have reached it later
        candidates = [best, *(cursor for cursor in self._executions(longer) if cursor.moment < moment)]
        return max(candidates, key=lambda cursor: cursor.moment)

    def all(self, most: int) -> list[Cursor]:
        """The hits of the first nodes, in order."""
        return sorted(self._executions(self.nodes[:most]), key=lambda cursor: cursor.moment)

    def _executions(self, nodes: NDArray[np.int64]) -> Iterator[Cursor]:
        return map(self._execution, nodes.tolist())

    def _execution(self, node: int) -> Cursor:
        """The cursor at which a node executed the line."""
        if node not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            whole = Cursor(self.run, node)
            self._known[node] = whole if self.begins else self._statement(whole)
        return self._known[node]

    def _statement(self, whole: Cursor) -> Cursor:
        inside = whole.inside()
        parts = [] if inside is None else [Cursor(inside, node, whole) for node in range(1, len(inside.tree))]
        on_line = [cursor for cursor in parts if cursor.place is not None and self._is_on(cursor.place)]
        starting = [cursor for cursor in on_line if cursor.place and cursor.place.range.start.line == self.number]
        return next(iter([*starting, *on_line]), whole)

    def _is_on(self, place: Location) -> bool:
        return place.path == self.path and place.range.start.line <= self.number <= place.range.end.line


def _is_module(site: Site) -> bool:
    """Whether a site is a module, which begins on no line."""
    return site.rule == site.module


def _begins(site: Site, number: int) -> bool:
    return site.location is not None and site.location.range.start.line == number and not _is_module(site)


def _smallest(candidates: list[int], sites: Mapping[int, Site]) -> list[int]:
    """The candidates with the smallest range."""
    extents = {i: _extent(sites[i].location) for i in candidates}
    return [i for i in candidates if extents[i] == min(extents.values())]


def _extent(place: Location | None) -> tuple[int, int]:
    if place is None:
        return 0, 0
    return place.range.end.line - place.range.start.line, place.range.end.column - place.range.start.column


def _nodes(run: Subject, sites: list[int], kinds: Iterable[NodeKind]) -> NDArray[np.int64]:
    tree = run.tree
    return np.flatnonzero(np.isin(tree.site, sites) & np.isin(tree.kind, [int(kind) for kind in kinds]))
