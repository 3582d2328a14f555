"""The reference oracle on recorded runs: calls, parts of calls, differences to notice, and cases to abstain from."""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.languages.python.oracles.reference import Reference
from adebug_lsp.languages.python.sandbox.closures import Closures
from adebug_lsp.model.answers import Judgement, Mark, MarkOf
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.oracles.oracle import Opinion
from tests.frontends.cli.test_commands import adebug
from tests.languages.python.versions import Versions, decisive, record, versions
from tests.support import one_in

YES, NO = Judgement.YES, Judgement.NO


def judged(opinion: Opinion | None) -> Judgement | None:
    decided = decisive(opinion)
    return None if decided is None else decided.judgement


CALLS: dict[str, tuple[str, str, Judgement | None]] = {
    "the same result": ("def f(x):\n    return x + 1\nf(2)\n", "def f(y0, x=0):\n    pass\n", None),
    "another result": ("def f(x):\n    return x + 1\nf(2)\n", "def f(x):\n    return x + 2\n", NO),
    "other code, same result": ("def f(x):\n    return x * 2\nf(2)\n", "def f(x):\n    return x + x\n", YES),
    "rounding": ("def f(x):\n    return x + 0.1 + 0.2\nf(1.0)\n", "def f(x):\n    return 0.2 + 0.1 + x\n", YES),
    "another type": ("def f(x):\n    return x // 2\nf(4)\n", "def f(x):\n    return x / 2\n", NO),
    "an exception": (
        "def f(x):\n    raise ValueError('no', x)\ntry:\n    f(2)\nexcept ValueError:\n    pass\n",
        "def f(x):\n    raise ValueError('no', x)\n    # the same\n",
        YES,
    ),
    "an exception with another word": (
        "def f(x):\n    raise ValueError('no')\ntry:\n    f(2)\nexcept ValueError:\n    pass\n",
        "def f(x):\n    raise ValueError('yes')\n",
        NO,
    ),
    "no exception": (
        "def f(x):\n    raise ValueError\ntry:\n    f(2)\nexcept ValueError:\n    pass\n",
        "def f(x):\n    return None\n",
        NO,
    ),
    "a changed argument": ("def f(x):\n    x.append(1)\nf([])\n", "def f(x):\n    x.append(2)\n", NO),
    "an unchanged argument": ("def f(x):\n    x.append(1)\nf([])\n", "def f(x):\n    pass\n", NO),
    "a result that is the argument": ("def f(x):\n    return x\nf([1])\n", "def f(x):\n    return list(x)\n", NO),
    "rows that are shared": (
        "def f(n):\n    return [[0]] * n\nf(2)\n",
        "def f(n):\n    return [[0] for _ in range(n)]\n",
        NO,
    ),
    "an array with nan": (
        "import numpy as np\ndef f(x):\n    return x + 0.1 + 0.2\nf(np.array([np.nan, 1.0]))\n",
        "def f(x):\n    return 0.2 + 0.1 + x\n",
        YES,
    ),
    "an element of an array": (
        "import numpy as np\ndef f(x):\n    return x * 2\nf(np.array([[0, 1]]))\n",
        "def f(x):\n    return x * 3\n",
        NO,
    ),
    "an array changed in place": (
        "import numpy as np\ndef f(x):\n    x[0] = 1\nf(np.zeros(3))\n",
        "def f(x):\n    x[0] = 2\n",
        NO,
    ),
    "a large array that is made again": (
        "import numpy as np\ndef f(n):\n    return np.arange(n)\nf(5000)\n",
        "import numpy as np\ndef f(n):\n    return np.arange(n + 1)[:-1]\n",
        YES,
    ),
    "a large array with another element": (
        "import numpy as np\ndef f(n):\n    return np.arange(n)\nf(5000)\n",
        "import numpy as np\ndef f(n):\n    x = np.arange(n)\n    x[2500] = 0\n    return x\n",
        NO,
    ),
    "a large array as argument": (
        "import numpy as np\ndef f(x):\n    return int(x.sum())\nf(np.arange(5000))\n",
        "def f(x):\n    return 0\n",
        None,
    ),
    "a scalar of numpy": (
        "import numpy as np\ndef f(x):\n    return x + 1\nf(np.int64(2))\n",
        "def f(x):\n    return x + 2\n",
        NO,
    ),
    "output": ("def f(x):\n    print(x)\nf(2)\n", "def f(x):\n    print(x, x)\n", NO),
    "the same output": ("def f(x):\n    print(x, x)\nf(2)\n", "def f(x):\n    print(f'{x} {x}')\n", YES),
    "a cycle": (
        "def f(x):\n    x.append(x)\n    return x\nf([])\n",
        "def f(x):\n    x += [x]\n    return x\n",
        YES,
    ),
    "no such routine": ("def f(x):\n    return x\nf(2)\n", "def g(x):\n    return x\n", None),
    "sets": ("def f(x):\n    return {1, 'a', (2, 3)}\nf(2)\n", "def f(x):\n    return {(2, 3), 1, 'a'}\n", YES),
    "a missing member": ("def f(x):\n    return {1, 2}\nf(2)\n", "def f(x):\n    return {1}\n", NO),
    "star arguments": (
        "def f(a, *b, c=1, **d):\n    return a, b, c, d\nf(2, 3, 4, e=5)\n",
        "def f(a, *b, c=1, **d):\n    return (a, *(b, c), d)\n",
        YES,
    ),
    "a coroutine": (
        "import asyncio\nasync def f(x):\n    await asyncio.sleep(0)\n    return x\nasyncio.run(f(2))\n",
        "async def f(x):\n    return x + 1\n",
        NO,
    ),
    "runaway recursion": (
        "def f(x):\n    return f(x)\ntry:\n    f(2)\nexcept RecursionError:\n    pass\n",
        "def f(x):\n    return x\n",
        NO,
    ),
}


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Versions]:
    """All of them in one program, which is recorded once: `f` is `f0`, `f1` and so on."""

    def joined(texts: Iterable[str]) -> str:
        return "".join(re.sub(r"\bf\(", f"f{number}(", text) for number, text in enumerate(texts))

    wrong = joined(wrong for wrong, _right, _expected in CALLS.values())
    right = joined(right for _wrong, right, _expected in CALLS.values())
    with versions(tmp_path_factory.mktemp("calls"), wrong, right) as case:
        yield case


