"""`python -m benchmarks releases`: real bugs of packages, with the next release as reference or as a person."""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from attrs import asdict, frozen
from cattrs import structure
from platformdirs import user_cache_path

from benchmarks.releases import report
from benchmarks.releases.corpus import FILE, Bug, load
from benchmarks.releases.fetch import Cache, FetchError
from benchmarks.releases.find import Finder
from benchmarks.releases.measure import Result, measure
from benchmarks.releases.processes import leave_nothing_when_terminated

ROOT = Path(__file__).parent.parent.parent


def main(arguments: Sequence[str]) -> None:
    """Runs the corpus, or looks for more bugs."""
    options = _parser().parse_args(arguments)
    leave_nothing_when_terminated()
    cache = Cache((options.cache or user_cache_path("adebug") / "releases").resolve())
    corpus = load(options.corpus)
    if options.find:
        for name in options.packages or [package.name for package in corpus.packages]:
            Finder(cache, corpus.package(name)).find(options.pairs, options.enough, options.minutes * 60)
        return
    mode = "by-hand" if options.by_hand else "drift" if options.drift else "reference"
    bugs = [bug for bug in corpus.bugs_of(options.packages) if mode != "drift" or bug.later is not None]
    runner = Runner(cache, mode, options.limit, again=options.again)
    if options.kept:
        bugs = [bug for bug in bugs if runner.file(bug).is_file()]
    rows = [(bug, runner.result(bug)) for bug in bugs[:: options.every]]
    print(f"{mode}\n\n{report.by_bug(rows)}\n\n{report.totals(rows)}")
    if options.by_hand:
        print(f"\n{report.by_hand(rows)}")


@frozen
class Runner:
    """Measures bugs one after the other, and keeps each result for the code of adebug that it was measured with."""

    cache: Cache
    mode: str
    limit: float
    again: bool = False

    def result(self, bug: Bug) -> Result:
        """The result of a bug, measured unless it is kept."""
        file = self.file(bug)
        if file.is_file() and not self.again:
            return structure(json.loads(file.read_text("utf-8")), Result)
        try:
            result = measure(self.cache, bug, self.mode, self.limit)
        except FetchError as error:
            return Result("crash", note=f"not fetched: {error}")
        print(f"{bug.name}: {result.outcome} {result.note}", file=sys.stderr, flush=True)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"bug": bug.name, **asdict(result)}, indent=1), encoding="utf-8")
        return result

    def file(self, bug: Bug) -> Path:
        """Where the result of a bug is kept."""
        name = hashlib.sha256(bug.name.encode()).hexdigest()[:16]
        return self.cache.folder / "results" / _code_digest() / self.mode / f"{bug.package.name}-{name}.json"


def _code_digest() -> str:
    """Changes with the code of adebug."""
    digest = hashlib.sha256()
    for file in sorted((ROOT / "adebug_lsp").rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks releases", description=__doc__)
    add = parser.add_argument
    add("packages", nargs="*", metavar="PACKAGE", help="only these packages")
    add(
        "--by-hand",
        action="store_true",
        help="no reference: the newer release answers like a person, from what is shown",
    )
    add("--drift", action="store_true", help="a release several after the fix is the reference")
    add("--limit", type=float, default=150, metavar="S", help="seconds per bug")
    add("--every", type=int, default=1, metavar="K", help="only every K-th bug")
    add("--again", action="store_true", help="measure again what has a result")
    add("--kept", action="store_true", help="measure nothing: report what has a result")
    add("--corpus", type=Path, default=FILE, metavar="FILE", help="the bugs; default: those of this project")
    add("--cache", type=Path, metavar="DIR", help="folder for downloads and results")
    add("--find", action="store_true", help="look for bugs of these packages, and keep them in the cache for review")
    add("--pairs", type=int, default=8, metavar="N", help="with --find: try N further pairs of releases")
    add("--enough", type=int, default=4, metavar="N", help="with --find: stop at N bugs per package")
    add("--minutes", type=float, default=10, metavar="M", help="with --find: begin no pair after M minutes")
    return parser
