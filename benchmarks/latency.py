"""Latency of the next question on large trees, its growth with the size, and memory per node.

Each size runs in its own process. `python -m benchmarks latency`.
"""

import argparse
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Sequence
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np

from adebug_lsp.model.answers import Judgement
from adebug_lsp.model.source import Site
from adebug_lsp.search.space import Space
from adebug_lsp.search.strategies import strategy
from adebug_lsp.tree.columns import BYTES_PER_NODE, COLUMNS, Column, ExecutionTree

STRATEGIES = (
    "divide-and-query-shapiro",
    "divide-and-query-hirunkitti",
    "divide-and-query-optimal",
    "divide-and-query-biased",
    "divide-by-yes",
    "expected-cost",
)
SIZES = (100_000, 1_000_000, 10_000_000)
TILE = 20_000
RULES = 200


def main(arguments: Sequence[str]) -> None:
    """Prints one table per size."""
    parser = argparse.ArgumentParser(prog="benchmarks latency", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of nodes (default: %(default)s)")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        measure(options.one)
        return
    measured = [_in_a_process(size) for size in options.sizes]
    for measurement in measured:
        print(f"\n{measurement['nodes']:,} nodes; {BYTES_PER_NODE} bytes each in the columns\n")
        print("| strategy | questions | first (ms) | slowest (ms) | median (ms) | bytes per node beside the columns |")
        print("|---|---|---|---|---|---|")
        for name, (count, first, slowest, median, memory) in measurement["strategies"].items():
            print(f"| {name} | {count} | {first:.1f} | {slowest:.1f} | {median:.1f} | {memory:.1f} |")
    for small, large in pairwise(measured):
        doublings = np.log2(large["nodes"] / small["nodes"])
        slower = [large["strategies"][name][2] / small["strategies"][name][2] for name in STRATEGIES]
        least, most = min(slower) ** (1 / doublings), max(slower) ** (1 / doublings)
        sizes = f"from {small['nodes']:,} to {large['nodes']:,} nodes"
        print(f"\n{sizes}: twice the nodes take {least:.1f} to {most:.1f} times as long (slowest question)")


def _in_a_process(size: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks", "latency", "--one", str(size)]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def measure(size: int) -> None:
    """Searches one tree with each strategy, and prints the measurements as JSON."""
    tree = large_tree(size)
    rows = {}
    for name in STRATEGIES:
        times = _search(tree, name, bug=len(tree) * 2 // 3)
        memory = _memory(tree, name) / len(tree)
        rows[name] = (len(times), times[0], max(times), float(np.median(times)), memory)
    print(json.dumps({"nodes": len(tree), "strategies": rows}))


def _search(tree: ExecutionTree, name: str, bug: int) -> list[float]:
    chooser = strategy(name)
    space = Space(tree)
    times = []
    while space.any_askable():
        begin = perf_counter()
        node = chooser.choose(space)
        space.judge(node, Judgement.NO if tree.contains(node, bug) else Judgement.YES)
        space.any_askable()
        times.append(1000 * (perf_counter() - begin))
    return times


def large_tree(size: int) -> ExecutionTree:
    """Copies of one random call tree under a binary tree of callers, as in a program that repeats similar work."""
    parents, sizes = _random_tree(TILE)
    rng = np.random.default_rng(1)
    sites, costs = rng.integers(1, RULES, TILE), rng.lognormal(4, 1, TILE)
    while len(sizes) < size:
        left, right = parents + 1, parents + 1 + len(parents)
        left[0] = right[0] = 0
        parents = np.concatenate([[-1], left, right])
        sizes = np.concatenate([[2 * len(sizes) + 1], sizes, sizes])
        sites = np.concatenate([[0], sites, sites])
        costs = np.concatenate([[200], costs, costs])
    columns: dict[str, Column] = {name: np.zeros(len(sizes), dtype=kind) for name, kind in COLUMNS.items()}
    for name, values in (("parent", parents), ("size", sizes), ("site", sites), ("cost", costs)):
        columns[name][:] = values
    return ExecutionTree(**columns, sites=[Site(f"r{number}", f"r{number}") for number in range(RULES)])


def _random_tree(size: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    parents, path = [-1], [0]
    for node in range(1, size):
        up = int(rng.geometric(0.5)) - 1 + (5 if len(path) > 60 else 0)
        del path[max(len(path) - up, 1) :]
        parents.append(path[-1])
        path.append(node)
    sizes = [1] * size
    for node in range(size - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    return np.array(parents), np.array(sizes)


def _memory(tree: ExecutionTree, name: str) -> int:
    """Peak memory in bytes of the first question, which examines the whole tree."""
    tracemalloc.start()
    strategy(name).choose(Space(tree))
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most
