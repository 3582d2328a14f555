"""Rewrites scopes: modules, functions and classes; the beginning and end of activations.

Every activation has a record at its beginning and one at its end, whether it returns or an exception leaves it.
"""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from ..analysis.call_effects import Calls, Imports
from ..analysis.definite_assignment import certain_reads
from ..analysis.names import DEFINITIONS, FUNCTIONS, Names, attributes_set, mentions, names_inside, parameters, walk
from ..analysis.static_map import ModuleMap
from .blocks import IMPORTS_MAY_BE_LAZY, Blocks
from .emit import pair, put_raised
from .inline import Inline
from .scope import Scope
from .syntax_builder import again, assign, do, name, place, recorder, thin
from .targets import stored

WATCHING = frozenset({"weakref", "gc", "gc_collect", "getrefcount", "memoryview", "getbuffer"})
"""Names in code that depends on how long objects live: a buffer cannot be resized while a view of it exists."""

COUNTING = frozenset({"getrefcount"})
"""Names of code that would notice even that the recorder holds the arguments."""

FILES = frozenset({"open"})
"""Names that make objects which write when they are finalized."""

THREADS = frozenset({"threading", "_thread", "queue", "concurrent"})
"""Modules that code imports in which threads wait for each other."""


Function = ast.FunctionDef | ast.AsyncFunctionDef


