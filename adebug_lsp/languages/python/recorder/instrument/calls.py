"""Flattens calls, with images before expected changes and inspection of objects that unrecorded code can reach."""

import ast
from itertools import compress
from typing import TYPE_CHECKING, Any

from ..analysis.call_effects import ITERATING, Change, is_display, is_super, may_call_back, shows_namespace
from .inline_temporaries import nested
from .syntax_builder import again, assign, call, do, is_temporary, place, recorder, stored

if TYPE_CHECKING:
    from .expressions import Expressions


class CallFlattener:
    """Rewrites one call. `Expressions` calls it for a value, `Statements` for a call that is a statement."""

    def __init__(self, expressions: "Expressions") -> None:
        self._expressions, self._scope = expressions, expressions.scope

    def effect(self, node: ast.Call) -> None:
        """Flatten a call that is a statement, executed for its effect."""
        made = self.flatten(node, effect=True)
        if not is_temporary(made):  # not executed yet
            self._scope.keep(made, node, place(node))

    def flatten(self, node: ast.Call, *, effect: bool = False) -> ast.expr:
        """The call with simple operands, or the temporary with its result if it had to be executed at once."""
        arguments = [
            *(a.value if isinstance(a, ast.Starred) else a for a in node.args),
            *(k.value for k in node.keywords),
        ]
        if self._out_of_order(node) or (is_super(node) and not arguments):
            return self._expressions.inline.call(node) if arguments else node
        change = self._scope.change(node)
        doubtful = [may_call_back(argument, self._scope.names) for argument in arguments]
        shown = all(map(is_display, arguments))
        function = node.func
        receiver = self._callee(node, waits=any(not self._expressions.simple(a) for a in arguments))
        waits = isinstance(function, (ast.Attribute, ast.Name)) and node.func is not function
        looked_up = len(self._scope.out) - 1
        values = self._expressions.in_order(*arguments)
        for index, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                argument.value = values[index]
            else:
                node.args[index] = values[index]
        for keyword, value in zip(node.keywords, values[len(node.args) :], strict=True):
            keyword.value = value
        if shows_namespace(node):
            self._expressions.show_namespace(node.args[0], place(node))
        if change is Change.FORESEEN:
            assert isinstance(function, ast.Attribute)
            assert receiver is not None
            return self._foreseen(node, receiver, function.attr, effect=effect, shown=shown)
        made = self._watched(node, change, receiver, doubtful, effect=effect)
        if waits and made is node and nested(node, self._scope.out[looked_up:]):
            del self._scope.out[looked_up:]
        return made

    @staticmethod
    def _out_of_order(node: ast.Call) -> bool:
        """Whether arguments follow a starred one, which has to be unpacked before they are evaluated."""
        arguments: list[Any] = [*node.args, *node.keywords]
        for index, argument in enumerate(arguments):
            star = isinstance(argument, ast.Starred) or (isinstance(argument, ast.keyword) and argument.arg is None)
            if star and index + 1 < len(arguments):
                return True
        return False

    def _callee(self, node: ast.Call, *, waits: bool) -> ast.expr | None:
        """Evaluate the function, before the arguments unless they are simple; returns the receiver of a method."""
        scope, function = self._scope, node.func
        if isinstance(function, ast.Attribute):
            receiver = function.value
            scope.changed.add(receiver)
            if not is_super(receiver):
                function.value = receiver = self._expressions.value(receiver)
            if waits:
                node.func = scope.keep(function, function, place(function), slot=False)
            return None if is_super(receiver) else receiver
        if isinstance(function, ast.Name):
            if waits and not self._expressions.safe(function):
                node.func = scope.keep(function, function, place(function), slot=False)
            return None
        node.func = self._expressions.value(function)
        return None

    def _foreseen(self, node: ast.Call, receiver: ast.expr, name: str, *, effect: bool, shown: bool) -> ast.expr:
        """A call that may be a method of a container: an image is taken before it, its effect is recorded after it.

        If the call is a statement (`effect`), the effect is in the record of the statement.
        """
        scope, location = self._scope, place(node)
        if name in ITERATING and not name.startswith("extend"):
            return self._updating(node, receiver, name, effect=effect)
        scope.see(receiver, location, perhaps=name in scope.map.calls.defined)
        arguments = [again(argument) for argument in node.args]
        poured = name in ITERATING and not shown
        if poured:
            arguments = [self._recorded_argument(receiver, arguments[0], location)]
        popped = name == "pop" and not arguments
        result = scope.new()
        left = effect and not popped
        scope.out.append(
            ast.Expr(node, **location)
            if left
            else assign(scope.temporary(result, location, ast.Store()), node, location)
        )
        if poured:
            nothing = ast.Compare(again(arguments[0]), [ast.Is()], [ast.Constant(None, **location)], **location)
            scope.out.append(ast.If(nothing, [do(recorder("after", location), [], location)], [], **location))
        if popped:
            name, arguments = "popped", [scope.temporary(result, location)]
        slots = [scope.slot(-1, again(receiver)), *(scope.slot(-1, again(argument)) for argument in arguments)]
        scope.writes.append(["call", name, slots[0], slots[1:]])
        if not effect:
            scope.record("part", node, location)
        return scope.temporary(result, location)

    def _updating(self, node: ast.Call, receiver: ast.expr, name: str, *, effect: bool) -> ast.expr:
        """A method, such as `update`, that may fail after some of its changes."""
        scope, location = self._scope, place(node)
        arguments = [again(receiver), ast.Constant(name, **location), again(node.args[0])]
        scope.out.append(do(recorder("call", location), arguments, location))
        result = scope.new()
        scope.out.append(
            ast.Expr(node, **location)
            if effect
            else assign(scope.temporary(result, location, ast.Store()), node, location)
        )
        scope.out.append(do(recorder("after", location), [], location))
        return scope.temporary(result, location)

    def _recorded_argument(self, receiver: ast.expr, argument: ast.expr, location: dict[str, Any]) -> ast.expr:
        """The slot of an argument that the method iterates over; None at run time if its items are watched instead."""
        scope = self._scope
        kept = scope.keep(argument, argument, location, slot=False)
        seen = assign(
            stored(kept), call(recorder("pour", location), [again(receiver), again(argument)], location), location
        )
        scope.out.append(ast.If(scope.type_is_not("replayed", argument, location), [seen], [], **location))
        return kept

    def _watched(
        self, node: ast.Call, change: Change, receiver: ast.expr | None, doubtful: list[bool], *, effect: bool
    ) -> ast.expr:
        """A call of code that may be unrecorded; if so, the objects within its reach are inspected before and after."""
        scope, location = self._scope, place(node)
        arguments = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
        arguments += [keyword.value for keyword in node.keywords]
        if change is Change.BY_RECEIVER and receiver is not None:
            node.func = scope.keep(node.func, node.func, place(node.func), slot=False)
        test = self._test(node, change, receiver, list(compress(arguments, doubtful)), location)
        if test is None and change is not Change.SURELY:
            return node
        result = scope.new()

        def called(function: ast.expr) -> ast.stmt:
            stars = [
                ast.Starred(again(a.value), a.ctx, **place(a)) if isinstance(a, ast.Starred) else again(a)
                for a in node.args
            ]
            keywords = [ast.keyword(k.arg, again(k.value), **place(k)) for k in node.keywords]
            made = ast.Call(function, stars, keywords, **location)
            return (
                ast.Expr(made, **location)
                if effect
                else assign(scope.temporary(result, location, ast.Store()), made, location)
            )

        plain = called(node.func)
        with scope.block() as watched:
            function = scope.keep(_copied(node.func), node.func, place(node.func), slot=False)
            values = [again(a) for a in arguments if not isinstance(a, ast.Constant)]
            unpacks = any(keyword.arg in ("out", None) for keyword in node.keywords)
            before = recorder("before_out" if unpacks else "before", location)
            watched.append(do(before, [again(function), *values], location))
            watched.append(called(again(function)))
            watched.append(do(recorder("after", location), [], location))
        scope.out += watched if test is None else [ast.If(test, watched, [plain], **location)]
        return scope.temporary(result, location)

    def _test(
        self,
        node: ast.Call,
        change: Change,
        receiver: ast.expr | None,
        doubtful: list[ast.expr],
        location: dict[str, Any],
    ) -> ast.expr | None:
        """The run-time condition under which a call has to be watched."""
        scope = self._scope
        if change is Change.BY_ARGUMENTS:
            tests = [scope.type_is_not("quiet", argument, location) for argument in doubtful]
            return ast.BoolOp(ast.Or(), tests, **location) if len(tests) > 1 else tests[0] if tests else None
        if change is Change.BY_RECEIVER:
            if receiver is None:
                owner = self._super_object(node)
                return None if owner is None else scope.type_is_not("quiet", owner, location)
            kind = ast.Compare(
                scope.type_of(node.func, location), [ast.IsNot()], [recorder("method", location)], **location
            )
            return self._foreign(node, [scope.type_is_not("quiet", receiver, location), kind], location)
        if change is Change.BY_CALLEE:
            kind = ast.Compare(
                scope.type_of(node.func, location), [ast.IsNot()], [recorder("function", location)], **location
            )
            code = call(
                scope.held("id", location),
                [ast.Attribute(again(node.func), "__code__", ast.Load(), **location)],
                location,
            )
            return self._foreign(
                node, [kind, ast.Compare(code, [ast.NotIn()], [recorder("codes", location)], **location)], location
            )
        return None

    @staticmethod
    def _foreign(node: ast.Call, doubts: list[ast.expr], location: dict[str, Any]) -> ast.expr:
        """The condition that the called function is unrecorded; the recorder decides if the cheap tests cannot."""
        is_own = call(recorder("is_own", location), [again(node.func)], location)
        return ast.BoolOp(
            ast.And(),
            [ast.BoolOp(ast.Or(), doubts, **location), ast.UnaryOp(ast.Not(), is_own, **location)],
            **location,
        )

    def _super_object(self, node: ast.Call) -> ast.expr | None:
        """The object that a method of `super()` is called on."""
        function = node.func
        parameters = self._scope.names.parameters
        if isinstance(function, ast.Attribute) and is_super(function.value) and parameters:
            return ast.Name(parameters[0], ast.Load(), **place(node))
        return None


def _copied(function: ast.expr) -> ast.expr:
    """A copy of the function expression, for use at another place of the tree."""
    if isinstance(function, ast.Attribute):
        return ast.Attribute(_copied(function.value), function.attr, ast.Load(), **place(function))
    if is_super(function):
        return ast.Call(again(function.func), list(map(again, function.args)), [], **place(function))  # type: ignore[attr-defined]
    return again(function)
