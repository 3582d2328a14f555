"""A person asks where a value came from, who wrote it, who printed it, or for more of it, without judging anything."""

from pathlib import Path
from typing import Any

import pytest

from adebug_lsp.frontends.shared.inquiries import Inquirer, Reply
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.languages.language import RecordedSubject
from adebug_lsp.languages.python.questions.origins.tracing import MOST_WRITES
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.answers import Mark
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadAnswerError
from adebug_lsp.session.phrases import Inquiry, Topic
from adebug_lsp.slicing.slicer import Slice
from tests.languages.python.recorded import node_of, record

PROGRAM = """
    def price(x):
        return x * 3

    class Cart:
        def __init__(self):
            self.items = []
            self.total = 0

        def add(self, x):
            self.items.append(x)
            self.total += x

    def build():
        cart = Cart()
        label = "a"
        dearest = price(3)
        for n in (2, 3):
            cart.add(n)
            label = label + str(n)
        cart.items[0] = dearest
        cart.items.sort()
        print("total", cart.total, sep="=")
        print(label, *cart.items)
        return cart

    def large():
        return {"rows": [[n, {"name": f"row {n}"}] for n in range(2000)]}

    def counted(n):
        while n:
            n -= 1
        return [n]

    build(), large(), counted(300)
    """


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> PythonSubject:
    return record(tmp_path_factory.mktemp("inquiries"), PROGRAM).subject()


def ask(subject: RecordedSubject, topic: Topic, rest: str, node: int) -> Reply:
    question = Question(subject.tree.facts(node), subject.behaviour(node))

    def take_slice(node: int, mark: Mark, forward: bool) -> Slice | None:
        return None if subject.tracing is None else subject.tracing.slice(node, mark, forward=forward)

    inquirer = Inquirer(subject.dependences, subject.tracing, subject.parts, Sources(subject.sources()), take_slice)
    return inquirer.reply(Inquiry(topic, question, rest))


def of_build(subject: PythonSubject, topic: Topic, rest: str) -> Reply:
    return ask(subject, topic, rest, node_of(subject, "build()"))


TRACKED = {
    "result.items[1]": (
        "exact",
        ["computed by `x * 3`", "returned by price", "assigned to dearest", "stored by", "moved by"],
    ),
    "result.total": ("exact", ["computed by `self.total += x`", "stored by"]),
    "output '5'": ("exact", ["computed by `self.total += x`", "stored by", "read from", "printed by"]),
    "output[6:7]": ("exact", ["computed by `self.total += x`", "stored by", "read from", "printed by"]),
    "output[8:11]": ("exact", ["computed by `label + str(n)`", "assigned to label", "printed by `print(label"]),
    "output[7:8]": ("exact", ['printed by `print("total"']),
}


@pytest.mark.parametrize("address", TRACKED)
def test_the_way_of_a_value_begins_where_it_was_made(subject: PythonSubject, address: str) -> None:
    facts = of_build(subject, Topic.TRACK, address).facts
    certainty, stages = TRACKED[address]
    texts = [stage["text"] for stage in facts["stages"]]
    assert (facts["certainty"], len(texts)) == (certainty, len(stages))
    assert all(text.startswith(stage) for text, stage in zip(texts, stages, strict=True))
    assert all(stage["place"]["path"] == "program.py" for stage in facts["stages"])


REFUSED = {
    "track result.items[9]": "there is no result.items[9]; what can be marked: result.items, result.items[0]",
    "track after.cart": "there is no after.cart; what can be marked: result, call",
    "track output[5:99]": "the output that is shown has",
    "track output 'none'": "there is no output 'none'",
    "history result": "result is no variable, attribute or element whose writes are recorded",
    "history nothing": "nothing",
    "show result.nothing": "there is no result.nothing",
}


@pytest.mark.parametrize("line", REFUSED)
def test_a_part_that_does_not_exist_is_refused_with_what_there_is(subject: PythonSubject, line: str) -> None:
    topic, _, rest = line.partition(" ")
    with pytest.raises(BadAnswerError) as error:
        of_build(subject, Topic(topic), rest)
    assert REFUSED[line] in str(error.value)


def written(reply: Reply) -> list[tuple[str, str]]:
    writes: list[dict[str, Any]] = reply.facts["writes"]
    return [(write["value"], write["text"]) for write in writes]


def test_a_history_lists_every_write_of_an_attribute(subject: PythonSubject) -> None:
    reply = of_build(subject, Topic.HISTORY, "result.total")
    assert written(reply) == [("0", "self.total = 0"), ("2", "self.total += x"), ("5", "self.total += x")]
    assert [write["routine"] for write in reply.facts["writes"]] == ["Cart.__init__", "Cart.add", "Cart.add"]
    assert [write["place"]["range"]["start"]["line"] for write in reply.facts["writes"]] == [7, 11, 11]


