"""Records one failing test of a suite: the suite runs unrecorded, then only this test is recorded.

A test that passes alone depends on other tests. Those are found by rerunning parts of the suite unrecorded, and are
recorded with it.
"""

import ast
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from attrs import define, evolve

from adebug_lsp.languages.language import (
    Ended,
    NothingToAskError,
    Progress,
    RecordedTest,
    Request,
    TestsInterruptedError,
)
from adebug_lsp.languages.python.bare_tests import (
    COLLECT,
    UNFINISHED,
    Failure,
    TestOutcomes,
    read_outcomes,
    run_bare,
    without_output,
)
from adebug_lsp.languages.python.unittest_runner import runner_text, without_pytest

Record = Callable[[Request, Path, Progress, Path | None], Ended]
"""Records a request to a file, with progress; writes the outcomes of its tests to another file, if one is given."""

LEAST_SECONDS, MOST_TIMES = 60.0, 10
"""Time limit of the search for the tests that a test needs: so many times the suite, but at least so many seconds."""
_MOST_NAMED = 3
_NO_TESTS_RAN = "no tests ran; see the output of the test runner above"
_STOPPED = ("interrupted", "timeout", "killed")
"""Endings of a recorded run that leave its last test unfinished; the session asks about that test nevertheless."""
_NONE_FAILED = (0, 5)
"""Exit codes of unittest if no test failed; 5 if there was none: https://docs.python.org/3/library/unittest.html"""
_PYTEST_USAGE = 4
"""Exit code of pytest for invalid arguments: https://docs.pytest.org/en/stable/reference/exit-codes.html"""


def record_failing_test(
    request: Request, out: Path, progress: Progress, wanted: str | None, record: Record
) -> RecordedTest:
    """Run the tests, and record the first failing one, or the one named `wanted`; without pytest, record all."""
    instead = without_pytest(request)
    if instead is not None:
        runner = runner_text(instead)
        progress(f"recording {runner}, because there is no pytest for this project")
        ended = record(instead, out, progress, None)
        if ended.how in ("finished", "exited") and ended.exit_code in _NONE_FAILED:
            out.unlink(missing_ok=True)
            why = f"{runner} ran the tests, because there is no pytest for this project"
            raise NothingToAskError(f"no test failed, so there is nothing to find; {why}")
        return RecordedTest(ended, instead, wanted)
    if wanted is None and names_one_test(request):
        return RecordedTest(record(request, out, progress, None), request)
    progress("running the tests")
    return record_failure(request, out, progress, run_bare(request), wanted, record)


def record_failure(  # noqa: PLR0917 (all of them are needed, and none has a default)
    request: Request, out: Path, progress: Progress, suite: TestOutcomes, wanted: str | None, record: Record
) -> RecordedTest:
    """Record the first failing test of a run, or the one named `wanted`."""
    failure = _failure_to_record(suite, wanted, request)
    others = tuple(dict.fromkeys(other.name for other in suite.failures if other.name != failure.name))
    with TemporaryDirectory(prefix="adebug-") as folder:
        recorder = _Recorder(request, out, progress, record, Path(folder, "outcomes"))
        return evolve(recorder.reproduce(failure, suite), other_failures=others)


def names_one_test(request: Request) -> bool:
    """Whether the arguments select exactly one test by its node id, so that the suite need not run first."""
    arguments = request.tests or ()
    folder = request.folder or Path.cwd()
    ids = [argument for argument in arguments if "::" in argument and not argument.startswith("-")]
    paths = [argument for argument in arguments if "::" not in argument and (folder / argument).exists()]
    return len(ids) == 1 and not paths and not request.selected and _is_one_test(folder, ids[0])


