"""Texts of values are folded by whole parts, in any language."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.model.folding import fold, fold_both, fold_lines, is_balanced

TABLE = "Format(above=Line(begin='', hline='-'), below=None, row=Row(begin='', sep='  '), padding=0, hide=['a', 'b'])"


@pytest.mark.parametrize(
    ("text", "most", "folded"),
    [
        ("[1, 2, 3]", 20, "[1, 2, 3]"),
        (TABLE, 60, "Format(above=Line(…), below=None, row=Row(…), … 2 more)"),
        ("Bill(customer='Ada', lines=[Line(month='2026-01', cents=3750), Line(month='2026-02', cents=1)])", 60,
         "Bill(customer='Ada', lines=[Line(…), Line(…)])"),
        ("{bill, <<\"Ada\">>, [{line, 1}, {line, 2}, {line, 3}, {line, 4}]}", 30, "{bill, <<\"Ada\">>, […]}"),
        ("123456789012345678901234567890123456789", 10, "123456789012345678901234567890123456789"),
        ("(1,)", 3, "(…,)"),
    ],
)  # fmt: skip
def test_whole_parts_are_left_out(text: str, most: int, folded: str) -> None:
    assert fold(text, most) == folded


VALUES = st.recursive(
    st.integers() | st.text(max_size=8) | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner) | st.tuples(inner, inner),
    max_leaves=40,
)


@given(VALUES, st.integers(4, 120))
def test_no_number_is_cut_and_little_room_is_used(value: object, most: int) -> None:
    text = repr(value)
    folded = fold(text, most)
    plain = re.compile(r"'[^']*'|\"[^\"]*\"")
    numbers = set(re.findall(r"-?\d+", plain.sub("", text)))
    shown = re.sub(r"… \d+ more", "", plain.sub("", folded))
    if "\\" not in text and not re.search(r"'[^']*\"|\"[^\"]*'", text):
        assert set(re.findall(r"-?\d+", shown)) <= numbers
    assert folded == text or len(folded) <= max(most, 60)


@given(VALUES, VALUES, st.integers(20, 80))
def test_two_different_values_never_look_alike(first: object, second: object, most: int) -> None:
    texts = repr(first), repr(second)
    folded = fold_both(*texts, most)
    assert (folded[0] == folded[1]) is (texts[0] == texts[1])


def test_a_difference_far_inside_is_in_view() -> None:
    rows = [list(range(20)) for _ in range(20)]
    before = repr(rows)
    rows[15][7] = 777
    before, after = fold_both(before, repr(rows), 60)
    assert "777" in after
    assert "777" not in before


@pytest.mark.parametrize(
    ("text", "balanced"),
    [("[1, (2,)]", True), ("')('", True), ("nonsense(", False), (")(", False), ("[1)", False), ("x' = {a, 1}", True)],
)
def test_brackets_match_or_not(text: str, balanced: bool) -> None:
    assert is_balanced(text) is balanced


def test_output_keeps_its_first_and_last_lines() -> None:
    lines = [f"line {number}" for number in range(30)]
    assert fold_lines(lines, 6) == ["line 0", "line 1", "… 25 more lines", "line 27", "line 28", "line 29"]
    assert fold_lines(lines[:6], 6) == lines[:6]
