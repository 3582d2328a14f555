"""A recording in progress: owns the recorder and the writer, and decides when the tape is flushed.

However the program ends, the file is completed: at exit, after `os._exit`, on a termination signal, at a timeout.
"""

import _signal as signal  # type: ignore[import-not-found]
import atexit
import gc
import os
import sys
import time
from _thread import RLock, allocate_lock, get_ident, start_new_thread
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial
from importlib import import_module
from sys import getrecursionlimit, setrecursionlimit
from typing import TYPE_CHECKING, Any

from .. import contract
from ..native.loader import accelerator
from ..observe import arrays, pandas_frames
from ..observe.images import Marker, fixed
from ..observe.object_inspector import GENERATORS, OpaqueStandIn
from ..tape import tape, threads
from ..tape.batch import Full
from ..tape.writer import Writer
from .process_starts import watch_children

if TYPE_CHECKING:
    from ..native._accelerator import NativeTape

FULL = 1 << 16
"""Words after which a tape is flushed; with their values, they should fit into the processor's cache."""
DETAILED = 1 << 26
"""Words after which a run is recorded without details: with more of them, the first question would take too long."""
TIMES, LEAST = 4, 1 << 22
"""Recording stops after `TIMES` as many words without details, but not before `LEAST`."""
COARSE = fixed(contract.COARSE)
"""The marker after which details are missing."""
AGAIN = 1 << 21
"""Words after which written objects get a new image, so that a reader has to go back no further."""
SOME, LONGEST = 1 << 12, 2.0
"""At least `SOME` words are flushed after `LONGEST` seconds without a flush, so that a killed program loses little."""
LOOK, LOOK_ON = 0.001, 0.05
"""Seconds between two checks of the tape's length: CPU time, or wall-clock time if there is no CPU timer."""
HEAVY, LAST = 1 << 26, 1 << 9
"""Bytes in large buffers that the tape keeps alive, after which it is flushed (`markers.c` has the same). They are
searched for among the `LAST` words at each check: a program that makes large buffers adds few words meanwhile."""
_KEPT = 1 << 18
"""Capacity that the tape's list keeps: about the maximum number of words between two checks."""
_ROOM = 1 << 24
"""Bytes. The allocator of glibc keeps as much memory as was once freed in one piece. Otherwise it would return to the
system the memory that the next flush needs, and getting it again takes a fifth of the time of recording."""


RELEASING = 10.0
"""Seconds that may be spent on releasing objects early, however short the program."""


_FRAMES = 16
"""Stack frames that must be free before a flush is due: it begins with a property, called by the program's next record,
which may be some frames deeper. Without room, its `RecursionError` would show in the program's traceback.
"""


def _check_room(frames: int) -> None:
    """Raise `RecursionError` unless the stack has room for so many frames."""
    if frames > 0:
        _check_room(frames - 1)


class FullRecorder(tape.Recorder):
    """A recorder with a full tape, which is flushed at the next access: between two records, in the program's thread.

    With the accelerator, native markers do this check.
    """

    __slots__ = ()
    current: "Recording"

    @property
    def tape(self) -> Any:
        """Flush and return the tape."""
        self.__class__ = tape.Recorder  # type: ignore[assignment]
        with suppress(RecursionError):  # the stack is too deep; retry later
            FullRecorder.current.flush_own()
        return self.tape

    @tape.setter
    def tape(self, value: object) -> None:
        pass


_HANDLED = sorted(signal.valid_signals() - {getattr(signal, "SIGVTALRM", None)})
"""The signals that may interrupt a program, except the recorder's own timer signal."""


_own_handlers: list[Any] = []
"""Signal handlers of the recorder, which the program must see as the default."""


def _is_own(handler: object) -> bool:
    return any(handler is own for own in _own_handlers)


def _handle(number: int, handler: object) -> None:
    """Install a function as a signal handler; a method would need more than one frame of the program's stack."""
    _own_handlers.append(handler)
    signal.signal(number, handler)


def hide_handlers() -> None:
    """Make `signal.getsignal` return the default for signals that the recorder handles."""
    programs = import_module("signal")
    get, put, default = programs.getsignal, programs.signal, programs.SIG_DFL

    def getsignal(signalnum: int) -> object:
        current = get(signalnum)
        return default if _is_own(current) else current

    def signal_(signalnum: int, handler: object) -> object:
        previous = put(signalnum, handler)
        return default if _is_own(previous) else previous

    programs.getsignal, programs.signal = getsignal, signal_  # type: ignore[attr-defined]


_MAIN_THREAD: int = import_module("threading").main_thread().ident


