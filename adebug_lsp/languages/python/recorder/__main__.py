"""Runs a program in this interpreter as the interpreter itself would, and records it.

Usage: PYTHON THIS_FOLDER --out FILE --workspace DIR [OPTIONS] (PROGRAM | -m MODULE) [ARGS...]
"""

import sys

if __name__ == "__main__":
    imports = getattr(sys, "get_lazy_imports", str)()
    if imports:  # PEP 810: the recorder loads its own imports before the program's modules are instrumented
        sys.set_lazy_imports("normal")  # type: ignore[attr-defined]
    from isolation import isolated_recorder  # type: ignore[import-not-found]

    del sys.modules["isolation"]
    isolated_recorder().load("adebug_recorder.run.program").main(sys.argv[1:], imports)
