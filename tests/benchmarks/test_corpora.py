"""The corpora label their trees correctly and are deterministic."""

import ast
import subprocess
import sys
from os import pathsep

import numpy as np
import pytest

from adebug_lsp.model.source import Site
from benchmarks.corpora.case import Case, tree_of
from benchmarks.corpora.mutants import KINDS, Mutant, mutants
from benchmarks.corpora.random_trees import SHAPES, preorder, random_cases
from benchmarks.corpora.realistic import case_of, program_cases, program_names, source_of
from benchmarks.corpora.recording import Program

QUICK = ("dates", "ledger", "merge_sort", "run_length", "vigenere")

SORTING = """
def insert(item, items):
    if not items or item <= items[0]:
        return (item, *items)
    return (items[0], *insert(item, items[1:]))


def sort(items):
    if not items:
        return ()
    return insert(items[0], sort(items[1:]))


INPUTS = [("sort", (2, 3, 1))]
"""

LOOPS = """
def count(number):
    total = 0
    while number > 0:
        total = total + 1
        number = number - 1
    return total


def down(number):
    if number == 0:
        return 0
    return down(number - 1)


def share(total, parts):
    return total // parts


def careful(total, parts):
    try:
        return share(total, parts)
    except ZeroDivisionError:
        return 0


INPUTS = [("count", 3), ("down", 3), ("careful", 3, 0), ("share", 3, 0)]
"""


def _same(left: Case, right: Case) -> bool:
    columns = zip(left.tree.columns().values(), right.tree.columns().values(), strict=True)
    equal = all(np.array_equal(mine, yours) for mine, yours in columns)
    return equal and (left.name, left.wrong, left.tree.sites) == (right.name, right.wrong, right.tree.sites)


def _check(case: Case) -> None:
    tree = case.tree
    count = len(tree)
    parents, sizes = tree.parent.tolist(), tree.size.tolist()
    assert parents[0] == -1
    assert sizes[0] == count
    for node in range(1, count):
        above = parents[node]
        assert 0 <= above < node
        assert node + sizes[node] <= above + sizes[above]
    assert sum(sizes[child] for child in tree.children(0)) == count - 1
    assert max(tree.site.tolist()) < len(tree.sites)
    assert min(tree.cost.tolist()) > 0
    assert np.all(tree.last - tree.first == 2 * tree.size - 1)
    assert 0 in case.wrong
    assert case.buggy()
    for node in case.buggy():
        assert not case.wrong.intersection(tree.children(node))


# Random trees


def test_random_trees_match_their_specification() -> None:
    cases = list(random_cases(7, 400, (1, 90)))
    for case in cases:
        _check(case)
        assert 1 <= len(case.tree) <= 90
    assert {case.name.split("/")[0] for case in cases} == {*SHAPES, "call-graph"}
    assert len({case.name for case in cases}) == 400


def test_random_trees_depend_on_the_seed_only() -> None:
    first, again = list(random_cases(3, 60, (5, 50))), list(random_cases(3, 90, (5, 50)))
    assert all(map(_same, first, again[:60]))
    other = list(random_cases(4, 60, (5, 50)))
    assert not any(map(_same, first, other))


def test_a_buggy_rule_makes_all_buggy_nodes() -> None:
    several = 0
    for case in random_cases(11, 300, (20, 120)):
        buggy = case.buggy()
        assert len({int(case.tree.site[node]) for node in buggy}) == 1
        if "/node/" in case.name:
            assert len(buggy) == 1
            (node,) = buggy
            assert case.wrong == {node, *case.tree.ancestors(node)}
        several += len(buggy) > 1
    assert several > 30


def test_preorder_keeps_siblings_in_order() -> None:
    assert preorder([-1, 0, 0, 1, 2, 1]) == [-1, 0, 1, 1, 0, 4]


def test_tree_of_gives_sizes_and_events() -> None:
    tree = tree_of([-1, 0, 1, 0], [0, 1, 1, 0], [5, 6, 7, 8], [Site("a"), Site("b")])
    assert tree.size.tolist() == [4, 2, 1, 1]
    assert tree.first.tolist() == [0, 1, 2, 5]
    assert tree.last.tolist() == [7, 4, 3, 6]


# Mutants


def _only(source: str, kind: str) -> list[str]:
    return [mutant.change for mutant in mutants(source) if mutant.kind == kind]


@pytest.mark.parametrize(
    ("kind", "body", "change"),
    [
        ("arithmetic", "return a + b", "a + b -> a - b"),
        ("comparison", "return a < b", "a < b -> a <= b"),
        ("off-by-one", "return a[3]", "3 -> 4"),
        ("connective", "return a and b", "a and b -> a or b"),
        ("negation", "return 1 if a else b", "a -> not a"),
        ("dropped-operand", "return a + b", "a + b -> a"),
        ("variable", "return len(a)", "a -> b"),
        ("arguments", "return f(a, b)", "f(a, b) -> f(b, a)"),
        ("base-case", "return True", "True -> False"),
        ("result", "if a: return b\n return a", "b -> a"),
        ("branches", "return a if b else 0", "a if b else 0 -> 0 if b else a"),
        ("slice-bound", "return a[1:b]", "1:b -> 1:"),
    ],
)
def test_every_kind_of_mutant_is_made(kind: str, body: str, change: str) -> None:
    assert kind in KINDS
    assert change in _only(f"def f(a, b):\n {body}\n", kind)


