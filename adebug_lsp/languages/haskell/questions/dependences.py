"""Where a marked value came from, by chapter 6 of Silva's thesis over the trail (`collect` of Figure 6.4).

Nodes and their parents are those of the augmented redex trail. `slicing.trail` has the same functions over a graph of
objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.units import MOST_SITES, SITE_BITS
from adebug_lsp.languages.haskell.reading.graph import Constant, Data, Graph, Ref, Value, deep
from adebug_lsp.languages.haskell.reading.run import HaskellRun
from adebug_lsp.languages.haskell.reading.trail_text import shown_arguments
from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.values import Key
from adebug_lsp.slicing.dependence_contract import Trace

_MASK = (1 << SITE_BITS) - 1


@frozen(eq=False)
class HaskellDependences:
    """See `Dependences`."""

    run: HaskellRun
    reduction: Callable[[int], int]
    nodes: Mapping[int, int]
    """Nodes of the tree by reduction; reductions of the library have none."""

    def trace(self, node: int, mark: Mark) -> Trace | None:
        """See `Dependences`."""
        if mark.of is MarkOf.AFTER:
            return None  # nothing is changed by a reduction
        return deep(lambda: self._trace(node, mark))

    def _trace(self, node: int, mark: Mark) -> Trace | None:
        """The trace of a mark: the maker of the marked part, and everything that can have influenced it."""
        q = self.reduction(node)
        way = Way(self.run.graph)
        if mark.of is MarkOf.RESULT:
            start = self.run.recording.trail.redexes[q]
            is_complete = way.walk(start if start >= 0 else self.run.result(q), mark.path)
        elif mark.of is MarkOf.CALL:
            start, is_complete = -1, True
            way.nodes.append(self.run.recording.trail.redexes[q])
        else:
            start = -1
            ref, rest = self._argument(q, mark.path)
            is_complete = way.walk(ref, rest)
        if not is_complete or not way.nodes:
            return None
        ends = [*(reduct for reduct in way.reducts), way.nodes[-1]]
        reductions: set[int] = set()
        for end in ends:
            if start < 0 or self._is_below(end, start):
                reductions |= self.influencers(start, end)
        origin = self._nearest(way.nodes[-1], node)
        known = {self.nodes[r] for r in reductions if r in self.nodes}
        return Trace(origin, frozenset(known | {origin}))

    def _argument(self, q: int, path: Sequence[Key]) -> tuple[Any, Sequence[Key]]:
        """The marked argument or captured variable, and the remaining path."""
        shown = shown_arguments(self.run.graph, q)
        names = self.run.parameter_names(q)
        if not path:
            return (shown[0][1] if shown else None), ()
        for position, ref in shown:
            if path[0] in (names[position], str(position), position):
                return ref, path[1:]
        captured = dict(self.run.captured(q))
        return captured.get(str(path[0])), path[1:]

    def _is_below(self, node: int, start: int) -> bool:
        """Whether a node was created by the reduction of `start`, or for it."""
        q = self.run.graph.reduction_at(start)
        above = node >> SITE_BITS
        while q is not None and above > q:
            above = self.run.recording.trail.redexes[above] >> SITE_BITS
        return above == q

    def _nearest(self, node: int, default: int) -> int:
        """The reduction with a question that created a node: its origin (Lemma 58)."""
        trail = self.run.recording.trail
        above = node >> SITE_BITS
        while above > 0 and above not in self.nodes:
            above = trail.redexes[above] >> SITE_BITS
        return self.nodes.get(above, default)

    def influencers(self, start: int, end: int) -> set[int]:
        """Reductions that can have influenced `end` since `start`: its ancestors, and all in their arguments."""
        trail, graph = self.run.recording.trail, self.run.graph
        stop = start >> SITE_BITS if start >= 0 else -1
        operands = made_for(graph, end) if graph.reduction_at(end) is None else set()  # of a primitive
        reductions = set(operands)
        node = end
        while (parent := node >> SITE_BITS) != stop or node < 0:
            reductions.add(parent)
            reductions |= closure(graph, decisions(graph, parent))
            redex = trail.redexes[parent]
            if redex < 0:
                break
            reductions |= made_for(graph, redex)
            node = redex
        return reductions


class Way:
    """The nodes on the path to a part of a value."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes: list[int] = []
        self.reducts: list[int] = []

    def walk(self, ref: Ref, path: Sequence[Key]) -> bool:
        """Follow a path of fields; False if there is no such part."""
        self._settle(ref)
        value = self.graph.value(ref)
        for key in path:
            part = self._part(value, key)
            if part is None:
                return False
            self._settle(part)
            value = self.graph.value(part)
        return True

    def _settle(self, ref: Ref) -> None:
        """Add the nodes from a reference to its most evaluated form."""
        seen = set()
        while isinstance(ref, int) and ref not in seen:
            seen.add(ref)
            self.nodes.append(ref)
            q = self.graph.reduction_at(ref)
            if q is None:
                return
            self.reducts.append(q << SITE_BITS)  # any node of its reduct has this parent
            ref = self.graph.result(q)
            if not isinstance(ref, int):
                self.nodes.append(q << SITE_BITS)

    def _part(self, value: Value, key: Key) -> Ref | None:
        """The field of a value that a key of a path names."""
        if isinstance(value, Constant) and value.is_string:
            return None
        if not isinstance(value, Data):
            return None
        if value.info.type_name == "[]" and isinstance(key, int):
            for _ in range(key):
                if not isinstance(value, Data) or not value.fields:
                    return None
                self._settle(value.fields[1])
                value = self.graph.value(value.fields[1])
            return value.fields[0] if isinstance(value, Data) and value.fields else None
        labels: list[Key] = list(value.info.labels) or list(range(len(value.fields)))
        return value.fields[labels.index(key)] if key in labels else None


