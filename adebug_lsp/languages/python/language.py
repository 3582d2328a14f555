"""Python as a `Language`: records in the user's interpreter, opens recordings, provides oracles."""

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

import numpy as np
from attrs import define, evolve

from adebug_lsp.languages.builtin import PYTHON
from adebug_lsp.languages.child_program import run_program
from adebug_lsp.languages.elapsed_progress import UNKNOWN, ticking
from adebug_lsp.languages.language import (
    Ended,
    Entry,
    ExportedTests,
    Language,
    NothingToAskError,
    Outline,
    Progress,
    RecordedTest,
    Request,
)
from adebug_lsp.languages.python.bare_tests import TestOutcomes, run_bare, select_arguments, without_output
from adebug_lsp.languages.python.conditions import PythonCondition, read_condition
from adebug_lsp.languages.python.editor.outline import PythonOutline, outline
from adebug_lsp.languages.python.export_tests import export_tests
from adebug_lsp.languages.python.failing_test import record_failing_test, record_failure
from adebug_lsp.languages.python.interpreter import find_interpreter, find_script
from adebug_lsp.languages.python.oracles.assertion import (
    AssertionOracle,
    judged_call,
    judged_cell,
    judged_test,
    read_failure,
)
from adebug_lsp.languages.python.oracles.changed_code import ChangedCode
from adebug_lsp.languages.python.oracles.consequence import Consequence
from adebug_lsp.languages.python.oracles.held_assertions import HeldAssertions
from adebug_lsp.languages.python.oracles.independence import Independence
from adebug_lsp.languages.python.oracles.reference import Reference
from adebug_lsp.languages.python.oracles.rule_oracle import Rules
from adebug_lsp.languages.python.oracles.twin import Twin
from adebug_lsp.languages.python.own_recordings import note_recording, own_interpreter, register_recording
from adebug_lsp.languages.python.project_settings import read_settings
from adebug_lsp.languages.python.questions.dependences.python_slicer import PythonSlicer
from adebug_lsp.languages.python.questions.executed_lines import executed
from adebug_lsp.languages.python.questions.roots import root_of_run, root_of_test
from adebug_lsp.languages.python.questions.spectrum import Coverage, PassingTests, coverage, has_ended
from adebug_lsp.languages.python.questions.subject import PythonSubject
from adebug_lsp.languages.python.reading.recording_file import is_recording, open_recording, read_ending
from adebug_lsp.languages.python.reading.run import Run, read_run
from adebug_lsp.languages.python.reading.structure.run_structure import Test
from adebug_lsp.languages.python.reading.structure.spans import RAISED, Span
from adebug_lsp.languages.python.rewrite_cache import cache_folder
from adebug_lsp.languages.python.sandbox.fragment import Fragment
from adebug_lsp.languages.python.sandbox.reexecution import Reexecution
from adebug_lsp.languages.python.twin_run import TwinRuns, environment_in
from adebug_lsp.model.behaviour import Question
from adebug_lsp.model.errors import BadAnswerError, BadInputError
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.oracles.oracle import Oracle
from adebug_lsp.store.saved_answers import SavedAnswer
from adebug_lsp.tree.columns import Ints

RECORDER_FOLDER = Path(__file__).parent / "recorder"


