"""A question shows everything needed to answer it: the values before, the code, and how it ended."""

from pathlib import Path

import pytest

from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.behaviour import Behaviour
from tests.languages.python.recorded import node_of, record

PROGRAM = """
    def low_or_high(number):
        if number < 10:
            size = "low"
        else:
            for size in ["high"]:
                limit = 10
        return size

    def sums(rows):
        found = []
        for row in rows:
            total = 0
            for cell in row:
                total += cell
            found.append(total)
        return found

    def sign(number):
        if number < 0:
            return -1
        return 1

    def half(number):
        if number % 2:
            raise ValueError(number)
        return number // 2

    def halved(number):
        try:
            number = half(number)
        except ValueError:
            pass
        return number

    def first(rows):
        if rows:
            for one in rows:
                if one:
                    break
        return one

    def kind(words):
        match words:
            case [one]:
                name = "one"
            case _:
                name = "many"
        return name

    class Base:
        def __init__(self, name):
            self.name = name

    class Thing(Base):
        def __init__(self):
            super().__init__("thing")
            self.count = 0

    def echo():
        got = yield
        while True:
            got = yield got * 2

    def numbers(last):
        yield 0
        yield from [last]

    def double():
        return lambda n: n + n

    low_or_high(3)
    low_or_high(12)
    sums([[1, 2], [3]])
    sign(-5)
    halved(7)
    first([0, 1])
    kind(["a"])
    Thing()
    echoing = echo()
    next(echoing)
    echoing.send(4)
    for number in numbers(5):
        pass
    double()(4)
    PLACES = {("a", 1): (0, -1)}
"""


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> PythonSubject:
    return record(tmp_path_factory.mktemp("questions"), PROGRAM).subject()


def asked(subject: PythonSubject, begin: str) -> Behaviour:
    """The first behaviour of the run whose text begins like this."""
    return subject.behaviour(node_of(subject, begin))


def inside(subject: PythonSubject, begin: str) -> dict[str, Behaviour]:
    """Texts of the parts that the first such call executed itself."""
    inner = subject.inside(node_of(subject, begin))
    assert inner is not None
    behaviours = map(inner.behaviour, range(1, len(inner.tree)))
    return {behaviour.text: behaviour for behaviour in behaviours}


def names(behaviour: Behaviour) -> set[str]:
    return {binding.name for binding in behaviour.before.bindings}


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("low_or_high(3)", "`if number < 10` was True: size = 'low'"),
        ("low_or_high(12)", "`if number < 10` was False: size = 'high', limit = 10"),
        ("sign(-5)", "`if number < 0` was True: returned -1"),
        ("sign(-5)", "return -1: returned -1"),
        ("halved(7)", "try: caught ValueError(7)"),
        ("first([0, 1])", "`if rows` was True: one = 1"),
        ("iteration 2 of `for one in rows`", "`if one` was True: left the loop"),
        ("kind(['a'])", "match words: one = 'a', name = 'one'"),
        ("Thing().__init__()", "super().__init__(\"thing\"): self.name: 'thing', new"),
        ("a step of numbers(5)", "yield 0: yielded 0"),
        ("double.<locals>.<lambda>(4)", "n + n = 8"),
    ],
)
def test_a_statement_shows_its_overall_effect(subject: PythonSubject, call: str, text: str) -> None:
    assert text in inside(subject, call)


def test_a_statement_that_returns_has_a_result(subject: PythonSubject) -> None:
    result = inside(subject, "sign(-5)")["return -1: returned -1"].result
    assert result is not None
    assert result.text == "-1"


def test_a_loop_shows_its_iterable_and_an_iteration_its_item(subject: PythonSubject) -> None:
    assert names(asked(subject, "the loop `for row in rows`")) >= {"rows", "found"}
    assert "row" not in names(asked(subject, "the loop `for row in rows`"))
    assert "row" in names(asked(subject, "iteration 2 of `for row in rows`"))
    assert "row" in names(asked(subject, "the loop `for cell in row`"))


@pytest.mark.parametrize(
    "text",
    [
        "a step of echo() (sent 4) = 8; got = 4",
        "a step of numbers(5) yields from [5]",
        "a step of numbers(5) ended the generator",
    ],
)
def test_a_step_of_a_generator_shows_sent_and_yielded_values(subject: PythonSubject, text: str) -> None:
    assert asked(subject, text).text == text


