"""From the end of a run to its first question: CPU time and peak memory, with growth in the number of calls.

Each recording is opened in a process of its own, from its start to the question. `python -m benchmarks open`.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

from adebug_lsp.frontends.shared.open_session import SessionOptions, open_recording, session_about
from adebug_lsp.languages.python.language import OpenedPython, Python
from adebug_lsp.session.outcome import Ask
from benchmarks.recording.cases import PROGRAMS
from benchmarks.recording.measure import LEVELS, command_of, run
from benchmarks.recording.programs.run import most_memory

BOARDS = (1, 8)
"""How often the program places ten queens: 0.4 and 3 million calls."""
LIMIT = 3600.0


def main(arguments: Sequence[str]) -> None:
    """Prints a row for each size and level."""
    parser = argparse.ArgumentParser(prog="benchmarks open", description=__doc__)
    parser.add_argument(
        "--boards", type=int, nargs="+", default=BOARDS, help="sizes of the program (default: %(default)s)"
    )
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        print(json.dumps(measured(Path(options.one))))
        return
    print("| program | level | words | spans | nodes | first question, CPU seconds | peak MB |")
    print("|---|---|---|---|---|---|---|")
    for boards in options.boards:
        for tool, level in LEVELS.items():
            sample = _in_a_process(tool, boards)
            peak = "" if sample["memory"] is None else f"{sample['memory'] / 1e6:.0f}"
            sizes = " | ".join(f"{sample[name]:,}" for name in ("words", "spans", "nodes"))
            print(f"| board {boards} | {level} | {sizes} | {sample['seconds']:.1f} | {peak} |", flush=True)


def _in_a_process(tool: str, boards: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="adebug-bench-") as folder:
        out = Path(folder) / "recording"
        program = [str(PROGRAMS / "run.py"), "board", str(boards)]
        run(command_of(tool, sys.executable, out, PROGRAMS, program), PROGRAMS, LIMIT)
        command = [sys.executable, "-m", "benchmarks", "open", "--one", str(out)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    sample: dict[str, Any] = json.loads(done.stdout)
    return sample


def measured(recording: Path) -> dict[str, Any]:
    """Opens a recording up to its first question; returns the figures of this process."""
    target = open_recording(recording, Python(), lambda *_: None)
    outcome = session_about(target, SessionOptions()).session.outcome
    seconds = process_time()
    assert isinstance(outcome, Ask)
    assert isinstance(target.opened, OpenedPython)
    opened = target.opened.run
    return {
        "words": len(opened.recording.words),
        "spans": len(opened.spans),
        "nodes": len(target.subject.tree),
        "seconds": seconds,
        "memory": most_memory(),
    }
