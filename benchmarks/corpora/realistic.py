"""Cases from real runs: recorded calls of small programs, each with one mutation at a time.

A node is wrong if the same call has another outcome in the original program. A case is kept
if the root is wrong. Cases with the same shape, rules and wrong nodes count once. A rule is a function together with
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
"""Maximum number of cases kept per program."""

MOST_RAISED = MOST_CASES // 3
"""Maximum number of these that may end in an exception: most real bugs are less obvious."""

MOST_INPUTS = 2
"""Maximum number of inputs kept per mutant."""

LEAST_NODES = 5


def realistic_cases() -> Iterator[Case]:
    """All cases of all programs, in a fixed order."""
    for name in program_names():
        yield from program_cases(name)


def program_names() -> list[str]:
    """Module names of the programs."""
    return sorted(path.stem for path in PROGRAMS.glob("*.py") if not path.stem.startswith("_"))


def source_of(name: str) -> str:
    """Source text of a program."""
    return (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")


def program_cases(name: str) -> Iterator[Case]:
    """The cases of one program; their names are program/function/kind of mutant/input/place: change."""
    source = source_of(name)
    program = Program(source)
    seen = set()
    kept = raised = 0
    for number, mutant in enumerate(_mixed(list(mutants(source)), Random(name))):
        inputs = 0
        for attempt in range(len(program.inputs)):
            chosen = (number + attempt) % len(program.inputs)
            run = program.record(program.inputs[chosen], mutant.definition)
            if run is None:
                break  # a mutant that is endless on one input is likely to be endless on others
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
            inputs += 1
            kept += 1
            raised += run.raised(0)
            if kept == MOST_CASES:
                return
            if inputs == MOST_INPUTS:
                break


def _mixed(all_mutants: list[Mutant], random: Random) -> Iterator[Mutant]:
    """All mutants, round-robin over the kinds."""
    random.shuffle(all_mutants)
    kinds = [[mutant for mutant in all_mutants if mutant.kind == kind] for kind in KINDS]
    for index in range(max(map(len, kinds))):
        yield from (kind[index] for kind in kinds if index < len(kind))


def case_of(name: str, program: Program, run: Recording) -> Case:
    """The tree of a run; its wrong nodes are those that the original program disagrees with."""
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
    """Whether the original program has another outcome for the same call."""
    return program.truth(run.functions[node], run.values[node], run.arguments[node]) != run.outcomes[node]
