"""Classes: bodies, metaclasses, descriptors, inheritance, data classes, enumerations, operators called behind the scenes."""

import abc
import copy
import dataclasses
import enum
import pickle
import typing
from collections import namedtuple


class Meta(type):
    @classmethod
    def __prepare__(cls, name, bases, **options):
        print("prepare", name, bases, options)
        return {"prepared": True}

    def __new__(cls, name, bases, namespace, **options):
        print("new", name, sorted(key for key in namespace if not key.startswith("__")), options)
        return super().__new__(cls, name, bases, namespace)

    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)

    def __call__(cls, *args):
        print("call", cls.__name__, args)
        return super().__call__(*args)

    def __iter__(cls):
        return iter(cls.__name__)


class Descriptor:
    def __set_name__(self, owner, name):
        print("set_name", owner.__name__, name)
        self.name = name

    def __get__(self, instance, owner):
        print("get", self.name, instance is None)
        return self if instance is None else instance.__dict__.get(self.name, "unset")

    def __set__(self, instance, value):
        print("set", self.name, value)
        instance.__dict__[self.name] = value

    def __delete__(self, instance):
        print("delete", self.name)
        del instance.__dict__[self.name]


class Base(metaclass=Meta, flag=1):
    """The docstring of Base."""

    print("in the body of", __qualname__, __module__)
    limit: int = 10
    doubled = [x * 2 for x in range(3)]
    field = Descriptor()
    names = sorted(name for name in locals() if not name.startswith("_"))
    if limit > 5:
        conditional = "yes"
    for loop_variable in range(2):
        pass

    def __init__(self, value=0):
        self.value = value
        self.__private = "mangled"

    def __init_subclass__(cls, **options):
        print("init_subclass", cls.__name__, options)
        super().__init_subclass__()

    @property
    def square(self):
        """Read, write, delete."""
        return self.value**2

    @square.setter
    def square(self, value):
        self.value = value**0.5

    @square.deleter
    def square(self):
        self.value = None

    @classmethod
    def make(cls, *args):
        return cls(*args)

    @staticmethod
    def helper(x):
        return x + 1

    def who(self):
        return f"Base {__class__.__name__}"

    class Inner:
        def outer_name(self):
            return type(self).__qualname__


class Left(Base):
    def who(self):
        return "Left " + super().who()


class Right(Base):
    def who(self):
        return "Right " + super(Right, self).who()


class Both(Left, Right):
    def who(self):
        return "Both " + super().who()

    def deferred(self):
        return [super(Both, self).who() for _ in range(1)] + [(lambda: super(Both, self).who())()]


b = Both(3)
print(b.who(), b.deferred(), [c.__name__ for c in Both.__mro__], list(Both))
print(b.square, Both.make(5).square, Both.helper(1), b.Inner().outer_name(), Base.__doc__, Base.names)
b.square = 16
print(b.value, vars(b))
del b.square
b.field = "stored"
print(b.field, b.value, Base.field.name, Base.doubled, Base.conditional, Base.loop_variable, Base.__annotations__)
del b.field
print(b.field, b._Base__private, hasattr(b, "__private"))


class Slotted:
    __slots__ = ("a", "__hidden", "__weakref__")

    def __init__(self):
        self.a = 1
        self.__hidden = 2

    def total(self):
        return self.a + self.__hidden


s = Slotted()
print(s.total(), hasattr(s, "__dict__"), Slotted.__slots__)
try:
    s.other = 1
except AttributeError as error:
    print("AttributeError:", error)


class Dynamic:
    def __getattr__(self, name):
        print("getattr", name)
        if name.startswith("_"):
            raise AttributeError(name)
        return name.upper()

    def __setattr__(self, name, value):
        print("setattr", name, value)
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        print("delattr", name)
        object.__delattr__(self, name)

    def __getattribute__(self, name):
        if name == "spied":
            print("getattribute", name)
        return object.__getattribute__(self, name)


