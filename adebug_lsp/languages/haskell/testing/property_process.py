"""Tests the properties of a Haskell program: `python -m adebug_lsp.languages.haskell.testing.property_process REQUEST`.

It is a process of its own, because a property may use up the memory, or not end.
"""

import json
import os
import sys
from pathlib import Path

from adebug_lsp.languages.haskell.engine.program_sources import Sources
from adebug_lsp.languages.haskell.testing.property_run import CASES, Outcome, Properties
from adebug_lsp.model.plural import counted


def main(request: Path) -> None:
    """Test the properties in a request file, and write the outcomes beside it."""
    wanted = json.loads(request.read_text(encoding="utf-8"))
    sources = Sources(wanted["program"], tuple(map(tuple, wanted["texts"])), tuple(map(tuple, wanted["names"])))
    tester = Properties(sources)
    outcomes = []
    for name in wanted["properties"]:
        tested = tester.test(name)
        print(_line(tested), file=sys.stderr, flush=True)
        outcomes.append([tested.name, tested.counterexample, tested.problem])
    Path(wanted["out"]).write_text(json.dumps(outcomes), encoding="utf-8")


def _line(tested: Outcome) -> str:
    if tested.failed:
        return f"{tested.name}: {tested.counterexample} {tested.problem}"
    passed = f"{counted(CASES, 'case')} passed"
    return f"{tested.name}: {tested.problem or passed}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    sys.stderr.flush()
    os._exit(0)  # a property that was stopped may hold a thread that does not end
