"""Runs adebug with the folders that the extension names on the path of this process, and of no other.

`run.py FOLDERS ARGUMENT...` is the command `adebug ARGUMENT...`; without arguments, what this interpreter has is told
as JSON. Up to there, any Python 3 understands this file.
"""

import json
import os
import sys

OLDEST_NUMPY = (1, 26)


def main():
    """Put the folders first, in place of this script's own."""
    sys.path[:1] = [folder for folder in sys.argv[1].split(os.pathsep) if folder]
    if len(sys.argv) == 2:
        print(json.dumps(found()))
        return 0
    sys.argv[:2] = ["adebug"]
    from adebug_lsp.frontends.cli.main import main as adebug  # noqa: PLC0415 - found only now

    return adebug()


def found():
    """The version, and what is there of what adebug needs."""
    told = {"version": sys.version_info[:3]}
    if sys.version_info < (3, 8):  # noqa: UP036 - an older one tells that it is
        return told
    from importlib.util import find_spec  # noqa: PLC0415 - see above

    told.update((name, find_spec(name) is not None) for name in ("adebug_lsp", "debugpy"))
    told["numpy"] = numpy_version() >= OLDEST_NUMPY
    return told


def numpy_version():
    """Without importing it, which takes long."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - see above

    try:
        return tuple(int(part) for part in version("numpy").split(".")[:2])
    except (PackageNotFoundError, ValueError):
        return (0, 0)


if __name__ == "__main__":
    sys.exit(main())