@pytest.mark.parametrize(("number", "name"), list(enumerate(CALLS)), ids=CALLS)
def test_a_call_is_compared_with_the_references(number: int, name: str, calls: Versions) -> None:
    _wrong, _right, expected = CALLS[name]
    assert judged(calls.about(f"f{number}(")) is expected


def test_an_answer_gives_the_expected_value_and_marks_the_differing_part(tmp_path: Path) -> None:
    wrong = "def f(x):\n    return {'a': [1, x], 'b': 0}\nf(2)\n"
    with versions(tmp_path, wrong, wrong.replace("[1, x]", "[1, x + 1]")) as case:
        opinion = case.about("f(2)")
        assert opinion is not None
        assert opinion.expected == "{'a': [1, 3], 'b': 0}"
        assert opinion.mark == Mark(MarkOf.RESULT, ("'a'", 1))


OBJECTS = """
import re
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum

Pair = namedtuple("Pair", "left right")

class Colour(Enum):
    RED = 1

class Money(int):
    pass

class Slotted:
    __slots__ = ("value",)
    def __init__(self, value):
        self.value = value

@dataclass(frozen=True)
class Point:
    x: int
    tags: tuple = ()

class Cart:
    limit = 3
    def __init__(self):
        self.__items = []
        self.owner = self
    def add(self, item):
        self.__items.append(item)
        return len(self.__items)
    @property
    def size(self):
        return len(self.__items)
    @staticmethod
    def double(n):
        return 2 * n
    @classmethod
    def make(cls, n):
        return cls

class Big(Cart):
    def add(self, item):
        return super().add(item) + 100

def everything(*things):
    return list(things)

cart = Big()
cart.add(1)
cart.add(Point(1, ("a",)))
cart.size
Cart.double(3)
Big.make(1)
everything(Pair(1, 2), Colour.RED, Money(3), Slotted(4), Point(5), deque([1], 2), Counter("ab"), OrderedDict(a=1),
           defaultdict(list, a=[1]), date(2020, 1, 2), Decimal("1.5"), b"x", bytearray(b"y"), 1j, None, ..., range(3),
           frozenset({1}), len, everything, Cart, 1 << 70, "\\ud800", float("nan"), {1: {2}}, slice(1, 2), cart)
everything(re.compile("a(b)?", re.I), re.search("b", "abab"), re.fullmatch("a|ab", "ab"), *re.finditer("a", "abab"),
           re.compile(b"x").match)
"""


def test_objects_of_all_kinds_are_rebuilt(tmp_path: Path) -> None:
    with versions(tmp_path, OBJECTS, OBJECTS + "\n# unchanged\n") as case:
        texts = [case.subject.behaviour(node).text for node in range(len(case.subject.tree.size))]
        opinions = [judged(case.opinion(node)) for node in range(1, len(texts))]
        assert dict(zip(texts[1:], opinions, strict=True)) == dict.fromkeys(texts[1:], YES)
        assert len(texts) > 10


@pytest.mark.parametrize(
    ("old", "new", "call"),
    [
        ("return 2 * n", "return 3 * n", "Cart.double(3)"),
        pytest.param("self.value = value", "self.value = -value", "Slotted(...).__init__(4)", marks=pytest.mark.suites),
        ("+ 100", "+ 99", "Big("),
        pytest.param("        return cls\n", "        return Cart\n", "Cart.make(", marks=pytest.mark.suites),
    ],
)
def test_a_change_of_a_method_is_noticed(old: str, new: str, call: str, tmp_path: Path) -> None:
    """The control for the test above: the same run, and one method differs."""
    assert old in OBJECTS
    with versions(tmp_path, OBJECTS, OBJECTS.replace(old, new)) as case:
        nodes = range(1, len(case.subject.tree.size))
        judgements = [judged(case.opinion(node)) for node in nodes]
        assert NO in judgements, call
        assert YES in judgements


