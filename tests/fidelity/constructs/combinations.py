"""Control flow through try, with, loops, generators and classes, in combinations that leave each in every way."""

import asyncio
import contextlib
import sys


def leave(kind, n):
    for i in range(3):
        try:
            try:
                if kind == "return":
                    return ("returned", i)
                if kind == "continue":
                    continue
                if kind == "break":
                    break
                if kind == "raise":
                    raise ValueError(i)
            except ValueError as error:
                print("caught", error)
                if n == 1:
                    raise KeyError("k") from error
                if n == 2:
                    return "from handler"
            else:
                print("else", i)
            finally:
                print("finally", i)
                if n == 3:
                    return "from finally"
                if n == 4 and i < 2:
                    continue
                if n == 5:
                    break
        finally:
            print("outer finally", i)
    else:
        print("loop else")
    return "end"


for kind in ("return", "continue", "break", "raise", "nothing"):
    for n in range(6):
        try:
            print(kind, n, leave(kind, n))
        except Exception as error:
            print("out", kind, n, repr(error), repr(error.__cause__), repr(error.__context__))


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, kw)
        return {"prepared": 1}

    def __new__(mcs, name, bases, space, **kw):
        print("new", name, [k for k in space])
        return super().__new__(mcs, name, bases, space)

    def __init__(cls, name, bases, space, **kw):
        print("init", name)
        super().__init__(name, bases, space)

    def __call__(cls, *a):
        print("call", cls.__name__, a)
        return super().__call__(*a)


def deco(tag):
    print("make", tag)

    def apply(x):
        print("apply", tag, getattr(x, "__name__", x))
        return x

    return apply


@deco("c1")
@deco("c2")
class Base(metaclass=Meta, option=deco("kw")(3)):
    __slots__ = ("a", "__private", "b")
    x = 1
    y = [1]
    z: int = x + 1
    print("in body", __qualname__, __module__, sorted(k for k in locals() if not k.startswith("__")))

    def __init__(self, a):
        self.a = a
        self.__private = a * 2

    @deco("m1")
    @deco("m2")
    def method(self, k=deco("default")(1), *, q: deco("ann") = deco("kwdefault")(2)) -> deco("ret"):
        return __class__.__name__, super().__repr__()[:1], self.__private, k, q

    @property
    def prop(self):
        return self.a

    @prop.setter
    def prop(self, value):
        print("set", value)
        self.a = value

    @classmethod
    def make(cls, *args):
        return cls(*args)

    @staticmethod
    def static():
        return "static"

    def __getattr__(self, name):
        if name == "b":
            raise AttributeError(name)
        return f"dynamic {name}"

    def __set_name__(self, owner, name):
        print("set_name", name)

    def __init_subclass__(cls, **kw):
        print("subclass", cls.__name__, kw)
        super().__init_subclass__()


class Derived(Base, flag=1):
    __slots__ = ()
    inner = Base(0)

    def method(self, *args, **kw):
        first = super().method(*args, **kw)
        return ("derived", *first, [super(Derived, self).method() for _ in range(1)])

    class Nested:
        def who(self):
            return __class__.__qualname__


d = Derived.make(4)
print(d.method(), d.prop, d.zzz, Derived.static(), Derived.Nested().who())
d.prop = 9
d.a += 3
print(d.a, hasattr(d, "b"), d.__class__.__mro__)
try:
    d.other = 1
except AttributeError as error:
    print(error)
del d.a
print(d.a)


def matching(x):
    match x:
        case 0 | 1 as small if small:
            return "one", small
        case [1, *rest, last] if (n := len(rest)) > 1:
            return "list", rest, last, n
        case {"k": [a, b], **others}:
            return "map", a, b, others
        case Base(a=value) if value:
            return "base", value
        case str() as s if s.isdigit():
            return "digits", s
        case (float() | int()) as number:
            return "number", number
        case [[a, b], [c, d]] | [a, [b, [c, d]]]:
            return a, b, c, d
        case None | True | "x":
            return "constant"
        case sys.maxsize:
            return "max"
        case _:
            return "other"


for x in (0, 1, [1, 2, 3, 4], [1, 2], {"k": [1, 2], "z": 3}, Base(5), "12", "ab", 2.5, [[1, 2], [3, 4]], [1, [2, [3, 4]]], None, True, "x", sys.maxsize, (), {}):
    print(matching(x))


def counter():
    n = 0

    def up(by=1):
        nonlocal n
        n += by
        return n

    def reset():
        nonlocal n
        old, n = n, 0
        del_me = old
        del del_me
        return old

    return up, reset, lambda: n


up, reset, get = counter()
print(up(), up(3), get(), reset(), get(), up())


def walrus(xs):
    total = 0
    out = [total := total + x for x in xs if (y := x * 2) > 2]
    if (m := max(xs, default=0)) > 2 and (k := m - 1) or (k := -1):
        out.append((m, k))
    while (item := xs.pop() if xs else None) is not None:
        out.append(item)
    return out, total, y, [z := 1, z + 1], z


print(walrus([1, 2, 3]))


def stars(*a, k=1, **kw):
    first, *middle, last = a
    (x, *y), z = [1, 2, 3], 4
    [p, [q, *r]] = "ab", "cde"
    print(*a, *middle, sep="-", **{"end": "!\n"})
    return {**kw, "k": k, **{"x": x}}, [*a, *y, z], {*a, *middle}, (p, q, r, first, last), *a[:1]


print(stars(1, 2, 3, 4, k=5, j=6))


def gen_order(log):
    try:
        log.append("start")
        got = yield 1
        log.append(("got", got))
        try:
            yield from inner(log)
        except KeyError as error:
            log.append(("outer caught", repr(error)))
            yield "recovered"
        finally:
            log.append("inner finally")
    except GeneratorExit:
        log.append("closed")
        raise
    finally:
        log.append("outer finally")
    return "result"


