"""Finds where the value of an expression was built, along variables and calls, and the code of its fields."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.compiler import ACTIONS
from adebug_lsp.languages.haskell.engine.units import SITE_BITS, Unit, World
from adebug_lsp.languages.haskell.reading.graph import Function, Graph, Ref, Value

_MASK = (1 << SITE_BITS) - 1


Code = c.Expr | World | str


@frozen
class Source:
    """The code of a value: an expression of a reduction's body, or a captured variable."""

    code: Code
    """An expression, or the name of a variable."""
    reduction: int


Sources = tuple["Source | None", ...]
"""None stands for a dictionary, the world, or a value made by a primitive."""


class Constructions:
    """Follows the code of values in one run; `Graph` follows the values."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._fields: dict[tuple[Any, int, bool], Sources] = {}
        self._chosen: dict[tuple[int, int], c.Branch | Value] = {}
        self._sources: dict[int, Sources] = {}

    # Calls

    def node(self, e: c.App, r: int, count: int | None = None) -> int:
        """The node of an expression, or of an application to its first arguments."""
        beginning = 0 if count is None or count == len(e.arguments) else count
        return (r << SITE_BITS | e.site) + beginning

    def parameters(self, q: int) -> Sources:
        """The sources of a reduction's arguments, one for each parameter of its unit."""
        known = self._sources.get(q)
        if known is None:
            known = self._sources[q] = self._parameters(q)
        return known

    def _parameters(self, q: int) -> Sources:
        """The sources of the arguments at a redex; those that its function already had come first."""
        count, node = self.graph.unit(q).parameters, self.graph.trail.redexes[q]
        if node == -1 or (node >> SITE_BITS == 0 and node >= 1 << (SITE_BITS - 1)):
            return (None,) * count
        passed = self._applied(node)
        if len(passed) < count and self.graph.unit(q).is_io:
            passed = (*passed, None)
        missing = count - len(passed)
        return (None,) * missing + passed if missing >= 0 else passed[-missing:]

    def _applied(self, node: int) -> Sources:
        """The sources of the arguments applied at a node, the function's own first."""
        r, site = node >> SITE_BITS, node & _MASK
        e = self.graph.unit(r).sites[site]
        if not isinstance(e, c.App):
            return (None,) * len(getattr(e, "dicts", ())) + ((None,) if isinstance(e, c.Lit) else ())
        function, first = self.target(e, r, site - e.site or len(e.arguments))
        own = tuple(Source(a, r) for a in e.arguments[first : site - e.site or len(e.arguments)])
        return (*self.captured(function), *own) if function is not None else own

    def target(self, e: c.App, r: int, count: int) -> tuple[Function | None, int]:
        """The function that gets the last of an application's first arguments, and how many it does not get."""
        ref, done = self.graph.resolve(e.function, r), 0
        while True:
            function = self.graph.value(ref)
            if not isinstance(function, Function):
                return None, done
            if done + function.missing >= count or not function.missing:
                return function, done
            done += function.missing
            ref = (r << SITE_BITS | e.site) + done

    def captured(self, function: Function) -> Sources:
        """The sources of the arguments that a function value already has."""
        count, origin = len(function.arguments), function.origin
        if origin == -1 or not count:
            return (None,) * count
        r, site = origin >> SITE_BITS, origin & _MASK
        if site and not isinstance(self.graph.unit(r).sites[site], c.Lam):
            return self._applied(origin)
        assert isinstance(function.target, Unit)
        names: Sources = tuple(Source(name, r) for name in function.target.captured)
        return (*names, *(None,) * (count - len(names)))

    # Bodies

    def chosen(self, e: c.Match, r: int) -> c.Branch | Value:
        """See `Graph.branch`."""
        key = id(e), r
        if key not in self._chosen:
            self._chosen[key] = self.graph.branch(e, r)
        return self._chosen[key]

    def body(self, q: int) -> c.Expr | None:
        """The right-hand side that a reduction took; None if it failed before that."""
        unit = self.graph.unit(q)
        e = unit.expression
        if not isinstance(e, c.Lam):
            return e
        key = id(e), q
        if key not in self._chosen:
            first = len(unit.captured) + len(unit.dicts)
            refs = list(self.graph.arguments(q)[first : first + unit.arity])
            self._chosen[key] = self.graph.chosen(e.clauses, refs, q, self.graph.trail.redexes[q])
        branch = self._chosen[key]
        return branch.body if isinstance(branch, c.Branch) else None

    def variable(self, name: str, r: int) -> tuple[Source | None, tuple[int, ...]]:
        """The source that a variable is bound to, and the fields that lead to its part of it."""
        match self.graph.unit(r).binders.get(name):
            case ("param", position):
                return self.parameters(r)[position], ()
            case ("expr", expression):
                return Source(expression, r), ()
            case ("part", ("param", position), path):
                return self.parameters(r)[position], tuple(index for _, index in path)
            case ("part", (_, expression), path):
                return Source(expression, r), tuple(index for _, index in path)
        return None, ()

    def is_action(self, name: str, r: int) -> bool:
        """Whether a variable is the result of an action that the body runs."""
        binder = self.graph.unit(r).binders.get(name, ())
        return len(binder) > 1 and binder[0] == "part" and binder[1][0] == "io"

    # Fields

    def part(self, source: Source | None, path: tuple[int, ...], runs: bool = False) -> Source | None:
        """The source of a part of a value; None if a primitive made it."""
        if runs and source is not None:
            fields = self.fields(source, runs=True)
            source = fields[0] if fields else None
        for index in path:
            fields = self.fields(source) if source is not None else ()
            source = fields[index] if index < len(fields) else None
        return source

    def fields(self, source: Source, runs: bool = False) -> Sources:
        """The sources of a value's fields; with `runs`, of the result of an executed action."""
        chain: list[tuple[Any, int, bool]] = []
        current: Source | None = source
        sources: Sources = ()
        while current is not None:
            key = (current.code if isinstance(current.code, str) else id(current.code), current.reduction, runs)
            if key in self._fields:
                sources = self._fields[key]
                break
            self._fields[key] = ()  # a value that needs itself has none
            chain.append(key)
            step = self._run_step(current) if runs else self._step(current)
            if isinstance(step, tuple):
                sources = step
                break
            current, runs = step.source, step.runs
        for key in chain:
            self._fields[key] = sources
        return sources

    def following(self, source: Source) -> Source | None:
        """The next code with the same value; None if the value is built here."""
        step = self._step(source)
        return step.source if isinstance(step, Step) else None

    def _step(self, source: Source) -> Sources | Step:
        """The sources of the fields, or the next source with the same value."""
        e, r = source.code, source.reduction
        match e:
            case str() | c.Var():
                name = e if isinstance(e, str) else e.name
                bound, path = self.variable(name, r)
                return Step(self.part(bound, path, self.is_action(name, r)))
            case c.Annot(expression=expression):
                return Step(Source(expression, r))
            case c.Let(body=body):
                return Step(Source(body, r))
            case c.Match():
                branch = self.chosen(e, r)
                return Step(Source(branch.body, r)) if isinstance(branch, c.Branch) else ()
            case c.Lit():
                return self._reduced(r << SITE_BITS | e.site) if e.site else ()
            case c.Global():
                ref = self.graph.resolve(e, r)
                return self._reduced(ref) if isinstance(ref, int) else ()
            case c.App():
                return self._application(e, r)
        return ()

    def _reduced(self, node: Ref) -> Sources | Step:
        q = self.graph.reduction_at(node) if isinstance(node, int) else None
        if q is None:
            return ()
        body = self.body(q)
        return Step(Source(body, q), self.graph.unit(q).is_io) if body is not None else ()

    def _application(self, e: c.App, r: int) -> Sources | Step:
        """The fields of a construction, or the next source of any other application."""
        if isinstance(e.function, c.Con) and e.function.info.is_newtype:
            return Step(Source(e.run if e.run is not None else e.arguments[0], r))
        if isinstance(e.function, c.Con) and len(e.arguments) == e.function.info.arity:
            return tuple(Source(a, r) for a in e.arguments)
        if self.graph.reduction_at(self.node(e, r)) is not None:
            return self._reduced(self.node(e, r))
        function, first = self.target(e, r, len(e.arguments))
        if function is None:
            return ()
        passed = (*self.captured(function), *(Source(a, r) for a in e.arguments[first:]))
        if isinstance(function.target, c.ConstructorInfo):
            return Step(passed[0]) if function.target.is_newtype else passed
        if function.target == "Prelude.primSeq" and len(passed) > 1:
            return Step(passed[1])
        return (passed[0],) if function.target == "Prelude.primReturnIO" and passed else ()

    # Actions

    def _run_step(self, source: Source) -> Sources | Step:
        """Like `_step`, for the result of an executed action."""
        e, r = source.code, source.reduction
        match e:
            case c.Match():
                branch = self.chosen(e, r)
                return Step(Source(branch.body, r), True) if isinstance(branch, c.Branch) else ()
            case c.Let(body=body):
                return Step(Source(body, r), True)
            case c.App(function=c.Global(name="Prelude.return" | "Prelude.pure"), arguments=[value]) if e.run is None:
                return (Source(value, r),)
            case c.App(function=c.Global(name="Prelude.>>" | "Prelude.*>"), arguments=[_, second]) if e.run is None:
                return Step(Source(second, r), True)
            case c.App(function=c.Global(name="Prelude.>>="), arguments=[_, c.Lam()]) if e.run is None:
                branch = self.bound(e, r)
                return Step(Source(branch.body, r), True) if isinstance(branch, c.Branch) else ()
        if isinstance(e, str | World):
            return ()
        if e.run is not None:
            return self._application(e.run, r)
        q = self.graph.reduction_at(r << SITE_BITS | e.site)
        if q is not None:
            return self._reduced(r << SITE_BITS | e.site)
        if isinstance(e, c.App) and self._primitive(e, r) == "Prelude.primReturnIO":
            return (Source(e.arguments[0], r),)
        return ()

    def _primitive(self, e: c.App, r: int) -> str:
        function = self.graph.value(self.graph.resolve(e.function, r))
        is_action = isinstance(function, Function) and isinstance(function.target, str) and function.target in ACTIONS
        return str(function.target) if is_action and isinstance(function, Function) else ""

    def bound(self, e: c.App, r: int) -> c.Branch | Value:
        """The branch of `first >>= \\pattern -> ...` that was taken; if none was, the value that ended it."""
        key = id(e), r
        if key not in self._chosen:
            first, rest = e.arguments
            assert isinstance(rest, c.Lam)
            done = self.graph.value(self.graph.follow_io(first, r))
            fields = getattr(done, "fields", None)
            self._chosen[key] = self.graph.chosen(rest.clauses, [fields[0]], r, self.node(e, r)) if fields else done
        return self._chosen[key]


@frozen
class Step:
    """A step towards the place where a value was built."""

    source: Source | None
    runs: bool = False
