"""Several threads: each has its own tape, and all are written as one, in execution order.

Whenever a different thread looks up its tape, the lengths of both tapes are noted. A thread does so at every call and
every iteration of a loop; its records in between count as later than the earlier ones of other threads.
"""

import _thread
from _thread import get_ident
from collections.abc import Callable
from importlib import import_module
from types import MethodType
from typing import Any

from .. import contract
from ..native.loader import accelerator
from ..observe.images import Marker, fixed
from .tape import Recorder, Tape, Words

_programs = import_module("sys")
_threading = import_module("threading")
"""Both are the program's own."""
_Thread: type = _threading.Thread
STARTED, BEGUN, SWITCH = map(fixed, (contract.THREAD_STARTED, contract.THREAD_BEGUN, contract.THREAD_SWITCH))


class Threads:
    """The tapes of all threads, and the switches between them."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._running = next(iter(recorder.tapes.values()))
        self._local = _thread._local()
        self._local.tape = self._running
        self._switches: list[tuple[Tape, int]] = []
        """Thread switches in order: the previous thread's tape, and its length then."""
        self._started: dict[int, int] = {}
        """The numbers of started threads without records yet, by the identity of their objects."""

    def own(self) -> Tape:
        """The tape of the current thread."""
        tape: Tape | None = getattr(self._local, "tape", None)
        if tape is None:
            tape = self._new()
        last = self._running
        if tape is not last:
            self._running = tape
            self._switches += ((last, last.end), (tape, tape.end))
            if accelerator is not None:
                accelerator.forget_thread()
        return tape

    def own_words(self) -> list[Any]:
        """The words of the current thread; notes the switch to it."""
        while True:
            tape = self.own()
            if tape is self._running:
                words: list[Any] = tape.tape
                return words

    def begin(self) -> None:
        """Switch from a native tape to lists, before the second thread starts."""
        first = self._running
        if accelerator is not None and not isinstance(first.tape, list):
            accelerator.use_lists(self.own_words)
            first.tape = self._recorder.tape = Words(first.tape.take().words())

    def _new(self) -> Tape:
        """Create the tape of the current thread."""
        number = self._recorder.numbers()
        tape = self._local.tape = self._recorder.tapes[number] = Tape(number)
        # `threading._active` (CPython 3.10 to 3.15) has the thread before `run` begins; `current_thread` would create a
        # dummy for a thread of `_thread`, which the program could see.
        begun = self._started.pop(id(_threading._active.get(get_ident())), None)
        if begun is not None:
            tape.tape += (BEGUN, begun)
        return tape

    def start(self, function: object) -> None:
        """Record the start of a thread; only threads of `threading` can be identified when they start."""
        thread = function.__self__ if type(function) is MethodType else None
        if issubclass(type(thread), _Thread):
            number = self._started[id(thread)] = self._recorder.numbers()
            pools = _programs.modules.get("concurrent.futures.thread")
            pooled = pools is not None and object.__getattribute__(thread, "__dict__").get("_target") is pools._worker
            self.own().tape.extend((STARTED, number, pooled))

    def forget(self) -> None:
        """Drop the switches of threads."""
        del self._switches[:]

    def take(self, whole: list[Tape]) -> list[Any]:
        """Remove and return the records of all threads; the last record, perhaps unfinished, only of `whole` tapes."""
        switches, self._switches = self._switches, []
        words: dict[Tape, list[Any]] = {}
        begin: dict[Tape, int] = {}
        for tape in list(self._recorder.tapes.values()):
            begin[tape] = tape.taken
            words[tape] = tape.take(None if tape in whole else _last_record(tape.tape, tape.begin))
        self._switches[:0] = [(tape, end) for tape, end in switches if end > tape.taken]
        taken: list[Any] = []
        done = dict.fromkeys(words, 0)
        rest = [(tape, tape.taken) for tape in sorted(words, key=lambda tape: tape is not self._running)]
        for tape, end in (*switches, *rest):
            # A thread may add its switch only after the words it refers to were flushed.
            stop = _next_record(words[tape], max(end - begin[tape], 0))
            if stop > done[tape]:
                taken += (SWITCH, tape.thread, *words[tape][done[tape] : stop])
                done[tape] = stop
        return taken


def _is_marker(word: object) -> bool:
    return issubclass(type(word), Marker)


def _next_record(words: list[Any], index: int) -> int:
    """The end of the record that contains an index."""
    while index < len(words) and not _is_marker(words[index]):
        index += 1
    return min(index, len(words))


def _last_record(words: list[Any], begin: int) -> int:
    """Number of words before the last record."""
    index = len(words) - 1
    while index > begin and not _is_marker(words[index]):
        index -= 1
    return max(index - begin, 0)


class ThreadedRecorder(Recorder):
    """The recorder for several threads."""

    __slots__ = ()

    known = property(lambda self: self.threads.own().known)
    pending = property(lambda self: self.threads.own().pending)

    @property
    def tape(self) -> list[Any]:
        """The current thread's tape; the setter exists only for `+=`, which stores it again."""
        words: list[Any] = self.threads.own().tape
        return words

    @tape.setter
    def tape(self, value: list[Any]) -> None:
        pass


def watch_threads(recorder: Recorder) -> None:
    """Give every further thread a tape, from the start of the second thread on."""
    recorder.threads = Threads(recorder)
    for module in (import_module("_thread"), _threading):
        for name in ("start_new_thread", "_start_new_thread", "start_joinable_thread", "_start_joinable_thread"):
            start = getattr(module, name, None)
            if start is not None:
                setattr(module, name, _starting(recorder, start))


def _starting(recorder: Recorder, start: Callable[..., object]) -> Callable[..., object]:
    def begin(function: Callable[..., object], *args: object, **kwargs: object) -> object:
        recorder.threads.begin()
        recorder.__class__ = ThreadedRecorder
        recorder.threads.start(function)
        return start(function, *args, **kwargs)

    return begin
