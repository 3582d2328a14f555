"""Rewrites scopes: modules, functions and classes, each with the passes over its statements and expressions.

    Rewriter -> ScopeRewriter -> Statements, Assignments, Blocks -> Expressions -> CallFlattener, ShortCircuits,
                                                                                   Suspensions, Inline

Each scope has a rewriter of its own. The passes append rewritten statements to the `Scope` that they share.
"""

import ast
from collections.abc import Callable, Iterable, Sequence

from ..analysis.call_effects import Calls, Imports
from ..analysis.definite_assignment import certain_reads
from ..analysis.names import (
    DEFINITIONS,
    FUNCTIONS,
    Function,
    Names,
    attributes_set,
    makes,
    mentions,
    names_inside,
    parameters,
    walrus,
)
from ..analysis.static_map import ModuleMap
from ..analysis.syntax_walk import children, walk, walk_all
from .activation import begin_activation, end_activation, generator_slots, guarded_activation
from .answered_calls import answered_function
from .assignments import Assignments
from .blocks import Blocks
from .emit import pair
from .expressions import Expressions
from .scope import Scope
from .statements import Statements
from .syntax_builder import again, do, name, place, recorder, thin

WATCHING = frozenset({"weakref", "gc", "gc_collect", "getrefcount", "memoryview", "getbuffer"})
"""Names in code that depends on the lifetime of objects: a buffer, say, cannot be resized while a view of it exists."""

COUNTING = frozenset({"getrefcount"})
"""Names in code that would notice the recorder's references to arguments."""

FILES = frozenset({"open"})
"""Names of functions whose objects write when they are finalized."""

THREADS = frozenset({"threading", "_thread", "queue", "concurrent"})
"""Modules imported by code in which threads wait for each other."""


class Rewriter:
    """Rewrites one module: collects facts about the whole module, then rewrites its body with a `ScopeRewriter`."""

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
        nodes = self.map.originals
        self.finalized = _with_finalizers(nodes)
        self.watching = WATCHING | self.finalized | self.imports.from_modules("weakref", "gc")
        self.mortal = FILES | self.finalized
        self.makes_mortal = makes(nodes, self.mortal)
        self.walrus = bool(walrus(nodes))
        imported = (*self.imports.modules.values(), *self.imports.things.values())
        self.threads = any(full.partition(".")[0] in THREADS for full in imported)
        self.calls.defined -= attributes_set(nodes)
        mentioned = mentions(nodes)
        self.calls.defaults, self.frames = "defaultdict" in mentioned, "f_locals" in mentioned
        routine = self.map.routine(name="<module>", qualname="", node=-1, kind="module", parameters=[])
        scope = Scope(self.map, names, routine, kind="module")
        first = _after_futures(tree.body)
        if first == len(tree.body):
            return
        location = thin(place(tree.body[first]))
        own = walk_all(n for n in tree.body if not isinstance(n, DEFINITIONS))
        watches = not mentions(own).isdisjoint(self.watching)
        body = ScopeRewriter(self, scope).body(tree.body[first:])
        if watches:
            _release(body)
        enter = self.map.marker("enter", -1, routine, slots=[])
        leave = self.map.marker("return", -1, routine, slots=[])
        body.append(scope.statements(leave, [], location)[0])
        entered = scope.statements(enter, [], location)[0]
        tree.body[first:] = [entered, guarded_activation(scope, body, location)]


