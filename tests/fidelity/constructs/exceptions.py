"""Exceptions: where they are raised, what a traceback shows, chaining, cleaning up, warnings."""

import contextlib
import sys
import traceback
import warnings


def lines(error):
    trace, found = error.__traceback__, []
    while trace:
        found.append((trace.tb_frame.f_code.co_name, trace.tb_lineno))
        trace = trace.tb_next
    return found


def divide(a, b):
    return a / b


def nested(value):
    # The carets of the traceback show which part of this line failed.
    return [divide(1, other) + value["key"] for other in (1, 0, 2)]


def chained():
    try:
        divide(1, 0)
    except ZeroDivisionError as error:
        raise ValueError("while handling") from error


def context():
    try:
        {}["missing"]
    except KeyError:
        divide(1, 0)


def silenced():
    try:
        [][0]
    except IndexError:
        raise TypeError("from None") from None


class Custom(Exception):
    def __init__(self, code, *rest):
        super().__init__(code, *rest)
        self.code = code

    def __str__(self):
        return f"custom {self.code}"


def spread():
    return (
        divide(
            1,
            2,
        )
        + divide(3, 4)
        * divide(
            5,
            0,
        )
    )


class Body:
    @property
    def broken(self):
        return self.missing

    def __exit__(self, *error):
        raise RuntimeError("while leaving") from error[1]

    def __enter__(self):
        return self


def leaving():
    with Body():
        raise KeyError("body")


def attribute():
    return Body().broken


def call_of_none():
    return (lambda x: x.y.z(None))(5)


def unpacking():
    a, (b, c) = 1, (2,)
    return a, b, c


def comparing():
    return sorted([1, "a", 2])


def in_lambda():
    return list(map(lambda n: 10 // n, [2, 1, 0]))


def in_generator():
    return sum(1 // n for n in (1, 0))


def in_class_body():
    class Bad:
        value = 1
        other = undefined_name

    return Bad


def in_default():
    def inner(value=divide(1, 0)):
        return value

    return inner


def in_decorator():
    @divide(1, 0)
    def inner():
        pass

    return inner


def with_cause():
    raise Custom(3, "more") from Custom(4)


def reraised():
    try:
        divide(1, 0)
    except ZeroDivisionError:
        try:
            raise
        finally:
            sys.exc_info()


def with_traceback():
    try:
        divide(1, 0)
    except ZeroDivisionError as error:
        raise error.with_traceback(None)


def asserted():
    x = 4
    assert x == 5, f"x is {x}"


def subscripted():
    return {"a": [1, 2]}["a"][divide(4, 2) and 7]


def by_import():
    import no_such_module_here


def deleted():
    x = 1
    del x
    return x


failing = [
    lambda: nested({}),
    chained,
    context,
    silenced,
    spread,
    leaving,
    attribute,
    call_of_none,
    unpacking,
    comparing,
    in_lambda,
    in_generator,
    in_class_body,
    in_default,
    in_decorator,
    with_cause,
    reraised,
    with_traceback,
    asserted,
    subscripted,
    by_import,
    deleted,
]
for fail in failing:
    try:
        fail()
    except Exception as error:
        print("---", type(error).__name__, error, lines(error))
        print(type(error.__cause__).__name__, type(error.__context__).__name__, error.__suppress_context__, error.args)
        traceback.print_exc(file=sys.stdout)


def state():
    try:
        divide(1, 0)
    except ZeroDivisionError as error:
        print(sys.exc_info()[1] is error, lines(error))
        try:
            raise KeyError("second")
        except KeyError as second:
            print(second.__context__ is error, sys.exc_info()[1] is second)
        print(sys.exc_info()[1] is error)
    print(sys.exc_info(), "error" in locals())


def frames():
    local = "seen in the frame"
    try:
        divide(local and 1, 0)
    except ZeroDivisionError as error:
        inner = error.__traceback__.tb_next.tb_frame
        return sorted(inner.f_locals.items()), sorted(error.__traceback__.tb_frame.f_locals)


def warned():
    warnings.warn("look at the caller", UserWarning, stacklevel=2)


state()
print(frames())
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warned()
    warnings.warn("here", DeprecationWarning)
print([(str(w.message), w.category.__name__, w.lineno, w.filename == __file__) for w in caught])
with contextlib.suppress(Custom):
    raise Custom(1)
try:
    raise Custom
except TypeError as error:
    print(error)
try:
    raise "not an exception"
except TypeError as error:
    print(error)
try:
    try:
        raise BaseException("base")
    except Exception:
        print("never")
except (KeyError, BaseException) as error:
    print(error, error is sys.exc_info()[1])
print(traceback.extract_stack()[-1].lineno, "".join(traceback.format_stack()[-1:]))