def test_a_mutant_differs_in_one_function_and_no_two_are_the_same() -> None:
    source = source_of("roman")
    originals = {node.name: ast.unparse(node) for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    texts = [(mutant.function, ast.unparse(mutant.definition)) for mutant in mutants(source)]
    assert len(set(texts)) == len(texts)
    assert all(originals[name] != text for name, text in texts)


def test_bool_constants_are_not_counted_up() -> None:
    assert _only("def f(a):\n return (a, True)\n", "off-by-one") == []


# Recordings


def _mutant(source: str, change: str) -> Mutant:
    return next(mutant for mutant in mutants(source) if mutant.change == change)


def test_a_known_mutant_gives_the_known_wrong_nodes() -> None:
    program = Program(SORTING)
    changed = _mutant(SORTING, "item <= items[0] -> item >= items[0]").definition
    run = program.record(program.inputs[0], changed)
    assert run is not None
    case = case_of("sorting", program, run)
    assert [run.text(node) for node in range(len(run))] == [
        "sort((2, 3, 1)) = (3, 2, 1)",
        "sort((3, 1)) = (3, 1)",
        "sort((1,)) = (1,)",
        "sort(()) = ()",
        "insert(1, ()) = (1,)",
        "insert(3, (1,)) = (3, 1)",
        "insert(2, (3, 1)) = (3, 2, 1)",
        "insert(2, (1,)) = (2, 1)",
    ]
    assert case.tree.parent.tolist() == [-1, 0, 1, 2, 2, 1, 0, 6]
    assert case.wrong == {0, 1, 5, 6, 7}
    assert case.buggy() == {5, 7}
    assert case.tree.site_of(3).rule == "sort#1"
    assert case.tree.site_of(7).rule == "insert#1"
    assert case.tree.cost.tolist() == [len(run.text(node)) for node in range(len(run))]


def test_the_unchanged_program_has_no_wrong_nodes() -> None:
    for name in QUICK:
        program = Program(source_of(name))
        for entry in program.inputs:
            run = program.record(entry)
            assert run is not None
            assert not case_of(name, program, run).wrong


def test_a_changed_function_is_put_back() -> None:
    program = Program(SORTING)
    before = program.record(program.inputs[0])
    program.record(program.inputs[0], _mutant(SORTING, "item <= items[0] -> item >= items[0]").definition)
    assert program.record(program.inputs[0]) == before


def test_an_exception_is_an_outcome() -> None:
    program = Program(LOOPS)
    caught, raised = program.record(program.inputs[2]), program.record(program.inputs[3])
    assert caught is not None
    assert raised is not None
    assert caught.outcomes[0] == "= 0"
    assert caught.outcomes[1].startswith("raises ZeroDivisionError")
    assert (caught.raised(0), caught.raised(1), raised.raised(0)) == (False, True, True)
    tree = case_of("loops", program, caught).tree
    assert tree.raised.tolist() == [0, 1]
    assert tree.site_of(1).rule == "share#raised"


@pytest.mark.parametrize(("entry", "change"), [(0, "number - 1 -> number"), (1, "number - 1 -> number + 1")])
def test_an_endless_mutant_is_given_up(entry: int, change: str) -> None:
    program = Program(LOOPS)
    call = program.inputs[entry]
    (changed,) = (mutant for mutant in mutants(LOOPS) if (mutant.function, mutant.change) == (call[0], change))
    assert program.record(call) is not None
    assert program.record(call, changed.definition) is None


def test_a_call_that_the_original_program_cannot_answer_is_wrong() -> None:
    program = Program(LOOPS)
    assert program.truth("down", (-1,), "(-1,)") is None
    assert program.truth("down", (2,), "(2,)") == "= 0"


# Cases of real runs


@pytest.mark.parametrize("name", QUICK)
def test_real_cases_match_their_specification(name: str) -> None:
    cases = list(program_cases(name))
    assert len(cases) == len({case.name for case in cases}) > 30
    for case in cases:
        _check(case)
        assert len(case.tree) >= 5
        program, function, kind, _ = case.name.split("/", 3)
        assert program == name
        assert kind in KINDS
        assert {case.tree.site_of(node).routine for node in case.buggy()} == {function}
        assert _equal_nodes_agree(case)


def _equal_nodes_agree(case: Case) -> bool:
    verdicts: dict[int, bool] = {}
    behaviours = case.tree.behaviour.tolist()
    return all(
        verdicts.setdefault(behaviour, node in case.wrong) == (node in case.wrong)
        for node, behaviour in enumerate(behaviours)
    )


def test_there_are_many_programs() -> None:
    assert len(program_names()) >= 25
    for name in program_names():
        functions = {node.name for node in ast.parse(source_of(name)).body if isinstance(node, ast.FunctionDef)}
        assert {entry[0] for entry in Program(source_of(name)).inputs} <= functions


def test_cases_are_the_same_in_another_process() -> None:
    script = (
        "from hashlib import sha256\n"
        "from benchmarks.corpora.random_trees import random_cases\n"
        "from benchmarks.corpora.realistic import program_cases\n"
        "digest = sha256()\n"
        "for case in (*program_cases('run_length'), *random_cases(5, 50, (5, 60))):\n"
        "    digest.update(repr((case.name, sorted(case.wrong), case.tree.cost.tolist())).encode())\n"
        "print(digest.hexdigest())\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": pathsep.join(filter(None, sys.path))},
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
