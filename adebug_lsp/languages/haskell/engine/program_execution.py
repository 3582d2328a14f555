"""Runs a compiled program in a thread with a deep stack, and returns the trail."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from attrs import define, frozen

from adebug_lsp.languages.haskell.core.entities import Program
from adebug_lsp.languages.haskell.engine.code import UnitCode
from adebug_lsp.languages.haskell.engine.compiler import Compiler
from adebug_lsp.languages.haskell.engine.machine import ExitError, HaskellError, Trail
from adebug_lsp.languages.haskell.engine.runtime import Actions, Read, Write, namespace
from adebug_lsp.languages.haskell.engine.units import Unit
from adebug_lsp.model.errors import BadInputError

Result = TypeVar("Result")
_STACK = 1 << 30
_DEPTH = 1_500_000
"""Python frames: about ten for each level of a Haskell evaluation at worst, and 100,000 levels are needed."""
_INTERVAL = 0.05
_GRACE = 2.0
"""Seconds that a stopped run has to reach its next reduction."""
MOST_REDUCTIONS = 20_000_000
"""Reductions after which a run is stopped; its recording is usable."""


class InterruptedRunError(Exception):
    """Raised in a run that is stopped from outside."""


@frozen
class Outcome:
    """The ending of a run."""

    how: str
    """`finished`, `raised`, `exited`, `interrupted`, `timeout`."""
    exit_code: int
    message: str = ""


@define(eq=False)
class Compiled:
    """A program ready to run; its units say what the numbers of the trail mean."""

    program: Program
    units: list[Unit]
    constant_units: list[Unit | None]
    constants: list[Any]
    code: Any
    start: Unit
    alias: Callable[[str], str]
    """Returns the global that a library binding renames."""
    global_unit: Callable[[str], Unit | None]
    """The unit of a global, if the program uses it."""


def compile_program(program: Program, start: str = "Main.main") -> Compiled:
    """Compile what a global binding needs."""
    compiler = Compiler(program)
    source = compiler.compile(start, lambda own, unit: UnitCode(own, unit).compile())
    try:
        code = compile(source, "<haskell>", "exec")
    except IndentationError:  # CPython has at most 100 levels of indentation
        raise BadInputError("a pattern nests too deeply for the engine, such as a string of 90 characters") from None
    tables = (compiler.units, compiler.constant_units, compiler.constants)
    return Compiled(program, *tables, code, compiler.units[0], compiler.alias, compiler.known_unit)


def run(
    compiled: Compiled,
    write: Write,
    read: Read,
    stop: Callable[[], str] = lambda: "",
    most: int = MOST_REDUCTIONS,
) -> tuple[Trail, Outcome]:
    """Run to the end; `stop` is asked regularly, and returns the reason to end the program early."""
    trail = Trail()
    names = namespace(trail, compiled.constants, Actions(trail, write, read))
    exec(compiled.code, names)  # noqa: S102 - only numbers of our own are in this code
    outcome: list[Outcome] = []

    def body() -> None:
        try:
            outcome.append(_start(compiled, names, trail))
        except InterruptedRunError:
            outcome.append(Outcome("interrupted", 130, "interrupted"))

    reason = _in_thread(body, names, trail, stop, most)
    ended = outcome[0] if outcome else Outcome("interrupted", 130, "interrupted")
    if ended.how == "interrupted" and reason:
        ended = Outcome(
            "timeout" if reason == "timeout" else "interrupted", 124 if reason == "timeout" else 130, reason
        )
    return trail, ended


def evaluate_to(program: Program, name: str, use: Callable[[Any], Result], most: int, seconds: float) -> Result | None:
    """Evaluate a global binding and pass on its value; None if it fails, prints, or does not end within the limits."""
    compiled = compile_program(program, name)
    trail = Trail()
    names = namespace(trail, compiled.constants, Actions(trail, lambda _text: None, lambda: ""))
    exec(compiled.code, names)  # noqa: S102 - only numbers of our own are in this code
    result: list[Result] = []

    def body() -> None:
        try:
            value = names["f0"]([names["f0"], -1, *([None] * compiled.start.parameters)])
            while type(value) is list:
                value = value[0](value)
            result.append(use(value))
        except (HaskellError, InterruptedRunError, ExitError, RecursionError):
            return

    deadline = time.monotonic() + seconds
    _in_thread(body, names, trail, lambda: "timeout" if time.monotonic() > deadline else "", most)
    return result[0] if result else None


def _in_thread(
    body: Callable[[], None], names: dict[str, Any], trail: Trail, stop: Callable[[], str], most: int
) -> str:
    """Run in a thread with a deep stack; returns why it was stopped."""

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(_DEPTH)
    try:
        thread = _DeepThread(body)
        thread.start()
    finally:
        threading.stack_size(size)
    try:
        return _watch(thread, names, trail, stop, most)
    finally:
        sys.setrecursionlimit(limit)


class _DeepThread(threading.Thread):
    """Runs a program; `InterruptedRunError` from outside ends it."""

    def __init__(self, body: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self._body = body
        self.has_left = False
        """Whether the program has ended: from then on the exception would have no handler."""

    def run(self) -> None:
        """See `Thread`."""
        try:
            try:
                self._body()
                self.has_left = True
            except InterruptedRunError:
                self.has_left = True
        except InterruptedRunError:  # a second one, while the first was handled
            self.has_left = True


def _watch(thread: _DeepThread, names: dict[str, Any], trail: Trail, stop: Callable[[], str], most: int) -> str:
    """Wait for the program; ends it if it is stopped, and returns why."""
    reason, again = "", 0.0
    while thread.is_alive():
        try:
            thread.join(_INTERVAL)
            reason = reason or stop()
        except KeyboardInterrupt:
            reason = reason or "interrupted"
        if not reason and len(trail.redexes) > most:
            reason = f"stopped after {most} reductions; raise the limit or use a smaller input"
        if reason and names["RA"] is not _interrupt:
            names["RA"] = _interrupt
            again = time.monotonic() + _GRACE
        elif reason and not thread.has_left and thread.is_alive() and time.monotonic() > again:
            again = time.monotonic() + _GRACE
            _raise_in(thread)
    return reason


def _interrupt(_redex: int) -> NoReturn:
    """Stands for the record of a reduction: the next reduction ends the run, where compiled code can be left."""
    raise InterruptedRunError


def _raise_in(thread: threading.Thread) -> None:
    """End a thread that no longer reduces, such as one that writes a cyclic string.

    The exception comes at any bytecode. A callback of the garbage collector or a finaliser would swallow it, so this is
    the second way, and it is repeated.
    """
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(InterruptedRunError))


def _start(compiled: Compiled, names: dict[str, Any], trail: Trail) -> Outcome:
    """Evaluate the start of the program, and turn its exceptions into an outcome."""
    unit = compiled.start
    try:
        arguments = [None] if unit.is_io else []
        value = names[f"f{unit.number}"]([names[f"f{unit.number}"], -1, *arguments])
        while type(value) is list:
            value = value[0](value)
        return Outcome("finished", 0)
    except HaskellError as error:
        trail.errors.append((error.node, error.message))
        return Outcome("raised", 1, error.message)
    except ExitError as ending:
        return Outcome("exited" if ending.code else "finished", ending.code)
    except RecursionError:
        trail.errors.append((-1, "stack overflow"))
        return Outcome("raised", 2, "stack overflow")
