"""Recording inside an expression that cannot become statements: lambdas, comprehensions, and rare orders of evaluation.

Each value is one record of its own, made by an expression that has the same value.
"""

import ast
from typing import Any

from .build import call, constant, pair, place, recorder
from .names import COMPREHENSIONS, Names, parameters, walk
from .scopes import Scope

RECORDED = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Call, ast.Await, *COMPREHENSIONS)


class Inline(ast.NodeTransformer):
    """Rewrites an expression in place."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def rewrite(self, node: ast.expr) -> ast.expr:
        """The same expression, recording."""
        if not self.scope.full and not isinstance(node, (ast.Lambda, *COMPREHENSIONS)):
            return self.generic_visit(node)  # type: ignore[return-value]
        made: ast.expr = self.visit(node)
        return made

    def condition(self, node: ast.expr) -> ast.expr:
        """The same behind `if`: what the interpreter only jumps on has no value that could be recorded."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self.condition(node.operand)
        elif isinstance(node, ast.BoolOp):
            node.values = [self.condition(value) for value in node.values]
        elif isinstance(node, ast.IfExp):
            node.test, node.body, node.orelse = (self.condition(n) for n in (node.test, node.body, node.orelse))
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            self.generic_visit(node)
        else:
            made: ast.expr = self.visit(node)
            return made
        return node

    def visit(self, node: ast.AST) -> Any:
        """Children first, then the node itself."""
        if isinstance(node, ast.Lambda):
            return self._lambda(node)
        if isinstance(node, COMPREHENSIONS):
            return self._recorded(node, self._comprehension(node))
        if isinstance(node, ast.Call):
            return self._recorded(node, self._call(node))
        if isinstance(node, ast.FormattedValue):
            node.value = self.visit(node.value)
            return node
        if isinstance(node, ast.IfExp):
            node.test, node.body, node.orelse = (
                self.condition(node.test),
                self.visit(node.body),
                self.visit(node.orelse),
            )
            return self._recorded(node, node)
        if isinstance(node, ast.BoolOp):
            return self._recorded(node, self._either(node))
        if isinstance(node, (ast.JoinedStr, ast.Slice, ast.Starred, ast.NamedExpr, ast.Yield, ast.YieldFrom)):
            return self.generic_visit(node)
        original = node
        made = self.generic_visit(node)
        load = isinstance(getattr(original, "ctx", None), ast.Load)
        if isinstance(original, RECORDED) or (isinstance(original, (ast.Attribute, ast.Subscript)) and load):
            return self._recorded(original, made)
        return made

    def recorded(self, node: ast.expr) -> ast.expr:
        """The same, with a record of the whole in any case."""
        made = self.visit(node)
        return made if made is not node else self._recorded(node, node)

    def _recorded(self, original: ast.AST, made: Any) -> ast.expr:
        if not self.scope.full:
            return made  # type: ignore[no-any-return]
        number = self.scope.map.node(original)
        marker = self.scope.map.marker("inline", number, self.scope.routine, slots=[number])
        return pair(marker, [made], place(original))

    def _either(self, node: ast.BoolOp) -> ast.BoolOp:
        """A part that is `and` or `or` itself stays one with the whole: its truth may be asked for once for both."""
        node.values = [self._either(v) if isinstance(v, ast.BoolOp) else self.visit(v) for v in node.values]
        return node

    def _call(self, node: ast.Call) -> ast.Call:
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        elif not isinstance(node.func, ast.Name):
            node.func = self.visit(node.func)
        node.args = [self.visit(argument) for argument in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return node

    def _comprehension(self, node: Any) -> ast.expr:
        """Every turn records its targets first, by a condition that always holds."""
        number = self.scope.map.node(node)
        scope = self.scope
        for generator in node.generators:
            generator.iter = self.visit(generator.iter)
            generator.ifs = [self.condition(condition) for condition in generator.ifs]
            targets = [n for n in walk(generator.target) if isinstance(n, ast.Name)]
            if scope.full and targets:
                at = place(generator.target)
                values: list[ast.expr] = [ast.Name(t.id, ast.Load(), **at) for t in targets]
                marker = scope.map.marker(
                    "turn",
                    number,
                    scope.routine,
                    slots=[scope.map.node(t) for t in targets] + [-1],
                    stores=[(t.id, i) for i, t in enumerate(targets)],
                )
                generator.ifs.insert(0, pair(marker, [*values, ast.Constant(True, **at)], at))
        if isinstance(node, ast.DictComp):
            node.key, node.value = self.visit(node.key), self.visit(node.value)
        else:
            node.elt = self.visit(node.elt)
        return node  # type: ignore[no-any-return]

    def _lambda(self, node: ast.Lambda) -> ast.Lambda:
        outer = self.scope
        for index, default in enumerate(node.args.defaults):
            node.args.defaults[index] = self.visit(default)
        for index, keyword in enumerate(node.args.kw_defaults):
            if keyword is not None:
                node.args.kw_defaults[index] = self.visit(keyword)
        if any(isinstance(inside, (ast.Yield, ast.YieldFrom)) for inside in walk(node.body)):
            return node
        at = place(node.body)
        names = Names([ast.Expr(node.body)], node.args, outer.names, function=True)
        qualname = f"{outer.qualname}.<locals>.<lambda>" if outer.function and outer.qualname else "<lambda>"
        given = parameters(node.args)
        routine = outer.map.routine(
            name="<lambda>", qualname=qualname, node=outer.map.node(node), kind="lambda", parameters=given
        )
        scope = Scope(outer.map, names, routine, kind="lambda", owner=outer.owner, qualname=qualname)
        scope.full = outer.full
        body_node = outer.map.node(node.body)
        body = Inline(scope).rewrite(node.body)
        enter = outer.map.marker(
            "enter",
            outer.map.node(node),
            routine,
            slots=[-1] * len(given),
            stores=[(name, i) for i, name in enumerate(given)],
        )
        leave = outer.map.marker("return", body_node, routine, slots=[body_node], result=0)
        arguments = [ast.Name(name, ast.Load(), **at) for name in given]
        words = ast.Tuple([constant(enter, at), *arguments], ast.Load(), **at)
        entered = call(recorder("pair", at), [recorder("tape", at), words], at)
        both = ast.Tuple([entered, body], ast.Load(), **at)
        value = ast.Subscript(both, ast.Constant(1, **at), ast.Load(), **at)
        node.body = pair(leave, [value], at)
        return node
