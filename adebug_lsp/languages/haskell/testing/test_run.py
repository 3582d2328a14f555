"""Runs the tests of a request, and records a failing one."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import evolve, frozen

from adebug_lsp.languages.child_program import run_program
from adebug_lsp.languages.haskell.engine.program_sources import Sources, read_sources
from adebug_lsp.languages.haskell.reading.recording_file import read_recording, write_recording
from adebug_lsp.languages.haskell.testing.property_run import property_names
from adebug_lsp.languages.haskell.testing.selection import Selected, expected_output, select
from adebug_lsp.languages.language import Ended, NothingToAskError, RecordedTest, Request
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.model.plural import counted

Record = Callable[[Request, Sources, Path], Ended]
"""Runs sources and writes the recording."""


@frozen
class Failure:
    """A test that failed."""

    name: str
    sources: Sources
    message: str
    recording: Path | None = None
    """The recording, if there is one already."""


def record_failing(request: Request, out: Path, record: Record, wanted: str | None) -> RecordedTest:
    """Run the tests, and record the wanted one if it failed, else the first that did; raises `NothingToAskError`."""
    with tempfile.TemporaryDirectory(prefix="adebug-") as name:
        run = _TestRun(request, record, Path(name))
        failures = list(run.failures())
        if not failures:
            raise NothingToAskError(run.summary())
        names = [failure.name for failure in failures]
        failure = failures[names.index(wanted)] if wanted in names else failures[0]
        if failure.recording is not None:
            out.write_bytes(failure.recording.read_bytes())
        else:
            record(request, failure.sources, out)
        recording = evolve(read_recording(out), test=failure.name, failure=failure.message)
        write_recording(out, recording)
        others = tuple(name for name in names if name != failure.name)
        again = evolve(request, tests=(failure.name,), selected=())
        return RecordedTest(Ended("finished", 1, failure.message), again, failure.name, others, tuple(run.notes))


class _TestRun:
    """One run of the tests that a request names."""

    def __init__(self, request: Request, record: Record, folder: Path) -> None:
        self.request, self._record, self._folder = request, record, folder
        self.notes: list[str] = []
        self._passed = 0

    def failures(self) -> Iterator[Failure]:
        """The failing tests, in order."""
        for selected in select(self.request.workspace, self.request.tests or ()):
            sources, program = read_sources(selected.file.absolute(), self.request.workspace)
            module = next(module for module in program.modules.values() if module.path == sources.program)
            properties = [name for name in property_names(module) if self._is_wanted(selected, sources, name)]
            yield from self._properties(sources, properties)
            expected = expected_output(selected.file)
            if expected is not None and self._is_wanted(selected, sources, "main"):
                yield from self._main(sources, expected)

    def summary(self) -> str:
        """The message if nothing failed."""
        problems = " ".join(self.notes)
        if self._passed:
            return f"{counted(self._passed, 'test')} passed. {problems}".rstrip()
        return problems or "no tests: a test is a definition prop_... in a file, or FILE.expected beside its main"

    def _is_wanted(self, selected: Selected, sources: Sources, name: str) -> bool:
        chosen = self.request.selected
        return selected.includes(name) and (not chosen or f"{sources.program}::{name}" in chosen)

    def _properties(self, sources: Sources, names: list[str]) -> Iterator[Failure]:
        """The properties that fail, tested in a process of their own."""
        if not names:
            return
        answer = self._folder / "outcomes.json"
        wanted = {
            "program": sources.program,
            "texts": sources.texts,
            "names": sources.names,
            "properties": names,
            "out": str(answer),
        }
        file = self._folder / "properties.json"
        file.write_text(json.dumps(wanted), encoding="utf-8")
        module = "adebug_lsp.languages.haskell.testing.property_process"
        code = run_program([sys.executable, "-m", module, str(file)], self.request)
        if not answer.is_file():
            raise BadInputError(f"the properties of {sources.program} could not be run (exit code {code})")
        for name, counterexample, problem in json.loads(answer.read_text(encoding="utf-8")):
            if counterexample:
                start = evolve(sources, start=counterexample)
                yield Failure(f"{sources.program}::{name}", start, f"{counterexample} {problem}")
            elif problem:
                self.notes.append(f"{name}: {problem}.")
            else:
                self._passed += 1
        answer.unlink()

    def _main(self, sources: Sources, expected: str) -> Iterator[Failure]:
        """The failure of `main`, if it prints something else than expected."""
        pieces: list[str] = []
        request = evolve(self.request, output=lambda stream, text: pieces.append(text) if stream == "stdout" else None)
        recording = self._folder / f"{Path(sources.program).stem}.adebug"
        ended = self._record(request, sources, recording)
        printed = "".join(pieces).replace("\r\n", "\n")
        if printed == expected and ended.exit_code == 0:
            self._passed += 1
            return
        message = _difference(printed, expected) if ended.exit_code == 0 else ended.message
        yield Failure(f"{sources.program}::main", sources, message, recording)


def _difference(printed: str, expected: str) -> str:
    lines, wanted = printed.splitlines(), expected.splitlines()
    for number, (line, other) in enumerate(zip(lines, wanted, strict=False), 1):
        if line != other:
            return f"line {number} of the output is {line!r}; expected is {other!r}"
    if len(lines) != len(wanted):
        return f"main printed {counted(len(lines), 'line')}; expected are {len(wanted)}"
    return "the output ends in another way than the expected one"
