"""What 3.14 brought: annotations that are evaluated when somebody asks for them (PEP 649 and PEP 749)."""

import annotationlib
import dataclasses
import inspect
import sys
import traceback
import typing
from annotationlib import Format, ForwardRef, get_annotations


def say(text):
    print("say", text)
    return int


first: Later
second: say("module") = 1
third: list[Later] = [2]
print("nothing asked yet", "__annotations__" in globals(), "__annotate__" in globals())


class Later:
    pass


class Node:
    value: int
    next: Node | None = None
    other: "Later"
    made: say("class")

    def link(self, to: Node, *rest: Later, key: Undefined = None, **more: dict[str, Node]) -> Self:
        return to

    print("in the class", sorted(name for name in vars() if "annot" in name))


def function(a: int, b: say("parameter") = say("default"), /, *, c: Missing = 1) -> "Later":
    local: say("never") = 1
    other: Unknown
    return local


def shown(found):
    return {name: repr(value) for name, value in found.items()}


for owner in (Node, Node.link, function, sys.modules[__name__]):
    for how in Format:
        if how is Format.VALUE_WITH_FAKE_GLOBALS:
            continue
        try:
            print(how.name, shown(get_annotations(owner, format=how)))
        except Exception as error:
            print(how.name, type(error).__name__, error)
print(Node.__annotate__(Format.VALUE).keys(), Node.link.__annotate__.__qualname__, Node.__annotate__.__module__)
print(Later.__annotations__, Later.__annotate__, function.__annotate__ is function.__annotate__)
try:
    function.__annotations__
except NameError:
    traceback.print_exc()
Missing = str
print(shown(function.__annotations__), function.__annotations__ is function.__annotations__)

flag = True
if flag:
    conditional: int
else:
    unreached: str
for turn in range(2):
    repeated: say(turn)
try:
    tried: Later = Later()
    1 / 0
    never: int
except ZeroDivisionError:
    handled: float
print(sorted(sys.modules[__name__].__annotations__), sorted(globals().get("__conditional_annotations__", ())))


class Conditional:
    if flag:
        here: int
    else:
        there: int
    with open(__file__):
        inside: str
    while True:
        looped: bytes
        break


print(Conditional.__annotations__, get_annotations(Conditional, format=Format.STRING))


def make(kind):
    class Inner:
        held: kind
        same: Inner

        def method(self, given: kind) -> Inner: ...

    def closure(x: kind, y: list[Inner]) -> Nothing: ...

    return Inner, closure


inner, closure = make(complex)
print(inner.__annotations__["held"], inner.__annotations__["same"] is inner, inner.method.__annotations__["return"] is inner)
print(get_annotations(closure, format=Format.STRING), shown(get_annotations(closure, format=Format.FORWARDREF)))


@dataclasses.dataclass
class Data:
    a: int
    b: Data | None = None
    c: list[Undefined] = dataclasses.field(default_factory=list)


print(Data(1, Data(2)), [(field.name, repr(field.type)) for field in dataclasses.fields(Data)])
print(inspect.signature(Node.link, annotation_format=Format.STRING), inspect.signature(Data, annotation_format=Format.STRING))


class Named(typing.NamedTuple):
    x: int
    y: Named | None = None


class Typed(typing.TypedDict):
    x: int
    y: "Typed"


print(Named(1), Named.__annotations__, Typed.__annotations__["x"], sorted(typing.get_type_hints(Node)))


class Generic[T: Later]:
    held: T
    mapping: dict[str, T]

    def method[S](self, x: S, y: T) -> tuple[S, T]:
        return x, y


type Alias = list[Alias2]
type Alias2 = int
print(get_annotations(Generic), get_annotations(Generic.method), Alias.__value__, annotationlib.call_evaluate_function(Alias.evaluate_value, Format.STRING))


def decorated(f):
    f.__annotations__["added"] = str
    return f


@decorated
def changed(x: int): ...


print(changed.__annotations__, ForwardRef("int").evaluate(), annotationlib.annotations_to_string(changed.__annotations__))
setattr(changed, "__annotate__", lambda how: {"z": how})
print(changed.__annotations__)
del (second)
print(sorted(sys.modules[__name__].__annotations__))
print((lambda: 1).__annotations__, [x for x in (lambda y: y).__annotations__])
