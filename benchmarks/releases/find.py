"""Finds bugs: tests of a release that fail with the code of the release before it, because of what that code does.

Each pair of releases is tried once; what was found is kept in the cache, for review.
"""

import hashlib
import re
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from attrs import evolve, frozen

from benchmarks.releases.changes import Changes, Scope, changes_between
from benchmarks.releases.corpus import Bug, Package, entry
from benchmarks.releases.fetch import Cache, FetchError, code_folder, matching
from benchmarks.releases.suites import IMPORTS, Outcome, run_tests

SUITE_LIMIT = 120
TEST_LIMIT = 60
MOST_SECONDS = 10
"""A test that takes longer bare is left out."""
MOST_SCOPES = 12
MOST_LINES = 80
"""Changed scopes and changed lines that a test may execute."""
MOST_TRACED = 60
PER_PAIR = 3
DISTANCES = (5, 2)
"""How many releases after the fix the later one is, best first."""
MISSING = {
    "ImportError",
    "ModuleNotFoundError",
    "NameError",
    "UnboundLocalError",
    "SyntaxError",
    "Skipped",
    "UsageError",
}


@frozen
class Finder:
    """Tries pairs of releases of a package."""

    cache: Cache
    package: Package

    def find(self, pairs: int, enough: int, seconds: float) -> None:
        """Tries up to `pairs` further pairs until the package has `enough` bugs or the time is over."""
        begun, tried = time.monotonic(), 0
        versions = self.cache.versions(self.package.name)
        for older, newer in pairs_of(versions):
            if tried == pairs or self._found() >= enough or time.monotonic() - begun > seconds:
                break
            if not self._file(older, newer).exists():
                tried += 1
                self._keep(older, newer, versions)

    def _found(self) -> int:
        return sum(file.read_text("utf-8").count("[[bug]]") for file in self._folder().glob(f"{self.package.name} *"))

    def _keep(self, older: str, newer: str, versions: Sequence[str]) -> None:
        try:
            found = list(self._pair(older, newer, versions))
        except FetchError as error:
            say(f"{self.package.name} {older} -> {newer}: {str(error)[-300:]}")
            found = []
        self._folder().mkdir(parents=True, exist_ok=True)
        self._file(older, newer).write_text("\n".join(found), encoding="utf-8")

    def _folder(self) -> Path:
        return self.cache.folder / "candidates"

    def _file(self, older: str, newer: str) -> Path:
        return self._folder() / f"{self.package.name} {older} {newer}.toml"

    def _pair(self, older: str, newer: str, versions: Sequence[str]) -> Iterator[str]:
        """Entries of the corpus for one pair of releases."""
        buggy, fixed = (self.cache.tree(self.package, code, newer) for code in (older, newer))
        if code_folder(buggy, self.package) != code_folder(fixed, self.package):
            raise FetchError("the two releases are laid out differently")
        files = changed_tests(self.cache.source(self.package.name, older), fixed, self.package)
        changes = changes_between(buggy, fixed, self.package)
        say(f"{self.package.name} {older} -> {newer}: {len(files)} test files, {len(changes.scopes)} scopes changed")
        if not files or not changes.scopes:
            return
        python = self.cache.python(self.package, newer)
        failing = self._failing(python, buggy, fixed, files)
        if not failing:
            return
        kept = 0
        for outcome, scopes in self._distinct(python, buggy, changes, failing):
            bug = Bug(self.package, older, newer, None, outcome.test)
            if kept < PER_PAIR and self._certain(python, buggy, fixed, outcome):
                kept += 1
                names = ", ".join(sorted(scope.name for scope in scopes)[:6])
                say(f"  found {outcome.test}: {outcome.exception}; {names}")
                later = self._later(python, bug, versions)
                yield entry(evolve(bug, later=later), f"{outcome.exception}; changed and executed: {names}")

    def _failing(self, python: Path, buggy: Path, fixed: Path, files: Sequence[str]) -> list[str]:
        """Tests that fail with the older code, because of what it does, and pass with the newer."""
        on_older = run_tests(python, buggy, self.package, files, SUITE_LIMIT)
        failed = [
            test for test, outcome in on_older.items() if outcome.failed and is_behaviour(outcome, buggy, self.package)
        ]
        say(f"  {len(on_older)} tests, {sum(o.failed for o in on_older.values())} fail, {len(failed)} by behaviour")
        if not failed:
            return []
        spread = failed[:: max(1, len(failed) // MOST_TRACED)]
        on_newer = run_tests(python, fixed, self.package, spread, SUITE_LIMIT)
        return [test for test in spread if test in on_newer and on_newer[test].passed]

    def _distinct(
        self, python: Path, buggy: Path, changes: Changes, tests: Sequence[str]
    ) -> Iterator[tuple[Outcome, frozenset[Scope]]]:
        """The quickest test for each set of changed scopes that is executed; small sets first."""
        traced = run_tests(python, buggy, self.package, tests, SUITE_LIMIT, trace=True)
        imported = changes.executed(traced[IMPORTS].executed) if IMPORTS in traced else {}
        imports = {scope: lines for scope, lines in imported.items() if lines and not scope.routine}
        groups: dict[frozenset[Scope], list[Outcome]] = {}
        for test in tests:
            outcome = traced.get(test)
            if outcome is not None and outcome.failed:
                inside = changes.executed(outcome.executed).items()
                executed = {scope: lines for scope, lines in inside if scope.routine} or imports
                if 0 < len(executed) <= MOST_SCOPES and sum(executed.values()) <= MOST_LINES:
                    groups.setdefault(frozenset(executed), []).append(outcome)
        for scopes in sorted(groups, key=lambda scopes: (len(scopes), sorted(scope.name for scope in scopes))):
            yield min(groups[scopes], key=lambda outcome: (outcome.seconds, outcome.test)), scopes

    def _certain(self, python: Path, buggy: Path, fixed: Path, outcome: Outcome) -> bool:
        """Whether the test fails in the same way with the older code, and passes with the newer, when run alone."""
        again = run_tests(python, buggy, self.package, [outcome.test], TEST_LIMIT).get(outcome.test)
        if again is None or not again.failed or again.exception != outcome.exception or again.seconds > MOST_SECONDS:
            return False
        passing = run_tests(python, fixed, self.package, [outcome.test], TEST_LIMIT).get(outcome.test)
        return passing is not None and passing.passed

    def _later(self, python: Path, bug: Bug, versions: Sequence[str]) -> str | None:
        """A release after the fix with which the test passes, in the same environment."""
        at = versions.index(bug.fixed)
        for version in [versions[at + distance] for distance in DISTANCES if at + distance < len(versions)]:
            try:
                tree = self.cache.tree(self.package, version, bug.fixed)
                fixed = self.cache.tree(self.package, bug.fixed, bug.fixed)
                if code_folder(tree, self.package) != code_folder(fixed, self.package):
                    continue
            except FetchError:
                continue
            outcome = run_tests(python, tree, self.package, [bug.test], TEST_LIMIT).get(bug.test)
            if outcome is not None and outcome.passed:
                return version
        return None


def pairs_of(versions: Sequence[str]) -> list[tuple[str, str]]:
    """Neighbouring releases, those that only fix bugs first, otherwise newest first; all with later releases."""
    recent = versions[-30:]
    pairs = list(pairwise(recent[:-2]))[::-1]
    return sorted(pairs, key=lambda pair: not _is_patch(*pair))


def changed_tests(older: Path, newer: Path, package: Package) -> list[str]:
    """Files with tests that the newer tree has changed or added, relative to it."""
    files = []
    for place in matching(newer, package.tests):
        inside = [newer / place] if (newer / place).is_file() else sorted((newer / place).rglob("*"))
        files += [file for file in inside if any(file.match(pattern) for pattern in package.collects)]
    names = dict.fromkeys(file.relative_to(newer).as_posix() for file in files if file.is_file())
    return [name for name in names if _digest(older / name) != _digest(newer / name)]


def is_behaviour(outcome: Outcome, tree: Path, package: Package) -> bool:
    """Whether a test failed by what the code does, and not because it uses what the code does not have yet."""
    if outcome.exception in MISSING or "\n" in outcome.test or len(outcome.test) > 300:
        return False
    in_code = Path(outcome.place).is_relative_to((tree / code_folder(tree, package)).resolve()) and not any(
        Path(outcome.place).is_relative_to((tree / tests).resolve()) for tests in matching(tree, package.tests)
    )
    if outcome.exception in ("AttributeError", "TypeError", "KeyError", "LookupError"):
        return in_code and not re.search(
            "unexpected keyword argument|positional argument|has no attribute", outcome.message
        )
    return True


def say(text: str) -> None:
    """Reports progress."""
    print(text, file=sys.stderr, flush=True)


def _is_patch(older: str, newer: str) -> bool:
    old, new = older.split("."), newer.split(".")
    return len(new) >= 3 and old[:2] == new[:2]


def _digest(file: Path) -> str | None:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else None