LOOPS = """
def bound(n):
    return n

def sums(rows, limit):
    total = 0
    seen = []
    i = 0
    while i < limit:
        total += rows[i]
        i += 1
    for row in rows:
        if row > bound(2):
            seen.append(row)
            continue
        total -= 1
    return total, seen

sums([1, 2, 3, 4], 3)
"""


def test_parts_are_run_from_the_recorded_environment(tmp_path: Path) -> None:
    with versions(tmp_path, LOOPS, LOOPS.replace("i < limit", "i <= limit")) as case:
        assert judged(case.about("sums(")) is NO
        assert judged(case.about("bound(")) is YES
        assert judged(case.about("the loop `while")) is NO
        assert judged(case.about("iteration 1 of `while")) is YES
        assert judged(case.about("the loop `for")) is YES
        assert judged(case.inside("the loop `while")["i < limit"]) is NO
        inside = {text: judged(opinion) for text, opinion in case.inside("sums(").items()}
        assert inside["total = 0"] is YES
        assert inside["seen = []"] is YES


@pytest.mark.parametrize(
    ("old", "new", "wrong", "right"),
    [
        ("continue", "break", "continue", "total = 0"),
        pytest.param("total -= 1", "total -= 2", "total -= 1", "total = 0", marks=pytest.mark.suites),
        ("seen.append(row)", "seen.append(-row)", "seen.append(row)", "seen = []"),
        pytest.param("bound(2)", "bound(3)", "bound(2)", "total = 0", marks=pytest.mark.suites),
        pytest.param("    i = 0\n", "    i = 1\n", "i = 0", "total = 0", marks=pytest.mark.suites),
    ],
)
def test_the_changed_part_is_the_one_that_is_wrong(old: str, new: str, wrong: str, right: str, tmp_path: Path) -> None:
    with versions(tmp_path, LOOPS, LOOPS.replace(old, new)) as case:
        inside: dict[str, Any] = {}
        texts = [case.subject.behaviour(node).text for node in range(len(case.subject.tree.size))]
        for text in texts:
            if text.startswith(("sums(", "iteration", "the loop")):
                for part, opinion in case.inside(text).items():
                    inside.setdefault(part, set()).add(judged(opinion))
        assert NO in inside[wrong]
        assert inside[right] == {YES}


MISSING = {
    "a variable is set for what follows": (
        "def f(x):\n    y = x\n    return y\nf(2)\n",
        "def f(x):\n    y = x\n    y += 1\n    return y\n",
        "return y",
    ),
    "another way out": (
        "def f(x):\n    if x < 0:\n        return 0\n    return x\nf(2)\n",
        "def f(x):\n    if x < 0:\n        return 0\n    if x < 5:\n        return 1\n    return x\n",
        "return x",
    ),
    "an effect": (
        "def f(x):\n    y = 1\n    x.append(y)\n    y = 2\nf([])\n",
        "def f(x):\n    y = 1\n    x.append(y)\n    x.append(y)\n    y = 2\n",
        "x.append(y)",
    ),
    "an effect before everything": (
        "def f(x):\n    'Add.'\n    x.append(2)\nf([])\n",
        "def f(x):\n    'Add.'\n    x.append(1)\n    x.append(2)\n",
        "x.append(2)",
    ),
    "a way out of an inner block": (
        "def f(x):\n    y = 0\n    if x:\n        y = 1\n        y = y + x\n    return y\nf(2)\n",
        "def f(x):\n    y = 0\n    if x:\n        y = 1\n        return 7\n        y = y + x\n    return y\n",
        "y = y + x",
    ),
    "a return": (
        "def g(x):\n    return x\ndef f(x):\n    y = 0\n    g(x)\nf(2)\n",
        "def g(x):\n    return x\ndef f(x):\n    y = 0\n    return g(x)\n",
        "g(x)",
    ),
    "an argument of a call for its effect": (
        "def g(x, y=1):\n    x.append(y)\ndef f(x):\n    y = 0\n    g(x)\nf([])\n",
        "def g(x, y=1):\n    x.append(y)\ndef f(x):\n    y = 0\n    g(x, y)\n",
        "g(x)",
    ),
    "a global": (
        "n = 1\ndef f(x):\n    n = x\nf(2)\n",
        "n = 1\ndef f(x):\n    global n\n    n = x\n",
        "n = x",
    ),
}


@pytest.mark.parametrize("name", one_in(2, MISSING))
def test_a_missing_statement_counts_against_its_neighbour(name: str, tmp_path: Path) -> None:
    wrong, right, where = MISSING[name]
    with versions(tmp_path, wrong, right) as case:
        assert judged(case.about("f(")) is NO
        inside = {text: judged(opinion) for text, opinion in case.inside("f(").items()}
        assert [text for text, judgement in inside.items() if judgement is NO and "\n" not in text] == [where]
        assert set(inside.values()) == {YES, NO} or list(inside) == [where]


def test_an_answer_mentions_additional_effects_of_the_reference(tmp_path: Path) -> None:
    wrong, right, where = MISSING["an effect"]
    with versions(tmp_path, wrong, right) as case:
        opinion = case.inside("f(")[where]
        assert opinion is not None
        assert opinion.reason == "the reference also has `x.append(y)` here"


