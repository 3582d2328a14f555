"""Flattens the expressions that suspend: `await`, `yield`, `yield from`.

A record is written before the suspension and another after it, because records of other code come between them.
"""

import ast
from typing import TYPE_CHECKING, Any

from .scope import Scope
from .syntax_builder import again, assign, place, recorder

if TYPE_CHECKING:
    from .expressions import Expressions


class Suspensions:
    """Rewrites one suspending expression into statements. `Expressions` calls it, at every level."""

    def __init__(self, expressions: "Expressions") -> None:
        self._expressions, self._scope = expressions, expressions.scope

    def wait(self, node: ast.Await) -> ast.expr:
        """`await value`, as statements."""
        scope, location = self._scope, place(node)
        node.value = self._expressions.value(node.value)
        if scope.full:
            scope.record("part", node, location)
        result = scope.new()
        scope.out.append(
            self._waits("resumed", assign(scope.temporary(result, location, ast.Store()), node, location), node)
        )
        resumed(scope, "resumed", node, location)
        return scope.temporary(result, location)

    def give(self, node: ast.Yield) -> ast.expr:
        """`yield value`, as statements."""
        scope, location = self._scope, place(node)
        value = ast.Constant(None, **location) if node.value is None else self._expressions.value(node.value, now=True)
        number = scope.map.node(node)
        scope.slot(number if node.value is None else node.value, value)
        scope.slot(-1, ast.Name("@g", ast.Load(), **location))
        scope.record("yield", node, location, result=len(scope.slots) - 2)
        result = scope.new()
        node.value = value
        scope.out.append(
            self._waits("thrown", assign(scope.temporary(result, location, ast.Store()), node, location), node)
        )
        resumed(scope, "resume", node, location, scope.temporary(result, location))
        return scope.temporary(result, location)

    def delegate(self, node: ast.YieldFrom) -> ast.expr:
        """`yield from values`, as statements."""
        scope, location = self._scope, place(node)
        original, node.value = node.value, self._expressions.value(node.value)
        iterable_slot = scope.slot_of(original, again(node.value))
        scope.slot(-1, ast.Name("@g", ast.Load(), **location))
        scope.record("delegate", node, location, result=iterable_slot)
        result = scope.new()
        scope.out.append(
            self._waits("thrown", assign(scope.temporary(result, location, ast.Store()), node, location), node)
        )
        resumed(scope, "resume", node, location, scope.temporary(result, location))
        return scope.temporary(result, location)

    def _waits(self, kind: str, statement: ast.stmt, node: ast.AST) -> ast.stmt:
        """Wrap a suspending statement so that an exception thrown into it is recorded, and propagates."""
        scope, location = self._scope, place(node)
        with scope.block() as caught:
            resumed(scope, kind, node, location, ast.Name("@x", ast.Load(), **location) if kind == "thrown" else None)
        caught.append(ast.Raise(None, None, **location))
        handler = ast.ExceptHandler(recorder("every", location), "@x", caught, **location)
        return ast.Try([statement], [handler], [], [], **location)


def resumed(scope: Scope, kind: str, node: ast.AST, location: dict[str, Any], sent: ast.expr | None = None) -> None:
    """Record that a suspension ended, after a new lookup of the tape: the thread may be another one."""
    scope.out += scope.look_up(location)
    kept, scope.slots = scope.slots, []
    scope.slot(-1, ast.Name("@g", ast.Load(), **location))
    if sent is not None:
        scope.slot(-1, sent)
    scope.record(kind, node, location)
    scope.slots = kept
