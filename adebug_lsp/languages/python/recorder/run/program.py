"""Runs the program as `__main__`, as the interpreter would: same path, arguments, traceback and exit code."""

import _signal  # type: ignore[import-not-found]
import getopt
import importlib.machinery
import importlib.util
import json
import os
import sys
import time
import types
from typing import Any

from ..instrument.instrumenter import Instrumenter
from . import import_hook, notebook_cells, unittest_events
from .recording_process import Recording
from .user_code import UserCode
from .wiring import wire

RECORDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_programs: Any = importlib.import_module("sys")
"""The program's own `sys`."""


class Options:
    """The recorder's command line.

    `argparse` would be the program's own: since 3.14 it imports `ast` when an option is added.
    """

    def __init__(self, words: list[str]) -> None:
        try:
            pairs, self.command = getopt.getopt(words, "m", [f"{name}=" for name in _VALUES])
        except getopt.GetoptError as error:
            sys.exit(f"adebug_recorder: {error}")
        values = {name.lstrip("-"): value for name, value in pairs}
        if "out" not in values or not self.command:
            sys.exit("adebug_recorder: --out FILE and a program are needed")
        self.module = "m" in values
        self.out, self.workspace = values["out"], values.get("workspace", ".")
        self.level, self.settings = values.get("level", "full"), values.get("settings", "{}")
        self.timeout = float(values["timeout"]) if "timeout" in values else None
        self.cache, self.stats, self.outcomes = values.get("cache"), values.get("stats"), values.get("outcomes")
        self.select, self.call = values.get("select"), values.get("call")


_VALUES = ("out", "workspace", "level", "timeout", "cache", "settings", "stats", "outcomes", "select", "call")


def main(words: list[str], imports: str = "") -> None:
    """Record the program of the command line and exit with its code; `imports` is its mode of lazy imports."""
    options = Options(words)
    user_code, recording, instrumenter = wire(
        options.out,
        options.workspace,
        json.loads(options.settings),
        level=options.level,
        command=options.command,
        call=options.call,
        cache=options.cache,
    )
    events = unittest_events.UnittestEvents(recording.recorder, user_code)
    is_pytest = options.module and options.command[0] == "pytest"
    import_hook.install(user_code, instrumenter, {} if is_pytest else {unittest_events.LAST_BEFORE: events.watch})
    run = _module if options.module else _notebook if _is_notebook(options) else _program
    if options.module:
        sys.path[0] = os.getcwd()
        if is_pytest:
            import_hook.install_for_pytest(user_code, instrumenter)
            from . import bare_pytest, pytest_events

            marks = {bare_pytest.MARKS: pytest_events.Plugin(recording)}
            bare_pytest.install({**bare_pytest.plugins_for(options.outcomes, options.select), **marks})
    recording.watch()
    if options.timeout is not None:
        recording.stop_after(options.timeout)
    _deepen()
    _hide_start(options, len(words))
    began = time.process_time()
    if imports:
        sys.set_lazy_imports(imports)  # type: ignore[attr-defined]
    try:
        run(options, user_code, instrumenter)
        recording.ending.setdefault("how", "finished")
        recording.ending.setdefault("exit_code", 0)
    except SystemExit as exit_:
        recording.ending.setdefault("how", "exited")
        recording.ending.setdefault("exit_code", _status(exit_.code))
        raise
    except BaseException as error:
        _failed(recording, error)
    finally:
        _statistics(options, recording, began)


def _is_notebook(options: Options) -> bool:
    """Whether the program is a notebook."""
    return str(options.command[0]).endswith(notebook_cells.SUFFIX)


def _hide_start(options: Options, count: int) -> None:
    """Show the program the command line of a bare run, and no modules that only the recorder imported."""
    command = ["-m", *options.command] if options.module else options.command
    del sys.orig_argv[len(sys.orig_argv) - count - 1 :]
    sys.orig_argv += command
    if options.module:  # `runpy` imports most of them as well
        return
    for name in _ONLY_OURS:
        module = _programs.modules.pop(name, None)
        parent, _, last = name.rpartition(".")
        if parent and getattr(_programs.modules.get(parent), last, None) is module:
            delattr(_programs.modules[parent], last)


_ONLY_OURS = (
    *("bz2", "fnmatch", "gettext", "locale", "lzma", "runpy", "shutil", "sysconfig", "token", "tokenize"),
    *("_compression", "importlib.machinery", "importlib.util"),
)
"""Stateless Python modules that the recorder imports before the program starts: a program may have its own modules of
these names, or not import a part of a package that it uses.
"""


def _deepen() -> None:
    """Raise the recursion limit by the recorder's own frames, so that the program does not notice them."""
    get, put = sys.getrecursionlimit, sys.setrecursionlimit
    below = _FRAMES_BELOW
    put(get() + below)

    def getrecursionlimit() -> int:
        return get() - below

    def setrecursionlimit(limit: int, /) -> None:
        put(limit + below)

    _programs.getrecursionlimit, _programs.setrecursionlimit = getrecursionlimit, setrecursionlimit


_FRAMES_BELOW = {10: 7, 11: 7}.get(sys.version_info.minor, 5)
"""Stack depth that the recorder uses below the program and for a record above it, including counted builtin calls."""


# Running


def _main_module(
    filename: str, loader: object, spec: importlib.machinery.ModuleSpec | None, package: str | None
) -> types.ModuleType:
    """A new `__main__`, registered as the interpreter would."""
    module = types.ModuleType("__main__")
    names, builtins = module.__dict__, importlib.import_module("builtins")
    names.update(__package__=package, __loader__=loader, __spec__=spec)
    if sys.version_info < (3, 14):  # PEP 749: created on demand
        names["__annotations__"] = {}
    names.update(__builtins__=builtins, __file__=filename)
    if sys.version_info < (3, 15):
        names["__cached__"] = None if spec is None else spec.cached
    _programs.modules["__main__"] = module
    return module