def test_a_helper_variable_of_the_reference_is_not_a_difference(tmp_path: Path) -> None:
    wrong = "def f(x):\n    y = x + 1\n    return (y * 2) - 1\nf(2)\n"
    right = "def f(x):\n    y = x + 1\n    doubled = y * 2\n    return doubled\n"
    with versions(tmp_path, wrong, right) as case:
        inside = {text: judged(opinion) for text, opinion in case.inside("f(2)").items()}
        assert inside["y = x + 1"] is YES
        assert inside["(y * 2) - 1"] is NO


def test_a_generator_expression_is_the_same_if_its_text_and_its_values_are(tmp_path: Path) -> None:
    wrong = "def f(xs):\n    return all(x > 1 for x in xs)\nf([1, 2])\n"
    with versions(tmp_path, wrong, wrong.replace("all(", "any(")) as case:
        inside = {text: judged(opinion) for text, opinion in case.inside("f([").items()}
        assert inside["all(x > 1 for x in xs)"] is NO
        assert inside["(x > 1 for x in xs)"] is YES


def test_a_statement_too_many_is_wrong_unless_it_changes_nothing_that_the_reference_has(tmp_path: Path) -> None:
    wrong = "def f(x):\n    extra = 5\n    y = x\n    y = y + 1\n    return y\nf(2)\n"
    right = "def f(x):\n    y = x\n    return y\n"
    with versions(tmp_path, wrong, right) as case:
        inside = {text: judged(opinion) for text, opinion in case.inside("f(2)").items()}
        assert inside["y = y + 1"] is NO
        assert inside["extra = 5"] is YES


def test_objects_created_by_a_module_body_belong_to_the_environment(tmp_path: Path) -> None:
    """A function that reads a wrong table is right; the statement that makes the table is wrong."""
    wrong = """
        import re
        RATES = {"a": 1, "b": 3}
        WORD = re.compile("[a-y]+")

        def rate(name):
            return RATES[WORD.match(name).group()]

        rate("b")
        """
    with versions(tmp_path, wrong, wrong.replace("3", "2").replace("a-y", "a-z")) as case:
        assert judged(case.about("rate(")) is YES
        inside = {text: judged(opinion) for text, opinion in case.inside("").items()}
        assert inside['RATES = {"a": 1, "b": 3}'] is NO
        assert inside['WORD = re.compile("[a-y]+")'] is NO


def test_functions_that_share_variables(tmp_path: Path) -> None:
    wrong = """
        def counter():
            count = 5
            def next_count(step):
                return count + step
            def reset():
                count = 0
                return count
            return next_count, reset

        def both(next_count, reset):
            reset()
            return next_count(1)

        next_count, reset = counter()
        next_count(1)
        reset()
        both(next_count, reset)
        """
    right = wrong.replace("def reset():\n", "def reset():\n                nonlocal count\n")
    with versions(tmp_path, wrong, right) as case:
        assert judged(case.about("counter(")) is YES
        assert judged(case.about("counter.<locals>.next_count(")) is YES
        assert judged(case.about("counter.<locals>.reset(")) is NO
        assert judged(case.about("both(")) is NO


def test_an_enclosing_variable_that_only_the_reference_sets(tmp_path: Path) -> None:
    wrong = """
        def counter():
            count = 5
            def current():
                return count
            def reset():
                before = current()
                count = 0
                return before
            return reset

        counter()()
        """
    right = wrong.replace("def reset():\n", "def reset():\n                nonlocal count\n")
    with versions(tmp_path, wrong, right) as case:
        assert judged(case.about("counter.<locals>.current(")) is YES
        assert judged(case.about("counter.<locals>.reset(")) is NO


def test_a_function_argument_may_have_been_created_wrongly_elsewhere(tmp_path: Path) -> None:
    wrong = """
        def make(n):
            return lambda: n + 1

        class Box:
            def __init__(self, n):
                self.maker, self.count = make(n), 0

            def add(self):
                self.count += 1

        Box(3).add()
        """
    with versions(tmp_path, wrong, wrong.replace("lambda: n + 1", "lambda n=n: n")) as case:
        assert judged(case.about("make(")) is NO
        assert judged(case.about("Box(maker=")) is YES


def test_an_iteration_that_resumed_a_generator_is_judged_by_the_generators_step(tmp_path: Path) -> None:
    wrong = """
        def numbers():
            yield 1
            yield 3

        def total():
            found = 0
            for number in numbers():
                found += number
            return found

        total()
        """
    with versions(tmp_path, wrong, wrong.replace("yield 3", "yield 2")) as case:
        texts = [case.subject.behaviour(node).text for node in range(len(case.subject.tree.size))]
        iteration = next(node for node, text in enumerate(texts) if text.startswith("iteration 1 of"))
        opinion = case.opinion(iteration)
        assert opinion is not None
        assert opinion.judgement is Judgement.UNKNOWN


