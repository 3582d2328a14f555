"""Code that carries a test without being what it tests is declared in one place, and asked about last."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.languages.python.questions.plumbing import Plumbing, is_plumbing
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.answers import Judgement
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from tests.languages.python.recorded import node_of, record, walk

FILES = {
    "conftest.py": """
        def pytest_runtest_setup(item):
            pass

        def helper():
            return 1
        """,
    "shop/__init__.py": "",
    "shop/log.py": """
        def note(text):
            return stamped(text)

        def stamped(text):
            return f"- {text}"
        """,
    "shop/cart.py": """
        import functools
        from shop.log import note

        def counted(function):
            @functools.wraps(function)
            def wrapper(*arguments):
                return function(*arguments)
            return wrapper

        class Cart:
            def __init__(self):
                self.items = []

            def __repr__(self):
                return joined(self.items)

            @counted
            def add(self, price):
                note("added")
                self.items.append(rounded(price))

            def total(self):
                return sum(self.items)

        def joined(items):
            return " ".join(map(str, items))

        def rounded(price):
            return round(price, 2)

        def shipping():
            return 4

        LIMIT = rounded(99.999)
        """,
    "test_cart.py": """
        import pytest
        from conftest import helper
        from shop.cart import Cart, shipping

        @pytest.fixture
        def price():
            return doubled(3)

        def doubled(x):
            return x + x

        class TestCart:
            def setup_method(self):
                self.cart = Cart()

            def test_total(self, price):
                self.cart.add(price)
                str(self.cart)
                helper()
                assert_eleven(self.cart.total() + shipping())

        def assert_eleven(total):
            assert total == 11
        """,
}
PLUMBING = (
    "module shop.log", "module shop.cart", "counted(", "rounded(99.999)", "pytest_runtest_setup(", "helper()",
    "price()", "doubled(3)", "wrapper(", "note('added')", "stamped('added')", "Cart(items=[6]).__repr__()",
    "joined([6])", "assert_eleven(",
)  # fmt: skip
OTHERS = ("shipping()", "rounded(6)", "Cart(items=[6]).total()")


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> PythonSubject:
    folder = tmp_path_factory.mktemp("plumbing")
    opened = record(folder, FILES, tests=("-q", "-p", "no:cacheprovider", "--rootdir", str(folder))).opened
    return opened.subject(opened.entries[0])


def test_what_plumbing_is(subject: PythonSubject) -> None:
    plumbing = subject.plumbing
    assert plumbing is not None
    texts = {subject.behaviour(node).text: bool(plumbing[node]) for node, _ in walk(subject)}
    for begin in PLUMBING:
        assert [is_plumbing for text, is_plumbing in texts.items() if begin in text] == [True], begin
    for begin in OTHERS:
        assert [is_plumbing for text, is_plumbing in texts.items() if text.startswith(begin)] == [False], begin
    assert not plumbing[0]


def test_plumbing_is_asked_about_last(subject: PythonSubject) -> None:
    session, plumbing, asked = Session(subject), subject.plumbing, list[bool]()
    assert plumbing is not None
    while isinstance(session.outcome, Ask):
        question = session.outcome.question
        if not question.zoomed:
            asked.append(bool(plumbing[question.node]))
        session.answer(Judgement.NO if question.behaviour.raised else Judgement.YES)
    assert sorted(asked) == asked
    assert asked[:3] == [False] * 3
    assert any(asked)


def test_a_range_of_plumbing_is_plumbing(tmp_path: Path) -> None:
    names = [f"m{number}" for number in range(30)]
    files = {f"{name}.py": "def f():\n    return 1\n" for name in names}
    files["test_it.py"] = f"import {', '.join(names)}\n\ndef test_it():\n    assert m1.f() == 2\n"
    opened = record(tmp_path, files, tests=("-q", "-p", "no:cacheprovider")).opened
    subject = opened.subject(opened.entries[0])
    plumbing = subject.plumbing
    assert plumbing is not None
    assert not plumbing[node_of(subject, "f() = 1")]
    assert int(plumbing.sum()) >= len(names) + 4, "ranges of them too"


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(Plumbing)), max_size=40))
def test_all_below_whole_plumbing_is_plumbing(nodes: list[tuple[int, Plumbing]]) -> None:
    """The root never is. The nodes are in preorder, each with how many levels it is above the one before."""
    stack, sizes, expected = [0], [1], [False]
    for number, (up, how) in enumerate(nodes, 1):
        del stack[max(len(stack) - up, 1) :]
        sizes.append(0)
        above = [*stack]
        stack.append(number)
        for node in stack:
            sizes[node] += 1
        expected.append(how != Plumbing.NONE or any(nodes[n - 1][1] == Plumbing.WHOLE for n in above if n))
    plumbing = is_plumbing([Plumbing.NONE, *(how for _, how in nodes)], np.arange(len(sizes)), np.array(sizes))
    assert (plumbing if plumbing is None else plumbing.tolist()) == (expected if any(expected) else None)
