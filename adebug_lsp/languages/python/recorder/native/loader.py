"""The library that is built from `accelerator.c`, where there is one that fits to this interpreter."""

import os
import sysconfig
from typing import Any

from ..contract import NATIVE

FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
"""Whether the interpreter was built without a global lock (PEP 703): objects are laid out otherwise, the library does
not fit."""


def load() -> Any:
    """The library, if it is beside this file, fits to this interpreter and is wanted."""
    if os.environ.get("ADEBUG_PURE") == "1" or FREE_THREADED:
        return None
    try:
        from . import _accelerator
    except ImportError:
        return None
    return _accelerator if _accelerator.CONTRACT == NATIVE else None


accelerator = load()
