"""Functions: signatures, defaults, closures, decorators, attributes, caches, recursion."""

import functools
import inspect
import operator


def trace(label):
    print("made", label)

    def decorate(function):
        print("decorated", function.__name__, "by", label)

        @functools.wraps(function)
        def wrapper(*args, **options):
            print("  before", label, args, options)
            result = function(*args, **options)
            print("  after", label, result)
            return result

        return wrapper

    return decorate


@trace("outer")
@trace("inner")
def decorated(a, /, b: int = 2, *args: str, c, d=(4, 5), **options) -> "list[int]":
    """Has a docstring.

    Of several lines.
    """
    return [a, b, args, c, d, options]


print(decorated(1, c=3), decorated(1, 2, "x", c=3, e=5))
print(decorated.__doc__, decorated.__name__, decorated.__qualname__, decorated.__module__)
print(decorated.__wrapped__.__wrapped__.__defaults__, decorated.__wrapped__.__wrapped__.__kwdefaults__)
print(inspect.signature(decorated), decorated.__annotations__)


def code_facts(function):
    code = function.__code__
    flags = [name for name in ("OPTIMIZED", "NEWLOCALS", "VARARGS", "VARKEYWORDS", "NESTED", "GENERATOR", "COROUTINE")]
    set_flags = [name for name in flags if code.co_flags & getattr(inspect, f"CO_{name}")]
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    return code.co_name, counts, code.co_freevars, code.co_firstlineno, set_flags


def closure_maker(start):
    steps = []

    def step(amount=1):
        nonlocal start
        start += amount
        steps.append(start)
        return start

    def history():
        return list(steps)

    return step, history


step, history = closure_maker(10)
print(step(), step(5), history(), [cell.cell_contents for cell in step.__closure__])
print(code_facts(step), code_facts(history), code_facts(decorated.__wrapped__.__wrapped__))
other, _ = closure_maker(0)
print(other(), step())


def defaults(item, seen=[], *, table={}):
    seen.append(item)
    table[item] = len(seen)
    return seen, table


print(defaults(1), defaults(2), defaults(3, []), defaults.__defaults__, defaults.__kwdefaults__)
late = [lambda: n for n in range(3)]
bound = [lambda n=n: n for n in range(3)]
print([f() for f in late], [f() for f in bound], late[0].__name__, late[0].__qualname__)


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(50), fib.cache_info())


@functools.singledispatch
def describe(value):
    return "something"


@describe.register
def _(value: int):
    return f"int {value}"


@describe.register(list)
def _(value):
    return "list of " + ", ".join(map(describe, value))


print(describe(1), describe([1, "x", [2]]), describe(None))


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


print(ackermann(2, 3), functools.reduce(operator.mul, range(1, 6)), functools.partial(divmod, 17)(5))


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


print(is_even(20), is_odd(7))


def compose(*functions):
    return functools.reduce(lambda f, g: lambda x: g(f(x)), functions, lambda x: x)


print(compose(lambda x: x + 1, str, lambda s: s * 2)(4), list(map(lambda pair: pair[0] * pair[1], [(1, 2), (3, 4)])))
called_back = []
print(sorted(["bb", "a", "ccc"], key=lambda text: (called_back.append(text), len(text))[1]), called_back)
print(functools.cmp_to_key(lambda a, b: b - a)(1) < functools.cmp_to_key(lambda a, b: b - a)(2))


def attributes():
    attributes.calls = getattr(attributes, "calls", 0) + 1
    return attributes.calls


print(attributes(), attributes(), vars(attributes))


def errors():
    for call in (lambda: decorated(), lambda: step(1, 2), lambda: fib([]), lambda: defaults(table=1)):
        try:
            call()
        except TypeError as error:
            print("TypeError:", error)


errors()
print((lambda *, a: a)(a=1), (lambda *args: args)(*range(3)), (lambda: (yield))().__class__.__name__)


def no_return():
    pass


def bare_return():
    return


print(no_return(), bare_return(), no_return.__code__.co_name, callable(no_return))
recursive = {"self": lambda n: n and n + recursive["self"](n - 1)}
print(recursive["self"](5))


# Partial functions: how they are nested, and one that calls itself

inner = functools.partial(int, base=2)
print(inner("11"), vars(functools.partial(inner)), functools.partial(inner, "101").func is int)
endless = functools.partial(print)
endless.__setstate__((endless, (), {}, {}))
print(repr(endless), callable(endless), sorted([endless], key=id)[0] is endless)
endless.__setstate__((print, (), {}, {}))
