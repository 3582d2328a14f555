"""Number of questions and amount of text that each strategy needs, on random trees and on mutants of real programs.

Every question is answered truthfully; equal behaviours are asked about once. `python -m benchmarks strategies`.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from time import perf_counter

import numpy as np
from attrs import frozen

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.space import Space
from adebug_lsp.search.strategies import DEFAULT, names, strategy
from benchmarks.corpora import Case, random_cases, realistic_cases

SEED = 2026
NODES = (20, 300)


@frozen
class Result:
    """One strategy on one case."""

    questions: int
    text: int
    seconds: float


def play(case: Case, name: str) -> Result:
    """Asks until the bug is found; checks that the node is buggy."""
    chooser = strategy(name)
    begin = perf_counter()
    space = Space(case.tree)
    asked: list[int] = []
    while space.any_askable():
        asked.append(chooser.choose(space))
        space.judge(asked[-1], Judgement.NO if asked[-1] in case.wrong else Judgement.YES)
    seconds = perf_counter() - begin
    if space.top not in case.buggy():
        raise AssertionError(f"{name} ended at node {space.top} of {case.name}, which is not buggy")
    return Result(len(asked), int(case.tree.cost[asked].sum()), seconds)


def main(arguments: Sequence[str]) -> None:
    """Prints one table per corpus."""
    parser = argparse.ArgumentParser(prog="benchmarks strategies", description=__doc__)
    parser.add_argument("--random", type=int, default=1500, metavar="N", help="random trees (default: %(default)s)")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="only every K-th realistic case")
    options = parser.parse_args(arguments)
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in random_cases(SEED, options.random, NODES):
        groups["random trees"].append(case)
        groups[f"random trees, a {case.name.split('/')[2]} is wrong"].append(case)
    groups["mutants of programs"] = list(realistic_cases())[:: options.every]
    results: dict[str, dict[str, Result]] = {}
    for name in names():
        results[name] = {case.name: play(case, name) for case in _distinct(groups.values())}
    for title, cases in groups.items():
        print(f"\n{title}: {len(cases)} cases, {np.median([len(c.tree) for c in cases]):.0f} nodes in the median\n")
        print(table(results, [case.name for case in cases]))


def _distinct(groups: Iterable[list[Case]]) -> list[Case]:
    return list({case.name: case for cases in groups for case in cases}.values())


def table(results: dict[str, dict[str, Result]], cases: Sequence[str]) -> str:
    """Means over the cases, sorted by number of questions."""
    rows = []
    for name, of_case in results.items():
        chosen = [of_case[case] for case in cases]
        questions = np.array([result.questions for result in chosen])
        text = np.mean([result.text for result in chosen])
        time = 1000 * sum(result.seconds for result in chosen) / max(questions.sum(), 1)
        rows.append((questions.mean(), text, np.percentile(questions, 90), questions.max(), time, name))
    lines = [
        "| strategy | questions | text read | 9 of 10 within | most | ms per question |",
        "|---|---|---|---|---|---|",
    ]
    for mean, text, most_cases, most, time, name in sorted(rows):
        shown = f"**{name}**" if name == DEFAULT else name
        lines.append(f"| {shown} | {mean:.2f} | {text:.0f} | {most_cases:.0f} | {most} | {time:.2f} |")
    return "\n".join(lines)
