"""The difference of two states of a large value is in view, however far from its beginning."""

from pathlib import Path

import pytest

from adebug_lsp.model.presentation import Section, present
from tests.languages.python.recorded import node_of, record

PROGRAM = """
    class Store:
        def __init__(self):
            self.rows = [{"id": n, "tags": [n, n + 1]} for n in range(500)]
            self.index = {f"k{n}": n for n in range(400)}

    def spoil(store):
        store.rows[417]["tags"][1] = -1
        store.index["k333"] = 0

    def grow(numbers):
        numbers.append(7)

    def shrink(numbers):
        del numbers[250:]

    def drop(store):
        del store.index["k399"]

    store = Store()
    spoil(store)
    numbers = list(range(300))
    grow(numbers)
    shrink(numbers)
    drop(store)
"""


@pytest.mark.parametrize(
    ("call", "changes"),
    [
        ("spoil(", ["store.rows[417]['tags']: [417, 418] → [417, -1]", "store.index['k333']: 333 → 0"]),
        ("grow(", ["numbers: +1 element: 7"]),
        ("shrink(", ["numbers: -51 elements: 250, 251, 252, 253, …"]),
    ],
)
def test_a_change_of_a_large_value_is_in_view(tmp_path: Path, call: str, changes: list[str]) -> None:
    subject = record(tmp_path, PROGRAM).subject()
    rows = present(subject.behaviour(node_of(subject, call))).rows
    assert [row.on_one_line for row in rows if row.section is Section.CHANGED] == changes
