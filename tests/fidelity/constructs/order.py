"""The order of evaluation where a part fails, or where a place is read and written."""

import sys


def say(text, value=None):
    print("say", text)
    return value


class Loud:
    def __getitem__(self, key):
        print("get", key)
        return 10

    def __setitem__(self, key, value):
        print("set", key, value)

    def __setattr__(self, key, value):
        print("setattr", key, value)


def tried(action):
    try:
        action()
    except Exception as error:
        print(type(error).__name__, error)


def slices():
    a = Loud()
    a[1:2] += say("value", 1)
    y = [3]
    a[(say("x", 2), *y)] += say("value", 1)
    a[1:2, 4] += say("value", 1)
    b = [1, 2, 3]
    b[say("lower", 1):] += say("value", [7])
    print(b)


def bad_fetch():
    a = None
    a[1:2] += say("value", 1)


def annotated():
    o = Loud()
    o.a: say("annotation") = say("value", 1)
    o[0]: say("annotation") = say("value", 1)


o = Loud()
o.a: say("annotation") = say("value", 1)
o[0]: say("annotation") = say("value", 1)
(x): say("annotation") = say("value", 3)
x: say("annotation") = say("value", 3)
print(sys.modules[__name__].__annotations__)


def unary():
    return -"s", say("after")


def unary2():
    return +None + say("after")

def inv():
    return ~1.5, say("after")


def undefined_function():
    undefined(say("argument"))


def undefined_name():
    return undefined + say("operand")


def undefined_name_display():
    return [undefined, say("operand")]


def unbound():
    if False:
        x = 1
    return x + say("operand")


def unbound_call():
    if False:
        f = 1
    return f(say("operand"))


def unbound_subscript():
    if False:
        f = 1
    return f[say("operand")]


def unbound_attribute_target():
    if False:
        f = 1
    f.x = say("operand")
    f.x += say("operand")


def unbound_item_target():
    if False:
        f = 1
    f[say("i")] += say("operand")


def unbound_after_del(a):
    del a
    return a, say("operand")


def definition_later():
    later(say("operand"))

    def later(x):
        pass


def import_later():
    os.getcwd(say("operand"))
    import os


def compare():
    if False:
        x = 1
    return x < say("operand")


def args():
    if False:
        x = 1
    return print(x, say("operand"))


def kwargs():
    if False:
        x = 1
    return print(sep=x, end=say("operand"))


def fstring():
    if False:
        x = 1
    return f"{x} {say('operand')}"


def dicts():
    if False:
        x = 1
    return {x: say("operand")}


def augmented():
    if False:
        x = 1
    x += say("operand")


def loopy():
    for i in range(0):
        pass
    return i + say("operand")


def withy():
    return __undefined__, say("operand")

def boolean():
    if False:
        x = 1
    return x and say("operand")

def maybe():
    if False:
        x = 1
    if x == say("operand"):
        pass

def whiley():
    if False:
        x = 1
    while x == say("operand"):
        pass

def subs():
    if False:
        x = 1
    return say("a", [1])[x], say("operand")

def attr():
    return undefined.x, say("operand")

def method():
    return undefined.x(say("operand"))

def multi():
    if False:
        x = 1
    a, b = x, say("operand")

def targets():
    if False:
        x = 1
    o.x = x
    o[say("i")] = x

def par():
    if False:
        x = 1
    o[say("i")], o[1] = x, say("operand")

def ret():
    if False:
        x = 1
    return (x, -x, say("operand"))

def yielding():
    if False:
        x = 1
    yield x, say("operand")

def run():
    list(yielding())

class Body:
    def f():
        return undefined_method(say("x"))

def cond():
    if False:
        x = 1
    return x if say("test") else 1

def tern():
    if False:
        x = 1
    return (x if say("test", 1) else 1, say("operand"))


for action in (slices, bad_fetch, annotated, unary, unary2, inv, undefined_function, undefined_name, undefined_name_display,
               unbound, unbound_call, unbound_subscript, unbound_attribute_target, unbound_item_target, 
               lambda: unbound_after_del(1), definition_later, import_later, compare, args, kwargs, fstring, dicts, augmented,
               loopy, withy, boolean, maybe, whiley, subs, attr, method, multi, targets, par, ret, run, Body.f, cond, tern):
    print("--", action.__name__)
    tried(action)

try:
    nothing(say("module"))
except NameError as e:
    print(e)
try:
    nothing + say("module")
except NameError as e:
    print(e)
try:
    o[1:2] += say("module", 1)
    -"s", say("x")
except TypeError as e:
    print(e)

def items(xs):
    a = Loud()
    a[[v for v in xs]] = 1
    with manager() as a[[v for v in xs]]:
        pass
    for a[[v for v in xs]], b in [(1, 2)]:
        pass
    print(a[(1, *xs)], a[slice(1, 2), (3, *xs)])
    del xs[(say("item", 0))]
    print(xs)


class manager:
    def __enter__(self):
        return say("entered", "it")

    def __exit__(self, *error):
        say("left")


items([1, 2])


def replaced():
    def change():
        nonlocal inner
        global len
        inner = print
        len = print
        return [1]

    def inner(x):
        return "old", x

    print(inner(change()), inner([2]))


def expression_statement():
    if False:
        x = 1
    x
    say("not reached")


print(len([1, 2]))
tried(replaced)
len([3])
del len
tried(expression_statement)
