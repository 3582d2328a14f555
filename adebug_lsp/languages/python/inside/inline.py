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

    def __init__(self, scope: Scope, own: frozenset[str] = frozenset()) -> None:
        self.scope = scope
        self.own = own
        """Variables of the comprehensions in a lambda."""

    def rewrite(self, node: ast.expr) -> ast.expr:
        """The same expression, recording."""
        if not self.scope.full and not isinstance(node, (ast.Lambda, *COMPREHENSIONS)):
            return self.generic_visit(node)  # type: ignore[return-value]
        made: ast.expr = self.visit(node)
        return made

    def visit(self, node: ast.AST) -> Any:
        """Children first, then the node itself."""
        if isinstance(node, ast.Lambda):
            return self._lambda(node)
        if isinstance(node, COMPREHENSIONS):
            return self._recorded(node, self._comprehension(node))
        if isinstance(node, ast.Call):
            return self._recorded(node, self._call(node))
        if isinstance(node, ast.Name):
            return self._recorded(node, node) if self._is_outer(node) else node
        if isinstance(node, ast.FormattedValue):
            node.value = self.visit(node.value)
            return node
        if isinstance(node, (ast.JoinedStr, ast.Slice, ast.Starred, ast.NamedExpr, ast.Yield, ast.YieldFrom)):
            return self.generic_visit(node)
        original = node
        made = self.generic_visit(node)
        load = isinstance(getattr(original, "ctx", None), ast.Load)
        if isinstance(original, RECORDED) or (isinstance(original, (ast.Attribute, ast.Subscript)) and load):
            return self._recorded(original, made)
        return made

    def _is_outer(self, node: ast.Name) -> bool:
        """Whether a lambda reads a variable that is not its own: nothing else tells what that was."""
        scope = self.scope
        if scope.kind != "lambda" or not isinstance(node.ctx, ast.Load) or node.id in self.own:
            return False
        return node.id not in scope.names.variables and scope.names.is_variable(node.id)

    def recorded(self, node: ast.expr) -> ast.expr:
        """The same, with a record of the whole in any case."""
        made = self.visit(node)
        return made if made is not node else self._recorded(node, node)

    def _recorded(self, original: ast.AST, made: Any) -> ast.expr:
        number = self.scope.map.node(original)
        if isinstance(original, ast.Await):
            at = place(original)
            marker = self.scope.map.marker("awaited", number, self.scope.routine, slots=[-1, number])
            return pair(marker, [ast.Name("@g", ast.Load(), **at), made], at)
        if not self.scope.full:
            return made  # type: ignore[no-any-return]
        marker = self.scope.map.marker("inline", number, self.scope.routine, slots=[number])
        return pair(marker, [made], place(original))

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
            generator.ifs = [self.visit(condition) for condition in generator.ifs]
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
        turns = [part.target for part in walk(node.body) if isinstance(part, ast.comprehension)]
        own = frozenset(part.id for target in turns for part in walk(target) if isinstance(part, ast.Name))
        body = Inline(scope, own).rewrite(node.body)
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
