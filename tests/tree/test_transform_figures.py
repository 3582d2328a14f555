"""The worked examples of the paper's Appendix A, Figures A.6 to A.10, as far as its text describes them.

Where the text leaves the shape of a tree open, the tests choose one that agrees with it.
"""

from collections.abc import Set

from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.theory.cases import EVENTS, small_tree
from adebug_lsp.tree.theory.properties import (
    UNIVERSAL,
    Labelled,
    Pair,
    Property,
    hidden,
    revealed,
    zoomed_in,
    zoomed_out,
)
from adebug_lsp.tree.transform.balancing import balance, collapse_and_project
from adebug_lsp.tree.transform.compression import compress
from adebug_lsp.tree.transform.draft import Transformed
from adebug_lsp.tree.transform.loops import Iteration, Loop, expand_loops
from adebug_lsp.tree.transform.simplification import Simplified, simplify


def tree_of(parents: list[int], methods: list[int]) -> ExecutionTree:
    return small_tree(tuple(parents), methods, [NodeKind.ROUTINE] * len(parents))


def preserved(done: Transformed) -> list[int]:
    return sorted(done.identity[done.identity >= 0].tolist())


def outline(done: Transformed) -> list[str]:
    """A line for each node: its kind or old number, indented by depth."""
    lines = []
    for node in range(len(done.tree)):
        depth = len(list(done.tree.ancestors(node)))
        old = int(done.identity[node])
        lines.append(" " * depth + (f"n{old}" if old >= 0 else NodeKind(int(done.tree.kind[node])).label))
    return lines


def pair_of(
    tree: ExecutionTree,
    done: Transformed,
    codes: list[str],
    wrong: set[int],
    new_codes: dict[int, str],
    *,
    new_wrong: Set[int] = frozenset(),
    inserted: str = "",
) -> Pair:
    """Label both trees: codes are strings of one-letter pieces, `new_...` are about nodes that are not preserved."""
    identity = {new: old for new, old in enumerate(done.identity.tolist()) if old >= 0}
    before = Labelled(tuple(tree.parent.tolist()), tuple(map(frozenset, codes)), frozenset(wrong))
    after = Labelled(
        tuple(done.tree.parent.tolist()),
        tuple(frozenset(codes[identity[n]] if n in identity else new_codes[n]) for n in range(len(done.tree))),
        frozenset(n for n, old in identity.items() if old in wrong) | new_wrong,
        frozenset(inserted),
    )
    return Pair(before, after, identity, {n: frozenset(done.sources[n]) for n in done.sources})


def holds(pair: Pair) -> list[int]:
    return [which.number for which, violation in UNIVERSAL.items() if violation(pair) is None]


class TestFigureA6:
    """Method 0 has two nested loops; the outer has two iterations, the inner three, and calls method 2 each time."""

    tree = tree_of([-1] + [0] * 7, [0, 1, 2, 2, 2, 2, 2, 2])

    def expand(self) -> Transformed:
        calls = [(int(self.tree.first[n]), int(self.tree.last[n])) for n in range(2, 8)]
        iterations = []
        for half in (calls[:3], calls[3:]):
            inner = Loop(2, half[0][0] - 1, half[-1][1] + 1, tuple(Iteration(first, last) for first, last in half))
            iterations.append(Iteration(half[0][0] - 2, half[-1][1] + 2, (inner,)))
        return expand_loops(self.tree, {0: [Loop(1, iterations[0].first, iterations[-1].last, tuple(iterations))]})

    def test_shape(self) -> None:
        inner = ["   loop", "    iteration", "     n{}", "    iteration", "     n{}", "    iteration", "     n{}"]
        assert outline(self.expand()) == [
            "routine",
            " n1",
            " loop",
            "  iteration",
            *"\n".join(inner).format(2, 3, 4).split("\n"),
            "  iteration",
            *"\n".join(inner).format(5, 6, 7).split("\n"),
        ]

    def test_mappings(self) -> None:
        done = self.expand()
        assert preserved(done) == [1, 2, 3, 4, 5, 6, 7]
        assert set(done.sources.values()) == {(0,)}
        iterations = [n for n in done.sources if done.tree.kind[n] == NodeKind.ITERATION]
        assert len(iterations) == 8  # the paper's m0, ..., m7, without nodes for the loops themselves

    def pair(self, wrong: set[int], new_wrong: set[int]) -> Pair:
        """Method 0 has the pieces o (outside the loops) and l (in them); + is what was inserted."""
        done = self.expand()
        codes = {new: "o+12" if new == 0 else "l+2" for new in done.sources}
        return pair_of(self.tree, done, ["ol12", "1"] + ["2"] * 6, wrong, codes, new_wrong=new_wrong, inserted="+")

    def test_a_wrong_method_with_correct_loops(self) -> None:
        pair = self.pair({0}, {0})
        assert holds(pair) == [4, 5]
        assert zoomed_in(pair) == (0, 0)
        assert zoomed_out(pair) is None

    def test_a_call_below_correct_loops_is_no_longer_traceable(self) -> None:
        pair = self.pair({0, 2}, {0})
        assert UNIVERSAL[Property.KEEP_TRACEABILITY](pair) == 2
        assert revealed(pair, frozenset("o2")) == (0, "o")

    def test_a_bug_outside_a_wrong_loop_is_hidden(self) -> None:
        assert hidden(self.pair({0}, {0, 2}), frozenset("ol")) == (0, "o")


SOURCES_A7 = {1: (1, 3, 5), 2: (2, 3, 5), 3: (3, 5), 4: (4, 5)}