def _interrupt(number: int) -> None:
    """Send a signal to the main thread, wherever this one is."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(_MAIN_THREAD, number)
    else:
        signal.raise_signal(number)


def _interrupt_soon(number: int) -> None:
    time.sleep(0.001)
    _interrupt(number)


_programs = import_module("sys")
"""The program's own `sys`."""
Take = Callable[[], list[Any]]


def _is_buffer(word: object) -> bool:
    return type(word) is bytes or type(word) is bytearray or arrays.is_array(word) or pandas_frames.is_frame(word)


class _Deferred:
    """Defers signals while the tape is written.

    They are delivered just after, when the program runs again, so that an exception of a handler has no frames of the
    recorder. A caller that can raise them itself passes a list; otherwise a thread sends them, and may have to retry.
    """

    def __init__(self, to: list[int] | None) -> None:
        self._kept: list[tuple[int, Any]] = []
        self._came: list[int] = []
        self._to = to

    def __enter__(self) -> None:
        if get_ident() != _MAIN_THREAD:
            return
        for number in _HANDLED:
            if callable(signal.getsignal(number)) or number == signal.SIGTERM:
                self._kept.append((number, signal.signal(number, self._later)))

    def _later(self, number: int, _frame: object) -> None:
        self._came.append(number)

    def __exit__(self, *_error: object) -> None:
        for number, handler in self._kept:
            if handler is not None:
                signal.signal(number, handler)
        for number in self._came:
            if self._to is None:
                start_new_thread(_interrupt_soon, (number,))
            elif callable(signal.getsignal(number)):
                self._to.append(number)
            else:
                _interrupt(number)  # which ends the program


def _without_details(words: list[Any]) -> list[Any]:
    """Remove detail records, which an over-long run drops."""
    kept, takes = [], True
    for word in words:
        if issubclass(type(word), Marker):
            takes = not word.detail
        if takes:
            kept.append(word)
    return kept


