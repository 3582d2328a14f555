"""Every transformation gives a well-formed tree with right mappings, on random trees and on deep and wide ones."""

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import ROUTINE_KINDS, NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.search.divide_and_query import Optimal
from adebug_lsp.search.space import Space
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import COLUMNS, ExecutionTree
from adebug_lsp.tree.transform.balancing import balance, chains_of_one_rule, collapse_and_project
from adebug_lsp.tree.transform.compression import compress
from adebug_lsp.tree.transform.draft import FACTS, Transformed
from adebug_lsp.tree.transform.halving import halve
from adebug_lsp.tree.transform.loops import Iteration, Loop, expand_loops
from adebug_lsp.tree.transform.routines import routine_tree
from adebug_lsp.tree.transform.simplification import Simplified, simplify

steady = settings(deadline=None)  # a busy machine is no failure
MANY = 200_000
TreeAndLoops = tuple[ExecutionTree, dict[int, tuple[Loop, ...]]]
Change = tuple[ExecutionTree, dict[int, Simplified], dict[int, int]]
SITES = [Site(rule) for rule in "fghk"]


def check_tree(tree: ExecutionTree, *, nested: bool = True) -> None:
    """The columns describe one tree in preorder; with `nested`, each computation lies inside its parent's."""
    parents, sizes = tree.parent.tolist(), tree.size.tolist()
    counted = [1] * len(parents)
    for node in range(len(parents) - 1, 0, -1):
        counted[parents[node]] += counted[node]
    assert np.array_equal(sizes, counted)
    inside: list[int] = []
    for node, parent in enumerate(parents):
        while inside and inside[-1] + sizes[inside[-1]] <= node:
            inside.pop()
        assert parent == (inside[-1] if inside else -1)
        inside.append(node)
    assert {name: getattr(tree, name).dtype.str.lstrip("|") for name in COLUMNS} == {
        name: np.dtype(kind).str.lstrip("|") for name, kind in COLUMNS.items()
    }
    assert np.all(tree.first <= tree.last)
    if nested:
        above = tree.parent[1:]
        assert np.all(tree.first[above] <= tree.first[1:])
        assert np.all(tree.last[1:] <= tree.last[above])


def check_mappings(old: ExecutionTree, done: Transformed) -> None:
    """A node is preserved as it was, from one old node only, or has old nodes as sources."""
    kept = done.identity >= 0
    assert len(done.identity) == len(done.tree)
    assert len(set(done.identity[kept].tolist())) == np.count_nonzero(kept)
    assert np.array_equal(list(done.sources), np.flatnonzero(~kept))
    assert len(done.sources) == np.count_nonzero(~kept)
    for name in FACTS:
        assert np.array_equal(getattr(done.tree, name)[kept], getattr(old, name)[done.identity[kept]])
    for node in list(done.sources)[:1000]:
        assert done.sources[node]
        assert all(0 <= source < len(old) for source in done.sources[node])
    assert done.tree.sites is old.sites


def check(old: ExecutionTree, done: Transformed, *, nested: bool = True) -> None:
    check_tree(done.tree, nested=nested)
    check_mappings(old, done)


def preserved_above(done: Transformed, node: int) -> int:
    """The old number of the nearest preserved ancestor; -1 where there is none."""
    return next((int(done.identity[n]) for n in done.tree.ancestors(node) if done.identity[n] >= 0), -1)


def nested_tree(parents: list[int], sites: list[int], kinds: list[NodeKind], raised: list[bool]) -> ExecutionTree:
    """A tree whose computations nest in time, ten events apart; costs and behaviours tell nodes apart."""
    builder = TreeBuilder()
    for site in SITES:
        builder.site(site)
    inside: list[int] = []
    clock = 0
    for node, above in enumerate((*parents, -1)):
        while inside and inside[-1] != above:
            left = inside.pop()
            builder.leave(last=clock, raised=raised[left], cost=left + 3, behaviour=left % 5)
            clock += 10
        if node < len(parents):
            builder.enter(sites[node], kind=kinds[node], first=clock)
            inside.append(node)
            clock += 10
    return builder.finish()[0]


