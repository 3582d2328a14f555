"""The property checker: decides the eleven properties of transformations on a pair of small labelled trees.

Properties 1 to 6 hold on a pair, or a node violates them; 7 to 10 are witnessed by a pair, or not; 11 compares sizes.
Two slips of the paper are corrected here. Its text on Property 11 calls a tree bigger if it has fewer nodes after the
transformation, but its table and proofs use "up" for more nodes, as this module does. Its Def. 4.13 (iii) uses the
symmetric closure of E, which would make every node an ancestor; here a buggy node is traceable if all its ancestors, in
the usual sense, are wrong.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from itertools import combinations

from attrs import field, frozen

Piece = str
Code = frozenset[Piece]


class Property(Enum):
    """The properties of section 4.4: number, name, and meaning for the user."""

    BUGGY_NODE_COMPLETENESS = (1, "Buggy Node Completeness", "every buggy node is still there, and still buggy")
    BUGGY_CODE_COMPLETENESS = (2, "Buggy Code Completeness", "every verdict that was possible still is")
    BUGGY_CODE_REDUCTION = (3, "Buggy Code Reduction", "every verdict that was possible still is, or a smaller one is")
    BUGGY_CODE_SEMI_REDUCTION = (
        4, "Buggy Code Semi-reduction", "the same, not counting code that the transformation inserted",
    )  # fmt: skip
    BUG_EXISTENCE = (5, "Bug Existence", "if there was a buggy node, there still is one")
    KEEP_TRACEABILITY = (6, "Keep Traceability", "a buggy node whose ancestors are all wrong remains one")
    ZOOM_IN = (7, "Zoom in Nodes", "a new node may have only a part of the code of an old one")
    ZOOM_OUT = (8, "Zoom out Nodes", "a new node may have more code than an old one")
    MAY_HIDE_BUGS = (9, "May Hide Bugs", "a bug that could be found before may become unreachable")
    MAY_REVEAL_BUGS = (10, "May Reveal Bugs", "a bug that was unreachable before may be found")
    SIZE = (11, "ET size", "how the number of nodes can change: more (↑), the same (=), fewer (↓)")

    def __init__(self, number: int, title: str, meaning: str) -> None:
        self.number = number
        self.title = title
        self.meaning = meaning


class Size(Enum):
    """Property 11."""

    BIGGER = "↑"
    EQUAL = "="
    SMALLER = "↓"


@frozen
class Labelled:
    """A tree in which every node has a state and a code; node 0 is the root, parents come before children."""

    parents: tuple[int, ...]
    code: tuple[Code, ...]
    wrong: frozenset[int]
    inserted: Code = frozenset()
    """Code that the transformation inserted, which is correct by construction."""

    @property
    def buggy(self) -> list[int]:
        """The buggy nodes (Def. 4.13): wrong, with all children correct."""
        return sorted(self.wrong - {self.parents[node] for node in self.wrong})

    def is_traceable(self, node: int) -> bool:
        """Whether all ancestors of a buggy node are wrong (Def. 4.13 iii)."""
        above = self.parents[node]
        while above >= 0 and above in self.wrong:
            above = self.parents[above]
        return above < 0

    def own(self, node: int) -> Code:
        """The code of a node without inserted code."""
        return self.code[node] - self.inserted


@frozen
class Pair:
    """A tree before and after a transformation, with the mappings M_I and M_S."""

    before: Labelled
    after: Labelled
    identity: Mapping[int, int] = field()
    """Maps preserved nodes of the new tree to nodes of the old one."""
    sources: Mapping[int, frozenset[int]] = field(factory=dict)
    """Maps the other nodes of the new tree to the old nodes that they were made from."""

    @identity.validator
    def _preserves(self, _attribute: object, identity: Mapping[int, int]) -> None:
        for new, old in identity.items():
            same_state = (new in self.after.wrong) == (old in self.before.wrong)
            if self.after.code[new] != self.before.code[old] or not same_state:
                raise ValueError(f"node {new} differs from node {old}, which it preserves")

    def derived(self, new: int, old: int) -> bool:
        """Whether a new node was made from an old one."""
        return old in self.sources.get(new, ())


Violation = Callable[[Pair], int | None]
"""Returns the first node of the old tree that violates a property on a pair, or None if the property holds."""


def _some_buggy(fits: Callable[[Pair, int, int], bool]) -> Violation:
    """The property that every buggy node of the old tree has a matching buggy node in the new one."""

    def first_violating_node(pair: Pair) -> int | None:
        after = pair.after.buggy
        return next((old for old in pair.before.buggy if not any(fits(pair, new, old) for new in after)), None)

    return first_violating_node


def _preserved(pair: Pair, new: int, old: int) -> bool:
    return pair.identity.get(new) == old


def _same_code(pair: Pair, new: int, old: int) -> bool:
    return pair.after.code[new] == pair.before.code[old]


def _reduced(pair: Pair, new: int, old: int) -> bool:
    code, before = pair.after.code[new], pair.before.code[old]
    return code == before or (code < before and pair.derived(new, old))


def _semi_reduced(pair: Pair, new: int, old: int) -> bool:
    """Some division of the new code into p' and a correct p'' makes p' equal to the old code, or smaller."""
    before = pair.before.code[old]
    if pair.after.own(new) <= before <= pair.after.code[new]:
        return True
    return pair.after.own(new) < before and pair.derived(new, old)


def _keep_traceability(pair: Pair) -> int | None:
    after = {pair.identity.get(new) for new in pair.after.buggy if pair.after.is_traceable(new)}
    return next((old for old in pair.before.buggy if pair.before.is_traceable(old) and old not in after), None)


UNIVERSAL: dict[Property, Violation] = {
    Property.BUGGY_NODE_COMPLETENESS: _some_buggy(_preserved),
    Property.BUGGY_CODE_COMPLETENESS: _some_buggy(_same_code),
    Property.BUGGY_CODE_REDUCTION: _some_buggy(_reduced),
    Property.BUGGY_CODE_SEMI_REDUCTION: _some_buggy(_semi_reduced),
    Property.BUG_EXISTENCE: _some_buggy(lambda _pair, _new, _old: True),
    Property.KEEP_TRACEABILITY: _keep_traceability,
}
"""The properties that must hold on every pair."""


def zoomed_in(pair: Pair) -> tuple[int, int] | None:
    """A new node, and a source of it that has more code (Property 7)."""
    return _zoomed(pair, lambda new, old: pair.after.own(new) < pair.before.code[old])


def zoomed_out(pair: Pair) -> tuple[int, int] | None:
    """A new node, and a source of it that has less code (Property 8)."""
    return _zoomed(pair, lambda new, old: pair.before.code[old] < pair.after.code[new])


def _zoomed(pair: Pair, fits: Callable[[int, int], bool]) -> tuple[int, int] | None:
    related = ((new, old) for new in sorted(pair.sources) for old in sorted(pair.sources[new]))
    return next(((new, old) for new, old in related if fits(new, old)), None)


def hidden(pair: Pair, bugs: Code) -> tuple[int, Piece] | None:
    """A buggy node of the old tree, and a bug in it that no buggy node of the new tree has (Property 9)."""
    return _only_in(pair.before, pair.after, bugs)


def revealed(pair: Pair, bugs: Code) -> tuple[int, Piece] | None:
    """A buggy node of the new tree, and a bug in it that no buggy node of the old tree has (Property 10)."""
    return _only_in(pair.after, pair.before, bugs)


def _only_in(tree: Labelled, other: Labelled, bugs: Code) -> tuple[int, Piece] | None:
    known: Code = frozenset().union(*(other.code[node] for node in other.buggy))
    pairs = ((node, bug) for node in tree.buggy for bug in sorted(tree.own(node) & bugs - known))
    return next(pairs, None)


def possible_bugs(pair: Pair) -> Iterator[Code]:
    """The sets of bugs consistent with both trees, smallest first: every buggy node's code has one (Lemma 1)."""
    suspect = [tree.own(node) for tree in (pair.before, pair.after) for node in tree.buggy]
    pieces = sorted(frozenset().union(*suspect))
    for count in range(1, len(pieces) + 1):
        for bugs in map(frozenset, combinations(pieces, count)):
            if all(code & bugs for code in suspect):
                yield bugs


def size(pair: Pair) -> Size:
    """How the number of nodes changed (Property 11)."""
    difference = len(pair.after.parents) - len(pair.before.parents)
    return Size.EQUAL if difference == 0 else Size.BIGGER if difference > 0 else Size.SMALLER
