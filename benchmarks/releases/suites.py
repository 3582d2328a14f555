"""Runs tests of a tree bare, with the environment of its package."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import field, frozen

from benchmarks.releases.corpus import Package
from benchmarks.releases.fetch import code_folder
from benchmarks.releases.processes import run

GUEST = Path(__file__).parent / "guest"
QUIET = ("-q", "--tb=no", "--no-header", "-p", "no:cacheprovider", "-o", "addopts=", "-o", "xfail_strict=false")
IMPORTS = ""
"""Stands for the test's name in the outcome that holds the lines executed by imports."""


@frozen
class Outcome:
    """How a test ended."""

    test: str
    passed: bool
    failed: bool
    """The test itself failed; not its fixtures."""

    seconds: float = 0.0
    exception: str = ""
    message: str = ""
    place: str = ""
    """The file in which the exception was raised."""

    executed: Mapping[str, frozenset[int]] = field(factory=dict)
    """Lines of the traced files, counted from 1."""


def environment(tree: Path, package: Package) -> dict[str, str]:
    """Environment variables with which a tree's own code is imported, and runs are alike."""
    folders = dict.fromkeys([str(tree / code_folder(tree, package)), str(tree)])
    return {"PYTHONPATH": os.pathsep.join(folders), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def run_tests(
    python: Path, tree: Path, package: Package, tests: Sequence[str], seconds: float, *, trace: bool = False
) -> dict[str, Outcome]:
    """Runs files or tests in one process; those that it did not reach in time are missing."""
    with tempfile.TemporaryDirectory(prefix="adebug-") as temporary:
        out = Path(temporary) / "outcomes"
        variables = environment(tree, package)
        variables |= {"PYTHONPATH": f"{variables['PYTHONPATH']}{os.pathsep}{GUEST}", "RELEASES_OUT": str(out)}
        if trace:
            variables["RELEASES_TRACE"] = str(tree)
        options = ("-p", "release_observer", "--continue-on-collection-errors", *QUIET)
        run([str(python), "-m", "pytest", *options, *tests], tree, seconds, variables)
        rows = out.read_text("utf-8").splitlines() if out.is_file() else []
    return {outcome.test: outcome for outcome in _outcomes(map(json.loads, rows))}


def _outcomes(rows: Iterator[dict[str, Any]]) -> Iterator[Outcome]:
    for row in rows:
        executed = {path: frozenset(lines) for path, lines in row.get("executed", {}).items()}
        if row["phase"] == "import":
            yield Outcome(IMPORTS, passed=True, failed=False, executed=executed)
        elif row["phase"] != "call":
            if row["outcome"] == "failed":
                yield Outcome(row["test"], passed=False, failed=False)
        else:
            yield Outcome(
                row["test"],
                passed=row["outcome"] == "passed",
                failed=row["outcome"] == "failed",
                seconds=row["seconds"],
                exception=row.get("exception", ""),
                message=row.get("message", ""),
                place=row.get("path", ""),
                executed=executed,
            )
