"""Recorded tests as evidence: coverage, suspicion, and that suspicion only changes the order of questions."""

import sys
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from adebug_lsp.languages.language import Request
from adebug_lsp.languages.python.language import OpenedPython, Python
from adebug_lsp.languages.python.oracles.reference import Reference
from adebug_lsp.languages.python.questions.spectrum import coverage, ochiai
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.model.behaviour import Question
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.session.outcome import Ask, Found
from adebug_lsp.session.session import Session

SHOP = """\
def price(item):
    return item["price"]


def total(items):
    found = 0
    for item in items:
        found += price(item)
    return found


def rebate(amount):
    least = 100
    if amount >= least:
        return amount // 5
    return 0


def bill(items):
    amount = total(items)
    return amount - rebate(amount)


def names(items):
    for item in items:
        yield item["name"]


START = total([])
"""
TESTS = """\
import pytest
from shop import bill, names, price, rebate, total

TEA = {"name": "tea", "price": 60}


@pytest.fixture
def two():
    return [TEA, TEA]


def test_price():
    assert price(TEA) == 60


def test_total(two):
    assert total(two) == 120


def test_small_rebate():
    assert rebate(99) == 0


@pytest.mark.parametrize("count", [0, 1])
def test_small_bill(count):
    assert bill([TEA] * count) == 60 * count


def test_bill(two):
    assert "-".join(names(two)) == "tea-tea"
    assert bill(two) == 108


@pytest.mark.skip(reason="later")
def test_later():
    assert bill([]) == 1


@pytest.mark.xfail
def test_rebate_of_nothing():
    assert rebate(None) == 0
"""


def record(folder: Path, tests: str, level: str = "full") -> OpenedPython:
    """Record the tests of a shop."""
    folder.mkdir(exist_ok=True)
    (folder / "shop.py").write_text(SHOP, encoding="utf-8")
    (folder / "test_shop.py").write_text(dedent(tests), encoding="utf-8")
    out = folder / "run.adebug"
    arguments = ("-q", "-p", "no:cacheprovider", f"--rootdir={folder}", str(folder))
    request = Request(workspace=folder, tests=arguments, interpreter=Path(sys.executable), level=level)
    Python().record(request, out, _silent)
    return Python().open(out, _silent)


def _silent(doing: str, done: int = 0, total: int | None = None) -> None:
    pass


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("shop"), TESTS).run.recording.path


@pytest.fixture
def opened(recording: Path) -> OpenedPython:
    return Python().open(recording, _silent)


@pytest.fixture
def subject(opened: OpenedPython) -> PythonSubject:
    return opened.subject(opened.entries[0])


def by_rule(subject: PythonSubject) -> dict[str, float]:
    suspicion = subject.suspicion
    assert suspicion is not None
    assert len(suspicion) == len(subject.tree.sites)
    rules = [site.rule for site in subject.tree.sites]
    return dict(zip(rules, suspicion.tolist(), strict=True))


def of(passed: int, failed: int = 1, failing: int = 1) -> float:
    return float(ochiai(np.array([passed]), np.array([failed]), failing)[0])


def test_ochiai() -> None:
    """Worked by hand: failed / sqrt(failing * (failed + passed))."""
    assert of(0) == 1
    assert of(3) == 1 / 2
    assert of(3, 1, 4) == 1 / 4
    assert of(5, 0) == 0
    assert of(0, 0, 0) == 0


def test_only_tests_that_were_called_and_did_not_fail_have_passed(opened: OpenedPython) -> None:
    """Five of eight: not the one that failed, the one that was skipped, and the one that was expected to fail."""
    covered = coverage(opened.run)
    assert (len(covered.passing), len(covered.failing)) == (5, 1)


def test_a_routine_is_as_suspect_as_its_most_suspect_code(subject: PythonSubject) -> None:
    """`rebate` was executed by three passing tests, but its first branch by none."""
    suspicion = by_rule(subject)
    assert suspicion["shop.rebate"] == 1
    assert suspicion["shop.bill"] == pytest.approx(of(2))
    assert suspicion["shop.price"] == pytest.approx(of(3))
    assert suspicion["shop.names"] == 1


def test_a_loop_is_judged_by_its_own_code(subject: PythonSubject) -> None:
    """Three passing tests computed a total; in one of them there was nothing to add."""
    suspicion = by_rule(subject)
    loop = next(rule for rule in suspicion if rule.startswith("shop.total:"))
    assert suspicion["shop.total"] == pytest.approx(of(3))
    assert suspicion[loop] == pytest.approx(of(2))


