"""Erlang as a `Language`: records on the installed BEAM, opens recordings, provides oracles."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import define, evolve

from adebug_lsp.languages.builtin import ERLANG
from adebug_lsp.languages.child_program import run_program
from adebug_lsp.languages.diagram import Diagram
from adebug_lsp.languages.elapsed_progress import ticking
from adebug_lsp.languages.erlang.conditions import ErlangCondition, read_condition
from adebug_lsp.languages.erlang.editor.outline import ErlangOutline, outline
from adebug_lsp.languages.erlang.export_tests import export_tests
from adebug_lsp.languages.erlang.oracles.eunit import (
    SOURCE_FOLDERS,
    FailingTest,
    RecordedTest,
    find_files_with_errors,
    find_tests,
    recorded_tests,
    test_outcomes,
    tests_expression,
)
from adebug_lsp.languages.erlang.oracles.reference import Reference
from adebug_lsp.languages.erlang.questions.process_diagram import diagram
from adebug_lsp.languages.erlang.questions.subject import ErlangSubject
from adebug_lsp.languages.erlang.reading.recording_file import (
    ErlangRecording,
    open_erlang,
    write_recording,
)
from adebug_lsp.languages.erlang.reading.run import ErlangRun
from adebug_lsp.languages.erlang.reading.sites import read_sites
from adebug_lsp.languages.erlang.reading.term_text import text
from adebug_lsp.languages.erlang.reading.terms import Atom, MapTerm, decode, encode
from adebug_lsp.languages.erlang.recorder.otp import compiled, find_erlang
from adebug_lsp.languages.erlang.sandbox.rules import RuleEvaluator
from adebug_lsp.languages.erlang.syntax.file_syntax import parse
from adebug_lsp.languages.language import Ended, Entry, ExportedTests, Language, Outline, Progress, Request
from adebug_lsp.model.errors import BadInputError
from adebug_lsp.oracles.oracle import Oracle
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.tree.columns import Ints


class Erlang(Language):
    """See `Language`."""

    descriptor = ERLANG

    def outline(self, file: Path, text: str, last: Outline | None) -> ErlangOutline | None:
        """See `Language`."""
        return outline(file, text, last if isinstance(last, ErlangOutline) else None)

    def read_condition(self, text: str) -> ErlangCondition:
        """See `Language`."""
        return read_condition(text)

    def command(self, request: Request, _out: Path) -> list[str]:
        """See `Language`; the VM writes parts, from which `record` makes a recording."""
        return _command(request, Path(tempfile.mkdtemp(prefix="adebug-")))

    def record(self, request: Request, out: Path, progress: Progress) -> Ended:
        """See `Language`."""
        folder = Path(tempfile.mkdtemp(prefix="adebug-"))
        try:
            command = _command(request, folder)
            with ticking(progress, "recording"):
                code = run_program(command, request)
            ended = _read(folder / "ended")
            if ended.get("how") == Atom("refused"):
                raise BadInputError(ended["problem"].decode())
            if not (folder / "sites").is_file():
                raise BadInputError(f"{command[0]} left no recording (exit code {code})")
            call = "the tests" if request.tests is not None else _program_and_call(request)[1]
            meta: dict[str, Any] = {"workspace": str(request.workspace), "call": call, "exit_code": code}
            if request.tests is not None:
                meta["tests"] = [[test.module, test.name] for test in find_tests(request.workspace, request.tests)]
            meta["sources"] = _sources(folder / "sites", request.workspace)
            write_recording(out, folder, meta)
            outcome = _ended(ended, call, code)
            return self.open(out, progress).ended if outcome.how == "timeout" else outcome
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def open(self, recording: Path, progress: Progress) -> "OpenedErlang":
        """See `Language`."""
        with ticking(progress, "reading"):
            return OpenedErlang(ErlangRun(open_erlang(recording)))

    def export_tests(self, answers: Sequence[SavedAnswer], file: Path, workspace: Path) -> ExportedTests:
        """See `Language`; exports tests for EUnit."""
        return export_tests(answers, file.stem, workspace)


@define(eq=False, slots=False)
class OpenedErlang:
    """See `Opened`."""

    run: ErlangRun

    @property
    def _recording(self) -> ErlangRecording:
        return self.run.recording

    @property
    def problem(self) -> str:
        """See `Opened`."""
        skipped = [f"not recorded: {why}" for why in self._recording.sites.skipped]
        return "; ".join(filter(None, [self._recording.problem, *skipped]))

    @property
    def ended(self) -> Ended:
        """See `Opened`."""
        meta = self._recording.meta
        code = meta.get("exit_code")
        ended = _ended(self._recording.ended, str(meta.get("call", "")), code if isinstance(code, int) else 1)
        if ended.how != "timeout":
            return ended
        waiting, busy = self.run.waiting_lines, self.run.busy_processes
        if waiting:
            return evolve(ended, message=f"{ended.message}: {_deadlock(waiting)}")
        return evolve(ended, message=f"{ended.message}: {_working(busy)}") if busy else ended

    @property
    def trusted(self) -> tuple[str, ...]:
        """See `Opened`."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """See `Opened`."""
        return ()

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """See `Opened`."""
        if not self._tests:
            return [Entry("", self.ended.how in ("raised", "timeout"), self.ended.message)]
        return sorted((ran.entry for ran in self._tests), key=lambda entry: not entry.failed)

    @cached_property
    def _tests(self) -> list[RecordedTest]:
        listed = self._recording.meta.get("tests")
        pairs = listed if isinstance(listed, list) else []
        named = [(str(pair[0]), str(pair[1])) for pair in pairs if isinstance(pair, list) and len(pair) == 2]
        return recorded_tests(self.run, named) if named else []

    def subject(self, entry: Entry) -> ErlangSubject:
        """See `Opened`."""
        if not len(self.run.frames):
            raise BadInputError("no call of a recorded module was recorded, so there is nothing to ask about")
        recorded = next((test for test in self._tests if test.entry.name == entry.name), None)
        if recorded is None:
            return ErlangSubject(self.run, entry)
        return ErlangSubject(self.run, entry, root_is_wrong=entry.failed, during=(recorded.first, recorded.last))

    def executed(self, subject: ErlangSubject, path: str, line: int) -> Ints:
        """See `Opened`."""
        return subject.executed(path, line)

    def diagram(self, subject: ErlangSubject) -> Diagram | None:
        """See `Opened`; None for a single process."""
        return diagram(subject) if len(self._recording.events.processes) > 1 else None

    def slicer(self, _subject: ErlangSubject) -> None:
        """See `Opened`: of a value only its origin is derived."""

    @contextmanager
    def oracles(
        self, subject: ErlangSubject, reference: str | None, _problem: Callable[[str], None]
    ) -> Iterator[Sequence[Oracle]]:
        """See `Opened`."""
        with ExitStack() as closing:
            subject.rules = closing.enter_context(RuleEvaluator(self.run))
            tests = self._tests if subject.entry is not None else []
            recorded = next((test for test in tests if test.entry == subject.entry), None)
            oracles: list[Oracle] = []
            if recorded is not None and recorded.raised_frames:
                oracles.append(FailingTest(subject, recorded))
            if reference is not None:
                workspace = Path(str(self._recording.meta.get("workspace", os.getcwd())))
                oracles.append(closing.enter_context(Reference.open(reference, workspace, subject)))
            yield oracles


def _command(request: Request, folder: Path) -> list[str]:
    """The command line that runs the program and leaves the parts of its recording in a folder."""
    erl, erlc = find_erlang()
    if request.tests is None:
        program, call = _program_and_call(request)
        programs = [program]
    else:
        tests = find_tests(request.workspace, request.tests)
        broken = find_files_with_errors(request.workspace, request.tests)  # the compiler knows best what to say
        programs, call = list(dict.fromkeys([*broken, *(test.file for test in tests)])), tests_expression(tests)
    options: dict[Any, Any] = {
        Atom("folder"): str(folder),
        Atom("modules"): [str(program) for program in programs],
        Atom("expression"): call,
        Atom("includes"): _unique(path for program in programs for path in _includes(program, request.workspace)),
    }
    options[Atom("beams")] = _unique(path for program in programs for path in _compiled(program, request.workspace))
    if request.tests is not None:
        built = request.workspace.glob("_build/*/lib/*/ebin")
        options[Atom("tests")] = Atom("true")
        options[Atom("sources")] = _unique((request.workspace / name).resolve() for name in SOURCE_FOLDERS)
        options[Atom("paths")] = _unique(path for path in built if path.parent.name != request.workspace.resolve().name)
    if request.timeout is not None:
        options[Atom("timeout")] = int(1000 * request.timeout)
    (folder / "options").write_bytes(encode(options))
    start = ["-noshell", "+Bd", "-pa", str(compiled(erl, erlc)), "-s", "adebug_recorder", "main"]
    return [erl, *start, "-extra", str(folder / "options")]


def _program_and_call(request: Request) -> tuple[Path, str]:
    """The program, and the expression to evaluate."""
    if request.program is None:
        raise BadInputError("an Erlang program is a file: adebug run FILE.erl --call 'module:function(...)'")
    if request.args:
        raise BadInputError(
            f"{request.args[0]}: an Erlang program takes no arguments; put options of adebug before the program"
        )
    program = request.program.absolute()
    if request.call is not None or program.suffix == ".beam":
        return program, request.call or f"{program.stem}:main()"
    try:
        syntax = parse(program.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise BadInputError(f"{program}: cannot be read: {error.strerror}") from error
    exported = [(function.name, function.arity) for function in syntax.functions if function.exported]
    has_main = ("main", 0) in exported
    if not has_main and not syntax.broken_forms:  # with an error in it, the compiler knows better what to say
        raise BadInputError(f"{program.name} has no main/0; name a call with --call 'module:function(...)'")
    return program, f"{syntax.module or program.stem}:main()"


def _unique(paths: Iterable[Path]) -> list[str]:
    return list(dict.fromkeys(str(path) for path in paths))


def _includes(program: Path, workspace: Path) -> list[Path]:
    folders = [program.parent.parent / "include", workspace / "include"]
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def _compiled(program: Path, workspace: Path) -> list[Path]:
    """Folders that may contain compiled modules of the project without sources."""
    built = workspace.glob(f"_build/*/lib/{workspace.resolve().name}/ebin")
    folders = [program.parent, program.parent.parent / "ebin", workspace / "ebin", *built]
    return [folder.resolve() for folder in folders if folder.is_dir()]


def _read(path: Path) -> dict[str, Any]:
    term = decode(path.read_bytes()) if path.is_file() else None
    return {str(key): value for key, value in term.pairs} if isinstance(term, MapTerm) else {}


def _sources(sites: Path, workspace: Path) -> dict[str, tuple[str, str]]:
    """The path in the workspace and the text of each recorded module."""
    sources = {}
    for module, file in read_sites(decode(sites.read_bytes())).files.items():
        path = Path(file)
        inside = path.is_relative_to(workspace)
        name = path.relative_to(workspace).as_posix() if inside else path.as_posix()
        if path.suffix == ".erl" and path.is_file():
            sources[module] = (name, path.read_text(encoding="utf-8", errors="replace"))
    return sources


def _deadlock(lines: list[tuple[str, int]]) -> str:
    """The message for a run in which every process waits forever."""
    places = ", ".join(f"{process} at line {line}" for process, line in lines[:8])
    more = f" and {len(lines) - 8} more" if len(lines) > 8 else ""
    return f"every process waits for a message, {places}{more}"


def _working(places: list[tuple[str, str]]) -> str:
    """The message for processes that were still running at the end."""
    shown = ", ".join(f"{process} in {routine}" for process, routine in places[:8])
    more = f" and {len(places) - 8} more" if len(places) > 8 else ""
    return f"still at work: {shown}{more}"


def _ended(ended: dict[str, Any], call: str, code: int) -> Ended:
    """How a run ended, from the recorder's note or the exit code of the VM."""
    how = str(ended.get("how", "killed"))
    if how == "raised":
        return Ended(how, 1, f"{call} raised {ended.get('class')}:{text(ended.get('reason'), 200)}")
    if how == "timeout":
        return Ended(how, 1, f"{call} did not end in time")
    tests = test_outcomes(ended.get("value")) if how == "finished" else None
    if tests is not None:
        passed = sum(outcome == "ok" for outcome in tests.values())
        return Ended(how, int(passed < len(tests)), f"{passed} of {len(tests)} tests passed")
    if how == "finished":
        return Ended(how, 0, f"{call} = {text(ended.get('value'), 200)}")
    return Ended("killed", code, f"the VM ended before {call} did (exit code {code})")
