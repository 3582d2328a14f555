"""Table 1 of the paper, computed: which transformation has which property, with an example for every mark.

`python -m adebug_lsp.tree.theory.table1` prints the Markdown of `docs/transformations.md`. No entry of the table is
hard-coded: a cross of Properties 1 to 6 or a tick of Properties 7 to 10 is backed by a pair of trees, any other mark by
a search over small pairs that found none. The output is deterministic.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from textwrap import fill

from attrs import Factory, define, frozen

from adebug_lsp.model.transformations import TRANSFORMATIONS
from adebug_lsp.tree.theory import cases, properties
from adebug_lsp.tree.theory.cases import Case, every, some
from adebug_lsp.tree.theory.properties import UNIVERSAL, Labelled, Pair, Property, Size

YES, NO = "✓", "×"
SEED = 1
ROUNDS = 4000


@frozen
class Subject:
    """A transformation under examination."""

    title: str
    summary: str
    case: Case
    states: str
    """The states of new nodes, by Appendix A or by our own definition."""
    smallest: int
    largest: int
    """Size up to which every pair of trees is examined; larger ones are sampled."""

    def pairs(self) -> Iterator[Pair]:
        """All pairs to examine, smallest first."""
        small = (every(self.case, nodes) for nodes in range(self.smallest, self.largest + 1))
        return chain(*small, some(self.case, range(self.largest + 1, self.largest + 5), ROUNDS, SEED))


SUBJECTS = (
    Subject(
        "Loop Expansion",
        "A node gets nodes for its loops and for their iterations.",
        cases.loop_expansion,
        "A replaced node keeps its state; loops and iterations have any state. Each of them has less of the old code"
        " than the old node had, and inserted code (marked +) that is correct by construction.",
        1,
        3,
    ),
    Subject(
        "Node Simplification",
        "A lazy program is asked about as if it were eager.",
        cases.node_simplification,
        "A changed node has more or less code than before, any parent, and any state; but if a wrong node"
        " became a correct one, some node with the code that was gained or lost is wrong.",
        2,
        3,
    ),
    Subject(
        "Tree Balancing",
        "Projection nodes over siblings and collapse nodes for chains make a tree that can be divided evenly.",
        cases.tree_balancing,
        "A new node has the code of all its sources (the same for all those of a collapse node), can be wrong if"
        " one of them is wrong, and can always be correct.",
        2,
        5,
    ),
    Subject(
        "Tree Compression",
        "A child with the same rule as its parent is replaced by its children.",
        cases.tree_compression,
        "There are no new nodes.",
        2,
        4,
    ),
    Subject(
        "Halving",
        "A run of siblings is grouped into a balanced binary tree of range nodes. (This one is ours.)",
        cases.halving,
        "A range has the code of all its members and none of its own: it is correct if no half of it is wrong, wrong"
        " if one is, and either if both are, because one can undo the effect of the other.",
        4,
        5,
    ),
)


@frozen
class Example:
    """A pair, and the sentence that says what it shows."""

    pair: Pair
    text: str


@define
class Row:
    """The marks of one transformation, with an example for each."""

    subject: Subject
    examples: dict[Property, Example] = Factory(dict)
    """Counter-examples of Properties 1 to 6, witnesses of Properties 7 to 10."""
    sizes: dict[Size, int] = Factory(dict)
    pairs: int = 0

    def mark(self, which: Property) -> str:
        """The entry in the table."""
        if which is Property.SIZE:
            return "".join(size.value for size in Size if size in self.sizes)
        return YES if (which in UNIVERSAL) != (which in self.examples) else NO


def compute(subject: Subject) -> Row:
    """Examine all pairs of one transformation."""
    row = Row(subject)
    for pair in subject.pairs():
        row.pairs += 1
        relation = properties.size(pair)
        row.sizes[relation] = row.sizes.get(relation, 0) + 1
        for which, show in _SHOW.items():
            if which not in row.examples and (text := show(pair)) is not None:
                row.examples[which] = Example(pair, text)
    return row


# Sentences about a pair


def _violation(which: Property, fault: str) -> Callable[[Pair], str | None]:
    def show(pair: Pair) -> str | None:
        node = UNIVERSAL[which](pair)
        return None if node is None else fault.format(old=f"n{node}")

    return show


def _zoom(find: Callable[[Pair], tuple[int, int] | None], relation: str) -> Callable[[Pair], str | None]:
    def show(pair: Pair) -> str | None:
        nodes = find(pair)
        return None if nodes is None else f"{_names(pair)[nodes[0]]} is made from n{nodes[1]} and has {relation}."

    return show


def _hidden(pair: Pair) -> str | None:
    example = _fewest_bugs(pair, properties.hidden)
    if example is None:
        return None
    node, bug, bugs = example
    return f"With {bugs}: n{node} is buggy before, with {bug}; no buggy node after has {bug}."


def _revealed(pair: Pair) -> str | None:
    example = _fewest_bugs(pair, properties.revealed)
    if example is None:
        return None
    node, bug, bugs = example
    return f"With {bugs}: {_names(pair)[node]} is buggy after, with {bug}; no buggy node before has {bug}."


def _fewest_bugs(
    pair: Pair, find: Callable[[Pair, properties.Code], tuple[int, str] | None]
) -> tuple[int, str, str] | None:
    """A node, a bug in it, and the smallest set of bugs, as text."""
    if find(pair, frozenset().union(*pair.before.code, *pair.after.code)) is None:
        return None
    for bugs in properties.possible_bugs(pair):
        example = find(pair, bugs)
        if example is not None:
            return (*example, f"the bug{'s' if len(bugs) > 1 else ''} {' and '.join(sorted(bugs))}")
    return None


_SHOW: dict[Property, Callable[[Pair], str | None]] = {
    Property.BUGGY_NODE_COMPLETENESS: _violation(
        Property.BUGGY_NODE_COMPLETENESS, "{old} is buggy before; after, it is gone or not buggy."
    ),
    Property.BUGGY_CODE_COMPLETENESS: _violation(
        Property.BUGGY_CODE_COMPLETENESS, "{old} is buggy before; no buggy node after has the same code."
    ),
    Property.BUGGY_CODE_REDUCTION: _violation(
        Property.BUGGY_CODE_REDUCTION,
        "{old} is buggy before; no buggy node after has the same code, or is made from {old} with less.",
    ),
    Property.BUGGY_CODE_SEMI_REDUCTION: _violation(
        Property.BUGGY_CODE_SEMI_REDUCTION,
        "{old} is buggy before; no buggy node after, even without inserted code, has the same code, or is made from"
        " {old} with less.",
    ),
    Property.BUG_EXISTENCE: _violation(Property.BUG_EXISTENCE, "{old} is buggy before; no node after is buggy."),
    Property.KEEP_TRACEABILITY: _violation(
        Property.KEEP_TRACEABILITY, "{old} is traceable before; after, it is gone or not traceable."
    ),
    Property.ZOOM_IN: _zoom(properties.zoomed_in, "less of the old code"),
    Property.ZOOM_OUT: _zoom(properties.zoomed_out, "more code"),
    Property.MAY_HIDE_BUGS: _hidden,
    Property.MAY_REVEAL_BUGS: _revealed,
}


# Markdown


INTRODUCTION = """\
# Transformations and their properties

