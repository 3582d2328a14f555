"""The module-level names that a change can reach, so that changes which nothing in the test mentions are left out.

A changed definition reaches the names that its statement binds, and those bound by any module's statements that mention
such a name outside function bodies: subclasses, aliases, tables.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from attrs import define, frozen

from adebug_lsp.languages.python.reading.static import Module, Routine
from adebug_lsp.model.source import Location

_WORD = re.compile(r"\w+")
_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)


@frozen
class _Statement:
    """A top-level statement of a module."""

    path: str
    first: int
    last: int
    bound: frozenset[str]
    mentioned: frozenset[str]
    """The words in it outside function bodies."""


@define(eq=False)
class NameReach:
    """The names of a program, and which of them depend on which."""

    modules: Sequence[Module]

    def reached(self, routine: Routine, changes: Iterable[Location]) -> frozenset[str]:
        """The names by which other code can notice a change; empty if nothing is known."""
        names = {part for part in routine.qualname.split(".") if part.isidentifier() and part != "__init__"}
        for place in changes:
            lines = place.range.start.line, place.range.end.line
            for statement in self._statements:
                if statement.path == place.path and statement.first <= lines[1] and lines[0] <= statement.last:
                    names |= statement.bound
        before = -1
        while before != len(names):
            before = len(names)
            for statement in self._statements:
                if not statement.mentioned.isdisjoint(names):
                    names |= statement.bound
        return frozenset(names)

    @cached_property
    def _statements(self) -> list[_Statement]:
        return [statement for module in self.modules for statement in _statements(module)]


def words_of(routines: Iterable[Routine]) -> frozenset[str]:
    """All words in the names and code of some routines."""
    words: set[str] = set()
    for routine in routines:
        words.update(_WORD.findall(routine.qualname))
        if routine.node >= 0:
            words.update(_WORD.findall(routine.module.text(routine.node)))
    return frozenset(words)


def _statements(module: Module) -> Iterator[_Statement]:
    """The top-level statements of a module, with the names that they bind and mention."""
    try:
        body = ast.parse(module.source).body
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in body:
        lines = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:  # they have nothing to do with each other
                bound = (alias.asname or alias.name).partition(".")[0]
                yield _Statement(module.path, *lines, frozenset({bound}), frozenset(_WORD.findall(alias.name)))
        else:
            yield _Statement(module.path, *lines, frozenset(_bound(node)), frozenset(_mentioned(node)))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds."""
    if isinstance(statement, (*_DEFS, ast.ClassDef)):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (*_DEFS, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield from (inner.id for inner in ast.walk(node.value) if isinstance(inner, ast.Name))


def _mentioned(node: ast.AST) -> Iterator[str]:
    """The words of a node outside the bodies of functions."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.alias):
        yield from _WORD.findall(node.name)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from _WORD.findall(node.value[:200])
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, _DEFS) and child in node.body):
            yield from _mentioned(child)
