"""Inspects objects of the program without running any of its code.

Content is read through the methods of the builtin bases and through the descriptors of C that hold an object's
dictionary and slots. Types are distinguished by identity, because a metaclass may define how classes compare.
"""

import builtins
import collections
import functools
import io
import operator
import os
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain, repeat
from typing import Any

from ..contract import (
    BYTES,
    COMPLEX,
    DERIVED,
    ENUM,
    FLOAT,
    FROZENSET,
    IMAGE_ATTRS,
    IMAGE_BYTES,
    IMAGE_DEQUE,
    IMAGE_DICT,
    IMAGE_LIST,
    IMAGE_SET,
    INT,
    OBJECT,
    OPAQUE,
    RANGE,
    SINGLE,
    SLICE,
    STR,
    TUPLE,
    TYPE,
    VALUE_KINDS,
)
from . import arrays, attribute_reader, pandas_frames
from .images import Marker, data_descriptors, dictionary_of

MARKER = len(VALUE_KINDS)
"""The kind of a marker, which is not a value."""

_programs = import_module("sys")
_Enum: type = import_module("enum").Enum
"""Both classes are the program's own."""
_mro = type.__dict__["__mro__"].__get__


def mro(cls: type) -> tuple[type, ...]:
    """The class and its bases, read without running metaclass code; a class under construction has none yet."""
    bases: tuple[type, ...] | None = _mro(cls)
    return (cls, object) if bases is None else bases


_class_dict = type.__dict__["__dict__"].__get__


def class_dict(cls: type) -> Mapping[str, Any]:
    """The namespace of a class; empty for a type that the interpreter has not initialised (`PyType_Ready`)."""
    namespace = _class_dict(cls)
    return {} if namespace is None else namespace


_qualname = type.__dict__["__qualname__"].__get__
_module = type.__dict__["__module__"].__get__
_flags = type.__dict__["__flags__"].__get__
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_max_length: Callable[[Any], Any] = collections.deque.__dict__["maxlen"].__get__
_default_factory: Callable[[Any], Any] = collections.defaultdict.__dict__["default_factory"].__get__
_arguments: Callable[[Any], Any] = BaseException.__dict__["args"].__get__
_called: tuple[Any, ...] = tuple(
    member
    for member in map(class_dict(functools.partial).get, ("func", "args", "keywords"))
    if type(member) is types.MemberDescriptorType
)


def _partial(o: object) -> tuple[Any, ...]:
    """Function, arguments and keywords of a partial."""
    return tuple([member.__get__(o) for member in _called])


_module_dict: Callable[[Any], dict[str, Any]] = class_dict(types.ModuleType)["__dict__"].__get__


def _items_of(o: dict[Any, Any]) -> tuple[Any, ...]:
    return tuple(chain.from_iterable(dict.items(o)))


def _items_in_order(o: collections.OrderedDict[Any, Any]) -> tuple[Any, ...]:
    """The pairs of an OrderedDict; its iterator hashes the keys, so it is used only if they are of builtin types."""
    if {id(type(key)) for key in dict.keys(o)} <= _PLAIN_KEYS:
        return tuple(chain.from_iterable(collections.OrderedDict.items(o)))
    return _items_of(o)


_PLAIN_KEYS = {id(kind) for kind in (str, int, float, bool, bytes, type(None))}

_CONTAINERS: dict[int, tuple[str, int, Callable[[Any], tuple[Any, ...]]]] = {
    id(list): ("list", IMAGE_LIST, lambda o: tuple(list.__iter__(o))),
    id(collections.OrderedDict): ("ordered", IMAGE_DICT, _items_in_order),
    id(dict): ("dict", IMAGE_DICT, _items_of),
    id(set): ("set", IMAGE_SET, lambda o: tuple(set.__iter__(o))),
    id(collections.deque): ("deque", IMAGE_DEQUE, lambda o: tuple(collections.deque.__iter__(o))),
    id(bytearray): ("bytearray", IMAGE_BYTES, lambda o: (bytes(bytearray.copy(o)),)),
}
"""Functions that read the content of a mutable builtin, or of a derived class."""


