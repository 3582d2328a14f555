"""Runs of Haskell programs for tests: recorded in this process, opened from a real file."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

from adebug_lsp.languages.haskell.engine.program_execution import Outcome, run
from adebug_lsp.languages.haskell.engine.program_sources import Sources, compiled_program, library_hash
from adebug_lsp.languages.haskell.questions.subject import HaskellSubject
from adebug_lsp.languages.haskell.reading.recording_file import Recording, read_recording, write_recording
from adebug_lsp.languages.haskell.reading.run import HaskellRun
from adebug_lsp.languages.language import Entry


@frozen(eq=False)
class Recorded:
    """A run with what it printed."""

    output: str
    outcome: Outcome
    run: HaskellRun

    @property
    def subject(self) -> HaskellSubject:
        return HaskellSubject(self.run, Entry("", failed=False))

    def equations(self) -> list[str]:
        """The questions of all nodes, in preorder."""
        subject = self.subject
        return [subject.behaviour(node).text for node in range(len(subject.tree))]


def output_of(text: str, stdin: str = "", most: int = 5_000_000) -> tuple[str, Outcome]:
    """What a program prints, and how it ends."""
    pieces: list[str] = []
    lines = iter(stdin.splitlines(keepends=True))
    compiled = compiled_program(Sources("main.hs", (("main.hs", text),), ()))
    _, outcome = run(compiled, pieces.append, lambda: next(lines, ""), most=most)
    return "".join(pieces), outcome


def record(text: str, stdin: str = "", most: int = 5_000_000, stop: Callable[[], str] = lambda: "") -> Recorded:
    """Record a program of one module, write the recording and open it again."""
    pieces: list[str] = []
    lines = iter(stdin.splitlines(keepends=True))
    sources = Sources("main.hs", (("main.hs", text),), ())
    trail, outcome = run(compiled_program(sources), pieces.append, lambda: next(lines, ""), stop, most)
    recording = Recording("main.hs", {"main.hs": text}, {}, ".", trail, outcome, library_hash())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "run.rec")
        write_recording(file, recording)
        return Recorded("".join(pieces), outcome, HaskellRun(read_recording(file)))