def made_for(graph: Graph, redex: int) -> set[int]:
    """Reductions that evaluated a redex's arguments and were created with it: `subnodes` in the thesis."""
    return closure(graph, own_parts(graph, redex))


def closure(graph: Graph, pending: list[int]) -> set[int]:
    """The reductions of some nodes, of the parts created for them, and of what they were reduced to."""
    reductions: set[int] = set()
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        pending += own_parts(graph, node)
        q = graph.reduction_at(node)
        if q is not None:
            reductions.add(q)
            pending += decisions(graph, q)
            result = graph.result(q)
            if isinstance(result, int) and result >> SITE_BITS == q:
                pending.append(result)
            elif isinstance(result, Data):
                pending += [f for f in result.fields if isinstance(f, int) and f >> SITE_BITS == q]
    return reductions


def decisions(graph: Graph, q: int) -> list[int]:
    """The nodes of the conditions by which a reduction chose its result: guards and scrutinees."""
    unit = graph.unit(q)
    conditions: list[Any] = []
    e: c.Expr | None = unit.expression
    if isinstance(e, c.Lam):
        first = len(unit.captured) + len(unit.dicts)
        refs = list(graph.arguments(q)[first : first + unit.arity])
        e = _chosen(graph, e.clauses, refs, q, conditions)
    while isinstance(e, c.Match | c.Let):
        if isinstance(e, c.Let):
            e = e.body
            continue
        conditions.append(e.scrutinee)
        if e.keyword == "if":
            branch = graph.branch(e, q)
            e = branch.body if isinstance(branch, c.Branch) else None
        else:
            ref = graph.resolve(e.scrutinee, q) if e.keyword == "guards" else graph.scrutinee(e, q)
            e = _chosen(graph, e.clauses, [ref], q, conditions)
    return [
        q << SITE_BITS | condition.site
        for condition in conditions
        if isinstance(condition, c.App | c.Match) and condition.site
    ]


def _chosen(graph: Graph, clauses: list[c.Clause], refs: list[Ref], q: int, conditions: list[Any]) -> c.Expr | None:
    """The body of the branch that was taken; collects the conditions that were evaluated on the way."""
    branch = graph.chosen(clauses, refs, q, -2)
    for clause in clauses:
        for candidate in clause.branches:
            conditions += [
                g.condition if isinstance(g, c.BoolGuard) else getattr(g, "expression", None) for g in candidate.guards
            ]
            if candidate is branch:
                return candidate.body
    return None


def own_parts(graph: Graph, node: int) -> list[int]:
    """The nodes of an application's parts that were created for it and are not shared with older nodes."""
    r, site = node >> SITE_BITS, node & _MASK
    if node < 0 or (r == 0 and site >= MOST_SITES):
        return []
    e = graph.unit(r).sites[site]
    if not isinstance(e, c.App):
        return []
    parts = [graph.resolve(a, r) for a in e.arguments if not isinstance(a, c.Var)]
    return [part for part in parts if isinstance(part, int) and part >> SITE_BITS == r]
