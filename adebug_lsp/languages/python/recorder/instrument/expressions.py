"""Flattens expressions: every sub-expression gets a temporary, in the original order of evaluation.

The result is *simple*: a constant, a temporary, or a name that no other code can bind meanwhile. Orders that
statements cannot keep (an argument after a starred one, two formatted values with calls) are recorded inline instead.
"""

import ast
import sys
from itertools import compress
from typing import Any

from ..analysis.call_effects import ITERATING, Change, is_display, is_super, may_call_back, shows_namespace
from ..analysis.names import walk
from .inline import Inline
from .inline_temporaries import nested
from .scope import Scope
from .syntax_builder import TAG, again, assign, call, do, place, recorder
from .targets import stored

ASKS_ONCE = not (3, 12) <= sys.version_info < (3, 14)
"""Whether in `(a and b) or c` the interpreter asks `a` only once for its truth, though it is the value of a part."""
NUMBERS = (bool, int, float, complex)


class Expressions:
    """The expression half of the rewriter; `scope` is where it works now."""

    scope: Scope

    # Expressions that are simple already

    def simple(self, node: ast.expr) -> bool:
        """Whether evaluating the node later has the same value and no visible effect."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            names = self.scope.names
            return names.is_private(node.id) or not names.is_variable(node.id)
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.operand, ast.Constant) and _has_operator(node.operand.value, node.op)
        return False

    def safe(self, node: ast.expr) -> bool:
        """Whether a simple node surely has a value: a local variable may be unbound, a global one changed meanwhile."""
        names = self.scope.names
        return not isinstance(node, ast.Name) or (names.is_private(node.id) and node in names.certain)

    def plain(self, node: ast.expr) -> bool:
        """Whether a condition is made of simple things only, so that it can stay as it is."""
        if isinstance(node, ast.Compare):
            return all(self.simple(n) for n in (node.left, *node.comparators))
        if isinstance(node, ast.UnaryOp):
            return self.plain(node.operand)
        if isinstance(node, ast.BoolOp):
            return all(self.plain(value) for value in node.values)
        return self.simple(node)

    # Values

    def value(self, node: ast.expr, *, now: bool = False) -> ast.expr:
        """Evaluate; returns a simple expression with that value, which is read later unless `now`."""
        if self.simple(node):
            return self.scope.keep(node, node, place(node), slot=False) if now and not self.safe(node) else node
        made, slot = self.computed(node)
        if _is_temporary(made):
            if slot and self.scope.full:
                self.scope.slot(node, made)
            return made
        return self.scope.keep(made, node, place(node), slot=slot)

    def computed(self, node: ast.expr) -> tuple[ast.expr, bool]:
        """The node over simple parts, to be evaluated next; and whether its value belongs in the record."""
        flatten = getattr(self, f"flat_{type(node).__name__}", None)
        if flatten is None or not (self.scope.full or self.must_flatten(node)):
            return Inline(self.scope).rewrite(node), True
        made: ast.expr = flatten(node)
        return made, not is_super(node)

    def must_flatten(self, node: ast.expr) -> bool:
        """Whether a part changes objects or yields control: it needs statements around it at any level."""
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
        """Several values, left to right."""
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
            self._namespace(node.value, place(node))
        return node

    def _namespace(self, owner: ast.expr, location: dict[str, Any]) -> None:
        """Code that holds the dictionary of an object can change its attributes."""
        self.scope.out.append(do(recorder("namespace", location), [again(owner)], location))

    def flat_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.value = self.value(node.value, now=not self.simple(node.slice))
        node.slice = self.index(node.slice)
        calls = self.scope.map.calls
        if isinstance(node.slice, (ast.Slice, ast.Tuple)) or not (calls.defaults or node in self.scope.changed):
            return node
        return self._read(node)

    def _read(self, node: ast.Subscript) -> ast.expr:
        """An item that may appear when it is read, because it is that of a defaultdict."""
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

    def index(self, node: ast.expr) -> ast.expr:
        """The index of a subscript: a value, or slices of values."""
        if isinstance(node, ast.Slice):
            node.lower, node.upper, node.step = (
                part and self.value(part, now=True) for part in (node.lower, node.upper, node.step)
            )
            return node
        if isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.elts):
            if any(isinstance(e, ast.Starred) for e in node.elts):
                return Inline(self.scope).rewrite(node)
            node.elts = [self.index(e) if isinstance(e, ast.Slice) else self.value(e, now=True) for e in node.elts]
            return node
        return self.value(node)

    def flat_Compare(self, node: ast.Compare) -> ast.expr:
        late = node.comparators[1:]
        if not all(self.simple(n) for n in late):
            return Inline(self.scope).generic_visit(node)  # type: ignore[return-value]
        node.left, node.comparators[0] = self.in_order(node.left, node.comparators[0])
        return node

    def _display(self, node: ast.List | ast.Tuple | ast.Set) -> ast.expr:
        if any(isinstance(e, ast.Starred) for e in node.elts):
            return Inline(self.scope).generic_visit(node)  # type: ignore[return-value]
        node.elts = self.in_order(*node.elts)
        return node

    flat_List = flat_Tuple = flat_Set = _display

    def flat_Dict(self, node: ast.Dict) -> ast.expr:
        if any(key is None for key in node.keys):
            return Inline(self.scope).generic_visit(node)  # type: ignore[return-value]
        items = self.in_order(*(part for item in zip(node.keys, node.values, strict=True) for part in item if part))
        node.keys[:], node.values[:] = items[::2], items[1::2]
        return node

    def flat_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        if sum(not self.simple(field.value) for field in fields) > 1 or any(field.format_spec for field in fields):
            return Inline(self.scope).generic_visit(node)  # type: ignore[return-value]
        if any(not self.simple(field.value) for field in fields[1:]):
            return Inline(self.scope).generic_visit(node)  # type: ignore[return-value]
        for field in fields:
            field.value = self.value(field.value)
        return node

    def _own_scope(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> ast.expr:
        """A comprehension: its first iterable is evaluated here, the rest inside it."""
        inline = Inline(self.scope)
        return inline._comprehension(node)

    flat_ListComp = flat_SetComp = flat_DictComp = flat_GeneratorExp = _own_scope

    def flat_Lambda(self, node: ast.Lambda) -> ast.expr:
        return Inline(self.scope)._lambda(node)

    def flat_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        scope, location = self.scope, place(node)
        made, _ = self.computed(node.value) if not self.simple(node.value) else (node.value, False)
        scope.out.append(assign(ast.Name(node.target.id, ast.Store(), **location), made, location))
        scope.stores.append((node.target.id, scope.slot(node.value, ast.Name(node.target.id, ast.Load(), **location))))
        return ast.Name(node.target.id, ast.Load(), **location)

    def flat_Await(self, node: ast.Await) -> ast.expr:
        scope, location = self.scope, place(node)
        node.value = self.value(node.value)
        if scope.full:
            scope.record("part", node, location)
        result = scope.new()
        scope.out.append(
            self._waits("resumed", assign(scope.temporary(result, location, ast.Store()), node, location), node)
        )
        self.resumed("resumed", node, location)
        return scope.temporary(result, location)

    def flat_Yield(self, node: ast.Yield) -> ast.expr:
        scope, location = self.scope, place(node)
        value = ast.Constant(None, **location) if node.value is None else self.value(node.value, now=True)
        number = scope.map.node(node)
        scope.slot(number if node.value is None else node.value, value)
        scope.slot(-1, ast.Name("@g", ast.Load(), **location))
        scope.record("yield", node, location, result=len(scope.slots) - 2)
        result = scope.new()
        node.value = value
        scope.out.append(
            self._waits("thrown", assign(scope.temporary(result, location, ast.Store()), node, location), node)
        )
        self.resumed("resume", node, location, scope.temporary(result, location))
        return scope.temporary(result, location)

    def flat_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        scope, location = self.scope, place(node)
        original, node.value = node.value, self.value(node.value)
        iterable_slot = scope.slot_of(original, again(node.value))
        scope.slot(-1, ast.Name("@g", ast.Load(), **location))
        scope.record("delegate", node, location, result=iterable_slot)
        result = scope.new()
        scope.out.append(
            self._waits("thrown", assign(scope.temporary(result, location, ast.Store()), node, location), node)
        )
        self.resumed("resume", node, location, scope.temporary(result, location))
        return scope.temporary(result, location)

    def _waits(self, kind: str, statement: ast.stmt, node: ast.AST) -> ast.stmt:
        """A statement that yields control; an exception that is thrown in is recorded, and propagates."""
        scope, location = self.scope, place(node)
        with scope.block() as caught:
            self.resumed(kind, node, location, ast.Name("@x", ast.Load(), **location) if kind == "thrown" else None)
        caught.append(ast.Raise(None, None, **location))
        handler = ast.ExceptHandler(recorder("every", location), "@x", caught, **location)
        return ast.Try([statement], [handler], [], [], **location)

    def resumed(self, kind: str, node: ast.AST, location: dict[str, Any], sent: ast.expr | None = None) -> None:
        """After a suspension: perhaps another thread, certainly other records in between."""
        scope = self.scope
        scope.out += scope.look_up(location)
        kept, scope.slots = scope.slots, []
        scope.slot(-1, ast.Name("@g", ast.Load(), **location))
        if sent is not None:
            scope.slot(-1, sent)
        scope.record(kind, node, location)
        scope.slots = kept

    # Conditions

    def condition(self, node: ast.expr) -> ast.expr:
        """Something to stand behind `if`; the truth of each object is asked for as often as in the original."""
        if self.plain(node):
            return node
        if not (self.scope.full or self.must_flatten(node)):
            return Inline(self.scope).condition(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self.condition(node.operand)
            return node
        if isinstance(node, ast.Compare):
            return self.flat_Compare(node)
        if isinstance(node, ast.BoolOp):
            return self._truth(node)
        if isinstance(node, ast.IfExp) and any(_asks_inside(branch) for branch in (node.body, node.orelse)):
            return self._truth_of_branch(node)
        return self.value(node)

    def _truth(self, node: ast.BoolOp) -> ast.expr:
        """`and`/`or` as nested conditions that set a flag."""
        scope, location = self.scope, place(node)
        flag = scope.new()
        every = isinstance(node.op, ast.And)

        def settle(value: bool) -> list[ast.stmt]:
            return self._settled(flag, value, location)

        def rest(values: list[ast.expr]) -> None:
            here = place(values[0])
            test = self.condition(values[0])
            if len(values) == 1:
                scope.out.append(ast.If(test, settle(True), settle(False), **here))
                if scope.slots:
                    scope.record("part", values[0], here)
                return
            with scope.block() as inner:
                rest(values[1:])
            both = (inner, settle(False)) if every else (settle(True), inner)
            if scope.slots and values is not node.values:
                scope.record("part", values[0], here)
            scope.out.append(ast.If(test, *both, **here))

        rest(node.values)
        return scope.temporary(flag, location)

    def _truth_of_branch(self, node: ast.IfExp) -> ast.expr:
        """A conditional expression that sets a flag."""
        scope, location = self.scope, place(node)
        flag = scope.new()
        test = self.condition(node.test)
        branches = []
        for branch in (node.body, node.orelse):
            here = place(branch)
            with scope.block() as inner:
                truth = self.condition(branch)
                inner.append(ast.If(truth, self._settled(flag, True, here), self._settled(flag, False, here), **here))
                if scope.slots:
                    scope.record("part", branch, here)
            branches.append(inner)
        scope.out.append(ast.If(test, branches[0], branches[1], **location))
        return scope.temporary(flag, location)

    def _settled(self, flag: int, value: bool, location: dict[str, Any]) -> list[ast.stmt]:
        return [assign(self.scope.temporary(flag, location, ast.Store()), ast.Constant(value, **location), location)]

    def flat_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        result = self.scope.new()
        self._either(node, result, None)
        return self.scope.temporary(result, place(node))

    def _either(self, node: ast.BoolOp, result: int, flag: int | None) -> None:
        """`and`/`or` into the temporary `result`; if there is a `flag`, into that one whether the result is true."""
        scope, location = self.scope, place(node)
        every = isinstance(node.op, ast.And)

        def settle(value: bool) -> list[ast.stmt]:
            return [] if flag is None else self._settled(flag, value, location)

        def rest(first: ast.expr, *others: ast.expr) -> None:
            here = place(first)
            asked = bool(others) or flag is not None
            known = scope.new() if asked and ASKS_ONCE and isinstance(first, ast.BoolOp) else None
            if known is not None:
                self._either(first, result, known)  # type: ignore[arg-type]
            else:
                made, _ = (first, False) if self.simple(first) else self.computed(first)
                scope.out.append(assign(scope.temporary(result, here, ast.Store()), made, here))
            scope.slot(first, scope.temporary(result, here))
            scope.record("part", first, here)
            test = scope.temporary(result if known is None else known, location)
            if others:
                with scope.block() as inner:
                    rest(*others)
                test = test if every else ast.UnaryOp(ast.Not(), test, **location)
                scope.out.append(ast.If(test, inner, settle(not every), **location))
            elif asked:
                scope.out.append(ast.If(test, settle(True), settle(False), **location))

        rest(*node.values)

    def flat_IfExp(self, node: ast.IfExp) -> ast.expr:
        scope, location = self.scope, place(node)
        result = scope.new()
        test = self.condition(node.test)
        branches = []
        for branch in (node.body, node.orelse):
            here = place(branch)
            with scope.block() as inner:
                made, _ = (branch, False) if self.simple(branch) else self.computed(branch)
                inner.append(assign(scope.temporary(result, here, ast.Store()), made, here))
                scope.slot(branch, scope.temporary(result, here))
                scope.record("part", branch, here)
            branches.append(inner)
        scope.out.append(ast.If(test, branches[0], branches[1], **location))
        return scope.temporary(result, location)

    # Calls

    def effect(self, node: ast.Call) -> None:
        """A changing call as a statement."""
        made = self.flat_Call(node, effect=True)
        if not _is_temporary(made):  # it was not made yet
            self.scope.keep(made, node, place(node))

    def flat_Call(self, node: ast.Call, *, effect: bool = False) -> ast.expr:
        arguments = [
            *(a.value if isinstance(a, ast.Starred) else a for a in node.args),
            *(k.value for k in node.keywords),
        ]
        if self._out_of_order(node) or (is_super(node) and not arguments):
            return Inline(self.scope)._call(node) if arguments else node
        change = self.scope.change(node)
        doubtful = [may_call_back(argument, self.scope.names) for argument in arguments]
        shown = all(map(is_display, arguments))
        function = node.func
        receiver = self._callee(node, waits=any(not self.simple(a) for a in arguments))
        waits = isinstance(function, (ast.Attribute, ast.Name)) and node.func is not function
        looked_up = len(self.scope.out) - 1
        values = self.in_order(*arguments)
        for index, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                argument.value = values[index]
            else:
                node.args[index] = values[index]
        for keyword, value in zip(node.keywords, values[len(node.args) :], strict=True):
            keyword.value = value
        if shows_namespace(node):
            self._namespace(node.args[0], place(node))
        if change is Change.FORESEEN:
            assert isinstance(function, ast.Attribute)
            assert receiver is not None
            return self._foreseen(node, receiver, function.attr, effect=effect, shown=shown)
        made = self._watched(node, change, receiver, doubtful, effect=effect)
        if waits and made is node and nested(node, self.scope.out[looked_up:]):
            del self.scope.out[looked_up:]
        return made

    @staticmethod
    def _out_of_order(node: ast.Call) -> bool:
        """A starred argument is unpacked before the arguments after it are evaluated: statements cannot keep that."""
        arguments: list[Any] = [*node.args, *node.keywords]
        for index, argument in enumerate(arguments):
            star = isinstance(argument, ast.Starred) or (isinstance(argument, ast.keyword) and argument.arg is None)
            if star and index + 1 < len(arguments):
                return True
        return False

    def _callee(self, node: ast.Call, *, waits: bool) -> ast.expr | None:
        """Look the function up, before the arguments unless these are simple; returns a method's receiver."""
        scope, function = self.scope, node.func
        if isinstance(function, ast.Attribute):
            receiver = function.value
            scope.changed.add(receiver)
            if not is_super(receiver):
                function.value = receiver = self.value(receiver)
            if waits:
                node.func = scope.keep(function, function, place(function), slot=False)
            return None if is_super(receiver) else receiver
        if isinstance(function, ast.Name):
            if waits and not self.safe(function):
                node.func = scope.keep(function, function, place(function), slot=False)
            return None
        node.func = self.value(function)
        return None

    def _foreseen(self, node: ast.Call, receiver: ast.expr, name: str, *, effect: bool, shown: bool) -> ast.expr:
        """A method of a container, perhaps: an image before it, its effect recorded right after it.

        As a statement it is done for its `effect`, which is then in the record of the statement.
        """
        scope, location = self.scope, place(node)
        if name in ITERATING and not name.startswith("extend"):
            return self._updating(node, receiver, name, effect=effect)
        scope.see(receiver, location, perhaps=name in scope.map.calls.defined)
        arguments = [again(argument) for argument in node.args]
        poured = name in ITERATING and not shown
        if poured:
            arguments = [self._poured(receiver, arguments[0], location)]
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
        """A method that may fail when it has done half of its work."""
        scope, location = self.scope, place(node)
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

    def _poured(self, receiver: ast.expr, argument: ast.expr, location: dict[str, Any]) -> ast.expr:
        """The value in the record for an argument that is iterated over: None if its items are recorded otherwise."""
        scope = self.scope
        kept = scope.keep(argument, argument, location, slot=False)
        seen = assign(
            stored(kept), call(recorder("pour", location), [again(receiver), again(argument)], location), location
        )
        scope.out.append(ast.If(scope.type_is_not("replayed", argument, location), [seen], [], **location))
        return kept

    def _watched(
        self, node: ast.Call, change: Change, receiver: ast.expr | None, doubtful: list[bool], *, effect: bool
    ) -> ast.expr:
        """A call of code that is perhaps not recorded: then objects within its reach are inspected before and after."""
        scope, location = self.scope, place(node)
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
            watched.append(do(recorder("before", location), [again(function), *values], location))
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
        """A condition that is true if a call must be watched after all."""
        scope = self.scope
        if change is Change.BY_ARGUMENTS:
            tests = [scope.type_is_not("quiet", argument, location) for argument in doubtful]
            return ast.BoolOp(ast.Or(), tests, **location) if len(tests) > 1 else tests[0] if tests else None
        if change is Change.BY_RECEIVER:
            if receiver is None:
                owner = self._own(node)
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
        """Whether the called function is not recorded: if the first tests leave doubts, the recorder is asked."""
        is_own = call(recorder("is_own", location), [again(node.func)], location)
        return ast.BoolOp(
            ast.And(),
            [ast.BoolOp(ast.Or(), doubts, **location), ast.UnaryOp(ast.Not(), is_own, **location)],
            **location,
        )

    def _own(self, node: ast.Call) -> ast.expr | None:
        """The object that `super()` stands for."""
        function = node.func
        parameters = self.scope.names.parameters
        if isinstance(function, ast.Attribute) and is_super(function.value) and parameters:
            return ast.Name(parameters[0], ast.Load(), **place(node))
        return None


