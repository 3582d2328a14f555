"""Halving in C gives the same tree and mappings as its twin in numpy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.native.shared_library import library
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import COLUMNS, ExecutionTree
from adebug_lsp.tree.transform.halving import halve, halve_by_arrays

pytestmark = pytest.mark.skipif(library is None, reason="there is no library in C: no compiler, or ADEBUG_PURE=1")
KINDS = (NodeKind.ROUTINE, NodeKind.LOOP, NodeKind.ITERATION)


@st.composite
def trees(draw: st.DrawFn) -> ExecutionTree:
    builder = TreeBuilder()
    ups = draw(st.lists(st.integers(0, 3), max_size=60))
    for event, up in enumerate([0, *ups]):
        for _ in range(min(up, len(builder._open) - 1)):
            builder.leave(last=event, raised=event % 3 == 0, cost=event)
        site = Site(str(event), "routine", "module", None)
        builder.enter(builder.site(site), kind=draw(st.sampled_from(KINDS)), first=event)
    while builder._open:
        builder.leave(last=len(ups))
    return builder.finish()[0]


@given(trees(), st.none() | st.integers(0, 5))
def test_both_ways_give_the_same_tree(tree: ExecutionTree, longest: int | None) -> None:
    native, arrays = halve(tree, longest), halve_by_arrays(tree, longest)
    for name in COLUMNS:
        assert getattr(native.tree, name).tolist() == getattr(arrays.tree, name).tolist(), name
        assert getattr(native.tree, name).dtype == getattr(arrays.tree, name).dtype
    assert native.identity.tolist() == arrays.identity.tolist()
    assert dict(native.sources) == dict(arrays.sources)


def test_a_long_run_is_halved_the_same() -> None:
    builder = TreeBuilder()
    loop = builder.enter(builder.site(Site("loop", "loop", "", None)), kind=NodeKind.LOOP)
    for _ in range(100_000):
        builder.attach(builder.add(0, kind=NodeKind.ITERATION), loop)
    tree = builder.finish()[0]
    native, arrays = halve(tree, 12), halve_by_arrays(tree, 12)
    assert all(np.array_equal(getattr(native.tree, name), getattr(arrays.tree, name)) for name in COLUMNS)
