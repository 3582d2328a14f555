"""Runs pytest without recording it, and reads the outcomes of its tests."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from attrs import evolve, field, frozen

from adebug_lsp.languages.child_program import run_program
from adebug_lsp.languages.language import Request
from adebug_lsp.languages.python.interpreter import find_interpreter

_LAUNCHER = Path(__file__).parent / "recorder" / "run" / "bare_pytest.py"
COLLECT = "collect"
"""The phase of a failure of a file that could not be collected."""
UNFINISHED = "unfinished"
"""The phase of a test that was still running when the process ended."""


@frozen
class Failure:
    """A test that failed, or a file that could not be collected."""

    name: str
    """The node id."""
    phase: str
    """`collect`, `setup`, `call`, `teardown` or `unfinished`."""
    place: str = ""
    """File and line of the exception, if known."""
    message: str = field(default="", eq=False)
    """Excluded from comparison: messages contain addresses and times, which differ between runs."""


@frozen
class TestOutcomes:
    """The outcomes of one run of pytest."""

    exit_code: int
    seconds: float
    processes: dict[str, list[str]]
    """The tests that each process ran, in order; without pytest-xdist there is one process."""
    failures: tuple[Failure, ...]
    """In the order of the tests; with several processes, in the order of files and lines."""
    interrupted: bool
    """Whether the run was interrupted with Ctrl-C, or stopped."""
    problem: str = ""
    """The exception that ended pytest itself."""

    @property
    def count(self) -> int:
        """The number of tests that ran."""
        return sum(map(len, self.processes.values()))

    @property
    def unfinished(self) -> str:
        """The name of the test that was running when the process ended; empty if none was."""
        return next((failure.name for failure in self.failures if failure.phase == UNFINISHED), "")

    def failure_of(self, name: str) -> Failure | None:
        """The first failure of a test."""
        return next((failure for failure in self.failures if failure.name == name), None)

    def ran_with(self, name: str) -> tuple[list[str], list[str]]:
        """The tests that ran in the same process as a test: before it, and after it."""
        for names in self.processes.values():
            if name in names:
                place = names.index(name)
                return names[:place], names[place + 1 :]
        return [], []


def run_bare(request: Request) -> TestOutcomes:
    """Run the tests of a request unrecorded, at full speed, with pytest's own options and output."""
    with TemporaryDirectory(prefix="adebug-") as folder:
        outcomes = Path(folder, "outcomes")
        command = [str(find_interpreter(request.interpreter, request.workspace)), str(_LAUNCHER)]
        command += ["--outcomes", str(outcomes), *select_arguments(request.selected, Path(folder, "selection"))]
        if request.timeout is not None:
            command += ["--timeout", str(request.timeout)]
        began = monotonic()
        exit_code = run_program([*command, *(request.tests or ())], request)
        return read_outcomes(outcomes, exit_code, monotonic() - began, request)


def select_arguments(names: Sequence[str], file: Path) -> list[str]:
    """The arguments that select these tests; names are passed in a file, because there may be thousands."""
    if not names:
        return []
    file.write_text(json.dumps(names), encoding="utf-8")
    return ["--select", str(file)]


def read_outcomes(file: Path, exit_code: int, seconds: float, request: Request) -> TestOutcomes:
    """Read the outcomes that a run wrote to a file, even if it was killed."""
    processes: dict[str, list[str]] = {}
    failures: list[Failure] = []
    started: dict[str, None] = {}
    problem = ""
    interrupted = request.stop is not None and request.stop.is_set()
    lines: dict[str, int] = {}
    for entry in _entries(file):
        match entry:
            case ["started", name]:
                started[name] = None
            case ["interrupted"]:
                interrupted = True
            case ["internal", message]:
                problem = message.partition("\n")[0]
            case [outcome, name, phase, worker, line, place, message]:
                if phase != COLLECT:
                    names = processes.setdefault(worker, [])
                    if not names or names[-1] != name:
                        names.append(name)
                if outcome == "failed":
                    # The place of a recursion error depends on the depth of the stack before.
                    place = "" if message.startswith("RecursionError") else place
                    failures.append(Failure(name, phase, place, message.partition("\n")[0]))
                    lines[name] = int(line)
                if phase == "teardown":
                    started.pop(name, None)
    if len(processes) > 1:
        failures.sort(key=lambda failure: (failure.name.partition("::")[0], lines[failure.name]))
    overdue = request.timeout is not None and seconds >= request.timeout
    reported = {failure.name for failure in failures}
    if running := [name for name in started if name not in reported]:
        failures.append(Failure(running[0], UNFINISHED, message="it had not ended when the tests did"))
    return TestOutcomes(exit_code, seconds, processes, tuple(failures), interrupted and not overdue, problem)


def _entries(file: Path) -> Iterator[list[str]]:
    """The complete lines of a file of outcomes, parsed."""
    if file.exists():  # otherwise the process ended before pytest started
        *whole, _rest = file.read_text(encoding="ascii").split("\n")
        yield from map(json.loads, whole)


def without_output(request: Request) -> Request:
    """The same request with its output discarded, because the tests were shown before."""
    return evolve(request, output=lambda _stream, _text: None)
