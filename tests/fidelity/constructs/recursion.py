"""Recursion to the limit and back: how deep it goes, what it raises, and that the program goes on."""

import sys


def depth(n=1):
    try:
        return depth(n + 1)
    except RecursionError:
        return n


def runaway(n):
    return runaway(n + 1) + 1


class Endless:
    def __repr__(self):
        return f"<{self!r}>"

    def __getattr__(self, name):
        return getattr(self, name + "x")

    def __eq__(self, other):
        return other == self


def mutual_a(n):
    return mutual_b(n)


def mutual_b(n):
    return mutual_a(n)


def generator(n):
    yield n
    yield from generator(n + 1)


def count_down(n):
    if n == 0:
        return 0
    return 1 + count_down(n - 1)


def caught(action):
    try:
        action()
    except RecursionError as error:
        return type(error).__name__, str(error).split(" while")[0]
    return "no error"


print("depth", depth(), "limit", sys.getrecursionlimit())
for action in (
    lambda: runaway(0),
    lambda: repr(Endless()),
    lambda: Endless().name,
    lambda: Endless() == Endless(),
    lambda: mutual_a(0),
    lambda: list(generator(0)),
    lambda: (lambda f: f(f))(lambda f: f(f)),
    lambda: sorted([2, 1], key=lambda n: runaway(n)),
):
    print(caught(action))
print("still works", count_down(500), depth() == depth())
sys.setrecursionlimit(400)
print("lowered", depth(), caught(lambda: count_down(390)), count_down(300))
sys.setrecursionlimit(5000)
print("raised", depth(), count_down(4000), sys.getrecursionlimit())


def at_the_limit(n):
    try:
        return at_the_limit(n + 1)
    except RecursionError:
        try:
            return [x for x in range(3)], sum(x for x in range(3))
        except RecursionError:
            return at_the_limit  # not enough room here; a caller has it


def settle(value):
    return value if not callable(value) else "too deep for a comprehension"


print(settle(at_the_limit(0)))
nested = []
for _ in range(300):
    nested = [nested]
print(len(repr(nested)), nested == nested)
runaway(0)
