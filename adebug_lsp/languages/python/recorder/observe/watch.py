"""Detects changes by code that is not recorded: objects within its reach are inspected before and after a call.

A *watch* holds the objects that one call can reach, each with its earlier content. When the call is over, returned or
raised, the differences go to the tape: as writes, or as an image where that is shorter or recorded code was called.
Nothing here runs code of the user.
"""

import functools
import sys
import types
import weakref
from collections import defaultdict
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from ..analysis.call_effects import CHANGING_FUNCTIONS, ITERATING, MUTATORS, ORDERED, QUIET_METHODS, REPLAYED, Counter
from .arrays import is_array, only_reads_arrays
from .classes import flags, module_of, mro
from .differences import Held, held_of
from .heapq_changes import heap_held, is_heap_function
from .imaged_objects import Known
from .images import (
    CALL_METHOD,
    MUTABLE,
    READERS,
    SET_ITEM,
    Marker,
    class_entry,
    data_descriptors,
    dictionary,
    has_weak_references,
    image,
    setter_of,
)
from .pandas_frames import is_frame
from .reachable import calls_back, reached

if TYPE_CHECKING:
    from ..native._accelerator import NativeMarker

T = TypeVar("T")

QUIET: tuple[type, ...] = (
    *MUTABLE,
    *(object, type, type(None), bool, int, float, complex, str, bytes, tuple, frozenset, range, slice),
    *map(type, ({}.keys(), {}.values(), {}.items(), iter([]), iter(()), iter({}), iter(range(0)), iter(""))),
)
"""Types whose objects are iterated over, and have their other methods called, without a change to anything."""
_STANDARD = frozenset(name.lstrip("_") for name in sys.stdlib_module_names)
_METHODS = frozenset(map(id, (types.BuiltinMethodType, types.MethodWrapperType)))
_MOST_PARTIALS = 100
_IS_CLASS = 1 << 31
"""Py_TPFLAGS_TYPE_SUBCLASS: an object of such a type is a class."""


def _is_foreseen(function: Any) -> bool:
    """Whether a function is a container method whose effect follows from the arguments."""
    return id(type(function)) in _METHODS and id(type(function.__self__)) in READERS and function.__name__ in MUTATORS


def _is_replayed(o: object, argument: object) -> bool:
    """Whether a reader can derive the items that a container takes from an argument."""
    kind = type(argument)
    return kind is int or id(kind) in (REPLAYED if type(o) is set else ORDERED)


def only_changed(function: Any, values: tuple[Any, ...]) -> list[Any] | None:
    """The objects that a builtin method changes, if that is known."""
    kind = type(function)
    if id(kind) in _METHODS:
        if _only_reads(function):
            return []
        owner = function.__self__
        if id(type(owner)) in READERS or function.__name__ in ("__setattr__", "__delattr__"):
            return [owner]
        if type(owner) is types.MemberDescriptorType:
            return list(values[:1])
    if kind is types.MethodType and _only_looks(function.__func__):
        return []
    if id(kind) in _DESCRIPTORS or function is setattr or function is delattr:
        return list(values[:1])
    return None


def _only_reads(function: Any) -> bool:
    """Whether a function is a container method that changes nothing."""
    return (
        id(type(function)) in _METHODS and id(type(function.__self__)) in READERS and function.__name__ in QUIET_METHODS
    )


def _entry(o: object) -> int:
    """The key of an object in `known`. Arrays and frames get another one than their identity, because all writes to
    them must be seen.
    """
    return ~id(o) if is_array(o) or is_frame(o) else id(o)


def _only_looks(function: object) -> bool:
    """Whether a function is an assertion of unittest; those that take a callable may change anything."""
    if type(function) is not types.FunctionType or type(function.__module__) is not str:
        return False
    named = function.__name__
    return function.__module__ == "unittest.case" and named.startswith("assert") and not named.startswith(_CALLING)


_CALLING = ("assertRaises", "assertWarns", "assertLogs", "assertNoLogs")
_DESCRIPTORS = frozenset(map(id, (types.MethodDescriptorType, types.WrapperDescriptorType)))


