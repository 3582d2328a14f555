"""Time to find the origin of a marked part, and for a slice, as the run gets longer. `python -m benchmarks origins`.

A ledger is filled by many calls; parts of its last state, old and new ones, are marked one after the other.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from adebug_lsp.languages.language import Request, silent
from adebug_lsp.languages.python.interpreter import find_interpreter
from adebug_lsp.languages.python.language import OpenedPython, Python
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.model.answers import Mark, MarkOf

SIZES = (1_000, 10_000, 100_000)
MARKED = 20
PROGRAM = """
def amount(n):
    return n * 7 % 100

def book(ledger, n):
    row = {{"number": n, "amount": amount(n)}}
    ledger[n % 50] = row
    return row

def build(count):
    ledger = [None] * 50
    for n in range(count):
        book(ledger, n)
    return ledger

ledger = build({count})
total = sum(row["amount"] for row in ledger if row)
"""


def main(arguments: Sequence[str]) -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(prog="benchmarks origins", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only the two shortest runs")
    options = parser.parse_args(arguments)
    print("Time to the origin of a marked part, and of the slice of the total, in milliseconds\n")
    print("| calls | events | first | median | slowest | slice | steps |")
    print("|---|---|---|---|---|---|---|")
    for count in SIZES[:2] if options.quick else SIZES:
        opened, subject = _recorded(count)
        times = _times(subject)
        events = len(subject.run.recording.words)
        row = f"| {2 * count:,} | {events:,} | {times[0]:.1f} | {np.median(times[1:]):.1f} | {max(times[1:]):.1f} |"
        print(f"{row} {_sliced(opened, subject)}")


def _recorded(count: int) -> tuple[OpenedPython, PythonSubject]:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.py"
        program.write_text(PROGRAM.format(count=count), encoding="utf-8")
        request = Request(workspace=Path(folder), interpreter=find_interpreter(None, Path.cwd()), program=program)
        Python().record(request, Path(folder) / "run.adebug", silent)
        opened = Python().open(Path(folder) / "run.adebug", silent)
        return opened, opened.subject(opened.entries[0])


def _sliced(opened: OpenedPython, subject: PythonSubject) -> str:
    """Milliseconds of CPU for, and length of, the slice of the last variable."""
    slicer = opened.slicer(subject)
    start = time.process_time()
    slice_ = slicer.backward(slicer.variable("program.py", len(PROGRAM.splitlines()) - 1, "total", None))
    took = 1000 * (time.process_time() - start)
    return f"{took:.0f} | {len(slice_.steps):,}{' (too long)' if slice_.followed else ''} |"


def _times(subject: PythonSubject) -> list[float]:
    """Milliseconds for each mark; the first one includes what is indexed once."""
    node = next(n for n in range(len(subject.tree)) if subject.span(n).routine.name == "build")
    times = []
    for number in range(MARKED):
        mark = Mark(MarkOf.RESULT, (number * 2, "'amount'"))
        start = time.perf_counter()
        origin = subject.dependences.origin(node, mark)
        times.append(1000 * (time.perf_counter() - start))
        made = None if origin is None else subject.run.spans[origin.part.evaluation.activation].routine.name
        if made != "amount":
            raise SystemExit(f"{mark} was traced to {made}, not to amount")
    return times