def test_steps_of_a_generator(tmp_path: Path) -> None:
    wrong = """
        def numbers(n):
            total = 0
            while n:
                sent = yield total
                total += sent + (n == 2)
                n -= 1

        steps = numbers(4)
        next(steps)
        for n in (10, 20, 30):
            steps.send(n)
        """
    with versions(tmp_path, wrong, wrong.replace(" + (n == 2)", "")) as case:
        texts = [case.subject.behaviour(node).text for node in range(len(case.subject.tree.size))]
        steps = [node for node, text in enumerate(texts) if text.startswith("a step of")]
        assert [judged(case.opinion(node)) for node in steps] == [YES, YES, YES, NO]


def test_a_yielding_statement_is_judged(tmp_path: Path) -> None:
    wrong = """
        def numbers(n):
            yield n
            got = yield n + 3
            yield

        list(numbers(1))
        """
    with versions(tmp_path, wrong, wrong.replace("n + 3", "n + 2")) as case:
        assert judged(case.inside_of(case.nodes("numbers")[0])["yield n"]) is YES
        assert judged(case.inside_of(case.nodes("numbers")[1])["got = yield n + 3"]) is NO
        assert judged(case.inside_of(case.nodes("numbers")[2])["yield"]) is YES


DAYS = """
def length(month):
    return 27 if month == 2 else 30

def days(month):
    count = length(month)
    yield 0
    for day in range(1, count + 1):
        yield day

def numbered(month):
    for at, day in enumerate(days(month)):
        yield at, day

def main():
    return list(numbered(2))

main()
"""


def test_a_step_of_a_generator_is_judged_by_what_it_leaves_for_the_next(tmp_path: Path) -> None:
    """A wrong last step of a generator is the fault of the first, also through another generator."""
    with versions(tmp_path, DAYS, DAYS.replace("27", "28")) as case:
        assert judged(case.about("length(2)")) is NO
        for name in ("days", "numbered"):
            steps = [judged(case.opinion(node)) for node in case.nodes(name)]
            assert steps[0] is NO
            assert set(steps[1:]) == {None}


def test_a_step_is_judged_where_the_generators_it_goes_through_are_right(tmp_path: Path) -> None:
    with versions(tmp_path, DAYS, DAYS.replace("yield at, day", "yield at + (at == 27), day")) as case:
        assert {judged(case.opinion(node)) for node in case.nodes("days")} == {YES}
        steps = [judged(case.opinion(node)) for node in case.nodes("numbered")]
        assert steps == [YES] * 27 + [NO, YES]


def test_the_wrong_condition_inside_an_expression_is_found(tmp_path: Path) -> None:
    wrong = """
        def length(month, leap):
            return 28 + (1 if leap and len(month) == 9 else 0)

        length("February", True)
        """
    with versions(tmp_path, wrong, wrong.replace("9", "8")) as case:
        judgements = {text: judged(opinion) for text, opinion in case.inside("length(").items()}
        assert judgements["leap and len(month) == 9"] is NO
        assert judgements["len(month) == 9"] is NO
        assert judgements["len(month)"] is YES


def test_a_comprehension_is_judged_in_every_iteration_of_a_loop(tmp_path: Path) -> None:
    wrong = """
        def totals(rows):
            found = []
            for row in rows:
                found.append(sum([x * 2 for x in row]))
            return found

        totals([[1, 2], [3, 4], [5, 6]])
        """
    with versions(tmp_path, wrong, wrong.replace("x * 2", "x * 2 + (x == 6)")) as case:
        assert [judged(case.about(f"iteration {number} of")) for number in (1, 2, 3)] == [YES, YES, NO]
        assert judged(case.inside("iteration 3 of")["x * 2"]) is NO


def test_a_function_inside_another_may_read_a_variable_that_it_did_not_read(tmp_path: Path) -> None:
    wrong = """
        def shout(words, mark, end):
            def one(word):
                return word + mark
            return [one(word) for word in words], end

        shout(["a"], "?", "!")
        """
    with versions(tmp_path, wrong, wrong.replace("word + mark", "word + end")) as case:
        opinion = case.about("shout.<locals>.one('a')")
        assert opinion is not None
        assert opinion.expected == "'a!'"


DECORATED = """
def twice(function):
    def both(x):
        return function(x) + function(x)
    return both

@twice
def one(x):
    return x + 1

@twice
def other(x):
    return x * 10

one(1)
other(1)
one(2)
"""


def test_every_decorated_function_is_the_one_that_was_called(tmp_path: Path) -> None:
    with versions(tmp_path, DECORATED, DECORATED.replace("x * 10", "x * 11")) as case:
        shown = [case.subject.behaviour(node).before.value("function") for node in case.nodes("both")]
        assert [value and value.text for value in shown] == ["<function one>", "<function other>", "<function one>"]
        opinions = [judged(case.opinion(node)) for node in case.nodes("both")]
        assert opinions == [YES, NO, YES]


BESIDE = """
import re

class Context:
    def __init__(self):
        self.parse = parse
        self.scan = make(self)

def parse(text, again, blank=re.compile(" +").match):
    return [again(x) for x in text] if isinstance(text, list) else (text * 2, blank(text) is None)

def make(context):
    parse = context.parse
    memo = {}

    def inner(text):
        return parse(text, inner)

    def outer(text):
        try:
            return inner(text)
        finally:
            memo.clear()

    return outer

Context().scan(["a", "b"])
"""


