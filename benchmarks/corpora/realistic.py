"""Cases from real runs: small programs, each with one mistake at a time, run with their calls recorded.

A node is wrong when the unchanged program, given the same function and arguments, has another outcome. A case is kept
when the root is wrong. Cases with the same shape, rules and wrong nodes count once. A rule is a function together with
the `return` that ended the call. Calls of the same function with the same arguments share a behaviour.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from adebug_lsp.model.source import Site
from benchmarks.corpora.case import Case, tree_of
from benchmarks.corpora.mutants import KINDS, Mutant, mutants
from benchmarks.corpora.recording import Program, Recording

PROGRAMS = Path(__file__).parent / "programs"

MOST_CASES = 48
"""Cases of one program that are kept."""

MOST_RAISED = MOST_CASES // 3
"""Of these, how many may end in an exception: most mistakes in real programs do not show themselves so plainly."""

MOST_INPUTS = 2
"""Inputs on which one mutant is kept."""

LEAST_NODES = 5


def realistic_cases() -> Iterator[Case]:
    """All cases of all programs, in a fixed order."""
    for name in program_names():
        yield from program_cases(name)


def program_names() -> list[str]:
    """The programs, by the names of their modules."""
    return sorted(path.stem for path in PROGRAMS.glob("*.py") if not path.stem.startswith("_"))


def source_of(name: str) -> str:
    """The text of a program."""
    return (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")


def program_cases(name: str) -> Iterator[Case]:
    """The cases of one program; their names are program/function/kind of mutant/input/place: change."""
    source = source_of(name)
    program = Program(source)
    seen = set()
    kept = raised = 0
    for number, mutant in enumerate(_mixed(list(mutants(source)), Random(name))):
        found = 0
        for attempt in range(len(program.inputs)):
            chosen = (number + attempt) % len(program.inputs)
            run = program.record(program.inputs[chosen], mutant.definition)
            if run is None:
                break  # what is endless on one input is likely to be so on others
            if len(run) < LEAST_NODES or not is_wrong(program, run, 0):
                continue
            if run.raised(0) and raised == MOST_RAISED:
                continue
            where = f"{mutant.line}:{mutant.column}"
            title = f"{name}/{mutant.function}/{mutant.kind}/{chosen}/{where}: {mutant.change}"
            case = case_of(title, program, run)
            key = (case.tree.parent.tobytes(), case.tree.site.tobytes(), case.wrong)
            if key in seen:
                continue
            seen.add(key)
            yield case
            found += 1
            kept += 1
            raised += run.raised(0)
            if kept == MOST_CASES:
                return
            if found == MOST_INPUTS:
                break


def _mixed(all_mutants: list[Mutant], random: Random) -> Iterator[Mutant]:
    """All mutants, one of each kind in turn."""
    random.shuffle(all_mutants)
    kinds = [[mutant for mutant in all_mutants if mutant.kind == kind] for kind in KINDS]
    for index in range(max(map(len, kinds))):
        yield from (kind[index] for kind in kinds if index < len(kind))


def case_of(name: str, program: Program, run: Recording) -> Case:
    """The tree of a run, with the nodes that the unchanged program disagrees with."""
    sites: dict[Site, int] = {}
    behaviours: dict[str, int] = {}
    rules, costs, equal = [], [], []
    for node in range(len(run)):
        function, text = run.functions[node], run.text(node)
        rule = f"{function}#{run.branches[node] or 'raised'}"
        rules.append(sites.setdefault(Site(rule, function), len(sites)))
        costs.append(len(text))
        equal.append(behaviours.setdefault(text, 1 + len(behaviours)))
    raised = [run.raised(node) for node in range(len(run))]
    tree = tree_of(run.parents, rules, costs, list(sites), raised=raised, behaviours=equal)
    return Case(name, tree, frozenset(node for node in range(len(run)) if is_wrong(program, run, node)))


def is_wrong(program: Program, run: Recording, node: int) -> bool:
    """Whether the unchanged program has another outcome for the same call."""
    return program.truth(run.functions[node], run.values[node], run.arguments[node]) != run.outcomes[node]
