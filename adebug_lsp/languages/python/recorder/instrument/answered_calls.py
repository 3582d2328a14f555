"""Instrumentation for executing one activation again, where the recorder answers calls with their recorded results.

Every routine first asks the recorder for an answer. If there is one, the routine's own code does not run; its start and
end are recorded as usual.
"""

import ast
from collections.abc import Callable
from typing import Any

from ..analysis.static_map import ModuleMap
from .activation import generator_slots, lingering
from .scope import Scope
from .syntax_builder import again, assign, call, do, name, recorder

Body = Callable[[list[ast.stmt]], list[ast.stmt]]


def answered_function(scope: Scope, node: int, body: Body, location: dict[str, Any]) -> list[ast.stmt]:
    """The statements before a function's code that return the answer; `body` rewrites the `yield` of a generator."""
    if not scope.map.answered:
        return []
    if scope.kind not in ("routine", "generator"):
        return [do(recorder("refuses", location), [ast.Constant("a coroutine runs in it", **location)], location)]
    more = generator_slots(scope, location)
    answer = [*_steps(scope, node, body, location), *_rebinding(scope, location)]
    slots: list[tuple[int, ast.expr]] = [
        (-1, recorder("answer", location)),
        *((-1, again(value)) for value in more),
    ]
    marker = scope.map.marker("return", -1, scope.routine, slots=[-1] * len(slots), result=0, **lingering(scope))
    answer += [*scope.statements(marker, slots, location), ast.Return(recorder("answer", location), **location)]
    return [ast.If(_answer_to(scope.map, node, location, *more), answer, [], **location)]


def answered_lambda(module: ModuleMap, node: int, body: ast.expr, location: dict[str, Any]) -> ast.expr:
    """The body of a lambda that returns the answer if there is one."""
    return (
        ast.IfExp(_answer_to(module, node, location), recorder("answer", location), body, **location)
        if module.answered
        else body
    )


def _answer_to(module: ModuleMap, node: int, location: dict[str, Any], *more: ast.expr) -> ast.Call:
    """A call that asks the recorder for the answer of a routine, identified by module and node."""
    return call(
        recorder("answers", location),
        [ast.Constant(module.module, **location), ast.Constant(node, **location), *more],
        location,
    )


def _steps(scope: Scope, node: int, body: Body, location: dict[str, Any]) -> list[ast.stmt]:
    """The loop of an answered generator, which yields recorded values while there are any."""
    if not scope.generator:
        return []
    yielded = body([ast.Expr(ast.Yield(recorder("answer", location), **location), **location)])
    following = ast.Expr(_answer_to(scope.map, node, location, name("@g", location)), **location)
    return [ast.While(recorder("yields", location), [*yielded, following], [], **location)]


def _rebinding(scope: Scope, location: dict[str, Any]) -> list[ast.stmt]:
    """Rebind variables of enclosing functions to their recorded values after the call."""
    made: list[ast.stmt] = []
    for variable in sorted(scope.early):
        key = ast.Constant(variable, **location)
        changed = ast.Compare(key, [ast.In()], [recorder("rebound", location)], **location)
        value = ast.Subscript(recorder("rebound", location), ast.Constant(variable, **location), ast.Load(), **location)
        marker = scope.map.marker("statement", -1, scope.routine, slots=[-1], stores=[(variable, 0)])
        bound: list[ast.stmt] = [assign(name(variable, location, ast.Store()), value, location)]
        bound += scope.statements(marker, [(-1, name(variable, location))], location)
        made.append(ast.If(changed, bound, [], **location))
    return made