class Python(Language):
    """See `Language`."""

    descriptor = PYTHON

    def outline(self, file: Path, text: str, last: Outline | None) -> PythonOutline | None:
        """See `Language`."""
        return outline(file, text, last if isinstance(last, PythonOutline) else None)

    def failing(self, workspace: Path) -> list[str]:
        """See `Language`; read from pytest's cache."""
        try:
            failed = json.loads((workspace / ".pytest_cache/v/cache/lastfailed").read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return []
        return list(failed) if isinstance(failed, dict) else []

    def read_condition(self, text: str) -> PythonCondition:
        """See `Language`."""
        return read_condition(text)

    def export_tests(self, answers: Sequence[SavedAnswer], _file: Path, _workspace: Path) -> ExportedTests:
        """See `Language`; exports tests for pytest."""
        return export_tests(answers)

    def command(self, request: Request, out: Path) -> list[str]:
        """See `Language`."""
        return self._command(request, out)

    def _command(self, request: Request, out: Path, outcomes: Path | None = None) -> list[str]:
        """The command line of the recorder."""
        interpreter = find_interpreter(request.interpreter, request.workspace)
        note_recording(out, interpreter)
        command = [str(interpreter), str(RECORDER_FOLDER), "--out", str(out), "--workspace", str(request.workspace)]
        command += ["--level", request.level, "--settings", json.dumps(read_settings(request.workspace))]
        if (cache := cache_folder()) is not None:
            command += ["--cache", str(cache)]
        if request.timeout is not None:
            command += ["--timeout", str(request.timeout)]
        if request.call is not None:
            command += ["--call", request.call]
        if outcomes is not None:
            command += ["--outcomes", str(outcomes)]
        command += select_arguments(request.selected, out.with_suffix(".selection"))
        return command + _program_arguments(request, interpreter)

    def record(self, request: Request, out: Path, progress: Progress) -> Ended:
        """See `Language`."""
        return self._record(request, out, progress)

    def record_failing_test(
        self, request: Request, out: Path, progress: Progress, wanted: str | None = None
    ) -> RecordedTest:
        """See `Language`; pytest runs unrecorded first."""
        return record_failing_test(request, out, progress, wanted, self._record)

    def record_failure(self, request: Request, out: Path, progress: Progress, suite: TestOutcomes) -> RecordedTest:
        """Like `record_failing_test`, for a run of pytest that has already ended."""
        return record_failure(request, out, progress, suite, None, self._record)

    def passes(self, request: Request, workspace: Path) -> bool:
        """See `Language`."""
        roots = [root for root in ("src", "") if (request.workspace / root).is_dir()]
        environment = environment_in(request.workspace, workspace, roots)
        tests = ("-p", "no:cacheprovider", *(request.tests or ()))
        outcomes = run_bare(without_output(evolve(request, environment=environment, tests=tests)))
        return outcomes.count > 0 and not outcomes.failures and not outcomes.problem

    def _record(self, request: Request, out: Path, progress: Progress, outcomes: Path | None = None) -> Ended:
        """Run the recorder in the user's interpreter, and register the recording as the user's own."""
        command = self._command(request, out, outcomes)
        with ticking(progress, "recording"):
            exit_code = run_program(command, request)
        if not is_recording(out):
            raise BadInputError(f"{command[0]} left no recording (exit code {exit_code})")
        register_recording(out)
        return _ended(read_ending(out), exit_code)

    def open(self, recording: Path, progress: Progress) -> "OpenedPython":
        """See `Language`."""
        with ticking(progress, "reading") as percentage:
            read = open_recording(recording, percentage)
            percentage.done = UNKNOWN
            return OpenedPython(read_run(read), own_interpreter(recording))


def _program_arguments(request: Request, interpreter: Path) -> list[str]:
    """The program's part of the recorder's command line."""
    if request.tests is not None:
        return ["-m", "pytest", *request.tests]
    if request.module is not None:
        return ["-m", request.module, *request.args]
    if request.script == "pytest":  # as a module, so that its tests are recorded as such
        return ["-m", "pytest", *request.args]
    program = request.program if request.script is None else find_script(request.script, interpreter)
    return [str(program), *request.args]


def _ended(ending: dict[str, object] | None, exit_code: int) -> Ended:
    """Describe how a run ended, from the recording's last segment and the exit code."""
    if ending is None:
        return Ended("killed", exit_code, f"the program was ended from outside (exit code {exit_code})")
    how, message = str(ending.get("how", "finished")), str(ending.get("message", ""))
    text = {
        "raised": f"the program raised {message}",
        "timeout": f"the program was {message}",
        "interrupted": "the program was interrupted",
        "killed": "the program was terminated",
        "full": f"recording stopped before the program ended: {message}",
    }.get(how, "")
    return Ended(how, exit_code, text)


_SYNTAX = re.compile(r": (Syntax|Indentation|Tab)Error\b")
_NO_TEST = (0, 4, 5)
"""Exit codes of pytest when no test ran: it printed a list or its version, got invalid arguments, or found no tests.

https://docs.pytest.org/en/stable/reference/exit-codes.html (pytest 8)
"""


FREE_THREADED = "this Python is free-threaded: the program was recorded without the part in C, which takes longer"


@define(eq=False)
class OpenedPython:
    """See `Opened`."""

    run: Run
    interpreter: Path | None = None
    """The interpreter that recorded the run; None if another user did, and then no code of the program is executed."""

    @property
    def problem(self) -> str:
        """See `Opened`."""
        return self.run.recording.problem

    @property
    def ended(self) -> Ended:
        """See `Opened`."""
        ending = self.run.recording.ending
        code = ending.get("exit_code", 0) if ending else 1
        return _ended(ending, code if isinstance(code, int) else 1)

    @property
    def trusted(self) -> tuple[str, ...]:
        """See `Opened`."""
        names = self.run.recording.meta.get("trust")
        return tuple(str(name) for name in names) if isinstance(names, list) else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """See `Opened`."""
        return (FREE_THREADED,) if self.run.recording.meta.get("free_threaded") else ()

    @cached_property
    def _tests(self) -> dict[str, Test]:
        atom = self.run.recording.values.atom
        return {str(atom(test.name)): test for test in self.run.structure.tests}

    @cached_property
    def _stopped(self) -> Test | None:
        """The test that was running when the run was stopped, with all records from its start on."""
        last = next(reversed(self._tests.values()), None)
        if last is None or has_ended(self.run, last):
            return None
        last.last = len(self.run.recording.words) - 1
        return last

    @cached_property
    def _coverage(self) -> Coverage:
        return coverage(self.run)

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """See `Opened`."""
        if not self._tests:
            if problem := self._pytest_problem():
                raise NothingToAskError(f"no test was run: {problem}")
            if self._ran_no_test():
                return []
            return [self._whole]
        entries = []
        for name, test in self._tests.items():
            failure = read_failure(self.run, test)
            if failure is None and test is self._stopped:
                entries.append(Entry(name, failed=True, message=self.ended.message))
            else:
                entries.append(Entry(name, failure is not None, failure.message if failure else ""))
        if not self._is_pytest() and not any(entry.failed for entry in entries):
            entries.append(self._whole)
        return sorted(entries, key=lambda entry: not entry.failed)

    @property
    def _whole(self) -> Entry:
        """The whole run."""
        failed = self.ended.how in ("raised", "timeout") or (self._is_pytest() and self.ended.exit_code != 0)
        return Entry("", failed, self.ended.message)

    def _pytest_problem(self) -> str:
        """Why pytest ran no tests; empty if recorded code failed, which can be asked about."""
        listed = (self.run.recording.ending or {}).get("pytest")
        problems = [str(problem) for problem in listed] if isinstance(listed, list) else []
        if not problems:
            return ""
        raised = bool(np.any(np.frombuffer(self.run.spans.flags, np.int8) & RAISED))
        syntax = [problem for problem in problems if _SYNTAX.search(problem)]
        shown = syntax or ([] if raised else problems)
        return shown[0] + (f" ({len(problems) - 1} more)" if len(problems) > 1 else "") if shown else ""

    def _ran_no_test(self) -> bool:
        """Whether pytest had nothing to run or was used wrongly, as opposed to a module that raises."""
        return self._is_pytest() and self.ended.exit_code in _NO_TEST

    def _is_pytest(self) -> bool:
        command = self.run.recording.meta.get("command")
        return isinstance(command, list) and command[:1] == ["pytest"]

    def subject(self, entry: Entry) -> PythonSubject:
        """See `Opened`."""
        if not entry.name:
            return PythonSubject(self.run, root_of_run(self.run), entry=entry)
        test = self._tests[entry.name]
        spectrum = self._coverage.spectrum(test)
        root, function = root_of_test(self.run, test, entry.name)
        failure = read_failure(self.run, test)
        return PythonSubject(self.run, root, entry=entry, test=function, failure=failure, spectrum=spectrum)

    def executed(self, subject: PythonSubject, path: str, line: int) -> Ints:
        """See `Opened`."""
        return executed(self.run, subject.tree, path, line)

    def slicer(self, subject: PythonSubject) -> PythonSlicer:
        """See `Opened`."""
        return PythonSlicer(self.run, subject.dependences, may_run=self.interpreter is not None)

    def diagram(self, _subject: PythonSubject) -> None:
        """See `Opened`; threads share data and send no messages."""

    @contextmanager
    def oracles(
        self, subject: PythonSubject, reference: str | None, problem: Callable[[str], None]
    ) -> Iterator[Sequence[Oracle]]:
        """See `Opened`."""
        with ExitStack() as closing:
            oracles: list[Oracle] = []
            if reference is not None:
                oracles.append(closing.enter_context(self._reference(subject, reference, problem)))
            else:
                oracles += [*self._assertion(subject), Consequence(subject)]
            if self.interpreter is not None:
                rules = closing.enter_context(Rules(self.run, self._workspace, self.interpreter))
                subject.rule = rules.holds
                again = Reexecution(self.run, subject.behaviours, self._workspace, self.interpreter, problem)
                subject.reexecute = closing.enter_context(again).of
            else:
                subject.rule = _no_rules
            if subject.spectrum is not None:
                oracles.append(PassingTests(self._coverage, subject.behaviours, _span_of(subject)))
            yield oracles

    def _reference(self, subject: PythonSubject, spec: str, problem: Callable[[str], None]) -> Reference:
        """The reference oracle, which may run the test again in its tree."""
        workspace = self._workspace

        def fragment_of(question: Question) -> Fragment | None:
            return subject.at(question.zoomed).fragment(question.node)

        # A recording from elsewhere may not choose the interpreter, or a folder that contains one.
        interpreter = self.interpreter or find_interpreter(None, Path.cwd())
        reference = Reference.open(spec, workspace, interpreter, self.run, fragment_of, problem)
        reference.changed = ChangedCode(subject, reference.identity)
        subject.changes = reference.identity.changes
        self._twin(reference, subject, problem)
        return reference

    def _twin(self, reference: Reference, subject: PythonSubject, problem: Callable[[str], None]) -> None:
        """Let a reference run the test again, if the recording is the user's own; no other command is run."""
        name = "" if subject.entry is None else subject.entry.name
        if reference.root is None or self.interpreter is None or not name:
            return
        root, single = reference.root
        record = Python()._record
        twins = TwinRuns(
            self.run, self._workspace, self.interpreter, name, record, problem, lambda: reference.seconds_left
        )
        reference.closes(twins.close)
        reference.twin = Twin(self.run, lambda: twins.of_reference(root, single), twins.again)

    @property
    def _workspace(self) -> Path:
        return Path(str(self.run.recording.meta.get("workspace", os.getcwd())))

    def _assertion(self, subject: PythonSubject) -> list[Oracle]:
        """The oracles of the failed test's assertion and of those that held."""
        entry = subject.entry
        cell = judged_cell(self.run) if entry is not None and not entry.name else None
        if cell is not None:
            node = subject.node(cell.span)
            return [AssertionOracle((cell,), [] if node is None else [node], _span_of(subject), "the cell that raised")]
        test = self._tests.get(entry.name) if entry is not None else None
        failure = read_failure(self.run, test) if test else None
        span = subject.test
        if test is None or failure is None or span is None:
            return []
        independence = Independence(self.run, subject.behaviours, span, test.first)
        call = judged_call(self.run, independence, failure)
        judged = [judged_test(independence, failure), *([call] if call else [])]
        node = subject.node(judged[-1].span)
        nodes = [] if node is None else [node]
        held = HeldAssertions(independence, subject.dependences.flow.evaluations, _span_of(subject))
        return [AssertionOracle(tuple(judged), nodes, _span_of(subject)), held]


def _no_rules(_rule: str, _fragment: Fragment) -> bool | None:
    """Refuse a rule about a recording that is not the user's own."""
    raise BadAnswerError("rules are unavailable: this recording was made elsewhere and its code is never run")


def _span_of(subject: PythonSubject) -> Callable[[Question], Span | None]:
    """Maps a question about one call, loop or iteration to its span, and any other question to None."""
    several = (NodeKind.ITERATION_RANGE, NodeKind.PROJECTION)

    def span_of(question: Question) -> Span | None:
        return None if question.zoomed or question.facts.kind in several else subject.span(question.node)

    return span_of
