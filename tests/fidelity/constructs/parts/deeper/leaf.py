"""Exports what it says."""

from __future__ import annotations

import sys

__all__ = ["exported", "state"]
state = {"imports": 0}
state["imports"] += 1


def exported(value: NotDefined = 1):
    return value + state["imports"]


def _hidden():
    return sys._getframe().f_globals["__name__"]
