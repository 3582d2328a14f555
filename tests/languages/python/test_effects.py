"""Questions show effects outside of a call: changed globals and output, however deep below it they happened."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adebug_lsp.languages.python.questions.describe.io_effects import smallest
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.behaviour import Behaviour
from tests.languages.python.recorded import node_of, record

PROGRAM = """
    import notes

    count = 0
    LEDGER = []

    def bump(n):
        global count
        count = count + n
        return count

    def _store(x):
        LEDGER.append(x)

    def deposit(x):
        _store(x)
        line(x)

    def line(x):
        print("stored", x)

    def remark(text):
        notes.keep(text)

    def unchanged(x):
        return [*LEDGER, x]

    def counting():
        k = 0
        def up():
            nonlocal k
            k += 1
        up()
        return k

    def reading(n, m):
        return (lambda y: abs(y) + n)(m)

    bump(2)
    deposit(4)
    remark("a")
    unchanged(5)
    counting()
    reading(1, 2)
    for i in range(2):
        deposit(i)
    print(count, "done")
    """
NOTES = """
    TEXTS = []
    last = ""

    def keep(text):
        global last
        last = text
        TEXTS.append(text)
    """


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> PythonSubject:
    folder: Path = tmp_path_factory.mktemp("effects")
    return record(folder, {"program.py": PROGRAM, "notes.py": NOTES}).subject()


def shown(behaviour: Behaviour) -> tuple[dict[str, str], dict[str, str]]:
    before, after = ({b.name: b.value.text for b in e.bindings} for e in (behaviour.before, behaviour.after))
    return before, after


CALLS = {
    "bump(2) = 2": ({"n": "2", "count": "0"}, {"count": "2"}),
    "_store(4): LEDGER: [] -> [4]": ({"x": "4", "LEDGER": "[]"}, {"LEDGER": "[4]"}),
    "deposit(4): LEDGER: [] -> [4], printed stored 4": (
        {"x": "4", "LEDGER": "[]"},
        {"LEDGER": "[4]", "printed": "stored 4"},
    ),
    "line(4): printed stored 4": ({"x": "4"}, {"printed": "stored 4"}),
    "remark('a')": (
        {"text": "'a'", "notes.TEXTS": "[]", "notes.last": "''"},
        {"notes.TEXTS": "['a']", "notes.last": "'a'"},
    ),
    "unchanged(5) = [4, 5]": ({"x": "5", "LEDGER": "[4]"}, {}),
    "counting.<locals>.up(): k: 0 -> 1": ({"k": "0"}, {"k": "1"}),
    "reading.<locals>.<lambda>(2) = 3": ({"y": "2", "n": "1"}, {}),
}


@pytest.mark.parametrize("text", CALLS)
def test_a_call_shows_what_it_changed_outside(subject: PythonSubject, text: str) -> None:
    before, after = shown(subject.behaviour(node_of(subject, text)))
    assert (before, after) == CALLS[text]


def test_a_loop_shows_what_its_calls_changed_and_printed(subject: PythonSubject) -> None:
    node = node_of(subject, "the loop `for i in range(2)`")
    before, after = shown(subject.behaviour(node))
    assert (before, after) == (
        {"LEDGER": "[4]"},
        {"i": "1", "LEDGER": "[4, 0, 1]", "printed": "stored 0\nstored 1"},
    )


def test_a_statement_shows_what_its_calls_changed_and_what_others_bound(subject: PythonSubject) -> None:
    inside = subject.inside(0)
    assert inside is not None
    behaviours = {inside.behaviour(node).text: inside.behaviour(node) for node in range(len(inside.tree))}
    assert shown(behaviours["deposit(4): LEDGER: [] -> [4], printed stored 4"]) == (
        {"LEDGER": "[]"},
        {"LEDGER": "[4]", "printed": "stored 4"},
    )
    assert shown(behaviours['print(count, "done"): printed 2 done']) == ({"count": "2"}, {"printed": "2 done"})


def test_calls_with_other_effects_are_other_behaviours(subject: PythonSubject) -> None:
    nodes = [node for node in range(len(subject.tree)) if subject.behaviour(node).text.startswith("_store(")]
    identities = {subject.behaviour(node).identity for node in nodes}
    assert len(nodes) == len(identities) == 3


@given(st.lists(st.integers(0, 50), max_size=60), st.integers(1, 20), st.integers(1, 7))
def test_the_smallest_words_are_found_block_by_block(words: list[int], most: int, block: int) -> None:
    assert smallest(np.array(words, np.uint32), most, block).tolist() == sorted(set(words))[:most]


def test_what_a_command_of_click_prints_is_shown(tmp_path: Path) -> None:
    """Its test runner replaces `sys.stdout`, and a call of library code that is a statement has no slot."""
    program = """
        import io

        import click
        from click.testing import CliRunner

        @click.command()
        @click.argument("n", type=int)
        def bill(n):
            click.echo(f"total {n}")
            click.secho("end", nl=False, fg="red")
            click.echo()

        def keep(out, n):
            out.write(f"{n}")

        CliRunner().invoke(bill, ["2"])
        keep(io.StringIO(), 3)
    """
    subject = record(tmp_path, program).subject()
    behaviours = [subject.behaviour(node) for node in range(len(subject.tree))]
    effects = {b.text.partition("(")[0]: [binding.value.text for binding in b.after.bindings] for b in behaviours}
    assert (effects["bill"], effects["keep"]) == (["total 2\nend"], ["3"])
