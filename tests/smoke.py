"""Records a program with the installed adebug; fails if the recorder in C was not used, or with `--pure` if it was.

Wheels are tried with it in an environment that has nothing but their dependencies: standard library only.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

# The recorder keeps its modules out of `sys.modules`, where the program would see them.
PROGRAM = """
import gc
import types

def double(x):
    return x + x

modules = [o for o in gc.get_objects() if type(o) is types.ModuleType]
fast = any(module.__name__ == "adebug_recorder.native._accelerator" for module in modules)
print(double(4), "C" if fast else "Python")
"""


def main() -> int:
    """Record in a new folder; return the exit code."""
    expected = "8 Python" if "--pure" in sys.argv[1:] else "8 C"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.py").write_text(PROGRAM, encoding="utf-8")
        command = [sys.executable, "-m", "adebug_lsp", "record", "--python", sys.executable, "-o", "kept", "program.py"]
        environment = {name: value for name, value in os.environ.items() if name != "ADEBUG_PURE"}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        recorded = Path(folder, "kept").exists()
    if done.returncode == 0 and recorded and done.stdout.split("\n")[0] == expected:
        print(f"recorded: {expected}")
        return 0
    print(f"expected {expected!r} and a recording\n{done.stdout}{done.stderr}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