class Watch:
    """A watched call, with snapshots of the objects that it may change."""

    __slots__ = ("call", "frame", "held", "out", "own", "values", "wide")

    def __init__(self, frame: object) -> None:
        self.frame = frame
        """The frame of the caller."""
        self.held: list[tuple[int, Held]] = []
        """The snapshots, each with the length of the tape at that time."""
        self.call: tuple[Any, str] | None = None
        """A container and its method, whose effect follows from the arguments."""
        self.values: list[Any] = []
        self.own = False
        """Whether the call is of recorded code, which needs no watching."""
        self.wide = False
        """Whether the call may change every object within reach of its arguments, not only through callbacks."""
        self.out = False
        """Whether the call may have an argument named `out`, an array that it writes to."""


class Leaving:
    """A context manager that records an exception, where a handler would make lazy imports eager (PEP 810)."""

    __slots__ = ("ends", "marker", "recorder")

    def __init__(self, recorder: "Watching", marker: "Marker | NativeMarker", ends: bool) -> None:
        self.recorder, self.marker, self.ends = recorder, marker, ends

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, exception: BaseException | None, trace: TracebackType | None
    ) -> None:
        if exception is None:
            return
        recorder, marker = self.recorder, self.marker
        if self.ends and recorder.pending:
            recorder._left(sys._getframe(1))
        values = (exception, trace) if self.ends else (exception,)
        if isinstance(marker, Marker):
            tape = recorder.tape
            tape += (marker, *values)
        else:
            marker @ values  # puts the record there


