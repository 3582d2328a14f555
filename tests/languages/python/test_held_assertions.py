"""Assertions that held before the test failed answer yes for the calls that they judge."""

import pytest

from adebug_lsp.languages.python.language import OpenedPython
from adebug_lsp.languages.python.oracles.held_assertions import HeldAssertions
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from tests.languages.python.recorded import record, walk

SHOP = """
    SEEN = []

    def price(x):
        return x + 1

    def ratio(x):
        return x / 3

    def keep(x):
        SEEN.append(x)
        return x

    class Box:
        def __init__(self, x):
            self.x = x

        def __eq__(self, other):
            return True

    def box(x):
        return Box(x)

    def total():
        return 0
    """
CASE = "import unittest\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n        {}\n        {}\n"
END = "assert total() == 1"
SURE = {
    "plain": ("    assert price(3) == 4", "price(3)"),
    "the other way round": ("    assert [4] == [price(3)] and 4 == price(3)\n    assert 6 == price(5)", "price(5)"),
    "in a loop": ("    for x, y in [(3, 4), (5, 6)]:\n        assert price(5) == 6", "price(5)"),
    "assertEqual": ("self.assertEqual(price(3), 4)", "price(3)"),
}
LIKELY = {
    "compared with a name": ("    wanted = 4\n    assert price(3) == wanted", "price(3)"),
    "truth": ("    assert not price(-1)", "price(-1)"),
    "approximately": ("    import pytest\n    assert ratio(3) == pytest.approx(1)", "ratio(3)"),
    "of another call": ("    x = price(2)\n    assert price(x) == 4", "price(3)"),
    "compared by its own method": ("    assert box(3) == 4", "box(3)"),
    "of a call that changed something": ("    assert keep(3) == 3", "keep(3)"),
}
SILENT = {
    "of what a call of the same name gave": ("    assert price(price(2)) == 4", "price(3)"),
    "not compared": ("    price(3)", "price(3)"),
    "failed": ("    pass", "total()"),
    "inside another call": ("    assert box(3) == 4", "Box"),
}
TESTS = {**SURE, **LIKELY, **SILENT}
FILES = {name: f"test_{number}.py" for number, name in enumerate(TESTS)}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenedPython:
    """One recorded run of all tests, each in a file of its own."""
    folder = tmp_path_factory.mktemp("held")
    files = {"shop.py": SHOP}
    for name, (body, _call) in TESTS.items():
        test = CASE.format(body, END) if body.startswith("self") else f"def test_it():\n{body}\n    {END}\n"
        files[FILES[name]] = f"from shop import *\n\n{test}"
    return record(folder, files, tests=("-q", "-p", "no:cacheprovider", "--rootdir", str(folder))).opened


def opinion(opened: OpenedPython, name: str) -> tuple[Judgement, bool] | None:
    """The opinion on the call that a test is about, and whether it is sure."""
    entry = next(entry for entry in opened.entries if entry.name.startswith(f"{FILES[name]}::"))
    assert entry.failed
    subject = opened.subject(entry)
    assert subject.test is not None
    test = subject.node(subject.test)
    assert test is not None
    begin = next(n for n, _ in walk(subject) if n > test and subject.behaviour(n).text.startswith(TESTS[name][1]))
    question = Question(subject.tree.facts(begin), subject.behaviour(begin))
    with opened.oracles(subject, None, pytest.fail) as oracles:
        (held,) = [oracle for oracle in oracles if isinstance(oracle, HeldAssertions)]
        opinion = held.opinion(question)
    return None if opinion is None else (opinion.judgement, opinion.sure)


@pytest.mark.parametrize("name", SURE)
def test_a_result_that_was_compared_as_a_whole_is_right(opened: OpenedPython, name: str) -> None:
    assert opinion(opened, name) == (Judgement.YES, True)


@pytest.mark.parametrize("name", LIKELY)
def test_what_was_compared_otherwise_is_likely_right(opened: OpenedPython, name: str) -> None:
    assert opinion(opened, name) == (Judgement.YES, False)


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_said_of_other_calls(opened: OpenedPython, name: str) -> None:
    assert opinion(opened, name) is None
