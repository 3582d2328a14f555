"""Code whose calls the recorder can answer in place of running them.

One activation is executed again while every call that it makes returns its recorded result. So every routine asks
the recorder first: if that has an answer, the routine's own code is not run. Beginning and end are recorded as usual.
"""

import ast
from typing import Any

from ..tape.call_answers import answer_to
from .assignments import Assignments
from .scope import Scope
from .syntax_builder import again, assign, do, name, recorder


class Answered(Assignments):
    """The part of the rewriter that puts these questions in."""

    def _answered(self, node: int, location: dict[str, Any]) -> list[ast.stmt]:
        """The statements before the code of a function."""
        scope = self.scope
        if not self.map.answered:
            return []
        if scope.kind not in ("routine", "generator"):
            return [do(recorder("refuses", location), [ast.Constant("a coroutine runs in it", **location)], location)]
        more = [name("@g", location)] if scope.generator else []
        answer = [*self._steps(node, location), *_rebinding(scope, location)]
        slots: list[tuple[int, ast.expr]] = [
            (-1, recorder("answer", location)),
            *((-1, again(value)) for value in more),
        ]
        marker = self.map.marker("return", -1, scope.routine, slots=[-1] * len(slots), result=0, **self._lingering())
        answer += [*scope.statements(marker, slots, location), ast.Return(recorder("answer", location), **location)]
        return [ast.If(answer_to(self.map, node, location, *more), answer, [], **location)]

    def _steps(self, node: int, location: dict[str, Any]) -> list[ast.stmt]:
        """Of a generator: yield for as long as the recorder says so."""
        if not self.scope.generator:
            return []
        yielded = self.body([ast.Expr(ast.Yield(recorder("answer", location), **location), **location)])
        following = ast.Expr(answer_to(self.map, node, location, name("@g", location)), **location)
        return [ast.While(recorder("yields", location), [*yielded, following], [], **location)]


def _rebinding(scope: Scope, location: dict[str, Any]) -> list[ast.stmt]:
    """Rebind variables of enclosing functions to the values that they had after the call."""
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