A debugging session searches an execution tree. A *transformation* turns it into another tree that is quicker to search
or has finer questions: it merges nodes, adds new ones, or moves them. Each node of the new tree is either *preserved*
from a node of the old tree or *made from* some of its nodes.

A node is *buggy* if it is wrong and all its children are correct: this is where a search ends. It is *traceable* if all
its ancestors are wrong, too. What a transformation does to buggy nodes therefore matters. *Algorithmic Debugging
Generalized* defines eleven properties:

{meanings}

Properties 1 to 6 must hold for every tree; 1 implies 2, 2 implies 3, 3 implies 4, and 4 implies 5. Properties 7 to 10
say that something can happen, and not all of them are desirable: a transformation that may hide bugs is worse for it.

{table}

The first four rows are the paper's Table 1. Every mark is computed by `python -m adebug_lsp.tree.theory.table1`, which
writes this page: it transforms small trees, labels them in every way that the paper's Appendix A allows (larger ones at
random), and checks the properties on them. The sections below show the evidence for each mark: a counter-example, a
witness, or the number of pairs of trees that were searched for one.

## In a session

With `transform NAME` at any question, or `--transform NAME`, adebug asks about a transformed tree from there on. `undo`
reverts this, and `transform original` returns to the tree of the run:

{names}

