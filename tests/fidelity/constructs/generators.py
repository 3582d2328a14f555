"""Generators: values yielded, sent, thrown, returned, delegated, left unconsumed, closed."""

import inspect
import itertools


def counting(limit):
    print("  started")
    try:
        for n in range(limit):
            received = yield n
            if received is not None:
                print("  received", received)
        return "finished"
    except ValueError as error:
        print("  thrown", error)
        yield "after throw"
    finally:
        print("  cleaned up")


def delegate(*parts):
    result = yield from counting(2)
    print("  delegated result", result)
    for part in parts:
        yield from part
    return [(yield), (yield "second")]


print("plain", list(counting(3)))
g = counting(5)
print("lazy", inspect.getgeneratorstate(g), next(g), g.send("hello"), inspect.getgeneratorstate(g))
print(g.throw(ValueError("oops")), next(g, "exhausted"), inspect.getgeneratorstate(g))
g = counting(2)
next(g)
g.close()
print(next(g, "closed"), g.gi_frame)
try:
    g = counting(1)
    next(g)
    next(g)
except StopIteration as stop:
    print("value", stop.value)
d = delegate("ab", [1])
print(next(d), next(d), next(d), next(d), next(d), next(d), d.send("x"))
try:
    d.send("y")
except StopIteration as stop:
    print("returned", stop.value)
try:
    counting(1).send("too early")
except TypeError as error:
    print(error)


def throws_through():
    try:
        yield from counting(3)
    except KeyError as error:
        print("  outer caught", error)
        yield "recovered"


t = throws_through()
next(t)
print(t.throw(KeyError("k")))
t = throws_through()
next(t)
print(t.throw(ValueError("v")), list(t))
t = throws_through()
next(t)
t.close()


def infinite():
    n = 0
    while True:
        yield (n := n + 1)


print(list(itertools.islice(infinite(), 4)), [x for x in infinite() if x < 3 or x > 5][:0] if False else "not run")
unconsumed = (print("  never printed") for _ in range(3))
partly = (print("  element", x) or x for x in range(3))
print(next(partly))
del unconsumed, partly
expression = (x * y for x in range(3) for y in (lambda: range(x))())
print(list(expression), sum(x for x in range(4)), max((x % 3, x) for x in range(7)))


def broken():
    yield 1
    raise RuntimeError("inside the generator")


try:
    for value in broken():
        print("got", value)
except RuntimeError as error:
    print(error, error.__traceback__.tb_lineno, error.__traceback__.tb_next.tb_lineno)


def stops():
    yield 1
    next(iter(()))


try:
    list(stops())
except RuntimeError as error:
    print(repr(error), repr(error.__cause__))


def tree(depth):
    if depth:
        yield from tree(depth - 1)
        yield depth
        yield from tree(depth - 1)


print(list(tree(4)))


def echo():
    value = yield "ready"
    while value != "stop":
        value = yield value * 2
    return "done"


e = echo()
print(next(e), e.send(2), e.send("ab"))
try:
    e.send("stop")
except StopIteration as stop:
    print(stop.value)


def reentrant():
    yield next(me)


me = reentrant()
try:
    next(me)
except ValueError as error:
    print(error)


class Iterating:
    def __iter__(self):
        yield from "xyz"

    def __reversed__(self):
        yield "backwards"


print(*Iterating(), *reversed(Iterating()), "y" in Iterating(), dict(enumerate(Iterating())))
first, *rest = counting(3)
print(first, rest)
both = itertools.tee(counting(2))
print(next(both[0]), list(both[1]), list(both[0]))
interleaved = [counting(2), counting(2)]
print([next(one) for one in interleaved], [next(one) for one in reversed(interleaved)])
print(g.gi_code.co_name, delegate.__name__, inspect.isgeneratorfunction(delegate), type(d).__name__, e.__qualname__)
for one in interleaved:
    one.close()