class Recording:
    """One recording, from the first record to the closed file."""

    def __init__(
        self, out: str, meta: dict[str, Any], is_user_code: Callable[[str], bool], detailed: int = DETAILED
    ) -> None:
        bytes(_ROOM)
        self._detailed, self._most = detailed, max(TIMES * detailed, LEAST)
        self._coarse = False
        self.recorder = tape.Recorder()
        self.recorder.release = self.release
        self.recorder.is_user_code = is_user_code
        self.writer = Writer(out, meta, is_user_code, self._forget_object)
        self._numbers = self.writer.numbers
        self.ending: dict[str, Any] = {}
        stand_ins = self.writer.stand_ins
        tape.kept.plain, tape.kept.held = stand_ins.plain, stand_ins.held
        self.closed = False
        self.flush_seconds = 0.0
        self.words = self._unknown_since = 0
        self._written = time.monotonic()
        self._process = os.getpid()
        self._lock = allocate_lock()
        self._first = next(iter(self.recorder.tapes.values()))
        if accelerator is None:
            self._first.reserve(_KEPT)
        else:
            accelerator.numbered(self._numbers)
            stand_ins.changed = self._use_stand_ins
            self._use_stand_ins()
        self._in_order = RLock()
        self._flushing = False
        self._busy = 0
        """Id of the thread that is writing, or 0."""
        self._came: list[int] | None = None
        """Collects deferred signals while the accelerator has the tape flushed."""
        self._weight = self._weighed = 0
        """Bytes in large buffers on the tape, and its length when they were added up."""
        self._met: set[int] = set()
        self._released = 0.0
        """Seconds spent on releasing objects early."""
        FullRecorder.current = self
        if detailed == 0:
            self._leave_details()

    def announce(self, facts: dict[str, Any]) -> None:
        """Write the static facts of an instrumented module."""
        if not self.closed:
            self.writer.module(facts)

    # Taking the tape away

    def watch(self) -> None:
        """Start checking the length of the tape, and register the end of the recording."""
        threads.watch_threads(self.recorder)
        watch_children(self.recorder)
        atexit.register(self.close)
        self._exit = os._exit

        def _exit(status: int) -> None:
            self._exit_now(status)

        import_module("os")._exit = _exit  # type: ignore[attr-defined]
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._abandon)
        handles = hasattr(signal, "setitimer") and get_ident() == _MAIN_THREAD
        if handles:
            hide_handlers()
            if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
                _handle(signal.SIGTERM, self._terminated)
        if accelerator is not None:
            accelerator.when_full(self._write_away)
        # A debugger stepping into a function stops before its first line if a signal is handled at that moment.
        elif handles and sys.gettrace() is None:
            _handle(signal.SIGVTALRM, self._look)
            signal.setitimer(signal.ITIMER_VIRTUAL, LOOK, LOOK)
        else:
            start_new_thread(self._look_on, ())

    def _look(self, _signal: object = None, _frame: object = None) -> None:
        """Check the tape, in a single frame, because the program may be near the recursion limit."""
        recorder = self.recorder
        try:
            most = SOME if time.monotonic() - self._written > LONGEST else FULL
            if type(recorder) is threads.ThreadedRecorder:
                if (
                    not self._flushing
                    and sum([len(thread_tape.tape) - thread_tape.begin for thread_tape in [*recorder.tapes.values()]])
                    > most
                ):
                    self._flush_with_room(lambda: recorder.threads.take([]))
            elif type(recorder) is tape.Recorder and not self._flushing:
                self._weigh(recorder.tape)
                if self._weight > HEAVY or len(recorder.tape) > most + _KEPT:
                    _check_room(_FRAMES)
                    recorder.__class__ = FullRecorder
        except RecursionError:
            pass  # retry later

    def _weigh(self, words: list[Any]) -> None:
        """Add up the bytes of new large buffers."""
        arrays.learn(_programs.modules.get("numpy"))
        part = words[max(self._weighed if self._weighed <= len(words) else 0, len(words) - LAST) :]
        one_of_each = dict(zip(map(id, map(type, part)), part))  # noqa: B905 - both are the same list
        kinds = {kind for kind, word in one_of_each.items() if _is_buffer(word)}
        for word in part if kinds else ():
            if id(type(word)) in kinds and id(word) not in self._met and id(word) not in self._numbers:
                self._met.add(id(word))
                self._weight += pandas_frames.size_of(word) if pandas_frames.is_frame(word) else arrays.size_of(word)
        self._weighed = len(words)

    def _look_on(self) -> None:
        while not self.closed:
            time.sleep(LOOK_ON)
            self._look()

    def flush_own(self) -> None:
        """Flush the current thread's tape, and those of other threads, to keep their order."""
        recorder = self.recorder
        take: Take | None = None
        if type(recorder) is threads.ThreadedRecorder:
            take = partial(recorder.threads.take, [recorder.threads.own()])
        self._flush_with_room(take)

    def _write_away(self) -> list[int]:
        """Called by the accelerator: flush the current thread's tape; returns the deferred signals."""
        if get_ident() != _MAIN_THREAD:
            self.flush_own()
            return []
        came: list[int] = []
        self._came = came
        try:
            with _Deferred(came):  # also before and after the writing itself
                self.flush_own()
        finally:
            self._came = None
        return came

    def _flush_with_room(self, take: Take | None) -> None:
        limit = getrecursionlimit()
        try:
            self._flush_deep(take, limit + 1000)
        finally:
            setrecursionlimit(limit)

    def _flush_deep(self, take: Take | None, limit: int) -> None:
        """Flush with a raised recursion limit, so that it works at any depth of the program's stack.

        The limit is raised in a deeper frame than the one that lowers it, so that lowering cannot fail.
        """
        setrecursionlimit(limit)
        self._flush(take)

    def release(self) -> None:
        """Flush the current thread's tape, and release every object that nothing else refers to.

        Skipped if it takes too much of the time; objects then live until the next regular flush.
        """
        started = time.process_time()
        if self._released > RELEASING and 2 * self._released > started:
            return
        self.flush_own()
        if not self.closed:
            self.writer.look_again()
        self.flush_own()  # objects of the first flush are released by the second
        self._released += time.process_time() - started

    def _flush(self, take: Take | None) -> bool:
        """Write the words that `take` returns, or the first tape in place. Returns whether this succeeded."""
        if self._busy == get_ident():  # a finaliser during a flush: its records wait for the next one
            return True
        if self.closed or os.getpid() != self._process:
            self._drop_words()
            self._forget()
            return False
        collecting = gc.isenabled()
        started = time.thread_time()  # while our timer runs, the CPU clock of the process advances in whole ticks
        around, self._flushing = self._flushing, True
        gc.disable()  # flushing creates little garbage, and a collection may call back into the program
        try:
            with _Deferred(None) if self._came is None else nullcontext(), self._in_order:
                if take is not None:
                    self._write(take(), 0, int)
                elif accelerator is None:
                    self._write(self._first.tape, self._first.begin, self._first.drop)
                else:
                    taken: NativeTape = self._first.tape.take()
                    self._write(taken, 0, lambda _stop: taken.let_go())
        except (Full, OSError) as error:
            self._stop()  # the program continues; the recording so far stays usable
            if isinstance(error, Full):
                with suppress(OSError):
                    self.writer.close({"how": "full", "exit_code": 0, "message": str(error)})
            print(f"adebug: recording has stopped: {error or 'it is full'}", file=import_module("sys").__stderr__)
        finally:
            self._flushing = around
            if collecting:
                gc.enable()
            self._written = time.monotonic()
            self.flush_seconds += time.thread_time() - started
        return not self.closed

    def _drop_words(self) -> None:
        """Drop the words on the tapes. Another thread or a signal handler may do the same concurrently."""
        if type(self.recorder) is threads.ThreadedRecorder:
            self.recorder.threads.forget()
        for thread_tape in list(self.recorder.tapes.values()):
            if isinstance(thread_tape.tape, list):
                del thread_tape.tape[thread_tape.begin :]
            else:
                thread_tape.take_all()

    def _write(self, words: "list[Any] | NativeTape", start: int, drop: Callable[[int], object]) -> None:
        """Write words from an index on, then release them with `drop`."""
        stop = len(words)
        if self.closed:  # another thread was first, and the recording is full
            drop(stop)
            return
        self._busy = get_ident()
        if self._coarse and isinstance(words, list):
            words, start = _without_details(words[start:]), 0
        self.words += len(words) - start
        if self.words > self._unknown_since + AGAIN or type(self.recorder) is threads.ThreadedRecorder:
            self._forget()
        try:
            self.writer.write_tape(self._first.thread, words, self._first.written, start)
            if self.words > self._detailed and not self._coarse:
                self._leave_details()
        finally:
            drop(stop)
            arrays.forget_contents()
            self._met.clear()
            self._weight = self._weighed = 0
            for identity in self.writer.release_large():
                for thread_tape in list(self.recorder.tapes.values()):
                    thread_tape.known.pop(identity, None)
            self._busy = 0
        if self.words > self._most:
            raise Full(f"it has {self.words:,} words; the program goes on without it")

    def _leave_details(self) -> None:
        """Stop recording details, because the run is too long."""
        self._coarse = True
        self.writer.write_tape(self._first.thread, [COARSE])
        if accelerator is not None:
            accelerator.leave_details()

    def _forget(self) -> None:
        """Forget all images, so that objects are imaged again. Other threads may add some concurrently."""
        self._unknown_since = self.words
        for thread_tape in list(self.recorder.tapes.values()):
            thread_tape.known.clear()

    def _use_stand_ins(self) -> None:
        """Tell the accelerator about stand-ins; again when more classes have some."""
        stand_ins = self.writer.stand_ins
        accelerator.stand_ins(stand_ins.is_mortal, stand_ins.of, stand_ins.living, GENERATORS, OpaqueStandIn)

    def _forget_object(self, identity: int) -> None:
        """Forget the image of an object that has ended: another may get its identity."""
        for thread_tape in list(self.recorder.tapes.values()):
            thread_tape.known.pop(identity, None)
            thread_tape.known.pop(~identity, None)

    # Ends

    def _stop(self) -> None:
        """Stop recording, and release all objects."""
        self.closed = True
        if accelerator is not None:
            accelerator.use_lists(None)
            accelerator.numbered(None)
            accelerator.stand_ins(None, None, {}, (), int)
        tape.kept.plain, tape.kept.held = {}, lambda value: value

    def close(self) -> None:
        """Write the remaining words, and close the file."""
        with self._lock:
            if os.getpid() != self._process:
                return
            if accelerator is None and hasattr(signal, "setitimer") and get_ident() == _MAIN_THREAD:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)  # its signal has no handler once the interpreter has ended
            if self.closed:
                return
            recorder = self.recorder
            take: Take | None = None
            if type(recorder) is threads.ThreadedRecorder:
                take = partial(recorder.threads.take, list(recorder.tapes.values()))
            if not self._flush(take):
                return
            self._stop()
            self.writer.close(self.ending)
            self.writer.stand_ins.clear()
            del self.writer  # this drops the last references to the program's objects
            self.recorder.forget()

    def _exit_now(self, status: int) -> None:
        self.ending.setdefault("how", "exited")
        self.ending.setdefault("exit_code", status)
        self.close()
        self._exit(status)

    def _terminated(self, number: int, _frame: object) -> None:
        self.ending = {"how": "killed", "exit_code": 128 + number}
        self.close()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _abandon(self) -> None:
        """Stop recording in a forked child, which must not write to the parent's file.

        Its signals get their default handlers, because a Python handler would wait while C code runs.
        """
        self._stop()
        for number in (signal.SIGTERM, signal.SIGVTALRM):
            if _is_own(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)

    def stop_after(self, seconds: float) -> None:
        """Interrupt the program after its time limit; kill it if it ignores the interrupt."""

        def wait() -> None:
            time.sleep(seconds)
            self.ending = {"how": "timeout", "exit_code": 1, "message": f"stopped after {seconds:g} seconds"}
            _interrupt(signal.SIGINT)
            time.sleep(2)
            self.close()
            self._exit(1)

        start_new_thread(wait, ())
