"""Whether code is the same in both versions and cannot reach changed code: then the result is the same.

Decided conservatively, by names: every routine that mentions a changed one counts as changed, and nothing is claimed
where code is reached without a name (an overloaded operator, a function in a variable).
"""

import ast
import builtins
from collections.abc import Iterable

from ..modules import Source
from ..protocol import Row
from .routine_syntax import Routine, bound, head

_NAMED_BY_CLASS = frozenset({"__init__", "__new__", "__post_init__"})
_RUNS_OTHER_CODE = frozenset({"map", "filter", "zip", "enumerate", "reversed", "list_iterator", "callable_iterator"})


class Changes:
    """Names by which changed code can be reached."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self.names: set[str] = set()
        self.anywhere = False
        """Whether changed code can be reached without a name."""
        known = list(sources)
        everything = [(source, routine) for source in known for routine in source.recorded_routines]
        for source in known:
            if not source.same and head(source.recorded) != head(source.own):
                self.anywhere = True
        for source, routine in everything:
            if _is_changed(source, routine):
                self._add(routine)
        if not self.names:
            return
        grown, mentions = -1, [(routine, mentioned(routine.node)) for _source, routine in everything if routine.name]
        while grown != len(self.names):
            grown = len(self.names)
            for routine, names in mentions:
                if not names.isdisjoint(self.names):
                    self._add(routine)

    def reach(self, routine: Routine, node: ast.AST, rows: Iterable[Row]) -> bool:
        """Whether part of a routine, run with these values, might reach changed code."""
        if not self.names and not self.anywhere:
            return False
        own = bound(routine.node)
        unnamed = any(_calls_unnamed(inner, own) for inner in ast.walk(node) if isinstance(inner, ast.Call))
        return self.anywhere or unnamed or bool(mentioned(node) & self.names) or any(map(self._runs_changed, rows))

    def _runs_changed(self, row: Row) -> bool:
        """Whether using a value may run changed code."""
        if row["k"] == "missing" and row.get("type", ("", ""))[1] in _RUNS_OTHER_CODE:
            return True
        name = row.get("name") if row["k"] in ("missing", "function", "method", "generator") else None
        return bool(name and self.names & set(name.split(".")))

    def _add(self, routine: Routine) -> None:
        last = routine.name.rpartition(".")[2]
        if last in _NAMED_BY_CLASS:
            self.names |= set(routine.classes[-1:])
        elif last.startswith("__") and last.endswith("__"):
            self.anywhere = True
        else:
            self.names.add(last)


def mentioned(node: ast.AST) -> set[str]:
    """Names of variables and attributes in a node."""
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            names.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            names.add(inner.attr)
    return names


def _is_changed(source: Source, routine: Routine) -> bool:
    own = None if source.same else source.counterpart(routine)
    if source.same or not routine.name:
        return False
    return own is None or ast.dump(routine.node) != ast.dump(own.node)


def _calls_unnamed(call: ast.Call, own: set[str]) -> bool:
    """Whether the called function is a variable, or the result of an expression."""
    called = call.func
    if isinstance(called, ast.Name):
        return called.id in own and not hasattr(builtins, called.id)
    return not isinstance(called, ast.Attribute)
