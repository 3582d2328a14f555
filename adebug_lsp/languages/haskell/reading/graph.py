"""The augmented redex trail of a run, derived from its columns and the program.

A reduction has one row: its redex and its unit. Everything else follows by Luo and Chitil's definitions: a unit, with
the nodes bound to its variables, determines the nodes of its reduct, and the values of scrutinees determine its branch.
"""

from __future__ import annotations

import sys
import threading
from array import array
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from attrs import frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import InstanceInfo
from adebug_lsp.languages.haskell.engine.compiler import ACTIONS, IO_RESULT, SPECIAL
from adebug_lsp.languages.haskell.engine.machine import HaskellError, Trail
from adebug_lsp.languages.haskell.engine.primitives import PRIMITIVES
from adebug_lsp.languages.haskell.engine.program_execution import Compiled
from adebug_lsp.languages.haskell.engine.units import MOST_SITES, SITE_BITS, Unit, World

_THREAD = threading.local()
_STACK = 1 << 30
_MASK = (1 << SITE_BITS) - 1
Result = TypeVar("Result")


@frozen(eq=False)
class Constant:
    """A number, a character, or a string that is not a list of nodes."""

    value: Any
    is_string: bool = False


@frozen(eq=False)
class Data:
    """A constructor with its fields."""

    info: c.ConstructorInfo
    fields: tuple[Ref, ...]


@frozen(eq=False)
class Function:
    """A function value: a unit, a constructor or a primitive with its first arguments."""

    target: Unit | c.ConstructorInfo | str
    arguments: tuple[Ref, ...] = ()
    origin: int = -1
    """The node of a lambda or a partial application; -1 for a global."""

    @property
    def missing(self) -> int:
        """The number of arguments that it still needs."""
        if isinstance(self.target, Unit):
            return self.target.parameters - len(self.arguments)
        if isinstance(self.target, c.ConstructorInfo):
            return self.target.arity - len(self.arguments)
        return primitive_arity(self.target) - len(self.arguments)


@frozen(eq=False)
class Dictionary:
    """The dictionary of a class at a type."""

    instance: InstanceInfo | None
    parts: tuple[Ref, ...] = ()


@frozen(eq=False)
class Unevaluated:
    """A node that the run did not need, or did not finish."""


@frozen(eq=False)
class Bottom:
    """A node whose evaluation failed."""

    message: str


UNEVALUATED = Unevaluated()
WORLD = Constant("world")
Value = Constant | Data | Function | Dictionary | Unevaluated | Bottom
Ref = int | Value
"""A node, by its number, or a value."""


