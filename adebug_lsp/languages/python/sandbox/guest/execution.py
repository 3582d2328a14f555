"""Runs a routine, or a piece of one, from given values, and returns its completion.

A piece is wrapped into a function whose variables are those of the routine. That function reports whether the piece ran
to its end, returned, left a loop or raised, and the variables at that point.
"""

import ast
import asyncio
import sys
import types
from collections.abc import Awaitable, Callable, Generator, Sequence
from typing import Any

from .modules import CannotAnswer, Source, UserModules
from .objects.comparison import OWN_NAME
from .objects.rebuild import Standin, row_of
from .objects.value_text import usual_stack
from .protocol import Definition, Loop, Scope, Variables
from .versions.routine_syntax import (
    DEFS,
    SCOPES,
    Mangler,
    Routine,
    bound,
    copy,
    declared,
    names_in,
    own_nodes,
    parameters,
)

END, RETURN, BREAK, CONTINUE, RAISE, VALUE = "end", "return", "break", "continue", "raise", "value"
_PREFIX = "_adebug_"
_LOCALS, _ITEMS, _ITERATION, _MADE, _KEPT = (
    _PREFIX + name for name in ("locals", "items", "iteration", "made", "kept")
)


class Completion:
    """Completion of a run: how it ended, its value or exception, and the variables at the end."""

    def __init__(self, how: str, value: Any = None, variables: Variables | None = None) -> None:
        self.how = how
        self.value = value
        self.variables = variables or {}


def call(
    function: Callable[..., object],
    node: Scope,
    arguments: dict[str, Any],
    then: Callable[[object], Completion] | None = None,
) -> Completion:
    """Calls a function with a value for every parameter; `then` continues with the result."""
    args, arguments = node.args, {**arguments, **defaults_for(function, node, arguments)}
    positional = [
        arguments[parameter.arg] for parameter in (*args.posonlyargs, *args.args) if parameter.arg in arguments
    ]
    named = {parameter.arg: arguments[parameter.arg] for parameter in args.kwonlyargs if parameter.arg in arguments}
    if args.vararg is not None:
        positional += arguments.get(args.vararg.arg, ())
    if args.kwarg is not None:
        named.update(arguments.get(args.kwarg.arg, {}))
    go_on = then or (lambda result: Completion(RETURN, _finish(result)))
    return guarded(lambda: go_on(function(*positional, **named)))


def defaults_for(function: object, node: Scope, arguments: Variables) -> Variables:
    """Defaults for the parameters whose values cannot be rebuilt, if they are of the same type."""
    plain = [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)]
    values = getattr(function, "__defaults__", None) or ()
    defaults = dict(zip(plain[len(plain) - len(values) :], values, strict=True))
    defaults |= getattr(function, "__kwdefaults__", None) or {}
    lost = {name: value for name, value in arguments.items() if type(value) is Standin and name in defaults}
    return {name: defaults[name] for name, value in lost.items() if _is_of_kind(value, defaults[name])}


def last_step(
    generator: Generator[object, object, object], sent: list[object], look: Callable[[object], None]
) -> Completion:
    """Sends all values to a generator, and returns the completion of the last step.

    `look` is called with the generator before that step.
    """
    try:
        for value in [None, *sent[:-1]] if sent else []:
            generator.send(value)
    except StopIteration:
        return Completion(END)  # there is no such step
    look(generator)
    try:
        return Completion(VALUE, generator.send(sent[-1] if sent else None))
    except StopIteration as stop:
        return Completion(RETURN, stop.value)


DELEGATE = _PREFIX + "delegate"


def delegate(source: object) -> Generator[object, object, object]:
    """Replaces `yield from`: an iterator that is no generator is yielded whole, since its items leave no record."""
    if isinstance(source, types.GeneratorType):
        return (yield from source)
    return (yield source)


