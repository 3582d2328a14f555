"""A pytest plug-in that writes the start, the end and the outcome of each test to the tape."""

import os
from typing import TYPE_CHECKING, Any

from .. import contract
from ..observe.images import fixed
from .bare_pytest import without_workers
from .recording_process import Recording

if TYPE_CHECKING:
    from .bare_pytest import Config, ExceptionInfo, Report

TEST_BEGIN, TEST_END, TEST_FAILED = map(fixed, (contract.TEST_BEGIN, contract.TEST_END, contract.TEST_FAILED))
MOST_ERRORS = 5


def _gist(text: str) -> str:
    """The message of an error on one line: the end of a traceback, which pytest marks with E."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    marked = [line[2:].strip() for line in lines if line.startswith("E ")]
    places = [line.rpartition(", ")[2] for line in marked[:-1] if line.startswith("File ")]
    if not marked:
        return " ".join(lines).rpartition("CollectError: ")[2]
    return marked[-1] + (f" ({places[-1]})" if places and "SyntaxError" in marked[-1] else "")


class Plugin:
    """Writes to the tape around every phase of every test."""

    def __init__(self, recording: Recording) -> None:
        self.recorder = recording.recorder
        self._recording = recording
        self._without_workers = False

    def pytest_configure(self, config: "Config") -> None:
        """Turn off workers, which would not be recorded."""
        self._without_workers = without_workers(config)

    def pytest_report_header(self) -> list[str]:
        """Report how the run differs from one without a recorder."""
        note = "adebug: the tests run in one process, to be recorded, without the workers of pytest-xdist (-n, --dist)"
        return [note] if self._without_workers else []

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Record the start of a test."""
        self.recorder.tape.extend((TEST_BEGIN, nodeid))

    def pytest_exception_interact(self, node: Any, call: Any) -> None:
        """Record where a test, or the collection of a file, failed."""
        excinfo = call.excinfo
        if not hasattr(node, "runtest"):
            self._keep_error(f"pytest cannot collect {node.nodeid}", excinfo)
        frames = []
        trace = excinfo.tb
        while trace is not None:
            frames.append((os.path.realpath(trace.tb_frame.f_code.co_filename), trace.tb_lineno))
            trace = trace.tb_next
        lines = str(excinfo.exconly()).splitlines() or [""]
        self.recorder.tape.extend((TEST_FAILED, node.nodeid, lines[0][:500], tuple(frames)))

    def pytest_internalerror(self, excinfo: "ExceptionInfo") -> None:
        """Keep an error of pytest itself or of a plug-in."""
        self._keep_error("pytest itself failed", excinfo)

    def _keep_error(self, what: str, excinfo: "ExceptionInfo") -> None:
        """Keep the first few errors of pytest, for the message that no test ran."""
        errors = self._recording.ending.setdefault("pytest", [])
        if len(errors) < MOST_ERRORS:
            errors.append(f"{what}: {_gist(str(excinfo.exconly()))[:500]}")

    def pytest_runtest_logreport(self, report: "Report") -> None:
        """Record the end of a phase of a test."""
        self.recorder.tape.extend((TEST_END, report.nodeid, f"{report.when}:{report.outcome}"))
