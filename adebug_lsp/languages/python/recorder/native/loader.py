"""Loads the library built from `accelerator.c`, if there is one for this interpreter."""

import os
import sysconfig
from typing import Any

from ..contract import NATIVE

FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
"""Whether this is a free-threaded build (PEP 703), whose object layout the library does not support."""


def load() -> Any:
    """Return the library if it is next to this file, fits this interpreter and is not disabled; otherwise None."""
    if os.environ.get("ADEBUG_PURE") == "1" or FREE_THREADED:
        return None
    try:
        from . import _accelerator
    except ImportError:
        return None
    return _accelerator if _accelerator.CONTRACT == NATIVE else None


accelerator = load()
