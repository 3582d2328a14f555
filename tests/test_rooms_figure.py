"""The picture of the rooms is that of the import graph, which has no cycle."""

import pytest

from tests.rooms_figure import PICTURE, levels, reduced, svg


def test_the_picture_is_up_to_date() -> None:
    assert PICTURE.read_text(encoding="utf-8") == svg(), "run make docs"


def test_a_cycle_is_named() -> None:
    with pytest.raises(ValueError, match="a -> b -> a"):
        levels({"a": {"b"}, "b": {"a"}})


def test_a_transitive_arrow_is_left_out() -> None:
    assert reduced({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == {("a", "b"), ("b", "c")}