def _copied(function: ast.expr) -> ast.expr:
    """The same function, looked up in another place."""
    if isinstance(function, ast.Attribute):
        return ast.Attribute(_copied(function.value), function.attr, ast.Load(), **place(function))
    if is_super(function):
        return ast.Call(again(function.func), list(map(again, function.args)), [], **place(function))  # type: ignore[attr-defined]
    return again(function)


def _asks_inside(node: ast.expr) -> bool:
    """Whether a condition asks for the truth of several objects."""
    if isinstance(node, ast.UnaryOp):
        return _asks_inside(node.operand)
    if isinstance(node, ast.IfExp):
        return _asks_inside(node.body) or _asks_inside(node.orelse)
    return isinstance(node, ast.BoolOp) or (isinstance(node, ast.Compare) and len(node.ops) > 1)


def _has_operator(value: object, operator: ast.unaryop) -> bool:
    """Whether a unary operator cannot fail on a constant."""
    return isinstance(operator, ast.Not) or type(value) in ((int,) if isinstance(operator, ast.Invert) else NUMBERS)


def _is_temporary(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        node = node.value
        held: object = node.value if isinstance(node, ast.Constant) else None
        return held == (TAG, "temporaries")
    return isinstance(node, ast.Name) and node.id.startswith("@")
