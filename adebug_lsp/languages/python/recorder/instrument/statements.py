"""Rewrites simple statements: same effects in the same order, with a record after each.

Statements that only bind a name to a definition, and assertions that a test runner rewrites itself, stay as they are.
"""

import ast

from ..analysis.call_effects import SURE
from ..analysis.names import COMPREHENSIONS
from ..analysis.syntax_walk import walk
from .activation import generator_slots, lingering
from .calls import CallFlattener
from .expressions import Expressions
from .syntax_builder import again, do, name, place, recorder


class Statements:
    """Rewrites the simple statements of one scope, except assignments. `ScopeRewriter` calls a method for each.

    Those without a method (imports, declarations) stay as they are.
    """

    def __init__(self, expressions: Expressions, *, keep_asserts: bool) -> None:
        self._expressions, self._scope, self._keep_asserts = expressions, expressions.scope, keep_asserts

    def do_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            self._scope.out.append(node)
        elif isinstance(node.value, ast.Call) and not self._scope.full and _prints(node.value):
            self._print(node, node.value)
        elif unnoticed(self._expressions, node):
            record_inline(self._expressions, node)
        elif isinstance(node.value, ast.Call) and self._scope.change(node.value) in SURE:
            CallFlattener(self._expressions).effect(node.value)
            self._scope.record_statement("statement", node)
        else:
            self._expressions.value(node.value, now=True)
            self._scope.record_statement("statement", node, **({"outer": True} if _prints(node.value) else {}))

    def _print(self, node: ast.Expr, call: ast.Call) -> None:
        """Record the arguments of `print` at any level, because output is part of a behaviour."""
        scope, originals = self._scope, list(call.args)
        scope.full = True
        self._expressions.value(call, now=True)
        scope.full = False
        for original, simple in zip(originals, call.args, strict=True):
            if isinstance(simple, ast.Name):
                scope.slot_of(original, again(simple))
        scope.record("statement", node, place(node))

    def do_Return(self, node: ast.Return) -> None:
        scope, location = self._scope, place(node)
        value: ast.expr = ast.Constant(None, **location) if node.value is None else node.value
        simple = (
            self._expressions.value(value, now=True)
            if scope.full or self._expressions.must_flatten(value)
            else self._recorded_inline(value)
        )
        of = node if node.value is None else value
        index = scope.slot_of(of, again(simple)) if node.value is not None else scope.slot(-1, simple)
        for extra in generator_slots(scope, location):
            scope.slot(-1, extra)
        scope.record("return", node, location, result=index, **lingering(scope))
        node.value = again(simple)
        scope.out.append(node)

    def _recorded_inline(self, value: ast.expr) -> ast.expr:
        if self._expressions.simple(value):
            return self._expressions.value(value, now=True)
        return self._scope.keep(self._expressions.inline.rewrite(value), value, place(value), slot=False)

    def do_Nonlocal(self, node: ast.Nonlocal) -> None:
        """Drop names that are already declared at the start of the function, where they are recorded."""
        left = [name for name in node.names if name not in self._scope.early]
        self._scope.out.append(ast.Nonlocal(left, **place(node)) if left else ast.Pass(**place(node)))

    def do_Break(self, node: ast.stmt) -> None:
        """Rewrite `break`, `continue` or `pass`."""
        if self._scope.full:
            self._scope.record_statement("jump", node)
        self._scope.out.append(node)

    do_Continue = do_Pass = do_Break

    def do_Raise(self, node: ast.Raise) -> None:
        if unnoticed(self._expressions, node):
            record_inline(self._expressions, node)
            return
        if node.exc is not None:
            if node.cause is None:
                node.exc = self._expressions.value(node.exc)
            else:
                node.exc, node.cause = self._expressions.in_order(node.exc, node.cause)
        self._scope.record_statement("raise", node)
        self._scope.out.append(node)

    def do_Assert(self, node: ast.Assert) -> None:
        if self._keep_asserts:
            if self._scope.full:
                self._scope.record_statement("assert", node)
            self._watched_assert(node)
            return
        node.msg = node.msg and self._expressions.inline.rewrite(node.msg)
        node.test = self._expressions.condition(node.test)
        self._scope.record_statement("assert", node)
        self._scope.out.append(node)

    def _watched_assert(self, node: ast.Assert) -> None:
        """An assertion that a test runner rewrites itself: its variables are inspected before and after it."""
        inside = list(walk(node.test))
        changes = any(isinstance(n, ast.Call) and self._scope.change(n) in SURE for n in inside)
        if not changes or any(isinstance(n, (ast.BoolOp, ast.IfExp, ast.Lambda, *COMPREHENSIONS)) for n in inside):
            self._scope.out.append(node)
            return
        location = place(node)
        variables = {n.id for n in inside if isinstance(n, ast.Name) and self._scope.names.is_variable(n.id)}
        arguments = [ast.Constant(None, **location), *(name(variable, location) for variable in sorted(variables))]
        self._scope.out += [
            do(recorder("before", location), arguments, location),
            node,
            do(recorder("after", location), [], location),
        ]


def unnoticed(expressions: Expressions, node: ast.stmt) -> bool:
    """Whether a statement needs no record at level `calls`, because other code cannot notice its effects."""
    if expressions.scope.full or _binds_declared(expressions.scope.names.declared, node):
        return False
    parts = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]
    return not any(expressions.must_flatten(part) for part in parts)


def record_inline(expressions: Expressions, node: ast.stmt) -> None:
    """Keep a statement in one piece, with its calls recorded inline."""
    for field, old in ast.iter_fields(node):
        if isinstance(old, ast.expr):
            setattr(node, field, expressions.inline.rewrite(old))
    expressions.scope.out.append(node)


def _binds_declared(declared: set[str], node: ast.stmt) -> bool:
    """Whether a statement binds a variable of the module, or of an enclosing function."""
    return bool(declared) and any(
        isinstance(n, ast.Name) and n.id in declared and not isinstance(n.ctx, ast.Load) for n in walk(node)
    )


def _prints(node: ast.expr) -> bool:
    """Whether an expression is a call of `print`, whose effect is visible."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
