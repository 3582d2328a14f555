"""The shared vocabulary: ranges, values, and their conversion to JSON."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.model.answers import Answer, Judgement, Mark, MarkOf, Scope, Source, Trust
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.json import from_json, step_from_json, step_to_json, to_json
from adebug_lsp.model.kinds import Granularity, NodeKind
from adebug_lsp.model.source import Location, Position, Range
from adebug_lsp.model.values import Binding, Environment, Part, Value
from adebug_lsp.model.verdicts import Candidate, Verdict, VerdictKind


def span(*numbers: int) -> Range:
    a, b, c, d = numbers
    return Range(Position(a, b), Position(c, d))


def test_a_range_does_not_end_before_it_starts() -> None:
    with pytest.raises(ValueError, match="before it starts"):
        span(2, 0, 1, 9)
    with pytest.raises(ValueError, match="must be >= 0"):
        Position(-1, 0)


def test_a_range_covers_what_lies_in_it() -> None:
    assert span(1, 0, 3, 0).covers(span(1, 5, 2, 0))
    assert not span(1, 5, 3, 0).covers(span(1, 0, 2, 0))


def test_a_path_leads_to_a_part_of_a_value() -> None:
    inner = Value("[1, 2]", parts=(Part(0, Value("1")), Part(1, Value("2"))))
    value = Value("{'a': [1, 2]}", parts=(Part("a", inner),))
    assert value.at(("a", 1)) == Value("2")
    assert value.at(("a", 2)) is None
    assert value.at(()) is value


def test_an_environment_knows_its_names() -> None:
    environment = Environment((Binding("x", Value("1")), Binding("y", Value("2"))))
    assert environment.value("y") == Value("2")
    assert environment.value("z") is None


def test_granularities_only_get_finer() -> None:
    levels = [granularity.kinds for granularity in Granularity]
    assert levels[0] < levels[1] < levels[2] == frozenset(NodeKind)


def test_a_verdict_goes_through_json() -> None:
    place = Location("a.py", span(0, 4, 0, 7))
    verdict = Verdict(VerdictKind.CANDIDATES, 3, code=(place,), unknown=(Candidate(4, "f(1) = 2", "f"),))
    assert from_json(to_json(verdict), Verdict) == verdict


@given(
    st.builds(
        Answer,
        st.integers(0, 99),
        st.sampled_from(Judgement),
        st.none() | st.builds(Mark, st.sampled_from(MarkOf), st.tuples(st.integers(), st.text())),
        st.none() | st.text(),
        st.builds(Source, st.text(), st.text()),
    )
    | st.builds(Trust, st.sampled_from(Scope), st.text())
)
def test_steps_go_through_json(step: Answer | Trust) -> None:
    assert step_from_json(step_to_json(step)) == step


@pytest.mark.parametrize(
    "data",
    [
        None,
        3,
        [],
        {},
        {"step": "Answer"},
        {"step": "System", "command": "ls"},
        {"step": "Answer", "node": "1", "judgement": "yes"},
        {"step": "Answer", "node": True, "judgement": "yes"},
        {"step": "Answer", "node": 1, "judgement": "perhaps"},
        {"step": "Answer", "node": 1, "judgement": "yes", "surprise": 1},
        {"step": "Answer", "node": 1, "judgement": "yes", "mark": {"of": "result", "path": [1.5]}},
        {"step": ["Answer"], "node": 1},
    ],
)
def test_invalid_steps_are_refused(data: object) -> None:
    with pytest.raises(BadInputError):
        step_from_json(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON)
def test_any_json_is_a_step_or_refused(data: object) -> None:
    with suppress(BadInputError):
        step_from_json(data)
