"""What a program can see of itself: source, frames, names, modules."""

from __future__ import annotations

import gc
import inspect
import os
import sys
import traceback
import typing


def documented(a: int, b: undefined_at_run_time = None) -> typing.Any:
    """A docstring."""
    # and a comment
    return a, b


class Holder:
    """Holds."""

    value: list[int] = []

    def method(self):
        return inspect.currentframe()


def local_names(argument, *rest, option=1, **more):
    first = 1
    for loop in range(2):
        inner = [x for x in range(loop)]
    with open(os.devnull) as file:
        pass
    print(sorted(locals()), sorted(vars()), argument in rest, dir() == sorted(locals()))
    print({name: value for name, value in locals().items() if name not in ("file",)})
    return inner, first, file.closed


def whose_frame():
    frame = sys._getframe()
    caller = frame.f_back
    return frame.f_lineno, caller.f_lineno, caller.f_code.co_name, sorted(frame.f_locals), frame.f_globals is globals()


def stack_names():
    return [info.function for info in inspect.stack() if info.filename == __file__]


def through(function):
    return function()


print(inspect.getsource(documented), inspect.getsource(Holder), inspect.getsourcelines(local_names)[1], sep="\n")
print(inspect.getdoc(documented), inspect.getcomments(documented), inspect.signature(documented))
print(documented.__annotations__, Holder.__annotations__, typing.get_type_hints(Holder))
print(local_names(1, 2, 3, option=4, extra=5))
print(whose_frame(), (lambda: whose_frame())(), [whose_frame()[1:3] for _ in range(1)])
print(stack_names(), through(stack_names), [(lambda: stack_names())() for _ in range(1)])
print(Holder().method().f_code.co_qualname if sys.version_info >= (3, 11) else Holder.method.__qualname__)
print(through(lambda: traceback.extract_stack()[-1].line))
print(through(lambda: [(frame.name, frame.lineno) for frame in traceback.extract_stack() if frame.filename == __file__]))
frame = Holder().method()
print(frame.f_lineno, sorted(frame.f_locals), inspect.getframeinfo(frame).function)
print(__name__, __doc__, os.path.basename(__file__), __spec__, __package__, sorted(globals()))
print(sys.argv, sys.path[0] == os.path.dirname(os.path.abspath(__file__)), sys.modules["__main__"].__dict__ is globals())
print(__builtins__.__name__, __loader__.__class__.__name__, type(sys.modules[__name__]).__name__)
print(inspect.getmodule(documented).__name__, inspect.getfile(Holder) == __file__, documented.__code__.co_filename == __file__)
print(sys.gettrace(), sys.getprofile(), sys.getrecursionlimit(), sys.displayhook is sys.__displayhook__)
print(sys.excepthook is sys.__excepthook__, sys.flags.optimize, sys.dont_write_bytecode, sys.getswitchinterval())
print(gc.isenabled(), gc.get_threshold(), gc.get_debug(), len(gc.callbacks))
print([name for name in dir(__builtins__) if "adebug" in name.lower()], documented.__globals__ is globals())
print([name for name in sorted(os.environ) if "ADEBUG" in name.upper()], os.getcwd() == sys.path[0])


def lines_of(function):
    return sorted({line for *_, line in function.__code__.co_lines() if line})


print(lines_of(documented), lines_of(through), lines_of(stack_names))


class Meta(type):
    def __new__(cls, name, bases, namespace):
        print(sorted(namespace))
        return super().__new__(cls, name, bases, namespace)


class Made(metaclass=Meta):
    x = 1
    y = [x for x in range(3)]
    z = x if y else y

    def method(self):
        return vars(self)

    print(sorted(locals()), sorted(vars()))


made = Made()
made.attribute = 1
print(made.method(), made.__dict__, sorted(key for key in vars(Made) if not key.startswith("_")))