def test_functions_that_are_defined_beside_each_other_have_their_variables(tmp_path: Path) -> None:
    with versions(tmp_path, BESIDE, BESIDE.replace("text * 2", "text * 3")) as case:
        assert judged(case.about("make(")) is YES
        assert judged(case.about("make.<locals>.outer(")) is NO
        assert judged(case.about("make.<locals>.inner('a')")) is NO
        assert case.problems == []


def test_an_argument_that_cannot_be_rebuilt_may_be_the_default(tmp_path: Path) -> None:
    with versions(tmp_path, BESIDE, BESIDE.replace("is None)", "is not None)")) as case:
        assert judged(case.about("parse('a'")) is NO
    (tmp_path / "again").mkdir()
    with versions(tmp_path / "again", BESIDE, BESIDE.replace("text * 2", "text + text")) as case:
        assert judged(case.about("parse('a'")) is YES


def test_the_default_may_replace_an_argument_used_in_a_part_of_the_call(tmp_path: Path) -> None:
    wrong = """
        import re

        def words(text, match=re.compile("[a-z]+").match):
            found, at = [], 0
            while (one := match(text, at)) is not None:
                found.append(one.group())
                at = one.end() + 2
            return found

        words("a bc")
        """
    with versions(tmp_path, wrong, wrong.replace("+ 2", "+ 1")) as case:
        assert judged(case.about("iteration 1 of")) is NO
        assert judged(case.inside("iteration 1 of")["at = one.end() + 2"]) is NO


GENERATORS = """
def numbers(low, high, *, step=1):
    while low < high:
        yield low
        low += step

def pairs(first, second):
    yield from numbers(first, second)
    yield from numbers(second, first)

def kept(values, limit):
    return [value for value in values if value < limit]

def begun(values):
    next(values)
    return kept(values, 9)

def main(high):
    found = kept(numbers(1, high), 3)
    more = begun(numbers(0, 4, step=2))
    return found, more, list(pairs(1, 3))

main(5)
"""


def test_an_unstarted_generator_is_rebuilt(tmp_path: Path) -> None:
    with versions(tmp_path, GENERATORS, GENERATORS.replace("value < limit", "value <= limit")) as case:
        assert judged(case.about("kept(<generator numbers>, 3)")) is NO
        assert judged(case.about("begun(")) is YES
        assert judged(case.about("kept(<generator numbers>, 9)")) is None  # it had begun


def test_a_generator_is_identified_by_its_call(tmp_path: Path) -> None:
    with versions(tmp_path, GENERATORS, GENERATORS.replace("numbers(second, first)", "numbers(first, second)")) as case:
        assert judged(case.about("main(5)")) is NO
        steps = [judged(case.opinion(node)) for node in case.nodes("pairs")]
        assert steps == [YES, YES, NO]
        assert judged(case.inside_of(case.nodes("pairs")[2])["numbers(second, first)"]) is NO
        assert judged(case.inside_of(case.nodes("pairs")[0])["numbers(first, second)"]) is YES


HANDED_ON = """
from itertools import repeat

def days(first, count):
    yield from repeat(0, first)
    yield from range(1, count + 1)
    yield -1
    yield from repeat(0, (first + count) % 4)

def around(first):
    yield from days(first, 5)
    yield 7

def main():
    return list(days(2, 3)), list(around(1))

main()
"""


def test_a_delegating_generator_step_is_judged_as_a_whole(tmp_path: Path) -> None:
    with versions(tmp_path, HANDED_ON, HANDED_ON.replace("% 4", "% 3")) as case:
        steps = [judged(case.opinion(node)) for node in case.nodes("days")[:5]]
        assert steps == [YES, YES, YES, NO, YES]


def test_steps_of_a_nested_delegation_are_not_confirmed(tmp_path: Path) -> None:
    """A generator that is delegated to delegates itself."""
    with versions(tmp_path, HANDED_ON, HANDED_ON.replace("yield 7", "yield 8")) as case:
        steps = [judged(case.opinion(node)) for node in case.nodes("around")]
        assert YES not in steps[1:]


@pytest.mark.parametrize(
    "what",
    ["random.random()", "time.perf_counter()", "COUNT.pop()", "len(sys.argv[0])", "id(x)"],
)
def test_it_abstains_if_a_run_cannot_be_repeated(what: str, tmp_path: Path) -> None:
    """The reference differs, but so does the recorded version when it is run again: the right result is unknown."""
    wrong = f"""
        import random, sys, time
        COUNT = [1, 2, 3]
        COUNT.pop()

        def f(x):
            return {what}

        f([])
        """
    with versions(tmp_path, wrong, wrong.replace(what, f"{what} + 1000")) as case:
        if "COUNT" not in what:
            assert case.about("f(") is None
            assert any("run again" in problem for problem in case.problems)
        else:  # the list is part of the recorded environment
            assert judged(case.about("f(")) is NO


