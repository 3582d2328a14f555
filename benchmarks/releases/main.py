"""`python -m benchmarks releases`: real bugs of published packages."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from platformdirs import user_cache_path

from benchmarks.releases import corpus
from benchmarks.releases.fetch import Cache
from benchmarks.releases.find import Finder


def main(arguments: Sequence[str]) -> None:
    """Runs the corpus, or looks for more bugs."""
    parser = argparse.ArgumentParser(prog="benchmarks releases", description=__doc__)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="only these packages")
    parser.add_argument("--find", action="store_true", help="look for bugs of these packages, and keep them for review")
    parser.add_argument("--pairs", type=int, default=8, metavar="N", help="with --find: try N further pairs of releases")
    parser.add_argument("--enough", type=int, default=4, metavar="N", help="with --find: stop at N bugs per package")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="folder for downloads and results")
    options = parser.parse_args(arguments)
    cache = Cache((options.cache or user_cache_path("adebug") / "releases").resolve())
    known = corpus.load()
    if options.find:
        for name in options.packages or [package.name for package in known.packages]:
            Finder(cache, known.package(name)).find(options.pairs, options.enough)
        return