class ScopeRewriter:
    """Rewrites the statements of one scope, each by the pass for its kind.

    `Rewriter` creates one for the module's body; each creates another for every function or class inside.
    """

    def __init__(self, module: Rewriter, scope: Scope) -> None:
        self._module, self._scope = module, scope
        self._expressions = Expressions(scope)
        self._assignments = Assignments(self._expressions)
        self._statements = Statements(self._expressions, keep_asserts=module.keep_asserts)

    def body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Rewrite a sequence of statements."""
        scope = self._scope
        with scope.block() as out:
            for statement in statements:
                scope.temporaries = 0
                scope.seen = set()
                defines = isinstance(statement, DEFINITIONS)
                scope.names.walrus = set() if defines or not self._module.walrus else walrus(walk(statement))
                releases = not defines and self._module.makes_mortal and makes([*walk(statement)], self._module.mortal)
                before, temporaries = len(out), scope.map.temporaries
                self._method_for(statement)(statement)
                if not defines and (releases or scope.function or scope.map.temporaries > temporaries):
                    out[before:] = scope.without_temporaries(out[before:], release=releases)
        return out

    def _method_for(self, statement: ast.stmt) -> Callable[[ast.stmt], None]:
        """The method for a statement, called directly: an extra frame would limit chains of `elif` further."""
        method = f"do_{type(statement).__name__}"
        if isinstance(statement, Assignments.KINDS):
            return getattr(self._assignments, method)  # type: ignore[no-any-return]
        if isinstance(statement, Blocks.KINDS):
            blocks = Blocks(self._expressions, self._assignments, self.body)
            return getattr(blocks, method)  # type: ignore[no-any-return]
        if isinstance(statement, DEFINITIONS):
            return getattr(self, method)  # type: ignore[no-any-return]
        return getattr(self._statements, method, self._scope.out.append)

    def function(self, node: Function) -> None:
        """Rewrite a function in place; its decorators and defaults belong to the scope around it."""
        outer, module = self._scope, self._module
        names = Names(node.body, node.args, outer.names, function=True)
        kind = _kind(node, names)
        qualname = _qualified(outer, node.name)
        argument_names = parameters(node.args)
        names.certain = certain_reads(node.body, argument_names)
        routine = outer.map.routine(
            name=node.name,
            qualname=qualname,
            node=outer.map.node(node),
            kind=kind,
            parameters=argument_names,
            method=outer.kind == "class",
        )
        scope = Scope(outer.map, names, routine, kind=kind, owner=outer.owner, qualname=qualname)
        scope.full = outer.map.full
        scope.generator = kind != "routine"
        scope.threads = module.threads
        first = int(_has_docstring(node.body))
        location = thin(place(node.body[min(first, len(node.body) - 1)]))
        others = names.private.difference(argument_names)  # an argument may shadow one of these modules
        mentioned = mentions(walk_all(node.body))
        watches = not mentioned.isdisjoint(module.watching - others) or outer.owner in module.finalized
        scope.hidden = not (names.uses_locals or watches or module.frames)
        if scope.hidden:
            _outer_variables(scope, node)
        scope.lingers = scope.hidden and _lingers(node.body)
        inside = ScopeRewriter(module, scope)
        body = inside.body(node.body[first:]) if scope.hidden else inside.coarsely(node.body[first:])
        if not scope.hidden and mentioned.isdisjoint(COUNTING):
            kept_arguments = [parameter for parameter in argument_names if parameter in names.kept]
            body = _watched(body, [name(parameter, location) for parameter in kept_arguments])
        if watches:
            _release(body)
        end_activation(scope, node, body, location)
        body[:0] = answered_function(scope, outer.map.node(node), inside.body, location)
        caught = guarded_activation(scope, body, location)
        node.body[first:] = [*begin_activation(scope, node, argument_names, location), caught]

    def coarsely(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Rewrite a function that inspects its own local variables: adds none, and records only its calls."""
        for statement in statements:
            self.definitions(statement)
        for node in _own_nodes(statements):
            if isinstance(node, ast.Return):
                location = place(node)
                value = node.value or ast.Constant(None, **location)
                slots = [(-1, extra) for extra in generator_slots(self._scope, location)]
                marker = self._scope.map.marker(
                    "return",
                    self._scope.map.node(node),
                    self._scope.routine,
                    slots=[-1] * len(slots) + [self._scope.map.node(value)],
                    result=len(slots),
                )
                value = ast.Call(recorder("end", location), [value], [], **location)
                node.value = pair(marker, [*(extra for _, extra in slots), value], location)
        return statements

    def definitions(self, statement: ast.stmt) -> None:
        """Rewrite the functions inside a statement that is not rewritten itself."""
        if isinstance(statement, FUNCTIONS):
            self.function(statement)
        elif isinstance(statement, ast.ClassDef):
            self._class(statement)
        else:
            for child in children(statement):
                if isinstance(child, ast.stmt):
                    self.definitions(child)

    def _class(self, node: ast.ClassDef) -> None:
        outer = self._scope
        names = Names(node.body, None, outer.names, function=False)
        scope = Scope(
            outer.map, names, outer.routine, kind="class", owner=node.name, qualname=_qualified(outer, node.name)
        )
        inside = ScopeRewriter(self._module, scope)
        # A class body inside a function may be re-entered while it runs, so it gets no temporaries.
        scope.full = outer.full and not outer.function
        if scope.full:
            node.body = inside.body(node.body)
        else:
            for statement in node.body:
                inside.definitions(statement)

    def do_ClassDef(self, node: ast.ClassDef) -> None:
        self._class(node)
        self._scope.out.append(node)

    def do_FunctionDef(self, node: Function) -> None:
        node.decorator_list = [self._expressions.inline.rewrite(d) for d in node.decorator_list]
        node.args.defaults = [self._default(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self._default(d) for d in node.args.kw_defaults]
        evaluated = [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d)]
        self.function(node)
        self._scope.out.append(node)
        if self._scope.full and not all(isinstance(e, (ast.Constant, ast.Name)) for e in evaluated):
            self._scope.record_statement("statement", node)

    do_AsyncFunctionDef = do_FunctionDef

    def _default(self, node: ast.expr) -> ast.expr:
        """Rewrite the default of a parameter. It exists only once, so even a display is recorded."""
        if isinstance(node, (ast.Constant, ast.Name, ast.Lambda)) or not self._scope.full:
            return self._expressions.inline.rewrite(node)
        return self._expressions.inline.recorded(node)


