"""The property checker agrees with the paper's lemmas, and every tick of every transformation holds on random pairs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adebug_lsp.tree.theory import cases
from adebug_lsp.tree.theory.properties import (
    UNIVERSAL,
    Labelled,
    Pair,
    Property,
    Size,
    hidden,
    possible_bugs,
    revealed,
    size,
    zoomed_in,
    zoomed_out,
)

steady = settings(deadline=None)

PIECES = "abcd"


def tree(parents: list[int], codes: list[str], wrong: set[int], inserted: str = "") -> Labelled:
    return Labelled(tuple(parents), tuple(map(frozenset, codes)), frozenset(wrong), frozenset(inserted))


def violation(which: Property, pair: Pair) -> int | None:
    return UNIVERSAL[which](pair)


@st.composite
def parents(draw: st.DrawFn) -> tuple[int, ...]:
    count = draw(st.integers(1, 7))
    return (-1, *(draw(st.integers(0, node - 1)) for node in range(1, count)))


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """Any two trees, with any mappings that preserve codes and states."""
    codes = st.frozensets(st.sampled_from(PIECES + "+"), min_size=1)
    above = draw(parents())
    nodes = range(len(above))
    before = Labelled(above, tuple(draw(codes) - {"+"} for _ in nodes), draw(st.frozensets(st.sampled_from(nodes))))
    below = draw(parents())
    candidates = draw(st.permutations([*nodes, *[-1] * len(below)]))
    identity = {new: old for new, old in zip(range(len(below)), candidates, strict=False) if old >= 0}
    made = [new for new in range(len(below)) if new not in identity]
    wrong = {new for new, old in identity.items() if old in before.wrong}
    wrong |= {new for new in made if draw(st.booleans())}
    code = tuple(before.code[identity[new]] if new in identity else draw(codes) for new in range(len(below)))
    sources = {new: draw(st.frozensets(st.sampled_from(nodes), min_size=1)) for new in made}
    return Pair(before, Labelled(below, code, frozenset(wrong), frozenset("+")), identity, sources)


class TestLemmas:
    @settings(deadline=None, max_examples=500)
    @given(pairs())
    def test_properties_1_to_5_imply_each_other_in_turn(self, pair: Pair) -> None:
        """Lemmas 2 to 5."""
        held = [violation(which, pair) is None for which in list(UNIVERSAL)[:5]]
        assert held == sorted(held)

    @steady
    @given(pairs())
    def test_a_tree_with_a_wrong_node_has_a_buggy_one(self, pair: Pair) -> None:
        assert bool(pair.before.buggy) == bool(pair.before.wrong)

    @steady
    @given(pairs())
    def test_property_1_rules_out_that_bugs_are_hidden(self, pair: Pair) -> None:
        if violation(Property.BUGGY_NODE_COMPLETENESS, pair) is None:
            assert hidden(pair, frozenset(PIECES)) is None

    @steady
    @given(pairs())
    def test_a_bug_that_some_set_hides_is_hidden_by_the_set_of_all(self, pair: Pair) -> None:
        """Why a search for witnesses may take every piece for a bug first."""
        for bugs in possible_bugs(pair):
            assert hidden(pair, bugs) is None or hidden(pair, frozenset(PIECES)) is not None
            assert all(tree.code[node] & bugs for tree in (pair.before, pair.after) for node in tree.buggy)


class TestDefinitions:
    def test_buggy_nodes_are_wrong_with_correct_children(self) -> None:
        assert tree([-1, 0, 1, 1, 0], ["a"] * 5, {0, 1, 3}).buggy == [3]
        assert tree([-1, 0, 1, 1, 0], ["a"] * 5, {0, 2, 4}).buggy == [2, 4]

    def test_a_buggy_node_is_traceable_below_wrong_nodes_only(self) -> None:
        labelled = tree([-1, 0, 1, 1, 0], ["a"] * 5, {0, 2, 4})
        assert labelled.is_traceable(4)
        assert not labelled.is_traceable(2)

    @pytest.mark.parametrize(
        ("code", "made_from", "held"),
        [
            ("ab", {1}, [2, 3, 4, 5]),
            ("a", {0}, [3, 4, 5]),
            ("a", {1}, [5]),
            ("ab+", {1}, [4, 5]),
            ("a+", {0}, [4, 5]),
            ("a+", {1}, [5]),
            ("abc", {0}, [5]),
        ],
    )
    def test_properties_2_to_5_differ_in_what_the_new_node_may_be(
        self, code: str, made_from: set[int], held: list[int]
    ) -> None:
        before = tree([-1, 0], ["ab", "b"], {0})
        after = tree([-1, 0], [code, "b"], {0}, "+")
        pair = Pair(before, after, {1: 1}, {0: frozenset(made_from)})
        assert [which.number for which in list(UNIVERSAL)[:5] if violation(which, pair) is None] == held

    def test_the_violating_node_is_named(self) -> None:
        pair = Pair(tree([-1, 0], ["ab", "b"], {1}), tree([-1], ["ab"], set()), {0: 0})
        assert [violation(which, pair) for which in UNIVERSAL] == [1, 1, 1, 1, 1, None]

    @pytest.mark.parametrize(
        ("code", "inside", "outside"),
        [("a", True, False), ("a+", True, False), ("ab", False, False), ("ab+", False, True), ("abc", False, True)],
    )
    def test_zooming(self, code: str, inside: bool, outside: bool) -> None:
        """Properties 7 and 8, where code that was inserted may be left out."""
        after = tree([-1], [code], set(), "+")
        pair = Pair(tree([-1], ["ab"], set()), after, {}, {0: frozenset({0})})
        assert zoomed_in(pair) == ((0, 0) if inside else None)
        assert zoomed_out(pair) == ((0, 0) if outside else None)

    def test_inserted_code_has_no_bugs(self) -> None:
        pair = Pair(tree([-1], ["a"], set()), tree([-1], ["b+"], {0}, "+"), {}, {0: frozenset({0})})
        assert revealed(pair, frozenset("+")) is None
        assert revealed(pair, frozenset("b+")) == (0, "b")
        assert list(possible_bugs(pair)) == [frozenset("b")]

    def test_size_goes_up_with_more_nodes_as_in_the_table(self) -> None:
        smaller, larger = tree([-1], ["a"], set()), tree([-1, 0], ["a", "a"], set())
        assert [size(Pair(*both, {})) for both in ((smaller, larger), (smaller, smaller), (larger, smaller))] == list(
            Size
        )

    def test_a_preserved_node_must_be_unchanged(self) -> None:
        with pytest.raises(ValueError, match="node 0 differs from node 0"):
            Pair(tree([-1], ["a"], {0}), tree([-1], ["a"], set()), {0: 0})
        with pytest.raises(ValueError, match="node 0 differs from node 0"):
            Pair(tree([-1], ["a"], {0}), tree([-1], ["b"], {0}), {0: 0})


TICKS = [
    (cases.loop_expansion, Property.BUGGY_CODE_SEMI_REDUCTION),
    (cases.loop_expansion, Property.BUG_EXISTENCE),
    (cases.node_simplification, Property.BUG_EXISTENCE),
    *((cases.halving, which) for which in list(UNIVERSAL)[:5]),
]


@pytest.mark.parametrize(("case", "which"), TICKS, ids=lambda value: getattr(value, "__name__", value))
@settings(deadline=None, max_examples=60)
@given(data=st.data(), nodes=st.integers(4, 8))
def test_a_tick_of_the_table_holds_on_random_pairs(
    case: cases.Case, which: Property, data: st.DataObject, nodes: int
) -> None:
    pair = case(lambda options: data.draw(st.sampled_from(options)), nodes)
    if pair is not None:
        assert violation(which, pair) is None


@pytest.mark.parametrize(
    "case",
    [cases.loop_expansion, cases.node_simplification, cases.tree_balancing, cases.tree_compression, cases.halving],
)
@steady
@given(data=st.data(), nodes=st.integers(4, 7))
def test_with_a_wrong_root_there_is_always_a_buggy_node(case: cases.Case, data: st.DataObject, nodes: int) -> None:
    pair = case(lambda options: data.draw(st.sampled_from(options)), nodes)
    if pair is not None and 0 in pair.before.wrong:
        assert pair.after.buggy


def test_bug_existence_of_node_simplification_needs_its_premise() -> None:
    """A wrong node that becomes correct, with nothing else wrong, would be a counter-example."""
    before = tree([-1, 0, 1], ["abc", "bc", "c"], {1})
    after = tree([-1, 0, 0], ["abc", "b", "c"], set())
    pair = Pair(before, after, {0: 0, 2: 2}, {1: frozenset({1, 2})})
    assert violation(Property.BUG_EXISTENCE, pair) == 1
