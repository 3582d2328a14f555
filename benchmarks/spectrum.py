"""The value of passing tests: questions of the default strategy with and without the coverage of all tests.

Two corpora: the pytest projects of `tests/programs`, answered by their fixed twins, and the mutants of `corpora`, where
each input of a program counts as one test. `python -m benchmarks spectrum`.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from attrs import frozen

from adebug_lsp.languages.language import Entry, Request, silent
from adebug_lsp.languages.python.language import OpenedPython, Python
from adebug_lsp.languages.python.questions.spectrum import Floats, ochiai
from adebug_lsp.model.answers import Answer, Judgement
from adebug_lsp.oracles.chain import Chain
from adebug_lsp.search.space import Space
from adebug_lsp.search.strategies import DEFAULT, strategy
from adebug_lsp.session.outcome import Ask
from adebug_lsp.session.session import Session
from benchmarks.corpora.case import Case
from benchmarks.corpora.mutants import mutants
from benchmarks.corpora.realistic import LEAST_NODES, case_of, is_wrong, program_names, source_of
from benchmarks.corpora.recording import Program, Recording

PROJECTS = Path(__file__).parent.parent / "tests" / "programs"


@frozen
class Compared:
    """Numbers of questions of one search without and with the spectrum."""

    name: str
    nodes: int
    passing: int
    without: int
    using: int


def main(arguments: Sequence[str]) -> None:
    """Prints one table for the projects and one line for the mutants."""
    parser = argparse.ArgumentParser(prog="benchmarks spectrum", description=__doc__)
    parser.add_argument(
        "--every", type=int, default=4, metavar="K", help="only every K-th mutant (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    projects = [comparison for name in project_names() for comparison in compare_project(name)]
    print("\n| failing test | nodes | passing tests | questions without | with the spectrum |\n|---|---|---|---|---|")
    for row in projects:
        print(f"| {row.name} | {row.nodes} | {row.passing} | {row.without} | {row.using} |")
    print(f"\nfailing tests of projects: {summary(projects)}")
    comparisons = [comparison for name in program_names() for comparison in compare_mutants(name, options.every)]
    print(f"mutants of programs: {summary(comparisons)}")


def summary(comparisons: Sequence[Compared]) -> str:
    """Means, and the number of cases in which the spectrum helped."""
    without, using = (
        np.array([comparison.without for comparison in comparisons]),
        np.array([comparison.using for comparison in comparisons]),
    )
    counts = f"fewer in {(using < without).sum()}, more in {(using > without).sum()} of {len(comparisons)}"
    return f"{without.mean():.2f} questions without the spectrum, {using.mean():.2f} with it; {counts}"


# Projects


def project_names() -> list[str]:
    """The programs that have a pytest suite."""
    return sorted(path.parent.name for path in PROJECTS.glob("*/tests"))


def compare_project(name: str) -> Iterator[Compared]:
    """Searches for the bug from each failing test of a project; its fixed twin answers."""
    with tempfile.TemporaryDirectory(prefix="adebug-") as temporary:
        workspace, twin = Path(temporary) / name, Path(temporary) / "fixed"
        shutil.copytree(PROJECTS / name, workspace, ignore=shutil.ignore_patterns("fixed", ".*", "__pycache__"))
        shutil.copytree(PROJECTS / name / "fixed", twin)
        recording = Path(temporary) / "run.adebug"
        record_tests(workspace, recording)
        for entry in (entry for entry in opened(recording).entries if entry.failed):
            without, _ = search(opened(recording), entry, twin, spectrum=False)
            using, session = search(opened(recording), entry, twin, spectrum=True)
            title = f"{name}: {entry.name.rpartition('::')[2]}"
            passing = sum(not other.failed for other in opened(recording).entries)
            yield Compared(title, len(session.run.tree), passing, without, using)


def record_tests(workspace: Path, out: Path) -> None:
    """Records the tests of a project, with pytest's output reduced to one line."""
    quiet = ("-qq", "--tb=no", "--no-summary", "--no-header", "-p", "no:cacheprovider")
    tests = (*quiet, f"--rootdir={workspace}", str(workspace))
    request = Request(workspace=workspace, tests=tests, interpreter=Path(sys.executable))
    Python().record(request, out, silent)


def opened(recording: Path) -> OpenedPython:
    """Opens a recording afresh."""
    return Python().open(recording, silent)


def search(run: OpenedPython, entry: Entry, twin: Path, *, spectrum: bool) -> tuple[int, Session]:
    """Searches, with "don't know" if the twin cannot answer; returns the number of answers and the session."""
    subject = run.subject(entry)
    if not spectrum:
        subject.spectrum = None
    with run.oracles(subject, str(twin), silent) as oracles:
        session = Session(subject, oracles=Chain(oracles))
        while isinstance(session.outcome, Ask):
            session.answer(Judgement.UNKNOWN)
    return sum(isinstance(step, Answer) for step in session.steps), session


# Mutants


def compare_mutants(name: str, every: int) -> Iterator[Compared]:
    """Searches for the bug of each mutant on each input that shows it; the other inputs are the other tests."""
    source = source_of(name)
    program = Program(source)
    for mutant in list(mutants(source))[::every]:
        runs = [program.record(arguments, mutant.definition) for arguments in program.inputs]
        if any(run is None for run in runs):
            continue
        tests = [run for run in runs if run is not None]
        failing = [run for run in tests if is_wrong(program, run, 0)]
        passing = [run for run in tests if not is_wrong(program, run, 0)]
        if not passing:
            continue
        for run in failing:
            if len(run) >= LEAST_NODES:
                case = case_of(f"{name}: {mutant.change}", program, run)
                suspicion = suspicion_of(case, passing, failing)
                without, using = ask(case, None), ask(case, suspicion)
                yield Compared(case.name, len(case.tree), len(passing), without, using)


def suspicion_of(case: Case, passing: Sequence[Recording], failing: Sequence[Recording]) -> Floats:
    """Suspicion of each rule of a case."""
    counts = [
        np.array([sum(site.rule in rules for rules in map(_rules, runs)) for site in case.tree.sites])
        for runs in (passing, failing)
    ]
    return ochiai(counts[0], counts[1], len(failing))


def _rules(run: Recording) -> set[str]:
    return {f"{run.functions[node]}#{run.branches[node] or 'raised'}" for node in range(len(run))}


def ask(case: Case, suspicion: Floats | None) -> int:
    """Asks until the bug is found; returns the number of questions."""
    space, chooser, asked = Space(case.tree, suspicion=suspicion), strategy(DEFAULT), 0
    while space.any_askable():
        node = chooser.choose(space)
        space.judge(node, Judgement.NO if node in case.wrong else Judgement.YES)
        asked += 1
    if space.top not in case.buggy():
        raise AssertionError(f"the search ended at node {space.top} of {case.name}, which is not buggy")
    return asked
