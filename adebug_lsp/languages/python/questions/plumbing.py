"""Classifies plumbing: code that carries a test or a program without being what it tests. It is asked about last.

Plumbing is: loading of modules with their class bodies, conftest files, fixtures, set-up and tear-down methods, plug-in
hooks, assertions, decorators, logging, and methods that turn an object into text.
"""

import re
from enum import IntEnum
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from adebug_lsp.languages.python.reading.static import SCOPES, Module, Routine
from adebug_lsp.tree.columns import Column

Bools = NDArray[np.bool_]

SETUP = re.compile(
    r"(setUp|tearDown)(Class|Module)?|async(SetUp|TearDown)|(setup|teardown)_(method|class|function|module)"
)
SPECIAL = frozenset({"__repr__", "__str__", "__rich_repr__", "__del__"})
LOGGING = frozenset({"logging", "_logging", "logger", "log", "logs"})
"""Last parts of the names of modules that log."""
FIXTURES = frozenset({"fixture", "yield_fixture"})
_HANDS_ON = re.compile(r"pytest_\w+|assert(_\w+|[A-Z]\w*)")
"""Hooks of plug-ins, and assertion helpers of the program."""
_WRAPS = "wraps"


class Plumbing(IntEnum):
    """How much of a call is plumbing."""

    NONE = 0
    ITSELF = 1
    """Only the routine itself: it calls or returns what is not plumbing, as wrappers of decorators, hooks and
    assertions do.
    """
    WHOLE = 2
    """The routine and everything that it calls."""


def plumbing_of(routine: Routine) -> Plumbing:
    """How much of a call of this routine is plumbing."""
    module = routine.module
    in_conftest = PurePath(module.path).name == "conftest.py"
    if _HANDS_ON.fullmatch(routine.name) or _is_decorator(routine):
        return Plumbing.ITSELF
    if routine.kind == "module" or in_conftest or SETUP.fullmatch(routine.name) or routine.name in SPECIAL:
        return Plumbing.WHOLE
    if module.name.rpartition(".")[2] in LOGGING or not FIXTURES.isdisjoint(_decorators(routine)):
        return Plumbing.WHOLE
    return Plumbing.NONE


def is_plumbing(of_routine: list[Plumbing], routine: Column, size: Column) -> Bools | None:
    """Which nodes of a tree in preorder are plumbing, by the routine and size of each; None if none is."""
    how = np.array(of_routine, dtype=np.int8)[routine]
    how[routine == routine[:1]] = Plumbing.NONE  # the root is what went wrong, with its loops
    if not how.any():
        return None
    whole = np.flatnonzero(how == Plumbing.WHOLE)
    ends = whole + size[whole]
    outermost = whole >= np.concatenate([[0], np.maximum.accumulate(ends)[:-1]]) if len(whole) else whole > 0
    changes = np.zeros(len(how) + 1, np.int8)
    changes[whole[outermost]] += 1
    changes[ends[outermost]] -= 1
    plumbing: Bools = np.cumsum(changes[:-1], dtype=np.int8) > 0
    plumbing |= how != Plumbing.NONE
    return plumbing


def _is_decorator(routine: Routine) -> bool:
    """Whether a routine wraps a function, or makes a function that does."""
    if routine.node < 0:
        return False
    module = routine.module
    inner = (n for n in module.children(routine.node) if module.nodes[n].kind in SCOPES)
    return _WRAPS in _decorators(routine) or any(_WRAPS in _names(module, n) for n in inner)


def _decorators(routine: Routine) -> set[str]:
    return _names(routine.module, routine.node) if routine.node >= 0 else set()


def _names(module: Module, function: int) -> set[str]:
    """The names of a function's decorators, without arguments and module."""
    names = set()
    for number in module.children(function):
        is_call = module.nodes[number].kind == "Call"
        node = module.nodes[module.children(number)[0] if is_call else number]
        if node.kind in ("Name", "Attribute"):
            names.add(str(node.extra))
    return names
