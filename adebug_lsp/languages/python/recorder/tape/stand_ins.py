"""Stand-ins: what the tape holds in place of objects whose end the program can notice.

A generator may hold a lock, a file unwritten text, a traceback the variables of its frames; a class may have `__del__`.
When a record first names such an object, it is described, and the stand-in goes to the tape; the recorder keeps only a
weak reference to the object. Plain containers and atoms, whose end nobody can notice, are on the tape themselves.
"""

import gc
import types
import weakref
from collections.abc import Callable, Container
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from ..contract import OBJECT, OPAQUE
from ..observe.classes import HEAP_TYPE, flags
from ..observe.images import READERS
from ..observe.object_inspector import OpaqueStandIn, StandIn, class_dict, module_of, mro

if TYPE_CHECKING:
    from .batch import Inspectors

_PLAIN = frozenset(["builtins", "itertools", "functools", "operator", "_operator", "collections", "types", "typing"])
"""Modules whose opaque objects have no end to notice, unless they refer to an object that has one."""
_NEAR = 3
"""Steps through iterators and tuples after which the search for such an object ends."""
_FIRST = 8
"""Items of a list or dict that are checked when it is put on the tape."""
_SHORT = 64
"""Length up to which containers are searched, and forgotten because of their items."""
_CONTAINERS = frozenset(map(id, (list, dict, tuple)))
_NAMED = frozenset(map(id, (types.ModuleType, types.WrapperDescriptorType, types.MethodDescriptorType)))
_NAMED |= frozenset(map(id, (types.ClassMethodDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType)))
_FRAMED = frozenset(map(id, (types.TracebackType, types.FrameType)))


class Reference(weakref.ref[Any]):
    """A weak reference that knows the identity of its object."""

    __slots__ = ("identity",)
    identity: int


