"""The tape that recorded code appends to, and the helpers that it calls.

A record is a marker and a fixed number of values.
"""

import sys
from _thread import get_ident
from collections import defaultdict
from collections.abc import Callable, Container, Iterable
from importlib import import_module
from itertools import count
from types import CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from ..analysis.call_effects import ORDERED
from ..native.loader import accelerator
from ..observe import images
from ..observe.imaged_objects import Known, hand_over
from ..observe.images import MUTABLE, Marker
from ..observe.watch import QUIET, Watch, Watching

if TYPE_CHECKING:
    from ..native._accelerator import NativeTape

_programs = import_module("sys")
"""The program's own `sys`."""
_TASKS = "_asyncio" if sys.version_info >= (3, 12) else "asyncio.tasks"
"""The module to take `current_task` from; programs may patch the one in `asyncio`."""

if sys.version_info >= (3, 11):
    _exception = sys.exception
else:

    def _exception() -> BaseException | None:
        return sys.exc_info()[1]


class Tape:
    """The records of one thread, and the mutable objects seen so far."""

    __slots__ = ("begin", "known", "newest", "pending", "taken", "tape", "thread")

    def __init__(self, thread: int) -> None:
        self.tape: Any = Words()
        """A list, or a native tape while there is one thread (see `markers.c`)."""
        self.known: Known = {}
        self.newest = 0
        """The newest known object that survived a flush."""
        self.pending: list[Watch] = []
        """Running calls of code that is not recorded."""
        self.thread = thread
        self.taken = 0
        """Number of words flushed so far."""
        self.begin = 0
        """Index of the first word in the list."""

    @property
    def end(self) -> int:
        """Total number of words so far."""
        return self.taken + len(self.tape) - self.begin

    def reserve(self, count: int) -> None:
        """Put permanent filler items before the words: a list keeps its capacity while at least half of it is used.

        A list that grows from empty after every flush is reallocated nine times.
        """
        self.tape[:0] = [None] * (2 * count)
        del self.tape[count : 2 * count]
        self.begin = count

    def written(self, alive: Container[int], dead: Iterable[int]) -> None:
        """Called after a flush; only the objects in `alive` still have a number."""
        self.newest = hand_over(self.known, self.newest, alive, dead)

    def take_all(self) -> "list[Any] | NativeTape":
        """Remove and return all words, as a list or as a native tape."""
        if isinstance(self.tape, list):
            return self.take()
        native: NativeTape = self.tape.take()
        return native

    def take(self, count: int | None = None) -> list[Any]:
        """Remove and return words for writing: the first `count`, or all."""
        chunk: list[Any] = self.tape[self.begin : None if count is None else self.begin + count]
        self.drop(self.begin + len(chunk))
        return chunk

    def drop(self, stop: int) -> None:
        """Drop the words up to an index of the list, which are in the file."""
        self.taken += stop - self.begin
        if accelerator is not None:
            accelerator.drop(self.tape, self.begin, stop)
        else:
            del self.tape[self.begin : stop]


class Words(list[Any]):
    """The words of a tape. Its `repr` is short, because tools that print local variables print it.

    Adds stand-ins in place of objects whose end the program can notice (`stand_ins.py`).
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<tape of {len(self)} words>"

    if accelerator is None:

        def append(self, word: object) -> None:
            """Add a word."""
            kept.add(self, word if id(type(word)) in kept.plain else kept.held(word))

    def extend(self, words: Iterable[Any]) -> None:
        """Add words."""
        added = list(words)
        try:
            held = [word if id(type(word)) in kept.plain else kept.held(word) for word in added]
        except RecursionError:  # near the limit of recursion the values themselves are held
            held = added
        kept.add_all(self, held)

    def __iadd__(self, words: Iterable[Any]) -> "Words":  # type: ignore[misc] # `list.__add__` takes lists only
        self.extend(words)
        return self

    def words(self) -> list[Any]:
        """All words."""
        return list(self)

    def held(self, since: int) -> list[Any]:
        """The words from an index on."""
        return self[since:]

    def cut(self, start: int) -> None:
        """Remove the words from an index on."""
        del self[start:]


class Kept:
    """Shared state of lists of words, set while there is a recording."""

    def __init__(self) -> None:
        self.add, self.add_all = list.append, list.extend
        self.plain: Container[int] = ()
        """The identities of classes whose objects need no stand-in."""
        self.held: Callable[[Any], Any] = _same


def _same(value: object) -> Any:
    return value


def _put(words: Any, record: tuple[Any, ...]) -> tuple[Any, ...]:
    """Append a record in the middle of an expression; returns the record, whose last value is the expression's."""
    words.extend(record)
    return record


