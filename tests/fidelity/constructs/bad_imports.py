"""Modules that cannot be imported, each for another reason: the tracebacks name no one else."""

import os
import sys
import traceback

sys.path.insert(0, os.getcwd())
SOURCES = {
    "not_python": "x = 1\ndef f(:\n    pass\n",
    "with_a_null": "x = 1\0\n",
    "raises": "def f():\n    return 1 / 0\n\nf()\n",
    "imports_nothing": "import nothing_of_the_kind\n",
    "imports_not_python": "def f():\n    import not_python\n\nf()\n",
    "returns_outside": "return 3\n",
}


def load(name):
    return __import__(name)


for name, source in SOURCES.items():
    with open(f"{name}.py", "w") as file:
        file.write(source)
    try:
        load(name)
    except Exception as error:
        print(name, type(error).__name__, error.__context__, name in sys.modules)
        traceback.print_exc()
import not_python
