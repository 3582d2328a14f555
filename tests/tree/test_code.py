"""Lemma 1 on the running example of *Algorithmic Debugging Generalized* (4.1 to 4.14)."""

import math

import pytest

from adebug_lsp.model.source import Site
from adebug_lsp.tree.buggy_code import buggy_code, own_segments
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import ExecutionTree

LINES = {
    1: "if (x < 0)",
    3: "double b = x;",
    4: "while (Math.abs(b * b - x) > 1e-12)",
    5: "b = ((x / b) + b) / 2;",
    6: "return b;",
}


def computation(x: float) -> tuple[list[dict[str, float]], list[int]]:
    """The environments of Example 4.4, and the line that led from each to the next."""
    environments: list[dict[str, float]] = [{"x": x}]
    lines: list[int] = []

    def step(line: int, **changed: float) -> None:
        lines.append(line)
        environments.append({**environments[-1], **changed})

    step(1)
    step(3, b=x)
    while True:
        b = environments[-1]["b"]
        if not abs(b * b - x) > 1e-12:
            break
        step(4)
        step(5, b=((x / b) + b) / 2)
    # The paper counts the last test of the loop with the step to the result.
    step(6, r=environments[-1]["b"])
    return environments, lines


NODES = {  # number: (parent, first environment, last environment), as in Example 4.11
    1: (None, 1, 16),
    2: (1, 1, 2),
    3: (1, 3, 15),
    4: (3, 3, 5),
    5: (4, 4, 5),
    6: (3, 7, 9),
    7: (1, 15, 16),
}


@pytest.fixture(scope="module")
def tree() -> ExecutionTree:
    builder = TreeBuilder()
    for number, (_parent, first, last) in NODES.items():
        builder.add(builder.site(Site(f"node {number}", "sqrt")), first=first, last=last)
    for number, (parent, _first, _last) in NODES.items():
        builder.attach(number - 1, None if parent is None else parent - 1)
    return builder.finish()[0]


def test_the_computation_has_sixteen_environments() -> None:
    environments, lines = computation(9)
    assert len(environments) == 16
    rounded = [{name: round(value, 4) for name, value in environment.items()} for environment in environments]
    assert rounded[0] == {"x": 9}
    assert rounded[4] == {"x": 9, "b": 5}
    assert rounded[8] == {"x": 9, "b": 3.0235}
    assert rounded[15] == {"x": 9, "b": 3, "r": 3}
    assert lines == [1, 3, *[4, 5] * 6, 6]
    assert math.isclose(environments[15]["r"], 3)


def test_the_tree_is_that_of_figure_4(tree: ExecutionTree) -> None:
    """Each node directly depends on the smallest computation that contains it (Def. 4.10)."""
    assert [[c + 1 for c in tree.children(node)] for node in range(7)] == [[2, 3, 7], [], [4, 6], [5], [], [], []]
    for number, (parent, first, last) in NODES.items():
        around = [n for n, (_p, f, la) in NODES.items() if n != number and f <= first and last <= la]
        smallest = min(around, key=lambda n: NODES[n][2] - NODES[n][1], default=None)
        assert parent == smallest


def projection(tree: ExecutionTree, number: int) -> list[int]:
    """The lines that a node executed (Def. 4.5); here every executed line is needed."""
    _environments, lines = computation(9)
    _parent, first, last = NODES[number]
    return sorted(set(lines[first - 1 : last - 1]))


def test_the_projections_of_example_4_11(tree: ExecutionTree) -> None:
    expected = {1: [1, 3, 4, 5, 6], 2: [1], 3: [4, 5], 4: [4, 5], 5: [5], 6: [4, 5], 7: [6]}
    assert {number: projection(tree, number) for number in NODES} == expected


def steps() -> dict[int, int]:
    """Step i leads from environment i to environment i + 1, counted from 1 as in the paper."""
    _environments, lines = computation(9)
    return dict(enumerate(lines, start=1))


def test_first_verdict_of_example_4_14(tree: ExecutionTree) -> None:
    """Node 1 is wrong and its children are right: the bug is in what led from e2 to e3, line 3."""
    assert own_segments(tree, 0) == [(2, 3)]
    assert buggy_code(tree, 0, steps()) == [3]


def test_second_verdict_of_example_4_14(tree: ExecutionTree) -> None:
    """Node 3 is wrong, nodes 4 and 6 are right: lines 4 and 5, in the iterations that no child performed."""
    assert own_segments(tree, 2) == [(5, 7), (9, 15)]
    assert buggy_code(tree, 2, steps()) == [4, 5]


def test_a_node_without_children_is_all_its_own(tree: ExecutionTree) -> None:
    assert own_segments(tree, 5) == [(7, 9)]
    assert buggy_code(tree, 6, steps()) == [6]


def test_children_that_overlap_or_cover_everything() -> None:
    builder = TreeBuilder()
    site = builder.site(Site("r"))
    for first, last in ((0, 10), (2, 6), (4, 10), (0, 2)):
        builder.add(site, first=first, last=last)
    builder.attach(0, None)
    for node in (1, 2, 3):
        builder.attach(node, 0)
    tree, _nodes = builder.finish()
    assert own_segments(tree, 0) == []
