"""Consequences of a wrong call are not asked about: the only expression of the call is wrong, too."""

import sys
from pathlib import Path

import pytest

from adebug_lsp.languages.python.oracles.consequence import Consequence
from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.behaviour import Question
from tests.frontends.cli.test_commands import adebug
from tests.languages.python.recorded import node_of, record

PROGRAM = """
    import asyncio

    def area(width, height):
        'Both in metres.'
        return width * height + 1

    def half(number):
        return number // 0

    def twice(number):
        double = number * 2
        return double

    def push(items, item):
        return items.append(item)

    def same(items):
        return items

    def steps(number):
        yield number * 2

    async def later(number):
        return number * 3

    third = lambda number: number / 3

    area(2, 3), twice(4), push([], 1), same([1]), list(steps(6)), asyncio.run(later(7)), third(9)
    half(1)
"""
BY_ZERO = "division by zero" if sys.version_info >= (3, 14) else "integer division or modulo by zero"


@pytest.mark.parametrize(
    ("call", "follows"),
    [
        ("area(2, 3)", ["width * height + 1 = 7"]),
        ("<lambda>(9)", ["number / 3 = 3.0"]),
        ("later(7)", ["number * 3 = 21"]),
        ("half(1)", [f"return number // 0: raised ZeroDivisionError('{BY_ZERO}')"]),
        ("twice(4)", []),
        ("push([], 1)", []),
        ("same([1])", []),
        ("a step of steps(6", []),
    ],
)
def test_the_only_expression_of_a_wrong_call_is_wrong(call: str, follows: list[str], tmp_path: Path) -> None:
    subject = record(tmp_path, PROGRAM).subject()
    node = node_of(subject, call)
    inner, path = subject.inside(node), (node,)
    assert inner is not None
    oracle = Consequence(subject)
    questions = [Question(inner.tree.facts(n), inner.behaviour(n), zoomed=path) for n in range(len(inner.tree))]
    opinions = [
        (question.behaviour.text, opinion)
        for question in questions
        if (opinion := oracle.opinion(question)) is not None
    ]
    assert all(opinion.judgement is Judgement.NO for _text, opinion in opinions)
    assert [text for text, _opinion in opinions] == follows


def test_consequences_are_not_asked_about(tmp_path: Path) -> None:
    (tmp_path / "area.py").write_text("def area(w, h):\n    return w * h + 1\n\n\nprint(area(2, 3))\n", "utf-8")
    done = adebug("run", "area.py", cwd=tmp_path, stdin="no\nyes\n")
    assert "w * h + 1 = 7: no, by consequence (the wrong call only returns this expression)" in done.stdout
    assert "Bug found after 2 answers, in area.area" in done.stdout
