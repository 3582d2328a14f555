"""Rewrites compound statements, with a marker at every branch."""

import ast
import sys
from collections.abc import Callable
from typing import Any

from ..analysis.call_effects import makes_iterator, may_call_back
from ..analysis.syntax_walk import walk
from ..analysis.targets import captures, names, only_names
from .activation import IMPORTS_MAY_BE_LAZY, caught_exception, guarded
from .assignments import Assignments
from .emit import put_raised
from .expressions import Expressions
from .short_circuit import ShortCircuits
from .suspensions import resumed
from .syntax_builder import again, assign, call, constant, do, is_simple_name, name, place, recorder, stored, thin

if sys.version_info >= (3, 11):
    _TRY = (ast.Try, ast.TryStar)
else:
    _TRY = (ast.Try,)


class Blocks:
    """Rewrites the compound statements of one scope, except definitions. `ScopeRewriter` calls it.

    It calls back, by `body`, for the statements inside.
    """

    KINDS = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Match, *_TRY)

    def __init__(
        self, expressions: Expressions, assignments: Assignments, body: Callable[[list[ast.stmt]], list[ast.stmt]]
    ) -> None:
        self._expressions, self._scope, self._assignments, self._body = (
            expressions,
            expressions.scope,
            assignments,
            body,
        )

    def _headed(self, head: list[ast.stmt], statements: list[ast.stmt]) -> list[ast.stmt]:
        return [*head, *self._body(statements)]

    def _looped(self, head: list[ast.stmt], statements: list[ast.stmt]) -> list[ast.stmt]:
        self._scope.loop_depth += 1
        made = self._headed(head, statements)
        self._scope.loop_depth -= 1
        return made

    def do_If(self, node: ast.If) -> None:
        scope, location = self._scope, place(node)
        test_location, test_node = place(node.test), self._scope.map.node(node.test)
        node.test = self._expressions.condition(node.test)
        slots, stores, writes = scope.slots, scope.stores, scope.writes
        heads = []
        for taken in (True, False):
            scope.slots, scope.stores, scope.writes = list(slots), list(stores), list(writes)
            heads.append(scope.take("branch", node, test_location, taken=taken, test=test_node) if scope.full else [])
        scope.slots, scope.stores, scope.writes = [], [], []
        body = self._headed(heads[0], node.body)
        orelse = self._headed(heads[1], node.orelse)
        scope.out.append(ast.If(node.test, body, orelse, **location))

    def do_While(self, node: ast.While) -> None:
        scope, location = self._scope, place(node)
        test_location, test_node = thin(place(node.test)), self._scope.map.node(node.test)
        self._scope.out.extend(self._scope.mark("loop", node, location))
        plain = ShortCircuits(self._expressions).is_plain(node.test)
        if plain or node.orelse or not (scope.full or self._expressions.must_flatten(node.test)):
            if not plain:
                node.test = self._expressions.inline.condition(node.test)
            head = [*scope.look_up(test_location), *self._scope.mark("iteration", node, test_location, test=test_node)]
            node.body = self._looped(head, node.body)
            node.orelse = self._else(node)
            scope.out.append(node)
        else:
            with scope.block() as test:
                condition = self._expressions.condition(node.test)
                slots, stores, writes = scope.slots, scope.stores, scope.writes
                head = [*scope.look_up(test_location), *scope.take("iteration", node, test_location, test=test_node)]
                scope.slots, scope.stores, scope.writes = slots, stores, writes
                end = scope.take("last_test", node, test_location, test=test_node)
            body = self._looped(head, node.body)
            stop = [*end, ast.Break(**test_location)]
            negated = ast.UnaryOp(ast.Not(), condition, **test_location)
            loop = [*test, ast.If(negated, stop, [], **test_location), *body]
            scope.out.append(ast.While(ast.Constant(True, **test_location), loop, [], **location))
        scope.out.extend(self._scope.mark("after", node, location))

    def do_For(self, node: ast.For | ast.AsyncFor) -> None:
        scope, location = self._scope, place(node)
        original = node.iter
        if scope.full or self._expressions.must_flatten(node.iter) or makes_iterator(node.iter, scope.names):
            node.iter = self._expressions.value(node.iter, now=True)
            scope.slot_of(original, again(node.iter))
        elif not self._expressions.simple(node.iter):  # its calls run before the loop
            node.iter = scope.keep(self._expressions.inline.rewrite(node.iter), original, place(original), slot=False)
        watch = self._iteration_watch(node, original) if not isinstance(node, ast.AsyncFor) else None
        scope.record("loop", node, place(original))
        here = place(node.target)
        with scope.block():
            if only_names(node.target):
                for n in names(node.target):
                    scope.stores.append((n.id, scope.slot(n, name(n.id, here))))
                bound: list[ast.stmt] = []
            else:
                number = scope.new()
                element, node.target = node.target, scope.temporary(number, here, ast.Store())
                self._assignments.store(element, scope.temporary(number, here))
                bound = scope.out
            head = [*self._watch_iteration(watch, here), *scope.look_up(here), *bound]
            head += scope.take("iteration", node, here)
            if isinstance(node, ast.AsyncFor):
                head = [*self._back(node, here), *head]
        kept = scope.temporaries
        node.body = self._looped(head, node.body)
        node.orelse = self._else(node)
        scope.temporaries = kept
        scope.out += [node, *self._watch_iteration(watch, thin(location))]
        if isinstance(node, ast.AsyncFor):
            scope.out.extend(self._back(node, location))
        scope.out.extend(self._scope.mark("after", node, location))

    do_AsyncFor = do_For

    def _else(self, node: ast.For | ast.AsyncFor | ast.While) -> list[ast.stmt]:
        """The `else` of a loop, which is no iteration but keeps the loop's temporaries."""
        if not node.orelse:
            return []
        return self._looped(self._scope.mark("else", node, thin(place(node.orelse[0]))), node.orelse)

    def _back(self, node: ast.AST, location: dict[str, Any]) -> list[ast.stmt]:
        """A record that a coroutine was resumed, because others may have run meanwhile."""
        with self._scope.block() as out:
            resumed(self._scope, "resumed", node, location)
        return out

    def _iteration_watch(self, node: ast.For, original: ast.expr) -> ast.expr | None:
        """Watch for changes that iterating over a value makes; returns the variable of the watch."""
        scope, location = self._scope, place(original)
        if not self._expressions.simple(node.iter) and not is_simple_name(node.iter):
            return None
        if not may_call_back(original, scope.names):
            return None
        depth = f"h{scope.loop_depth}"
        held: ast.expr = (
            name(f"@{depth}", location)
            if scope.function
            else ast.Attribute(constant("temporaries", location), depth, ast.Load(), **location)
        )
        unknown = scope.type_is_not("quiet", node.iter, location)
        watch = call(recorder("through", location), [again(node.iter)], location)
        scope.out.append(assign(stored(held), ast.BoolOp(ast.And(), [unknown, watch], **location), location))
        return held

    @staticmethod
    def _watch_iteration(watch: ast.expr | None, location: dict[str, Any]) -> list[ast.stmt]:
        if watch is None:
            return []
        return [ast.If(again(watch), [do(recorder("iteration", location), [again(watch)], location)], [], **location)]

    def do_With(self, node: ast.With | ast.AsyncWith) -> None:
        scope, location = self._scope, place(node)
        # Only the first manager can be evaluated before the statement: the others follow after it was entered.
        first = node.items[0]
        before = scope.full or self._expressions.must_flatten(first.context_expr)
        for item in node.items:
            if item is first and before:
                item.context_expr = self._expressions.value(item.context_expr)
            else:
                item.context_expr = self._expressions.inline.rewrite(item.context_expr)
        if before:
            self._scope.record_statement("with", node)
        with scope.block():
            for item in node.items:
                if item.optional_vars is not None:
                    for n in names(item.optional_vars):
                        scope.stores.append((n.id, scope.slot(n, name(n.id, location))))
            head = scope.take("block", node, location) if scope.full else []
            if isinstance(node, ast.AsyncWith):
                head = [*self._back(node, location), *head]
        loops = _has_loops(node)
        scope.around.append(self._scope.map.node(node))
        node.body = self._headed(head, node.body)
        scope.around.pop()
        if loops:  # `__exit__` runs after the loops that the exception left
            node.body = [self._passing_on(node, thin(location))]
        scope.out += [node, scope.failed(thin(location))]
        if isinstance(node, ast.AsyncWith):
            scope.out.extend(self._back(node, location))
        if loops:
            scope.out.extend(self._scope.mark("after", node, location))

    do_AsyncWith = do_With

    def _passing_on(self, node: ast.With | ast.AsyncWith, location: dict[str, Any]) -> ast.stmt:
        """The body of a `with`, wrapped so that an exception leaving it is recorded."""
        marker = self._scope.map.marker("passes", self._scope.map.node(node), self._scope.routine, slots=[-1])
        if self._scope.kind == "module" and IMPORTS_MAY_BE_LAZY:
            return guarded(node.body, marker, location, ends=False)
        caught, exception = caught_exception(self._scope, location)
        record = put_raised(marker, [exception], location)
        handler = ast.ExceptHandler(
            recorder("every", location), caught, [*record, ast.Raise(None, None, **location)], **location
        )
        return ast.Try(node.body, [handler], [], [], **location)

    def do_Try(self, node: ast.Try) -> None:
        scope, location = self._scope, place(node)
        loops = _has_loops(node)  # before loops of our own are inserted below
        waits = scope.kind in ("coroutine", "async_generator")
        if node.finalbody:
            scope.around.append(self._scope.map.node(node))
        node.body = self._headed(self._scope.mark("block", node, location) if scope.full else [], node.body)
        for handler in node.handlers:
            here = thin(place(handler))
            with scope.block():
                if handler.name:
                    scope.stores.append((handler.name, scope.slot(-1, name(handler.name, here))))
                head = scope.take("handler", handler, here)
            head = [scope.failed(here), *head]
            head = [*self._back(handler, here), *head] if waits else head
            handler.body = self._headed(head, handler.body)
        node.orelse = self._body(node.orelse)
        if node.finalbody:
            scope.around.pop()
            final = thin(place(node.finalbody[0]))
            head = [scope.failed(final), *self._scope.mark("finally", node, final)]
            node.finalbody = self._headed([*self._back(node, final), *head] if waits else head, node.finalbody)
        scope.out.append(node)
        if loops:
            scope.out.extend(self._scope.mark("after", node, location))

    do_TryStar = do_Try

    def do_Match(self, node: ast.Match) -> None:
        scope = self._scope
        original = node.subject
        if scope.full or self._expressions.must_flatten(original):
            node.subject = self._expressions.value(original, now=True)
            scope.slot_of(original, again(node.subject))
            self._scope.record_statement("with", node)
        else:
            node.subject = self._expressions.inline.rewrite(original)
        for case in node.cases:
            here = place(case.pattern)
            if case.guard is not None:
                case.guard = self._expressions.inline.condition(case.guard)
            with scope.block():
                for captured in captures(case.pattern):
                    scope.stores.append((captured, scope.slot(-1, name(captured, here))))
                head = scope.take("case", case, here) if scope.full else []
            case.body = self._headed(head, case.body)
        scope.out.append(node)


def _has_loops(node: ast.AST) -> bool:
    """Whether an exception may leave a loop that the statement contains, so that its end needs a record."""
    return any(isinstance(inside, (ast.For, ast.AsyncFor, ast.While)) for inside in walk(node))