STREAMS = """
import io

def word(source):
    found = ""
    while (letter := source.read(1)) not in ("", " "):
        found += letter
    return found

def count(source):
    return source.read(1)

def counted(source):
    found = []
    while n := int(count(source) or 0):
        found.append(source.read(n))
    return found

def put(out, text):
    out.write(text)
    out.write(",")

def main():
    source, out = io.StringIO("one two three"), io.StringIO()
    first, second = word(source), word(source)
    for text in (first, second):
        put(out, text)
    return out.getvalue(), counted(io.StringIO("2ab3cde"))

main()
"""


def test_in_memory_streams_are_rebuilt_as_they_were(tmp_path: Path) -> None:
    with versions(tmp_path, STREAMS, STREAMS.replace("out.write(text)", "out.write(text.upper())")) as case:
        words = [judged(case.opinion(node)) for node in case.nodes("word")]
        puts = [judged(case.opinion(node)) for node in case.nodes("put")]
        assert (words, puts) == ([YES, YES], [NO, NO])
        assert judged(case.inside("put(")["out.write(text)"]) is NO
        assert judged(case.inside("put(")['out.write(",")']) is YES
        assert case.problems == []


def test_calls_in_the_next_loop_test_are_part_of_the_iteration(tmp_path: Path) -> None:
    with versions(tmp_path, STREAMS, STREAMS.replace("append(source.read(n))", "extend(source.read(n))")) as case:
        assert judged(case.about("iteration 1 of `while n :=")) is NO
    (tmp_path / "again").mkdir()
    with versions(tmp_path / "again", STREAMS, STREAMS.replace("n := int", "n := 0 * int")) as case:
        assert judged(case.about("iteration 1 of `while n :=")) is YES
        assert judged(case.about("the loop `while n :=")) is NO


def test_a_stream_read_by_other_code_is_not_rebuilt(tmp_path: Path) -> None:
    wrong = """
        import csv, io

        def rest(source):
            return source.read()

        source = io.StringIO("a,b\\nc,d")
        next(csv.reader(source))
        rest(source)
        """
    with versions(tmp_path, wrong, wrong.replace("source.read()", "source.read().upper()")) as case:
        assert judged(case.about("rest(")) is None


def test_the_header_of_a_loop_runs_between_iterations(tmp_path: Path) -> None:
    wrong = """
        def spread(n):
            found = []
            while size := n > 0:
                found.append(size)
                n -= 1
            return found

        spread(4)
        """
    with versions(tmp_path, wrong, wrong.replace("size := n > 0", "(size := n) > 0")) as case:
        iterations = next(node for node in range(len(case.subject.tree.size)) if "iterations 1 to 2" in case.text(node))
        assert judged(case.opinion(iterations)) is NO
        (place,) = case.subject.code(iterations)
        assert (place.range.start.column, place.range.end.column) == (10, 23)


def test_values_that_cannot_be_rebuilt_matter_only_if_used(tmp_path: Path) -> None:
    wrong = """
        def use(stream, n):
            return stream.read(n)

        def ignore(stream, n):
            return n + 1

        with open(__file__) as file:
            use(file, 3)
            ignore(file, 3)
        """
    with versions(tmp_path, wrong, wrong.replace("n + 1", "n + 2").replace("read(n)", "read(n + 1)")) as case:
        assert case.about("use(") is None
        assert judged(case.about("ignore(")) is NO
        assert any("TextIOWrapper" in problem for problem in case.problems)


def test_unchanged_code_is_right_even_where_its_values_cannot_be_rebuilt(tmp_path: Path) -> None:
    wrong = """
        def helper(text):
            return text[1:]

        def reads(stream):
            return stream.read(3)

        def calls(stream):
            return helper(stream.read(3))

        def given(stream, function):
            return function(stream.read(3))

        with open(__file__) as file:
            reads(file)
            calls(file)
            given(file, helper)
        """
    with versions(tmp_path, wrong, wrong.replace("text[1:]", "text[2:]")) as case:
        assert judged(case.about("reads(")) is YES
        assert case.about("calls(") is None
        assert case.about("given(") is None


def test_memory_addresses_make_no_difference(tmp_path: Path) -> None:
    wrong = """
        def views(functions):
            return functions.items()

        def other(n):
            return n + 1

        views({"a": lambda: 1, "b": lambda: 2})
        other(1)
        """
    with versions(tmp_path, wrong, wrong.replace("n + 1", "n + 2")) as case:
        assert judged(case.about("views(")) is YES
    (tmp_path / "again").mkdir()
    with versions(tmp_path / "again", wrong, wrong.replace("functions.items()", "dict(functions).items()")) as case:
        assert judged(case.about("views(")) is None


def test_a_reference_that_never_ends_or_exits_is_no_oracle(tmp_path: Path) -> None:
    wrong = "def f(x):\n    return 1\ndef g(x):\n    return 1\ndef h(x):\n    return 1\nf(0)\ng(0)\nh(0)\n"
    right = (
        "import os\ndef f(x):\n    while True:\n        pass\ndef g(x):\n    os._exit(3)\n"
        "def h(x):\n    print('x' * 30_000_000)\n    return 2\n"
    )
    with versions(tmp_path, wrong, right) as case:
        assert case.about("f(") is None
        assert case.about("g(") is None
        assert judged(case.about("h(")) is NO


