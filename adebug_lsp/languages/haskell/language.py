"""Haskell as a `Language`: records on adebug's own engine, opens recordings, provides oracles."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from attrs import define

from adebug_lsp.languages.builtin import HASKELL
from adebug_lsp.languages.child_program import run_program
from adebug_lsp.languages.cost_equations import CostEquations, EquationsRequest
from adebug_lsp.languages.cost_profile import CostProfile, ProfileRequest
from adebug_lsp.languages.elapsed_progress import ticking
from adebug_lsp.languages.haskell.editor.check import HaskellCheck, check
from adebug_lsp.languages.haskell.editor.outline import HaskellOutline, outline
from adebug_lsp.languages.haskell.engine.program_execution import Outcome
from adebug_lsp.languages.haskell.engine.program_sources import Sources, read_sources
from adebug_lsp.languages.haskell.oracles.failing_property import FailingProperty
from adebug_lsp.languages.haskell.oracles.reference import Reference
from adebug_lsp.languages.haskell.profile.equations_of_program import cost_equations
from adebug_lsp.languages.haskell.profile.profiler import profile
from adebug_lsp.languages.haskell.questions.subject import HaskellSubject
from adebug_lsp.languages.haskell.reading.recording_file import read_recording
from adebug_lsp.languages.haskell.reading.run import HaskellRun
from adebug_lsp.languages.haskell.slices.haskell_slicer import HaskellSlicer
from adebug_lsp.languages.haskell.slices.haskell_tracer import HaskellTracer
from adebug_lsp.languages.haskell.testing.test_run import record_failing
from adebug_lsp.languages.language import (
    Ended,
    Entry,
    Language,
    OpenRecording,
    Outline,
    Progress,
    RecordedTest,
    Request,
)
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.oracles.oracle import Oracle


class Haskell(Language):
    """See `Language`."""

    descriptor = HASKELL

    def record(self, request: Request, out: Path, progress: Progress) -> Ended:
        """See `Language`."""
        if request.tests is not None:
            return self.record_failing_test(request, out, progress).ended
        if request.program is None:
            raise BadInputError("a Haskell program is a file: adebug run FILE.hs")
        if request.args:
            raise BadInputError(
                f"{request.args[0]}: a Haskell program gets no arguments; options of adebug stand before it"
            )
        if request.call is not None:
            raise BadInputError("a Haskell program runs its main; write the expression there in place of --call")
        with ticking(progress, "recording"):
            sources, program = read_sources(request.program.absolute(), request.workspace)
            if "Main.main" not in program.binds:
                raise BadInputError(
                    f"{request.program}: there is no main in it; a program is a module Main with a main"
                )
            return _run(request, sources, out)

    def record_failing_test(
        self, request: Request, out: Path, progress: Progress, wanted: str | None = None
    ) -> RecordedTest:
        """See `Language`."""
        with ticking(progress, "testing"):
            return record_failing(request, out, _run, wanted)

    def open(self, recording: Path, progress: Progress) -> OpenedHaskell:
        """See `Language`."""
        with ticking(progress, "reading"):
            return OpenedHaskell(HaskellRun(read_recording(recording)))

    def outline(self, file: Path, text: str, _last: Outline | None) -> HaskellOutline | None:
        """See `Language`."""
        return outline(file, text)

    def check(self, file: Path, text: str) -> HaskellCheck:
        """See `Language`."""
        return check(file, text)

    def profile(self, request: ProfileRequest) -> CostProfile:
        """See `Language`."""
        return profile(request)

    def cost_equations(self, request: EquationsRequest) -> CostEquations:
        """See `Language`."""
        return cost_equations(request)


@define(eq=False)
class OpenedHaskell(OpenRecording[HaskellSubject]):
    """See `OpenRecording`."""

    run: HaskellRun

    @property
    def problem(self) -> str:
        """See `OpenRecording`."""
        return self.run.recording.problem

    @property
    def ended(self) -> Ended:
        """See `OpenRecording`."""
        recording = self.run.recording
        return Ended("finished", 1, recording.failure) if recording.test else _ended(recording.outcome)

    @property
    def entries(self) -> Sequence[Entry]:
        """See `OpenRecording`."""
        recording, ended = self.run.recording, self.ended
        if recording.test:
            return [Entry(recording.test, True, recording.failure)]
        return [Entry("", ended.how in ("raised", "timeout"), ended.message)]

    def subject(self, entry: Entry) -> HaskellSubject:
        """See `OpenRecording`."""
        return HaskellSubject(self.run, entry)

    def slicer(self, subject: HaskellSubject) -> HaskellSlicer:
        """See `OpenRecording`."""
        return HaskellSlicer(subject)

    def tracer(self, subject: HaskellSubject) -> HaskellTracer:
        """See `Traced`."""
        return HaskellTracer(HaskellSlicer(subject))

    @contextmanager
    def oracles(
        self, subject: HaskellSubject, reference: str | None, problem: Callable[[str], None]
    ) -> Iterator[Sequence[Oracle]]:
        """See `OpenRecording`."""
        tests = (FailingProperty(subject),) if self.run.recording.start else ()
        if reference is None:
            yield tests
            return
        with Reference.open(reference, Path(self.run.recording.workspace), subject, problem) as oracle:
            yield (*tests, oracle)


def _run(request: Request, sources: Sources, out: Path) -> Ended:
    """Run sources in a process of their own."""
    wanted = {
        "program": sources.program,
        "texts": sources.texts,
        "names": sources.names,
        "start": sources.start,
        "workspace": str(request.workspace),
        "timeout": request.timeout,
        "out": str(out.absolute()),
    }
    with tempfile.TemporaryDirectory(prefix="adebug-") as folder:
        file = Path(folder, "request.json")
        file.write_text(json.dumps(wanted), encoding="utf-8")
        code = run_program([sys.executable, "-m", "adebug_lsp.languages.haskell.engine_process", str(file)], request)
    if not out.is_file():
        raise BadInputError(f"the program left no recording (exit code {code})")
    return _ended(read_recording(out).outcome)


def _ended(outcome: Outcome) -> Ended:
    if outcome.how == "raised":
        return Ended("raised", outcome.exit_code, f"main failed: {outcome.message}")
    if outcome.how == "timeout":
        return Ended("timeout", outcome.exit_code, "main did not end in time")
    if outcome.how == "interrupted":
        return Ended("interrupted", outcome.exit_code, f"main was stopped: {outcome.message}")
    return Ended(outcome.how, outcome.exit_code, "main ended")