class Frozen:
    """The items of a frozenset of a derived class; making a plain frozenset of them would hash the items."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[Any, ...]) -> None:
        self.items = items


GENERATORS = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)


class OpaqueStandIn(tuple[Any, ...]):
    """Describes an object that is shown by name only, and whose end the program can notice (`tape/stand_ins.py`).

    It consists of the parts of the object, and of the weak reference to it, or None.
    """

    __slots__ = ()


_opaque_stand_in_parts = operator.itemgetter(slice(0, 4))


class StandIn:
    """Describes an object with attributes or other content, whose end the program can notice."""

    __slots__ = ("content", "parts", "reference")

    def __init__(
        self, parts: tuple[Any, ...], content: Sequence[tuple[int, Any]], reference: Callable[[], Any] | None
    ) -> None:
        self.parts, self.content, self.reference = parts, content, reference


_VALUES: dict[int, tuple[str, Callable[[Any], Any]]] = {
    id(int): ("int", int.__int__),
    id(float): ("float", float.__float__),
    id(complex): ("complex", complex.__pos__),
    id(str): ("str", str.__str__),
    id(bytes): ("bytes", lambda o: bytes.__getitem__(o, slice(None))),
    id(tuple): ("tuple", lambda o: tuple.__getitem__(o, slice(None))),
    id(frozenset): ("frozenset", lambda o: Frozen(tuple(frozenset.__iter__(o)))),
}
"""The plain value in an object whose class derives from an immutable builtin."""

_SECRETS = (("multiprocessing.process", "AuthenticationString"),)
"""Classes whose values are not recorded: the key by which processes of a pool authenticate each other."""
_EXACT: dict[int, int] = {
    id(type(None)): SINGLE,
    id(bool): SINGLE,
    id(type(Ellipsis)): SINGLE,
    id(type(NotImplemented)): SINGLE,
    id(int): INT,
    id(float): FLOAT,
    id(complex): COMPLEX,
    id(str): STR,
    id(bytes): BYTES,
    id(tuple): TUPLE,
    id(frozenset): FROZENSET,
    id(Frozen): FROZENSET,
    id(range): RANGE,
    id(slice): SLICE,
    id(Marker): MARKER,
    id(OpaqueStandIn): OPAQUE,
    id(StandIn): OBJECT,
}


def _datetime_arguments(o: Any) -> tuple[Any, ...]:
    return (o.year, o.month, o.day, o.hour, o.minute, o.second, o.microsecond, o.tzinfo, o.fold)


def _path_arguments(o: object) -> tuple[Any, ...]:
    return (str(o),)


_BUILT: dict[tuple[str, str], Callable[[Any], tuple[Any, ...]]] = {
    ("datetime", "date"): lambda o: (o.year, o.month, o.day),
    ("datetime", "datetime"): _datetime_arguments,
    ("datetime", "time"): lambda o: (o.hour, o.minute, o.second, o.microsecond, o.tzinfo, o.fold),
    ("datetime", "timedelta"): lambda o: (o.days, o.seconds, o.microseconds),
    ("datetime", "timezone"): lambda o: o.__getinitargs__(),
    ("zoneinfo", "ZoneInfo"): lambda o: (o.key,),
    ("decimal", "Decimal"): lambda o: (str(o),),
    ("fractions", "Fraction"): lambda o: (o._numerator, o._denominator),
    ("uuid", "UUID"): lambda o: (f"{o.int:032x}",),
    ("string.templatelib", "Template"): tuple,
    ("string.templatelib", "Interpolation"): lambda o: (o.value, o.expression, o.conversion, o.format_spec),
    ("builtins", "frozendict"): lambda o: (tuple(o.items()),),
    ("re", "Pattern"): lambda o: (o.pattern, o.flags),
    ("re", "Match"): lambda o: (o.re, o.string, o.pos, o.endpos, o.regs),
    **{
        (module, f"{flavour}Path"): _path_arguments
        for module in ("pathlib", "pathlib._local")
        for flavour in ("Posix", "Windows", "PurePosix", "PureWindows")
    },
}
"""The arguments that rebuild values of immutable standard library types; for exactly these types."""


class Inspector:
    """Facts about the objects of one class, computed once."""

    __slots__ = (
        *("alone", "apart", "array", "cls", "frame", "computed", "container", "dictionary", "fixed"),
        *("image", "is_user_code", "is_user_class", "own_value", "parts", "slots", "tag"),
    )

    def __init__(self, cls: type, is_user_code: Callable[[str], bool]) -> None:
        self.cls, self.is_user_code = cls, is_user_code
        bases = mro(cls)
        containers = [_CONTAINERS[id(base)] for base in bases if id(base) in _CONTAINERS]
        self.container, self.image = containers[0][:2] if containers else ("", 0)
        self.parts = containers[0][2] if containers else None
        self.own_value = next((_VALUES[id(base)] for base in bases if id(base) in _VALUES), arrays.scalar(cls))
        if (module_of(cls), _qualname(cls)) in _SECRETS:
            self.own_value = None
        self.array = arrays.is_array_class(cls)
        self.frame = pandas_frames.kind_of(cls)
        self.dictionary = next(filter(None, (dictionary_of(base) for base in bases if base is not type)), None)
        self.slots = [slot for base in bases for slot in _slots_of(base)]
        self.is_user_class = is_user_code(module_of(cls))
        self.tag = _EXACT[id(cls)] if id(cls) in _EXACT else self._tag(bases)
        self.computed = _computed(bases, is_user_code)
        self.fixed = self._fixed(bases)
        self.alone = self._alone()
        """The parts of all values of the class, if they are always the same."""
        self.apart = self._apart()

    def _tag(self, bases: tuple[type, ...]) -> int:
        """The kind of the class's values."""
        if Marker in _Identities(bases):
            return MARKER
        if _Enum in _Identities(bases):
            return ENUM
        if type in _Identities(bases):
            return TYPE
        if built(self.cls):
            return DERIVED
        if self.cls in _Identities(_FILES):  # since 3.12 they are heap types with a dictionary
            return OPAQUE
        made_by_class_statement = _flags(self.cls) & _HEAP_TYPE and (self.dictionary or self.slots)
        others = _Identities(bases)
        if (
            made_by_class_statement
            or self.container
            or self.array
            or BaseException in others
            or functools.partial in others
        ):
            return OBJECT
        return DERIVED if self.own_value else OPAQUE

    def _fixed(self, bases: tuple[type, ...]) -> Callable[[Any], Any] | None:
        """The immutable part of a mutable object of this class, if it has one."""
        inherited = _Identities(bases)
        if collections.deque in inherited:
            return _max_length
        if collections.defaultdict in inherited:
            return _default_factory
        if BaseException in inherited:
            return _arguments
        if functools.partial in inherited and len(_called) == 3:
            return _partial
        return self.own_value[1] if self.own_value and self.tag == OBJECT else None

    def _alone(self) -> tuple[Any, ...]:
        if self.cls is OpaqueStandIn or self.cls is StandIn:
            return ()
        if self.tag in (OPAQUE, MARKER) and _opaque_parts(self.cls) is None:
            return (self.cls, None, None, None)
        return (self.cls,) if self.tag == OBJECT and self.fixed is None else ()

    def is_born(self) -> bool:
        """Whether an object starts empty, so that its content follows from the writes of recorded code.

        False if other code takes part in creating it, or in reading or writing its attributes.
        """
        bases = mro(self.cls)[:-1]
        made_as_ever = type(self.cls) is type and not any("__new__" in class_dict(base) for base in bases)
        plain = (
            self.tag == OBJECT and self.is_user_class and self.fixed is None and not (self.container or self.computed)
        )
        recorded = all(self.is_user_code(module_of(base)) for base in bases)
        return plain and made_as_ever and recorded and not any(map(_has_own_way, map(class_dict, bases)))

    def _apart(self) -> Callable[[Any], tuple[Any, ...]]:
        """The function that decomposes a value of the class into its parts, if it is composite."""
        cls, fixed = self.cls, self.fixed
        if cls is OpaqueStandIn:
            return _opaque_stand_in_parts
        if cls is StandIn:
            return _parts_of
        if self.tag == TUPLE:
            return tuple
        if self.tag == FROZENSET:
            return lambda o: o.items if type(o) is Frozen else tuple(o)
        if self.tag in (RANGE, SLICE):
            return lambda o: (o.start, o.stop, o.step)
        if self.tag == DERIVED:
            value = built(cls) or self.own_value[1]  # type: ignore[index] # it has one or the other
            return lambda o: (cls, value(o))
        if self.tag == ENUM:
            return self._member
        if self.tag == OBJECT and fixed is not None:
            return lambda o: (cls, fixed(o))
        parts = _opaque_parts(cls)
        return (lambda _o: self.alone) if self.alone or parts is None else parts

    def _member(self, o: object) -> tuple[Any, ...]:
        flat = self.attributes(o)
        held = {name: flat[index + 1] for index, name in enumerate(flat) if index % 2 == 0 and type(name) is str}
        return (self.cls, held.get("_name_"), held.get("_value_"))

    def contents(self, objects: list[Any]) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
        """For each kind of image that objects of this class have: the kind, and the content of each."""
        if self.parts is not None:
            yield self.image, list(map(self.parts, objects))
        if self.array:
            yield IMAGE_ATTRS, list(map(arrays.content, objects))
            return
        if self.frame:
            yield IMAGE_ATTRS, list(map(pandas_frames.content, objects))
            return
        if self.slots and not self.dictionary:
            columns = chain.from_iterable((repeat(name), map(read, objects)) for name, read in self.slots)
            try:
                yield IMAGE_ATTRS, list(zip(*columns))  # noqa: B905 - names go on forever
                return
            except AttributeError:  # some slot is empty
                pass
        if self.dictionary or self.slots:
            yield IMAGE_ATTRS, list(map(self.attributes, objects))

    def attributes(self, o: object) -> tuple[Any, ...]:
        """Name, value, name, value... of the object's own dictionary and slots."""
        pairs: tuple[Any, ...] = ()
        peeked = attribute_reader.peeked(o) if attribute_reader.MATTERS and self.dictionary and not self.slots else None
        if peeked is not None:
            return peeked
        if self.dictionary:
            held = self.dictionary(o)
            if type(held) is dict or dict in _Identities(mro(type(held))):
                pairs = _items_of(held)
        for name, read in self.slots:
            try:
                pairs += (name, read(o))
            except AttributeError:  # noqa: PERF203 - the slot is not filled
                continue
        return pairs


