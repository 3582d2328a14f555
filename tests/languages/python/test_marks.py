"""Marking the wrong part of a value leads to the code that wrote it."""

from pathlib import Path

import pytest

from adebug_lsp.model.answers import Answer, Judgement, Mark, MarkOf, Restart
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.model.values import Key
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.phrases import parse, read_mark
from adebug_lsp.session.session import Session
from tests.languages.python.recorded import Recorded, node_of, record

PROGRAM = """
    class Box:
        def __init__(self, n):
            self.n = n
            self.rows = [[n], [n]]

    def zeros():
        return [0, 0, 0]

    def append(xs, v):
        xs.append(v)

    def put(xs, key, v):
        xs[key] = v

    def order(xs):
        xs.sort()

    def into(groups, key, v):
        groups.setdefault(key, []).append(v)

    def rename(box, n):
        box.n = n

    def fill(box, row, v):
        box.rows[row].append(v)

    def appended():
        xs = []
        append(xs, 1)
        append(xs, 99)
        append(xs, 3)
        return xs

    def items():
        xs = zeros()
        put(xs, 0, 1)
        put(xs, 1, 99)
        put(xs, 2, 3)
        put(xs, 0, 5)
        return xs

    def ordered():
        xs = []
        append(xs, 99)
        append(xs, 1)
        order(xs)
        append(xs, 100)
        return xs

    def mapping():
        found = {}
        put(found, "a", 1)
        put(found, "b", 99)
        put(found, "c", 3)
        return found

    def grouped():
        found = {}
        into(found, "a", 1)
        into(found, "b", 2)
        into(found, "b", 99)
        into(found, "a", 3)
        return found

    def box():
        made = Box(1)
        fill(made, 0, 7)
        rename(made, 98)
        fill(made, 1, 99)
        fill(made, 0, 8)
        return made

    for build in (appended, items, ordered, mapping, grouped, box):
        build()
    """