def test_a_step_of_a_generator_shows_what_it_leaves_for_the_next(tmp_path: Path) -> None:
    subject = record(
        tmp_path,
        """
        def days(month):
            count, seen = month + 26, []
            for day in range(count):
                seen.append(day)
                yield day

        list(days(2))
        """,
    ).subject()
    first, second = (asked(subject, f"a step of days(2{more}") for more in (")", ", count=28, seen=[0], day=0)"))
    assert first.text == "a step of days(2) = 0; count = 28, seen = [0], day = 0"
    assert second.text.endswith(" = 1; day: 0 -> 1")
    assert [(b.name, b.value.text) for b in second.after.bindings] == [("seen", "[0, 1]"), ("day", "1")]


def test_a_step_shows_what_generators_it_goes_through_leave(tmp_path: Path) -> None:
    subject = record(
        tmp_path,
        """
        def days(month):
            count = month + 25
            yield from range(count)

        def doubled(month):
            for day in days(month):
                yield day * 2

        def numbered(month):
            for at, day in enumerate(doubled(month)):
                yield at, day

        list(numbered(2))
        """,
    ).subject()
    first = asked(subject, "a step of numbered(2)")
    assert first.text == "a step of numbered(2) = (0, 0); at = 0, day = 0"
    shown = [(binding.name, binding.value.text) for binding in first.after.bindings]
    assert shown == [("at", "0"), ("day", "0"), ("doubled: day", "0"), ("days: count", "27")]


def test_a_comprehension_has_variables_of_its_own(tmp_path: Path) -> None:
    subject = record(
        tmp_path,
        """
        def totals(rows, x):
            found = []
            for row in rows:
                found.append(sum([x for x in row]) + x)
            return [lambda: found[n] for n in range(1)][0]()

        totals([[1, 2], [3, 4]], 10)
        """,
    ).subject()
    assert asked(subject, "iteration 2 of").text == "iteration 2 of `for row in rows` (line 4): found: [13] -> [13, 17]"
    assert dict(values(asked(subject, "iteration 2 of"))) == {"row": "[3, 4]", "found": "[13]", "x": "10"}
    assert dict(values(asked(subject, "totals.<locals>.<lambda>()"))) == {"found": "[13, 17]", "n": "0"}


def values(behaviour: Behaviour) -> list[tuple[str, str]]:
    return [(binding.name, binding.value.text) for binding in behaviour.before.bindings]


@pytest.mark.parametrize(
    ("condition", "known"),
    [
        ("a is not None and b and len(items) >= a", {"a is not None = True", "len(items) >= a = False"}),
        ("a < b and a + b == 5", {"a < b = True", "a + b == 5 = True"}),
        ("a > b and a + b == 5", {"a > b = False"}),
        ("sum(items) > b and a + b == 5", {"sum(items) > b = False"}),
        ("a / b > 1 and a + b == 5", {"a / b > 1 = False"}),
        ("items < [0] and a + b == 5", set()),  # nothing tells which of them it was
        ("a > b or len(items) > a", {"a > b = False", "len(items) > a = False"}),
        ("not (a > b or b > 7)", {"a > b or b > 7 = False", "a > b = False", "b > 7 = False"}),
        ("(a < b and b < 9) and len(items)", {"a < b and b < 9 = True", "a < b = True", "b < 9 = True"}),
        ("28 if a == 3 else 0", {"a == 3 = False"}),
    ],
)
def test_conditions_inside_an_expression_are_asked_about(condition: str, known: set[str], tmp_path: Path) -> None:
    program = f"def f(a, b, items):\n    if {condition}:\n        a = 0\n    return a\n\nf(2, 3, [1])\n"
    texts = inside(record(tmp_path, program).subject(), "f(2, 3, [1])")
    conditions = {text for text in texts if text.endswith((" = True", " = False"))}
    assert conditions - {f"{condition} = {truth}" for truth in (True, False)} == known


