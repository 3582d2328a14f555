"""Notes starts of other processes on the tape, because what those do is not recorded.

An audit hook would see every start, but the interpreter would call it for each `id()`, too.
"""

import importlib.util
import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

from ..contract import CHILD_STARTED
from ..observe.images import fixed
from ..tape.tape import Recorder

STARTED = fixed(CHILD_STARTED)
_STARTING = {
    "_posixsubprocess": ("fork_exec",),
    "_winapi": ("CreateProcess",),
    "os": ("system", "posix_spawn", "posix_spawnp", *(("spawnv", "spawnve", "startfile") if os.name == "nt" else ())),
}
"""Functions that start programs; those of the first two modules are used by `subprocess` and `multiprocessing` (CPython
3.10 to 3.15). Functions that fork need no entry.
"""
_programs: Any = import_module("sys")
"""The program's own `sys`."""


def watch_children(recorder: Recorder) -> None:
    """Note every start of a process from now on."""

    def note(name: str) -> None:
        recorder.tape.extend((STARTED, name))

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lambda: note("fork"))
    for name, functions in _STARTING.items():
        if importlib.util.find_spec(name) is not None:
            module = import_module(name)
            for function in filter(partial(hasattr, module), functions):
                _replace(module, function, _noting(getattr(module, function), note))


def _replace(module: ModuleType, name: str, noting: Callable[..., object]) -> None:
    """Replace a function, also in `subprocess`, if that is imported already."""
    start = getattr(module, name)
    setattr(module, name, noting)
    imported = _programs.modules.get("subprocess")
    if getattr(imported, "_fork_exec", None) is start:
        imported._fork_exec = noting


def _noting(start: Callable[..., object], note: Callable[[str], None]) -> Callable[..., object]:
    def begin(*args: object, **kwargs: object) -> object:
        note(_program(args))
        return start(*args, **kwargs)

    return begin


def _program(args: tuple[object, ...]) -> str:
    """The name of the program without its arguments, which may contain secrets."""
    command: object = args[0] if args else None
    if type(command) in (list, tuple) and command:
        command = command[0]  # type: ignore[index]
    if type(command) is bytes:
        command = os.fsdecode(command)
    if type(command) is not str:
        return "a program"
    return os.path.basename(command.partition(" ")[0].strip('"')) or "a program"
