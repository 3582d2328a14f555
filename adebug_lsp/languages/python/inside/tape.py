"""The tape: what instrumented code appends to, and the images of mutable objects that the write log starts from.

A record is a marker and a fixed number of values. Nothing here runs code of the user: contents are read through the
methods of the builtin types and through the slots of the objects themselves.
"""

import _thread
import collections
import operator
import sys
import threading
import types
from _thread import get_ident
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any


class Marker:
    """Begins a record. No program can come to hold one."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


IMAGE_LIST, IMAGE_DICT, IMAGE_SET, IMAGE_ATTRS, IMAGE_DEQUE, IMAGE_BYTES = (Marker(n) for n in range(1, 7))
SET_ITEM, DEL_ITEM, SET_ATTR, DEL_ATTR, CALL_METHOD, OUTPUT, BORN = (Marker(n) for n in range(7, 14))
FIRST_OF_MODULES = 64

READERS: dict[type, tuple[Marker, Any]] = {
    list: (IMAGE_LIST, tuple),
    dict: (IMAGE_DICT, lambda d: tuple(x for pair in dict.items(d) for x in pair)),
    set: (IMAGE_SET, tuple),
    deque: (IMAGE_DEQUE, tuple),
    bytearray: (IMAGE_BYTES, lambda b: (bytes(b),)),
    collections.defaultdict: (IMAGE_DICT, lambda d: tuple(x for pair in dict.items(d) for x in pair)),
    collections.OrderedDict: (
        IMAGE_DICT,
        lambda d: tuple(x for pair in collections.OrderedDict.items(d) for x in pair),
    ),
    collections.Counter: (IMAGE_DICT, lambda d: tuple(x for pair in dict.items(d) for x in pair)),
}
"""The mutable builtin types, exactly: how an image of one is taken."""

_BASES = (list, dict, set, deque, bytearray)
_COPIES: dict[type, Any] = {
    list: list.copy,
    dict: lambda o: o,  # its items are read by the method of `dict` itself
    set: lambda o: set(set.__iter__(o)),
    deque: lambda o: tuple(deque.__iter__(o)),
    bytearray: bytearray.copy,
}
_mro_of = type.__dict__["__mro__"].__get__
_class_dict = type.__dict__["__dict__"].__get__
_NONE: dict[str, Any] = {}


def _mro(cls: type) -> tuple[type, ...]:
    """A class that is still being made has no bases yet."""
    return _mro_of(cls) or (cls,)


def attributes(o: object) -> tuple[Any, ...]:
    """Name, value, name, value...: what the object's own dictionary and slots hold."""
    found: list[Any] = []
    dictionary = False
    for cls in _mro(type(o)):
        own = _class_dict(cls) or {}
        descriptor = own.get("__dict__")
        if not dictionary and type(descriptor) is types.GetSetDescriptorType:
            dictionary = True
            held = descriptor.__get__(o)
            if type(held) is types.MappingProxyType or dict in map(_plain, _mro(type(held))):
                found.extend(word for pair in list(held.items()) for word in pair)
        if "__slots__" in own:
            found.extend(_slots(o, own))
    return tuple(found)


def _slots(o: object, own: Any) -> list[Any]:
    found: list[Any] = []
    for name, member in own.items():
        if type(member) is types.MemberDescriptorType:
            with suppress(AttributeError):  # a slot that is not filled
                found.extend((name, member.__get__(o)))
    return found


def _plain(cls: type) -> Any:
    """The class itself where comparing it runs no code of the user."""
    return cls if type(cls) is type else None


class Tape:
    """Where one thread's records go, and what was seen of mutable objects since the last spill."""

    __slots__ = ("known", "tape", "thread")

    def __init__(self, thread: int) -> None:
        self.tape: list[Any] = Words()
        self.known: set[int] = set()
        self.thread = thread


def image(tape: list[Any], o: Any) -> None:
    """Append what a mutable object holds now."""
    kind = type(o)
    reader = READERS.get(kind)
    if reader is not None:
        tape += (reader[0], o, reader[1](o))
        return
    for base in _BASES:
        if any(one is base for one in _mro(kind)):
            marker, read = READERS[base]
            tape += (marker, o, read(_COPIES[base](o)))
            break
    if kind.__flags__ & _HEAP_TYPE:
        tape += (IMAGE_ATTRS, o, attributes(o))


_HEAP_TYPE = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: a class made by a class statement; others have no attributes of their own to look at."""


class Words(list[Any]):
    """The words of a tape. Whoever shows the local variables of a frame comes upon it: it must not show all of them."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<tape of {len(self)} words>"


class Recorder:
    """What instrumented code holds as a constant: the current thread's tape, and the few helpers that it calls.

    `tape` and `known` are plain slots while there is one thread. From the start of a second thread on the class is
    exchanged for one whose properties look the thread up, so that a program without threads does not pay for them.
    """

    __slots__ = (
        *("every", "exception", "id", "known", "mutable", "numbers", "pair", "release", "tape", "tapes", "type"),
    )

    def __init__(self) -> None:
        self.tapes: dict[int, Tape] = {}
        first = Tape(get_ident())
        self.tapes[first.thread] = first
        self.tape, self.known = first.tape, first.known
        self.release: Callable[[], object] = int  # does nothing, until there is a file to write to
        self.numbers = count(1).__next__
        self.pair = operator.iadd
        self.id, self.type, self.every = id, type, BaseException
        self.exception = sys.exception if sys.version_info >= (3, 11) else _exception
        self.mutable = frozenset(READERS)

    def see(self, o: Any) -> None:
        """Take the image of an object that is about to be written for the first time."""
        known = self.known
        i = id(o)
        if i not in known:
            known.add(i)
            image(self.tape, o)

    def before(self, *values: Any) -> None:
        """Code that is not recorded is about to be given these values, and may change them."""
        for value in values:
            if type(value) in READERS:
                self.see(value)

    def after(self, *values: Any) -> None:
        """Code that is not recorded has had these values."""
        for value in values:
            if type(value) in READERS or (type(value).__flags__ & _HEAP_TYPE and id(value) in self.known):
                image(self.tape, value)

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