class StandIns:
    """The stand-ins of living objects."""

    def __init__(self, inspectors: "Inspectors", forget: Callable[[int], object]) -> None:
        self.living: dict[int, StandIn | OpaqueStandIn] = {}
        """Stand-ins by the identity of the object, until it ends."""
        self._inspectors = inspectors
        self._forget = forget
        """Called with the identity of an object that has ended."""
        self._unsure: dict[int, StandIn | OpaqueStandIn] = {}
        """Stand-ins of objects without weak references, since the last flush."""
        self._whole: dict[int, tuple[Any, ...]] = {}
        """Long tuples in which nothing needs a stand-in, since the last flush: they are not searched at each record."""
        self._new: list[StandIn] = []
        self._waited: set[int] = set()
        """Those that the last flush kept, by identity; if their record was left out, the next flush does not."""
        self._unread: list[tuple[StandIn, Any]] = []
        """Stand-ins whose content is not read yet, with their objects."""
        self._reading = False
        self._reading_container = False
        self._searched: StandIn | OpaqueStandIn | None = None
        """The newest stand-in when objects that lead to others were last searched for."""
        self._mortal: dict[int, type] = {}
        self.changed: Callable[[], object] = bool
        """Called when further classes have become mortal."""
        self.plain: dict[int, type] = {}
        """The classes that are not mortal, except `tuple`, by identity."""

    def is_mortal(self, cls: type) -> bool:
        """Whether the end of some objects of a class can be noticed."""
        if id(cls) in self._mortal:
            return True
        if id(cls) in self.plain or cls is tuple or cls is list or cls is dict:
            return False
        mortal = self._has_end(cls)
        (self._mortal if mortal else self.plain)[id(cls)] = cls
        return mortal

    def _has_end(self, cls: type) -> bool:
        if cls is StandIn or cls is OpaqueStandIn:
            return False
        kind = self._inspectors.of(cls).tag
        bases = mro(cls)
        if kind == OPAQUE:
            return id(cls) not in _NAMED and cls is not object
        if kind != OBJECT:
            return False
        return any("__del__" in class_dict(base) for base in bases) or any(base is BaseException for base in bases)

    def of(self, o: object) -> Any:
        """The stand-in of an object of a mortal class, or the object itself if nothing is lost by holding it."""
        stand_in = self.living.get(id(o))
        if stand_in is not None:
            return stand_in
        cls = type(o)
        if cls is list or cls is dict:
            return self._container(o)
        if not self.is_mortal(cls) or (not self._can_end(cls) and self._is_plain(cls) and not self._reaches(o, _NEAR)):
            return o
        try:
            reference = Reference(o, self._ended)
        except TypeError:
            return self._unsure_of(o)
        reference.identity = id(o)
        made = self.living[id(o)] = self._described(o, self._parts(o), reference)
        self._read_contents()
        return made

    def held(self, value: Any) -> Any:
        """What the tape holds of a value: a stand-in, a tuple of stand-ins, or the value."""
        cls = type(value)
        if cls is list or cls is dict:
            return self.of(value) if self.living and self._leads(value) else value
        if cls is not tuple:
            return self.of(value) if self.is_mortal(cls) else value
        if len(value) > _SHORT and id(value) in self._whole:
            return value
        parts = tuple(map(self.held, value))
        if not all(map(_is, parts, value)):
            return parts
        if len(value) > _SHORT and _CONTAINERS.isdisjoint(map(id, map(type, value))):
            self._whole[id(value)] = value
        return value

    def not_born(self, objects: list[Any], born: list[Any]) -> list[Any]:
        """The objects, without the stand-ins of those that records describe from their creation on."""
        begun = {id(o) for o in born if type(o) is StandIn and id(o.parts[0]) in self._inspectors.born}
        return [o for o in objects if id(o) not in begun] if begun else objects

    # Objects that lead to others

    def has_new(self) -> bool:
        """Whether objects got stand-ins since the last call."""
        before, self._searched = self._searched, next(reversed(self.living.values()), None)
        return self._searched is not None and self._searched is not before

    def learn(self, objects: list[Any]) -> tuple[dict[int, type], list[Any]]:
        """Make those classes of objects mortal that have weak references, or lead to an object with a stand-in.

        Returns these classes, and short containers that lead there: without weak references, they have to be forgotten
        at once, so that the recorder does not keep their items alive.
        """
        learned: dict[int, type] = {}
        for o, references in zip(objects, map(weakref.getweakrefcount, objects)):  # noqa: B905 - of one list
            if references and self._can_end(type(o)):
                learned[id(type(o))] = type(o)
        leading: list[Any] = []
        if self.living and (learned or self._any_leads(objects)):
            self._find_leading(objects, learned, leading)
        for i, cls in learned.items():
            self._mortal[i] = cls
            self.plain.pop(i, None)
        if learned:
            self._whole.clear()
            self.changed()
        return learned, leading

    def _find_leading(self, objects: list[Any], learned: dict[int, type], leading: list[Any]) -> None:
        """Find classes and containers near objects with stand-ins, in both lists."""
        seen: set[int] = set()
        for _ in range(_NEAR):
            before = len(seen)
            for o in objects:
                cls = type(o)
                if id(o) in seen or cls is StandIn or cls is OpaqueStandIn or cls is type:
                    continue
                parts = _parts_near(o)
                if self.living.keys().isdisjoint(parts) and seen.isdisjoint(parts) and id(cls) not in learned:
                    continue
                if self._can_end(cls):
                    learned[id(cls)] = cls
                elif id(cls) in READERS and len(o) <= _SHORT:
                    leading.append(o)
                seen.add(id(o))
            if len(seen) == before:
                return

    def _any_leads(self, objects: list[Any]) -> bool:
        parts = gc.get_referents(*objects)
        short = [part for part in parts if type(part) is dict and len(part) <= _SHORT]
        return not self.living.keys().isdisjoint(map(id, chain(parts, gc.get_referents(*short))))

    def _can_end(self, cls: type) -> bool:
        """Whether objects of a class can have stand-ins, whose end is noticed at once."""
        return bool(flags(cls) & HEAP_TYPE and _weak_references_of(cls)) and self._inspectors.of(cls).tag == OBJECT

    def flushed(self, numbers: Container[int]) -> None:
        """Drop the contents of new stand-ins, and forget those whose address may belong to another object later.

        Stand-ins without a number belong to a record that is put on the tape after the flush, and wait for the next.
        """
        self._whole.clear()
        made, self._new = self._new, []  # a finaliser or another thread may make some meanwhile
        waiting = {id(stand_in) for stand_in in made if id(stand_in) not in numbers} - self._waited
        for identity, known in list(self._unsure.items()):
            if id(known) not in waiting:
                self._unsure.pop(identity, None)
        for stand_in in made:
            if id(stand_in) not in waiting:
                stand_in.content = ()
        self._new += [stand_in for stand_in in made if id(stand_in) in waiting]
        self._waited = waiting

    def clear(self) -> None:
        """Drop all stand-ins and the classes of the program."""
        self.living.clear()
        self._unsure.clear()
        self._whole.clear()
        self._searched = None
        self._new.clear()
        self._waited.clear()
        self._mortal.clear()
        self.plain.clear()

    def _ended(self, reference: Reference) -> None:
        stand_in = self.living.get(reference.identity)
        if stand_in is not None and _reference_of(stand_in) is reference:
            del self.living[reference.identity]
            self._forget(reference.identity)

    def _unsure_of(self, o: object) -> StandIn | OpaqueStandIn:
        parts, last = self._parts(o), self._unsure.get(id(o))
        if last is not None and all(map(_is, last if isinstance(last, tuple) else last.parts, parts)):
            return last
        self._forget(id(o))
        made = self._unsure[id(o)] = self._described(o, parts, None)
        self._read_contents()
        return made

    def _leads(self, o: Any, depth: int = 2) -> bool:
        """Whether one of the first items of a container needs a stand-in (`leads` in `markers.c` does the same)."""
        for item in islice(list.__iter__(o) if type(o) is list else dict.values(o), _FIRST):
            cls = type(item)
            if cls is list or cls is dict:
                if depth and self._leads(item, depth - 1):
                    return True
            elif id(cls) in self._mortal:
                return True
        return False

    def _container(self, o: Any) -> Any:
        """The stand-in of a list or dict as it is now, if some of its items need one.

        Its end is not noticed: it counts as the last container seen at its address if it has the same items.
        """
        marker, read = READERS[id(type(o))]
        content = read(o) if len(o) <= _SHORT else ()
        last = self._unsure.get(id(o))
        if isinstance(last, StandIn) and last.parts[0] is type(o) and last.content:
            seen = last.content[0][1]
            if len(seen) == len(content) and all(
                self.living.get(id(item), item) is was
                for item, was in zip(content, seen)  # noqa: B905
            ):
                return last
        if self._reading_container:
            return o
        self._reading_container = True
        try:
            held = self.held(content)
        finally:
            self._reading_container = False
        if held is content:
            return o
        self._forget(id(o))
        made = self._unsure[id(o)] = StandIn(self._parts(o), [(marker.number, held)], None)
        self._new.append(made)
        return made

    def _parts(self, o: object) -> tuple[Any, ...]:
        return tuple(map(self.held, self._inspectors.of(type(o)).apart(o)))

    def _described(self, o: object, parts: tuple[Any, ...], reference: Reference | None) -> StandIn | OpaqueStandIn:
        if self._inspectors.of(type(o)).tag == OPAQUE:
            return OpaqueStandIn((*parts, reference))
        made = StandIn(parts, (), reference)
        self._new.append(made)
        self._unread.append((made, o))
        return made

    def _read_contents(self) -> None:
        """Read the contents of new stand-ins, which lead to others; not recursively, because lists can be long."""
        if self._reading:
            return
        self._reading = True
        try:
            while self._unread:
                made, o = self._unread.pop()
                contents = self._inspectors.of(type(o)).contents([o])
                made.content = [(kind, self.held(held)) for kind, every in contents for held in every]
        finally:
            self._reading = False
            self._unread.clear()

    @staticmethod
    def _is_plain(kind: type) -> bool:
        """Whether the end of an opaque object can be noticed only through objects that it refers to."""
        return (
            id(kind) not in _FRAMED
            and module_of(kind).partition(".")[0] in _PLAIN
            and not any("__del__" in class_dict(base) for base in mro(kind))
            and not any(base is BaseException for base in mro(kind))
        )

    def _reaches(self, o: object, depth: int) -> bool:
        """Whether an object refers, perhaps through iterators and tuples, to one whose end can be noticed."""
        for part in gc.get_referents(o):
            cls = type(part)
            if cls is types.ModuleType or cls is type:
                continue
            through = cls is tuple or cls is types.CellType
            if not through and not self.is_mortal(cls):
                continue
            if not through and not self._is_plain(cls):
                return True
            if depth and self._reaches(part, depth - 1):
                return True
        return False


_weak_references_of: Callable[[type], int] = type.__dict__["__weakrefoffset__"].__get__


def _parts_near(o: object) -> set[int]:
    """The identities of objects that an object refers to, and of the values in its dictionary."""
    parts = gc.get_referents(o)
    for part in [part for part in parts if type(part) is dict and len(part) <= _SHORT]:
        parts += gc.get_referents(part)
    return set(map(id, parts))


def _reference_of(stand_in: StandIn | OpaqueStandIn) -> object:
    return stand_in[-1] if isinstance(stand_in, tuple) else stand_in.reference


def _is(left: object, right: object) -> bool:
    return left is right
