"""The code that part of a value needed: function `ds` of Silva's thesis (Fig. 5.16) over the recorded trail.

Evaluations are followed backwards, from a demand on an expression to demands on everything that it inspected and was
built from. Two things differ from the figure. A scrutinee is needed only as far as its patterns look and the variables
that they bind are needed, not as a whole: slices are smaller, and still run. And occurrences of variables have places
in the source, so that the chain of variables that led to a value (Example 13) is followed, not listed beside each node.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from attrs import define, field

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.compiler import ACTIONS
from adebug_lsp.languages.haskell.engine.units import MOST_SITES, SITE_BITS, World
from adebug_lsp.languages.haskell.reading.graph import Function, Graph, Ref, StuckError, Unevaluated
from adebug_lsp.languages.haskell.slices.constructions import Code, Constructions, Source
from adebug_lsp.languages.haskell.slices.demand import ALL, HEAD, Demand, at_path, shape

_ONLY_HEADS = frozenset({"Prelude.primTag"})


@define(eq=False)
class DemandedCode:
    """Collects the code of one slice, or of the union of several."""

    constructions: Constructions
    kept: set[int] = field(factory=set)
    """Identities of the needed expressions, clauses, branches and bindings."""
    moments: dict[int, int] = field(factory=dict)
    """The first reduction in which each clause was needed."""
    units: set[int] = field(factory=set)
    """Numbers of the functions that were called or mentioned."""
    _start: int = 0
    _within: dict[int, bool] = field(factory=dict)
    _demands: dict[tuple[int | str, int, bool], Demand] = field(factory=dict)
    _bodies: set[int] = field(factory=set)
    _functions: set[int] = field(factory=set)
    """Identities of function names, which mean the same in every call."""
    _pending: list[tuple[Code, int, bool, Demand]] = field(factory=list)

    @property
    def graph(self) -> Graph:
        """The graph of the run."""
        return self.constructions.graph

    def add_call(self, q: int, demand: Demand) -> None:
        """Add the slice of a call, whose arguments are taken as given (Definition 30)."""
        self._start, self._within = q, {q: True, 0: q == 0}
        self._demands.clear()
        self._bodies.clear()
        self._reduction(q, demand)
        self._follow_all()

    def add_source(self, source: Source, demand: Demand) -> None:
        """Add the slice of the value of some code, from the start of the program."""
        self._start, self._within = 0, {0: True}
        self._need(source, demand)
        self._follow_all()

    # The work list

    def _follow_all(self) -> None:
        while self._pending:
            e, r, runs, demand = self._pending.pop()
            self._visit(e, r, runs, demand)

    def _need(self, source: Source | None, demand: Demand | None, runs: bool = False) -> None:
        if source is not None and demand is not None:
            self._pending.append((source.code, source.reduction, runs, demand))

    def _need_lazily(self, source: Source | None, demand: Demand | None) -> None:
        """Add a demand on an argument, as far as the run evaluated it."""
        if source is None or demand is None or isinstance(source.code, World):
            return
        e, r = source.code, source.reduction
        if isinstance(e, c.Con | c.Lam):
            if self._is_within(r):
                self.kept.add(id(e))
            return
        ref = self.graph.variable(e, r) if isinstance(e, str) else self.graph.resolve(e, r)
        if not isinstance(self.graph.value(ref), Unevaluated):
            self._need(source, demand)

    def _is_within(self, r: int) -> bool:
        """Whether a reduction belongs to the call in question, or is of a constant, which always counts."""
        chain = []
        while r not in self._within:
            chain.append(r)
            redex = self.graph.trail.redexes[r]
            if redex >> SITE_BITS == 0 and redex >= MOST_SITES:
                self._within[r] = True
                break
            r = redex >> SITE_BITS
        for reduction in chain:
            self._within[reduction] = self._within[r]
        return self._within[r]

    def _visit(self, e: Code, r: int, runs: bool, demand: Demand) -> None:
        """Follow a demand on an expression, if it belongs to the call in question."""
        if not self._is_within(r):
            return
        key = e if isinstance(e, str) else id(e), r, runs
        known = self._demands.get(key)
        if known is not None and known.covers(demand):
            return
        self._demands[key] = demand = demand if known is None else known.joined(demand)
        if not isinstance(e, str):
            self.kept.add(id(e))
        with suppress(StuckError):
            if runs:
                self._action(e, r, demand)
            else:
                self._expression(e, r, demand)

    # Expressions

    def _expression(self, e: Code, r: int, demand: Demand) -> None:
        """Keep an expression, and follow the demand into its parts."""
        match e:
            case str() | c.Var():
                self._variable(e if isinstance(e, str) else e.name, r, demand)
            case c.Global():
                self._global(e, r, demand)
            case c.Lit() if e.site:
                self._node(r << SITE_BITS | e.site, demand)
            case c.Annot(expression=expression):
                self._need(Source(expression, r), demand)
            case c.Let(body=body):
                self._need(Source(body, r), demand)
            case c.Match():
                branch = self._match(e, r)
                if branch is not None:
                    self._need(Source(branch.body, r), demand)
            case c.App():
                self._application(e, r, demand)

    def _variable(self, name: str, r: int, demand: Demand) -> None:
        """Follow a demand on a variable to the source of its value."""
        unit = self.graph.unit(r)
        local = unit.functions.get(name)
        binder = unit.binders.get(name, ())
        if binder[:1] == ("unit",):
            local = binder[1]
        if local is not None and binder[:1] in ((), ("unit",)):
            self.units.add(local.number)
            return
        bound, path = self.constructions.variable(name, r)
        if self.constructions.is_action(name, r):
            self._need(bound, at_path((0,), HEAD), runs=True)
            self._need_lazily(self.constructions.part(bound, path, runs=True), demand)
        elif path:
            self._need_lazily(bound, at_path(path, HEAD))
            self._need_lazily(self.constructions.part(bound, path), demand)
        else:
            self._need_lazily(bound, demand)

    def _global(self, e: c.Global, r: int, demand: Demand) -> None:
        if id(e) in self._functions:
            return
        ref = self.graph.resolve(e, r)
        if isinstance(ref, int):
            self._node(ref, demand)
        elif not e.dicts:
            self._functions.add(id(e))
        self._name(self.graph.value(ref))

    def _name(self, value: object) -> None:
        """Keep a function that is mentioned, because it has to exist even if it is never called."""
        if isinstance(value, Function) and not isinstance(value.target, str | c.ConstructorInfo):
            self.units.add(value.target.number)

    def _node(self, node: int, demand: Demand) -> None:
        q = self.graph.reduction_at(node)
        if q is not None:
            self._reduction(q, demand)

    def _reduction(self, q: int, demand: Demand) -> None:
        """Follow a demand on the result of a reduction into its body."""
        if not self._is_within(q):
            return
        unit = self.graph.unit(q)
        self.units.add(unit.number)
        if q not in self._bodies:
            self._bodies.add(q)
            if isinstance(unit.expression, c.Lam):
                self.kept.add(id(unit.expression))
                first = len(unit.captured) + len(unit.dicts)
                own = self.constructions.parameters(q)[first : first + unit.arity]
                refs = self.graph.arguments(q)[first : first + unit.arity]
                self._clauses(unit.expression.clauses, own, refs, q)
        body = self.constructions.body(q)
        if body is not None:
            self._need(Source(body, q), demand, unit.is_io)

    def _application(self, e: c.App, r: int, demand: Demand) -> None:
        function = e.function
        if isinstance(function, c.Con):
            self.kept.add(id(function))
            self._construction(e, function.info, r, demand)
            return
        self._called(e, r, len(e.arguments), demand)

    def _construction(self, e: c.App, info: c.ConstructorInfo, r: int, demand: Demand) -> None:
        if info.is_newtype:
            inner = e.run if e.run is not None else e.arguments[0]
            self._need(Source(inner, r), demand)
            return
        self._fields(info, [Source(a, r) for a in e.arguments], demand)

    def _fields(self, info: c.ConstructorInfo, sources: Sequence[Source | None], demand: Demand) -> None:
        for index, source in enumerate(sources):
            needed = demand.of_field(index)
            if needed is None and index < len(info.strict) and info.strict[index]:
                needed = HEAD
            self._need_lazily(source, needed)

    def _called(self, e: c.App, r: int, count: int, demand: Demand) -> None:
        """Follow an application of a function to the first of an expression's arguments."""
        function, done = self.constructions.target(e, r, count)
        if done and done < count:
            self._called(e, r, done, HEAD)
        else:
            self._need_function(e.function, r)
        q = self.graph.reduction_at(self.constructions.node(e, r, count))
        if q is not None:
            self._reduction(q, demand)
        elif function is not None:
            passed = (*self.constructions.captured(function), *(Source(a, r) for a in e.arguments[done:count]))
            self._built_in(function, passed, demand)

    def _need_function(self, e: Code, r: int) -> None:
        self._need(Source(e, r), HEAD)

    def _built_in(self, function: Function, passed: Sequence[Source | None], demand: Demand) -> None:
        """Follow an applied constructor or primitive; a function with missing arguments needs none of them yet."""
        target = function.target
        if isinstance(target, c.ConstructorInfo):
            if target.is_newtype:
                self._need_lazily(passed[0] if passed else None, demand)
            else:
                self._fields(target, passed, demand)
        elif target == "Prelude.primSeq" and len(passed) > 1:
            self._need_strictly(passed[0], HEAD)
            self._need_strictly(passed[1], demand)
        elif target == "Prelude.primReturnIO":
            self._need_lazily(passed[0], demand.of_field(0))
        elif isinstance(target, str):
            for source in passed:
                self._need_strictly(source, HEAD if target in _ONLY_HEADS else ALL)
        else:
            self._name(function)

    def _need_strictly(self, source: Source | None, demand: Demand) -> None:
        if source is not None and not isinstance(source.code, World):
            self._need(source, demand)

    # Branches

    def _match(self, e: c.Match, r: int) -> c.Branch | None:
        """Follow what choosing a branch of a match needed; returns the branch."""
        scrutinee = Source(e.scrutinee, r)
        if e.keyword == "if":
            self._need(scrutinee, HEAD)
            branch = self.constructions.chosen(e, r)
            if not isinstance(branch, c.Branch):
                return None
            self._keep(next(clause for clause in e.clauses if branch in clause.branches), branch, r)
            return branch
        ref = self.graph.resolve(e.scrutinee, r) if e.keyword == "guards" else self.graph.scrutinee(e, r)
        return self._clauses(e.clauses, [scrutinee], [ref], r)

    def _clauses(
        self,
        clauses: Sequence[c.Clause],
        sources: Sequence[Source | None],
        refs: Sequence[Ref],
        r: int,
        io: bool = False,
    ) -> c.Branch | None:
        """Add the demands of choosing a branch, and keep that branch; if none matched, keep all."""
        with suppress(StuckError):
            for clause in clauses:
                if self._patterns(clause.patterns, sources, refs, r, io):
                    branch = self._guarded(clause, r)
                    if branch is not None:
                        return branch
        for clause in clauses:
            self.kept.add(id(clause))
            self.kept.update(map(id, clause.branches))
        return None

    def _patterns(
        self, patterns: Sequence[c.Pattern], sources: Sequence[Source | None], refs: Sequence[Ref], r: int, io: bool
    ) -> bool:
        """Follow what matching patterns needed; returns whether they matched."""
        for pattern, source, ref in zip(patterns, sources, refs, strict=True):
            try:
                demand, matched = shape(pattern, ref, self.graph)
            except StuckError:
                self._need(source, Demand(parts=((0, HEAD),)) if io else HEAD, io)
                raise
            if io:
                self._need(source, Demand(parts=((0, demand),)) if demand is not None else HEAD, runs=True)
            elif demand is not None:
                self._need_strictly(source, demand)
            for test in _tests(pattern):
                self._need(Source(test, r), HEAD)
            if not matched or not self.graph.matches(pattern, ref, r):
                return False
        return True

    def _guarded(self, clause: c.Clause, r: int) -> c.Branch | None:
        for branch in clause.branches:
            self._keep(clause, branch, r)
            if all(self._guard(guard, r) for guard in branch.guards):
                return branch
        return None

    def _guard(self, guard: c.Guard, r: int) -> bool:
        match guard:
            case c.BoolGuard(condition=condition):
                self._need(Source(condition, r), HEAD)
            case c.PatternGuard(pattern=pattern, expression=expression):
                ref = self.graph.follow(expression, r)
                return self._patterns([pattern], [Source(expression, r)], [ref], r, io=False)
        return self.graph.holds(guard, r)

    def _keep(self, clause: c.Clause, branch: c.Branch, r: int) -> None:
        self.kept.add(id(clause))
        self.kept.add(id(branch))
        self.moments.setdefault(id(clause), r)

    # Actions

    def _action(self, e: Code, r: int, demand: Demand) -> None:
        """Add a demand on an executed action: on all its effects, and on part of its result."""
        match e:
            case c.Match():
                branch = self._match(e, r)
                if branch is not None:
                    self._need(Source(branch.body, r), demand, runs=True)
            case c.Let(body=body):
                self._need(Source(body, r), demand, runs=True)
            case c.App(function=c.Global() as function, arguments=[value]) if _is(e, "return", "pure"):
                self.kept.add(id(function))
                self._need_lazily(Source(value, r), demand.of_field(0))
            case c.App(function=c.Global() as function, arguments=[first, second]) if _is(e, ">>", "*>"):
                self.kept.add(id(function))
                self._need(Source(first, r), HEAD, runs=True)
                if getattr(self.graph.value(self.graph.follow_io(first, r)), "fields", None):
                    self._need(Source(second, r), demand, runs=True)
            case c.App(function=c.Global() as function, arguments=[first, c.Lam() as rest]) if _is(e, ">>="):
                self.kept |= {id(function), id(rest)}
                self._need(Source(first, r), HEAD, runs=True)
                done = self.graph.value(self.graph.follow_io(first, r))
                fields = getattr(done, "fields", None)
                if fields:
                    branch = self._clauses(rest.clauses, [Source(first, r)], [fields[0]], r, io=True)
                    if branch is not None:
                        self._need(Source(branch.body, r), demand, runs=True)
            case _:
                self._run(e, r, demand)

    def _run(self, e: Code, r: int, demand: Demand) -> None:
        """Follow a demand on the result of an executed action."""
        if isinstance(e, str | World):
            return
        if e.run is not None:
            self._application(e.run, r, demand)
            return
        if isinstance(e, c.App):
            self._need_function(e.function, r)
        node = r << SITE_BITS | e.site
        if self.graph.reduction_at(node) is not None:
            self._node(node, demand)
        elif isinstance(e, c.App):
            function = self.graph.value(self.graph.resolve(e.function, r))
            if isinstance(function, Function) and function.target in ACTIONS:
                self._built_in(function, [Source(a, r) for a in e.arguments], demand)


def _is(e: c.App, *names: str) -> bool:
    """Whether an application is of one of these methods, executed as part of the body."""
    return e.run is None and isinstance(e.function, c.Global) and e.function.name.removeprefix("Prelude.") in names


def _tests(pattern: c.Pattern) -> list[c.Expr]:
    """The comparisons for literals in a pattern."""
    match pattern:
        case c.PLit(test=test) if test is not None:
            return [test]
        case c.PAs(pattern=inner):
            return _tests(inner)
        case c.PCon(parts=parts):
            return [test for part in parts for test in _tests(part)]
    return []
