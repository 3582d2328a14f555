"""A failing test shows which call is wrong, and often the expected value, so that this call is not asked about."""

from pathlib import Path

import pytest

from adebug_lsp.languages.language import Entry
from adebug_lsp.languages.python.language import OpenedPython
from adebug_lsp.languages.python.oracles.assertion import AssertionOracle
from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.session.outcome import Ask, Found
from adebug_lsp.session.session import Session
from tests.languages.python.recorded import record

SHOP = """
    def price(x):
        return x + 1

    def pair(x):
        return {"a": x, "b": [x, x]}

    def fail(x):
        return x

    class Cart:
        def __init__(self):
            self.items = []

        def add(self, x):
            self.items.append(x + 1)
            return self

        def total(self):
            return sum(self.items)

    LEDGER = []
    RATE = 3

    def deposit(x):
        LEDGER.append(x + 1)

    def balance():
        return 0 if not entries() else sum(entries())

    def entries():
        return LEDGER

    async def later(x):
        return x + 1

    def rated(x):
        return x * RATE

    def build(x):
        found = []
        for y in range(x):
            found.append(y)
        return found
    """
JUDGED = {
    "a comparison": ("def test_it():\n    assert price(3) == 3\n", "price(3) = 4", "3"),
    "the other way round": ("def test_it():\n    assert 3 == price(3)\n", "price(3) = 4", "3"),
    "a literal with parts": (
        "def test_it():\n    assert pair(1) == {'a': 1, 'b': [1, 2]}\n",
        "pair(1) = {'a': 1, 'b': [1, 1]}",
        "{'a': 1, 'b': [1, 2]}",
    ),
    "another comparison": ("def test_it():\n    assert price(3) != 4\n", "price(3) = 4", None),
    "membership": ("def test_it():\n    assert price(3) in (1, 2)\n", "price(3) = 4", None),
    "truth": ("def test_it():\n    assert price(-1)\n", "price(-1) = 0", "True"),
    "not": ("def test_it():\n    assert not price(3)\n", "price(3) = 4", "False"),
    "approx": (
        "import pytest\n\ndef test_it():\n    assert price(3) == pytest.approx(3.0)\n",
        "price(3) = 4",
        "3.0",
    ),
    "approx by its name": (
        "from pytest import approx\n\ndef test_it():\n    assert price(3) == approx(3.5, abs=1e-3)\n",
        "price(3) = 4",
        "3.5",
    ),
    "raises": (
        "import pytest\n\ndef test_it():\n    with pytest.raises(ValueError):\n        fail(3)\n",
        "fail(3) = 3",
        None,
    ),
    "a result with a name": (
        "def test_it():\n    price(9)\n    result = price(3)\n    price(8)\n    assert result == 3\n",
        "price(3) = 4",
        "3",
    ),
    "a result in a loop": (
        "def test_it():\n    for x in [1, 2]:\n        result = price(x)\n        assert result == 2\n",
        "price(2) = 3",
        "2",
    ),
    "a call in a loop": (
        "def test_it():\n    for x, wanted in [(1, 2), (2, 4)]:\n        assert price(x) == wanted\n",
        "price(2) = 3",
        "4",
    ),
    "a variable first": (
        "import pytest\n\n@pytest.mark.parametrize('wanted', [3])\ndef test_it(wanted):\n"
        "    assert wanted == price(3)\n",
        "price(3) = 4",
        "3",
    ),
    "assertEqual": (
        "import unittest\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertEqual(price(3), 3)\n",
        "price(3) = 4",
        "3",
    ),
    "assertEqual of a name": (
        "import unittest\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n        result = price(3)\n"
        "        self.assertEqual(3, result)\n",
        "price(3) = 4",
        "3",
    ),
    "assertTrue": (
        "import unittest\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n"
        "        self.assertTrue(price(-1))\n",
        "price(-1) = 0",
        "True",
    ),
    "assertRaises": (
        "import unittest\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n"
        "        with self.assertRaises(ValueError):\n            fail(3)\n",
        "fail(3) = 3",
        None,
    ),
    "after calls that changed nothing": (
        "def test_it():\n    assert price(1) == 2\n    assert build(2) == [0, 1]\n    other = pair(1)\n"
        "    assert price(3) == 3\n",
        "price(3) = 4",
        "3",
    ),
    "a class without a base": (
        "class TestIt:\n    def test_it(self):\n        assert price(3) == 3\n",
        "price(3) = 4",
        "3",
    ),
    "a fixture": (
        "import pytest\n\n@pytest.fixture\ndef given():\n    return 3\n\ndef test_it(given):\n"
        "    assert price(given) == 3\n",
        "price(3) = 4",
        "3",
    ),
    "parameters": (
        "import pytest\n\n@pytest.mark.parametrize('x', [2, 3])\ndef test_it(x):\n    assert price(x) == 3\n",
        "price(3) = 4",
        "3",
    ),
    "what is awaited": (
        "import pytest\n\n@pytest.mark.asyncio\nasync def test_it():\n    assert await later(3) == 3\n",
        "later(3) = 4",
        "3",
    ),
    "a name of what is awaited": (
        "import pytest\n\n@pytest.mark.asyncio\nasync def test_it():\n    y = await later(3)\n    assert y == 3\n",
        "later(3) = 4",
        "3",
    ),
}
UNDECIDED = {
    "two calls in one expression": "def test_it():\n    assert price(1) + price(2) == 4\n",
    "two calls compared": "def test_it():\n    assert price(1) == price(2)\n",
    "what another call gave": "def test_it():\n    wanted = price(2)\n    assert price(3) == wanted\n",
    "a call for each iteration": (
        "def test_it():\n    for x in [1, 2]:\n        wanted = price(x)\n        assert price(x + 1) == wanted\n"
    ),
    "two conditions": "def test_it():\n    assert price(1) == 2 and price(2) == 2\n",
    "a part of a result": "def test_it():\n    assert pair(1)['a'] == 2\n",
    "two calls that might have raised": (
        "import pytest\n\ndef test_it():\n    with pytest.raises(ValueError):\n        fail(1)\n        fail(2)\n"
    ),
    "a call in an argument": "def test_it():\n    assert price(price(3)) == 3\n",
    "a call for an argument": "def test_it():\n    x = price(3)\n    y = x + 1\n    assert price(y) == 3\n",
    "a chain of calls": "def test_it():\n    assert Cart().add(3).total() == 3\n",
    "an object": "def test_it():\n    cart = Cart()\n    cart.add(3)\n    assert cart.total() == 3\n",
    "an object from a fixture": (
        "import pytest\n\n@pytest.fixture\ndef cart():\n    return Cart().add(3)\n\ndef test_it(cart):\n"
        "    assert cart.total() == 3\n"
    ),
    "an object from setUp": (
        "import unittest\n\nclass TestIt(unittest.TestCase):\n    def setUp(self):\n"
        "        self.cart = Cart().add(3)\n\n    def test_it(self):\n        self.assertEqual(self.cart.total(), 3)\n"
    ),
    "state that another call changed": "def test_it():\n    deposit(3)\n    assert balance() == 3\n",
    "a constant": "def test_it():\n    assert rated(3) == 6\n",
    "two awaited calls": (
        "import pytest\n\n@pytest.mark.asyncio\nasync def test_it():\n    assert await later(await later(3)) == 3\n"
    ),
    "an exception": "def test_it():\n    assert price('a') == 3\n",
}