def _outer_variables(scope: Scope, node: Function) -> None:
    """Collect the variables of enclosing functions to record at the start of the function, or to declare there."""
    if not scope.map.full:  # otherwise they are recorded when they are read
        scope.free = sorted(filter(scope.names.is_free, names_inside(node.body)))
    if scope.free or scope.map.answered:
        scope.early = set(filter(scope.names.is_free, scope.names.declared))


def _watched(statements: list[ast.stmt], parameters: list[ast.expr]) -> list[ast.stmt]:
    """Inspect the parameters of a function that inspects its own variables, in place of recording its writes."""
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


def _with_finalizers(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The classes of a module whose objects have a finalizer."""
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    return frozenset(c.name for c in classes if any(getattr(n, "name", None) == "__del__" for n in c.body))


def _release(statements: list[ast.stmt]) -> None:
    """Flush the tape after every statement of a function that observes when objects are finalized."""
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
    """Whether code runs after a `return`, in an enclosing `with` or `finally`."""
    own = _own_nodes(statements)
    around = [n for n in own if isinstance(n, (ast.With, ast.AsyncWith)) or getattr(n, "finalbody", None)]
    return any(isinstance(inside, ast.Return) for n in around for inside in _own_nodes([n]))


def _own_nodes(statements: Sequence[ast.AST]) -> list[ast.AST]:
    """All nodes of statements, except inside nested functions and classes."""
    nodes: list[ast.AST] = list(statements)
    for node in nodes:  # grows during the iteration
        if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            nodes.extend(children(node))
    return nodes


def _kind(node: Function, names: Names) -> str:
    if isinstance(node, ast.AsyncFunctionDef):
        return "async_generator" if names.yields else "coroutine"
    return "generator" if names.yields else "routine"


def _qualified(outer: Scope, own: str) -> str:
    if outer.function:
        return f"{outer.qualname}.<locals>.{own}"
    return f"{outer.qualname}.{own}" if outer.qualname else own


def _has_docstring(body: list[ast.stmt]) -> bool:
    first = body[0].value if body and isinstance(body[0], ast.Expr) else None
    return isinstance(first, ast.Constant) and isinstance(first.value, str)


def _after_futures(body: list[ast.stmt]) -> int:
    """The index of the first statement after the docstring and the imports from `__future__`."""
    first = int(_has_docstring(body))
    while first < len(body):
        statement = body[first]
        if not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        first += 1
    return first