def _is_one_test(folder: Path, node_id: str) -> bool:
    """Whether a node id names a single test: a function, with its parameters if it is parametrized."""
    file, *names = node_id.partition("[")[0].split("::")
    try:
        body = ast.parse((folder / file).read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return True  # pytest reports the error
    for name in names:
        definition = next((statement for statement in body if getattr(statement, "name", None) == name), None)
        if not isinstance(definition, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            return True  # inherited, or created at run time
        parametrized = any("parametrize" in ast.unparse(decorator) for decorator in definition.decorator_list)
        if parametrized and "[" not in node_id:
            return False
        body = definition.body
    return not isinstance(definition, ast.ClassDef)


def _failure_to_record(outcomes: TestOutcomes, wanted: str | None, request: Request) -> Failure:
    """The failure to ask about; raises `NothingToAskError` if there is none."""
    if outcomes.interrupted:
        raise TestsInterruptedError(_interruption(outcomes), outcomes.unfinished)
    failure = next(iter(outcomes.failures), None) if wanted is None else outcomes.failure_of(wanted)
    if failure is not None:
        return failure
    if wanted is not None and outcomes.count:
        ran = any(wanted in names for names in outcomes.processes.values())
        raise NothingToAskError(f"{wanted} {'did not fail' if ran else 'is not the name of a test that ran'}")
    if outcomes.problem:
        raise NothingToAskError(f"no test was run: pytest itself failed: {outcomes.problem}")
    if outcomes.count and outcomes.exit_code:
        raise NothingToAskError(f"no test failed, but pytest ended with exit code {outcomes.exit_code}; see its output")
    if outcomes.count:
        raise NothingToAskError(f"no test failed, so there is nothing to find ({outcomes.count} ran)")
    if outcomes.exit_code == _PYTEST_USAGE:
        raise NothingToAskError(
            f"{_NO_TESTS_RAN}; adebug handed these arguments to pytest: {shlex.join(request.tests or ()) or 'none'}"
        )
    raise NothingToAskError(_NO_TESTS_RAN)


def _interruption(outcomes: TestOutcomes) -> str:
    """The message for an interrupted run: the test that was running, and how to record one."""
    names = [failure.name for failure in outcomes.failures if failure.phase != UNFINISHED][:1]
    went_on = [f"{outcomes.unfinished} was running"] if outcomes.unfinished else []
    hints = [
        f"to record {name}: adebug test {shlex.quote(name)}" for name in names or filter(None, [outcomes.unfinished])
    ]
    return "; ".join(["the tests were interrupted", *went_on, *hints])


@define
class _Recorder:
    """Records tests of a suite, alone or with others."""

    request: Request
    out: Path
    progress: Progress
    record: Record
    outcomes: Path

    def reproduce(self, failure: Failure, suite: TestOutcomes) -> RecordedTest:
        """Record the test alone; if it does not fail as before, record it with the tests that it depends on."""
        alone, again = self._record_selected([failure.name], failure, f"recording {failure.name}")
        if again == failure or alone.ended.how in _STOPPED:
            return alone
        if failure.phase == COLLECT:
            return alone if again is not None else self._record_all()
        how = "passes alone" if again is None else "fails in another way alone"
        needed = self._tests_needed(failure, suite, f"{failure.name} {how}")
        if needed is not None:
            others = _listed([name for name in needed if name != failure.name])
            together, repeated = self._record_selected(needed, failure, f"recording it with {others}")
            if repeated is not None:
                return evolve(together, notes=(f"{failure.name} {how}; it was recorded with {others}",))
        if again is not None:
            alone, again = self._record_selected([failure.name], failure, f"recording {failure.name}")
            return evolve(alone, notes=(f"alone, {failure.name} fails in another way than with the other tests",))
        self.out.unlink(missing_ok=True)
        raise NothingToAskError(
            f"{failure.name} failed, but passes alone and when the tests before it are repeated; --whole records all "
            "tests while they run"
        )

    def _record_all(self) -> RecordedTest:
        """Record the whole suite, for a file whose collection fails only together with others."""
        ended = self.record(without_output(self.request), self.out, self.progress, self.outcomes)
        return RecordedTest(ended, self.request)

    def _record_selected(
        self, names: Sequence[str], failure: Failure, doing: str
    ) -> tuple[RecordedTest, Failure | None]:
        """Record these tests; returns also the new failure of the test in question, if it failed."""
        self.outcomes.unlink(missing_ok=True)
        request = evolve(self.request, selected=tuple(names))
        began = monotonic()
        ended = self.record(without_output(request), self.out, _as_one_phase(self.progress, doing), self.outcomes)
        outcomes = read_outcomes(self.outcomes, ended.exit_code, monotonic() - began, request)
        # A killed process may have lost the records of its last test.
        entry = None if failure.phase == COLLECT or ended.how == "killed" else failure.name
        return RecordedTest(ended, request, entry), outcomes.failure_of(failure.name)

    def _tests_needed(self, failure: Failure, suite: TestOutcomes, how: str) -> list[str] | None:
        """A small part of the suite with which the test fails as before; None if it does not fail again."""
        before, after = suite.ran_with(failure.name)
        end = monotonic() + max(LEAST_SECONDS, MOST_TIMES * suite.seconds)
        doing = f"{how}; looking for the tests it depends on"

        def fails(others: Sequence[str]) -> bool:
            self.progress(doing, len(before) + len(after) - len(others), len(before) + len(after))
            chosen = {*others, failure.name}
            selected = tuple(name for name in (*before, failure.name, *after) if name in chosen)
            repeated = run_bare(without_output(evolve(self.request, selected=selected)))
            if repeated.interrupted:
                raise KeyboardInterrupt
            return repeated.failure_of(failure.name) == failure

        try:
            # Importing the files of later tests can make it fail, too.
            for others in filter(None, (before, before + after if after else [])):
                if fails(others):
                    needed = {*minimised(others, fails, lambda: monotonic() < end), failure.name}
                    return [name for name in (*before, failure.name, *after) if name in needed]
        except KeyboardInterrupt:
            self.out.unlink(missing_ok=True)
            raise TestsInterruptedError(f"{how}; interrupted while looking for the tests it depends on") from None
        return None


def minimised(items: Sequence[str], fails: Callable[[Sequence[str]], bool], go_on: Callable[[], bool]) -> list[str]:
    """A small subset of the items, in order, for which `fails` holds; `go_on` can end the search early.

    Bisection finds the longest prefix that can be left out; the item after it is needed, and the search goes on behind
    it.
    """
    needed: list[str] = []
    rest = list(items)
    while rest and not (needed and fails(needed)):
        first, last = 0, len(rest) - 1
        while first < last and go_on():
            middle = (first + last + 1) // 2
            if fails([*needed, *rest[middle:]]):
                first = middle
            else:
                last = middle - 1
        if first < last or not go_on():
            return [*needed, *rest[first:]]
        needed.append(rest[first])
        del rest[: first + 1]
    return needed


def _as_one_phase(progress: Progress, doing: str) -> Progress:
    """A progress callback that reports everything as one phase."""
    return lambda _doing, done=0, total=None: progress(doing, done, total)


def _listed(names: Sequence[str]) -> str:
    """The first few names, and the number of the others."""
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more
