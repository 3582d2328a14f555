"""Runs pytest as `python -m pytest` does, unrecorded, and writes the outcome of each test to a file.

Usage: PYTHON THIS_FILE [--outcomes FILE] [--select FILE] [--timeout S] [PYTEST ARGS...]

Only the plug-ins below are added to pytest; its output, its path and its modules are those of a run without them.
"""

import sys
from os import fspath

if __name__ == "__main__" and not getattr(sys.flags, "safe_path", False):
    del sys.path[0]  # the folder of this file: nothing of it is imported

import os
from _thread import interrupt_main, start_new_thread
from importlib import import_module
from importlib.util import find_spec
from json import loads
from json.encoder import encode_basestring_ascii
from time import sleep
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    class Config(Protocol):
        """The parts of `pytest.Config` that we use, in pytest 7 to 9; pytest itself is not imported."""

        option: Any
        args: list[str]
        rootpath: os.PathLike[str]
        known_args_namespace: object
        pluginmanager: Any

    class Session(Protocol):
        """See `Config`."""

        config: Config

    class Report(Protocol):
        """See `Config`: the outcome of a phase of a test, or of the collection of a file."""

        failed: bool
        longrepr: object
        nodeid: str
        outcome: str
        when: str | None
        location: tuple[str, int | None, str]

    class ExceptionInfo(Protocol):
        """See `Config`."""

        type: type[BaseException]
        tb: Any

        def exconly(self) -> str:
            """The exception's type and message, as the end of a traceback."""


T = TypeVar("T")

OUTCOMES, SELECTION, MARKS = "adebug-outcomes", "adebug-selection", "adebug-marks"
"""Names of our plug-ins; the plug-in of `pytest --adebug` does nothing if one of them is present."""
_GRACE = 2.0
"""Seconds that a run has to end by itself after its time limit."""
_NOT_REPEATED = {
    "cacheclear": False,  # the first run has filled the cache
    "cov_source": [],  # pytest-cov: the reports are those of the first run, and so below
    "htmlpath": None,
    "maxfail": 0,
    "reruns": 0,
    "xmlpath": None,
}
"""Options of pytest and well-known plug-ins that a repetition overrides, with their values there."""
_ABOUT_THE_FIRST_RUN = ("lfplugin", "lfplugin-collwrapper", "nfplugin", "pdbinvoke", "pdbtrace", "stepwiseplugin")
"""Plug-ins of pytest (7 to 9) that a repetition disables: last failed, new first, stepwise, and the debugger."""


# Plug-ins


class Outcomes:
    """Writes a line for each start, phase and failure: a JSON list of strings.

    It uses the functions bound when this file was imported, because tests patch some of them.
    """

    def __init__(self, file: str) -> None:
        self._file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._process = os.getpid()

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _note(
        self,
        *texts: str,
        write: "Callable[[int, bytes], int]" = os.write,
        getpid: "Callable[[], int]" = os.getpid,
        quoted: "Callable[[str], str]" = encode_basestring_ascii,
    ) -> None:
        if getpid() == self._process:  # not in a child that a test forked
            write(self._file, f"[{','.join(map(quoted, texts))}]\n".encode("ascii"))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Write the start of a test."""
        self._note("started", nodeid)

    def pytest_runtest_logreport(self, report: "Report") -> None:
        """Write the outcome of a phase of a test, which may have run in a worker of pytest-xdist."""
        worker, line = getattr(report, "worker_id", ""), str(report.location[1] or 0)
        self._note(report.outcome, report.nodeid, report.when or "", worker, line, *_crash(report))

    def pytest_collectreport(self, report: "Report") -> None:
        """Write the failed collection of a file."""
        if report.failed:
            self._note("failed", report.nodeid, "collect", "", "0", *_crash(report))

    def pytest_internalerror(self, excinfo: "ExceptionInfo") -> None:
        """Write an internal error of pytest or a plug-in."""
        self._note("internal", str(excinfo.exconly()))

    def pytest_keyboard_interrupt(self, excinfo: "ExceptionInfo") -> None:
        """Write an interruption. Pytest also calls this when it stops by itself, such as after failed collection."""
        if excinfo.type is KeyboardInterrupt:
            self._note("interrupted")


def _crash(report: "Report") -> tuple[str, str]:
    """The place where a failure was raised, and its message."""
    crash = getattr(report.longrepr, "reprcrash", None) if report.failed else None
    return ("", "") if crash is None else (f"{crash.path}:{crash.lineno}", str(crash.message))


def _hook(**options: bool) -> "Callable[[T], T]":
    """Like `pytest.hookimpl`, without importing pytest: https://pluggy.readthedocs.io (0.12 to 1.6)."""

    def mark(function: T) -> T:
        function.pytest_impl = options  # type: ignore[attr-defined]
        return function

    return mark


