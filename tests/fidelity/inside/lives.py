"""Runs the programs `program_*.py` beside it, one after the other, and prints what each has noticed."""

import importlib
import os
import sys
import warnings

warnings.simplefilter("ignore")
for name in sorted(
    file[:-3] for file in os.listdir(os.path.dirname(os.path.abspath(__file__))) if file.startswith("program_")
):
    program = importlib.import_module(name)
    try:
        program.main()
        program.log("returned")
    except Exception as error:
        program.log("raised", type(error).__name__, error)
        error = None
    print(name, "|".join(program.LOG), flush=True)
    del sys.modules[name]
