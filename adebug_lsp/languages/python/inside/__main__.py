"""Runs a program in this interpreter as the interpreter itself would, and records it.

Usage: PYTHON THIS_FOLDER --out FILE --workspace DIR [OPTIONS] (PROGRAM | -m MODULE) [ARGS...]
"""

import importlib.util
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))


def _load() -> None:
    """Make this folder the package `adebug_inside` without a word on the import path."""
    spec = importlib.util.spec_from_file_location(
        "adebug_inside", os.path.join(FOLDER, "__init__.py"), submodule_search_locations=[FOLDER]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["adebug_inside"] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    imports = getattr(sys, "get_lazy_imports", str)()
    if imports:  # PEP 810: what the recorder needs it must have before the program's modules are rewritten
        sys.set_lazy_imports("normal")  # type: ignore[attr-defined]
    _load()
    from adebug_inside.running import main  # type: ignore[import-not-found]

    main(sys.argv[1:], imports)