class Selection:
    """Makes pytest run exactly these tests, in this order and in one process, whatever options and other plug-ins say.

    The command line is the one of the first run, so that root folder, settings and `conftest.py` files are the same.
    """

    def __init__(self, names: list[str]) -> None:
        self._names = names

    @_hook(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: "Config") -> None:
        """Override the options for plug-ins that start early, such as pytest-cov."""
        _change_options(early_config.known_args_namespace)

    @_hook(tryfirst=True)
    def pytest_configure(self, config: "Config") -> None:
        """Collect the files of the selected tests only."""
        _change_options(config.option)
        without_workers(config)
        files = list(dict.fromkeys(name.partition("::")[0] for name in self._names))
        paths = [os.path.join(fspath(config.rootpath), file) for file in files]
        if not any("[" in path for path in paths) and all(map(os.path.exists, paths)):
            config.args = paths

    def pytest_sessionstart(self, session: "Session") -> None:
        """Unregister the plug-ins that choose tests by the last run, or start a debugger."""
        manager = session.config.pluginmanager
        for plugin in filter(None, map(manager.getplugin, _ABOUT_THE_FIRST_RUN)):
            manager.unregister(plugin)

    @_hook(hookwrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> "Iterator[None]":
        """Select the tests, after every other plug-in."""
        yield
        items_by_name = {item.nodeid: item for item in items}
        items[:] = [items_by_name[name] for name in self._names if name in items_by_name]


def _change_options(options: object) -> None:
    for name, value in _NOT_REPEATED.items():
        if hasattr(options, name):
            setattr(options, name, value)


def without_workers(config: "Config") -> bool:
    """Prevent pytest-xdist from starting workers; returns whether it would have.

    Its own hook, which reads these options, is called last (`trylast`).
    """
    option = config.option
    if getattr(option, "dist", "no") == "no" or not getattr(option, "tx", None):
        return False
    option.dist, option.tx, option.numprocesses = "no", [], 0
    return True


def read_selection(file: str) -> list[str]:
    """Read the names of the tests to run, a JSON list, and remove the file."""
    with open(file, encoding="utf-8") as text:
        names: list[str] = loads(text.read())
    os.unlink(file)
    return names


def install(plugins: dict[str, object]) -> None:
    """Add plug-ins to the next pytest session of this process, but not to sessions that tests start inside it."""
    config_module: Any = import_module("_pytest.config")
    original = config_module.get_config

    def get_config(*args: object, **kwargs: object) -> object:
        config_module.get_config = original
        config = original(*args, **kwargs)
        for name, plugin in plugins.items():
            config.pluginmanager.register(plugin, name)
        return config

    config_module.get_config = get_config


def plugins_for(outcomes: str | None, select: str | None) -> dict[str, object]:
    """The plug-ins for these options, by name."""
    plugins: dict[str, object] = {}
    if outcomes is not None:
        plugins[OUTCOMES] = Outcomes(outcomes)
    if select is not None:
        plugins[SELECTION] = Selection(read_selection(select))
    return plugins


# Running


def _interrupt_after(seconds: float, wait: "Callable[[float], None]", leave: "Callable[[int], object]") -> None:
    """Interrupt the run at its time limit, and end the process if that has no effect."""
    wait(seconds)
    interrupt_main()
    wait(_GRACE)
    leave(1)


def prepare(words: list[str]) -> list[str]:
    """Install the plug-ins for the options; returns the arguments of pytest."""
    options: dict[str, str] = {}
    while words and words[0] in ("--outcomes", "--select", "--timeout"):
        name, value, *words = words
        options[name] = value
    if not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, os.getcwd())
    if find_spec("pytest") is None:
        sys.exit(f"{sys.executable}: No module named pytest")
    install(plugins_for(options.get("--outcomes"), options.get("--select")))
    if "--timeout" in options:
        start_new_thread(_interrupt_after, (float(options["--timeout"]), sleep, os._exit))
    return words


def run_pytest(arguments: list[str]) -> None:
    """Execute pytest as `__main__`, with as many stack frames below it as `python -m pytest` has."""
    spec = find_spec("pytest.__main__")
    loader: Any = None if spec is None else spec.loader
    if spec is None or loader is None:
        sys.exit(f"{sys.executable}: No module named pytest.__main__")
    module = ModuleType("__main__")
    module.__dict__.update(
        __spec__=spec, __loader__=loader, __package__=spec.parent, __file__=spec.origin, __cached__=spec.cached
    )
    sys.modules["__main__"] = module
    sys.argv[:] = [spec.origin or "", *arguments]
    exec(loader.get_code(spec.name), module.__dict__)  # noqa: S102 - pytest


if __name__ == "__main__":
    run_pytest(prepare(sys.argv[1:]))
