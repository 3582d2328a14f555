"""Every kind of statement: loops, jumps through finally, with, match, scopes, imports."""

import contextlib
from os.path import basename as base
from os.path import join, splitext  # noqa: F401

counter = 0


class Manager:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        print("  enter", self.name)
        return self

    def __exit__(self, kind, value, trace):
        print("  exit", self.name, kind and kind.__name__, value)
        return self.swallow


def loops():
    print("loops")
    for x in range(5):
        if x == 1:
            continue
        if x == 3:
            break
        print(x)
    else:
        print("never")
    for x in ():
        pass
    else:
        print("else of an empty loop, x stays", x)
    n = 3
    while n:
        n -= 1
        if n == 5:
            break
    else:
        print("while ended", n)
    for x in [1, 2]:
        for y in [1, 2]:
            if y == 2:
                break
            print(x, y)
        else:
            continue
        print("broken inner")
    items = [1, 2, 3]
    for item in items:
        if len(items) < 6:
            items.append(item * 10)
    print(items)


def jumps():
    print("jumps")

    def returns_from_finally():
        try:
            return "try"
        finally:
            return "finally"

    def order():
        for x in range(3):
            try:
                if x == 0:
                    continue
                if x == 1:
                    break
            finally:
                print("  finally", x)
        try:
            return print("  value evaluated")
        finally:
            print("  after the value")

    def nested():
        try:
            try:
                raise KeyError("inner")
            finally:
                print("  inner finally")
        except KeyError as error:
            print("  caught", error)
            return "from handler"
        else:
            print("never")
        finally:
            print("  outer finally")

    def loses():
        while True:
            try:
                raise ValueError("lost")
            finally:
                break
        return "the exception is gone"

    print(returns_from_finally(), order(), nested(), loses())
    try:
        pass
    except Exception:
        print("never")
    else:
        print("else ran")


def managers():
    print("managers")
    with Manager("a") as a, Manager("b"):
        print("  body", a.name)
    with (
        Manager("swallows", swallow=True) as s,
        Manager("passes"),
    ):
        raise ValueError(s.name)
    with contextlib.suppress(ZeroDivisionError):
        1 / 0

    def returns():
        with Manager("around return"):
            return "returned"

    print(returns())
    for x in range(2):
        with Manager(f"loop {x}"):
            if x:
                break
            continue
    target = {}
    with Manager("key") as target["it"], contextlib.ExitStack() as stack:
        stack.callback(print, "  callback")
    print(target["it"].name)


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        print("  eq")
        return self is other


def matched(subject):
    match subject:
        case 0 | 1 as small:
            return f"small {small}"
        case int(n) if n > 100:
            return f"large {n}"
        case "text" | b"bytes":
            return "literal"
        case [] | ():
            return "empty"
        case [x]:
            return f"one {x}"
        case [x, [y, *_], *rest] if rest:
            return f"nested {x} {y} {rest}"
        case [first, *middle, last]:
            return f"sequence {first} {middle} {last}"
        case {"kind": "circle", "radius": float() | int() as r}:
            return f"circle {r}"
        case {"kind": kind, **others}:
            return f"mapping {kind} {others}"
        case Point(0, y=0):
            return "origin"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point(x=x):
            return f"point {x}"
        case -1.5 | 2 + 3j:
            return "number"
        case None | True:
            return "singleton"
        case anything:
            return f"anything {anything}"


def matches():
    print("match")
    subjects = [0, 1, 7, 200, "text", [], [5], [1, [2, 3], 4], (1, 2, 3), {"kind": "circle", "radius": 2}]
    subjects += [{"kind": "other", "a": 1}, Point(0, 0), Point(2, 2), Point(1, 5), -1.5, 2 + 3j, None, {}]
    for subject in subjects:
        print(" ", matched(subject))
    match subjects:
        case [_, *_]:
            pass
    match 1, 2:
        case a, b:
            print(a, b)


def scopes():
    print("scopes")
    global counter
    counter += 1
    value = "outer"

    def inner():
        nonlocal value
        value = "changed"

        def innermost():
            nonlocal value
            global counter
            value += "!"
            counter += 10
            return value

        return innermost

    print(inner()(), value, counter)
    del value
    try:
        print(value)
    except NameError as error:
        print(type(error).__name__, error)

    def unbound():
        try:
            early += 1
        except UnboundLocalError as error:
            return str(error)
        early = 1

    print(unbound())
    total = sum(counter for _ in range(2))
    global late
    late = 5
    print(total, late)
    if False:
        never = 1
    print("never" in locals(), sorted(name for name in locals() if name != "inner"))


def imports():
    print("imports")
    import os.path as p
    import xml.dom

    import collections.abc
    from collections import OrderedDict as Ordered

    print(base("/a/b"), p.join is join, Ordered.__name__, collections.abc.Sized.__name__, xml.dom.__name__)
    try:
        import no_such_module_at_all
    except ImportError as error:
        print(error, error.name)
    try:
        from os import no_such_name
    except ImportError as error:
        print(str(error).split("(")[0])


def asserting():
    print("assert")
    assert True, print("never")
    for condition in (0, [], None):
        try:
            assert condition, f"message {condition!r}"
        except AssertionError as error:
            print(" ", error)
    try:
        assert (1, False)[1]
    except AssertionError as error:
        print(" ", repr(error))


for part in (loops, jumps, managers, matches, scopes, imports, asserting):
    part()
# fmt: off
if counter: print("one line"); counter = 0; del late
for _ in range(2): print(_, end=" ")
try: late
except NameError as error: print(error)
else: pass
finally: print("done")
print("try" if counter else \
      "continued line")
# fmt: on