d = Dynamic()
d.x = 1
d.x += 1
print(d.x, d.missing, d.spied, getattr(d, "_none", "default"))
del d.x


@dataclasses.dataclass(order=True)
class Item:
    name: str
    price: float = 1.0
    tags: list = dataclasses.field(default_factory=list, compare=False)

    def __post_init__(self):
        self.total = self.price * 2


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    x: int
    y: int = 0


print(Item("a", 2.0, ["t"]), Item("a") < Item("b"), Item("a") == Item("a", tags=[1]), dataclasses.asdict(Item("z")))
print(Frozen(1), hash(Frozen(1)) == hash(Frozen(1)), dataclasses.replace(Frozen(1), y=5))
try:
    Frozen(1).x = 2
except dataclasses.FrozenInstanceError as error:
    print(error)


class Colour(enum.Enum):
    RED = 1
    GREEN = "g"
    ALIAS = 1

    def shout(self):
        return self.name + "!"


class Access(enum.Flag):
    READ = enum.auto()
    WRITE = enum.auto()


print(list(Colour), Colour.ALIAS is Colour.RED, Colour("g").shout(), Access.READ | Access.WRITE, Access(3) & Access.READ)


class Abstract(abc.ABC):
    @abc.abstractmethod
    def work(self): ...


try:
    Abstract()
except TypeError as error:
    print(str(error).split(" with")[0])


class Shouting(dict):
    def __missing__(self, key):
        return f"missing {key}"

    def __setitem__(self, key, value):
        super().__setitem__(key, str(value).upper())


class Counted(list):
    appended = 0

    def append(self, item):
        self.appended += 1
        super().append(item)


shouting, counted = Shouting(a="kept"), Counted([1])
shouting["b"] = "raised"
counted.append(2)
counted += [3]
print(shouting, shouting["c"], counted, counted.appended, type(counted[:]).__name__)


class Vector(namedtuple("Vector", "x y")):
    __slots__ = ()

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)


class Node(typing.NamedTuple):
    value: int
    next: "Node | None" = None


print(Vector(1, 2) + Vector(3, 4), Vector(1, 2)._replace(x=9), Node(1, Node(2)), typing.get_type_hints(Node))


class Watched:
    """Nobody may compare, hash, print or measure it unasked."""

    calls = []

    def __init__(self, key):
        self.key = key

    def __eq__(self, other):
        self.calls.append("eq")
        return self.key == other.key

    def __hash__(self):
        self.calls.append("hash")
        return hash(self.key)

    def __repr__(self):
        self.calls.append("repr")
        return "Watched"

    def __bool__(self):
        self.calls.append("bool")
        return True

    def __len__(self):
        self.calls.append("len")
        return 1

    def __iter__(self):
        self.calls.append("iter")
        return iter(())

    def __getattr__(self, name):
        self.calls.append(name)
        raise AttributeError(name)


def pass_around(*items, **named):
    kept = [items, named, {1: items[0]}]
    kept.append(items[-1])
    holder = Slotted()
    holder.a = items[0]
    return kept[-1]


w = Watched(1)
pass_around(w, Watched(2), w, w=w)
print(Watched.calls)
print(w in {w: 1}, w == Watched(1), Watched.calls)
print(copy.deepcopy(Item("deep", 1.5, [[1]])), pickle.loads(pickle.dumps(Frozen(7))), copy.copy(b).value)
print(type("Made", (Base,), {"extra": 1}).extra, isinstance(b, Left), issubclass(Both, Right))


def local_class(parameter):
    class Local:
        captured = parameter

        def method(self):
            return parameter, __class__.__qualname__

    return Local


print(local_class("p")().method(), local_class(5).captured, local_class.__qualname__)
x = "module"


class Scoped:
    x = "class"
    inside = x
    from_function = (lambda: x)()
    from_comprehension = [x for _ in range(1)]
    first_iterable = [c for c in x]

    def method(self):
        return x


print(Scoped.inside, Scoped.from_function, Scoped.from_comprehension, Scoped.first_iterable[:2], Scoped().method())