def _program(options: Options, user_code: UserCode, instrumenter: Instrumenter) -> None:
    """Run a script, a folder or a zip file."""
    filename = os.path.abspath(options.command[0])
    sys.argv[:] = options.command
    sys.path[0] = os.path.dirname(os.path.realpath(filename))
    with open(filename, "rb") as file:
        source = file.read()
    loader = importlib.machinery.SourceFileLoader("__main__", filename)
    module = _main_module(filename, loader, None, None)
    path = user_code.path(filename)
    name = os.path.splitext(os.path.basename(filename))[0]
    if options.call is not None:
        module.__name__ = module.__dict__["__name__"] = name
        _programs.modules[name] = module
    if path is None:
        code = compile(source, filename, "exec", dont_inherit=True)
    else:
        user_code.modules.update(("__main__", name))
        try:
            code = instrumenter.code(source, filename, path, name, script=True)
        except RecursionError:  # an expression too deep to instrument
            code = compile(source, filename, "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102 - runs the user's program
    if options.call is not None:
        _call(options.call, module, instrumenter)


def _notebook(options: Options, user_code: UserCode, instrumenter: Instrumenter) -> None:
    """Run the cells of a notebook; as in Jupyter, modules are found in the current folder."""
    with open(options.command[0], "rb") as file:
        cells = notebook_cells.cells_of(file.read())
    sys.argv[:] = options.command
    sys.path[0] = os.getcwd()
    module = _main_module("", None, None, None)
    del module.__dict__["__file__"]
    user_code.modules.update(("__main__", "notebook"))
    notebook_cells.Notebook(module, instrumenter, _shown).run(cells)
    if options.call is not None:
        _call(options.call, module, instrumenter)


def _shown(error: BaseException) -> None:
    """Print a traceback, without the frames of this folder."""
    without_own_frames(error)
    _programs.excepthook(type(error), error, error.__traceback__)


def _call(expression: str, module: types.ModuleType, instrumenter: Instrumenter) -> None:
    """Evaluate an expression in the program's namespace, recorded as a file of its own."""
    code = instrumenter.code(expression + "\n", "<call>", "<call>", "<call>")
    exec(code, module.__dict__)  # noqa: S102 - runs the user's program


def _module(options: Options, user_code: UserCode, instrumenter: Instrumenter) -> None:
    """Run a module, as `python -m` does."""
    name = options.command[0]
    spec = importlib.util.find_spec(name)
    if options.call is not None and spec is not None:
        sys.argv[:] = options.command
        _call(options.call, importlib.import_module(name), instrumenter)
        return
    if spec is not None and spec.submodule_search_locations is not None:
        name += ".__main__"
        spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        sys.exit(f"{sys.executable}: No module named {options.command[0]}")
    filename = spec.origin or ""
    sys.argv[:] = [filename, *options.command[1:]]
    module = _main_module(filename, spec.loader, spec, spec.parent)
    path = user_code.path(filename)
    if path is None:
        code = spec.loader.get_code(name)  # type: ignore[attr-defined]
    else:
        user_code.modules.update(("__main__", name))
        code = instrumenter.code(spec.loader.get_data(filename), filename, path, name)  # type: ignore[attr-defined]
    exec(code, module.__dict__)  # noqa: S102 - runs the user's program


# Ends


def _status(code: object) -> int:
    if code is None:
        return 0
    return code if isinstance(code, int) else 1


def _failed(recording: Recording, error: BaseException) -> None:
    """Report an exception as the interpreter does, without the frames of this folder."""
    without_own_frames(error)
    message = (
        f"{type(error).__name__}: {error}" if type(error).__str__ is BaseException.__str__ else type(error).__name__
    )
    interrupted = isinstance(error, KeyboardInterrupt)
    recording.ending.setdefault("how", "interrupted" if interrupted else "raised")
    recording.ending.setdefault("exit_code", 130 if interrupted else 1)
    recording.ending.setdefault("message", message[:500])
    _programs.excepthook(type(error), error, error.__traceback__)
    error.__traceback__ = None
    if interrupted and recording.ending["how"] == "interrupted" and os.name == "posix":
        recording.close()
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        os.kill(os.getpid(), _signal.SIGINT)
    sys.exit(1)


def without_own_frames(error: BaseException) -> None:
    """Remove the recorder's frames from all tracebacks: those below the program, and an interrupted one."""
    waiting, seen = [error], set()
    while waiting:
        exception = waiting.pop()
        seen.add(id(exception))
        kept, trace = [], exception.__traceback__
        while trace is not None:
            if not trace.tb_frame.f_code.co_filename.startswith(RECORDER + os.sep):
                kept.append(trace)
            trace = trace.tb_next
        for trace, following in zip(kept, [*kept[1:], None], strict=False):
            trace.tb_next = following
        exception.__traceback__ = kept[0] if kept else None
        waiting += [
            other
            for other in (exception.__cause__, exception.__context__)
            if other is not None and id(other) not in seen
        ]


def _statistics(options: Options, recording: Recording, began: float) -> None:
    path = options.stats
    if path is None:
        return
    seconds = time.process_time() - began - recording.flush_seconds

    def write() -> None:
        import resource

        recording.close()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        with open(path, "w", encoding="utf-8") as file:
            numbers = {
                "events": recording.words,
                "run_seconds": seconds,
                "flush_seconds": recording.flush_seconds,
                "peak_rss": peak,
                "file_bytes": os.path.getsize(options.out),
            }
            json.dump(numbers, file)

    import atexit

    atexit.register(write)
