"""Rewrites simple statements: the same effects in the same order, with a record after each.

Statements that only bind a name to a definition, and assertions that a test runner rewrites itself, stay as they are.
"""

import ast
from typing import Any

from ..analysis.call_effects import SURE
from ..analysis.names import COMPREHENSIONS, DEFINITIONS, makes, walk
from ..analysis.static_map import ModuleMap
from .expressions import Expressions
from .inline import Inline
from .syntax_builder import again, do, name, place, recorder


class Statements(Expressions):
    """The statement half of the rewriter."""

    map: ModuleMap
    keep_asserts: bool
    mortal: frozenset[str]
    """Names whose calls make objects that do something when they die."""

    def body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Rewrite a sequence of statements."""
        with self.scope.block() as out:
            for statement in statements:
                self.scope.temporaries = 0
                self.scope.seen = set()
                self.scope.names.walrus = (
                    {inside.target.id for inside in walk(statement) if isinstance(inside, ast.NamedExpr)}
                    if not isinstance(statement, DEFINITIONS)
                    else set()
                )
                releases = not isinstance(statement, DEFINITIONS) and makes(statement, self.mortal)
                before = len(out)
                rewrite = getattr(self, f"do_{type(statement).__name__}", self._as_it_is)
                rewrite(statement)
                if releases or (self.scope.kind == "module" and not self.scope.loop_depth):
                    out[before:] = self.scope.without_temporaries(out[before:], release=releases)
        return out

    def _as_it_is(self, node: ast.stmt) -> None:
        self.scope.out.append(node)

    def _untouched(self, node: ast.stmt) -> bool:
        """At the level of calls most statements need no record: those that others cannot notice."""
        if self.scope.full or self._binds_declared(node):
            return False
        parts = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]
        return not any(self.must_flatten(part) for part in parts)

    def _binds_declared(self, node: ast.stmt) -> bool:
        """Whether a statement binds a variable of the module, or of a function around."""
        declared = self.scope.names.declared
        return bool(declared) and any(
            isinstance(n, ast.Name) and n.id in declared and not isinstance(n.ctx, ast.Load) for n in walk(node)
        )

    def _lightly(self, node: ast.stmt) -> None:
        for field, old in ast.iter_fields(node):
            if isinstance(old, ast.expr):
                setattr(node, field, Inline(self.scope).rewrite(old))
        self.scope.out.append(node)

    def do_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            self._as_it_is(node)
        elif isinstance(node.value, ast.Call) and not self.scope.full and _prints(node.value):
            self._print(node, node.value)
        elif self._untouched(node):
            self._lightly(node)
        elif isinstance(node.value, ast.Call) and self.scope.change(node.value) in SURE:
            self.effect(node.value)
            self._record("statement", node)
        else:
            self.value(node.value, now=True)
            self._record("statement", node, **({"outer": True} if _prints(node.value) else {}))

    def _print(self, node: ast.Expr, call: ast.Call) -> None:
        """Output is part of a behaviour: the arguments of `print` are recorded at any level."""
        scope, originals = self.scope, list(call.args)
        scope.full = True
        self.value(call, now=True)
        scope.full = False
        for original, simple in zip(originals, call.args, strict=True):
            if isinstance(simple, ast.Name):
                scope.slot_of(original, again(simple))
        scope.record("statement", node, place(node))

    def _record(self, kind: str, node: ast.AST, **facts: object) -> None:
        declared = self.scope.names.declared
        if self.scope.full or self.scope.writes or any(name in declared for name, _ in self.scope.stores):
            self.scope.record(kind, node, place(node), **facts)
        else:
            self.scope.slots, self.scope.stores = [], []

    def do_Return(self, node: ast.Return) -> None:
        scope, location = self.scope, place(node)
        value: ast.expr = ast.Constant(None, **location) if node.value is None else node.value
        simple = self.value(value, now=True) if scope.full or self.must_flatten(value) else self._whole(value)
        of = node if node.value is None else value
        index = scope.slot_of(of, again(simple)) if node.value is not None else scope.slot(-1, simple)
        for extra in self._activation(location):
            scope.slot(-1, extra)
        scope.record("return", node, location, result=index, **self._lingering())
        node.value = again(simple)
        scope.out.append(node)

    def _lingering(self) -> dict[str, int]:
        """Of a return that is not the end of the activation: the statement that goes on."""
        scope = self.scope
        return {"lingers": scope.around[-1] if scope.around else -1} if scope.lingers else {}

    def _activation(self, location: dict[str, Any]) -> list[ast.expr]:
        return [name("@g", location)] if self.scope.generator else []

    def _whole(self, value: ast.expr) -> ast.expr:
        if self.simple(value):
            return self.value(value, now=True)
        return self.scope.keep(Inline(self.scope).rewrite(value), value, place(value), slot=False)

    def do_Nonlocal(self, node: ast.Nonlocal) -> None:
        """Names that are looked at when the function begins are declared there."""
        left = [name for name in node.names if name not in self.scope.early]
        self.scope.out.append(ast.Nonlocal(left, **place(node)) if left else ast.Pass(**place(node)))

    def do_Break(self, node: ast.stmt) -> None:
        if self.scope.full:
            self._record("jump", node)
        self.scope.out.append(node)

    do_Continue = do_Pass = do_Break

    def do_Raise(self, node: ast.Raise) -> None:
        if self._untouched(node):
            self._lightly(node)
            return
        if node.exc is not None:
            if node.cause is None:
                node.exc = self.value(node.exc)
            else:
                node.exc, node.cause = self.in_order(node.exc, node.cause)
        self._record("raise", node)
        self.scope.out.append(node)

    def do_Assert(self, node: ast.Assert) -> None:
        if self.keep_asserts:
            if self.scope.full:
                self._record("assert", node)
            self._watched_assert(node)
            return
        node.msg = node.msg and Inline(self.scope).rewrite(node.msg)
        node.test = self.condition(node.test)
        self._record("assert", node)
        self.scope.out.append(node)

    def _watched_assert(self, node: ast.Assert) -> None:
        """Nothing may be put into the assertion: the variables that it names are looked at before it and after."""
        inside = list(walk(node.test))
        changes = any(isinstance(n, ast.Call) and self.scope.change(n) in SURE for n in inside)
        if not changes or any(isinstance(n, (ast.BoolOp, ast.IfExp, ast.Lambda, *COMPREHENSIONS)) for n in inside):
            self.scope.out.append(node)
            return
        location = place(node)
        variables = {n.id for n in inside if isinstance(n, ast.Name) and self.scope.names.is_variable(n.id)}
        arguments = [ast.Constant(None, **location), *(name(variable, location) for variable in sorted(variables))]
        self.scope.out += [
            do(recorder("before", location), arguments, location),
            node,
            do(recorder("after", location), [], location),
        ]


def _prints(node: ast.expr) -> bool:
    """Whether it is a call that prints, which others notice."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
