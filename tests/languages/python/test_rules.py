"""Rules that a person types, evaluated in the sandbox on the values of recorded calls."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adebug_lsp.languages.python.oracles.rule_oracle import Rules
from adebug_lsp.languages.python.sandbox.fragment import Fragment
from adebug_lsp.model.errors import BadAnswerError
from tests.languages.python.versions import record

PROGRAM = """
LIMIT = 3

class Box:
    def __init__(self, size):
        self.size = size

def ordered(items, box):
    items.append(box.size)
    return sorted(items)

def fails(n):
    raise KeyError(n)

ordered([3, 1], Box(2))
try:
    fails(7)
except KeyError:
    pass
"""


class Calls:
    """The calls of the program, and their rules."""

    def __init__(self, folder: Path) -> None:
        opened = record(folder, PROGRAM)
        subject = opened.subject(opened.entries[0])
        fragments = [subject.fragment(node) for node in range(1, len(subject.tree.size))]
        self.fragments: dict[str, Fragment] = {
            fragment.routine: fragment for fragment in fragments if fragment is not None
        }
        self.rules = Rules(opened.run, folder, Path(sys.executable))

    def holds(self, routine: str, rule: str) -> bool | None:
        return self.rules.holds(rule, self.fragments[routine])


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calls]:
    made = Calls(tmp_path_factory.mktemp("rules"))
    with made.rules:
        yield made


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("sorted(result) == result", True),
        ("len(items) == len(result)", False),
        ("items == [3, 1]", True),
        ("items_after == [3, 1, 2]", True),
        ("after.items == items + [box.size]", True),
        ("len(result) <= LIMIT and isinstance(box, Box)", True),
        ("raised is None", True),
        ("result is None", False),
        ("  result  ", True),
        ("result.nothing", None),
        ("unknown_name > 3", None),
        ("[1 for _ in iter(int, 1)]", None),
        ("__import__('os')._exit(0)", None),
    ],
)
def test_a_rule_is_evaluated_on_the_values_of_the_call(rule: str, expected: bool | None, calls: Calls) -> None:
    assert calls.holds("ordered", rule) is expected


def test_a_rule_can_be_about_the_exception(calls: Calls) -> None:
    assert calls.holds("fails", "isinstance(raised, KeyError) and raised.args == (n,)") is True
    assert calls.holds("fails", "raised is None") is False


@pytest.mark.parametrize("rule", ["sorted(result", "x = 1", "", "import os", "a b"])
def test_an_invalid_expression_is_a_bad_answer(rule: str, calls: Calls) -> None:
    with pytest.raises(BadAnswerError, match="cannot be read"):
        calls.holds("ordered", rule)


def test_a_rule_leaves_no_trace(calls: Calls) -> None:
    assert calls.holds("ordered", "items.append(9) or globals().update(LIMIT=0) or True") is True
    assert calls.holds("ordered", "items == [3, 1] and LIMIT == 3") is True