def test_a_recorded_version_that_is_merely_slow_is_not_called_endless(tmp_path: Path) -> None:
    wrong = "import time\ndef f(x):\n    time.sleep(2.5)\n    print(x)\n    return x\nf(3)\n"
    with versions(tmp_path, wrong, wrong.replace("    time.sleep(2.5)\n", "")) as case:
        assert judged(case.about("f(")) is YES


def test_a_reference_with_a_syntax_error_says_so(tmp_path: Path) -> None:
    with versions(tmp_path, "def f(x):\n    return 1\nf(0)\n", "def f(x):\n    return 1\ndef g(:\n") as case:
        assert case.about("f(") is None
        assert any("syntax error in line 3" in problem for problem in case.problems)


def open_reference(spec: str, folder: Path) -> Judgement | None:
    opened = record(folder, "def f(x):\n    return x + 1\nf(2)\n")
    subject = opened.subject(opened.entries[0])
    oracle = Reference.open(
        spec, folder, Path(sys.executable), opened.run, lambda asked: subject.fragment(asked.node), print
    )
    texts = [subject.behaviour(node).text for node in range(len(subject.tree.size))]
    node = next(node for node, text in enumerate(texts) if text.startswith("f("))
    with oracle:
        return judged(oracle.opinion(Question(subject.tree.facts(node), subject.behaviour(node))))


def test_the_reference_can_be_one_file(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "program.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    assert open_reference(str(tmp_path / "old" / "program.py"), tmp_path / "work") is NO


def test_the_reference_of_a_program_of_one_file_may_have_another_name(tmp_path: Path) -> None:
    (tmp_path / "program_right.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    assert open_reference(str(tmp_path / "program_right.py"), tmp_path / "work") is NO


def git(folder: Path, *words: str) -> None:
    names = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True)


def test_the_reference_can_be_a_revision(tmp_path: Path) -> None:
    work = tmp_path / "work" / "sub"
    work.mkdir(parents=True)
    git(tmp_path / "work", "init", "-q")
    (work / "program.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    git(tmp_path / "work", "add", ".")
    git(tmp_path / "work", "commit", "-q", "-m", "one")
    assert open_reference("git:HEAD", work) is NO
    with pytest.raises(BadInputError, match="no revision nowhere"):
        open_reference("git:nowhere", work)
    with pytest.raises(BadInputError, match="which revision"):
        open_reference("git:", work)


def test_a_missing_reference(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="does not exist"):
        open_reference(str(tmp_path / "nothing"), tmp_path / "work")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInputError, match="none of the recorded files"):
        open_reference(str(tmp_path / "empty"), tmp_path / "work")
    with pytest.raises(BadInputError, match="git"):
        open_reference("git:HEAD", tmp_path / "work")


def test_the_origin_of_functions_is_computed_once(tmp_path: Path) -> None:
    """A module that makes hundreds of functions when it is loaded made every question take long."""
    wrong = """
        def adder(number):
            return lambda given: given + number

        TABLE = {number: adder(number) for number in range(50)}

        def use(number):
            return TABLE[number](1)

        use(1)
        use(2)
        """
    looked: list[str] = []

    def count(frame: Any, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code is Closures._find_routine.__code__:
            looked.append(event)

    with versions(tmp_path, wrong, wrong.replace("given + number", "number + given")) as case:
        assert judged(case.about("use(1)")) is YES
        sys.setprofile(count)
        try:
            assert judged(case.about("use(2)")) is YES
        finally:
            sys.setprofile(None)
    assert looked == []


def test_the_cause_of_a_failing_module_import_is_found(tmp_path: Path) -> None:
    wrong = """
        def octet(text):
            if len(text) >= 3:
                raise ValueError(text)
            return int(text)

        LOCAL = [octet(text) for text in ("10", "127")]
        """
    with versions(tmp_path, wrong, wrong.replace(">= 3", "> 3")) as case:
        assert judged(case.about("octet('10')")) is YES
        assert judged(case.about("octet('127')")) is NO
        judgements = {text: judged(opinion) for text, opinion in case.inside("octet('127')").items()}
        assert (judgements["len(text)"], judgements["len(text) >= 3"]) == (YES, NO)


def test_a_wrong_constant_of_a_test_module_is_found(tmp_path: Path) -> None:
    (tmp_path / "fixed").mkdir()
    program = "SEP = '{}'\n\n\ndef cut(text):\n    return text.split(SEP)\n\n\n"
    program += "def test_it():\n    assert cut('a-b') == ['a', 'b']\n"
    (tmp_path / "test_it.py").write_text(program.format("+"), encoding="utf-8")
    (tmp_path / "fixed" / "test_it.py").write_text(program.format("-"), encoding="utf-8")
    run = ["test", "--python", sys.executable, "--reference", "fixed", "-p", "no:cacheprovider", "test_it.py"]
    done = adebug(*run, cwd=tmp_path)
    assert "\n  test_it.py:1:1\n    SEP = '+'\n" in done.stdout, done.stdout + done.stderr