def inner(log):
    try:
        x = yield "a"
        log.append(("inner got", x))
        yield "b"
    except ValueError as error:
        log.append(("inner caught", str(error)))
        raise KeyError("from inner") from error
    finally:
        log.append("inner done")


for way in range(6):
    log = []
    g = gen_order(log)
    try:
        log.append(next(g))
        if way == 0:
            g.close()
        elif way == 1:
            log.append(g.send("s"))
            g.close()
        elif way == 2:
            log.append(g.send("s"))
            log.append(g.throw(ValueError("v")))
            log.append(next(g, "over"))
        elif way == 3:
            log.append(g.send("s"))
            log.append(g.send("t"))
            log.append(next(g, "over"))
        elif way == 4:
            log.append(g.throw(TypeError("t")))
        else:
            for item in g:
                log.append(item)
    except Exception as error:
        log.append(repr(error))
    print(way, log)


class Res:
    def __init__(self, name):
        self.name = name

    async def __aenter__(self):
        print("enter", self.name)
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, kind, error, tb):
        print("exit", self.name, kind and kind.__name__)
        await asyncio.sleep(0)
        return self.name == "swallow"


async def agen(n):
    try:
        for i in range(n):
            await asyncio.sleep(0)
            got = yield i
            if got:
                print("agen got", got)
    finally:
        print("agen finally")


async def amain():
    async with Res("one") as one, Res("swallow") as two:
        print(one.name, two.name)
        raise ValueError("inside")
    print([x async for x in agen(3) if x])
    print({x: [y async for y in agen(x)] async for x in agen(3)})
    print([await asyncio.sleep(0, y) for y in range(2)])
    async for x in agen(5):
        if x == 1:
            continue
        print(x)
    async for x in agen(1):
        pass
    else:
        print("else")
    g = agen(3)
    print(await g.asend(None), await g.asend("hi"))
    await g.aclose()
    results = await asyncio.gather(*(work(i) for i in range(3)), return_exceptions=True)
    print(results)
    try:
        async with asyncio.timeout(0.01) if hasattr(asyncio, "timeout") else contextlib.AsyncExitStack():
            await asyncio.sleep(0.02)
    except TimeoutError:
        print("timeout")
    t = asyncio.create_task(work(7))
    await asyncio.sleep(0)
    t.cancel()
    try:
        await t
    except asyncio.CancelledError:
        print("cancelled", t.cancelled())


async def work(i):
    try:
        await asyncio.sleep(0.001 * i)
        if i == 1:
            raise KeyError(i)
        return i
    finally:
        print("work done", i)


asyncio.run(amain())


class Cmp:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        print(self.n, "<", other.n)
        return self.n < other.n

    def __contains__(self, x):
        print("contains", x)
        return x == self.n

    def __eq__(self, other):
        print("eq", self.n)
        return NotImplemented

    def __hash__(self):
        return hash(self.n)


def c(n):
    print("c", n)
    return Cmp(n)


print(c(1) < c(2) < c(3), c(1) < c(0) < c(5), 1 in c(1) in [c(1)] if False else 2, c(1) == c(1) != c(2), c(1) is c(1) is not None)
try:
    assert c(2) < c(1), (c(3), "message")[1]
except AssertionError as error:
    print(repr(error))
try:
    assert (c(1), c(2))[0] < c(0)
except AssertionError as error:
    print(repr(error))

w, n, s = 10, 3, "txt"
print(f"{s!r:>{w}}|{s:^{w}}|{n + 1:0{w - 2}d}|{n=}|{n + 1 = }|{f'{s!s:*<{n * 2}}'}|{{}}|{(lambda q: q * 2)(n)}|{s if n else w}|{ {'a': 1}['a'] }")

x = [1, 2, 3, 4, 5, 6]
y = {"a": 1, "b": {"c": 2}}
del x[0], x[1:3], y["b"]["c"]
print(x, y)
del (x, [y])
try:
    x
except NameError as error:
    print(error)


def deleting(a, b=2):
    c = a
    del a
    try:
        return a
    except UnboundLocalError as error:
        print(error)
    del (b, c)
    try:
        print(c)
    except UnboundLocalError as error:
        print(error)
    for b in range(2):
        pass
    return b


print(deleting(1))


def shadow():
    print(len("abc"))
    if True:
        import os.path as path, json
        from collections import OrderedDict as OD, deque
    try:
        import not_there_at_all as gone
    except ImportError as error:
        gone = str(error)
    return path.basename("a/b"), json.dumps([1]), OD(a=1), deque([1]), gone


print(shadow())


def conditional(flag):
    if flag:
        def f(): return "first"
    else:
        def f(): return "second"
    class K:
        if flag:
            v = 1
        else:
            v = 2
        for i in range(3):
            v += i
        try:
            w = 1 / 0
        except ZeroDivisionError:
            w = "div"
        with contextlib.suppress(KeyError):
            u = {}["x"]
            t = 1
        h = staticmethod(lambda: "h")
        g = [f for f in range(2)]
    return f(), K.v, K.w, K.h(), K.g, K.i, hasattr(K, "u")


print(conditional(True), conditional(False))


@contextlib.contextmanager
def manager(name, swallow=False):
    print("in", name)
    try:
        yield name
    except ZeroDivisionError:
        print("seen", name)
        if not swallow:
            raise
    finally:
        print("out", name)


def withs():
    with manager("a") as a, manager("b", True) as (b, *c):
        print(a, b, c)
        1 / 0
    with manager("c"):
        for i in range(3):
            with manager(f"d{i}"):
                if i == 1:
                    break
                if i == 0:
                    continue
    with manager("e"):
        return "returned"


print(withs())
