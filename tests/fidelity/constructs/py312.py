"""What 3.12 brought: type statements, type parameters, quotes within f-strings, comprehensions in place."""

import inspect
import sys
import traceback
from typing import Callable, get_type_hints

type Number = int | float
type Pair[A, B: Number] = tuple[A, B]
type Recursive = list[Recursive] | int


def first[T](items: list[T], default: T | None = None) -> T:
    """Generic."""
    return items[0] if items else default


def apply[**P, R](function: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
    return function(*args, **options)


class Stack[T: (int, str)]:
    """Generic too."""

    kind: type[T] = int
    size = 0

    def __init__(self, *items: T) -> None:
        self.items = list(items)

    def push[U](self, item: T, extra: U = None) -> "Stack[T]":
        self.items.append(item)
        return self

    def __repr__(self):
        return f"{type(self).__name__}{self.items}"


class Child[T](Stack[int]):
    def push(self, item):
        return super().push(item + 1)


print(Number, Number.__value__, Pair[int, float], Pair.__type_params__, Recursive.__value__)
print(first([1, 2]), first([], "none"), first.__type_params__, first.__annotations__, inspect.signature(first))
print(apply(lambda a, b=2: a + b, 1, b=5), apply.__type_params__, get_type_hints(first))
print(Stack(1).push(2), Child(5).push(6), Stack.__type_params__, Stack[int], Child.__orig_bases__, Stack.__doc__)
print(Stack.push.__qualname__, Stack.__mro__[1].__name__, Stack.__type_params__[0].__constraints__)
names = {"key": [1, 2]}
print(f"{names["key"][0]} {f"{f"{1 + 1}"}"} {'\n'.join(["a", "b"])!r} {
    # a comment in here
    names["key"]
    = }")
try:
    print(f"{names["key"]} and {names["missing"]}")
except KeyError:
    traceback.print_exc(file=sys.stdout)


def in_place(outer):
    x = "kept"
    made = [(x, outer, sorted(locals())) for x in range(2)]
    return made, x, [[y for y in range(x)] for x in range(3)], [sys._getframe().f_code.co_name for _ in range(1)]


print(in_place("o"))


class Body:
    x = 1
    y = [x for x in range(2)]
    try:
        z = [1 / n for n in (1, 0)]
    except ZeroDivisionError as error:
        lines = error.__traceback__.tb_lineno
    print(sorted(name for name in locals() if not name.startswith("__")))


def closures():
    functions = [lambda: n for n in range(2)]
    return [f() for f in functions], [(lambda: n)() for n in range(2)]


print(closures(), Body.lines)
