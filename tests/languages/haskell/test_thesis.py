"""The program of the thesis's Figure 1.1 in Haskell: its 27 equations, the nine sessions of T1, and both marks."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.languages.haskell.questions.subject import HaskellSubject
from adebug_lsp.model.answers import Answer, Judgement, Mark, MarkOf
from adebug_lsp.model.kinds import Granularity
from adebug_lsp.session.simulation import play
from adebug_lsp.session.state import Options
from tests.languages.haskell.recorded import Recorded, record
from tests.search.test_golden import SEQUENCES
from tests.support import EXAMPLES, example
from tests.warm_start import COMMAND

PROGRAM = EXAMPLES / "sqrtest.hs"
WRONG = {1, 2, 4, 16, 20, 23}
MARKS = {3: Mark(MarkOf.ARGUMENT, (0, 2)), 20: Mark(MarkOf.RESULT, (1,))}
SESSIONS = [(name, strategy, asked) for name, strategy, asked, _ in SEQUENCES if name.startswith("sqrtest")]


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    return record(PROGRAM.read_text(encoding="utf-8"))


class Unforgetting(HaskellSubject):
    """The thesis asks about equal equations again."""

    def behaviour_key(self, _node: int) -> str:
        return ""


def test_the_equations_are_those_of_the_thesis(recorded: Recorded) -> None:
    handmade = example("sqrtest")
    printed = [handmade.texts[node].replace(",", ", ") for node in range(27)]
    assert recorded.equations()[1:] == printed[1:]
    tree = recorded.subject.tree
    assert [int(parent) for parent in tree.parent] == [int(parent) for parent in handmade.tree.parent]


@pytest.mark.parametrize(("name", "strategy", "asked"), SESSIONS)
def test_each_strategy_asks_as_printed(recorded: Recorded, name: str, strategy: str, asked: list[int]) -> None:
    subject = Unforgetting(recorded.run, recorded.subject.entry)

    def truth(node: int) -> Answer:
        mark = MARKS.get(node + 1) if name == "sqrtest-marked" else None
        return Answer(node, Judgement.NO if node + 1 in WRONG else Judgement.YES, mark)

    options = Options(strategy, Granularity.ROUTINE, root_is_wrong=False)
    played = play(subject, truth, options)
    assert [node + 1 for node in played.questions] == asked
    assert played.buggy == 22


def test_marks_leave_what_chapter_6_leaves(recorded: Recorded) -> None:
    dependences = recorded.subject.dependences
    argument = dependences.trace(2, MARKS[3])
    assert argument is not None
    assert argument.origin == 16
    assert {n + 1 for n in argument.influencers} & set(range(5, 16)) == set(), "5 to 15 cannot have made the 8"
    assert {n + 1 for n in argument.influencers} >= {1, 2, 4, 16, 17, 18, 19, 20, 21, 22, 23, 24}
    result = dependences.trace(19, MARKS[20])
    assert result is not None
    assert (result.origin + 1, {n + 1 for n in result.influencers}) == (23, {20, 23, 24})


def test_the_command_asks_as_printed_and_ends_at_the_expression(tmp_path: Path) -> None:
    shutil.copy(PROGRAM, tmp_path)
    texts = {node + 1: text.replace(",", ", ") for node, text in enumerate(example("sqrtest").texts)}
    numbers = {text: node for node, text in reversed(texts.items())}
    process = subprocess.Popen(
        [*COMMAND, "run", "--json", "--strategy", "divide-by-yes", "sqrtest.hs"],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    asked = []
    while True:
        text = process.stdout.readline()
        line: dict[str, Any] = json.loads(text) if text.startswith("{") else {"type": "output"}
        if line["type"] == "question":
            asked.append(line["text"])
            number = numbers.get(line["text"])
            right = number not in WRONG if number is not None else "decr x = 2" in line["text"]
            process.stdin.write(json.dumps({"answer": "yes" if right else "no"}) + "\n")
            process.stdin.flush()
        elif line["type"] == "verdict":
            break
    process.stdin.close()
    process.stdout.close()
    assert process.wait(60) == 0
    assert [numbers[text] for text in asked if text in numbers] == [7, 16, 21, 23, 24]
    assert line["callable"] == "Main.sum2"
    assert line["kind"] == "expression"
    assert line["buggy"][0]["text"] == "x + decr x"