class DelegationRewriter(ast.NodeTransformer):
    """Wraps the operand of every `yield from` in `delegate`, except in nested functions."""

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.YieldFrom:  # noqa: D102
        self.generic_visit(node)
        node.value = ast.Call(ast.Name(DELEGATE, ast.Load()), [node.value], [])
        return node

    def _keep(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _keep  # noqa: N815


def _finish(result: object) -> object:
    """Runs a coroutine to its end and returns its result; returns other values unchanged."""
    return asyncio.run(_waited(result)) if isinstance(result, types.CoroutineType) else result


async def _waited(coroutine: Awaitable[object]) -> object:
    return await coroutine


def guarded(run: Callable[[], Completion]) -> Completion:
    """Runs the user's code with the stack depth that it would have outside of the sandbox."""
    try:
        with usual_stack():
            return run()
    except CannotAnswer:
        raise
    except BaseException as error:
        return Completion(RAISE, error)


def live_function(user_modules: UserModules, source: Source, routine: Routine) -> types.FunctionType | None:
    """The loaded function of a routine, without its decorators; None if it cannot be reached."""
    target: Any = user_modules.module(source.name)
    for step in routine.name.split("."):
        target = vars(target).get(step) if isinstance(target, (type, types.ModuleType)) else None
    for _ in range(20):
        if isinstance(target, types.FunctionType) and not hasattr(target, "__wrapped__"):
            break
        target = _unwrapped(target, routine)
    is_the_function = isinstance(target, types.FunctionType) and target.__name__ == routine.node.name
    return target if is_the_function else None


def _unwrapped(target: object, routine: Routine) -> object:
    """The function below one decorator, or the accessor of a property with as many parameters as the routine."""
    if isinstance(target, property):
        accessors = [accessor for accessor in (target.fget, target.fset, target.fdel) if accessor is not None]
        count = len(parameters(routine.node))
        return next((accessor for accessor in accessors if accessor.__code__.co_argcount == count), None)
    for name in ("__wrapped__", "__func__", "func"):
        inner = getattr(target, name, None)
        if inner is not None:
            return inner
    return None


Variable = tuple[dict[str, Any], str, Any]
"""Namespace of a module, name of a variable, and its value."""


class Surroundings:
    """Scope of a routine in its loaded module: resolves its free and global names."""

    def __init__(
        self, user_modules: UserModules, source: Source, routine: Routine, outside: Sequence[Variable] = ()
    ) -> None:
        self.user_modules = user_modules
        self.source = source
        self.routine = routine
        self.outside = outside
        self.globals = user_modules.module(source.name).__dict__
        """Namespace of the module."""

    def outer_names(self) -> set[str]:
        """Variables of the enclosing functions."""
        names: set[str] = set()
        outer = self.routine.outer
        while outer is not None and not isinstance(outer.node, ast.Module):
            names |= bound(outer.node)
            outer = outer.outer
        return names

    def set_globals(self, values: Variables) -> None:
        """Sets the module's variables to their recorded values.

        If one cannot be rebuilt, the loaded module's own value stays, provided that it is of the same type.
        """
        for space, name, value in [*((self.globals, name, value) for name, value in values.items()), *self.outside]:
            if not (type(value) is Standin and _stands_for(value, space.get(name))):
                space[name] = value

    def class_cell(self) -> object:
        """The class that defines the method, for `super()`."""
        if not self.routine.classes:
            return None
        path = self.routine.name.split(".")[:-1]
        if "<locals>" in path:
            return None
        owner: Any = self.user_modules.module(self.source.name)
        for step in path:
            owner = vars(owner).get(step) if isinstance(owner, (type, types.ModuleType)) else None
        return owner

    def define(self, definition: Scope, values: Variables) -> types.FunctionType:
        """Makes the function of a definition, with the given values as its free variables."""
        own = self._reached(definition)
        free = {name: value for name, value in values.items() if name in own and name in self.outer_names()}
        unset = sorted((own & self.outer_names()) - free.keys() - self.siblings(own).keys())
        body: list[Any] = []
        if unset:
            stores: list[ast.expr] = [ast.Name(name, ast.Store()) for name in unset]
            body.append(ast.If(ast.Constant(False), [ast.Assign(stores, ast.Constant(None))], []))
        body += [definition for name, definition in self.siblings(own).items() if name not in free]
        name = getattr(definition, "name", _MADE)
        if isinstance(definition, ast.Lambda):
            body.append(ast.Assign([ast.Name(_MADE, ast.Store())], copy(definition)))
        else:
            made = copy(definition)
            made.decorator_list = []
            body.append(made)
        body.append(ast.Return(ast.Name(name, ast.Load())))
        factory = ast.FunctionDef(
            name=_PREFIX + "factory", args=_arguments(["__class__", *free]), body=body, decorator_list=[]
        )
        if sys.version_info >= (3, 12):
            factory.type_params = []
        if self.routine.classes:
            factory = Mangler(self.routine.classes[-1]).visit(factory)
        tree = ast.fix_missing_locations(ast.Module([factory], []))
        space: dict[str, Any] = {}
        # The globals must be the module's own dictionary: callees read and change the same variables.
        exec(compile(tree, self.source.path, "exec", dont_inherit=True), self.globals, space)  # noqa: S102
        return space[_PREFIX + "factory"](self.class_cell(), **free)  # type: ignore[no-any-return]

    def _reached(self, definition: ast.AST) -> set[str]:
        """Names in a definition, and in the sibling functions that are defined with it."""
        own, grown = names_in(definition), -1
        while grown != len(own):
            grown = len(own)
            own = own.union(*(names_in(function) for function in self.siblings(own).values()))
        return own

    def siblings(self, own: set[str]) -> dict[str, Definition]:
        """Functions defined by the enclosing routine that these names mention."""
        outer = self.routine.outer
        if outer is None or isinstance(outer.node, (ast.Module, ast.Lambda)):
            return {}
        definitions = {node.name: node for node in own_nodes(outer.node) if isinstance(node, DEFS) and node.name in own}
        return {name: definition for name, definition in definitions.items() if definition is not self.routine.node}


def _stands_for(standin: Standin, own: object) -> bool:
    return callable(own) or _is_of_kind(standin, own)


def _is_of_kind(standin: Standin, own: object) -> bool:
    return bool(type(own).__qualname__ == row_of(standin).get("type", ("", ""))[1])


def _arguments(names: list[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


class CodePiece:
    """A piece of a routine that is run from an environment."""

    def __init__(
        self, surroundings: Surroundings, nodes: list[ast.AST], loop: Loop | None = None, in_class: bool = False
    ) -> None:
        self.surroundings = surroundings
        self.nodes = nodes
        self.in_class = in_class
        self.loop = loop
        """The loop whose iterations the nodes are; None for other pieces."""
        self.trailing_test = ""
        """Whether the test after iterations of a `while` is evaluated: `on` for its effects, `ends` if last."""

    def run(self, before: Variables, items: list[object] | None, iterations: int) -> Completion:
        """Runs it; `items` are the values of a `for` loop's target, one per iteration."""
        if any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for node in self.nodes for inner in _walk_own(node)):
            raise CannotAnswer("the code yields")
        run = self._run_in_module if isinstance(self.surroundings.routine.node, ast.Module) else self._run_in_function
        return run(before, range(iterations) if items is None else items, iterations)

    def _body(self, iterations: int) -> list[Any]:
        """The statements to run: the piece, or iterations of its loop."""
        nodes: list[Any] = [copy(node) for node in self.nodes]
        if self.loop is None:
            return nodes
        target: ast.expr = ast.Name(_ITERATION, ast.Store())
        ends: list[ast.stmt] = [_report(END)]
        if isinstance(self.loop, ast.While):
            # The test runs between iterations; that of the first one was evaluated before.
            stop = ast.If(ast.UnaryOp(ast.Not(), copy(self.loop.test)), [ast.Break()], [])
            nodes = [ast.If(ast.Name(_ITERATION, ast.Load()), [stop], []), *nodes]
            if self.trailing_test:
                tested: ast.stmt = ast.Expr(copy(self.loop.test))
                ends = [tested, *ends] if self.trailing_test == "ends" else _keeping(tested)
        elif iterations > 1:
            target = copy(self.loop.target)
        return [ast.For(target, ast.Name(_ITEMS, ast.Load()), nodes, ends, None), _report(BREAK)]

    def _run_in_module(self, before: Variables, items: Sequence[object], iterations: int) -> Completion:
        """Run the piece in the namespace of its module."""
        space, path = self.surroundings.globals, self.surroundings.source.path
        self.surroundings.set_globals(before)
        space[_ITEMS] = items
        nodes = self._body(iterations)
        if isinstance(nodes[0], ast.expr):
            expression = compile(
                ast.fix_missing_locations(ast.Expression(_loaded(nodes[0]))), path, "eval", dont_inherit=True
            )
            return guarded(lambda: Completion(VALUE, eval(expression, space, before)))  # noqa: S307
        nodes = [statement for node in nodes for statement in _without_reports(node)]
        code = compile(ast.fix_missing_locations(ast.Module(nodes, [])), path, "exec", dont_inherit=True)
        # A class body has variables of its own; its outer names are the module's.
        local = dict(before) if self.in_class else space

        def run() -> Completion:
            exec(code, space, local)  # noqa: S102
            return Completion(END)

        completion = guarded(run)
        completion.variables = {name: value for name, value in local.items() if not name.startswith("__")}
        return completion

    def _run_in_function(self, before: Variables, items: Sequence[object], iterations: int) -> Completion:
        """Run the piece as the body of a function with the routine's variables."""
        routine = self.surroundings.routine.node
        outside = declared(routine, ast.Global)
        space = self.surroundings.globals
        known = bound(routine) | self.surroundings.outer_names() | self._inner_names()
        known -= outside
        self.surroundings.set_globals({name: value for name, value in before.items() if name not in known})
        variables = {name: value for name, value in before.items() if name in known}
        inner = self._closures(variables)
        for name in {*inner, *self._defined_around(variables)}:
            del variables[name]
        ordered = [name for name in parameters(routine) if name in variables]
        ordered += [name for name in variables if name not in ordered]
        definition = self._function(
            [*ordered, _ITEMS], sorted(bound(routine) - variables.keys()), outside, inner, iterations
        )
        space[_LOCALS] = locals
        function = self.surroundings.define(definition, {})
        values = [*(variables[name] for name in ordered), items]
        completion = guarded(lambda: Completion(*_finish(function(*values))))  # type: ignore[misc]
        if completion.how == RAISE and isinstance(completion.value, tuple):
            completion.value, completion.variables = completion.value
        if isinstance(completion.value, CannotAnswer):
            raise completion.value
        for name in outside:
            if name in space:
                completion.variables[name] = space[name]
        completion.variables = {
            name: value for name, value in completion.variables.items() if not name.startswith(_PREFIX)
        }
        return completion

    def _inner_names(self) -> set[str]:
        """Variables of comprehensions around the piece, which it may read."""
        routine = self.surroundings.routine.node
        return {
            name_node.id
            for node in own_nodes(routine)
            if isinstance(node, ast.comprehension)
            for name_node in ast.walk(node.target)
            if isinstance(name_node, ast.Name)
        }

    def _closures(self, variables: Variables) -> dict[str, Definition]:
        """Functions defined earlier by the routine itself: they share its variables, so they are defined again."""
        routine = self.surroundings.routine.node
        definitions = {}
        for node in own_nodes(routine):
            if isinstance(node, DEFS) and node.name in variables and type(variables[node.name]) is Standin:
                definitions[node.name] = node
        return definitions

    def _defined_around(self, variables: Variables) -> list[str]:
        """Functions defined by the enclosing routine: they are defined again around the piece."""
        siblings = self.surroundings.siblings(set(variables))
        return [name for name in siblings if type(variables[name]) is Standin]

    def _function(
        self, names: list[str], unset: list[str], outside: set[str], inner: dict[str, Definition], iterations: int
    ) -> Definition:
        """The definition of a function that runs the piece and returns its completion."""
        nodes = self._body(iterations)
        body: list[Any] = []
        if outside:
            body.append(ast.Global(sorted(outside)))
        if unset:
            stores: list[ast.expr] = [ast.Name(name, ast.Store()) for name in unset]
            body.append(ast.If(ast.Constant(False), [ast.Assign(stores, ast.Constant(None))], []))
        body += [copy(function) for function in inner.values()]
        if isinstance(nodes[0], ast.expr):
            work: list[Any] = [_report(VALUE, _loaded(nodes[0]))]
        else:
            nodes = [_Leaving().visit(node) for node in nodes]
            once = ast.For(
                target=ast.Name(_ITERATION + "s", ast.Store()),
                iter=ast.Tuple([ast.Constant(0)], ast.Load()),
                body=[*nodes, _report(END)],
                orelse=[_report(CONTINUE)],
            )
            work = nodes if self.loop else [once, _report(BREAK)]
        error = _PREFIX + "error"
        caught = ast.Tuple([ast.Name(error, ast.Load()), _variables()], ast.Load())
        handler = ast.ExceptHandler(
            ast.Name("BaseException", ast.Load()),
            error,
            [ast.Return(ast.Tuple([ast.Constant(RAISE), caught], ast.Load()))],
        )
        body.append(ast.Try(work, [handler], [], []))
        waits = isinstance(self.surroundings.routine.node, ast.AsyncFunctionDef)
        kind = ast.AsyncFunctionDef if waits else ast.FunctionDef
        made = kind(name=OWN_NAME, args=_arguments(names), body=body, decorator_list=[])
        if sys.version_info >= (3, 12):
            made.type_params = []
        return made


def _walk_own(node: ast.AST) -> list[ast.AST]:
    return [node, *own_nodes(node)] if not isinstance(node, SCOPES) else [node]


def _loaded(expression: ast.expr) -> ast.expr:
    """The expression in load context; the target of an augmented assignment is read as well."""
    if hasattr(expression, "ctx"):
        expression.ctx = ast.Load()
    return expression


def _variables() -> ast.expr:
    return ast.Call(ast.Name(_LOCALS, ast.Load()), [], [])


def _report(how: str, value: ast.expr | None = None) -> ast.Return:
    made = ast.Return(ast.Tuple([ast.Constant(how), value or ast.Constant(None), _variables()], ast.Load()))
    made.is_report = True  # type: ignore[attr-defined]
    return made


def _keeping(tested: ast.stmt) -> list[ast.stmt]:
    """Evaluates a test, then reports the variables before it: those that it binds belong to the next iteration."""
    kept = ast.Assign([ast.Name(_KEPT, ast.Store())], ast.Dict([None], [_variables()]))
    made = ast.Return(ast.Tuple([ast.Constant(END), ast.Constant(None), ast.Name(_KEPT, ast.Load())], ast.Load()))
    kept.is_report = made.is_report = True  # type: ignore[attr-defined]
    return [kept, tested, made]


def _without_reports(node: ast.stmt) -> list[ast.stmt]:
    """A statement for a module body, where `return` is not allowed; it simply runs to its end."""
    if isinstance(node, ast.For):
        node.orelse = [statement for statement in node.orelse if not getattr(statement, "is_report", False)]
    return [] if isinstance(node, ast.Return) else [node]


class _Leaving(ast.NodeTransformer):
    """Replaces `return` by a report, except in nested functions and in reports."""

    def visit_Return(self, node: ast.Return) -> ast.Return:
        return node if getattr(node, "is_report", False) else _report(RETURN, node.value)

    def visit_Nonlocal(self, node: ast.AST) -> ast.Pass:
        return ast.copy_location(ast.Pass(), node)

    visit_Global = visit_Nonlocal  # noqa: N815

    def _keep(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _keep  # noqa: N815
