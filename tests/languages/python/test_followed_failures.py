"""Every style of assertion is followed to the call that made the checked value, which is asked about first."""

from pathlib import Path

import pytest

from adebug_lsp.languages.python.language import OpenedPython
from adebug_lsp.model.answers import Mark, MarkOf
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from adebug_lsp.session.state import Options
from tests.languages.python.recorded import record

SHOP = """
    RATE = 3

    def quiet(x):
        return None

    def rated(x):
        quiet(x)
        return x * RATE

    def listed(x):
        quiet(x)
        return [x, x + RATE]

    def send(x, channel):
        quiet(x)
        channel(x + RATE)

    def check_equal(wanted, found):
        assert wanted == found

    def assert_same(wanted, found):
        assert wanted == found
    """
CASE = "import unittest\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n        quiet(7)\n        {}\n"
STYLES = {
    "plain": ("    assert rated(1) == 4", "rated(1) = 3"),
    "a result with a name": ("    found = rated(1)\n    quiet(5)\n    assert found == 4", "rated(1) = 3"),
    "a name on each side": ("    wanted = 4\n    found = rated(1)\n    assert wanted == found", "rated(1) = 3"),
    "a helper": ("    found = rated(1)\n    check_equal(4, found)", "rated(1) = 3"),
    "a helper that asserts": ("    wanted = 4\n    found = rated(1)\n    assert_same(wanted, found)", "rated(1) = 3"),
    "a helper with a call": ("    check_equal(4, rated(1))", "rated(1) = 3"),
    "membership": ("    assert rated(1) in (5, 6)", "rated(1) = 3"),
    "assertEqual": ("self.assertEqual(rated(1), 4)", "rated(1) = 3"),
    "assertEqual of a name": ("found = rated(1)\n        self.assertEqual(4, found)", "rated(1) = 3"),
    "assertAlmostEqual": ("self.assertAlmostEqual(rated(1), 4.0)", "rated(1) = 3"),
    "assertIn": ("self.assertIn(rated(1), listed(2))", "rated(1) = 3"),
    "assertGreater": ("self.assertGreater(rated(1), 5)", "rated(1) = 3"),
    "assertCountEqual": ("self.assertCountEqual(listed(1), [1, 5])", "listed(1) = [1, 4]"),
    "assertIsNone": ("self.assertIsNone(rated(1))", "rated(1) = 3"),
    "raises": ("    import pytest\n    with pytest.raises(ValueError):\n        rated(1)", "rated(1) = 3"),
    "approx": ("    import pytest\n    assert rated(1) == pytest.approx(4.0)", "rated(1) = 3"),
    "numpy.testing": (
        "    from numpy import testing\n    found = rated(1)\n    testing.assert_allclose(found, 4)",
        "rated(1) = 3",
    ),
    "numpy.testing of a call": (
        "    from numpy.testing import assert_equal\n    assert_equal(rated(1), 4)",
        "rated(1) = 3",
    ),
    "a mock": (
        "    from unittest.mock import Mock\n    channel = Mock()\n    send(1, channel)\n"
        "    channel.assert_called_once_with(5)",
        "send(1, ",
    ),
}
FILES = {name: f"test_{number}.py" for number, name in enumerate(STYLES)}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> OpenedPython:
    """One recorded run of all tests, each in a file of its own."""
    folder = tmp_path_factory.mktemp("styles")
    files = {"shop.py": SHOP}
    for name, (body, _call) in STYLES.items():
        test = CASE.format(body) if body.startswith(("self", "found")) else f"def test_it():\n    quiet(7)\n{body}\n"
        files[FILES[name]] = f"from shop import *\n\n{test}"
    return record(folder, files, tests=("-q", "-p", "no:cacheprovider", "--rootdir", str(folder))).opened


@pytest.mark.parametrize("name", STYLES)
def test_the_call_that_made_the_value_is_asked_about_first(opened: OpenedPython, name: str) -> None:
    _body, call = STYLES[name]
    entry = next(entry for entry in opened.entries if entry.name.startswith(f"{FILES[name]}::"))
    assert entry.failed
    subject = opened.subject(entry)
    with opened.oracles(subject, None, pytest.fail) as oracles:
        session = Session(subject, Options("expected-cost", root_failed=True), oracles=Chain(oracles))
    assert isinstance(session.outcome, Ask)
    assert session.outcome.question.behaviour.text.startswith(call)


def test_a_range_of_calls_is_never_where_a_value_was_made(tmp_path: Path) -> None:
    lines = [f"    quiet({number})" for number in range(20)]
    body = "\n".join([*lines[:5], "    found = [1]", *lines[5:]])
    test = f"from shop import *\n\ndef test_it():\n{body}\n    assert found == [2]\n"
    files = {"shop.py": SHOP, "test_it.py": test}
    opened = record(tmp_path, files, tests=("-q", "-p", "no:cacheprovider")).opened
    subject = opened.subject(opened.entries[0])
    assert subject.test is not None
    test_node = subject.node(subject.test)
    assert test_node is not None
    trace = subject.dependences.trace(test_node, Mark(MarkOf.RESULT))
    assert trace is not None
    assert subject.tree.kind[trace.origin] == NodeKind.ROUTINE