@st.composite
def trees(draw: st.DrawFn, most: int = 30) -> ExecutionTree:
    """Random trees of all shapes: each node hangs somewhere on the path from the last one to the root."""
    count = draw(st.integers(1, most))
    parents = [-1]
    for node in range(1, count):
        above = node - 1
        for _ in range(draw(st.sampled_from((0, 1, 1, 1, 2, 3)))):
            above = parents[above] if parents[above] >= 0 else above
        parents.append(above)
    sites = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    kind = st.sampled_from((NodeKind.ROUTINE, NodeKind.LOOP, NodeKind.ITERATION, NodeKind.ITERATION))
    kinds = draw(st.lists(kind, min_size=count, max_size=count))
    raised = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    return nested_tree(parents, sites, kinds, raised)


def routines(parents: list[int], sites: list[int] | None = None) -> ExecutionTree:
    count = len(parents)
    return nested_tree(parents, sites or [0] * count, [NodeKind.ROUTINE] * count, [False] * count)


def loop_of(iterations: int) -> ExecutionTree:
    kinds = [NodeKind.LOOP] + [NodeKind.ITERATION] * iterations
    return nested_tree([-1] + [0] * iterations, [0] * (iterations + 1), kinds, [False] * (iterations + 1))


def large(parents: np.ndarray, sites: np.ndarray, kinds: np.ndarray) -> ExecutionTree:
    """A tree with one event per node, made column by column."""
    count = len(parents)
    nodes = np.arange(count)
    sizes = np.ones(count, dtype=np.int64)
    for node in range(count - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    same = np.zeros(count)
    columns = {"parent": parents, "size": sizes, "site": sites, "kind": kinds, "raised": same, "cost": same + 1}
    columns |= {"first": nodes, "last": nodes + sizes, "behaviour": same}
    return ExecutionTree(**{name: columns[name].astype(kind) for name, kind in COLUMNS.items()}, sites=SITES)


def chain() -> ExecutionTree:
    return large(np.arange(MANY) - 1, np.arange(MANY) // 3 % 2, np.zeros(MANY))


def star() -> ExecutionTree:
    return large(
        np.concatenate([[-1], np.zeros(MANY - 1, dtype=np.int64)]),
        np.arange(MANY) % 2,
        np.concatenate([[NodeKind.LOOP], np.full(MANY - 1, NodeKind.ITERATION)]),
    )


class TestCompression:
    @steady
    @given(trees())
    def test_remaining_nodes_differ_from_their_parents(self, tree: ExecutionTree) -> None:
        done = compress(tree)
        check(tree, done)
        assert not done.sources
        sites, parents = done.tree.site, done.tree.parent
        assert np.all(sites[1:] != sites[parents[1:]])

    @steady
    @given(trees())
    def test_exactly_the_recursive_calls_give_way_to_their_children(self, tree: ExecutionTree) -> None:
        done = compress(tree)
        recursive = {n for n in range(1, len(tree)) if tree.site[n] == tree.site[tree.parent[n]]}
        assert done.identity.tolist() == [n for n in range(len(tree)) if n not in recursive]
        for node in range(1, len(done.tree)):
            above = next(n for n in tree.ancestors(int(done.identity[node])) if n not in recursive)
            assert preserved_above(done, node) == above


class TestRoutineTree:
    @steady
    @given(trees())
    def test_only_routines_and_the_root_are_left(self, tree: ExecutionTree) -> None:
        done = routine_tree(tree)
        check(tree, done)
        assert not done.sources
        assert done.identity.tolist() == [n for n in range(len(tree)) if n == 0 or tree.kind[n] in ROUTINE_KINDS]

    def test_a_routine_called_in_a_loop_hangs_on_the_caller(self) -> None:
        kinds = [NodeKind.ROUTINE, NodeKind.LOOP, NodeKind.ITERATION, NodeKind.ROUTINE, NodeKind.COLLAPSE]
        done = routine_tree(nested_tree([-1, 0, 1, 2, 0], [0] * 5, kinds, [False] * 5))
        assert done.identity.tolist() == [0, 3, 4]
        assert done.tree.parent.tolist() == [-1, 0, 0]


class TestHalving:
    @steady
    @given(trees(60), st.sampled_from((None, 0, 1, 2, 5)))
    def test_all_nodes_are_preserved_in_order(self, tree: ExecutionTree, longest: int | None) -> None:
        done = halve(tree, longest)
        check(tree, done)
        assert done.identity[done.identity >= 0].tolist() == list(range(len(tree)))
        for node in np.flatnonzero(done.identity >= 0).tolist():
            assert preserved_above(done, node) == tree.parent[done.identity[node]]

    @steady
    @given(trees(60), st.sampled_from((None, 1, 3)))
    def test_a_range_says_what_it_covers(self, tree: ExecutionTree, longest: int | None) -> None:
        done = halve(tree, longest)
        for node, members in done.sources.items():
            facts, parent = done.tree.facts(node), int(tree.parent[members[0]])
            assert len(members) > 1
            below = [n for n in range(node, done.tree.end(node)) if done.identity[n] >= 0]
            assert [int(done.identity[n]) for n in below if tree.parent[done.identity[n]] == parent] == list(members)
            assert (facts.first, facts.last) == (tree.first[members[0]], tree.last[members[-1]])
            assert (facts.site, facts.cost) == (tree.site_of(parent), tree.cost[parent])
            assert facts.raised == tree.raised[members[-1]]
            is_loop = tree.kind[parent] == NodeKind.LOOP and tree.kind[members[0]] == NodeKind.ITERATION
            assert facts.kind is (NodeKind.ITERATION_RANGE if is_loop else NodeKind.PROJECTION)
            assert is_loop or longest is not None

    @steady
    @given(st.integers(1, 200))
    def test_a_loop_becomes_a_balanced_binary_tree(self, iterations: int) -> None:
        done = halve(loop_of(iterations))
        assert len(done.tree) == 1 + iterations + max(iterations - 2, 0)
        depth = max(len(list(done.tree.ancestors(node))) for node in range(len(done.tree)))
        assert depth == max(math.ceil(math.log2(iterations)), 1)

    def test_without_a_limit_other_siblings_are_left_alone(self) -> None:
        tree = routines([-1, 0, 0, 0, 0])
        assert len(halve(tree).tree) == 5
        assert len(halve(tree, longest=4).tree) == 5
        assert len(halve(tree, longest=3).tree) == 7

    def test_iterations_beside_another_child_have_a_range_of_their_own(self) -> None:
        kinds = [NodeKind.LOOP, NodeKind.ITERATION, NodeKind.ITERATION, NodeKind.EXPRESSION]
        done = halve(nested_tree([-1, 0, 0, 0], [0] * 4, kinds, [False] * 4))
        assert done.tree.parent.tolist() == [-1, 0, 1, 1, 0]
        assert dict(done.sources) == {1: (1, 2)}

    @pytest.mark.parametrize("wrong", [1, 2, 137, 5000, 5001, 8191, 8192, 9999, 10000])
    def test_ten_thousand_iterations_cost_at_most_twenty_questions(self, wrong: int) -> None:
        done = halve(loop_of(10_000))
        space = Space(done.tree)
        questions = 0
        while space.any_askable():
            node = Optimal().choose(space)
            is_wrong = done.identity[node] == wrong or wrong in done.sources.get(node, ())
            space.judge(node, Judgement.NO if is_wrong else Judgement.YES)
            questions += 1
        assert done.identity[space.top] == wrong
        assert questions <= 20


class TestBalancing:
    @steady
    @given(trees(60))
    def test_no_node_is_lost_and_none_has_more_than_three_children(self, tree: ExecutionTree) -> None:
        done = balance(tree)
        check(tree, done)
        collapsed = [n for n in done.sources if done.tree.kind[n] == NodeKind.COLLAPSE]
        kept = [*done.identity[done.identity >= 0].tolist(), *(old for n in collapsed for old in done.sources[n])]
        assert sorted(kept) == list(range(len(tree)))
        assert max(len(done.tree.children(node)) for node in range(len(done.tree))) <= 3
        assert not chains_of_one_rule(done.tree)

    @steady
    @given(trees(60))
    def test_dependence_survives_up_to_projections(self, tree: ExecutionTree) -> None:
        done = balance(tree)
        stands_for = {old: new for new in done.sources for old in done.sources[new] if self.collapses(done, new)}
        stands_for |= {int(old): new for new, old in enumerate(done.identity) if old >= 0}
        for old in range(1, len(tree)):
            new, above = stands_for[old], stands_for[int(tree.parent[old])]
            projections = (n for n in done.tree.ancestors(new) if done.tree.kind[n] != NodeKind.PROJECTION)
            assert new == above or next(projections) == above

    @staticmethod
    def collapses(done: Transformed, node: int) -> bool:
        return bool(done.tree.kind[node] == NodeKind.COLLAPSE)

    @steady
    @given(trees(60))
    def test_a_projection_covers_neighbours_and_leaves_some_out(self, tree: ExecutionTree) -> None:
        done = balance(tree)
        for node in (n for n in done.sources if not self.collapses(done, n)):
            members = done.sources[node]
            assert all(tree.end(left) == right for left, right in pairwise(members))
            assert 1 < len(members) < len(tree.children(int(tree.parent[members[0]])))
            assert done.tree.first[node] == tree.first[members[0]]
            assert done.tree.last[node] == tree.last[members[-1]]

    def test_the_parts_are_equally_heavy(self) -> None:
        tree = routines([-1, 0, 0, 0, 0, 4, 4, 0], list(range(4)) * 2)  # weights 1, 1, 1, 3, 1
        done = balance(tree)
        assert [done.sources[n] for n in done.sources] == [(1, 2, 3), (2, 3), (4, 7)]

    def test_a_collapsed_chain_weighs_as_much_as_one_node(self) -> None:
        tree = routines([-1, 0, 1, 2, 0, 0, 0], [0, 1, 1, 1, 1, 2, 3])
        done = balance(tree)
        assert sorted(done.sources.values()) == [(1, 2, 3), (1, 4), (5, 6)]

    def test_a_heavy_child_stands_alone(self) -> None:
        tree = routines([-1, 0, 0, 0, 3, 3, 3, 0], [0, 1, 2, 3, 0, 1, 2, 1])  # weights 1, 1, 4, 1
        done = balance(tree)
        top = done.tree.children(0)
        assert [done.sources.get(n, int(done.identity[n])) for n in top] == [(1, 2), 3, 7]

    def test_chains_of_several_rules_and_the_root_are_not_collapsed(self) -> None:
        assert not balance(routines([-1, 0, 1, 2], [0, 0, 1, 2])).sources
        assert dict(balance(routines([-1, 0, 1, 2], [0, 0, 0, 1])).sources) == {1: (1, 2)}

    @pytest.mark.parametrize(("chains", "runs"), [([(1, 3)], []), ([(0, 1)], []), ([], [(1, 2)]), ([], [(1, 4)])])
    def test_invalid_chains_and_runs_are_refused(
        self, chains: list[tuple[int, int]], runs: list[tuple[int, int]]
    ) -> None:
        with pytest.raises(BadInputError, match="are not"):
            collapse_and_project(routines([-1, 0, 1, 0, 0]), chains, runs)


@st.composite
def loops_inside(draw: st.DrawFn, first: int, last: int, depth: int = 2) -> tuple[Loop, ...]:
    """Loops one after the other, each with its iterations end to end and loops inside them."""
    borders = sorted(draw(st.lists(st.integers(first, last), min_size=2, max_size=5)))
    cut = draw(st.integers(1, len(borders) - 1))
    loops = []
    for part in (borders[:cut], borders[cut:]):
        iterations = []
        for start, stop in pairwise(part):
            inner = draw(loops_inside(start, stop, depth - 1)) if depth and draw(st.booleans()) else ()
            iterations.append(Iteration(start, stop, inner, draw(st.booleans())))
        loops.append(Loop(3, part[0], part[-1], tuple(iterations)))
    return tuple(loops)


@st.composite
def trees_with_loops(draw: st.DrawFn) -> tuple[ExecutionTree, dict[int, tuple[Loop, ...]]]:
    tree = draw(trees(12))
    nodes = draw(st.sets(st.integers(0, len(tree) - 1), max_size=3))
    return tree, {n: draw(loops_inside(int(tree.first[n]), int(tree.last[n]))) for n in sorted(nodes)}


class TestLoopExpansion:
    @steady
    @given(trees_with_loops())
    def test_new_nodes_come_from_the_node_they_replace(self, tree_and_loops: TreeAndLoops) -> None:
        tree, loops = tree_and_loops
        done = expand_loops(tree, loops)
        check(tree, done)
        assert sorted(done.identity[done.identity >= 0].tolist()) == [n for n in range(len(tree)) if n not in loops]
        for node in loops:
            made = [n for n in done.sources if done.sources[n] == (node,)]
            assert [getattr(done.tree, name)[made[0]] for name in FACTS] == [
                getattr(tree, name)[node] for name in FACTS
            ]
            assert all(done.tree.contains(made[0], n) for n in made)
            assert len(made) == 1 + self.count(loops[node])

    def count(self, pieces: tuple[Loop | Iteration, ...]) -> int:
        return sum(1 + self.count(p.iterations if isinstance(p, Loop) else p.loops) for p in pieces)

    @steady
    @given(trees_with_loops())
    def test_a_child_goes_under_the_innermost_computation_that_contains_it(self, tree_and_loops: TreeAndLoops) -> None:
        tree, loops = tree_and_loops
        done = expand_loops(tree, loops)
        stands_for = {done.sources[n][0]: n for n in reversed(list(done.sources))}
        stands_for |= {int(old): new for new, old in enumerate(done.identity) if old >= 0}
        for child in range(1, len(tree)):
            new, above = stands_for[child], stands_for[int(tree.parent[child])]
            around = [
                n
                for n in ([above, *done.sources] if int(tree.parent[child]) in loops else [above])
                if n == above or done.sources.get(n) == (int(tree.parent[child]),)
                if done.tree.first[n] <= tree.first[child] and tree.last[child] <= done.tree.last[n]
            ]
            assert done.tree.parent[new] == max(around, key=lambda n: len(list(done.tree.ancestors(n))))

    @steady
    @given(trees_with_loops())
    def test_siblings_stand_in_the_order_of_their_beginnings(self, tree_and_loops: TreeAndLoops) -> None:
        tree, loops = tree_and_loops
        done = expand_loops(tree, loops)
        for node in range(len(done.tree)):
            firsts = [int(done.tree.first[child]) for child in done.tree.children(node)]
            assert firsts == sorted(firsts)

    def test_an_iteration_has_the_site_of_its_loop(self) -> None:
        done = expand_loops(routines([-1, 0]), {0: [Loop(2, 1, 15, (Iteration(1, 4), Iteration(4, 15, (), True)))]})
        assert done.tree.kind.tolist() == [0, NodeKind.LOOP, NodeKind.ITERATION, NodeKind.ITERATION, 0]
        assert done.tree.site.tolist() == [0, 2, 2, 2, 0]
        assert done.tree.raised.tolist() == [0, 0, 0, 1, 0]
        assert done.tree.parent.tolist() == [-1, 0, 1, 1, 0]

    def test_a_loop_that_was_not_reached_changes_only_the_mapping(self) -> None:
        done = expand_loops(routines([-1, 0]), {0: ()})
        assert dict(done.sources) == {0: (0,)}
        assert done.identity.tolist() == [-1, 1]

    @pytest.mark.parametrize(
        "loop",
        [
            Loop(0, 5, 3),
            Loop(0, 0, 1000),
            Loop(9, 1, 2),
            Loop(0, 1, 9, (Iteration(1, 5), Iteration(4, 9))),
            Loop(0, 1, 9, (Iteration(1, 5, (Loop(0, 1, 6),)),)),
        ],
    )
    def test_loops_that_do_not_fit_are_refused(self, loop: Loop) -> None:
        with pytest.raises(BadInputError, match="node 0: a loop"):
            expand_loops(routines([-1, 0]), {0: (loop,)})


@st.composite
def simplifications(draw: st.DrawFn) -> tuple[ExecutionTree, dict[int, Simplified], dict[int, int]]:
    tree = draw(trees(15))
    nodes = range(len(tree))
    changed = draw(st.sets(st.sampled_from(nodes)))
    simplified = {
        n: Simplified(100 + n, 200 + n, (n, *draw(st.lists(st.sampled_from(nodes), max_size=2)))) for n in changed
    }
    order = [0, *draw(st.permutations(nodes[1:]))]
    places = {node: draw(st.sampled_from(order[:index])) for index, node in enumerate(order) if index}
    return tree, simplified, places


class TestSimplification:
    @steady
    @given(simplifications())
    def test_every_node_is_preserved_in_its_new_place(self, given_change: Change) -> None:
        tree, simplified, places = given_change
        done = simplify(tree, simplified, places)
        check(tree, done, nested=False)
        assert len(done.tree) == len(tree)
        was = {
            new: done.sources[new][0] if new in done.sources else int(done.identity[new]) for new in range(len(tree))
        }
        assert sorted(was.values()) == list(range(len(tree)))
        for new in range(1, len(tree)):
            assert was[int(done.tree.parent[new])] == places[was[new]]
        for new, sources in done.sources.items():
            change = simplified[was[new]]
            assert (sources, done.tree.behaviour[new], done.tree.cost[new]) == (
                change.sources,
                change.behaviour,
                change.cost,
            )
        for new in range(len(tree)):
            order = [was[child] for child in done.tree.children(new)]
            assert order == sorted(order)

    def test_changes_that_do_not_give_a_tree_are_refused(self) -> None:
        tree = routines([-1, 0, 1])
        with pytest.raises(BadInputError, match="cycle"):
            simplify(tree, {}, {1: 2})
        with pytest.raises(BadInputError, match="cannot be placed"):
            simplify(tree, {}, {0: 1})
        with pytest.raises(BadInputError, match="not among the sources"):
            simplify(tree, {1: Simplified(0, 0, (2,))}, {})


def loop_of_all() -> Loop:
    return Loop(0, 1, MANY, tuple(Iteration(n, n + 1) for n in range(1, MANY)))


TRANSFORMATIONS: dict[str, Callable[[ExecutionTree], Transformed]] = {
    "compress": compress,
    "routine_tree": routine_tree,
    "halve": halve,
    "halve all": lambda tree: halve(tree, 2),
    "balance": balance,
    "expand_loops": lambda tree: expand_loops(tree, {0: [loop_of_all()], MANY - 1: ()}),
    "simplify": lambda tree: simplify(tree, {n: Simplified(1, 1, (n,)) for n in range(1, MANY, 3)}, {MANY - 1: 0}),
}


@pytest.fixture(scope="module", params=[chain, star], ids=["chain", "star"])
def large_tree(request: pytest.FixtureRequest) -> ExecutionTree:
    made: ExecutionTree = request.param()
    return made


class TestLargeTrees:
    @pytest.mark.parametrize("name", TRANSFORMATIONS)
    def test_chains_and_stars_of_many_nodes(self, name: str, large_tree: ExecutionTree) -> None:
        check(large_tree, TRANSFORMATIONS[name](large_tree), nested=name != "simplify")


@steady
@given(trees())
def test_the_original_tree_is_not_changed(tree: ExecutionTree) -> None:
    before = {name: column.copy() for name, column in tree.columns().items()}
    for transform in (compress, routine_tree, halve, balance, lambda t: expand_loops(t, {0: ()})):
        transform(tree)
    assert all(np.array_equal(before[name], column) for name, column in tree.columns().items())
