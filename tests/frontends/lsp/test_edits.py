"""Ranges move with edits, and changed code is recognised as changed."""

from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.frontends.shared.edits import LineMap
from adebug_lsp.model.source import Position, Range

OLD = ["def f(x):", "    y = x", "    return y", "", "print(f(3))"]


def range_at(line: int, start: int, end: int, last: int | None = None) -> Range:
    return Range(Position(line, start), Position(line if last is None else last, end))


def test_lines_above_move_a_range_down() -> None:
    assert LineMap(OLD, ["# new", "", *OLD]).range(range_at(1, 4, 9)) == (range_at(3, 4, 9), False)


def test_an_edit_inside_a_range_is_a_change() -> None:
    edited = [*OLD[:1], "    y = x + 1", *OLD[2:]]
    assert LineMap(OLD, edited).range(range_at(0, 0, 12, last=2)) == (range_at(0, 0, 12, last=2), True)


def test_an_edited_range_grows_and_keeps_its_start() -> None:
    edited = ["", *OLD[:2], "    y += 1", *OLD[2:]]
    assert LineMap(OLD, edited).range(range_at(0, 0, 12, last=2)) == (range_at(1, 0, 12, last=4), True)
    edited = ["", *OLD[:2], "    return 3"]
    assert LineMap(OLD, edited).range(range_at(0, 0, 12, last=2)) == (range_at(1, 0, 9), True)


def test_a_changed_line_maps_to_its_replacement() -> None:
    edited = ["", *OLD[:1], "    y = x + 1", *OLD[2:]]
    assert LineMap(OLD, edited).range(range_at(1, 8, 9)) == (range_at(2, 4, 13), True)


def test_removed_code_leaves_a_position_in_the_text() -> None:
    place, changed = LineMap(OLD, ["x"]).range(range_at(4, 0, 5))
    assert (place.end.line, changed) == (0, True)
    assert LineMap(OLD, [""]).range(range_at(1, 0, 1)) == (range_at(0, 0, 0), True)


LINES = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), min_size=1, max_size=12)


@given(LINES, LINES, st.data())
def test_unchanged_means_the_same_text_and_leads_back(old: list[str], new: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(old) - 1))
    last = data.draw(st.integers(first, len(old) - 1))
    moved, place = LineMap(old, new), range_at(first, 0, 0, last)
    mapped, changed = moved.range(place)
    assert mapped.end.line < len(new)
    if not changed:
        assert new[mapped.start.line : mapped.end.line + 1] == old[first : last + 1]
    back = moved.back(mapped)
    if back is not None:
        assert old[back.start.line : back.end.line + 1] == new[mapped.start.line : mapped.end.line + 1]