class StuckError(Exception):
    """Raised if a value that decides a branch is missing."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


def primitive_arity(name: str) -> int:
    """The number of arguments of a primitive, with the world."""
    return PRIMITIVES[name].arity if name in PRIMITIVES else ACTIONS.get(name) or SPECIAL[name]


class Lookup:
    """Positions of nodes in a column, by binary search."""

    def __init__(self, column: array[int]) -> None:
        values = np.frombuffer(column, dtype=np.int64) if len(column) else np.zeros(0, dtype=np.int64)
        self._order = np.argsort(values, kind="stable")
        self._sorted = values[self._order]

    def get(self, node: int) -> int | None:
        """The first position of a node."""
        place = int(np.searchsorted(self._sorted, node))
        if place < len(self._sorted) and self._sorted[place] == node:
            return int(self._order[place])
        return None


def deep(call: Callable[[], Result]) -> Result:
    """Call a function in a thread whose stack is deep enough for long chains of values."""
    if getattr(_THREAD, "is_deep", False):
        return call()
    result: list[Result] = []
    failure: list[BaseException] = []

    def body() -> None:
        _THREAD.is_deep = True
        try:
            result.append(call())
        except BaseException as error:
            failure.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(max(limit, 1_500_000))
    try:
        thread = threading.Thread(target=body)
        thread.start()
    finally:
        threading.stack_size(size)
    thread.join()
    sys.setrecursionlimit(limit)
    if failure:
        raise failure[0]
    return result[0]


class Graph:
    """The nodes of a run and their values."""

    def __init__(self, compiled: Compiled, trail: Trail) -> None:
        self.compiled, self.trail = compiled, trail
        self._values: dict[int, Value] = {}
        self._arguments: dict[int, tuple[Ref, ...]] = {}
        self._reductions = Lookup(trail.redexes)
        self._primitives = Lookup(trail.primitive_nodes)
        self._doubles = Lookup(trail.double_nodes)
        self._entered = Lookup(trail.entered)
        self._errors = dict(trail.errors)
        self._inputs = dict(trail.input)
        constructors = self.compiled.program.constructors
        self._bools = (constructors["Prelude.False"], constructors["Prelude.True"])

    def unit(self, reduction: int) -> Unit:
        """The unit of a reduction."""
        return self.compiled.units[self.trail.units[reduction]]

    def reduction_at(self, node: int) -> int | None:
        """The reduction of a node; None if it was not reduced."""
        return 0 if node == -1 else self._reductions.get(node)

    def was_entered(self, node: int) -> bool:
        """Whether a delayed match or primitive was evaluated."""
        return self._entered.get(node) is not None

    # References of expressions: a node is an int, anything else is a value.
    # No pattern is `int(...)` here: CPython 3.11 looks for `int.__match_args__` and raises inside, and an exception
    # walks all running generators (`_PyErr_GetTopmostException`), so a chain of n values would cost n * n.

    def resolve(self, e: c.Expr | World, r: int) -> Ref:
        """The reference that an expression of a reduction's body stands for."""
        match e:
            case World():
                return WORLD
            case c.Var(name=name):
                return self.variable(name, r, e)
            case c.Global():
                return self._global(e, r)
            case c.Con(info=info):
                return Data(info, ()) if not info.arity else Function(info)
            case c.Lit(kind="int" | "frac"):
                return self._literal(e, r)
            case c.Lit(kind=kind, value=value):
                return Constant(value, kind == "string")
            case c.Annot(expression=expression):
                return self.resolve(expression, r)
            case c.Lam():
                unit = self.unit(r).lambdas[e.site]
                return Function(unit, self._captured(unit, r), r << SITE_BITS | e.site)
            case c.App(function=c.Con(info=info), arguments=[only]) if info.is_newtype:
                return self.resolve(only, r)
            case c.App(function=c.Con(info=info), run=run) if info.is_newtype and run is not None:
                return self.resolve(run, r)
            case c.App(site=0) if self._is_inlined_seq(e):
                return self.follow(e, r)
        return r << SITE_BITS | e.site

    def _literal(self, e: c.Lit, r: int) -> Ref:
        solution = e.dicts[0].solution
        known = solution[1].type_name if solution[0] == "inst" else ""
        if known in ("Prelude.Int", "Prelude.Integer") and e.kind == "int":
            return Constant(e.value)
        if known == "Prelude.Double":
            return Constant(float(e.value))
        return r << SITE_BITS | e.site

    def variable(self, name: str, r: int, e: c.Var | None = None) -> Ref:
        """The reference that a local variable of a reduction stands for."""
        unit = self.unit(r)
        if name in unit.binders and unit.binders[name][0] != "unit":
            match unit.binders[name]:
                case ("param", position):
                    return self._argument(position, r)
                case ("expr", expression):
                    return self.resolve(expression, r)
                case ("part", source, path):
                    return self._part(self._source(source, r), path)
        local = unit.binders[name][1] if name in unit.binders else unit.functions.get(name)
        if local is not None:
            dicts = tuple(self.dictionary(w.solution, r) for w in e.dicts) if e is not None else ()
            return Function(local, self._captured(local, r) + dicts, r << SITE_BITS)
        return UNEVALUATED

    def _argument(self, position: int, r: int) -> Ref:
        return self.arguments(r)[position]

    def _captured(self, unit: Unit, r: int) -> tuple[Ref, ...]:
        return tuple(self.variable(name, r) for name in unit.captured)

    def _source(self, source: tuple[Any, ...], r: int) -> Ref:
        match source:
            case ("param", position):
                return self._argument(position, r)
            case ("io", action):
                value = self.value(self.follow_io(action, r))
                return value.fields[0] if isinstance(value, Data) else value
        return self.resolve(source[1], r)

    def _part(self, ref: Ref, path: tuple[Any, ...]) -> Ref:
        """The part of a value at a path of fields."""
        for _, index in path:
            value = self.value(ref)
            if isinstance(value, Constant) and value.is_string:
                value = self.listed(value)
            if not isinstance(value, Data):
                return value
            ref = value.fields[index]
        return ref

    def _global(self, e: c.Global, r: int) -> Ref:
        program = self.compiled.program
        name = e.name
        dicts = tuple(self.dictionary(w.solution, r) for w in e.dicts)
        if name in program.methods:
            return self._method(name, dicts, r << SITE_BITS | e.site)
        return self._named(name, dicts, r << SITE_BITS | e.site)

    def _named(self, name: str, dicts: tuple[Ref, ...], node: int) -> Ref:
        """The value of a global: a function with dictionaries, or the node of a constant."""
        name = self.compiled.alias(name)
        if name in PRIMITIVES or name in ACTIONS or name in SPECIAL:
            return Function(name)
        unit = self.compiled.global_unit(name)
        if unit is None:
            return UNEVALUATED
        if unit.parameters:
            function = Function(unit, dicts)
            return function if function.missing else node
        return MOST_SITES + self.compiled.constant_units.index(unit)

    def _method(self, method: str, dicts: tuple[Ref, ...], node: int) -> Ref:
        """The function of a class method for a dictionary."""
        own, rest = dicts[0], dicts[1:]
        if not isinstance(own, Dictionary) or own.instance is None:
            return UNEVALUATED
        name = own.instance.methods.get(method)
        if name is not None:
            alias = self.compiled.alias(name)
            return self._named(alias, own.parts + rest if alias == name else (), node)
        return self._named(f"{method}~default", (own, *rest), node)

    def dictionary(self, solution: tuple[Any, ...], r: int) -> Ref:
        """The dictionary of a solved constraint."""
        match solution:
            case ("param", name):
                return self.variable(name, r) or Dictionary(None)
            case ("inst", instance, parts):
                return Dictionary(instance, tuple(self.dictionary(p.solution, r) for p in parts))
            case ("super", inner, _, above):
                return self._super(self.dictionary(inner, r), above)
        return Dictionary(None)

    def _super(self, own: Ref, above: str) -> Dictionary:
        if not isinstance(own, Dictionary) or own.instance is None:
            return Dictionary(None)
        program = self.compiled.program
        other = program.instances.get((above, own.instance.type_name))
        if other is None:
            return Dictionary(None)
        return Dictionary(other, tuple(self._context(cls, index, own) for cls, index in other.context))

    def _context(self, cls: str, index: int, own: Dictionary) -> Ref:
        """The dictionary of a superclass, taken from those of the instance's context."""
        assert own.instance is not None
        pairs = zip(own.instance.context, own.parts, strict=False)
        pending = [(name, part) for (name, position), part in pairs if position == index]
        while pending:
            name, part = pending.pop(0)
            if name == cls:
                return part
            pending += [(above, self._super(part, above)) for above in self.compiled.program.classes[name].supers]
        return Dictionary(None)

    # Redexes

    def arguments(self, r: int) -> tuple[Ref, ...]:
        """The arguments of a reduction, one for each parameter of its unit."""
        known = self._arguments.get(r)
        if known is None:
            known = self._arguments[r] = self._redex_arguments(r)
        return known

    def _redex_arguments(self, r: int) -> tuple[Ref, ...]:
        """The arguments at a redex; those that its function already had come first."""
        unit, node = self.unit(r), self.trail.redexes[r]
        if node == -1:
            return (WORLD,) * unit.parameters
        function, own = self.spine(node)
        passed = (*function.arguments, *own) if function is not None else own
        if len(passed) < unit.parameters and unit.is_io:
            passed = (*passed, WORLD)
        missing = unit.parameters - len(passed)
        return (Dictionary(None),) * missing + tuple(passed) if missing >= 0 else tuple(passed[-missing:])

    def spine(self, node: int) -> tuple[Function | None, tuple[Ref, ...]]:
        """The function and the arguments applied at a node: `head` and `args` in the paper."""
        r, site = node >> SITE_BITS, node & _MASK
        if node < 1 << SITE_BITS and site >= MOST_SITES:
            return None, ()
        e = self.unit(r).sites[site]
        if isinstance(e, c.Lit):
            method = "Prelude.fromInteger" if e.kind == "int" else "Prelude.primFromDouble"
            ref = self._method(method, (self.dictionary(e.dicts[0].solution, r),), node)
            return (ref if isinstance(ref, Function) else None), (Constant(e.value),)
        if not isinstance(e, c.App):
            dicts = tuple(self.dictionary(w.solution, r) for w in getattr(e, "dicts", ()))
            return None, dicts
        target = site - e.site or len(e.arguments)
        ref, done = self.resolve(e.function, r), 0
        while True:
            function = self.value(ref)
            if not isinstance(function, Function):
                return None, tuple(self.resolve(a, r) for a in e.arguments[done:target])
            missing = function.missing
            if done + missing >= target:
                return function, tuple(self.resolve(a, r) for a in e.arguments[done:target])
            done += missing
            ref = (r << SITE_BITS | e.site) + done

    # Values

    def value(self, ref: Ref) -> Value:
        """The most evaluated form of a reference, at its head: `last` in the paper."""
        chain: list[int] = []
        while isinstance(ref, int):
            known = self._values.get(ref)
            if known is not None:
                ref = known
                break
            chain.append(ref)
            ref = self._step(ref)
        for node in chain:
            self._values[node] = ref
        return ref if ref is not None else UNEVALUATED

    def _step(self, node: int) -> Ref:
        """One step towards the value of a node: another node, or the value."""
        message = self._errors.get(node)
        reduction = self.reduction_at(node)
        if reduction is not None:
            return self.result(reduction)
        if message is not None:
            return Bottom(message)
        r, site = node >> SITE_BITS, node & _MASK
        if r == 0 and site >= MOST_SITES:
            return UNEVALUATED
        recorded = self._recorded(node)
        if recorded is not None:
            return recorded
        e = self.unit(r).sites[site]
        if isinstance(e, c.App):
            return self._application(node, e, r, demanded=False)
        if isinstance(e, c.Match | c.Let):
            return self.follow(e, r) if self.was_entered(node) else UNEVALUATED
        return UNEVALUATED

    def _recorded(self, node: int) -> Value | None:
        place = self._primitives.get(node)
        if place is not None:
            return Constant(self.trail.primitive_values[place])
        place = self._doubles.get(node)
        if place is not None:
            return Constant(self.trail.double_values[place])
        return Constant(self.trail.large[node]) if node in self.trail.large else None

    def _application(self, node: int, e: c.App, r: int, demanded: bool) -> Ref:
        """One step at a node that is an application."""
        if (
            isinstance(e.function, c.Con)
            and len(e.arguments) == e.function.info.arity
            and not e.function.info.is_newtype
        ):
            return Data(e.function.info, tuple(self.resolve(a, r) for a in e.arguments))
        function, own = self.spine(node)
        if function is None:
            return UNEVALUATED
        missing = function.missing - len(own)
        if missing > 0:
            return Function(function.target, (*function.arguments, *own), node)
        passed = (*function.arguments, *own)
        if isinstance(function.target, c.ConstructorInfo):
            if function.target.is_newtype:
                return passed[0]
            return Data(function.target, passed)
        if isinstance(function.target, str):
            return self._primitive(function.target, passed, demanded or self.was_entered(node), node)
        return UNEVALUATED

    def _primitive(self, name: str, passed: tuple[Ref, ...], was_evaluated: bool, node: int) -> Ref:
        """The value of an applied primitive, recorded or computed again."""
        if name == "Prelude.primSeq":
            return passed[1] if was_evaluated or isinstance(self.value(passed[1]), Data | Constant) else UNEVALUATED
        if name in ACTIONS:
            return self._action(name, passed, node)
        if name not in PRIMITIVES:
            return UNEVALUATED
        values = [self.value(ref) for ref in passed]
        failed = next((v for v in values if isinstance(v, Bottom)), None)
        if failed is not None and was_evaluated:
            return failed
        primitive = PRIMITIVES[name]
        if not was_evaluated or (primitive.records and name != "Prelude.primTag"):
            return failed or UNEVALUATED
        plain = [self.plain(v) for v in values]
        if any(p is None for p in plain):
            return UNEVALUATED
        try:
            value = primitive.compute(*plain)
            return Constant(value, True) if primitive.strings[1] else self.from_plain(value)
        except HaskellError as error:
            return Bottom(error.message)

    def _action(self, name: str, passed: tuple[Ref, ...], node: int) -> Ref:
        """The result of a primitive action."""
        match name.removeprefix("Prelude."):
            case "primReturnIO":
                return Data(IO_RESULT, (passed[0],))
            case "primPutStr" if not self.was_entered(node):
                return self._end_of(passed[0])
            case "primPutStr":
                return Data(IO_RESULT, (Data(self.compiled.program.constructors["()"], ()),))
            case "primGetLine" | "primGetContents" if node in self._inputs:
                return Data(IO_RESULT, (Constant(self._inputs[node], True),))
            case "primIsEOF" if node in self._inputs:
                return Data(IO_RESULT, (self.from_plain(self._inputs[node] == "EOF"),))
        return UNEVALUATED

    def _end_of(self, ref: Ref) -> Value:
        """The value that ended the evaluation of a string."""
        value = self.value(ref)
        while isinstance(value, Data) and value.fields:
            head = self.value(value.fields[0])
            if isinstance(head, Bottom):
                return head
            value = self.value(value.fields[1])
        return value if isinstance(value, Bottom) else UNEVALUATED

    def plain(self, value: Value) -> Any:
        """A value as Python data: numbers, characters, strings, tags; None if it is not evaluated."""
        if isinstance(value, Constant):
            return value.value
        if isinstance(value, Data):
            if value.info in self._bools:
                return bool(value.info.tag)
            if value.info.type_name == "[]":
                return self.string(value)
            return (value.info.tag,)
        return None

    def string(self, value: Ref) -> str | None:
        """A list of characters as a string; None if it is not evaluated to its end, or has other items."""
        pieces: list[str] = []
        while True:
            value = self.value(value)
            if isinstance(value, Constant) and value.is_string:
                return "".join(pieces) + str(value.value)
            if not isinstance(value, Data) or value.info.type_name != "[]":
                return None
            if not value.fields:
                return "".join(pieces)
            head = self.value(value.fields[0])
            if not isinstance(head, Constant) or head.is_string or not isinstance(head.value, str):
                return None
            pieces.append(head.value)
            value = value.fields[1]

    def from_plain(self, value: object) -> Value:
        """The value of a primitive's result."""
        return Data(self._bools[value], ()) if isinstance(value, bool) else Constant(value)

    # Results

    def result(self, reduction: int) -> Ref:
        """The node or value that a reduction led to."""
        unit = self.unit(reduction)
        follow = self.follow_io if unit.is_io else self.follow
        e = unit.expression
        if not isinstance(e, c.Lam):
            return follow(e, reduction)
        first = len(unit.captured) + len(unit.dicts)
        refs = list(self.arguments(reduction)[first : first + unit.arity])
        body = self.chosen(e.clauses, refs, reduction, self.trail.redexes[reduction])
        return body if not isinstance(body, c.Branch) else follow(body.body, reduction)

    def follow(self, e: c.Expr, r: int) -> Ref:
        """The node or value of an expression that was evaluated."""
        while True:
            match e:
                case c.Match():
                    chosen = self.branch(e, r)
                    if not isinstance(chosen, c.Branch):
                        return chosen
                    e = chosen.body
                case c.Let(body=body):
                    e = body
                case c.Annot(expression=expression):
                    e = expression
                case c.App(site=0) if self._is_inlined_seq(e):
                    forced = self.value(self.follow(e.arguments[0], r))
                    if isinstance(forced, Bottom | Unevaluated):
                        return forced
                    e = e.arguments[1]
                case c.App() if not (isinstance(e.function, c.Con) and e.function.info.is_newtype):
                    node = r << SITE_BITS | e.site
                    if self.reduction_at(node) is not None or node in self._errors or self._recorded(node) is not None:
                        return node
                    return self._application(node, e, r, demanded=True)
                case _:
                    return self.resolve(e, r)

    def _is_inlined_seq(self, e: c.App) -> bool:
        """Whether this is a `seq` whose value is needed, for which the code generator makes no node."""
        function = e.function
        is_seq = isinstance(function, c.Global) and self.compiled.alias(function.name) == "Prelude.primSeq"
        return is_seq and not e.site and len(e.arguments) == 2

    def follow_io(self, e: c.Expr, r: int) -> Ref:
        """The result of an executed action: a constructor around its value."""
        while True:
            match e:
                case c.Match():
                    chosen = self.branch(e, r)
                    if not isinstance(chosen, c.Branch):
                        return chosen
                    e = chosen.body
                case c.Let(body=body):
                    e = body
                case c.App(function=c.Global(name="Prelude.return" | "Prelude.pure"), arguments=[value]) if (
                    e.run is None
                ):
                    return Data(IO_RESULT, (self.resolve(value, r),))
                case c.App(function=c.Global(name="Prelude.>>" | "Prelude.*>"), arguments=[first, second]) if (
                    e.run is None
                ):
                    failed = self.value(self.follow_io(first, r))
                    if not isinstance(failed, Data):
                        return failed
                    e = second
                case c.App(function=c.Global(name="Prelude.>>="), arguments=[first, c.Lam() as rest]) if e.run is None:
                    done = self.value(self.follow_io(first, r))
                    if not isinstance(done, Data):
                        return done
                    chosen = self.chosen(rest.clauses, [done.fields[0]], r, r << SITE_BITS | e.site)
                    if not isinstance(chosen, c.Branch):
                        return chosen
                    e = chosen.body
                case _:
                    return self._ran(e, r)

    def _ran(self, e: c.Expr, r: int) -> Ref:
        """The node of an executed action."""
        if e.run is not None:
            return r << SITE_BITS | int(e.run.site)
        node = r << SITE_BITS | e.site
        if self.reduction_at(node) is None and isinstance(e, c.App | c.Global):
            function = e.function if isinstance(e, c.App) else e
            target = self.resolve(function, r)
            arguments = [self.resolve(a, r) for a in e.arguments] if isinstance(e, c.App) else []
            if isinstance(target, Function) and isinstance(target.target, str):
                return (
                    Bottom(self._errors[node])
                    if node in self._errors
                    else self._action(target.target, tuple(arguments), node)
                )
        return self.value(node)

    # Branches

    def branch(self, e: c.Match, r: int) -> c.Branch | Value:
        """The branch that a match took; if it took none, the value that ended it."""
        if e.keyword == "if":
            condition = self.value(self.follow(e.scrutinee, r))
            if not isinstance(condition, Data):
                return condition
            return e.clauses[0 if condition.info.tag else 1].branches[0]
        ref = self.resolve(e.scrutinee, r) if e.keyword == "guards" else self.scrutinee(e, r)
        return self.chosen(e.clauses, [ref], r, r << SITE_BITS | e.site)

    def scrutinee(self, e: c.Match, r: int) -> Ref:
        """The reference that a match distinguishes."""
        if isinstance(e.scrutinee, c.App | c.Match | c.Let):
            first = e.clauses[0].patterns[0]
            if isinstance(first, c.PVar | c.PWild):
                return self.resolve(e.scrutinee, r)
            return self.follow(e.scrutinee, r)
        return self.resolve(e.scrutinee, r)

    def chosen(self, clauses: list[c.Clause], refs: list[Ref], r: int, node: int) -> c.Branch | Value:
        """The branch of the first clause that matches."""
        try:
            for clause in clauses:
                if all(self.matches(p, ref, r) for p, ref in zip(clause.patterns, refs, strict=True)):
                    for branch in clause.branches:
                        if all(self.holds(guard, r) for guard in branch.guards):
                            return branch
        except StuckError as stuck:
            return stuck.value
        return Bottom(self._errors.get(node, "no equation or alternative matches"))

    def matches(self, p: c.Pattern, ref: Ref, r: int) -> bool:
        """Whether a pattern matched; raises `StuckError` if that is not known."""
        match p:
            case c.PVar() | c.PWild():
                return True
            case c.PAs(pattern=inner):
                return self.matches(inner, ref, r)
            case c.PCon(info=info, parts=parts) if info.is_newtype:
                return self.matches(parts[0], ref, r)
            case c.PCon(info=info, parts=parts):
                fields = self.fields(info, ref)
                return fields is not None and all(
                    self.matches(part, field, r) for part, field in zip(parts, fields, strict=True)
                )
            case c.PLit(test=test) if test is not None:
                return self._is_true(r << SITE_BITS | test.site)
            case c.PLit(value=wanted):
                value = self.value(ref)
                if not isinstance(value, Constant):
                    raise StuckError(value)
                return bool(value.value == wanted)
        return True

    def fields(self, info: c.ConstructorInfo, ref: Ref) -> tuple[Ref, ...] | None:
        """The fields of a value with this constructor; None if it has another one."""
        value = self.value(ref)
        if isinstance(value, Constant) and value.is_string:
            value = self.listed(value)
        if not isinstance(value, Data):
            raise StuckError(value)
        return value.fields if value.info.tag == info.tag else None

    def listed(self, value: Constant) -> Data:
        """A string as a list."""
        constructors, text = self.compiled.program.constructors, value.value
        if not text:
            return Data(constructors["[]"], ())
        return Data(constructors[":"], (Constant(text[0]), Constant(text[1:], True)))

    def holds(self, guard: c.Guard, r: int) -> bool:
        """Whether a guard held; raises `StuckError` if that is not known."""
        match guard:
            case c.BoolGuard(condition=c.Global(name="Prelude.otherwise")):
                return True
            case c.BoolGuard(condition=condition):
                return self._is_true(self.follow(condition, r))
            case c.PatternGuard(pattern=pattern, expression=expression):
                return self.matches(pattern, self.follow(expression, r), r)
        return True

    def _is_true(self, ref: Ref) -> bool:
        value = self.value(ref)
        if not isinstance(value, Data):
            raise StuckError(value)
        return bool(value.info.tag)