def test_code_outside_of_tests_counts_for_all_tests(subject: PythonSubject) -> None:
    """Modules, fixtures, and the failing test, which would be the most suspect code of all."""
    suspicion = by_rule(subject)
    for rule in ("shop", "test_shop", "test_shop.two", "test_shop.test_bill"):
        assert suspicion[rule] == pytest.approx(of(5))


def test_calls_alone_make_whole_routines_suspect(tmp_path: Path) -> None:
    opened = record(tmp_path, TESTS, level="calls")
    suspicion = by_rule(opened.subject(opened.entries[0]))
    assert suspicion["shop.bill"] == pytest.approx(of(2))
    assert suspicion["shop.price"] == pytest.approx(of(3))


@pytest.mark.parametrize(
    "tests",
    ["def test_bill():\n    assert bill([]) == 1\n", "def test_bill():\n    assert bill([]) == 0\n"],
    ids=["no test passed", "no test failed"],
)
def test_without_passing_and_failing_tests_nothing_is_suspect(tmp_path: Path, tests: str) -> None:
    opened = record(tmp_path, f"from shop import bill\n\n\n{tests}")
    assert opened.subject(opened.entries[0]).suspicion is None


def test_a_program_without_tests_has_no_suspicion(tmp_path: Path) -> None:
    program, out = tmp_path / "shop.py", tmp_path / "run.adebug"
    program.write_text(SHOP, encoding="utf-8")
    Python().record(Request(workspace=tmp_path, program=program, interpreter=Path(sys.executable)), out, _silent)
    opened = Python().open(out, _silent)
    assert opened.subject(opened.entries[0]).suspicion is None


def test_the_spectrum_moves_questions_and_answers_none(recording: Path, tmp_path: Path) -> None:
    """The twin answers; with the spectrum the bug is found with fewer questions, and at the same place."""
    (tmp_path / "shop.py").write_text(SHOP.replace("amount // 5", "amount // 10"), encoding="utf-8")
    questions, places = [], []
    for used in (False, True):
        opened = Python().open(recording, _silent)
        subject = opened.subject(opened.entries[0])
        subject.spectrum = subject.spectrum if used else None
        subject.plumbing = None  # to leave out the module's loading saves the same question
        with opened.oracles(subject, str(tmp_path), _silent) as oracles:
            (reference,) = (oracle for oracle in oracles if isinstance(oracle, Reference))
            reference.changed = None  # comparing the code leaves only the bug, and no choice of questions
            session = Session(subject, oracles=Chain(oracles))
        assert isinstance(session.outcome, Found)
        answers = [step for step in session.steps if isinstance(step, Answer)]
        assert {answer.source.oracle for answer in answers} == {"reference"}
        questions.append(len(answers))
        places.append(session.outcome.verdict.code)
    assert places[0] == places[1]
    assert questions[1] < questions[0]


def test_a_call_that_a_passing_test_made_too_has_a_default_answer(opened: OpenedPython) -> None:
    """It is only a default: the user is asked. Neither the rebate nor the bill is such a call."""
    subject = opened.subject(opened.entries[0])
    offered = {}
    with opened.oracles(subject, None, _silent) as oracles:
        chain = Chain([oracle for oracle in oracles if oracle.name == "passing tests"])
        for node in range(len(subject.tree)):
            behaviour = subject.behaviour(node)
            consulted = chain.consult(Question(subject.tree.facts(node), behaviour))
            assert consulted.answer is None
            offered[behaviour.text] = consulted.suggestion
    yes = {text for text, suggestion in offered.items() if suggestion == "yes"}
    tea = "{'name': 'tea', 'price': 60}"
    both = f"[{tea}, {tea}]"
    assert yes == {f"price({tea}) = 60", f"total({both}) = 120", "total([]) = 0", f"two() = {both}"}
    assert {"rebate(120) = 24", f"bill({both}) = 96"} <= offered.keys() - yes


def test_code_that_passing_tests_executed_is_found_too(subject: PythonSubject) -> None:
    price = next(n for n in range(len(subject.tree)) if subject.behaviour(n).text.startswith("price("))
    session = Session(subject)
    while session.subject is subject and not isinstance(session.outcome, Found):
        outcome = session.outcome
        assert isinstance(outcome, Ask)
        node = outcome.question.node
        session.answer(Judgement.NO if subject.tree.contains(node, price) else Judgement.YES)
    assert session.levels.path == (price,)
