"""Questions of every strategy on the planted-bug programs of `tests/programs_haskell`: `python -m benchmarks haskell`.

The fixed twin of a program answers; where it cannot judge, the answer is "don't know".
"""

import argparse
import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from adebug_lsp.languages.haskell.language import Haskell
from adebug_lsp.languages.language import Request, silent
from adebug_lsp.search.strategies import DEFAULT, names
from benchmarks.programs import PROGRAMS, Recorded, Result, by_program, by_strategy, play_all, program_names

HASKELL = PROGRAMS.with_name("programs_haskell")


def main(arguments: Sequence[str]) -> None:
    """Prints one table of strategies and one of programs."""
    parser = argparse.ArgumentParser(prog="benchmarks haskell", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="K", help="only every K-th program")
    parser.add_argument("--strategy", action="append", metavar="NAME", help="only this strategy; may be repeated")
    options = parser.parse_args(arguments)
    chosen = options.strategy or names()
    results: dict[str, dict[str, Result]] = {name: {} for name in chosen}
    for program in program_names(HASKELL)[:: options.every]:
        with recorded(program) as subject:
            for name, result in play_all(subject, chosen).items():
                results[name][program] = result
    print(f"\n{len(results[chosen[0]])} programs\n\n{by_strategy(results)}")
    if DEFAULT in results:
        print(f"\n{DEFAULT} on each program\n\n{by_program(results[DEFAULT])}")


@contextmanager
def recorded(name: str) -> Iterator[Recorded]:
    """Records one run of a program."""
    with tempfile.TemporaryDirectory(prefix="adebug-") as temporary:
        workspace, twin = Path(temporary) / name, Path(temporary) / "fixed"
        shutil.copytree(HASKELL / name, workspace, ignore=shutil.ignore_patterns("fixed"))
        shutil.copytree(HASKELL / name / "fixed", twin)
        about = json.loads((workspace / "about.json").read_text("utf-8"))
        request = Request(workspace=workspace, program=workspace / "program.hs", output=lambda _stream, _text: None)
        Haskell().record(request, Path(temporary) / "run.adebug", silent)
        run = Haskell().open(Path(temporary) / "run.adebug", silent)
        yield Recorded(name, run, run.entries[0], twin, about["buggy"])
