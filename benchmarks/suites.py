"""From a failing suite to the first question: `adebug test` on test suites of packages, each with one bug put in.

The budget is the bare suite × 1.15, plus the failing test alone, plus 2 s. CPU time of all processes is measured, since
other work on the machine disturbs it least, with an empty cache of rewritten modules. `python -m benchmarks suites`;
source distributions are downloaded with pip.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from attrs import frozen

from benchmarks.recording.measure import children_cpu
from tests.fidelity.fetch import source_of
from tests.fidelity.running import copy_of
from tests.fidelity.suites import PACKAGES, Package
from tests.support import ROOT

TIMES, SECONDS = 1.15, 2.0
"""The budget: so many times the bare suite, and so many seconds beside the failing test."""
WORKERS = ("-p", "xdist.plugin", "-n", "2")
QUIET = ("-q", "--tb=no", "--no-header", "-p", "no:cacheprovider", "-o", "addopts=")
TOMLKIT = Package("tomlkit", "0.15.2", "83e32755ba1d20d9340bd069ee97e9f6232ba2346b63ffcba425de01f7e327a6")


@frozen
class Bug:
    """A change of one line that makes tests of a package fail."""

    package: str
    file: str
    right: str
    wrong: str


BUGS = (
    Bug("boltons", "boltons/mathutils.py", "i = bisect.bisect_left(options, x)", "i = bisect.bisect(options, x)"),
    Bug("tomlkit", "tomlkit/_utils.py", "time(hour, minute, second, microsecond)", "time(hour, minute, second)"),
    Bug("mistune", "src/mistune/directives/include.py", "dest == source_file", "dest != source_file"),
)


@frozen
class Measured:
    """One command that ran to its end."""

    cpu: float
    wall: float
    output: str


def main(arguments: Sequence[str]) -> None:
    """Print one row per suite, with and without pytest-xdist."""
    parser = argparse.ArgumentParser(prog="benchmarks suites", description=__doc__)
    parser.add_argument("--only", metavar="NAME", choices=[bug.package for bug in BUGS], help="one of the packages")
    parser.add_argument("--whole", action="store_true", help="measure adebug test --whole, too, which takes minutes")
    options = parser.parse_args(arguments)
    print("\nCPU seconds to the first question (wall-clock seconds in parentheses)\n")
    print("| suite | tests | failed | bare | failing test alone | `adebug test` | budget | `--whole` |")
    print("|---" * 8 + "|")
    for bug in BUGS:
        if options.only in (None, bug.package):
            for more in ((), WORKERS):
                print(_row(bug, more, options.whole and not more), flush=True)


def _row(bug: Bug, more: Sequence[str], whole: bool) -> str:
    package = next(package for package in (*PACKAGES, TOMLKIT) if package.name == bug.package)
    with tempfile.TemporaryDirectory(prefix="adebug-bench-") as temporary:
        workspace = Path(temporary, "workspace")
        workspace.mkdir()
        copy_of(source_of(package))(workspace)
        _plant(bug, workspace)
        # Compiled once, as in daily work.
        _measured([sys.executable, "-m", "pytest", *QUIET, *package.tests], workspace, package)
        bare = _measured([sys.executable, "-m", "pytest", *QUIET, *more, *package.tests], workspace, package)
        adebug = [sys.executable, "-m", "adebug_lsp", "test", "--fresh", "--python", sys.executable]
        asked = _measured([*adebug, *QUIET, *more, *package.tests], workspace, package)
        asking = re.search(r"^asking about (.+?): ", asked.output, re.MULTILINE)
        if asking is None:
            raise RuntimeError(f"nothing was asked about {bug.package}: {asked.output[-1000:]}")
        test = asking[1]
        alone = _measured([sys.executable, "-m", "pytest", *QUIET, test], workspace, package)
        budget = bare.cpu * TIMES + alone.cpu + SECONDS
        everything = _measured([*adebug, "--whole", *QUIET, *package.tests], workspace, package) if whole else None
    tests, failed = _count("passed", bare.output) + _count("failed", bare.output), _count("failed", bare.output)
    name = f"{bug.package} {' '.join(more[2:])}".strip()
    figures = [_seconds(bare), _seconds(alone), _seconds(asked), f"{budget:.1f}", _seconds(everything)]
    return f"| {name} | {tests} | {failed} | {' | '.join(figures)} |"


def _plant(bug: Bug, workspace: Path) -> None:
    file = workspace / bug.file
    text = file.read_text(encoding="utf-8")
    if text.count(bug.right) < 1:
        raise ValueError(f"{bug.file} has no {bug.right!r}")
    file.write_text(text.replace(bug.right, bug.wrong, 1), encoding="utf-8")


def _measured(command: Sequence[str], workspace: Path, package: Package) -> Measured:
    """Run a command that may fail, with an empty cache of adebug's; its standard error comes last."""
    path = os.pathsep.join([str(workspace / package.source), str(ROOT)])
    with tempfile.TemporaryDirectory(prefix="adebug-bench-") as cache:
        environment = {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": cache, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        before, began = children_cpu() or 0.0, monotonic()
        done = subprocess.run(
            command,
            cwd=workspace,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Measured((children_cpu() or 0.0) - before, monotonic() - began, done.stdout + done.stderr)


def _count(outcome: str, output: str) -> int:
    counts = re.findall(rf"(\d+) {outcome}\b", output)
    return int(counts[-1]) if counts else 0


def _seconds(measured: Measured | None) -> str:
    return "" if measured is None else f"{measured.cpu:.1f} ({measured.wall:.1f})"