kept = Kept()


class Recorder(Watching):
    """The object that instrumented code holds as a constant: the current thread's tape, and helper methods.

    `tape` and `known` are plain slots while there is one thread. From the start of a second thread on the class is
    replaced by one whose properties look up the thread, so that a program without threads does not pay for them.
    """

    __slots__ = (
        *(
            "codes",
            "defaultdict",
            "every",
            "exception",
            "float",
            "function",
            "id",
            "int",
            "is_user_code",
            "kinds",
            "known",
            "list",
            "method",
            "named",
        ),
        *(
            "namespaces",
            "numbers",
            "pair",
            "pending",
            "plain",
            "quiet",
            "release",
            "replayed",
            "tape",
            "tapes",
            "threads",
            "type",
            "unbound",
        ),
    )

    def __init__(self) -> None:
        self.tapes: dict[int, Tape] = {}
        first = Tape(get_ident())
        self.tapes[first.thread] = first
        if accelerator is not None:
            first.tape = accelerator.begin_tape(Marker)
        self.tape, self.known, self.pending = first.tape, first.known, first.pending
        self.threads: Any = None
        """See `threads.py`."""
        self.release: Callable[[], object] = int  # a no-op until there is a file to write to
        self.is_user_code: Callable[[str], bool] = bool
        self.numbers = count(1).__next__
        self.pair = _put
        self.id, self.type, self.every, self.unbound = id, type, BaseException, NameError
        self.float, self.int, self.list = float, int, list
        self.defaultdict = defaultdict
        self.function, self.method = FunctionType, MethodType
        self.exception = _exception
        self.codes: dict[int, CodeType] = {}
        """All instrumented code objects, by identity."""
        self.quiet: dict[int, type] = {}
        """Classes, by identity, whose methods and iteration run no unknown code."""
        self.plain: dict[int, type] = {}
        """Classes among them whose objects only recorded code changes."""
        self.named: dict[int, tuple[type, bool]] = {}
        """For classes, by identity, whether assigning to an attribute just sets it."""
        self.namespaces: dict[int, Any] = {}
        """For dictionaries, by identity, a reference to the object whose attributes they hold."""
        self.replayed = ORDERED
        self.kinds: dict[str, Any] = {}
        """Type tests for instrumented code, with the accelerator."""
        if accelerator is not None:
            self.kinds = {name: accelerator.kinds(getattr(self, name)) for name in ("plain", "quiet", "replayed")}
        self.forget()

    def forget(self) -> None:
        """Drop all references to the program's classes, which would keep their modules alive."""
        for classes in (self.quiet, self.plain, self.named, self.namespaces):
            classes.clear()
        for kinds in self.kinds.values():
            kinds.forget()
        images.forget()
        self.quiet.update((id(kind), kind) for kind in QUIET)
        self.plain.update((i, kind) for i, kind in self.quiet.items() if kind not in MUTABLE)

    def nested(self) -> Any:
        """For a starting coroutine: True if recorded code resumed it; otherwise the coroutine, if a task runs it.

        An event loop does not know which code created a task, but that code has the coroutine on its tape.
        """
        # Frame 1 is the coroutine; frame 2 is its caller: recorded code, or the event loop (`Task.__step`).
        if id(sys._getframe(2).f_code) in self.codes:
            return True
        asyncio = _programs.modules.get(_TASKS)
        try:
            task = asyncio.current_task() if asyncio is not None else None
            return None if task is None else task.get_coro()
        except (RuntimeError, AttributeError):
            return None