def test_a_history_follows_an_element_that_was_moved(subject: PythonSubject) -> None:
    assert written(of_build(subject, Topic.HISTORY, "result.items[1]")) == [
        ("2", "self.items.append(x)"),
        ("9", "cart.items[0] = dearest"),
        ("9", "cart.items.sort()"),
    ]


def test_a_history_of_a_variable_is_that_up_to_its_question(subject: PythonSubject) -> None:
    node = node_of(subject, "iteration 1 of `for n in (2, 3)`")
    assert written(ask(subject, Topic.HISTORY, "after.label", node)) == [
        ("'a'", 'label = "a"'),
        ("'a2'", "label = label + str(n)"),
    ]
    assert written(ask(subject, Topic.HISTORY, "before.label", node)) == [("'a'", 'label = "a"')]


def test_a_long_history_is_bounded(subject: PythonSubject) -> None:
    reply = ask(subject, Topic.HISTORY, "after.n", node_of(subject, "the loop `while n`"))
    assert (len(reply.facts["writes"]), reply.facts["writes"][-1]["value"]) == (MOST_WRITES, "0")
    assert "left out" in reply.facts["before"]


def test_a_statement_inside_a_call_can_be_asked_about(subject: PythonSubject) -> None:
    inner = subject.inside(node_of(subject, "build()"))
    assert inner is not None
    node = next(n for n in range(len(inner.tree)) if inner.behaviour(n).text.startswith("label = "))
    assert written(ask(inner, Topic.HISTORY, "after.label", node)) == [("'a'", 'label = "a"')]
    assert ask(inner, Topic.TRACK, "after.label", node).lines[1].startswith('  made by `"a"`')


def test_a_value_is_shown_to_a_depth(subject: PythonSubject) -> None:
    node = node_of(subject, "large()")
    assert len(ask(subject, Topic.SHOW, "result depth 1", node).lines) == 1
    lines = ask(subject, Topic.SHOW, "result", node).lines
    assert lines[0] == "result['rows'][0] = [0, {'name': 'row 0'}]"
    assert lines[-1] == "... more; show a part of it, or write it to a file: show result > FILE"
    assert ask(subject, Topic.SHOW, "result['rows'][1999]", node).lines == [
        "result['rows'][1999][0] = 1999",
        "result['rows'][1999][1]['name'] = 'row 1999'",
    ]


def test_a_text_is_found_in_a_value(subject: PythonSubject) -> None:
    node = node_of(subject, "large()")
    assert ask(subject, Topic.SHOW, "result find row 1998", node).lines == [
        "result['rows'][1998][1]['name'] = 'row 1998'"
    ]
    assert ask(subject, Topic.SHOW, "result find nothing", node).lines == ["no part of result contains 'nothing'"]


def test_the_whole_value_goes_to_a_new_file_only(subject: PythonSubject, tmp_path: Path) -> None:
    node, file = node_of(subject, "large()"), tmp_path / "value.txt"
    assert ask(subject, Topic.SHOW, f"result > {file}", node).lines == [f"4000 lines written to {file}"]
    assert file.read_text(encoding="utf-8").splitlines()[-1] == "result['rows'][1999][1]['name'] = 'row 1999'"
    with pytest.raises(BadAnswerError, match="already exists; not overwritten"):
        ask(subject, Topic.SHOW, f"result > {file}", node)


def sliced_lines(reply: Reply) -> list[int]:
    (file,) = reply.facts["files"]
    return [line + 1 for line in file["lines"]]


def test_the_code_that_a_part_depends_on(subject: PythonSubject) -> None:
    reply = of_build(subject, Topic.DEPENDS, "result.total")
    assert sliced_lines(reply) == [8, 12, 15, 18, 19, 35]
    assert reply.lines[:2] == ["what result.total depends on: 6 lines", "  program.py:8: self.total = 0"]
    faded = [place["range"] for place in reply.facts["outside"]]
    assert {"start": {"line": 15, "character": 0}, "end": {"line": 16, "character": 22}} in faded
    assert reply.facts["next"] is None


def test_the_code_that_depends_on_a_part_and_where_it_is_used_next(subject: PythonSubject) -> None:
    node = node_of(subject, "iteration 1 of `for n in (2, 3)`")
    reply = ask(subject, Topic.AFFECTS, "after.label", node)
    assert sliced_lines(reply) == [20, 24]
    used = reply.facts["steps"][reply.facts["next"]]
    assert used["place"]["range"]["start"]["line"] == 19
