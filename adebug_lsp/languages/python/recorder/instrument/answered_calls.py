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

    def _answered(self, node: int, at: dict[str, Any]) -> list[ast.stmt]:
        """The statements before the code of a function."""
        scope = self.scope
        if not self.map.answered:
            return []
        if scope.kind not in ("routine", "generator"):
            return [do(recorder("refuses", at), [ast.Constant("a coroutine runs in it", **at)], at)]
        more = [name("@g", at)] if scope.generator else []
        answer = [*self._steps(node, at), *_rebinding(scope, at)]
        slots: list[tuple[int, ast.expr]] = [(-1, recorder("answer", at)), *((-1, again(value)) for value in more)]
        marker = self.map.marker("return", -1, scope.routine, slots=[-1] * len(slots), result=0, **self._lingering())
        answer += [*scope.statements(marker, slots, at), ast.Return(recorder("answer", at), **at)]
        return [ast.If(answer_to(self.map, node, at, *more), answer, [], **at)]

    def _steps(self, node: int, at: dict[str, Any]) -> list[ast.stmt]:
        """Of a generator: yield for as long as the recorder says so."""
        if not self.scope.generator:
            return []
        yielded = self.body([ast.Expr(ast.Yield(recorder("answer", at), **at), **at)])
        following = ast.Expr(answer_to(self.map, node, at, name("@g", at)), **at)
        return [ast.While(recorder("yields", at), [*yielded, following], [], **at)]


def _rebinding(scope: Scope, at: dict[str, Any]) -> list[ast.stmt]:
    """Rebind variables of enclosing functions to the values that they had after the call."""
    made: list[ast.stmt] = []
    for variable in sorted(scope.early):
        key = ast.Constant(variable, **at)
        changed = ast.Compare(key, [ast.In()], [recorder("rebound", at)], **at)
        value = ast.Subscript(recorder("rebound", at), ast.Constant(variable, **at), ast.Load(), **at)
        marker = scope.map.marker("statement", -1, scope.routine, slots=[-1], stores=[(variable, 0)])
        bound: list[ast.stmt] = [assign(name(variable, at, ast.Store()), value, at)]
        bound += scope.statements(marker, [(-1, name(variable, at))], at)
        made.append(ast.If(changed, bound, [], **at))
    return made
