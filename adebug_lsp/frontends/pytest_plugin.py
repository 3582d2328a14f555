"""`pytest --adebug`: records the tests while pytest runs them, then asks about the first one that failed.

Recording starts before pytest loads the first file of the workspace; questions start when pytest is done and has
released the terminal. Without the option, only this module is imported.
"""

import os
import shlex
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from adebug_lsp.languages.python.recorder.run.recording_process import Recording


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("adebug", "finding a bug by answering questions")
    group.addoption(
        "--adebug", action="store_true", help="record the tests; if one fails, ask about it until the bug is found"
    )
    group.addoption(
        "--adebug-level",
        choices=["full", "calls"],
        default="full",
        help="with --adebug: record every sub-expression (default), or calls only, which is faster",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Start recording, unless other processes run the tests or `adebug test` is recording them."""
    options = early_config.known_args_namespace
    if not options.adebug or _by_workers(options):
        return
    from adebug_lsp.languages.python.recorder.run.pytest_events import NAME  # noqa: PLC0415 (only with --adebug)

    if not early_config.pluginmanager.has_plugin(NAME):
        recorded = Recorded(early_config)
        early_config.stash[_RECORDED] = recorded
        early_config.add_cleanup(recorded.close)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """Ask when pytest is done, or print how to."""
    result = yield
    recorded = config.stash.get(_RECORDED, None)
    if recorded is not None:
        recorded.ask()
    elif config.option.adebug and _by_workers(config.option) and _WORKER not in os.environ:
        _print("nothing was recorded, because pytest-xdist ran the tests in workers; use -n 0 with --adebug")
    return result


class Recorded:
    """A test run that is being recorded."""

    def __init__(self, config: pytest.Config) -> None:
        self._folder = config.invocation_params.dir
        self._workspace = config.rootpath
        self._ran = self._failed = self._interrupted = False
        self._start(config)
        config.pluginmanager.register(self, "adebug-recorded")

    def _start(self, config: pytest.Config) -> None:
        from adebug_lsp.frontends.shared.recordings import Recordings, note_of  # noqa: PLC0415 (only with --adebug)
        from adebug_lsp.languages.language import Request  # noqa: PLC0415
        from adebug_lsp.languages.python.own_recordings import note_own  # noqa: PLC0415

        self._recordings = Recordings(self._workspace)
        self._file = self._recordings.new()
        arguments = tuple(map(str, config.invocation_params.args))
        level = str(config.known_args_namespace.adebug_level)
        request = Request(self._workspace, tests=arguments, interpreter=Path(sys.executable), level=level)
        self._note, self._began = note_of("python", request), time.monotonic()
        note_own(self._file, Path(sys.executable))
        self._recording, self._undo = _record(config, self._file, level)

    # Hooks of pytest

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A phase of a test has ended."""
        self._ran = True
        self._failed |= report.failed

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file was collected, or could not be."""
        self._failed |= report.failed

    def pytest_keyboard_interrupt(self) -> None:
        """The run was interrupted."""
        self._interrupted = True

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """All tests have run."""
        self._recording.ending.update(how="exited", exit_code=int(exitstatus))

    # The end

    def close(self) -> None:
        """End the recording. One without any test is not kept."""
        from attrs import evolve  # noqa: PLC0415 (only with --adebug)

        for undo in self._undo:
            undo()
        self._recording.close()
        if self._ran or self._failed:
            self._recordings.keep(self._file, evolve(self._note, seconds=time.monotonic() - self._began))
        else:
            self._file.unlink(missing_ok=True)

    def ask(self) -> None:
        """Ask about the first test that failed; without a terminal, print the command that asks."""
        from adebug_lsp.frontends.shared.wording import NOTHING_TO_FIND  # noqa: PLC0415 (only with --adebug)

        if self._recordings.problem:
            _print(self._recordings.problem)
        if self._ran and not self._failed:
            _print(NOTHING_TO_FIND)
        elif self._failed and (self._interrupted or not (sys.stdin.isatty() and sys.stdout.isatty())):
            _print(f"to find the bug: {self.command()}")
        elif self._failed:
            from adebug_lsp.frontends.cli.main import main  # noqa: PLC0415 (only when there is something to ask)

            main(["open", "--workspace", str(self._workspace), str(self._file)])

    def command(self) -> str:
        """The command that asks, as typed where pytest was started."""
        own = self._file.is_relative_to(self._folder)
        file = self._file.relative_to(self._folder) if own else self._file
        elsewhere = [] if self._workspace == self._folder else ["--workspace", self._workspace.as_posix()]
        return shlex.join(["adebug", "open", *elsewhere, file.as_posix()])


_RECORDED = pytest.StashKey[Recorded]()
_WORKER = "PYTEST_XDIST_WORKER"
"""Set by pytest-xdist (3.x) in its workers: https://pytest-xdist.readthedocs.io/en/stable/how-to.html"""


def _by_workers(options: Namespace) -> bool:
    """Whether pytest-xdist runs the tests in workers, or this process is one of them."""
    spread = getattr(options, "numprocesses", None) or getattr(options, "tx", None)
    return bool(spread) or _WORKER in os.environ


def _record(config: pytest.Config, file: Path, level: str) -> "tuple[Recording, list[Callable[[], None]]]":
    """Record every module that is imported from now on; returns the recording, and functions that undo the hooks."""
    from adebug_lsp.languages.python.project_settings import read_settings  # noqa: PLC0415
    from adebug_lsp.languages.python.recorder.isolation import isolated_recorder  # noqa: PLC0415
    from adebug_lsp.languages.python.rewrite_cache import cache_folder  # noqa: PLC0415 (only with --adebug)
    from adebug_lsp.model.errors import AdebugError  # noqa: PLC0415

    workspace = config.rootpath
    try:
        settings = read_settings(workspace)
    except AdebugError as error:
        raise pytest.UsageError(str(error)) from error
    recorder = isolated_recorder()
    hooks, testing, wiring = (
        recorder.load(f"adebug_recorder.{name}") for name in ("run.import_hook", "run.pytest_events", "run.wiring")
    )
    cache = cache_folder()
    mine, recording, instrumenter = wiring.wire(
        str(file),
        str(workspace),
        dict(settings),
        level=level,
        command=["pytest", *map(str, config.invocation_params.args)],
        cache=None if cache is None else str(cache),
    )
    undo = [hooks.install(mine, instrumenter), hooks.install_for_pytest(mine, instrumenter)]
    config.pluginmanager.register(testing.Plugin(recording), testing.NAME)
    recording.watch()
    return recording, undo


def _print(text: str) -> None:
    """Print one line after pytest's output."""
    print(f"adebug: {text}", flush=True)
