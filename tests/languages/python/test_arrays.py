"""numpy arrays: recorded by content, shown with shape and type, compared by content, and not kept alive."""

import re
import sys
from pathlib import Path

import pytest

from tests.languages.python.recorded import Recorded, node_of, record

PROGRAM = """
    import numpy as np

    def scaled(v, k):
        return v * k

    def outs(v):
        np.add(v, 1, out=v)

    def divided(v):
        v /= 2

    def stored(g):
        g[1, 0] = 7

    def ordered(v):
        v.sort()

    def through_a_view(g):
        row = g[0]
        row[1] = -1

    def one_of_many(v):
        v[300] = 0.5

    def read(v):
        return np.dot(v, v), v.mean(axis=0)

    def main():
        v = np.array([3.0, 1.0, 2.0])
        g = np.ones((2, 2), int)
        many = np.arange(400.0)
        scaled(v, 2)
        scaled(np.array([3.0, 1.0, 2.0]), 2)
        outs(v)
        divided(v)
        stored(g)
        ordered(v)
        through_a_view(g)
        one_of_many(many)
        read(v)
        return np.zeros((300, 400), dtype=np.float32), np.int64(5), np.array([], int), np.array([1, None, "x"], object)

    main()
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return record(tmp_path_factory.mktemp("arrays"), PROGRAM)


def change(recorded: Recorded, call: str) -> tuple[str, str]:
    """The argument of a call before and after it."""
    subject = recorded.subject()
    behaviour = subject.behaviour(node_of(subject, call))
    return behaviour.before.bindings[0].value.text, behaviour.after.bindings[0].value.text


@pytest.mark.parametrize(
    ("call", "before", "after"),
    [
        ("outs(", "array([3.0, 1.0, 2.0], float64)", "array([4.0, 2.0, 3.0], float64)"),
        ("divided(", "array([4.0, 2.0, 3.0], float64)", "array([2.0, 1.0, 1.5], float64)"),
        ("stored(", "array([[1, 1], [1, 1]], int64)", "array([[1, 1], [7, 1]], int64)"),
        ("ordered(", "array([2.0, 1.0, 1.5], float64)", "array([1.0, 1.5, 2.0], float64)"),
        ("through_a_view(", "array([[1, 1], [7, 1]], int64)", "array([[1, -1], [7, 1]], int64)"),
    ],
)
def test_a_change_in_place_shows_both_states(recorded: Recorded, call: str, before: str, after: str) -> None:
    assert change(recorded, call) == (before, after)


def test_a_change_among_many_elements_shows_the_one_that_differs(recorded: Recorded) -> None:
    before, after = change(recorded, "one_of_many(")
    assert before.endswith("shape (400,), float64; [300] = 300.0)")
    assert after.endswith("shape (400,), float64; [300] = 0.5)")


def test_a_call_that_only_reads_arrays_changes_nothing(recorded: Recorded) -> None:
    subject = recorded.subject()
    assert subject.behaviour(node_of(subject, "read(")).after.bindings == ()


def test_results_have_shape_type_and_parts_by_index(recorded: Recorded) -> None:
    subject = recorded.subject()
    result = subject.behaviour(node_of(subject, "main(")).result
    assert result is not None
    large, number, empty, objects = (part.value for part in result.parts)
    assert re.fullmatch(r"array\(\[\[0\.0, .*\.\.\.\], shape \(300, 400\), float32\)", large.text)
    assert (number.text, number.type) == ("5", "numpy.int64")
    assert empty.text == "array([], shape (0,), int64)"
    assert objects.text == "array([1, None, 'x'], object)"
    element = large.at([0, 3])
    assert element is not None
    assert element.text == "0.0"


def test_the_same_content_is_the_same_behaviour(recorded: Recorded) -> None:
    subject = recorded.subject()
    calls = [n for n in range(len(subject.tree)) if subject.behaviour(n).text.startswith("scaled(")]
    assert len(calls) == 2
    assert subject.behaviour_key(calls[0]) == subject.behaviour_key(calls[1]) != ""


LONG = """
    import numpy as np

    def step(v):
        return v + 1

    def main():
        v = np.zeros(500)
        for _ in range(12_000):
            v = step(np.zeros(500))
        return v

    main()
"""


def test_an_array_has_one_digest_before_and_after_the_allowance_is_used_up(tmp_path: Path) -> None:
    """12,000 times two arrays of 4 kB: the first are recorded whole, the last by a checksum."""
    run = record(tmp_path, LONG).opened.run
    spans = map(run.spans.__getitem__, range(len(run.spans)))
    calls = [span for span in spans if span.routine.name == "step" and span.activation == span.number]
    first, last = (
        run.formatter.digest(run.variables(span).at("v", span.first + 1) or 0, span.first + 1)
        for span in (calls[0], calls[-1])
    )
    assert first == last
    assert (tmp_path / "run.adebug").stat().st_size < 50_000_000


MEMORY = """
    import re
    import numpy as np

    def one(i):
        a = np.ones(2_000_000) * i
        return float(a.sum())

    def main():
        total = 0.0
        for i in range(60):
            total += one(i)
        return total

    main()
    print(int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) >> 10)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="getrusage counts the process that started this one, too")
@pytest.mark.parametrize("pure", ["", "1"])
def test_arrays_that_a_program_drops_are_not_kept(
    tmp_path: Path, pure: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """60 arrays of 16 MB: together 960 MB."""
    monkeypatch.setenv("ADEBUG_PURE", pure)
    record(tmp_path, MEMORY)
    assert int(capfd.readouterr().out) < 400
