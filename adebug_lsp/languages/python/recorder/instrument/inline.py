"""Records inside expressions that cannot become statements: lambdas, comprehensions, rare orders of evaluation.

Each value has a record of its own, appended by an expression that has the same value.
"""

import ast
from copy import deepcopy
from typing import Any

from ..analysis.call_effects import Change, makes_iterator, may_call_back
from ..analysis.names import COMPREHENSIONS, Names, parameters
from ..analysis.syntax_walk import Transformer, walk
from .answered_calls import answered_lambda
from .emit import extend, pair
from .scope import Scope
from .syntax_builder import again, call, place, recorder

RECORDED = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Call, ast.Await, *COMPREHENSIONS)


class Inline(Transformer):
    """Rewrites an expression in place. All passes use it for what cannot, or need not, become statements."""

    def __init__(self, scope: Scope, own: frozenset[str] = frozenset(), whole: ast.expr | None = None) -> None:
        self.scope = scope
        self.own = own
        """The variables of comprehensions inside a lambda."""
        self.whole = whole
        """The body of a lambda, whose value is in the record of the return."""

    def rewrite(self, node: ast.expr) -> ast.expr:
        """The expression with records inside."""
        made: ast.expr = self.visit(node)
        return made

    def condition(self, node: ast.expr) -> ast.expr:
        """Like `rewrite`, for a condition that the interpreter only jumps on, so that it has no value to record."""
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
        """Rewrite the children, then the node itself."""
        if isinstance(node, ast.Lambda):
            return self.lambda_(node)
        if isinstance(node, COMPREHENSIONS):
            return self._recorded(node, self.comprehension(node))
        if isinstance(node, ast.Call):
            return self._recorded(node, self.call(node))
        if isinstance(node, ast.Name):
            return self._of_record(node, node) if self._is_outer(node) else node
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
        if isinstance(made, ast.Subscript) and self.scope.map.calls.defaults:
            made = self._item(made)
        load = isinstance(getattr(original, "ctx", None), ast.Load)
        if isinstance(original, RECORDED) or (isinstance(original, (ast.Attribute, ast.Subscript)) and load):
            assert isinstance(made, ast.expr)
            return self._recorded(original, made)
        return made

    def _is_outer(self, node: ast.Name) -> bool:
        """Whether a name in a lambda is a variable of an enclosing scope, whose value no other record has."""
        scope = self.scope
        if scope.kind != "lambda" or not isinstance(node.ctx, ast.Load) or node.id in self.own:
            return False
        if not scope.full:
            return scope.names.is_free(node.id)
        return node.id not in scope.names.variables and scope.names.is_variable(node.id)

    def recorded(self, node: ast.expr) -> ast.expr:
        """Like `rewrite`, with a record of the whole expression even if it is simple."""
        made = self.visit(node)
        return made if made is not node else self._recorded(node, node)

    def _recorded(self, original: ast.AST, made: ast.expr) -> ast.expr:
        number = self.scope.map.node(original)
        if isinstance(original, ast.Await):
            location = place(original)
            marker = self.scope.map.marker("awaited", number, self.scope.routine, slots=[-1, number])
            return pair(marker, [ast.Name("@g", ast.Load(), **location), made], location)
        if not self.scope.full or original is self.whole:
            return made
        return self._of_record(original, made)

    def _of_record(self, original: ast.AST, made: ast.expr) -> ast.expr:
        number = self.scope.map.node(original)
        marker = self.scope.map.marker("inline", number, self.scope.routine, slots=[number])
        return pair(marker, [made], place(original))

    def _either(self, node: ast.BoolOp) -> ast.BoolOp:
        """Rewrite nested `and` and `or` together: the interpreter may test the truth of a part once for both."""
        node.values = [self._either(v) if isinstance(v, ast.BoolOp) else self.visit(v) for v in node.values]
        return node

    def call(self, node: ast.Call) -> ast.Call:
        """A call; if it may change objects, the recorder inspects them before and after."""
        change = self.scope.change(node)
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        elif not isinstance(node.func, ast.Name) or not self.scope.full:
            node.func = self.visit(node.func)
        watched = change is not Change.NOTHING and not self._is_harmless(change, node)
        node.args = [self._watched_argument(argument, watched) for argument in node.args]
        for keyword in node.keywords:
            keyword.value = self._watched_argument(keyword.value, watched)
        if not watched:
            return node
        location = place(node)
        plain = not node.keywords and not any(isinstance(argument, ast.Starred) for argument in node.args)
        node.func = call(recorder("begin" if plain else "begin_any", location), [node.func], location)
        return call(recorder("end", location), [node], location)

    def _item(self, node: ast.Subscript) -> ast.expr:
        """Read an item, which may be inserted by reading because the owner is a `defaultdict`."""
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, (ast.Slice, ast.Tuple)):
            return node
        location = place(node)
        owner = call(recorder("begin_item", location), [node.value], location)
        key = call(recorder("give", location), [node.slice], location)
        made = call(recorder("end_item", location), [ast.Subscript(owner, key, ast.Load(), **location)], location)
        if not isinstance(node.value, ast.Name):
            return made
        kind = call(recorder("type", location), [again(node.value)], location)
        is_one = ast.Compare(kind, [ast.Is()], [recorder("defaultdict", location)], **location)
        return ast.IfExp(is_one, made, deepcopy(node), **location)

    def _is_harmless(self, change: Change, node: ast.Call) -> bool:
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        return change is Change.BY_ARGUMENTS and not any(may_call_back(a, self.scope.names) for a in arguments)

    def _watched_argument(self, argument: ast.expr, watched: bool) -> ast.expr:
        made: ast.expr = self.visit(argument)
        if not watched:
            return made
        location = place(argument)
        if isinstance(made, ast.Starred):
            made.value = call(recorder("give", location), [made.value], location)
            return made
        return call(recorder("give", location), [made], location)

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> ast.expr:
        """A comprehension whose iterations first record their targets, in a condition that is always true."""
        number = self.scope.map.node(node)
        scope = self.scope
        at_once = not isinstance(node, ast.GeneratorExp) and makes_iterator(node.generators[0].iter, scope.names)
        for generator in node.generators:
            generator.iter = self.visit(generator.iter)
            generator.ifs = [self.condition(condition) for condition in generator.ifs]
            targets = [n for n in walk(generator.target) if isinstance(n, ast.Name)]
            if scope.full and targets:
                location = place(generator.target)
                values: list[ast.expr] = [ast.Name(t.id, ast.Load(), **location) for t in targets]
                marker = scope.map.marker(
                    "comprehension",
                    number,
                    scope.routine,
                    slots=[scope.map.node(t) for t in targets],
                    stores=[(t.id, i) for i, t in enumerate(targets)],
                )
                generator.ifs.insert(0, ast.UnaryOp(ast.Not(), extend(marker, values, location), **location))
        if isinstance(node, ast.DictComp):
            node.key = self.visit(node.key)
            node.value = node.value and self.visit(node.value)  # PEP 798: `{**part for part in parts}` has none
        else:
            node.elt = self.visit(node.elt)
        if at_once:
            location = place(node)
            node.generators[0].iter = call(recorder("begin_through", location), [node.generators[0].iter], location)
            return call(recorder("end", location), [node], location)
        return node

    def lambda_(self, node: ast.Lambda) -> ast.Lambda:
        """A lambda with records of its start and end; its defaults belong to the enclosing scope."""
        outer = self.scope
        for index, default in enumerate(node.args.defaults):
            node.args.defaults[index] = self.visit(default)
        for index, keyword in enumerate(node.args.kw_defaults):
            if keyword is not None:
                node.args.kw_defaults[index] = self.visit(keyword)
        if any(isinstance(inside, (ast.Yield, ast.YieldFrom)) for inside in walk(node.body)):
            return node
        location = place(node.body)
        names = Names([ast.Expr(node.body)], node.args, outer.names, function=True)
        qualname = f"{outer.qualname}.<locals>.<lambda>" if outer.function and outer.qualname else "<lambda>"
        argument_names = parameters(node.args)
        routine = outer.map.routine(
            name="<lambda>", qualname=qualname, node=outer.map.node(node), kind="lambda", parameters=argument_names
        )
        scope = Scope(outer.map, names, routine, kind="lambda", owner=outer.owner, qualname=qualname)
        scope.full = outer.map.full
        body_node = outer.map.node(node.body)
        targets = [part.target for part in walk(node.body) if isinstance(part, ast.comprehension)]
        own = frozenset(part.id for target in targets for part in walk(target) if isinstance(part, ast.Name))
        body = Inline(scope, own, whole=node.body).rewrite(node.body)
        body = answered_lambda(outer.map, outer.map.node(node), body, location)
        enter = outer.map.marker(
            "enter",
            outer.map.node(node),
            routine,
            slots=[-1] * len(argument_names),
            stores=[(name, i) for i, name in enumerate(argument_names)],
        )
        leave = outer.map.marker("return", body_node, routine, slots=[body_node], result=0)
        arguments: list[ast.expr] = [ast.Name(name, ast.Load(), **location) for name in argument_names]
        value = ast.BoolOp(
            ast.Or(), [extend(enter, arguments, location), body], **location
        )  # the first of them is false
        node.body = pair(leave, [value], location)
        return node
