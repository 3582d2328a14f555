"""`pytest --adebug`: when pytest is done, records the first test that failed, alone, and asks about it.

The tests run as without the option; only their outcomes are noted. The test is recorded in a process of its own.
Without the option, only this module is imported.
"""

import os
import shlex
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from adebug_lsp.languages.language import Request
    from adebug_lsp.languages.python.bare_tests import TestOutcomes


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("adebug", "finding a bug by answering questions")
    group.addoption(
        "--adebug", action="store_true", help="if a test fails, record it, and ask about it until the bug is found"
    )
    group.addoption(
        "--adebug-level",
        choices=["full", "calls"],
        default="full",
        help="with --adebug: record every sub-expression (default), or calls only, which is faster",
    )
    group.addoption(
        "--adebug-whole",
        action="store_true",
        help="with --adebug: if a test fails, run all tests again and record them, instead of that one alone",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Note outcomes, except in a worker of pytest-xdist and in a process that adebug has started."""
    if not early_config.known_args_namespace.adebug or _WORKER in os.environ:
        return
    from adebug_lsp.languages.python.recorder.run import bare_pytest  # noqa: PLC0415 (only with --adebug)

    names = (bare_pytest.OUTCOMES, bare_pytest.SELECTION, bare_pytest.MARKS)
    if not any(map(early_config.pluginmanager.has_plugin, names)):
        _check_settings(early_config.rootpath)
        early_config.stash[_SUITE] = Suite(early_config)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """Record and ask when pytest is done."""
    result = yield
    suite = config.stash.get(_SUITE, None)
    if suite is not None:
        suite.find(int(result) if isinstance(result, int) else 1)
    return result


class Suite:
    """A run of pytest whose outcomes are noted."""

    def __init__(self, config: pytest.Config) -> None:
        from adebug_lsp.languages.python.recorder.run.bare_pytest import OUTCOMES, Outcomes  # noqa: PLC0415

        self._folder = config.invocation_params.dir
        self._workspace = config.rootpath
        self._arguments = tuple(map(str, config.invocation_params.args))
        options = config.known_args_namespace
        self._level, self._whole = str(options.adebug_level), bool(options.adebug_whole)
        self._began = time.monotonic()
        self._temporary = tempfile.TemporaryDirectory(prefix="adebug-")
        self._file = Path(self._temporary.name, "outcomes")
        outcomes = Outcomes(str(self._file))
        config.pluginmanager.register(outcomes, OUTCOMES)
        config.add_cleanup(outcomes.close)

    def find(self, exit_code: int) -> None:
        """Record the first test that failed and ask about it; without a terminal, print the command that asks."""
        from adebug_lsp.frontends.shared.wording import NOTHING_TO_FIND  # noqa: PLC0415 (only with --adebug)
        from adebug_lsp.languages.language import Request  # noqa: PLC0415
        from adebug_lsp.languages.python.bare_tests import read_outcomes  # noqa: PLC0415
        from adebug_lsp.model.errors import AdebugError  # noqa: PLC0415

        request = Request(
            self._workspace,
            tests=self._arguments,
            interpreter=Path(sys.executable),
            level=self._level,
            folder=self._folder,
        )
        with self._temporary:
            ran = read_outcomes(self._file, exit_code, time.monotonic() - self._began, request)
        if ran.count and not ran.failures:
            _print(NOTHING_TO_FIND)
        elif ran.failures:
            try:
                self._ask(self._record(request, ran))
            except AdebugError as error:
                _print(str(error))

    def _record(self, request: "Request", ran: "TestOutcomes") -> Path:
        """Record the failing test, or all; returns the recording."""
        from adebug_lsp.frontends.cli.render.progress_bar import phases_for  # noqa: PLC0415 (only with --adebug)
        from adebug_lsp.frontends.shared.recordings import Recordings, note_of_test  # noqa: PLC0415
        from adebug_lsp.languages.language import RecordedTest  # noqa: PLC0415
        from adebug_lsp.languages.python.language import Python  # noqa: PLC0415

        recordings, language = Recordings(self._workspace), Python()
        out, began = recordings.new(), time.monotonic()
        if recordings.problem:
            _print(recordings.problem)
        with phases_for(None) as progress:
            if self._whole:
                recorded = RecordedTest(language.record(request, out, progress), request)
            else:
                recorded = language.record_failure(request, out, progress, ran)
        recordings.keep(out, note_of_test(language.name, recorded, time.monotonic() - began))
        return out

    def _ask(self, recording: Path) -> None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            _print(f"to find the bug: {self._command(recording)}")
            return
        from adebug_lsp.frontends.cli.main import main  # noqa: PLC0415 (only when there is something to ask)

        main(["open", "--workspace", str(self._workspace), str(recording)])

    def _command(self, recording: Path) -> str:
        """The command that asks, as typed where pytest was started."""
        own = recording.is_relative_to(self._folder)
        file = recording.relative_to(self._folder) if own else recording
        elsewhere = [] if self._workspace == self._folder else ["--workspace", self._workspace.as_posix()]
        return shlex.join(["adebug", "open", *elsewhere, file.as_posix()])


_SUITE = pytest.StashKey[Suite]()
_WORKER = "PYTEST_XDIST_WORKER"
"""Set by pytest-xdist (3.x) in its workers: https://pytest-xdist.readthedocs.io/en/stable/how-to.html"""


def _check_settings(workspace: Path) -> None:
    """Reject bad settings before anything runs."""
    from adebug_lsp.languages.python.project_settings import read_settings  # noqa: PLC0415 (only with --adebug)
    from adebug_lsp.model.errors import AdebugError  # noqa: PLC0415

    try:
        read_settings(workspace)
    except AdebugError as error:
        raise pytest.UsageError(str(error)) from error


def _print(text: str) -> None:
    """Print one line after pytest's output."""
    print(f"adebug: {text}", flush=True)
