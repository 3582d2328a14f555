"""The tape: what instrumented code appends to, and the helpers that it calls.

A record is a marker and a fixed number of values.
"""

import _thread
import operator
import sys
import threading
from _thread import get_ident
from collections import defaultdict
from collections.abc import Callable
from itertools import count
from types import CodeType, FunctionType, MethodType
from typing import Any

from .calls import REPLAYED
from .pictures import MUTABLE
from .watch import QUIET, Watch, Watching

FIRST_OF_MODULES = 64


class Tape:
    """Where one thread's records go, and what was seen of mutable objects since the last spill."""

    __slots__ = ("known", "pending", "tape", "thread")

    def __init__(self, thread: int) -> None:
        self.tape: list[Any] = []
        self.known: set[int] = set()
        self.pending: list[Watch] = []
        """The calls of code that is not recorded which have begun and not ended."""
        self.thread = thread


class Recorder(Watching):
    """What instrumented code holds as a constant: the current thread's tape, and the few helpers that it calls.

    `tape` and `known` are plain slots while there is one thread. From the start of a second thread on the class is
    exchanged for one whose properties look the thread up, so that a program without threads does not pay for them.
    """

    __slots__ = (
        *(
            "codes",
            "defaultdict",
            "every",
            "exception",
            "function",
            "id",
            "is_mine",
            "known",
            "method",
            "named",
            "namespaces",
        ),
        *("numbers", "pair", "pending", "plain", "quiet", "release", "replayed", "tape", "tapes", "type"),
    )

    def __init__(self) -> None:
        self.tapes: dict[int, Tape] = {}
        first = Tape(get_ident())
        self.tapes[first.thread] = first
        self.tape, self.known, self.pending = first.tape, first.known, first.pending
        self.release: Callable[[], object] = int  # does nothing, until there is a file to write to
        self.is_mine: Callable[[str], bool] = bool
        self.numbers = count(1).__next__
        self.pair = operator.iadd
        self.id, self.type, self.every = id, type, BaseException
        self.defaultdict = defaultdict
        self.function, self.method = FunctionType, MethodType
        self.exception = sys.exception if sys.version_info >= (3, 11) else _exception
        self.codes: dict[int, CodeType] = {}
        """All recording code, by identity."""
        self.quiet: dict[int, type] = {id(kind): kind for kind in QUIET}
        """Classes, by identity, whose objects are iterated over, and have their methods called, by no unknown code."""
        self.plain = {i: kind for i, kind in self.quiet.items() if kind not in MUTABLE}
        """Those of them that no code but recorded code changes."""
        self.named: dict[int, tuple[type, bool]] = {}
        """For classes, by identity, whether setting an attribute of an object does what it says."""
        self.namespaces: dict[int, Any] = {}
        """For dictionaries, by identity, a reference to the object whose attributes they hold."""
        self.replayed = REPLAYED

    def nested(self) -> Any:
        """Of a coroutine that begins: True when recorded code resumed it; else the coroutine itself, if a task has it.

        An event loop says nothing of who made a task, but whoever did has the coroutine on the tape.
        """
        caller = sys._getframe(2)
        if any(constant is self for constant in caller.f_code.co_consts):
            return True
        asyncio = sys.modules.get("asyncio")
        try:
            task = asyncio.current_task() if asyncio is not None else None
            return None if task is None else task.get_coro()
        except (RuntimeError, AttributeError):
            return None


def _exception() -> BaseException | None:
    return sys.exc_info()[1]


def _of_thread(self: Any) -> Tape:
    thread = get_ident()
    tapes = self.tapes
    found: Tape | None = tapes.get(thread)
    if found is None:
        found = tapes[thread] = Tape(thread)
    return found


class ThreadedRecorder(Recorder):
    """The same when several threads run."""

    __slots__ = ()

    known = property(lambda self: _of_thread(self).known)
    pending = property(lambda self: _of_thread(self).pending)

    @property
    def tape(self) -> list[Any]:
        """The current thread's tape; `+=` on it stores it again, which is nothing new."""
        return _of_thread(self).tape

    @tape.setter
    def tape(self, value: list[Any]) -> None:
        pass


def watch_threads(recorder: Recorder) -> None:
    """Give every further thread a tape of its own: from the first start of one on."""
    for module in (_thread, threading):
        for name in ("start_new_thread", "_start_new_thread", "start_joinable_thread", "_start_joinable_thread"):
            start = getattr(module, name, None)
            if start is not None:
                setattr(module, name, _starting(recorder, start))


def _starting(recorder: Recorder, start: Any) -> Any:
    def begin(*args: Any, **kwargs: Any) -> Any:
        recorder.__class__ = ThreadedRecorder
        return start(*args, **kwargs)

    return begin
