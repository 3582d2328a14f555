"""Prints a summary of the corpora: `python -m benchmarks.corpora`."""

from collections import Counter
from itertools import groupby
from statistics import median
from time import perf_counter

from benchmarks.corpora.case import Case
from benchmarks.corpora.random_trees import random_cases
from benchmarks.corpora.realistic import program_cases, program_names

_COLUMNS = {"cases": 6, "raised": 8, "nodes": 8, "largest": 9, "rules": 7, "wrong": 7, "buggy": 7, "cost": 6, "s": 6}
_HEAD = " " * 18 + "".join(f"{name:>{width}}" for name, width in _COLUMNS.items())


def realistic_summary() -> list[str]:
    """One line per program: medians of nodes, executed rules, wrong and buggy nodes, and cost of a question."""
    lines, every = [_HEAD], []
    for name in program_names():
        start = perf_counter()
        cases = list(program_cases(name))
        lines.append(_line(name, cases, perf_counter() - start))
        every += cases
    kinds = Counter(case.name.split("/")[2] for case in every)
    return [*lines, _line("all", every, 0), ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())]


def random_summary(seed: int, count: int, nodes: tuple[int, int]) -> list[str]:
    """One line per shape, with the columns of `realistic_summary`."""
    start = perf_counter()
    cases = sorted(random_cases(seed, count, nodes), key=_group)
    time = perf_counter() - start
    groups = [_line(shape, list(members), 0) for shape, members in groupby(cases, _group)]
    return [_HEAD, *groups, _line("all", cases, time)]


def _group(case: Case) -> str:
    return case.name.split("/")[0]


def _line(name: str, cases: list[Case], seconds: float) -> str:
    sizes = [len(case.tree) for case in cases]
    rules = median(len(set(case.tree.site.tolist())) for case in cases)
    cost = median(median(case.tree.cost.tolist()) for case in cases)
    wrong, buggy = median(len(case.wrong) for case in cases), median(len(case.buggy()) for case in cases)
    raised = sum(int(case.tree.raised[0]) for case in cases)
    return (
        f"{name:18}{len(cases):6}{raised:8}{median(sizes):8.0f}{max(sizes):9}{rules:7.0f}"
        f"{wrong:7.0f}{buggy:7.0f}{cost:6.0f}{seconds:6.1f}"
    )


if __name__ == "__main__":
    print("\n".join(realistic_summary()))
    print("\n".join(random_summary(1, 10_000, (20, 300))))
