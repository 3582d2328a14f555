"""Runs a Haskell program and writes its recording: `python -m adebug_lsp.languages.haskell.engine_process REQUEST`.

It is a process of its own, so that the program has the terminal, gets signals, and takes no memory of an editor's
server.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from adebug_lsp.languages.haskell.engine.program_execution import run
from adebug_lsp.languages.haskell.engine.program_sources import Sources, compiled_program, library_hash
from adebug_lsp.languages.haskell.reading.recording_file import Recording, write_recording


def main(request: Path) -> int:
    """Run the program of a request file; returns the program's exit code."""
    wanted = json.loads(request.read_text(encoding="utf-8"))
    texts, names = wanted["texts"], wanted["names"]
    sources = Sources(wanted["program"], tuple(map(tuple, texts)), tuple(map(tuple, names)), wanted["start"])
    compiled = compiled_program(sources)
    stopped: list[str] = []

    def end(_number: int, _frame: FrameType | None) -> None:
        stopped.append("stopped")

    signal.signal(signal.SIGTERM, end)
    deadline = time.monotonic() + wanted["timeout"] if wanted["timeout"] else None

    def stop() -> str:
        if deadline is not None and time.monotonic() > deadline:
            return "timeout"
        return stopped[0] if stopped else ""

    trail, outcome = run(compiled, _write, sys.stdin.readline, stop)
    recording = Recording(
        sources.program,
        dict(sources.texts),
        dict(sources.names),
        wanted["workspace"],
        trail,
        outcome,
        library_hash(),
        start=sources.start,
    )
    write_recording(Path(wanted["out"]), recording)
    if outcome.how == "raised":
        sys.stderr.write(f"{Path(sources.program).stem}: {outcome.message}\n")
    sys.stdout.flush()
    return outcome.exit_code


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    code = main(Path(sys.argv[1]))
    sys.stderr.flush()
    os._exit(code)  # a program that was stopped may hold a thread that does not end
