"""`python -m benchmarks [NAME]`: runs one benchmark, or all of them."""

import sys

from benchmarks import erlang, latency, lsp, programs, spectrum, strategies, suites, transformations, worst_case
from benchmarks.recording import report

ALL = {
    "strategies": strategies.main,
    "worst-case": worst_case.main,
    "programs": programs.main,
    "transformations": transformations.main,
    "spectrum": spectrum.main,
    "suites": suites.main,
    "latency": latency.main,
    "lsp": lsp.main,
    "recording": report.main,
    "erlang": erlang.main,
}


def main() -> int:
    name, *rest = sys.argv[1:] or ["all"]
    if name == "all":
        for benchmark in ALL.values():
            benchmark([])
        return 0
    if name not in ALL:
        print(f"unknown benchmark {name!r}; choose one of: all, {', '.join(ALL)}", file=sys.stderr)
        return 2
    ALL[name](rest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
