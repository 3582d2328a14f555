"""Presentations: changes by path, what stands in the headline, and how they fit a screen."""

from typing import Any

import pytest
from attrs import evolve

from adebug_lsp.model.behaviour import Behaviour, Judged
from adebug_lsp.model.changes import differences, named
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.presentation import HEIGHT, WIDTH, Section, present
from adebug_lsp.model.values import Binding, Environment, Key, Part, Role, Value


def value(content: object) -> Value:
    """A value like one of a Python recording."""
    if isinstance(content, dict):
        parts = [Part(repr(key), value(part)) for key, part in content.items()]
    elif isinstance(content, list):
        parts = [Part(key, value(part)) for key, part in enumerate(content)]
    else:
        parts = []
    return Value(repr(content), type(content).__name__, parts=tuple(parts))


def thing(**attributes: object) -> Value:
    parts = tuple(Part(name, value(content)) for name, content in attributes.items())
    return Value(f"Thing({', '.join(f'{part.key}={part.value.text}' for part in parts)})", "m.Thing", 7, parts)


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (1, 2, ["x: 1 → 2"]),
        ([3, 1, 2], [1, 2, 3], ["x: [3, 1, 2] → [1, 2, 3]"]),
        ({"a": 60, "b": 1}, {"a": 61, "b": 1}, ["x['a']: 60 → 61"]),
        ({"a": 60}, {"a": 60, "b": {"c": 1}}, ["x['b']: {'c': 1}, new"]),
        ({"a": 60, "b": 2}, {"b": 2}, ["x['a']: 60, removed"]),
        (list(range(9)), [*range(9), 10, 11, 12], ["x: +3 elements: 10, 11, 12"]),
        (list(range(9)), [0, *range(2, 9)], ["x: -1 element: 1"]),
        ([{"a": 1}] * 9, [{"a": 1}] * 8 + [{"a": 2}], ["x[8]['a']: 1 → 2"]),
        ([1, 2], None, ["x: [1, 2] → None"]),
    ],
)
def test_changes_are_paths_to_what_differs(before: object, after: object, shown: list[str]) -> None:
    changes = differences(value(before), value(after))
    assert [f"{named('x', change.path)}: {change.text(60)}" for change in changes] == shown


def test_attributes_that_did_not_change_are_not_shown() -> None:
    before, after = thing(last=1180, months={"a": 1}, note="n" * 99), thing(last=1240, months={"a": 1}, note="n" * 99)
    assert [(change.path, change.text(40)) for change in differences(before, after)] == [(("last",), "1180 → 1240")]


def test_two_states_whose_difference_is_not_listed_do_not_print_alike() -> None:
    shortened = evolve(value([1, 2]), text="[1, 2, ...]", elided=500)
    (change,) = differences(shortened, evolve(shortened, elided=501))
    assert change.text(60) == "+1 element: …"
    (change,) = differences(thing(a=1), thing(a=1))
    assert change.text(60) == "Thing(a=1), changed in a part not shown"


def call(**more: Any) -> Behaviour:
    before = Environment((Binding("self", thing(a=1, b=2), Role.RECEIVER, frozenset[Key]({"a"})),))
    return evolve(Behaviour("Thing(…).f() = 3", asked="Thing.f()", before=before, result=value(3)), **more)


def test_of_an_object_only_what_was_read_is_shown() -> None:
    assert [(row.on_one_line, row.address) for row in present(call()).rows] == [
        ("self.a = 1", "before.self.a"),
        ("3", "result"),
    ]


def test_the_headline_is_complete_or_leaves_all_results_to_the_rows() -> None:
    complete = present(call(in_text=("result",)))
    assert complete.asked == "Thing(…).f() = 3"
    assert [row.section for row in complete.below] == [Section.GIVEN]
    assert present(call()).asked == "Thing.f()"
    changed = Environment((Binding("self", thing(a=9, b=2)),))
    both = present(call(in_text=("result",), after=changed))
    assert both.asked == "Thing.f()"
    assert [row.on_one_line for row in both.below] == ["self.a: 1 → 9", "3"]


def test_a_question_fits_the_screen_however_much_it_has() -> None:
    names = [f"variable_{number}" for number in range(60)]
    before = Environment(tuple(Binding(name, value(list(range(100)))) for name in names))
    after = Environment(tuple(Binding(name, value(list(range(1, 100)))) for name in names[:30]))
    printed = Binding("printed", Value("\n".join("x" * 300 for _ in range(300))), Role.OUTPUT)
    shown = present(
        Behaviour("f", before=before, after=Environment((*after.bindings, printed)), result=value([1] * 99))
    )
    lines = [line for row in shown.below for line in (row.on_one_line, *row.lines)]
    assert sum(-(-(len(line) + 12) // WIDTH) for line in lines) <= HEIGHT
    assert any(row.name.endswith(" more") for row in shown.below)
    assert {Section.GIVEN, Section.CHANGED, Section.EFFECT, Section.RESULT} <= {row.section for row in shown.below}


def test_kinds_of_questions_have_their_own_words() -> None:
    kinds = (
        NodeKind.ROUTINE, NodeKind.LOOP, NodeKind.ITERATION, NodeKind.ITERATION_RANGE, NodeKind.STATEMENT,
        NodeKind.EXPRESSION, NodeKind.GENERATOR, NodeKind.PROJECTION,
    )  # fmt: skip
    assert len({present(call(), kind).prompt for kind in kinds}) == len(kinds)
    assert "expected" in present(call(result=None, raised=value("KeyError()")), NodeKind.ROUTINE).prompt
    assert present(call(judged=Judged.DECISION), NodeKind.EXPRESSION).prompt == "Is this decision right?"
