"""`python -m benchmarks recording`: the tables.

All figures come from one run: the tools alternate on each program, round by round, and a ratio is the median over the
rounds of the tool's CPU time divided by that of the bare run next to it.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterable, Sequence
from math import exp, log, log2
from statistics import median

from attrs import frozen

from benchmarks.recording import measure, real_suites
from benchmarks.recording.cases import CASES, Case
from benchmarks.recording.measure import LEVELS, Sample, sample

FAST = ("settrace", "coverage")
SLOW = ("viztracer", "hunter", "snoop", "birdseye")
TOO_SLOW = 120.0

BUDGETS = {
    "calls: geometric mean": 1.7,
    "calls: worst": 2.5,
    "full: geometric mean": 2.5,
    "full: worst": 4.0,
    "memory bytes per event, median": 30.0,
    "file bytes per event, median": 8.0,
    "twice the work: CPU time, worst": 2.3,
    "twice the work: file, worst": 2.3,
}


@frozen
class Row:
    """Results of one program: the bare run, a ratio per tool, and a sample per recording level."""

    case: Case
    bare: Sample
    ratios: dict[str, float]
    levels: dict[str, Sample]


def main(arguments: Sequence[str]) -> None:
    """Runs the measurements and prints the tables."""
    options = _options(arguments)
    cases = [case for case in CASES if not options.programs or case.name in options.programs]
    peers = FAST if options.quick else (*FAST, *SLOW)
    tools = [*LEVELS, *(tool for tool in peers if tool == "settrace" or _installed(options.python, tool))]
    measure.compile_recorder(options.python)
    print(f"{_version(options.python)}, {measure.pin()}, rounds: {options.rounds}")
    missing = [tool for tool in peers if tool not in tools]
    if missing:
        print(f"not measured, because not installed in that interpreter: {', '.join(missing)} (pip install '.[bench]')")
    rows = [_row(case, tools, options) for case in cases]
    _print_times(rows, tools)
    _print_recordings(rows)
    figures = _figures(rows)
    if not options.quick:
        figures |= _print_growth(cases, options.python)
    _print_budgets(figures)
    if options.suites:
        real_suites.report(options.python, [tool for tool in tools if tool not in ("hunter", "snoop", "birdseye")])


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks recording", description=__doc__)
    parser.add_argument("programs", nargs="*", help="only these programs (default: all)")
    parser.add_argument("--quick", action="store_true", help="small sizes, one round, no growth, no slow tools")
    parser.add_argument("--rounds", type=int, help="number of runs of each tool (default: 3, quick: 1)")
    parser.add_argument("--python", default=sys.executable, help="the interpreter to measure")
    parser.add_argument("--suites", action="store_true", help="also two real test suites; downloads them if necessary")
    options = parser.parse_args(arguments)
    options.rounds = options.rounds or (1 if options.quick else 3)
    unknown = set(options.programs) - {case.name for case in CASES}
    if unknown:
        parser.error(f"unknown program {', '.join(sorted(unknown))}; known: {', '.join(case.name for case in CASES)}")
    return options


def _installed(python: str, module: str) -> bool:
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def _version(python: str) -> str:
    command = [python, "-c", "import sys; print(sys.implementation.name, sys.version.split()[0])"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _row(case: Case, tools: Sequence[str], options: argparse.Namespace) -> Row:
    size = case.quick if options.quick else case.size
    bares, samples = [], {tool: [] for tool in tools if tool not in SLOW}
    for _ in range(options.rounds):
        bares.append(sample("bare", options.python, case.name, size))
        for tool, tool_samples in samples.items():
            tool_samples.append(sample(tool, options.python, case.name, size))
    for tool, tool_samples in samples.items():
        _same_result(case, tool, bares[0], tool_samples[0])
    ratios = {
        tool: median(tool_sample.seconds / bare.seconds for tool_sample, bare in zip(tool_samples, bares, strict=True))
        for tool, tool_samples in samples.items()
    }
    ratios |= _slow_ratios(case, [tool for tool in tools if tool in SLOW], options.python)
    levels = {level: _middle(samples[level]) for level in LEVELS}
    print(f"{case.name}: done", file=sys.stderr)
    return Row(case, _middle(bares), ratios, levels)


def _slow_ratios(case: Case, tools: Iterable[str], python: str) -> dict[str, float]:
    """One run each at the tiny size, relative to the bare run of that size."""
    bare = sample("bare", python, case.name, case.tiny, least=0.1)
    ratios = {}
    for tool in tools:
        try:
            measured = sample(tool, python, case.name, case.tiny, limit=TOO_SLOW)
        except subprocess.TimeoutExpired:
            ratios[tool] = float("inf")
            continue
        _same_result(case, tool, bare, measured)
        ratios[tool] = measured.seconds / bare.seconds
    return ratios


def _same_result(case: Case, tool: str, bare: Sample, recorded: Sample) -> None:
    if bare.result != recorded.result:
        raise RuntimeError(f"{case.name} gave {recorded.result} under {tool} and {bare.result} bare")


def _middle(samples: Sequence[Sample]) -> Sample:
    return sorted(samples, key=lambda item: item.seconds)[len(samples) // 2]


def _print_times(rows: Sequence[Row], tools: Sequence[str]) -> None:
    print("\nCPU time of the program, as a multiple of the bare run")
    slow = [tool for tool in tools if tool in SLOW]
    if slow:
        print(f"({', '.join(slow)}: at a size that takes about a millisecond bare, once)")
    print()
    print(f"| program | bare (s) | {' | '.join(tools)} |")
    print("|---" * (2 + len(tools)) + "|")
    for row in rows:
        ratios = " | ".join(_times(row.ratios[tool]) for tool in tools)
        print(f"| {row.case.name} | {row.bare.seconds:.2f} | {ratios} |")
    columns = {tool: [row.ratios[tool] for row in rows] for tool in tools}
    print(f"| geometric mean | | {' | '.join(_times(_geometric(columns[tool])) for tool in tools)} |")
    print(f"| worst | | {' | '.join(_times(max(columns[tool])) for tool in tools)} |")


def _print_recordings(rows: Sequence[Row]) -> None:
    for level in LEVELS:
        print(f"\n{level}: cost of a recording\n")
        print("| program | events | whole process, times bare | closing (s) | memory per event | file per event |")
        print("|---|---|---|---|---|---|")
        for row in rows:
            recorded = row.levels[level]
            closing = max(recorded.closing - row.bare.closing, 0.0)
            whole, memory = _optional(_whole(row.bare, recorded), ".2f"), _optional(_memory(row.bare, recorded), ".1f")
            events = f"{recorded.recorded.events:,}"
            print(f"| {row.case.name} | {events} | {whole} | {closing:.2f} | {memory} | {_file(recorded):.2f} |")
    print("\nwhole process: with instrumenting, writing and closing, but without the start-up of a bare run")
    print("closing: from the end of the program to the end of the process by the clock, beyond what a bare run takes")


def _whole(bare: Sample, recorded: Sample) -> float | None:
    if bare.whole is None or recorded.whole is None:
        return None
    return (recorded.whole - bare.whole + bare.seconds) / bare.seconds


def _memory(bare: Sample, recorded: Sample) -> float | None:
    if bare.memory is None or recorded.memory is None:
        return None
    return (recorded.memory - bare.memory) / recorded.recorded.events


def _file(recorded: Sample) -> float:
    return recorded.recorded.file_bytes / recorded.recorded.events


def _figures(rows: Sequence[Row]) -> dict[str, float]:
    """The figures that have a budget, from the suite; memory and file are those of the default level."""
    figures = {}
    for tool, level in LEVELS.items():
        ratios = [row.ratios[tool] for row in rows]
        figures[f"{level}: geometric mean"] = _geometric(ratios)
        figures[f"{level}: worst"] = max(ratios)
    full = [(row.bare, row.levels["adebug full"]) for row in rows]
    memory = [value for pair in full if (value := _memory(*pair)) is not None]
    if memory:
        figures["memory bytes per event, median"] = median(memory)
    figures["file bytes per event, median"] = median(_file(recorded) for _bare, recorded in full)
    return figures


def _print_growth(cases: Sequence[Case], python: str) -> dict[str, float]:
    print("\nadebug full: what twice the work costs (from two sizes, for exactly twice the events)\n")
    print("| program | events | events, larger | CPU time | file |")
    print("|---|---|---|---|---|")
    worst = {"twice the work: CPU time, worst": 0.0, "twice the work: file, worst": 0.0}
    for case in cases:
        small = sample("adebug full", python, case.name, case.size)
        large = sample("adebug full", python, case.name, case.larger)
        doublings = log2(large.recorded.events / small.recorded.events)
        time = ((large.whole or large.seconds) / (small.whole or small.seconds)) ** (1 / doublings)
        file = (large.recorded.file_bytes / small.recorded.file_bytes) ** (1 / doublings)
        print(f"| {case.name} | {small.recorded.events:,} | {large.recorded.events:,} | {time:.2f} | {file:.2f} |")
        for name, value in zip(worst, (time, file), strict=True):
            worst[name] = max(worst[name], value)
    return worst


def _print_budgets(figures: dict[str, float]) -> None:
    print("\n| budget | at most | measured | |")
    print("|---|---|---|---|")
    for name, most in BUDGETS.items():
        if name in figures:
            verdict = "met" if figures[name] <= most else "missed"
            print(f"| {name} | {most} | {figures[name]:.2f} | {verdict} |")
        else:
            print(f"| {name} | {most} | not measured | |")


def _geometric(values: Sequence[float]) -> float:
    return exp(sum(map(log, values)) / len(values))


def _times(ratio: float) -> str:
    if ratio == float("inf"):
        return f"over {TOO_SLOW:.0f} s"
    return f"{ratio:.2f}" if ratio < 20 else f"{ratio:.0f}"


def _optional(value: float | None, form: str) -> str:
    return "unknown" if value is None else format(value, form)
