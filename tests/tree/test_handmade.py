"""The public format of hand-made trees: valid trees, and the error message for each mistake."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.tree.handmade import read_handmade
from tests.model.test_model import JSON
from tests.support import example


def nodes(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"nodes": [{"id": number, "parent": None, **entry} for number, entry in enumerate(entries, start=1)]}


def test_children_stand_in_order_of_appearance() -> None:
    """Also when a child is listed before its parent."""
    handmade = read_handmade(nodes({"parent": 4}, {"parent": 4}, {"parent": 1}, {"wrong": True}))
    assert handmade.ids == (4, 1, 3, 2)
    assert handmade.wrong == {0}


def test_every_field_arrives() -> None:
    place = {"path": "a.py", "range": {"start": {"line": 0, "column": 0}, "end": {"line": 0, "column": 3}}}
    entry = {"rule": "f, x < 0", "routine": "f", "module": "m", "kind": "loop", "raised": True, "size": 9, "text": "f"}
    handmade = read_handmade(nodes({**entry, "location": place, "behaviour": "b", "id": "root"}))
    facts = handmade.tree.facts(0)
    assert (facts.kind, facts.raised, facts.cost) == (NodeKind.LOOP, True, 9)
    assert (facts.site.rule, facts.site.routine, facts.site.module) == ("f, x < 0", "f", "m")
    assert facts.site.location is not None
    assert facts.site.location.path == "a.py"
    assert int(handmade.tree.behaviour[0]) != 0
    assert handmade.ids == ("root",)


def test_the_reading_cost_is_the_length_of_the_text_unless_given() -> None:
    handmade = read_handmade(nodes({"text": "f 1 = 2"}))
    assert handmade.tree.facts(0).cost == 7


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("range", NodeKind.ITERATION_RANGE),
        ("iteration range", NodeKind.ITERATION_RANGE),
        ("process step", NodeKind.PROCESS_STEP),
        ("collapse node", NodeKind.COLLAPSE),
        ("Expression", NodeKind.EXPRESSION),
    ],
)
def test_kinds_by_any_of_their_names(name: str, kind: NodeKind) -> None:
    assert read_handmade(nodes({"kind": name})).tree.facts(0).kind is kind


def test_an_exception_may_be_named() -> None:
    assert read_handmade(nodes({"raised": "ValueError"})).tree.facts(0).raised
    assert not read_handmade(nodes({"raised": None})).tree.facts(0).raised


def test_a_mark_names_nodes_by_id() -> None:
    marked = example("sqrtest-marked").marks[2]
    assert marked.mark == Mark(MarkOf.ARGUMENT, (0, 2))
    assert marked.origin == 16


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], 'non-empty list "nodes"'),
        ({}, 'non-empty list "nodes"'),
        ({"nodes": []}, 'non-empty list "nodes"'),
        ({"nodes": [3]}, "node number 1 is not an object"),
        ({"nodes": [{"parent": None}]}, "no field 'id'"),
        (nodes({}, {}), "two roots: 1 and 2"),
        (nodes({}, {"parent": 7}), "node 2 has the unknown parent 7"),
        (nodes({}, {"parent": 3}, {"parent": 2}), "its own ancestor"),
        (nodes({"parent": 1}), "its own ancestor"),
        (nodes({}, {"id": 1, "parent": 1}), "two nodes have the id 1"),
        (nodes({"wrong": "yes"}), "the field 'wrong' is 'yes'"),
        (nodes({"id": True}), "the field 'id' is True"),
        (nodes({"size": -1}), "the field 'size' is -1"),
        (nodes({"size": 2**40}), "the field 'size'"),
        (nodes({"kind": "method"}), "unknown kind 'method'"),
        (nodes({"kind": 3}), "unknown kind 3"),
        (nodes({"size": float("nan")}), "the field 'size' is nan"),
        (nodes({"colour": "red"}), "unknown field 'colour'"),
        (nodes({"location": {"path": "x"}}), "not a Location"),
        (nodes({"mark": {"of": "result", "origin": 9, "influencers": []}}), "unknown node 9"),
        (nodes({"mark": {"of": "result", "origin": 1}}), "'influencers' is a list"),
        (nodes({"mark": {"of": "colour", "origin": 1, "influencers": []}}), "result, after, argument, call"),
    ],
)
def test_every_mistake_is_named(data: Any, message: str) -> None:
    with pytest.raises(BadInputError) as caught:
        read_handmade(data)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@given(
    JSON | st.fixed_dictionaries({"nodes": st.lists(st.dictionaries(st.sampled_from(["id", "parent", "rule"]), JSON))})
)
def test_any_json_is_a_tree_or_refused(data: object) -> None:
    with suppress(BadInputError):
        read_handmade(data)
