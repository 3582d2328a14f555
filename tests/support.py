"""Shared test utilities: trees from parent lists, Hypothesis strategies for them, and example files."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import strategies as st

from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Site
from adebug_lsp.search.space import Space
from adebug_lsp.search.strategy import Strategy
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import ExecutionTree
from adebug_lsp.tree.handmade import HandmadeTree, read_handmade

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"


def one_in(every: int, cases: Iterable[object], first: int = 0) -> list[object]:
    """Parameters of a test: one in so many is for `make test`, the others are for `make test-fidelity`."""
    return [
        case if number % every == first else pytest.param(case, marks=pytest.mark.suites)
        for number, case in enumerate(cases)
    ]


def example(name: str) -> HandmadeTree:
    return read_handmade(json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8")))


def tree_of(
    parents: Sequence[int | None],
    rules: Sequence[int] | None = None,
    costs: Sequence[int] | None = None,
    kinds: Sequence[NodeKind] | None = None,
) -> ExecutionTree:
    """A tree whose nodes are numbered as in `parents`, which must already be in preorder."""
    builder = TreeBuilder()
    for node, parent in enumerate(parents):
        rule = f"r{rules[node]}" if rules else "r"
        builder.add(
            builder.site(Site(rule, rule, "m")),
            cost=costs[node] if costs else 10,
            kind=kinds[node] if kinds else NodeKind.ROUTINE,
        )
        builder.attach(node, parent)
    tree, nodes = builder.finish()
    assert list(nodes) == list(range(len(parents)))
    return tree


@st.composite
def preorder_parents(draw: st.DrawFn, most: int = 24, least: int = 1) -> list[int | None]:
    """The parent of each node, in preorder: every node is a child of the previous one or of one of its ancestors."""
    size = draw(st.integers(least, most))
    parents: list[int | None] = [None]
    for node in range(1, size):
        path = [node - 1]
        while (parent := parents[path[-1]]) is not None:
            path.append(parent)
        parents.append(path[draw(st.integers(0, min(len(path) - 1, 4)))])
    return parents


@st.composite
def labelled(draw: st.DrawFn, most: int = 24, root_wrong: bool = True) -> HandmadeTree:
    """A tree with rules, costs and wrong nodes; any nodes may be wrong, as masking allows."""
    parents = draw(preorder_parents(most))
    size = len(parents)
    rules = draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))
    costs = draw(st.lists(st.integers(1, 200), min_size=size, max_size=size))
    raised = draw(st.sets(st.integers(0, size - 1)))
    wrong = draw(st.sets(st.integers(0, size - 1), min_size=1))
    if root_wrong:
        wrong.add(0)
    nodes = [
        {
            "id": node,
            "parent": parents[node],
            "rule": f"r{rules[node]}",
            "module": f"m{rules[node] % 2}",
            "text": f"r{rules[node]}({node})",
            "size": costs[node],
            "wrong": node in wrong,
            "raised": node in raised,
        }
        for node in range(size)
    ]
    return read_handmade({"nodes": nodes})


def is_buggy(handmade: HandmadeTree, node: int, wrong: frozenset[int] | None = None) -> bool:
    """Whether a node is buggy (Def. 4.13), by the known wrong nodes."""
    wrong = handmade.wrong if wrong is None else wrong
    return node in wrong and not any(child in wrong for child in handmade.tree.children(node))


def questions(strategy: Strategy, handmade: HandmadeTree, *, ask_root: bool = False) -> tuple[list[int], int | None]:
    """The questions of a strategy to a truthful oracle without marks, and the node at which it ends."""
    space = Space(handmade.tree, root_is_wrong=not ask_root)
    asked = []
    while space.any_askable():
        node = strategy.choose(space)
        asked.append(node)
        space.judge(node, Judgement.NO if node in handmade.wrong else Judgement.YES)
    return asked, space.top


def yes(node: int) -> Answer:
    return Answer(node, Judgement.YES)


def no(node: int) -> Answer:
    return Answer(node, Judgement.NO)
