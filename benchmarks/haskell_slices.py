"""Sizes and times of Haskell slices, beside Table 5.1 of Silva's thesis: `python -m benchmarks haskell-slices`.

Bytes are those of the source without spaces, and those of the slice as it is shown; a program that is made of a slice
has types, signatures and a `main` beside them. The thesis measured other versions of its programs, in 2007.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from adebug_lsp.frontends.cli.render.exact_slice_view import ExactSliceView
from adebug_lsp.frontends.shared.positions import Sources
from adebug_lsp.languages.haskell.language import Haskell
from adebug_lsp.languages.haskell.slices.haskell_slicer import HaskellSlicer
from adebug_lsp.languages.language import Request, silent
from benchmarks.haskell import HASKELL

CRITERIA = {
    "minmax": "minmax [4, 1, 7] = Pair * _",
    "horseman": "solve 8 20 = Answer * _ _",
    "lcc": r'compile "\\x.\\y.y x" = Compiled _ _ * _',
}
THESIS = {"minmax": (11, 1035, 724), "horseman": (19, 625, 246), "lcc": (33, 784, 613)}
"""Milliseconds, bytes of the program, bytes of the slice."""


@frozen
class Figures:
    """What one slice took."""

    milliseconds: float
    whole: int
    kept: int


def main(arguments: Sequence[str]) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="benchmarks haskell-slices", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each slice is taken")
    options = parser.parse_args(arguments)
    print("| program | ms | bytes | slice | kept | thesis: ms | bytes | slice | kept |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, criterion in CRITERIA.items():
        own, (milliseconds, whole, kept) = measured(name, criterion, options.rounds), THESIS[name]
        print(
            f"| {name} | {own.milliseconds:.1f} | {own.whole} | {own.kept} | {own.kept / own.whole:.0%} "
            f"| {milliseconds} | {whole} | {kept} | {kept / whole:.0%} |"
        )


def measured(name: str, criterion: str, rounds: int) -> Figures:
    """The median of some slices, each with an open recording and nothing known of it."""
    with tempfile.TemporaryDirectory(prefix="adebug-") as folder:
        file = Path(folder, "run.adebug")
        request = Request(
            workspace=HASKELL / "slices", program=HASKELL / "slices" / f"{name}.hs", output=lambda _stream, _text: None
        )
        Haskell().record(request, file, silent)
        times = []
        for _ in range(rounds):
            opened = Haskell().open(file, silent)
            subject = opened.subject(opened.entries[0])
            began = time.perf_counter()
            slicer = HaskellSlicer(subject)
            result = slicer.backward([slicer.call(criterion, None)])
            times.append((time.perf_counter() - began) * 1000)
        kept, whole = ExactSliceView(result, Sources(subject.sources())).size()
    return Figures(statistics.median(times), whole, kept)
