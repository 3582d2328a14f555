"""Building trees gives the same preorder columns whatever the order of arrival."""

import numpy as np
import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.tree.builder import TreeBuilder, lay_out
from adebug_lsp.tree.columns import BYTES_PER_NODE
from adebug_lsp.tree.file import check_tree
from tests.support import preorder_parents, tree_of

SITE = Site("r", "r")


@settings(max_examples=150, deadline=None)
@given(parents=preorder_parents(most=40), data=st.data())
def test_nodes_may_come_in_any_order(parents: list[int | None], data: st.DataObject) -> None:
    """Only the order in which siblings are attached matters, not when anything was added."""
    order = data.draw(st.permutations(range(len(parents))))
    builder = TreeBuilder()
    handles = {node: builder.add(builder.site(SITE), cost=node) for node in order}
    for node, parent in enumerate(parents):
        builder.attach(handles[node], None if parent is None else handles[parent])
    tree, places = builder.finish()
    check_tree(tree)
    assert [places[handles[node]] for node in range(len(parents))] == list(range(len(parents)))
    assert tree.parent.tolist() == [-1 if parent is None else parent for parent in parents]
    assert tree.cost.tolist() == list(range(len(parents)))


@define
class Part:
    number: int
    children: list["Part"] = field(factory=list)


@settings(max_examples=80, deadline=None)
@given(parents=preorder_parents(most=40))
def test_nested_parts_become_nodes_in_their_order(parents: list[int | None]) -> None:
    parts = [Part(number) for number in range(len(parents))]
    for part, parent in zip(parts, parents, strict=True):
        if parent is not None:
            parts[parent].children.append(part)
    builder = TreeBuilder()
    root = builder.add(builder.site(SITE))
    tree, laid = lay_out(builder, root, parts[:1], lambda part: builder.add(builder.site(SITE), cost=part.number))
    check_tree(tree)
    assert laid == [None, *parts]
    assert tree.parent.tolist() == [-1, *(0 if parent is None else parent + 1 for parent in parents)]
    assert tree.cost.tolist() == [0, *range(len(parents))]


def test_nested_parts_may_be_deeper_than_the_stack() -> None:
    part = Part(0)
    for number in range(1, 5000):
        part = Part(number, [part])
    builder = TreeBuilder()
    tree, _ = lay_out(builder, builder.add(0), [part], lambda part: builder.add(0, cost=part.number))
    assert tree.cost[5000] == 0


@settings(max_examples=80, deadline=None)
@given(parents=preorder_parents(most=40))
def test_sizes_children_and_ancestors_agree(parents: list[int | None]) -> None:
    tree = tree_of(parents)
    for node in range(len(tree)):
        assert list(tree.children(node)) == [n for n, parent in enumerate(parents) if parent == node]
        below = {n for n in range(len(tree)) if n == node or node in tree.ancestors(n)}
        assert below == set(range(node, tree.end(node)))


def test_enter_and_leave_follow_the_calls() -> None:
    builder = TreeBuilder()
    f, g = builder.site(Site("f", "f")), builder.site(Site("g", "g"))
    builder.enter(f, first=1)
    builder.enter(g, kind=NodeKind.LAMBDA, first=2)
    builder.leave(last=5, raised=True, cost=7, behaviour=3)
    builder.enter(g, first=6)
    builder.leave(last=8)
    builder.leave(last=9)
    tree, _places = builder.finish()
    assert tree.parent.tolist() == [-1, 0, 0]
    facts = tree.facts(1)
    assert (facts.kind, facts.raised, facts.cost, facts.first, facts.last) == (NodeKind.LAMBDA, True, 7, 2, 5)
    assert [site.rule for site in tree.sites] == ["f", "g"]


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ([], "at least one node"),
        ([None, None], "two roots"),
        ([0], "none"),
        ([None, 2, 1], "depends on itself"),
    ],
)
def test_a_file_that_is_not_a_tree_is_refused(parents: list[int | None], message: str) -> None:
    builder = TreeBuilder()
    for _ in parents:
        builder.add(builder.site(SITE))
    for node, parent in enumerate(parents):
        builder.attach(node, parent)
    with pytest.raises(BadInputError, match=message):
        builder.finish()


def test_misuse_is_refused() -> None:
    builder = TreeBuilder()
    with pytest.raises(BadInputError, match="never began"):
        builder.leave()
    node = builder.add(builder.site(SITE))
    with pytest.raises(BadInputError, match="never attached"):
        builder.finish()
    builder.attach(node, None)
    with pytest.raises(BadInputError, match="two parents"):
        builder.attach(node, None)


def test_a_long_chain_and_a_wide_star() -> None:
    chain = tree_of([None, *range(200_000 - 1)])
    assert int(chain.size[0]) == 200_000
    star = tree_of([None] + [0] * 199_999)
    assert len(star.children(0)) == 199_999
    assert np.all(star.size[1:] == 1)


def test_columns_are_small() -> None:
    assert BYTES_PER_NODE <= 42
