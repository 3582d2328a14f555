"""Guards code that is executed again: it may neither change the outside world nor depend on it.

Clock, randomness, system and files would not answer as they did. `sys.setprofile` reports every C function before it is
called (event `c_call`: https://docs.python.org/3/library/sys.html#sys.setprofile).
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import BuiltinFunctionType, FrameType
from typing import Any

from .modules import CannotAnswer

_MODULES = frozenset(
    [
        *("time", "random", "_random", "secrets", "_uuid", "gc", "weakref", "_weakref", "sys", "resource"),
        *("posix", "nt", "io", "_io", "_socket", "select", "signal", "fcntl", "termios", "mmap", "_ctypes", "_sqlite3"),
        *("_thread", "_asyncio", "_multiprocessing", "_posixsubprocess", "_winapi"),
    ]
)
"""C modules whose functions have effects, or return something else every time."""
_BUILTINS = frozenset({"id", "input", "open", "breakpoint", "__import__"})
_NOW = frozenset({"now", "today", "utcnow", "fromtimestamp"})
_IN_MEMORY = frozenset({"StringIO", "BytesIO"})
_OWN = ("adebug_recorder", "adebug_sandbox")
_HARMLESS = frozenset({"getrecursionlimit", "intern", "getsizeof", "exc_info", "getdefaultencoding", "exception"})


class Guard:
    """Context manager that refuses calls whose results may differ."""

    def __init__(self) -> None:
        self.problem: CannotAnswer | None = None
        """The first refused call."""

    def __enter__(self) -> None:
        sys.setprofile(self._check_call)

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Context manager that allows everything meanwhile."""
        sys.setprofile(None)
        try:
            yield
        finally:
            sys.setprofile(self._check_call)

    def _check_call(self, frame: FrameType, event: str, function: Any) -> None:
        if event != "c_call" or str(frame.f_globals.get("__package__")).partition(".")[0] in _OWN:
            return
        why = _refused(function)
        if why:
            self.problem = self.problem or CannotAnswer(f"it calls {why}, which may give another result")
            self.problem.final = True
            raise self.problem


def _refused(function: BuiltinFunctionType) -> str:
    """Name of a refused function; empty if the function is allowed."""
    module, name, owner = function.__module__, function.__name__, getattr(function, "__self__", None)
    if module == "builtins" or module is None:
        if name in _BUILTINS and module == "builtins":
            return str(name)
        kind = owner if isinstance(owner, type) else type(owner)
        if kind.__module__ == "datetime" and name in _NOW:
            return f"{kind.__name__}.{name}"
        if kind.__module__ in _MODULES and owner not in (sys.stdout, sys.stderr) and kind.__name__ not in _IN_MEMORY:
            return f"{kind.__module__}.{kind.__name__}.{name}"
        return ""
    return f"{module}.{name}" if module in _MODULES and name not in _HARMLESS else ""