def _parts_of(o: Any) -> tuple[Any, ...]:
    parts: tuple[Any, ...] = o.parts
    return parts


def _has_own_way(own: Mapping[str, Any]) -> bool:
    """Whether reading a class attribute runs code that may change the object, such as a cached property."""
    kinds = {id(type(held)): type(held) for held in own.values()}.values()
    return any(_flags(kind) & _HEAP_TYPE and any("__get__" in class_dict(base) for base in mro(kind)) for kind in kinds)


class _Identities:
    """Membership of classes by identity."""

    __slots__ = ("ids",)

    def __init__(self, classes: tuple[type, ...]) -> None:
        self.ids = set(map(id, classes))

    def __contains__(self, cls: type) -> bool:
        return id(cls) in self.ids


def _slots_of(cls: type) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    own = class_dict(cls)
    if "__slots__" in own:
        for name, member in own.items():
            if type(member) is types.MemberDescriptorType:
                yield name, member.__get__


def module_of(cls: type) -> str:
    """The module that a class says it is from."""
    module = _module(cls)
    return module if type(module) is str else ""


def built(cls: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """The function that decomposes a value of a known immutable type of the standard library."""
    module, name = module_of(cls), _qualname(cls)
    if not _flags(cls) & _HEAP_TYPE:  # made in C: the module that it names need not have been imported
        return _BUILT.get((module, name))
    home = _programs.modules.get(module)
    if (module, name) in _BUILT and type(home) is types.ModuleType and _module_dict(home).get(name) is cls:
        file = _module_dict(home).get("__file__", _LIBRARY)
        # A user module may have the same name, with code that must not be run and objects that are incomplete.
        return _BUILT[module, name] if type(file) is str and file.startswith(_LIBRARY) else None
    return None


_LIBRARY = os.path.dirname(os.__file__)


def describe_type(inspector: Inspector) -> dict[str, Any]:
    """The description of a class in the file."""
    cls = inspector.cls
    bases = mro(cls)
    if inspector.container or inspector.own_value:
        base = inspector.container or (inspector.own_value or ("",))[0]
    else:
        base = "exception" if BaseException in _Identities(bases) else "partial" if inspector.fixed is _partial else ""
        base = "array" if inspector.array else inspector.frame or base
    return {
        "module": module_of(cls).removesuffix("._local") if built(cls) else module_of(cls),
        "name": _qualname(cls),
        "base": "built" if built(cls) else base,
        "user_code": inspector.is_user_class,
        "enum": inspector.tag == ENUM,
        "fields": _fields(cls),
        "equal": _equality(cls),
        "attributes": bool(inspector.dictionary or inspector.slots or inspector.array),
        "computed": inspector.computed,
        "bases": [f"{module_of(ancestor)}.{_qualname(ancestor)}" for ancestor in bases[1:-1]],
    }


def _fields(cls: type) -> list[list[Any]] | None:
    """Names of the fields of a dataclass, or of a namedtuple, with whether they are shown and compared."""
    for own in map(class_dict, mro(cls)):
        fields = own.get("__dataclass_fields__")
        if type(fields) is dict:
            return [
                [name, held.get("repr") is not False, held.get("compare") is not False]
                for name, held in ((name, _named(field)) for name, field in fields.items() if type(name) is str)
                if _named(held.get("_field_type")).get("name") == "_FIELD"
            ]
        names = own.get("_fields")
        if type(names) is tuple and tuple in _Identities(mro(cls)) and {type(name) for name in names} <= {str}:
            return [[name, True, True] for name in names]
    return None


def _computed(bases: tuple[type, ...], is_user_code: Callable[[str], bool]) -> list[str]:
    """Names of attributes whose assignment runs code; `*` means all.

    A `__setattr__` outside of user code is assumed to set the attribute; the object is inspected afterwards.
    """
    if any("__setattr__" in class_dict(base) and is_user_code(module_of(base)) for base in bases):
        return ["*"]
    descriptors = set(map(id, data_descriptors(bases[0])))
    return sorted(name for own in map(class_dict, bases) for name, held in own.items() if id(held) in descriptors)


def _named(o: object) -> dict[str, Any]:
    """The attributes of any object by name."""
    flat = Inspector(type(o), lambda _module: False).attributes(o)
    return {name: flat[index + 1] for index, name in enumerate(flat) if index % 2 == 0 and type(name) is str}


def _equality(cls: type) -> str:
    """How equality of two objects of the class is decided: `identity`, `builtin`, `dataclass` or `user`."""
    for base in mro(cls):
        own = class_dict(base)
        if "__eq__" not in own:
            continue
        if base is object:
            return "identity"
        method = own["__eq__"]
        if type(method) is not types.FunctionType:
            return "builtin" if type(method) is types.WrapperDescriptorType else "user"
        generated = method.__code__.co_filename == "<string>" and "__dataclass_fields__" in own
        return "dataclass" if generated else "user"
    return "identity"


_SENTINEL = vars(builtins).get("sentinel")  # PEP 661, since 3.15

_Opaque = tuple[type, str | None, str | None, Any]


def _opaque_parts(cls: type) -> Callable[[Any], _Opaque] | None:
    """The function that finds class, module, name and receiver of a value that is shown by name only.

    The name of a traceback is its line number, that of a file the one it was opened by.
    """
    if cls is types.FunctionType:
        return lambda o: (cls, _text(o.__module__), o.__qualname__, None)
    if cls is types.MethodType:
        return _method_parts
    if cls is types.MethodWrapperType or types.BuiltinFunctionType in _Identities(mro(cls)):
        return _builtin_parts
    if cls in _Identities(_DESCRIPTORS):
        return lambda o: (cls, None, o.__name__, o.__objclass__)
    if cls is types.TracebackType:
        return lambda o: (cls, None, str(o.tb_lineno), None)
    if cls in _Identities(GENERATORS):
        return lambda o: (cls, None, o.__qualname__, None)
    if cls is _SENTINEL:
        return lambda o: (cls, _text(o.__module__), o.__name__, None)
    if types.ModuleType in _Identities(mro(cls)):
        return lambda o: (cls, None, _text(_module_dict(o).get("__name__")), None)
    if cls in _Identities(_FILES):
        return lambda o: (cls, None, _file_name(o), None)
    return None


_LAYERS: dict[type, Callable[[Any], Any]] = {
    io.TextIOWrapper: io.TextIOWrapper.__dict__["buffer"].__get__,
    io.BufferedReader: io.BufferedReader.__dict__["raw"].__get__,
    io.BufferedWriter: io.BufferedWriter.__dict__["raw"].__get__,
    io.BufferedRandom: io.BufferedRandom.__dict__["raw"].__get__,
}
"""The descriptors of C for the stream below a stream: an attribute `name` would be read from a class of the program."""


_FILES = (io.FileIO, *_LAYERS)


def _file_name(o: object) -> str | None:
    """The name that a file was opened by, or its descriptor; None if a stream below it is not a file."""
    try:
        while type(o) is not io.FileIO:
            below = next((read for cls, read in _LAYERS.items() if cls is type(o)), None)
            if below is None:
                return None
            o = below(o)
        name = object.__getattribute__(o, "name")
    except (AttributeError, ValueError):  # never opened, or detached
        return None
    if type(name) is int:
        return f"descriptor {name}"
    return os.fsdecode(name) if type(name) is bytes else _text(name)


def _method_parts(o: types.MethodType) -> _Opaque:
    """All parts in one call, for speed: programs create a method object for every method call."""
    function = o.__func__
    if type(function) is not types.FunctionType:
        return types.MethodType, None, None, o.__self__
    module = function.__module__
    return types.MethodType, module if type(module) is str else None, function.__qualname__, o.__self__


_DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)
"""Methods made in C, taken from their class: `str.upper`."""


def _builtin_parts(o: types.BuiltinFunctionType) -> _Opaque:
    """All functions and bound methods made in C are of one type to the reader; `re.Pattern.match` has another one."""
    owner = o.__self__
    module = _text(_module_dict(owner).get("__name__")) if type(owner) is types.ModuleType else None
    return types.BuiltinFunctionType, module, o.__name__, owner


def _text(value: object) -> str | None:
    return value if type(value) is str else None