TESTS = {**{name: test for name, (test, _, _) in JUDGED.items()}, **UNDECIDED}
GIVEN = {
    "a fixture",
    "an object from a fixture",
    "an object from setUp",
    "state that another call changed",
}
"""Tests with fixtures, set-up and global variables."""
PASSING = "def test_it():\n    assert price(3) == 4\n"
IN_FIXTURE = """import pytest

@pytest.fixture
def given():
    assert price(3) == 3
    return 3

def test_it(given):
    pass
"""
FILES = {name: f"test_{number}.py" for number, name in enumerate([*TESTS, "in a fixture", "passing"])}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenedPython:
    """One recorded run of all tests, each in a file of its own."""
    folder = tmp_path_factory.mktemp("tests")
    texts = {**TESTS, "in a fixture": IN_FIXTURE, "passing": PASSING}
    files = {FILES[name]: f"from shop import *\n\n{text}" for name, text in texts.items()}
    tests = ("-q", "-p", "no:cacheprovider", "-p", "pytest_asyncio.plugin", "--rootdir", str(folder))
    return record(folder, {"shop.py": SHOP, **files}, tests=tests).opened


def entry_of(opened: OpenedPython, name: str) -> Entry:
    """The recorded test of a file; of several, the one that failed."""
    return next(entry for entry in opened.entries if entry.name.startswith(f"{FILES[name]}::"))


def judged(opened: OpenedPython, name: str) -> dict[str, str | None]:
    """The calls that the failing test's assertion calls wrong, and what they should have given."""
    entry = entry_of(opened, name)
    assert entry.failed
    subject = opened.subject(entry)
    with opened.oracles(subject, None, pytest.fail) as oracles:
        known = [judged for oracle in oracles if isinstance(oracle, AssertionOracle) for judged in oracle.judged]
    return {
        subject.behaviours.call(judged.span).text: judged.expected for judged in known if judged.span != subject.test
    }


