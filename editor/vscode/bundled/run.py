"""Runs adebug with the folders that the extension names on the path of this process, and of no other.

`run.py FOLDERS ARGUMENT...` is the command `adebug ARGUMENT...`; without arguments, what this interpreter has is told
as JSON.
"""

import json
import os
import sys
from importlib.util import find_spec

NEEDED = ("adebug_lsp", "numpy", "debugpy")


def main():
    """Put the folders first, in place of this script's own."""
    sys.path[:1] = [folder for folder in sys.argv[1].split(os.pathsep) if folder]
    if len(sys.argv) == 2:
        found = {name: find_spec(name) is not None for name in NEEDED}
        print(json.dumps({"version": sys.version_info[:3], "executable": sys.executable, **found}))
        return 0
    sys.argv[:2] = ["adebug"]
    from adebug_lsp.cli.main import main as adebug  # noqa: PLC0415 - found only now

    return adebug()


if __name__ == "__main__":
    sys.exit(main())
