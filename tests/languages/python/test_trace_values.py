"""Values of expressions in one call, and the code that it did not execute, as editors show them."""

from pathlib import Path

from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.languages.python.questions.subject import PythonSubject
from tests.languages.python.recorded import node_of, record

PROGRAM = """\
def weigh(items, limit):
    '''What the items weigh together.'''
    total = 0
    for name, weight in items:
        if weight > limit:
            total += limit
            continue
        elif weight < 0:
            raise ValueError(name)
        total += weight * 2
    else:
        pass
    if total:
        return total
    print("nothing")
    return 0


def risky(number):
    try:
        value = 10 // number
    except ZeroDivisionError:
        value = 0
    except TypeError:
        value = 1
    finally:
        number = None
    match value:
        case 0:
            return "none"
        case _:
            return "some"


weigh([("ä", 3), ("b", 9)], 5)
weigh([("𝒳", 1)], 5)
risky(0)
"""


def shown(subject: PythonSubject, node: int) -> dict[str, tuple[str, ...]]:
    sources = Sources(subject.sources())
    return {
        f"{seen.place.range.start.line + 1}: {sources.text(seen.place)}": seen.values
        for seen in subject.trace_values(node)
    }


def did_not_run(subject: PythonSubject, node: int) -> list[str]:
    sources = Sources(subject.sources())
    return [sources.text(place).partition("\n")[0] for place in subject.unexecuted(node)]


def test_every_expression_has_its_values_in_the_asked_call_only(tmp_path: Path) -> None:
    subject = record(tmp_path, PROGRAM).subject()
    first = shown(subject, node_of(subject, "weigh([('ä'"))
    assert first["3: total"] == ("0",)
    assert first["4: name"] == ("'ä'", "'b'")
    assert first["5: weight > limit"] == ("False", "True")
    assert first["5: weight"] == ("3", "9")
    assert first["10: weight * 2"] == ("6",)
    assert first["13: total"] == ("11",)
    assert first["14: total"] == ("11",)
    assert shown(subject, node_of(subject, "weigh([('𝒳'"))["10: weight * 2"] == ("2",)


def test_an_iteration_of_a_loop_has_its_own_values(tmp_path: Path) -> None:
    subject = record(tmp_path, PROGRAM).subject()
    iteration = shown(subject, node_of(subject, "iteration 2 of"))
    assert iteration["5: weight"] == ("9",)
    assert "13: total" not in iteration


def test_many_values_are_counted_and_the_first_shown(tmp_path: Path) -> None:
    subject = record(tmp_path, "def f():\n    for i in range(100):\n        x = i * 2\n\n\nf()\n").subject()
    seen = {(s.name, s.bound): s for s in subject.trace_values(node_of(subject, "f()")) if s.name}
    assert (seen["x", True].values, seen["x", True].count) == (("0", "2", "4", "6", "8"), 100)


def test_code_that_a_call_did_not_execute_is_known(tmp_path: Path) -> None:
    subject = record(tmp_path, PROGRAM).subject()
    assert did_not_run(subject, node_of(subject, "weigh([('ä'")) == ["raise ValueError(name)", 'print("nothing")']
    assert did_not_run(subject, node_of(subject, "weigh([('𝒳'")) == [
        "total += limit",
        "raise ValueError(name)",
        'print("nothing")',
    ]
    assert did_not_run(subject, node_of(subject, "risky(0)")) == ["value = 1", 'return "some"']


def test_a_statement_that_raised_did_run(tmp_path: Path) -> None:
    text = "def f(x):\n    if x:\n        y = 1 // 0\n        z = 3\n    return y\n\n\nf(1)\n"
    subject = record(tmp_path, text).subject()
    assert did_not_run(subject, node_of(subject, "f(1)")) == ["z = 3"]


def test_a_recording_of_calls_reports_no_unexecuted_code(tmp_path: Path) -> None:
    subject = record(tmp_path, PROGRAM, level="calls").subject()
    assert subject.unexecuted(node_of(subject, "risky(0)")) == ()


def test_inside_a_call_the_values_are_those_of_the_call(tmp_path: Path) -> None:
    subject = record(tmp_path, PROGRAM).subject()
    node = node_of(subject, "risky(0)")
    inside = subject.inside(node)
    assert inside is not None
    assert inside.trace_values(1) == subject.trace_values(node)
    assert inside.unexecuted(1) == subject.unexecuted(node)