@pytest.mark.parametrize(
    ("condition", "known"),
    [
        ("a and not none", {"not none = True"}),
        ("a and not items", {"not items = False"}),
        ("none and not a", set()),
        ("not a or not (none or b)", {"not a = False", "not (none or b) = False", "none or b = True"}),
        ("not none or not a", {"not none = True"}),
        ("(a if not none and b else items)", {"not none and b = True", "not none = True"}),
        ("a and not (items := none)", {"not (items := none) = True", "items := none = None"}),
        ("a and (items := none)", {"items := none = None"}),
        ("1 < a < b and none is not None", {"1 < a < b = True", "none is not None = False"}),
        ("items.pop() and not items", {"items.pop() = 1", "not items = True"}),
    ],
)
def test_variables_tell_which_operand_decided(condition: str, known: set[str], tmp_path: Path) -> None:
    program = f"def f(a, b, items, none):\n    if {condition}:\n        a = 0\n    return a\n\nf(2, 3, [1], None)\n"
    subject = record(tmp_path, program).subject()
    inner = subject.inside(node_of(subject, "f("))
    assert inner is not None
    texts = {inner.behaviour(node).text for node in range(1, len(inner.tree)) if inner.tree.parent[node] > 1}
    assert texts == known


def test_a_variable_may_have_the_name_of_a_module(tmp_path: Path) -> None:
    """A function that uses the garbage collector is recorded without its inside, so that it is not disturbed."""
    program = "def share(green, all):\n    gc = green / all\n    return gc * 100\n\nshare(1, 4)\n"
    subject = record(tmp_path, program).subject()
    assert "gc = green / all: gc = 0.25" in inside(subject, "share(1, 4)")


def test_an_iteration_shows_the_value_that_a_generator_yielded_for_the_next(tmp_path: Path) -> None:
    subject = record(
        tmp_path,
        """
        def count():
            yield 1
            yield 2

        def total():
            found = 0
            for number in count():
                found += number
            return found

        total()
        """,
    ).subject()
    assert asked(subject, "iteration 1 of").text.endswith("found: 0 -> 1, next number = 2")
    assert asked(subject, "iteration 2 of").text.endswith("found: 1 -> 3, next iteration = none")


def test_literals_are_not_asked_about(subject: PythonSubject) -> None:
    texts = inside(subject, "module program")
    assert "PLACES = {(\"a\", 1): (0, -1)}: PLACES = {('a', 1): (0, -1)}" in texts
    assert not [text for text in texts if text.startswith(('("a", 1) =', "(0, -1) ="))]


def test_lambdas_and_classes_of_libraries_are_not_asked_about(tmp_path: Path) -> None:
    """What a lambda computes is asked about where it is called."""
    program = """
        import datetime as dt

        class Day(dt.date):
            pass

        class Calendar:
            day = Day

        def late(days, calendar):
            first = min(days, key=lambda day: day.month)
            return isinstance(first, dt.date) and isinstance(first, calendar.day)

        late([Day(2026, 5, 1), Day(2026, 2, 3)], Calendar())
    """
    texts = inside(record(tmp_path, program).subject(), "late(")
    assert not [text for text in texts if text.startswith(("lambda day", "dt.date ="))]
    assert "calendar.day = <class '__main__.Day'>" in texts


def test_several_calls_in_a_row_are_shown_one_by_one(tmp_path: Path) -> None:
    calls = "\n".join(f"square({number})" for number in range(20))
    subject = record(tmp_path, f"def square(n):\n    return n * n\n\n{calls}\n").subject()
    shown = asked(subject, "10 calls").after.bindings
    shown_calls = {binding.name: binding.value.text for binding in shown if binding.name.startswith("call ")}
    assert list(shown_calls) == [f"call {n}" for n in (1, 2, 3, 4, 7, 8, 9, 10)]
    assert shown_calls["call 10"] == "square(9) = 81"


def test_colours_that_pytest_puts_into_an_explanation_are_not_shown(tmp_path: Path) -> None:
    program = "def test_it():\n    raise AssertionError('assert \\x1b[0m1\\x1b[39;49;00m == 2')\n\ntest_it()\n"
    subject = record(tmp_path, program).subject()
    assert subject.behaviour(node_of(subject, "test_it(")).text == "test_it() raised AssertionError('assert 1 == 2')"


def test_a_written_object_is_shown_in_its_state_at_the_lookup(tmp_path: Path) -> None:
    program = """
        class Box:
            def __init__(self):
                self.items, self.names = {}, [3]

        def put(box, key, value):
            box.items[key] = value
            box.names[0] += 1
            del box.items[key]

        put(Box(), "a", 1)
        """
    texts = inside(record(tmp_path, program).subject(), "put(")
    assert [text for text in texts if text.startswith(("box.items =", "box.names ="))] == [
        "box.items = {}", "box.names = [3]", "box.items = {'a': 1}",
    ]  # fmt: skip
