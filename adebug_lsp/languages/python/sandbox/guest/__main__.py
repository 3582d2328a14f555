"""Serves requests until its input ends: one JSON object on each line, one reply on a line of its own.

Usage: PYTHON -I THIS_FOLDER
"""

import importlib.util
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))


def _load() -> None:
    """Make this folder the package `adebug_sandbox`, and take it off the import path."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != FOLDER]
    spec = importlib.util.spec_from_file_location(
        "adebug_sandbox", os.path.join(FOLDER, "__init__.py"), submodule_search_locations=[FOLDER]
    )
    if spec is None or spec.loader is None:
        sys.exit(f"{FOLDER} cannot be loaded")
    package = importlib.util.module_from_spec(spec)
    sys.modules["adebug_sandbox"] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    _load()
    from adebug_sandbox.request_server import main  # type: ignore[import-not-found]

    main()