class Rewriter(Blocks):
    """Rewrites one module."""

    def __init__(
        self,
        module: ModuleMap,
        *,
        full: bool,
        keep_asserts: bool,
        is_user_code: Callable[[str], bool],
        imports: Imports,
    ) -> None:
        self.map, self.keep_asserts = module, keep_asserts
        module.full = full
        self.imports = imports
        defined = frozenset(n[6] for n in module.nodes if n[0] in ("FunctionDef", "AsyncFunctionDef"))
        classes = frozenset(n[6] for n in module.nodes if n[0] == "ClassDef")
        self.calls = module.calls = Calls(imports, defined, classes, is_user_code)

    def module(self, tree: ast.Module) -> None:
        """Rewrite a whole module in place."""
        names = Names(tree.body, None, None, function=False)
        self.finalized = _with_finalizers(tree)
        self.watching = WATCHING | self.finalized | self.imports.from_modules("weakref", "gc")
        self.mortal = FILES | self.finalized
        imported = (*self.imports.modules.values(), *self.imports.things.values())
        self.threads = any(full.partition(".")[0] in THREADS for full in imported)
        self.calls.defined -= attributes_set(tree)
        self.calls.defaults = mentions(tree.body, frozenset({"defaultdict"}))
        self.frames = mentions(tree.body, frozenset({"f_locals"}))
        routine = self.map.routine(name="<module>", qualname="", node=-1, kind="module", parameters=[])
        self.scope = Scope(self.map, names, routine, kind="module")
        first = _after_futures(tree.body)
        if first == len(tree.body):
            return
        location = thin(place(tree.body[first]))
        watches = mentions([n for n in tree.body if not isinstance(n, DEFINITIONS)], self.watching)
        body = self.body(tree.body[first:])
        if watches:
            _release(body)
        enter = self.map.marker("enter", -1, routine, slots=[])
        leave = self.map.marker("return", -1, routine, slots=[])
        body.append(self.scope.statements(leave, [], location)[0])
        entered = self.scope.statements(enter, [], location)[0]
        tree.body[first:] = [entered, self._caught(body, routine, location, [])]

    def _caught(self, body: list[ast.stmt], routine: int, location: dict[str, Any], more: list[ast.expr]) -> ast.stmt:
        """An exception that leaves a routine is recorded on its way; re-raising it leaves its traceback as it is.

        Hardly ever is a function called there: at the limit of recursion that would raise again.
        """
        marker = self.map.marker("raised", -1, routine, slots=[-1] * (2 + len(more)))
        scope = self.scope
        if scope.kind == "module" and IMPORTS_MAY_BE_LAZY:
            return self.guarded(body, marker, location, ends=True)
        caught, exception = self.caught(location)
        trace = ast.Attribute(exception, "__traceback__", ast.Load(), **location)
        record = put_raised(marker, [again(exception), trace, *more], location)
        final: list[ast.stmt] = []
        if scope.lingers:
            left = self.map.marker("left", -1, routine, slots=[-1] * len(more))
            final = [
                ast.If(
                    name("@q", location),
                    scope.statements(left, [(-1, value) for value in more], location),
                    [],
                    **location,
                )
            ]
        # Only a constant could name it without looking it up; BaseException itself is one of the recorder's.
        reraise = [scope.failed(location), *record, *self._leaves(False, location), ast.Raise(None, None, **location)]
        handler = ast.ExceptHandler(recorder("every", location), caught, reraise, **location)
        return ast.Try(body, [handler], [], final, **location)

    def _leaves(self, normally: bool, location: dict[str, Any]) -> list[ast.stmt]:
        """Note whether the record of the end of a lingering activation is still to come."""
        if not self.scope.lingers:
            return []
        return [assign(name("@q", location, ast.Store()), ast.Constant(normally, **location), location)]

    def function(self, node: Function) -> None:
        """Rewrite a function in place; its decorators and defaults belong to the scope around it."""
        outer = self.scope
        kind = _kind(node)
        names = Names(node.body, node.args, outer.names, function=True)
        qualname = _qualified(outer, node.name)
        argument_names = parameters(node.args)
        names.certain = certain_reads(node.body, argument_names)
        routine = self.map.routine(
            name=node.name,
            qualname=qualname,
            node=self.map.node(node),
            kind=kind,
            parameters=argument_names,
            method=outer.kind == "class",
        )
        self.scope = Scope(self.map, names, routine, kind=kind, owner=outer.owner, qualname=qualname)
        self.scope.full = self.map.full
        self.scope.generator = kind != "routine"
        self.scope.threads = self.threads
        first = int(_has_docstring(node.body))
        location = thin(place(node.body[min(first, len(node.body) - 1)]))
        others = names.private.difference(argument_names)  # a variable may have the name of one of these modules
        watches = mentions(node.body, self.watching - others) or outer.owner in self.finalized
        self.scope.hidden = not (names.uses_locals or watches or self.frames)
        if self.scope.hidden:
            self._outer_variables(node, names)
        self.scope.lingers = self.scope.hidden and _lingers(node.body)
        body = self.body(node.body[first:]) if self.scope.hidden else self._coarsely(node.body[first:])
        if not (self.scope.hidden or mentions(node.body, COUNTING)):
            kept_arguments = [parameter for parameter in argument_names if parameter in names.kept]
            body = _watched(body, [name(parameter, location) for parameter in kept_arguments])
        if watches:
            _release(body)
        self._leave(node, body, location)
        body[:0] = self._answered(self.map.node(node), location)
        caught = self._caught(body, routine, location, self._activation(location))
        node.body[first:] = [*self._prologue(node, argument_names, location), caught]
        self.scope = outer

    def _outer_variables(self, node: Function, names: Names) -> None:
        """Which variables of functions around are looked at when the function begins, or declared there."""
        if not self.map.full:  # else they are seen when they are read
            self.scope.free = sorted(filter(names.is_free, names_inside(node.body)))
        if self.scope.free or self.map.answered:
            self.scope.early = set(filter(names.is_free, names.declared))

    def _coarsely(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """A function that looks at its own local variables gets none added: only its calls are recorded."""
        for statement in statements:
            self._definitions(statement)
        for node in _own(statements):
            if isinstance(node, ast.Return):
                location = place(node)
                value = node.value or ast.Constant(None, **location)
                slots = [(-1, extra) for extra in self._activation(location)]
                marker = self.map.marker(
                    "return",
                    self.map.node(node),
                    self.scope.routine,
                    slots=[-1] * len(slots) + [self.map.node(value)],
                    result=len(slots),
                )
                value = ast.Call(recorder("end", location), [value], [], **location)
                node.value = pair(marker, [*(extra for _, extra in slots), value], location)
        return statements

    def _leave(self, node: Function, body: list[ast.stmt], location: dict[str, Any]) -> None:
        """The end that is reached without `return`."""
        if body and isinstance(body[-1], (ast.Return, ast.Raise)):
            return
        slots = [(-1, value) for value in self._activation(location)]
        marker = self.map.marker(
            "return", self.map.node(node), self.scope.routine, slots=[-1] * len(slots), **self._lingering()
        )
        body.extend(self.scope.statements(marker, slots, location))

    def _prologue(self, node: Function, argument_names: list[str], location: dict[str, Any]) -> list[ast.stmt]:
        scope = self.scope
        made = self._leaves(True, location)
        made += [ast.Nonlocal(sorted(scope.early), **location)] if scope.early else []
        slots: list[tuple[int, ast.expr]] = [(-1, name(parameter, location)) for parameter in argument_names]
        stores = [(parameter, index) for index, parameter in enumerate(argument_names)]
        facts = {"free": [[variable, len(slots) + index] for index, variable in enumerate(scope.free)]}
        for index, variable in enumerate(scope.free):
            made.append(_looked_at(variable, index, location))
            slots.append((-1, name(f"@f{index}", location)))
        if scope.generator:
            made.append(
                assign(
                    name("@g", location, ast.Store()),
                    ast.Call(recorder("numbers", location), [], [], **location),
                    location,
                )
            )
            slots.append((-1, name("@g", location)))
            if scope.kind in ("coroutine", "async_generator"):
                slots.append((-1, ast.Call(recorder("nested", location), [], [], **location)))
        marker = self.map.marker(
            "enter",
            self.map.node(node),
            scope.routine,
            slots=[-1] * len(slots),
            stores=stores,
            **(facts if scope.free else {}),
        )
        entered = scope.statements(marker, slots, location)
        return [*scope.look_up(location), *scope.prepare(location), *made, *entered]

    def _class(self, node: ast.ClassDef) -> None:
        outer = self.scope
        names = Names(node.body, None, outer.names, function=False)
        self.scope = Scope(
            self.map, names, outer.routine, kind="class", owner=node.name, qualname=_qualified(outer, node.name)
        )
        # A class body inside a function may run again while it runs: it gets no temporaries.
        self.scope.full = outer.full and not outer.function
        if self.scope.full:
            node.body = self.body(node.body)
        else:
            for statement in node.body:
                self._definitions(statement)
        self.scope = outer

    def _definitions(self, statement: ast.stmt) -> None:
        """Rewrite the functions below a statement that itself stays as it is."""
        if isinstance(statement, FUNCTIONS):
            self.function(statement)
        elif isinstance(statement, ast.ClassDef):
            self._class(statement)
        else:
            for child in ast.iter_child_nodes(statement):
                if isinstance(child, ast.stmt):
                    self._definitions(child)

    def do_FunctionDef(self, node: Function) -> None:
        node.decorator_list = [Inline(self.scope).rewrite(d) for d in node.decorator_list]
        node.args.defaults = [self._default(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self._default(d) for d in node.args.kw_defaults]
        evaluated = [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d)]
        self.function(node)
        self.scope.out.append(node)
        if self.scope.full and not all(isinstance(e, (ast.Constant, ast.Name)) for e in evaluated):
            self._record("statement", node)

    do_AsyncFunctionDef = do_FunctionDef

    def _default(self, node: ast.expr) -> ast.expr:
        """The default of a parameter, which is made once: recorded also where it is a mere display."""
        if isinstance(node, (ast.Constant, ast.Name, ast.Lambda)) or not self.scope.full:
            return Inline(self.scope).rewrite(node)
        return Inline(self.scope).recorded(node)

    def do_ClassDef(self, node: ast.ClassDef) -> None:
        self._class(node)
        self.scope.out.append(node)


def _looked_at(variable: str, index: int, location: dict[str, Any]) -> ast.stmt:
    """Look at a variable of a function around, which may have no value yet."""
    held = name(f"@f{index}", location, ast.Store())
    nothing: list[ast.stmt] = [assign(stored(held), ast.Constant(..., **location), location)]
    handler = ast.ExceptHandler(recorder("unbound", location), None, nothing, **location)
    return ast.Try([assign(held, name(variable, location), location)], [handler], [], [], **location)


def _watched(statements: list[ast.stmt], parameters: list[ast.expr]) -> list[ast.stmt]:
    """A function that looks at its own variables has no records of writes: its parameters are looked at instead."""
    watched: list[ast.stmt] = []
    for statement in statements:
        location = thin(place(statement))
        for field in ("body", "orelse", "finalbody"):
            if getattr(statement, field, None) and not isinstance(statement, DEFINITIONS):
                setattr(statement, field, _watched(getattr(statement, field), parameters))
        for block in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            block.body = _watched(block.body, parameters)
        before = do(recorder("before", location), [ast.Constant(None, **location), *map(again, parameters)], location)
        if isinstance(statement, ast.Return) and statement.value is not None:
            watched += [before, statement]
        elif isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            watched += [before, statement, do(recorder("after", location), [], location)]
        else:
            watched.append(statement)
    return watched


def _with_finalizers(tree: ast.Module) -> frozenset[str]:
    """The classes of a module whose objects have something to do when they die."""
    classes = [node for node in walk(tree) if isinstance(node, ast.ClassDef)]
    return frozenset(c.name for c in classes if any(getattr(n, "name", None) == "__del__" for n in c.body))


def _release(statements: list[ast.stmt]) -> None:
    """A function that looks at when objects die finds the tape empty: after every statement it is written away."""
    for statement in statements:
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if inner and not isinstance(statement, DEFINITIONS):
                _release(inner)
        for block in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            _release(block.body)
    made = []
    for statement in statements:
        made.append(statement)
        if not isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            location = thin(place(statement))
            made.append(do(recorder("release", location), [], location))
    statements[:] = made


def _lingers(statements: list[ast.stmt]) -> bool:
    """Whether a `return` has a statement around it that does something after it."""
    around = [n for n in _own(statements) if isinstance(n, (ast.With, ast.AsyncWith)) or getattr(n, "finalbody", None)]
    return any(isinstance(inside, ast.Return) for n in around for inside in _own([n]))


def _own(statements: Sequence[ast.AST]) -> list[ast.AST]:
    """All nodes of statements, without those of functions and classes inside them."""
    nodes: list[ast.AST] = list(statements)
    for node in nodes:  # grows while it is read
        if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            nodes.extend(ast.iter_child_nodes(node))
    return nodes


def _kind(node: Function) -> str:
    bound = Names(node.body, node.args, None, function=True)
    if isinstance(node, ast.AsyncFunctionDef):
        return "async_generator" if bound.yields else "coroutine"
    return "generator" if bound.yields else "routine"


def _qualified(outer: Scope, own: str) -> str:
    if outer.function:
        return f"{outer.qualname}.<locals>.{own}"
    return f"{outer.qualname}.{own}" if outer.qualname else own


def _has_docstring(body: list[ast.stmt]) -> bool:
    first = body[0].value if body and isinstance(body[0], ast.Expr) else None
    return isinstance(first, ast.Constant) and isinstance(first.value, str)


def _after_futures(body: list[ast.stmt]) -> int:
    """Where the code begins: after the docstring and the imports from `__future__`."""
    first = int(_has_docstring(body))
    while first < len(body):
        statement = body[first]
        if not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        first += 1
    return first
