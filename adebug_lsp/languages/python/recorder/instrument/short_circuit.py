"""Flattens expressions that are evaluated only in part: `and`, `or`, conditional expressions, and conditions."""

import ast
import sys
from typing import TYPE_CHECKING, Any

from .syntax_builder import assign, place

if TYPE_CHECKING:
    from .expressions import Expressions

ASKS_ONCE = not (3, 12) <= sys.version_info < (3, 14)
"""Whether the interpreter tests the truth of `a` in `(a and b) or c` only once."""


class ShortCircuits:
    """Rewrites branching expressions into `if` statements.

    `Expressions` calls it for values; the passes over `if`, `while` and `assert` for conditions.
    """

    def __init__(self, expressions: "Expressions") -> None:
        self._expressions, self._scope = expressions, expressions.scope

    def condition(self, node: ast.expr) -> ast.expr:
        """Flatten a condition; the truth of each object is tested as often as in the original."""
        if self.is_plain(node):
            return node
        if not (self._scope.full or self._expressions.must_flatten(node)):
            return self._expressions.inline.condition(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self.condition(node.operand)
            return node
        if isinstance(node, ast.Compare):
            return self._expressions.flat_Compare(node)
        if isinstance(node, ast.BoolOp):
            return self._truth(node)
        if isinstance(node, ast.IfExp) and any(_asks_inside(branch) for branch in (node.body, node.orelse)):
            return self._truth_of_branch(node)
        return self._expressions.value(node)

    def is_plain(self, node: ast.expr) -> bool:
        """Whether a condition has only simple operands, so that it can stay unchanged."""
        if isinstance(node, ast.Compare):
            return all(self._expressions.simple(n) for n in (node.left, *node.comparators))
        if isinstance(node, ast.UnaryOp):
            return self.is_plain(node.operand)
        if isinstance(node, ast.BoolOp):
            return all(self.is_plain(value) for value in node.values)
        return self._expressions.simple(node)

    def either(self, node: ast.BoolOp) -> ast.expr:
        """Flatten `and` or `or` to its value."""
        result = self._scope.new()
        self._either(node, result, None)
        return self._scope.temporary(result, place(node))

    def conditional(self, node: ast.IfExp) -> ast.expr:
        """Flatten `a if test else b` to its value."""
        scope, location = self._scope, place(node)
        result = scope.new()
        test = self.condition(node.test)
        branches = []
        for branch in (node.body, node.orelse):
            here = place(branch)
            with scope.block() as inner:
                made, _ = (branch, False) if self._expressions.simple(branch) else self._expressions.computed(branch)
                inner.append(assign(scope.temporary(result, here, ast.Store()), made, here))
                scope.slot(branch, scope.temporary(result, here))
                scope.record("part", branch, here)
            branches.append(inner)
        scope.out.append(ast.If(test, branches[0], branches[1], **location))
        return scope.temporary(result, location)

    def _truth(self, node: ast.BoolOp) -> ast.expr:
        """Flatten `and` or `or` to nested conditions that set a flag."""
        scope, location = self._scope, place(node)
        flag = scope.new()
        every = isinstance(node.op, ast.And)

        def settle(value: bool) -> list[ast.stmt]:
            return self._settled(flag, value, location)

        def rest(values: list[ast.expr]) -> None:
            here = place(values[0])
            test = self.condition(values[0])
            if len(values) == 1:
                scope.out.append(ast.If(test, settle(True), settle(False), **here))
                if scope.slots:
                    scope.record("part", values[0], here)
                return
            with scope.block() as inner:
                rest(values[1:])
            both = (inner, settle(False)) if every else (settle(True), inner)
            if scope.slots and values is not node.values:
                scope.record("part", values[0], here)
            scope.out.append(ast.If(test, *both, **here))

        rest(node.values)
        return scope.temporary(flag, location)

    def _truth_of_branch(self, node: ast.IfExp) -> ast.expr:
        """Flatten a conditional expression to one that sets a flag."""
        scope, location = self._scope, place(node)
        flag = scope.new()
        test = self.condition(node.test)
        branches = []
        for branch in (node.body, node.orelse):
            here = place(branch)
            with scope.block() as inner:
                truth = self.condition(branch)
                inner.append(ast.If(truth, self._settled(flag, True, here), self._settled(flag, False, here), **here))
                if scope.slots:
                    scope.record("part", branch, here)
            branches.append(inner)
        scope.out.append(ast.If(test, branches[0], branches[1], **location))
        return scope.temporary(flag, location)

    def _settled(self, flag: int, value: bool, location: dict[str, Any]) -> list[ast.stmt]:
        return [assign(self._scope.temporary(flag, location, ast.Store()), ast.Constant(value, **location), location)]

    def _either(self, node: ast.BoolOp, result: int, flag: int | None) -> None:
        """Assign the value of `and` or `or` to the temporary `result`, and its truth to `flag` if given."""
        scope, location = self._scope, place(node)
        every = isinstance(node.op, ast.And)

        def settle(value: bool) -> list[ast.stmt]:
            return [] if flag is None else self._settled(flag, value, location)

        def rest(first: ast.expr, *others: ast.expr) -> None:
            here = place(first)
            asked = bool(others) or flag is not None
            known = scope.new() if asked and ASKS_ONCE and isinstance(first, ast.BoolOp) else None
            if known is not None:
                self._either(first, result, known)  # type: ignore[arg-type]
            else:
                made, _ = (first, False) if self._expressions.simple(first) else self._expressions.computed(first)
                scope.out.append(assign(scope.temporary(result, here, ast.Store()), made, here))
            scope.slot(first, scope.temporary(result, here))
            scope.record("part", first, here)
            test = scope.temporary(result if known is None else known, location)
            if others:
                with scope.block() as inner:
                    rest(*others)
                test = test if every else ast.UnaryOp(ast.Not(), test, **location)
                scope.out.append(ast.If(test, inner, settle(not every), **location))
            elif asked:
                scope.out.append(ast.If(test, settle(True), settle(False), **location))

        rest(*node.values)


def _asks_inside(node: ast.expr) -> bool:
    """Whether a condition tests the truth of several objects."""
    if isinstance(node, ast.UnaryOp):
        return _asks_inside(node.operand)
    if isinstance(node, ast.IfExp):
        return _asks_inside(node.body) or _asks_inside(node.orelse)
    return isinstance(node, ast.BoolOp) or (isinstance(node, ast.Compare) and len(node.ops) > 1)
