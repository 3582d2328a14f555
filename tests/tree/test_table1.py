"""The computed table equals the paper's Table 1, and the page in the documentation is the generated one."""

from pathlib import Path

import pytest

from adebug_lsp.tree.theory import table1
from adebug_lsp.tree.theory.cases import Choose, every, shapes
from adebug_lsp.tree.theory.properties import UNIVERSAL, Property

PAPER = {
    "Loop Expansion": "× × × ✓ ✓ × ✓ × ✓ ✓ ↑=",
    "Node Simplification": "× × × × ✓ × ✓ ✓ ✓ ✓ =",
    "Tree Balancing": "× × × × × × × ✓ ✓ ✓ ↑=↓",
    "Tree Compression": "× × × × × × × × ✓ ✓ ↓",
}
OURS = {"Halving": "✓ ✓ ✓ ✓ ✓ × × ✓ × ✓ ↑"}


@pytest.fixture(scope="module")
def rows() -> list[table1.Row]:
    return [table1.compute(subject) for subject in table1.SUBJECTS]


@pytest.fixture(scope="module")
def page(rows: list[table1.Row]) -> str:
    return table1.markdown(rows)


def test_the_table_is_the_papers_with_a_row_for_halving(page: str) -> None:
    lines = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")][1:]
    assert {title: " ".join(marks) for title, *marks in lines} == PAPER | OURS


def test_the_documentation_is_the_generated_page(page: str) -> None:
    documented = Path(__file__).parents[2] / "docs" / "transformations.md"
    assert documented.read_text(encoding="utf-8") == page


def test_every_mark_is_explained(page: str) -> None:
    sections = {section.partition("\n")[0]: section for section in page.split("\n## ")[1:]}
    assert [*sections] == ["In a session", "How the table is computed", *PAPER, *OURS]
    for section in (sections[title] for title in (*PAPER, *OURS)):
        assert [f"**{which.number}. {which.title}: " in section for which in Property] == [True] * 11


def test_examples_match_their_descriptions(rows: list[table1.Row]) -> None:
    for row in rows:
        for which, example in row.examples.items():
            assert which not in UNIVERSAL or UNIVERSAL[which](example.pair) is not None
            assert table1.draw(example.pair).startswith("before")


def test_every_combination_of_choices_occurs_once() -> None:
    seen: list[str] = []

    def case(choose: Choose, nodes: int) -> None:
        first = choose("ab")
        seen.append(first + (choose("cde") if first == "a" else ""))

    assert list(every(case, 0)) == []
    assert seen == ["ac", "ad", "ae", "b"]


def test_shapes_are_counted_by_the_catalan_numbers() -> None:
    assert [len(shapes(nodes)) for nodes in range(1, 8)] == [1, 1, 2, 5, 14, 42, 132]
    assert len(set(shapes(7))) == 132
