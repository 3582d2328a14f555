"""Slices of a dependence graph: backward, forward, chop, dice, union (Silva's thesis, chapter 2)."""

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Set
from typing import Generic

from attrs import frozen

from adebug_lsp.slicing.dependence_graph import Edge, Graph, N
from adebug_lsp.slicing.provenance import Certainty


@frozen
class Reached(Generic[N]):
    """The nodes of a backward slice."""

    edges: Mapping[N, Edge[N] | None]
    """For each node, the edge by which it was reached from the criterion; None for the criterion itself."""
    certainties: Mapping[N, Certainty]
    """For each node, the certainty of the surest path to it, which its least sure edge decides."""
    pending: tuple[N, ...] = ()
    """Nodes of the slice whose dependences were not followed, because the slice was too long."""

    @property
    def nodes(self) -> Set[N]:
        """All nodes."""
        return self.edges.keys()


def backward(graph: Graph[N], criterion: Iterable[N], most: int | None = None) -> Reached[N]:
    """Everything that the criterion depends on, itself included; at most `most` nodes are followed.

    Surer edges are followed first, so that every node is reached on its surest way.
    """
    edges: dict[N, Edge[N] | None] = {}
    certainties: dict[N, Certainty] = {}
    waiting: dict[Certainty, deque[tuple[N, Edge[N] | None]]] = {c: deque() for c in sorted(Certainty, reverse=True)}
    waiting[Certainty.EXACT].extend((node, None) for node in criterion)
    followed = 0
    while queue := next((queue for queue in waiting.items() if queue[1]), None):
        certainty, (node, edge) = queue[0], queue[1].popleft()
        if node in edges:
            continue
        edges[node], certainties[node] = edge, certainty
        if most is not None and followed >= most:
            continue
        followed += 1
        for dependency in graph(node):
            if dependency.on not in edges:
                way = Edge(node, dependency.dependence, dependency.certainty)
                waiting[min(certainty, dependency.certainty)].append((dependency.on, way))
    pending = tuple(edges)[followed:]
    return Reached(edges, certainties, pending)


def forward(graph: Graph[N], universe: Collection[N], criterion: Iterable[N]) -> set[N]:
    """Everything in a universe that depends on the criterion, itself included."""
    dependents: dict[N, list[N]] = defaultdict(list)
    for node in universe:
        for edge in graph(node):
            dependents[edge.on].append(node)
    reached = set(criterion)
    waiting = list(reached)
    while waiting:
        new = set(dependents[waiting.pop()]) - reached
        reached |= new
        waiting.extend(new)
    return reached


def chop(graph: Graph[N], source: Iterable[N], target: Iterable[N], most: int | None = None) -> set[N]:
    """Everything by which the source affects the target: its forward slice within the backward slice of the other."""
    slice_of_target = backward(graph, target, most).nodes
    return forward(graph, slice_of_target, set(source) & slice_of_target)


def dice(wrong: Set[N], *right: Set[N]) -> set[N]:
    """Everything that a wrong value depends on and right values do not."""
    return set(wrong).difference(*right)


def union(*slices: Set[N]) -> set[N]:
    """Everything that any of the values depends on."""
    return set().union(*slices)
