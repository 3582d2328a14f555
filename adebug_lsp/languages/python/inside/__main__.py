"""Runs a program in this interpreter as the interpreter itself would, and records it.

Usage: PYTHON THIS_FOLDER --out FILE --workspace DIR [OPTIONS] (PROGRAM | -m MODULE) [ARGS...]
"""

import sys

if __name__ == "__main__":
    from isolation import isolated_recorder  # type: ignore[import-not-found]

    del sys.modules["isolation"]
    isolated_recorder().load("adebug_inside.running").main(sys.argv[1:])