ORIGINS: list[tuple[str, tuple[Key, ...], str]] = [
    ("appended()", (0,), "append([], 1)"),
    ("appended()", (1,), "append([1], 99)"),
    ("items()", (1,), "put([1, 0, 0], 1, 99)"),
    ("items()", (0,), "put([1, 99, 3], 0, 5)"),
    ("ordered()", (1,), "order([99, 1])"),
    ("ordered()", (2,), "append([1, 99], 100)"),
    ("mapping()", ("'b'",), "put({'a': 1}, 'b', 99)"),
    ("grouped()", ("'b'", 1), "into({'a': [1], 'b': [2]}, 'b', 99)"),
    ("grouped()", ("'a'", 0), "into({}, 'a', 1)"),
    ("box()", ("n",), "rename(Box(n=1, rows=[[1, 7], [1]]), 98)"),
    ("box()", ("rows", 1, 1), "fill(Box(n=98, rows=[[1, 7], [1]]), 1, 99)"),
    ("box()", ("rows", 0, 0), "Box().__init__(1)"),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return record(tmp_path_factory.mktemp("marks"), PROGRAM)


@pytest.mark.parametrize(("call", "path", "origin"), ORIGINS)
def test_a_part_of_a_result_comes_from_the_call_that_wrote_it(
    run: Recorded, call: str, path: tuple[Key, ...], origin: str
) -> None:
    subject = run.subject()
    node = node_of(subject, f"{call} = ")
    trace = subject.dependences.trace(node, Mark(MarkOf.RESULT, path))
    assert trace is not None
    assert subject.behaviour(trace.origin).text.startswith(f"{origin}: ")
    assert trace.origin in trace.influencers


def test_later_code_has_no_influence(run: Recorded) -> None:
    subject = run.subject()
    trace = subject.dependences.trace(node_of(subject, "appended() = "), Mark(MarkOf.RESULT, (1,)))
    assert trace is not None
    texts = {subject.behaviour(node).text for node in trace.influencers}
    assert "append([], 1): xs: [] -> [1]" in texts
    assert not any(text.startswith("append([1, 99], 3)") for text in texts)
    assert "zeros() = [0, 0, 0]" not in texts


def test_the_next_question_is_about_the_origin(run: Recorded) -> None:
    subject = run.subject()
    session = Session(subject)
    mark = Mark(MarkOf.RESULT, ("rows", 1, 1))
    session.say(Answer(node_of(subject, "box() = "), Judgement.NO, mark=mark))
    assert isinstance(session.outcome, Ask)
    asked = session.outcome.question.behaviour.text
    assert asked == "fill(Box(n=98, rows=[[1, 7], [1]]), 1, 99): box.rows: [[1, 7], [1]] -> [[1, 7], [1, 99]]"


def test_a_place_that_does_not_exist_is_not_followed(run: Recorded) -> None:
    subject = run.subject()
    node = node_of(subject, "mapping() = ")
    assert subject.dependences.trace(node, Mark(MarkOf.RESULT, ("'no'",))) is None


def test_a_wrong_argument_comes_from_before_the_call(tmp_path: Path) -> None:
    program = """
        def spoil(numbers):
            numbers[1] = 99

        def total(numbers):
            return sum(numbers)

        def main():
            numbers = [1, 2]
            spoil(numbers)
            return total(numbers)

        main()
        """
    subject = record(tmp_path, program).subject()
    trace = subject.dependences.trace(node_of(subject, "total("), Mark(MarkOf.ARGUMENT, ("numbers", 1)))
    assert trace is not None
    assert subject.behaviour(trace.origin).text == "spoil([1, 2]): numbers: [1, 2] -> [1, 99]"


def test_a_wrong_global_leads_to_the_code_that_wrote_it(tmp_path: Path) -> None:
    program = """
        def make():
            return {"day": 84_400}

        def days(seconds):
            return seconds // UNITS["day"] // FACTOR

        def check():
            return True

        UNITS = make()
        FACTOR = 1
        check()
        days(259_200)
        """
    subject = record(tmp_path, program).subject()
    days = node_of(subject, "days(259200)")
    for path, origin in ((("UNITS",), "make()"), (("UNITS", "day"), "make()"), (("FACTOR",), "module program")):
        trace = subject.dependences.trace(days, Mark(MarkOf.ARGUMENT, path))
        assert trace is not None
        assert subject.behaviour(trace.origin).text.startswith(origin)
        assert node_of(subject, "check()") not in trace.influencers


LOOPS = """
    class Account:
        def __init__(self):
            self.balance = 0
            self.notes = {}

    def book(account, amount):
        account.balance += amount

    def run(amounts):
        account, lines, last = Account(), [], 0
        for amount in amounts:
            book(account, amount)
            lines.append(amount * 2)
            account.notes[amount] = amount
            last = amount
        return lines

    run([3, 5, 7])
    """
AFTERWARDS: list[tuple[tuple[Key, ...], str]] = [
    (("lines", 1), "iteration 2 of `for amount in amounts` (line 12)"),
    (("account", "notes", "5"), "iteration 2 of `for amount in amounts` (line 12)"),
    (("account", "balance"), "book(Account(balance=8, notes={3: 3, 5: 5}), 7)"),
    (("last",), "iteration 3 of `for amount in amounts` (line 12)"),
]


@pytest.mark.parametrize(("path", "origin"), AFTERWARDS)
def test_a_part_of_a_variable_after_a_loop_comes_from_the_code_that_wrote_it(
    path: tuple[Key, ...], origin: str, tmp_path: Path
) -> None:
    subject = record(tmp_path, LOOPS).subject()
    trace = subject.dependences.trace(node_of(subject, "the loop `for amount"), Mark(MarkOf.AFTER, path))
    assert trace is not None
    assert subject.behaviour(trace.origin).text.startswith(origin)


def spoken(session: Session, line: str) -> object:
    return parse(line, session, int)


def test_marks_of_variables_by_name(tmp_path: Path) -> None:
    subject = record(tmp_path, LOOPS).subject()
    session = Session(subject)
    session.say(Restart(node_of(subject, "run(")))
    while isinstance(session.outcome, Ask) and "the loop" not in session.outcome.question.behaviour.text:
        session.answer(Judgement.UNKNOWN)
    step = spoken(session, "mark lines[1]")
    assert isinstance(step, Answer)
    assert (step.judgement, step.mark) == (Judgement.NO, Mark(MarkOf.AFTER, ("lines", 1)))
    argument = spoken(session, "mark amounts[0]")
    assert isinstance(argument, Answer)
    assert (argument.judgement, argument.mark) == (Judgement.INADMISSIBLE, Mark(MarkOf.ARGUMENT, ("amounts", 0)))
    with pytest.raises(BadAnswerError, match=r"there is no after\.lines\[9\]; what can be marked: "):
        session.say(Answer(step.node, Judgement.NO, mark=Mark(MarkOf.AFTER, ("lines", 9))))
    with pytest.raises(BadAnswerError, match="mark what"):
        spoken(session, "mark nothing[1]")


def test_the_key_of_a_dictionary_is_written_as_in_python(run: Recorded) -> None:
    subject = run.subject()
    session = Session(subject)
    node = node_of(subject, "mapping() = ")
    session.say(Answer(node, Judgement.NO, mark=Mark(MarkOf.RESULT, ("b",))))
    assert isinstance(session.outcome, Ask)
    assert session.outcome.question.behaviour.text == "put({'a': 1}, 'b', 99): xs['b']: 99, new"
    with pytest.raises(BadAnswerError, match=r"there is no result\['z'\]; what can be marked: result, result\['a'\]"):
        Session(subject).say(Answer(node, Judgement.NO, mark=Mark(MarkOf.RESULT, ("z",))))


PARTS = """
    from collections import namedtuple
    from dataclasses import dataclass

    Point = namedtuple("Point", "x y")

    @dataclass
    class Row:
        n: int

    def is_even(n):
        return n % 2 == 0

    def point(n):
        return Point(n, n + 1)

    def row(n):
        return Row(n)

    def nothing(xs):
        xs.append(1)

    def fails(xs):
        raise ValueError("no", xs)

    is_even(2), point(1), row(1), nothing([0]), [0, 1][-1]
    try:
        fails([5])
    except ValueError:
        pass
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return record(tmp_path_factory.mktemp("parts"), PARTS)


@pytest.mark.parametrize(
    ("call", "mark", "message"),
    [
        ("is_even", "result[0]", r"there is no result\[0\]; result is True, which has no parts; mark result itself"),
        ("is_even", "result.x", "there is no result.x; result is True, which has no parts"),
        ("is_even", "argument[1]", r"there is no argument\[1\]; what can be marked: result, argument.n, call"),
        ("is_even", "argument.m", "there is no argument.m; what can be marked: result, argument.n, call"),
        ("is_even", "argument[0][0]", r"there is no argument.n\[0\]; argument.n is 2, which has no parts"),
        ("is_even", "call[0]", "there is no call.0.; call is the call itself, which has no parts"),
        ("is_even", "after.n", "there is no after.n; what can be marked: result, argument.n, call"),
        ("point", "result[2]", r"there is no result\[2\]; what can be marked: result, result.x, result.y"),
        ("point", "result.x[0]", r"there is no result.x\[0\]; result.x is 1, which has no parts"),
        ("row", "result[0]", r"there is no result\[0\]; what can be marked: result, result.n"),
        ("nothing", "after.xs[2]", r"there is no after.xs\[2\]; what can be marked: after.xs, after.xs\[0\], after.xs"),
        ("fails", "result[1][1]", r"there is no result\[1\]\[1\]; what can be marked: result\[1\], result\[1\]\[0\]"),
    ],
)
def test_a_part_that_does_not_exist_is_refused(parts: Recorded, call: str, mark: str, message: str) -> None:
    """Nothing was answered, and what can be marked is listed."""
    session, answer = marked(parts, call, mark)
    with pytest.raises(BadAnswerError, match=f"^{message}"):
        session.say(answer)
    assert session.steps == ()


@pytest.mark.parametrize(
    ("call", "mark"),
    [
        *[("point", "result[0]"), ("point", "result[-1]"), ("point", "result.y"), ("row", "result.n")],
        *[("is_even", "result"), ("is_even", "argument[0]"), ("is_even", "argument.n"), ("is_even", "call")],
        *[
            ("nothing", "after.xs[1]"),
            ("nothing", "after.xs[-1]"),
            ("nothing", "argument.xs[0]"),
            ("fails", "result[1][0]"),
        ],
    ],
)
def test_a_mark_on_an_existing_part_is_accepted(parts: Recorded, call: str, mark: str) -> None:
    session, answer = marked(parts, call, mark)
    session.say(answer)
    assert answer in session.steps


def marked(parts: Recorded, call: str, mark: str) -> tuple[Session, Answer]:
    subject = parts.subject()
    parsed = read_mark(mark)
    judgement = Judgement.NO if parsed.in_outcome else Judgement.INADMISSIBLE
    return Session(subject), Answer(node_of(subject, f"{call}("), judgement, parsed)
