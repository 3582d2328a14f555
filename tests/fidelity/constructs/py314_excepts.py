"""What 3.14 brought: several exceptions without parentheses (PEP 758), warnings of `finally` (PEP 765), new messages."""

import sys
import traceback
import warnings

Own = type("Own", (Exception,), {})


def kinds():
    print("asked for the kinds")
    return Own


def caught(error):
    try:
        raise error
    except ValueError, TypeError:
        return "one of two"
    except KeyError, kinds():
        return "one of the others"
    finally:
        print("finally", sys.exception())


print(caught(ValueError()), caught(TypeError()), caught(KeyError()), caught(Own()))


def grouped(*errors):
    try:
        raise ExceptionGroup("group", errors)
    except* ValueError, TypeError:
        print("of two:", sys.exception().exceptions)
    except* (OSError, Own) as group:
        print("named:", group.exceptions)


grouped(ValueError(1), Own(2), TypeError(3))
try:
    grouped(ValueError(1), KeyError(2))
except* KeyError:
    traceback.print_exc()

import parts.finals

with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    compile("def f():\n  try: pass\n  finally: return 1", "<text>", "exec")
print([(str(w.message), w.lineno) for w in warned])


def leaves():
    try:
        raise ValueError("lost")
    finally:
        return "kept"


print(leaves())


class Slotted:
    __slots__ = ("name",)


class Kind(type):
    pass


def fails():
    yield lambda: {}[[]]
    yield lambda: {[]: 1}
    yield lambda: {[1]}
    yield lambda: [1, 2][t"x"]
    yield lambda: int.nothing
    yield lambda: Slotted().nmae
    yield lambda: compile("whille x: pass", "<text>", "exec")
    yield lambda: compile("for x in y: pass\nesle: pass", "<text>", "exec")
    yield lambda: compile("if x: pass\nelse: pass\nelif y: pass", "<text>", "exec")
    yield lambda: compile("x = 1 if y else pass", "<text>", "exec")
    yield lambda: compile("f'{x}' b'y'", "<text>", "exec")
    yield lambda: compile("'a' 'b\nc'", "<text>", "exec")
    yield lambda: compile("import x as y.z", "<text>", "exec")
    yield lambda: compile("try: pass\nexcept A, B as c: pass", "<text>", "exec")
    yield lambda: __import__("sys").no_such_name
    yield lambda: "a".join([1])
    yield lambda: min()
    yield lambda: (lambda a, b: a)(1)
    yield lambda: math.sqrt(1)
    yield lambda: (x for x in 5)
    a, b = 1, 2
    yield lambda: exec("a, b = 1, 2, 3")
    yield lambda: exec("with 1: pass")
    yield lambda: sum([1, "2"], start=(0))
    yield lambda: 1 + (2 *
                       (3 + None))


for fail in fails():
    try:
        fail()
    except Exception as error:
        traceback.print_exc()
        print("".join(traceback.format_exception(error, colorize=True)), file=sys.stderr)


def outer():
    middle()


def middle():
    try:
        inner()
    except ValueError as error:
        raise RuntimeError("again") from error


def inner():
    raise ValueError("deep")


try:
    outer()
except RuntimeError as error:
    error.add_note("a note")
    traceback.print_exc()
raise SystemExit(0)