class Watching:
    """The part of the recorder that watches calls of code that is not recorded.

    `sys._getframe(1)` is the frame of the recorded code that called a method: helpers must call it in their own frame
    (https://docs.python.org/3/library/sys.html#sys._getframe, CPython only). Frames are compared by identity; their
    `f_locals` are never read, which before 3.13 would write them back (PEP 667).
    """

    __slots__ = ()
    tape: Any
    known: Known
    pending: list[Watch]
    codes: dict[int, Any]
    quiet: dict[int, type]
    plain: dict[int, type]
    named: dict[int, tuple[type, bool]]
    namespaces: dict[int, Any]
    is_user_code: Callable[[str], bool]

    def see(self, o: object) -> bool:
        """Take the image of an object before its first write.

        Returns whether the record of the write describes its whole effect. It does not if unrecorded code can affect
        the write; then the object is watched until `after`.
        """
        i = id(o)
        if i in self.known:
            return True
        reader = READERS.get(id(type(o)))
        if reader is None and not self.is_quiet(type(o)):
            self._begin(sys._getframe(1), None, (o,))
            return False
        if reader is not None and i not in self.namespaces:
            self.known[i] = None
            tape = self.tape
            tape += (reader[0], o, reader[1](o))
            return True
        if i in self.namespaces:
            frame = sys._getframe(1)
            self._over(frame)
            self._keep(self._new(frame), [o])
            return False
        self._show(o)
        return True

    def _show(self, o: object) -> None:
        if not self._is_shown(o):
            self.known[_entry(o)] = None
            image(self.tape, o)

    def _is_shown(self, o: object) -> bool:
        return _entry(o) in self.known

    def namespace(self, o: object) -> None:
        """Note that the program has an object's attribute dictionary; writes to it change both."""
        held = dictionary(o)
        if type(held) is not dict or not has_weak_references(o):
            return
        if not self._owner(held):
            try:
                self.namespaces[id(held)] = weakref.ref(o)
            except TypeError:  # its class says that it can have some, and was made otherwise
                return
        self.known.pop(id(held), None)  # it is never known, so that every write to it inspects the owner

    def _owner(self, held: object) -> list[Any]:
        """The object whose attributes a dictionary holds."""
        reference = self.namespaces.get(id(held))
        if reference is None:
            return []
        owner = reference()
        if owner is None or dictionary(owner) is not held:
            del self.namespaces[id(held)]
            return []
        return [owner]

    def is_quiet(self, cls: type) -> bool:
        """Whether a class and its bases are recorded, or known to change nothing; the result is cached."""
        if id(cls) in self.quiet:
            return True
        for base in mro(cls):
            if id(base) in READERS or not (id(base) in self.quiet or self.is_user_code(module_of(base))):
                return False
        self.quiet[id(cls)] = self.plain[id(cls)] = cls
        return True

    def _has_plain_setattr(self, cls: type) -> bool:
        """Whether assigning to an attribute of a class's objects just sets it, or runs recorded code."""
        if id(cls) not in self.named:
            setter = class_entry(cls, "__setattr__")
            simple = type(setter) is types.WrapperDescriptorType or self._is_recorded_function(setter)
            written = (d for d in data_descriptors(cls) if not self._is_recorded_function(setter_of(d)))
            self.named[id(cls)] = (cls, simple and next(written, None) is None)
        return self.named[id(cls)][1]

    def _is_recorded_function(self, function: object) -> bool:
        return type(function) is types.FunctionType and self.is_recorded(function)

    def is_recorded(self, function: Any) -> bool:
        """Whether a function or generator is recorded code."""
        code = function.__code__ if type(function) is types.FunctionType else function.gi_code
        return id(code) in self.codes

    def is_own(self, function: Any) -> bool:
        """Whether a function, a method or a generator's step is recorded code, which records its own effects."""
        kind = type(function)
        if kind is types.MethodType:
            function = function.__func__
            kind = type(function)
        elif kind is types.BuiltinMethodType:
            function = function.__self__
            return type(function) is types.GeneratorType and id(function.gi_code) in self.codes
        elif kind is types.MethodWrapperType:
            return function.__name__ == "__next__" and id(type(function.__self__)) in self.plain
        return kind is types.FunctionType and id(function.__code__) in self.codes

    def see_named(self, o: object) -> bool:
        """Like `see`, before an attribute is set: only the class of the object can run code then."""
        i, cls = id(o), type(o)
        entry = self.named.get(id(cls))
        if not (self._has_plain_setattr(cls) if entry is None else entry[1]):
            self._begin(sys._getframe(1), None, (o,))
            return False
        known = self.known
        if i not in known and ~i not in known:
            known[i if id(cls) in self.quiet or id(cls) in READERS or self.is_quiet(cls) else ~i] = None
            image(self.tape, o)
        return True

    # Calls and writes, as statements

    def before(self, function: object, *values: object) -> None:
        """Start watching a call of code that may not be recorded."""
        if not (self.is_own(function) or (_only_reads(function) and not any(map(calls_back, values)))):
            self._begin(sys._getframe(1), function, values)
        elif self.pending:
            self._over(sys._getframe(1))

    def before_out(self, function: object, *values: object) -> None:
        """Like `before`, for a call with an argument named `out`, or with unpacked ones."""
        if not self.is_own(function):
            self._begin(sys._getframe(1), function, values, out=True)
        elif self.pending:
            self._over(sys._getframe(1))

    def hold(self, o: object) -> None:
        """Start watching an object before a change that no write describes."""
        frame = sys._getframe(1)
        if id(type(o)) not in READERS:
            self._begin(frame, None, (o,))
        else:
            self._over(frame)
            self._keep(self._new(frame), [o])

    def pour(self, o: object, argument: object) -> None:
        """Start watching a container before it iterates over unknown items."""
        frame = sys._getframe(1)
        self._over(frame)
        watch = self._new(frame)
        self._keep(watch, [o])
        self._hold(watch, (argument,))

    def call(self, o: object, name: str, argument: object) -> None:
        """Start watching a call of a container method."""
        frame = sys._getframe(1)
        if id(type(o)) not in READERS:
            if not self.is_quiet(type(o)):
                self._begin(frame, None, (o,))
            return
        self._over(frame)
        watch = self._new(frame)
        watch.values += (None, argument)
        if _is_replayed(o, argument) and type(o) is not Counter and id(o) not in self.namespaces:
            watch.call = (o, name)
            self._show(o)
        else:
            self._keep(watch, [o])
            self._hold(watch, (argument,))

    def after(self) -> None:
        """End the last watch."""
        if not self.pending:
            return
        frame = sys._getframe(1)
        index = next((index for index, watch in enumerate(self.pending) if watch.frame is frame), None)
        if index is not None:
            self._done(index, None)

    # Calls in the middle of an expression

    def begin(self, function: Any) -> Any:
        """Start watching a call inside an expression; returns the function."""
        watch = self._new(sys._getframe(1))
        watch.own = self.is_own(function)
        if watch.own:
            return function
        if _is_foreseen(function) and id(function.__self__) not in self.namespaces:
            watch.values.append(function)
            watch.call = (function.__self__, function.__name__)
            self._show(function.__self__)
        else:
            self._begun(watch, function)
        return function

    def begin_any(self, function: T) -> T:
        """Like `begin`, for a call with unpacked arguments."""
        watch = self._new(sys._getframe(1))
        watch.own, watch.out = self.is_own(function), True
        if not watch.own:
            self._begun(watch, function)
        return function

    def _begun(self, watch: Watch, function: object) -> None:
        watch.values.append(function)
        changed = only_changed(function, ())
        watch.wide = changed is None and self._is_unknown(function)
        self._hold(watch, (function,)) if changed is None else self._keep(watch, changed)

    def give(self, value: T) -> T:
        """Note an argument of the call; returns it."""
        frame = sys._getframe(1)
        watch = next((watch for watch in reversed(self.pending) if watch.frame is frame), None)
        if watch is None or watch.own:
            return value
        if watch.call is not None and watch.call[1] in ITERATING and not _is_replayed(watch.call[0], value):
            self._keep(watch, [watch.call[0]])
            watch.call = None
        if watch.call is None:
            first = len(watch.values) == 1
            if first and type(value) is list and is_heap_function(watch.values[0]):
                self._hold_heap(watch, value)  # type: ignore[arg-type] # `type` narrows no variable
            elif first and any(o is value for o in only_changed(watch.values[0], (value,)) or ()):
                self._keep(watch, [value])
            else:
                self._hold(watch, (value,))
        watch.values.append(value)
        return value

    def end(self, result: T) -> T:
        """End the watch of the call; returns its result."""
        frame = sys._getframe(1)
        index = next(
            (index for index in reversed(range(len(self.pending))) if self.pending[index].frame is frame), None
        )
        if index is not None:
            self._done(index, result)
        return result

    # Iterating, and reading items that appear when they are read

    def through(self, iterator: object) -> Watch | None:
        """Return a watch on the objects that each iteration of a loop may change, or None."""
        self.is_quiet(type(iterator))
        watch = Watch(None)
        self._hold(watch, (iterator,))
        if watch.held:
            self.known[id(watch)] = None
            return watch
        return None

    def iteration(self, watch: Watch) -> None:
        """Record changes at the start of the next iteration, or at the end of the loop."""
        self._settle(watch)
        self.known[id(watch)] = None
        length = len(self.tape)
        watch.held = [(length, held_of(held.o)) for _, held in watch.held]

    def begin_through(self, iterator: T) -> T:
        """Like `through`, for a comprehension, until its `end`."""
        watch = self._new(sys._getframe(1))
        self._hold(watch, (iterator,))
        return iterator

    def reading(self, o: defaultdict[object, object]) -> int:
        """Called before an item of a defaultdict is read; returns its length, for `read`."""
        self._show(o)
        return 1 + len(o)

    def read(self, o: defaultdict[object, object], key: object, value: object, length: int) -> None:
        """Called after an item was read; records it if it was added."""
        if len(o) >= length:
            tape = self.tape
            tape += (SET_ITEM, o, key, value)

    def begin_item(self, o: T) -> T:
        """Like `reading`, inside an expression."""
        watch = self._new(sys._getframe(1))
        if type(o) is defaultdict:
            watch.values += (o, self.reading(o))  # type: ignore[arg-type] # `type` narrows no variable
        return o

    def end_item(self, result: T) -> T:
        """Returns the item that was read."""
        frame = sys._getframe(1)
        index = next(
            (index for index in reversed(range(len(self.pending))) if self.pending[index].frame is frame), None
        )
        if index is not None:
            values = self.pending[index].values
            self._end(index)
            if len(values) == 3:
                self.read(values[0], values[2], result, values[1])
        return result

    # Both

    def failed(self) -> None:
        """End the watches of calls that a caught exception ended."""
        self._left(sys._getframe(1))

    def leaving(self, marker: "Marker | NativeMarker", ends: bool) -> "Leaving":
        """A context that records an exception leaving the statements of a module."""
        return Leaving(self, marker, ends)

    def _left(self, frame: FrameType) -> None:
        """End the watches of a frame's calls, and all above them."""
        caller = frame.f_back
        above = set()
        while caller is not None:
            above.add(id(caller))
            caller = caller.f_back
        index = len(self.pending)
        while index and id(self.pending[index - 1].frame) not in above:
            index -= 1
        self._end(index)

    def _new(self, frame: object) -> Watch:
        watch = Watch(frame)
        self.known[id(watch)] = None  # until the tape is written away
        self.pending.append(watch)
        return watch

    def _begin(self, frame: FrameType, function: object, values: tuple[Any, ...], *, out: bool = False) -> None:
        """Start a watch if the call may change something."""
        self._over(frame)  # an exception may have ended a call unnoticed
        watch = self._new(frame)
        watch.out = out
        watch.wide = self._is_unknown(function)
        watch.values.append(function)
        if (function is exec or function is eval) and len(values) == 1:
            values = (*values, tuple(frame.f_globals.values()))
        for value in values:
            self.is_quiet(type(value))
        if is_heap_function(function) and values and type(values[0]) is list:
            self._hold_heap(watch, values[0])
            return
        changed = only_changed(function, values)
        if changed is not None:
            watch.wide = False
            self._keep(watch, changed)
        self._hold(watch, (*([function] if changed is None else changed), *values))
        if not watch.held:  # there is nothing to inspect afterwards
            self.pending.pop()
            self.known.pop(id(watch), None)

    def _over(self, frame: object) -> None:
        index = next((index for index, watch in enumerate(self.pending) if watch.frame is frame), None)
        if index is not None:
            self._end(index)

    def _done(self, index: int, result: object) -> None:
        """End a watch after a normal return; a foreseen method is recorded by its arguments."""
        watch = self.pending[index]
        called, watch.call = watch.call, None
        self._end(index)
        if called is not None:
            o, name = called
            arguments = tuple(watch.values[1:])
            if name == "pop" and not arguments:
                name, arguments = "popped", (result,)
            tape = self.tape
            tape += (CALL_METHOD, o, name, arguments)

    def _end(self, index: int) -> None:
        ended = self.pending[index:]
        del self.pending[index:]
        for watch in reversed(ended):
            self._settle(watch)

    def _hold(self, watch: Watch, values: tuple[Any, ...]) -> None:
        """Take snapshots of all objects that a call may change."""
        passed = (*watch.values[1:], *values)
        if not watch.wide and any(map(self._changes, values)):
            watch.wide = True
            values = tuple({id(value): value for value in (*watch.values, *values)}.values())
        if not watch.wide:
            values = tuple(value for value in values if calls_back(value))
        if values:
            objects = reached(values, self.is_recorded, self._changes)
            if any(map(is_array, objects)) and not watch.out and watch.values:
                function = watch.values[0]
                if only_reads_arrays(function, tuple(value for value in passed if value is not function)):
                    objects = [o for o in objects if not is_array(o)]
            self._keep(watch, objects)

    def _changes(self, value: Any) -> bool:
        """Whether a value is a function that may change its arguments without being recorded."""
        for _ in range(_MOST_PARTIALS):  # it may call itself
            if type(value) is not functools.partial:
                break
            value = value.func
        kind = type(value)
        if id(kind) in _DESCRIPTORS:
            return value.__name__ in MUTATORS
        return (kind is types.FunctionType or kind is types.MethodType) and self._is_unknown(value)

    def _hold_heap(self, watch: Watch, heap: list[Any]) -> None:
        self._show(heap)
        watch.held.append((len(self.tape), heap_held(watch.values[0], heap)))

    def _keep(self, watch: Watch, objects: list[Any]) -> None:
        objects = [*objects, *(owner for o in objects for owner in self._owner(o))]
        for o in objects:
            self._show(o)
        length = len(self.tape)
        watch.held += [(length, held_of(o)) for o in objects]

    def _settle(self, watch: Watch) -> None:
        """Record the changes of a call; as an image if recorded code wrote to the object in the meantime."""
        tape, known = self.tape, self.known
        if watch.call is not None:  # it has failed
            image(tape, watch.call[0])
        written_away = id(watch) not in known
        known.pop(id(watch), None)
        named = {length: set(map(id, tape.held(length))) for length in {length for length, _ in watch.held}}
        for length, held in watch.held:
            if not self._is_shown(held.o):
                self._show(held.o)
            elif written_away or id(held.o) in named[length]:
                image(tape, held.o)
            else:
                held.write(tape)

    def _is_unknown(self, function: Any) -> bool:
        """Whether a function may do anything to its arguments."""
        kind = type(function)
        if kind is types.FunctionType and self.is_recorded(function):
            return False
        if kind is types.MethodType:
            return self._is_unknown(function.__func__)
        if flags(kind) & _IS_CLASS:
            return not self.is_quiet(function) and module_of(function).partition(".")[0] not in _STANDARD
        if kind is types.FunctionType or kind is types.BuiltinFunctionType:
            module, name = function.__module__, function.__qualname__
            full = f"{module}.{name}".lstrip("_") if type(module) is str else name
            return full in CHANGING_FUNCTIONS or full.partition(".")[0] not in _STANDARD
        return True
