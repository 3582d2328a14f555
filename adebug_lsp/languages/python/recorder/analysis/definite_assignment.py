"""Finds the reads of a function's own variables that cannot fail, because a binding precedes them on every path.

A path that is hard to analyse counts as binding nothing: reads after it stay where they are, which is always
correct. Variables that are deleted somewhere are never private and are not analysed.
"""

import ast

from .syntax_walk import walk
from .targets import captures, names

ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
Bound = frozenset[str] | None
"""Names that are definitely bound at a point; None if the point is unreachable."""


def certain_reads(body: list[ast.stmt], parameters: list[str]) -> set[ast.AST]:
    """The `Name` nodes that are definitely bound when they are read."""
    analysis = DefiniteAssignment()
    analysis.block(body, frozenset(parameters))
    return analysis.reads


class DefiniteAssignment:
    """Follows the statements of one function; `after_KIND` returns the names that are bound after a statement."""

    def __init__(self) -> None:
        self.reads: set[ast.AST] = set()

    def block(self, statements: list[ast.stmt], bound: Bound) -> Bound:
        """Follow a block; returns the names that are bound at its end."""
        for statement in statements:
            if bound is None:
                return None
            follow = getattr(self, f"after_{type(statement).__name__}", self._after_other)
            bound = follow(statement, bound)
        return bound

    def _read(self, node: ast.AST, bound: frozenset[str]) -> None:
        self.reads.update(n for n in walk(node) if isinstance(n, ast.Name) and n.id in bound)

    def _after_other(self, node: ast.stmt, bound: frozenset[str]) -> Bound:
        self._read(node, bound)
        return None if isinstance(node, ENDS) else bound

    def after_Assign(self, node: ast.Assign, bound: frozenset[str]) -> Bound:
        self._read(node, bound)
        return bound.union(n.id for target in node.targets for n in names(target))

    def after_AnnAssign(self, node: ast.AnnAssign, bound: frozenset[str]) -> Bound:
        self._read(node, bound)
        return bound.union(n.id for n in names(node.target)) if node.value else bound

    def after_AugAssign(self, node: ast.AugAssign, bound: frozenset[str]) -> Bound:
        self._read(node, bound)
        return bound.union(n.id for n in names(node.target))

    def after_FunctionDef(self, _node: object, bound: frozenset[str]) -> Bound:
        return bound

    after_AsyncFunctionDef = after_ClassDef = after_FunctionDef

    def after_If(self, node: ast.If, bound: frozenset[str]) -> Bound:
        self._read(node.test, bound)
        return _joined(self.block(node.body, bound), self.block(node.orelse, bound))

    def after_While(self, node: ast.While, bound: frozenset[str]) -> Bound:
        self._read(node.test, bound)
        self.block(node.body, bound)
        self.block(node.orelse, bound)
        return bound

    def after_For(self, node: ast.For | ast.AsyncFor, bound: frozenset[str]) -> Bound:
        self._read(node.iter, bound)
        self.block(node.body, bound.union(n.id for n in names(node.target)))
        self.block(node.orelse, bound)
        return bound

    after_AsyncFor = after_For

    def after_With(self, node: ast.With | ast.AsyncWith, bound: frozenset[str]) -> Bound:
        """A context manager may suppress an exception from anywhere inside."""
        inner = bound
        for item in node.items:
            self._read(item.context_expr, inner)
            if item.optional_vars is not None:
                inner = inner.union(n.id for n in names(item.optional_vars))
        self.block(node.body, inner)
        return bound

    after_AsyncWith = after_With

    def after_Try(self, node: ast.Try, bound: frozenset[str]) -> Bound:
        end = self.block(node.orelse, self.block(node.body, bound))
        for handler in node.handlers:
            end = _joined(end, self.block(handler.body, bound))
        final = self.block(node.finalbody, bound)
        return None if end is None or final is None else end | final

    after_TryStar = after_Try

    def after_Match(self, node: ast.Match, bound: frozenset[str]) -> Bound:
        self._read(node.subject, bound)
        for case in node.cases:
            self.block(case.body, bound.union(captures(case.pattern)))
        return bound


def _joined(first: Bound, second: Bound) -> Bound:
    if first is None or second is None:
        return first if second is None else second
    return first & second
