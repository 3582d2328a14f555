"""`python -m benchmarks [NAME]`: runs one benchmark, or all of them."""

import sys

from benchmarks import (
    erlang,
    haskell,
    haskell_slices,
    latency,
    lsp,
    opening,
    origins,
    programs,
    spectrum,
    strategies,
    suites,
    transformations,
    worst_case,
)
from benchmarks.recording import report
from benchmarks.releases import main as releases

ALL = {
    "strategies": strategies.main,
    "worst-case": worst_case.main,
    "programs": programs.main,
    "transformations": transformations.main,
    "origins": origins.main,
    "spectrum": spectrum.main,
    "suites": suites.main,
    "latency": latency.main,
    "lsp": lsp.main,
    "recording": report.main,
    "open": opening.main,
    "erlang": erlang.main,
    "haskell": haskell.main,
    "haskell-slices": haskell_slices.main,
}
ASKED_FOR = {"releases": releases.main}
"""Downloads a lot: not among all."""


def main() -> int:
    name, *rest = sys.argv[1:] or ["all"]
    if name == "all":
        for benchmark in ALL.values():
            benchmark([])
        return 0
    named = {**ALL, **ASKED_FOR}
    if name not in named:
        print(f"unknown benchmark {name!r}; choose one of: all, {', '.join(named)}", file=sys.stderr)
        return 2
    named[name](rest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
