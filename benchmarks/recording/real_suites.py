"""Overhead of recording real test suites: whole pytest processes, with imports, collection and pytest's own work.

The interpreter needs pytest. Tools that are hundreds of times slower than the program are excluded: a suite would take
hours.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.recording.measure import LEVELS, Recorded, command_of, recorded_in, run
from tests.fidelity.fetch import source_of
from tests.fidelity.running import copy_of
from tests.fidelity.suites import PACKAGES

SUITES = ("toolz", "more-itertools")
QUIET = ("-q", "-p", "no:cacheprovider", "-o", "addopts=")


def report(python: str, tools: Sequence[str]) -> None:
    """Prints one row per suite; each tool runs once."""
    print("\nwhole test suites, CPU time of the process as a multiple of the bare run\n")
    print(f"| suite | bare (s) | {' | '.join(tools)} | events | file per event |")
    print("|---" * (4 + len(tools)) + "|")
    for package in PACKAGES:
        if package.name not in SUITES:
            continue
        with tempfile.TemporaryDirectory(prefix="adebug-bench-") as name:
            workspace, out = Path(name) / "workspace", Path(name) / "recording"
            workspace.mkdir()
            copy_of(source_of(package))(workspace)
            program = ("-m", "pytest", *QUIET, *package.tests)
            bare = run(command_of("bare", python, out, workspace, program), workspace, 600).cpu
            if bare is None:
                print(f"| {package.name} | this system does not report the CPU time of a process |")
                continue
            ratios = []
            for tool in tools:
                try:
                    cpu = run(command_of(tool, python, out, workspace, program), workspace, 1800).cpu
                except RuntimeError as error:
                    if tool in LEVELS:
                        raise
                    print(error, file=sys.stderr)  # out of memory
                    ratios.append("failed")
                    continue
                ratios.append(f"{(cpu or 0) / bare:.2f}")
                if tool in LEVELS:
                    recorded = recorded_in(out)
            print(f"| {package.name} | {bare:.2f} | {' | '.join(ratios)} | {_facts(recorded)} |")
        print(f"{package.name}: done", file=sys.stderr)


def _facts(recorded: Recorded) -> str:
    return f"{recorded.events:,} | {recorded.file_bytes / recorded.events:.2f}"
