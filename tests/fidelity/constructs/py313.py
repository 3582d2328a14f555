"""What 3.13 brought: defaults of type parameters, locals() as a snapshot, frames that write through."""

import copy
import dataclasses
import inspect
import sys
import warnings


def first[T = int](items: list[T]) -> T:
    return items[0]


class Box[T = str, **P = [int]]:
    def __init__(self, value: T) -> None:
        self.value = value
        self.other = None


print(first.__type_params__[0].__default__, [p.__default__ for p in Box.__type_params__], Box.__static_attributes__)


def snapshot():
    x = 1
    before = locals()
    x = 2
    y = 3
    after = locals()
    return before["x"], after["x"], sorted(before), sorted(after), before is after, y


def write_through():
    x = 1
    frame = inspect.currentframe()
    frame.f_locals["x"] = 5
    return x, sorted(frame.f_locals), type(frame.f_locals).__name__


def explicit():
    x = 1
    names = {}
    exec("x = 2; y = x", globals(), names)
    exec("x = 3")
    return x, names, eval("x")


print(snapshot(), write_through(), explicit(), Box.__firstlineno__)


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


print(copy.replace(Point(1), y=5))


@warnings.deprecated("use another")
def old():
    return 1


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    old()
print([(str(w.message), w.lineno) for w in caught])


def documented():
    """First line.

        Indented by the author.
    """


print(repr(documented.__doc__), sys._is_gil_enabled())
