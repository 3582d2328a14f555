"""Worst-case number of questions of the default strategy, compared with optimal divide and query.

Small random trees, all possible answers to every question. `python -m benchmarks worst-case`.
"""

import argparse
from collections import Counter
from collections.abc import Sequence

from adebug_lsp.model.answers import Judgement
from adebug_lsp.search.space import Floats, Space
from adebug_lsp.search.strategies import DEFAULT, strategy
from adebug_lsp.search.strategy import Strategy
from adebug_lsp.tree.columns import ExecutionTree
from benchmarks.corpora import random_cases

SEED = 2026
NODES = (2, 20)


def main(arguments: Sequence[str]) -> None:
    """Prints the frequency of each ratio of worst cases."""
    parser = argparse.ArgumentParser(prog="benchmarks worst-case", description=__doc__)
    parser.add_argument("--trees", type=int, default=3000, metavar="N", help="random trees (default: %(default)s)")
    options = parser.parse_args(arguments)
    ratios: Counter[str] = Counter()
    largest = 0.0
    for case in random_cases(SEED, options.trees, NODES):
        ours, optimal = (worst_case(strategy(name), case.tree) for name in (DEFAULT, "divide-and-query-optimal"))
        largest = max(largest, ours / optimal)
        ratios["fewer" if ours < optimal else "the same" if ours == optimal else "more"] += 1
    print(f"\n{options.trees} trees of {NODES[0]} to {NODES[1]} nodes: in the worst case {DEFAULT} asks", end=" ")
    print(", ".join(f"{kind} in {count}" for kind, count in ratios.most_common()), end="; ")
    print(f"at most {largest:.2f} times as many as divide-and-query-optimal")


def worst_case(
    chooser: Strategy,
    tree: ExecutionTree,
    answers: tuple[tuple[int, Judgement], ...] = (),
    suspicion: Floats | None = None,
) -> int:
    """Length of the longest session over all possible answers."""
    space = Space(tree, suspicion=suspicion)
    for node, judgement in answers:
        space.judge(node, judgement)
    if not space.any_askable():
        return 0
    node = chooser.choose(space)
    both = (Judgement.YES, Judgement.NO)
    return 1 + max(worst_case(chooser, tree, (*answers, (node, judgement)), suspicion) for judgement in both)
