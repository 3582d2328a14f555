"""exec, eval, compile, imports of all kinds, attributes and globals by name."""

import importlib
import inspect
import os
import runpy
import sys
import types

counter = 0


def evaluate():
    local = 5
    print(eval("local + counter + 1"), eval("[x * local for x in (1, 2)]", {"local": 3}), eval("sorted(locals())"))
    namespace = {}
    exec("def made(x):\n    return x * 2\nvalue = made(21)\nclass K:\n    y = 1\n", namespace)
    print(namespace["value"], namespace["made"](4), namespace["K"].y, "__builtins__" in namespace)
    exec("global counter\ncounter += 5")
    print(counter, sorted(name for name in locals() if name != "namespace"))
    code = compile("a + 1\n", "<made>", "eval")
    print(eval(code, {"a": 1}), code.co_filename, code.co_names)
    try:
        exec(compile("x = 1\ny = x / 0\n", "made.py", "exec"), {})
    except ZeroDivisionError as error:
        print(error.__traceback__.tb_next.tb_lineno, error.__traceback__.tb_next.tb_frame.f_code.co_filename)
    for wrong in ("1 +", "def f(:\n", "return 5", "x = 'unfinished"):
        try:
            compile(wrong, "wrong.py", "exec")
        except SyntaxError as error:
            print(error.msg, error.lineno, error.offset, error.filename)


def by_name():
    globals()["planted"] = "grown"
    setattr(sys.modules[__name__], "attribute", 1)
    print(planted, attribute, getattr(sys.modules[__name__], "nothing", "default"), hasattr(os, "getcwd"))
    del globals()["planted"]
    method = types.MethodType(lambda self, x: (self, x), "bound")
    print(method(1), types.FunctionType(by_name.__code__, {}, "renamed").__name__)
    made = type("Made", (), {"__repr__": lambda self: "made"})
    print(made(), types.SimpleNamespace(a=1), operator_like("upper")("text"))
    vars(made())["written"] = 1
    print(list(map(eval, ["1", "'two'"])))


def operator_like(name):
    return lambda value: getattr(value, name)()


def importing():
    import parts
    from parts import exported, shown
    from parts.deeper import lazy

    print(exported(), shown(), lazy, parts.deeper.leaf.state, parts.exported is exported)
    print(exported.__annotations__, parts.__doc__, os.path.basename(parts.__file__), parts.__spec__.name)
    again = importlib.reload(parts.deeper.leaf)
    print(again is parts.deeper.leaf, again.state, again.exported is exported)
    print(importlib.import_module(".leaf", "parts.deeper") is again, __import__("parts.deeper.leaf").__name__)
    try:
        from parts.deeper import nothing
    except ImportError as error:
        print(str(error).split(" (")[0])
    runpy.run_module("parts", run_name="__main__")
    found = runpy.run_path(os.path.join(os.path.dirname(__file__), "parts", "deeper", "leaf.py"))
    print(found["state"], found["__name__"])
    print(inspect.getsource(parts.deeper.leaf._hidden))
    print(sorted(name for name in sys.modules if name.startswith("parts")))


def broken_modules():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "written")
    os.makedirs(folder)
    sys.path.insert(0, folder)
    sources = {
        "wrong": "def f(:\n    pass\n",
        "raising": "x = 1\nraise RuntimeError('while importing')\n",
        "circle_a": "import circle_b\nvalue = 1\nprint('a sees', hasattr(circle_b, 'value'))\n",
        "circle_b": "import circle_a\nvalue = 2\nprint('b sees', hasattr(circle_a, 'value'))\n",
        "exiting": "import sys\nsys.exit('left while importing')\n",
    }
    for name, source in sources.items():
        with open(os.path.join(folder, name + ".py"), "w", encoding="utf-8") as file:
            file.write(source)
    importlib.invalidate_caches()
    for name in sources:
        try:
            importlib.import_module(name)
        except SyntaxError as error:
            print("SyntaxError", error.msg, error.lineno, error.offset, repr(error.text))
        except (RuntimeError, SystemExit) as error:
            print(repr(error), error.__traceback__.tb_frame.f_code.co_name, name in sys.modules)


for part in (evaluate, by_name, importing, broken_modules):
    print(part.__name__)
    part()
