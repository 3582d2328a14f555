"""Flattens expressions: every sub-expression gets a temporary, in the original order of evaluation.

The result is *simple*: a constant, a temporary, or a name that no other code can rebind meanwhile. Orders that
statements cannot keep (an argument after a starred one, two formatted values with calls) are recorded inline instead.
"""

import ast
from collections.abc import Callable
from typing import Any

from ..analysis.call_effects import Change, is_super, shows_namespace
from ..analysis.syntax_walk import walk
from .calls import CallFlattener
from .inline import Inline
from .scope import Scope
from .short_circuit import ShortCircuits
from .suspensions import Suspensions
from .syntax_builder import again, assign, call, do, is_temporary, place, recorder

NUMBERS = (bool, int, float, complex)


class Expressions:
    """Flattens the expressions of one scope. The passes over statements call it for every value and condition.

    An expression that branches, calls or suspends goes to `ShortCircuits`, `CallFlattener` or `Suspensions`, which
    call back for the parts; one that cannot become statements goes to `Inline`.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.inline = Inline(scope)

    # Simple expressions

    def simple(self, node: ast.expr) -> bool:
        """Whether evaluating a node later gives the same value, without visible effects."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            names = self.scope.names
            return names.is_private(node.id) or not names.is_variable(node.id)
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.operand, ast.Constant) and _has_operator(node.operand.value, node.op)
        return False

    def safe(self, node: ast.expr) -> bool:
        """Whether a simple node certainly has a value; a local variable may be unbound, a global one may change."""
        names = self.scope.names
        return not isinstance(node, ast.Name) or (names.is_private(node.id) and node in names.certain)

    # Values

    def value(self, node: ast.expr, *, now: bool = False) -> ast.expr:
        """Flatten an expression; returns a simple one, which may be evaluated later unless `now` is set."""
        if self.simple(node):
            return self.scope.keep(node, node, place(node), slot=False) if now and not self.safe(node) else node
        made, slot = self.computed(node)
        if is_temporary(made):
            if slot and self.scope.full:
                self.scope.slot(node, made)
            return made
        return self.scope.keep(made, node, place(node), slot=slot)

    def computed(self, node: ast.expr) -> tuple[ast.expr, bool]:
        """The node with simple operands, to be evaluated next, and whether the record needs its value."""
        flatten = self._method_for(type(node).__name__)
        if flatten is None or not (self.scope.full or self.must_flatten(node)):
            return self.inline.rewrite(node), True
        return flatten(node), not is_super(node)

    def _method_for(self, kind: str) -> Callable[[ast.expr], ast.expr] | None:
        """The method for a kind of expression, called directly: an extra frame would limit nesting further."""
        if kind in _HANDED_ON:
            other, method = _HANDED_ON[kind]
            return getattr(other(self), method)  # type: ignore[no-any-return]
        return getattr(self, f"flat_{kind}", None)

    def must_flatten(self, node: ast.expr) -> bool:
        """Whether a part changes objects or suspends, which needs statements around it at any level of detail."""
        return any(
            isinstance(inside, (ast.Await, ast.Yield, ast.YieldFrom)) or self._changes(inside) for inside in walk(node)
        )

    def _changes(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Subscript) and self.scope.map.calls.defaults:
            return isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.Call) and self.scope.change(node) is not Change.NOTHING:
            return True
        if isinstance(node, ast.NamedExpr) and node.target.id in self.scope.names.declared:
            return True
        return shows_namespace(node)

    def in_order(self, *nodes: ast.expr) -> list[ast.expr]:
        """Flatten several expressions, left to right."""
        last = max((place for place, node in enumerate(nodes) if not self.simple(node)), default=0)
        return [self.value(node, now=place < last) for place, node in enumerate(nodes)]

    def flat_Name(self, node: ast.Name) -> ast.expr:
        return node

    def flat_BinOp(self, node: ast.BinOp) -> ast.expr:
        node.left, node.right = self.in_order(node.left, node.right)
        return node

    def flat_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        node.operand = self.value(node.operand)
        return node

    def flat_Attribute(self, node: ast.Attribute) -> ast.expr:
        node.value = self.value(node.value)
        if shows_namespace(node):
            self.show_namespace(node.value, place(node))
        return node

    def show_namespace(self, owner: ast.expr, location: dict[str, Any]) -> None:
        """Record an image of an object whose `__dict__` is read, because that can be used to change attributes."""
        self.scope.out.append(do(recorder("namespace", location), [again(owner)], location))

    def flat_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.value = self.value(node.value, now=not self.simple(node.slice))
        node.slice = self.index(node.slice)
        calls = self.scope.map.calls
        if isinstance(node.slice, (ast.Slice, ast.Tuple)) or not (calls.defaults or node in self.scope.changed):
            return node
        return self._read(node)

    def _read(self, node: ast.Subscript) -> ast.expr:
        """Read an item, which may be inserted by reading because the owner is a `defaultdict`."""
        scope, location = self.scope, place(node)
        is_one = ast.Compare(
            scope.type_of(node.value, location), [ast.Is()], [recorder("defaultdict", location)], **location
        )
        reading = call(recorder("reading", location), [again(node.value)], location)
        length = scope.keep(ast.BoolOp(ast.And(), [is_one, reading], **location), node, location, slot=False)
        value = scope.keep(node, node, location, slot=False)
        read = do(recorder("read", location), [again(x) for x in (node.value, node.slice, value, length)], location)
        scope.out.append(ast.If(again(length), [read], [], **location))
        return value

    def condition(self, node: ast.expr) -> ast.expr:
        """Flatten a condition, of which only the truth is used."""
        return ShortCircuits(self).condition(node)

    def index(self, node: ast.expr) -> ast.expr:
        """Flatten the index of a subscript: a value, or slices."""
        if isinstance(node, ast.Slice):
            node.lower, node.upper, node.step = (
                part and self.value(part, now=True) for part in (node.lower, node.upper, node.step)
            )
            return node
        if isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.elts):
            if any(isinstance(e, ast.Starred) for e in node.elts):
                return self.inline.rewrite(node)
            node.elts = [self.index(e) if isinstance(e, ast.Slice) else self.value(e, now=True) for e in node.elts]
            return node
        return self.value(node)

    def flat_Compare(self, node: ast.Compare) -> ast.expr:
        late = node.comparators[1:]
        if not all(self.simple(n) for n in late):
            return self.inline.generic_visit(node)  # type: ignore[return-value]
        node.left, node.comparators[0] = self.in_order(node.left, node.comparators[0])
        return node

    def _flatten_elements(self, node: ast.List | ast.Tuple | ast.Set) -> ast.expr:
        if any(isinstance(e, ast.Starred) for e in node.elts):
            return self.inline.generic_visit(node)  # type: ignore[return-value]
        node.elts = self.in_order(*node.elts)
        return node

    flat_List = flat_Tuple = flat_Set = _flatten_elements

    def flat_Dict(self, node: ast.Dict) -> ast.expr:
        if any(key is None for key in node.keys):
            return self.inline.generic_visit(node)  # type: ignore[return-value]
        items = self.in_order(*(part for item in zip(node.keys, node.values, strict=True) for part in item if part))
        node.keys[:], node.values[:] = items[::2], items[1::2]
        return node

    def flat_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        if sum(not self.simple(field.value) for field in fields) > 1 or any(field.format_spec for field in fields):
            return self.inline.generic_visit(node)  # type: ignore[return-value]
        if any(not self.simple(field.value) for field in fields[1:]):
            return self.inline.generic_visit(node)  # type: ignore[return-value]
        for field in fields:
            field.value = self.value(field.value)
        return node

    def _flatten_comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> ast.expr:
        """Flatten the first iterable, which is evaluated in this scope; the rest is recorded inline."""
        return self.inline.comprehension(node)

    flat_ListComp = flat_SetComp = flat_DictComp = flat_GeneratorExp = _flatten_comprehension

    def flat_Lambda(self, node: ast.Lambda) -> ast.expr:
        return self.inline.lambda_(node)

    def flat_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        scope, location = self.scope, place(node)
        made, _ = self.computed(node.value) if not self.simple(node.value) else (node.value, False)
        scope.out.append(assign(ast.Name(node.target.id, ast.Store(), **location), made, location))
        scope.stores.append((node.target.id, scope.slot(node.value, ast.Name(node.target.id, ast.Load(), **location))))
        return ast.Name(node.target.id, ast.Load(), **location)


_HANDED_ON = {
    "Call": (CallFlattener, "flatten"),
    "BoolOp": (ShortCircuits, "either"),
    "IfExp": (ShortCircuits, "conditional"),
    "Await": (Suspensions, "wait"),
    "Yield": (Suspensions, "give"),
    "YieldFrom": (Suspensions, "delegate"),
}
"""The class and method for kinds of expressions that have a class of their own."""


def _has_operator(value: object, operator: ast.unaryop) -> bool:
    """Whether a constant supports a unary operator."""
    return isinstance(operator, ast.Not) or type(value) in ((int,) if isinstance(operator, ast.Invert) else NUMBERS)