Answers stay valid, because they are about nodes of the run; judged nodes are neither merged nor left out. If a range of
calls or iterations is judged right, each of them is right. When nothing is left to ask in the transformed tree, the
session continues in the tree of the run. The verdict is therefore a buggy node of the run, regardless of Properties 1
to 6: compression, for example, does not hide which of many recursive calls is buggy, but asks about them last.
`python -m benchmarks transformations` measures the effect of each transformation on the number of questions
([benchmarks](BENCHMARKS.md#transformations)).

A transformation that does not apply is refused with a message and changes nothing. Recorded Python runs already have
nodes for their loops; loop expansion restores them if the granularity is `routine`. Iterations and runs of 13 or more
calls are always halved; the transformation halves runs of 3 or more. Node simplification needs a lazy program.

## How the table is computed

In a session the root is known to be wrong, and each of these transformations keeps a wrong root wrong. So there is
always a buggy node, regardless of Property 5.

Three slips of the paper are corrected. Its text on Property 11 calls a tree bigger if nodes are lost, but its table and
proofs use ↑ for more nodes, as this page does. Its Def. 4.13 defines ancestors by the symmetric closure of the edges;
the usual ancestors are meant. And its counter-example to Property 6 for Node Simplification has only one wrong node,
below a correct root, which is not traceable; one with a wrong root is given below. One mark needs more than the
definition: Node Simplification lets new nodes have any state, which alone does not give Property 5. The proof adds the
condition stated below for a wrong node that becomes correct, and so does this search.

How to read the trees: each node has a name, a state, and after the colon its code. Nodes named n are old, and preserved
if they are in the tree on the right; nodes named m are new, followed by the old nodes that they are made from.
"""


def markdown(rows: Sequence[Row]) -> str:
    """The whole page."""
    meanings = "\n".join(f"{p.number}. **{p.title}**: {p.meaning}." for p in Property)
    names = "\n".join(f"- `{name}`: {description}" for name, description in TRANSFORMATIONS.items())
    page = INTRODUCTION.format(meanings=meanings, table=_table(rows), names=names)
    return page + "".join(_section(row) for row in rows)


def _table(rows: Sequence[Row]) -> str:
    lines = ["| | " + " | ".join(str(which.number) for which in Property) + " |", "|---|" + ":-:|" * len(Property)]
    lines += [f"| {row.subject.title} | " + " | ".join(row.mark(which) for which in Property) + " |" for row in rows]
    return "\n".join(lines)


def _section(row: Row) -> str:
    subject = row.subject
    parts = [f"\n## {subject.title}\n\n" + _wrapped(f"{subject.summary} {subject.states}")]
    shown: Pair | None = None
    for which in Property:
        heading = f"**{which.number}. {which.title}: {row.mark(which)}**"
        example = row.examples.get(which)
        if which is Property.SIZE:
            counts = ", ".join(f"{row.sizes[size]} times {size.value}" for size in Size if size in row.sizes)
            parts.append(_wrapped(f"{heading} Of {row.pairs} pairs: {counts}."))
        elif example is None:
            missing = "counter-example" if which in UNIVERSAL else "witness"
            parts.append(_wrapped(f"{heading} No {missing} among {row.pairs} pairs."))
        elif example.pair == shown:
            parts.append(_wrapped(f"{heading} The same trees: {example.text}"))
        else:
            shown = example.pair
            parts.append(_wrapped(f"{heading} {example.text}") + f"\n```text\n{draw(example.pair)}\n```\n")
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    return fill(text, 119, break_long_words=False, break_on_hyphens=False) + "\n"


def draw(pair: Pair) -> str:
    """Both trees side by side, in plain characters."""
    left = _drawn(pair.before, [f"n{node}" for node in range(len(pair.before.parents))])
    right = _drawn(pair.after, _names(pair), pair)
    width = max(map(len, left)) + 4
    lines = zip_longest(["before", *left], ["after", *right], fillvalue="")
    return "\n".join(f"{before:{width}}{after}".rstrip() for before, after in lines)


def _names(pair: Pair) -> list[str]:
    made = [node for node in range(len(pair.after.parents)) if node not in pair.identity]
    return [
        f"n{pair.identity[node]}" if node in pair.identity else f"m{made.index(node)}"
        for node in range(len(pair.after.parents))
    ]


def _drawn(tree: Labelled, names: list[str], pair: Pair | None = None) -> list[str]:
    lines = []
    depths: list[int] = []
    for node, above in enumerate(tree.parents):
        depths.append(0 if above < 0 else depths[above] + 1)
        branch = "   " * (depths[node] - 1) + "+- " if above >= 0 else ""
        state = "correct" if node not in tree.wrong else "buggy" if node in tree.buggy else "wrong"
        sources = "" if pair is None else " ".join(f"n{old}" for old in sorted(pair.sources.get(node, ())))
        origin = f" (from {sources})" if sources else ""
        lines.append(f"{branch}{names[node]}{origin} {state}: {' '.join(sorted(tree.code[node]))}")
    return lines


if __name__ == "__main__":
    print(markdown([compute(subject) for subject in SUBJECTS]), end="")
