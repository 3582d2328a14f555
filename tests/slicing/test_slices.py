"""The laws of slices, over random graphs."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.slicing.dependence_graph import Edge, Graph
from adebug_lsp.slicing.provenance import Certainty
from adebug_lsp.slicing.slices import backward, chop, dice, forward, union

Edges = dict[int, list[Edge[int]]]


@st.composite
def graphs(draw: st.DrawFn) -> Edges:
    """Any graph, with cycles too."""
    size = draw(st.integers(1, 12))
    nodes = st.integers(0, size - 1)
    edges = st.lists(st.builds(Edge, nodes, certainty=st.sampled_from(Certainty)), max_size=4)
    return {node: draw(edges) for node in range(size)}


def some(edges: Edges) -> st.SearchStrategy[set[int]]:
    return st.sets(st.sampled_from(sorted(edges)), max_size=3)


def of(edges: Edges) -> Graph[int]:
    return lambda node: edges[node]


def closed(edges: Edges, nodes: Iterable[int]) -> set[int]:
    """All that can be reached, by its definition: a fixed point."""
    reached = set(nodes)
    while more := {edge.on for node in reached for edge in edges[node]} - reached:
        reached |= more
    return reached


@given(st.data(), graphs())
def test_a_backward_slice_is_the_closure_of_its_criterion(data: st.DataObject, edges: Edges) -> None:
    criterion = data.draw(some(edges))
    assert backward(of(edges), criterion).nodes == closed(edges, criterion)


@given(st.data(), graphs())
def test_slices_are_monotone(data: st.DataObject, edges: Edges) -> None:
    small, more = data.draw(some(edges)), data.draw(some(edges))
    large = backward(of(edges), small | more).nodes
    assert backward(of(edges), small).nodes <= large
    assert large == union(backward(of(edges), small).nodes, backward(of(edges), more).nodes)


@given(st.data(), graphs())
def test_a_forward_slice_is_everything_whose_backward_slice_has_the_criterion(
    data: st.DataObject, edges: Edges
) -> None:
    criterion = data.draw(some(edges))
    wanted = {node for node in edges if closed(edges, [node]) & criterion}
    assert forward(of(edges), edges, criterion) == wanted


@given(st.data(), graphs())
def test_a_chop_is_what_lies_in_both_slices(data: st.DataObject, edges: Edges) -> None:
    source, target = data.draw(some(edges)), data.draw(some(edges))
    both = forward(of(edges), edges, source) & backward(of(edges), target).nodes
    assert chop(of(edges), source, target) == both


@given(st.data(), graphs())
def test_a_dice_and_what_the_right_values_depend_on_are_apart(data: st.DataObject, edges: Edges) -> None:
    wrong, *right = (backward(of(edges), data.draw(some(edges))).nodes for _ in range(3))
    left = dice(wrong, *right)
    assert left <= wrong
    assert not left & union(*right)
    assert union(left, wrong & union(*right)) == wrong


@given(st.data(), graphs())
def test_certainty_is_that_of_the_surest_way(data: st.DataObject, edges: Edges) -> None:
    criterion = data.draw(some(edges))
    reached = backward(of(edges), criterion)
    for least in Certainty:
        sure = {node: [edge for edge in edges[node] if edge.certainty >= least] for node in edges}
        assert closed(sure, criterion) == {
            node for node, certainty in reached.certainties.items() if certainty >= least
        }


@given(st.data(), graphs(), st.integers(0, 12))
def test_a_limited_slice_names_what_it_did_not_follow(data: st.DataObject, edges: Edges, most: int) -> None:
    criterion = data.draw(some(edges))
    reached = backward(of(edges), criterion, most)
    followed = reached.nodes - set(reached.pending)
    assert len(followed) <= most
    assert closed(edges, reached.pending) | followed == closed(edges, criterion)
    assert all(edge.on in reached.nodes for node in followed for edge in edges[node])
