"""`python under.py TOOL (SCRIPT | -m MODULE) ARGS...`: runs a program under a tool that recording is compared with.

Runs in the measured interpreter and imports only the tool. Each tool watches the files below the working
directory as in typical use: it records every line, call or value there.
"""

# ruff: noqa: PLC0415, SIM115 - only the tool that is asked for may be imported, and its files stay open to the end

import importlib
import inspect
import os
import runpy
import sys
import tempfile


def settrace():
    """The lower bound of all tools built on `sys.settrace`: a function that does nothing, called for every line."""

    def trace(_frame, _event, _value):
        return trace

    sys.settrace(trace)


def coverage():
    """Lines, with the core that coverage.py picks for this interpreter."""
    from coverage import Coverage

    Coverage(data_file=None, source=[os.getcwd()]).start()


def viztracer():
    """Calls with arguments and results, in a buffer large enough not to wrap."""
    from viztracer import VizTracer

    VizTracer(log_func_args=True, log_func_retval=True, tracer_entries=5_000_000, verbose=0).start()


def hunter():
    """Calls with arguments, printed to a file."""
    from hunter import CallPrinter, Q, trace

    trace(Q(filename_startswith=os.getcwd()), action=CallPrinter(stream=tempfile.TemporaryFile("w", encoding="utf-8")))


def snoop():
    """Every line with the variables that it changed, printed to a file."""
    from snoop import install
    from snoop import snoop as decorator

    install(builtins=False, out=tempfile.TemporaryFile("w", encoding="utf-8"))
    _decorate(decorator)


def birdseye():
    """Every sub-expression's value, in a database."""
    os.environ["OUTDATED_IGNORE"] = "1"
    os.environ["BIRDSEYE_DB"] = "sqlite:///" + os.path.join(tempfile.mkdtemp(), "birdseye.db")
    from birdseye import eye

    _decorate(eye)


def _decorate(decorator):
    """Decorates every function and method of the program, because these two tools are applied function by function."""
    program = importlib.import_module(sys.argv[1])
    owners = [program, *(item for item in vars(program).values() if inspect.isclass(item))]
    for owner in owners:
        for name, item in list(vars(owner).items()):
            if inspect.isfunction(item) and item.__module__ == program.__name__:
                setattr(owner, name, decorator(item))


def main():
    tool = sys.argv[1]
    del sys.argv[:2]
    if sys.argv[0] == "-m":
        del sys.argv[0]
        sys.path[0] = os.getcwd()
        start, run = TOOLS[tool], lambda: runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
        start, run = TOOLS[tool], lambda: runpy.run_path(sys.argv[0], run_name="__main__")
    start()
    run()


TOOLS = {tool.__name__: tool for tool in (settrace, coverage, viztracer, hunter, snoop, birdseye)}

if __name__ == "__main__":
    main()