@pytest.mark.parametrize("name", JUDGED)
def test_the_assertion_judges_a_call(opened: OpenedPython, name: str) -> None:
    _test, call, expected = JUDGED[name]
    assert judged(opened, name) == {call: expected}


@pytest.mark.parametrize("name", UNDECIDED)
def test_the_oracle_abstains_from_a_call_that_may_be_right(opened: OpenedPython, name: str) -> None:
    assert judged(opened, name) == {}


@pytest.mark.parametrize("name", TESTS)
def test_a_failing_test_is_wrong_unless_its_arguments_may_be(opened: OpenedPython, name: str) -> None:
    subject = opened.subject(entry_of(opened, name))
    with opened.oracles(subject, None, pytest.fail) as oracles:
        known = [judged for oracle in oracles if isinstance(oracle, AssertionOracle) for judged in oracle.judged]
    (test,) = [judged for judged in known if judged.span == subject.test]
    assert test.judgement is (Judgement.UNKNOWN if name in GIVEN else Judgement.NO)


@pytest.mark.parametrize("name", ["an object from a fixture", "an object from setUp"])
def test_a_bug_in_a_fixture_is_found(tmp_path: Path, name: str) -> None:
    files = {"shop.py": SHOP, "test_it.py": f"from shop import *\n\n{UNDECIDED[name]}"}
    opened = record(tmp_path, files, tests=("-q", "-p", "no:cacheprovider")).opened
    subject = opened.subject(opened.entries[0])
    right = ("module ", "Cart(items=[4]).total() = 4", "Cart(items=[]).__init__", "Cart().__init__", "self.items = ")
    with opened.oracles(subject, None, pytest.fail) as oracles:
        session = Session(subject, oracles=Chain(oracles))
        while isinstance(session.outcome, Ask):
            text = session.outcome.question.behaviour.text
            session.answer(Judgement.YES if text.startswith(right) else Judgement.NO)
    assert session.outcome.verdict.text == "x + 1 = 4"


def test_the_judged_call_is_not_asked_about(opened: OpenedPython) -> None:
    entry = entry_of(opened, "a comparison")
    assert entry == Entry("test_0.py::test_it", True, "AssertionError: assert 4 == 3")
    subject = opened.subject(entry)
    with opened.oracles(subject, None, pytest.fail) as oracles:
        session = Session(subject, oracles=Chain(oracles))
    assert isinstance(session.outcome, Found), "and the expression that is all of it is then wrong, too"
    answers = [step for step in session.steps if isinstance(step, Answer) and not step.source.is_person]
    assert ("3", Judgement.NO) in {(answer.expected, answer.judgement) for answer in answers}
    assert "line 4: assert price(3) == 3" in {answer.source.reason for answer in answers}
    assert session.outcome.verdict.text == "x + 1 = 4"


def test_a_failure_in_a_fixture_is_asked_about(opened: OpenedPython) -> None:
    entry = entry_of(opened, "in a fixture")
    assert (entry.failed, entry.message) == (True, "AssertionError: assert 4 == 3")
    subject = opened.subject(entry)
    texts = [subject.behaviour(node).text for node in range(len(subject.tree.size))]
    assert [text for text in texts if text.startswith("given() raised AssertionError")]
    assert "price(3) = 4" in texts


def test_a_passed_test_is_not_a_failure(opened: OpenedPython) -> None:
    assert not entry_of(opened, "passing").failed
    assert opened.entries[0].failed


def test_some_of_the_calls_of_the_failing_test_may_be_right(tmp_path: Path) -> None:
    calls = "\n".join(f"    double({number})" for number in range(14))
    test = f"def double(n):\n    return n + n\n\ndef test_it():\n{calls}\n    assert double(2) + 1 == 4\n"
    opened = record(tmp_path, {"test_it.py": test}, tests=("-q", "-p", "no:cacheprovider")).opened
    subject = opened.subject(opened.entries[0])
    with opened.oracles(subject, None, pytest.fail) as oracles:
        session = Session(subject, oracles=Chain(oracles))
        first = session.outcome
        assert isinstance(first, Ask)
        assert first.question.facts.kind is NodeKind.PROJECTION
        while isinstance(session.outcome, Ask):
            session.answer(Judgement.YES)
    assert session.outcome.verdict.text.startswith("test_it() raised AssertionError")
