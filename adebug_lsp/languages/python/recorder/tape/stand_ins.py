"""Stand-ins: what the tape holds in place of objects whose end the program can notice.

A generator may hold a lock, a file unwritten text, a traceback the variables of its frames; a class may have `__del__`.
Such an object is described when a record first names it, and its stand-in goes to the tape: the recorder has only a weak
reference to the object itself. Plain containers and atoms, whose end nobody can notice, wait on the tape themselves.
"""

import gc
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..contract import OBJECT, OPAQUE
from ..observe.object_inspector import OpaqueStandIn, StandIn, class_dict, module_of, mro

if TYPE_CHECKING:
    from .batch import Inspectors

_PLAIN = frozenset(["builtins", "itertools", "functools", "operator", "_operator", "collections", "types", "typing"])
"""Modules whose opaque objects have no end to notice, unless they refer to an object that has one."""
_NEAR = 3
"""Steps through iterators and tuples after which such an object is searched for no further."""
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
        """By the identity of the object, until it ends."""
        self._inspectors = inspectors
        self._forget = forget
        """Called with the identity of an object that has ended."""
        self._unsure: dict[int, StandIn | OpaqueStandIn] = {}
        """The same for objects without weak references, since the last flush."""
        self._new: list[StandIn] = []
        self._mortal: dict[int, type] = {}
        self.plain: dict[int, type] = {}
        """The classes that are not mortal, except `tuple`, by identity."""

    def is_mortal(self, cls: type) -> bool:
        """Whether the end of some objects of a class can be noticed."""
        if id(cls) in self._mortal:
            return True
        if id(cls) in self.plain or cls is tuple:
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

    def of(self, o: Any) -> Any:
        """The stand-in of an object of a mortal class, or the object itself if nothing is lost by holding it."""
        found = self.living.get(id(o))
        if found is not None:
            return found
        cls = type(o)
        if not self.is_mortal(cls) or (self._is_plain(cls) and not self._reaches(o, _NEAR)):
            return o
        try:
            reference = Reference(o, self._ended)
        except TypeError:
            return self._unsure_of(o)
        reference.identity = id(o)
        made = self.living[id(o)] = self._described(o, self._parts(o), reference)
        return made

    def held(self, value: Any) -> Any:
        """What the tape holds of a value: a stand-in, a tuple of stand-ins, or the value."""
        if type(value) is not tuple:
            return self.of(value) if self.is_mortal(type(value)) else value
        parts = tuple(map(self.held, value))
        return value if all(map(_is, parts, value)) else parts

    def not_born(self, objects: list[Any], born: list[Any]) -> list[Any]:
        """The objects but for the stand-ins of those that records describe from their creation on."""
        begun = {id(o) for o in born if type(o) is StandIn and id(o.parts[0]) in self._inspectors.born}
        return [o for o in objects if id(o) not in begun] if begun else objects

    def flushed(self) -> None:
        """Drop the content of new ones, and forget those that cannot be told from others at the same address later."""
        self._unsure.clear()
        for stand_in in self._new:
            stand_in.content = ()
        self._new.clear()

    def clear(self) -> None:
        """Drop all stand-ins and the classes of the program."""
        self.living.clear()
        self._unsure.clear()
        self._new.clear()
        self._mortal.clear()
        self.plain.clear()

    def _ended(self, reference: Reference) -> None:
        found = self.living.get(reference.identity)
        if found is not None and _reference_of(found) is reference:
            del self.living[reference.identity]
            self._forget(reference.identity)

    def _unsure_of(self, o: Any) -> StandIn | OpaqueStandIn:
        parts, last = self._parts(o), self._unsure.get(id(o))
        if last is not None and all(map(_is, last if isinstance(last, tuple) else last.parts, parts)):
            return last
        self._forget(id(o))
        made = self._unsure[id(o)] = self._described(o, parts, None)
        return made

    def _parts(self, o: Any) -> tuple[Any, ...]:
        return tuple(map(self.held, self._inspectors.of(type(o)).apart(o)))

    def _described(self, o: Any, parts: tuple[Any, ...], reference: Reference | None) -> StandIn | OpaqueStandIn:
        inspector = self._inspectors.of(type(o))
        if inspector.tag == OPAQUE:
            return OpaqueStandIn((*parts, reference))
        content = [(kind, self.held(held)) for kind, every in inspector.contents([o]) for held in every]
        made = StandIn(parts, content, reference)
        self._new.append(made)
        return made

    @staticmethod
    def _is_plain(cls: type) -> bool:
        """Whether an opaque object has an end to notice only if it refers to an object that has one."""
        return (
            id(cls) not in _FRAMED
            and module_of(cls).partition(".")[0] in _PLAIN
            and not any("__del__" in class_dict(base) for base in mro(cls))
            and not any(base is BaseException for base in mro(cls))
        )

    def _reaches(self, o: Any, depth: int) -> bool:
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


def _reference_of(stand_in: StandIn | OpaqueStandIn) -> object:
    return stand_in[-1] if isinstance(stand_in, tuple) else stand_in.reference


def _is(one: object, other: object) -> bool:
    return one is other