class TestFigureA7:
    """Node simplification; n1 and n3 gain what n5 and n3 did, n2 and n4 lose it."""

    tree = tree_of([-1, 0, 0, 2, 2, 4, 5], list(range(7)))

    def simplify(self) -> Transformed:
        changes = {node: Simplified(0, 1, sources) for node, sources in SOURCES_A7.items()}
        return simplify(self.tree, changes, {3: 1, 5: 3})

    def test_mappings(self) -> None:
        done = self.simplify()
        assert preserved(done) == [0, 5, 6]
        assert sorted(done.sources.values()) == sorted(SOURCES_A7.values())
        assert len(done.tree) == len(self.tree)

    def test_a_node_that_gains_code(self) -> None:
        done = self.simplify()
        new = {SOURCES_A7[old]: old for old in SOURCES_A7}
        gained = {1: "135", 2: "2", 3: "35", 4: "4"}
        codes = ["0123456", "1", "23456", "3", "456", "56", "6"]
        new_codes = {n: gained[new[done.sources[n]]] for n in done.sources}
        first = next(n for n in done.sources if done.sources[n] == (1, 3, 5))
        pair = pair_of(self.tree, done, codes, {1}, new_codes, new_wrong={first})
        assert holds(pair) == [5, 6]  # n1 is not traceable: the root is correct
        assert holds(pair_of(self.tree, done, codes, {0, 1}, new_codes, new_wrong={first})) == [5]
        assert zoomed_in(pair) is not None
        assert zoomed_out(pair) is not None


class TestFigureA8:
    """A projection node over the siblings n1, n2 and n4."""

    tree = tree_of([-1, 0, 0, 2, 0, 0, 0, 0, 0], list(range(9)))

    def test_shape_and_mappings(self) -> None:
        done = collapse_and_project(self.tree, runs=[(1, 2, 4)])
        assert outline(done) == ["n0", " projection", "  n1", "  n2", "   n3", "  n4", " n5", " n6", " n7", " n8"]
        assert preserved(done) == list(range(9))
        assert dict(done.sources) == {1: (1, 2, 4)}

    def test_a_correct_projection_reveals_a_bug_in_the_root(self) -> None:
        done = collapse_and_project(self.tree, runs=[(1, 2, 4)])
        pair = pair_of(self.tree, done, ["012345678", "1", "23", *"345678"], {0, 1}, {1: "1234"})
        assert revealed(pair, frozenset("01")) == (0, "0")
        assert zoomed_out(pair) == (1, 1)
        assert zoomed_in(pair) is None


class TestFigureA9:
    """A collapse node for the chain n1, n2, n3."""

    tree = tree_of([-1, 0, 1, 2, 3, 3, 0, 0], [0, 1, 1, 1, 2, 3, 4, 5])

    def test_shape_and_mappings(self) -> None:
        done = collapse_and_project(self.tree, chains=[(1, 2, 3)])
        assert outline(done) == ["n0", " collapse", "  n4", "  n5", " n6", " n7"]
        assert preserved(done) == [0, 4, 5, 6, 7]
        assert dict(done.sources) == {1: (1, 2, 3)}

    def test_the_rule_finds_the_chain(self) -> None:
        assert (1, 2, 3) in balance(self.tree).sources.values()

    def pair(self, wrong: set[int]) -> Pair:
        codes = ["012345", "123", "123", "123", *"2345"]
        return pair_of(self.tree, collapse_and_project(self.tree, chains=[(1, 2, 3)]), codes, wrong, {1: "123"})

    def test_a_correct_collapse_node_hides_the_bug(self) -> None:
        pair = self.pair({1})
        assert holds(pair) == [6]
        assert hidden(pair, frozenset("1")) == (1, "1")

    def test_traceability_is_lost(self) -> None:
        assert UNIVERSAL[Property.KEEP_TRACEABILITY](self.pair({0, 1})) == 1


class TestFigureA10:
    """Tree compression with recursion in methods 1 and 6."""

    tree = tree_of(
        [-1, 0, 1, 2, 3, 3, 2, 1, 0, 8, 0, 10, 10, 12, 12],
        [1, 1, 1, 2, 3, 4, 5, 5, 4, 3, 6, 6, 6, 2, 2],
    )

    def test_shape_and_mapping(self) -> None:
        done = compress(self.tree)
        assert preserved(done) == [0, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14]
        assert outline(done) == [
            "n0", " n3", "  n4", "  n5", " n6", " n7", " n8", "  n9", " n10", "  n13", "  n14",
        ]  # fmt: skip

    def pair(self, wrong: set[int]) -> Pair:
        codes = ["x123456", "123456", "12345", "234", "3", "4", "5", "5", "34", "3", "62", "62", "62", "2", "2"]
        return pair_of(self.tree, compress(self.tree), codes, wrong, {})

    def test_the_only_wrong_node_is_compressed_away(self) -> None:
        pair = self.pair({2})
        assert holds(pair) == [6]
        assert hidden(pair, frozenset("1")) == (2, "1")

    def test_traceability_is_lost(self) -> None:
        assert UNIVERSAL[Property.KEEP_TRACEABILITY](self.pair({0, 1, 2})) == 2

    def test_a_bug_of_the_first_call_is_revealed(self) -> None:
        assert revealed(self.pair({0, 1}), frozenset("x1")) == (0, "x")


def test_events_leave_room_for_nested_loops() -> None:
    """The iterations of Figure A.6 lie up to two events around the calls in them."""
    assert EVENTS > 4
