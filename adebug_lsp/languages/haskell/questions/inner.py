"""The inside of a reduction: the evaluated guards, bindings and expressions of its body, each with its value."""

from __future__ import annotations

import hashlib
from typing import Any

from attrs import define, field

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.units import SITE_BITS, FreeVariables
from adebug_lsp.languages.haskell.reading.graph import Bottom, Data, Ref, Unevaluated, Value, deep
from adebug_lsp.languages.haskell.reading.run import HaskellRun, qualified_name
from adebug_lsp.languages.language import RecordedSubject
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.kinds import NodeKind
from adebug_lsp.model.source import Location, Site
from adebug_lsp.model.values import Binding, Environment
from adebug_lsp.model.values import Value as ShownValue
from adebug_lsp.tree.builder import TreeBuilder
from adebug_lsp.tree.columns import ExecutionTree

_ACTIONS = ("Prelude.>>=", "Prelude.>>", "Prelude.*>")


@define(eq=False)
class Item:
    """An evaluated expression."""

    span: tuple[int, int]
    expression: Any
    ref: Any
    label: str = ""
    """The name that a binding binds, in place of the text."""
    children: list[Item] = field(factory=list)
    head: tuple[int, int] | None = None
    """For a binding, the place of its name or pattern."""


class InnerSubject(RecordedSubject):
    """See `Subject`: the expressions of one reduction."""

    root_is_wrong = True

    def __init__(self, run: HaskellRun, q: int, root: Behaviour, items: list[Item]) -> None:
        self.run, self.q, self._root = run, q, root
        self.items: list[Item | None] = []
        builder = TreeBuilder()
        unit = run.unit(q)
        name = qualified_name(unit)
        builder.enter(builder.site(Site(name, name, "Main", run.location(unit, unit.span))))
        self.items.append(None)
        for item in items:
            self._add(item, builder, name)
        builder.leave(cost=len(root.text))
        self._tree = builder.finish()[0]

    @classmethod
    def of(cls, run: HaskellRun, q: int, root: Behaviour) -> InnerSubject | None:
        """The inside of a reduction; None if it has no expression to ask about."""
        items = deep(lambda: _Collector(run, q).items())
        return cls(run, q, root, items) if items else None

    def _add(self, item: Item, builder: TreeBuilder, routine: str) -> None:
        """Add an item with its children as nodes of the tree."""
        unit = self.run.unit(self.q)
        self.items.append(item)
        text = self.run.source(unit, item.span)
        builder.enter(
            builder.site(Site(text, routine, "Main", self.run.location(unit, item.span))), kind=NodeKind.EXPRESSION
        )
        for child in item.children:
            self._add(child, builder, routine)
        builder.leave(cost=len(text) + 10)

    @property
    def tree(self) -> ExecutionTree:
        """See `Subject`."""
        return self._tree

    def behaviour(self, node: int) -> Behaviour:
        """See `Subject`."""
        item = self.items[node]
        if item is None:
            return self._root
        run, unit = self.run, self.run.unit(self.q)
        value = deep(lambda: run.graph.value(item.ref))
        code = item.label or run.source(unit, item.span)
        bindings = [(c.short(name), ref) for name, ref in self._variables(item.expression)]
        context = ", ".join(f"{name} = {run.values.text(ref)}" for name, ref in bindings)
        outcome = f"failed: {value.message}" if isinstance(value, Bottom) else f"= {run.values.text(item.ref)}"
        text = f"{code} {outcome}" + (f", where {context}" if context else "")
        source = run.source(unit)
        return Behaviour(
            text,
            Environment(tuple(Binding(name, run.values.value(ref)) for name, ref in bindings)),
            self.code(node),
            result=None if isinstance(value, Bottom) else run.values.value(item.ref),
            raised=ShownValue(value.message) if isinstance(value, Bottom) else None,
            identity=hashlib.sha256(f"{qualified_name(unit)} {text}".encode()).hexdigest(),
            code_hash=hashlib.sha256(source.encode()).hexdigest(),
        )

    def _variables(self, e: c.Expr) -> list[tuple[str, Ref]]:
        free = FreeVariables().of(e)
        unit = self.run.unit(self.q)
        names = [n for n in free if not n.startswith(("d~", "pattern~", "scrutinee~")) and n not in unit.functions]
        return [(n, deep(lambda n=n: self.run.graph.variable(n, self.q))) for n in names if n in unit.binders]  # type: ignore[misc]

    def code(self, node: int) -> tuple[Location, ...]:
        """See `Subject`."""
        item = self.items[node]
        if item is None:
            return self._root.projection
        return (self.run.location(self.run.unit(self.q), item.span),)

    def sources(self) -> dict[str, str]:
        """See `Subject`."""
        return dict(self.run.recording.sources)


class _Collector:
    """Collects the evaluated parts of a reduction's body."""

    def __init__(self, run: HaskellRun, q: int) -> None:
        self.graph, self.unit, self.q = run.graph, run.unit(q), q

    def items(self) -> list[Item]:
        e = self.unit.expression
        if not isinstance(e, c.Lam):
            return self._last(e)
        first = len(self.unit.captured) + len(self.unit.dicts)
        refs = list(self.graph.arguments(self.q)[first : first + self.unit.arity])
        return self._clauses(e.clauses, refs, -2)

    def _clauses(self, clauses: list[c.Clause], refs: list[Ref], node: int) -> list[Item]:
        """The items of a match: what patterns and guards evaluated, and the chosen body."""
        chosen = self.graph.chosen(clauses, refs, self.q, node)
        items: list[Item] = []
        for clause in clauses:
            if isinstance(chosen, c.Branch) and chosen not in clause.branches:
                continue
            if not isinstance(chosen, c.Branch):
                continue
            items += self._bindings(clause.groups)
            for branch in clause.branches:
                items += self._guards(branch)
                if branch is chosen:
                    return items + self._last(branch.body)
        return items

    def _guards(self, branch: c.Branch) -> list[Item]:
        """The items of the guards of a branch that were evaluated."""
        items: list[Item] = []
        for guard in branch.guards:
            match guard:
                case c.BoolGuard(condition=condition):
                    items += self._evaluated(condition)
                    if condition_value(self.graph.value(self.graph.follow(condition, self.q))) is False:
                        break
                case c.PatternGuard(expression=expression):
                    items += self._evaluated(expression)
                case c.LetGuard(groups=groups):
                    items += self._bindings(groups)
        return items

    def _bindings(self, groups: list[list[c.Bind]]) -> list[Item]:
        """The items of local bindings that were needed."""
        items = []
        for bind in (bind for group in groups for bind in group):
            if bind.is_function or bind.dict_params or (bind.generated and isinstance(bind.expression, c.Match)):
                continue
            ref = self.graph.resolve(bind.expression, self.q)
            if isinstance(self.graph.value(ref), Unevaluated):
                continue
            label = "" if bind.generated else c.short(bind.name)
            items.append(Item(bind.span, bind.expression, ref, label, self._inside(bind.expression), bind.head))
        return items

    def _last(self, e: c.Expr) -> list[Item]:
        """The items of an expression that is the result."""
        if self.unit.is_io:
            return self._action(e)
        return self._evaluated(e)

    def _action(self, e: c.Expr) -> list[Item]:
        """The items of an executed action: its parts in order."""
        match e:
            case c.App(function=c.Global(name=name), arguments=[first, second]) if name in _ACTIONS and e.run is None:
                items = self._action(first)
                if not isinstance(second, c.Lam):
                    return items + self._action(second)
                done = self.graph.value(self.graph.follow_io(first, self.q))
                if not isinstance(done, Data):
                    return items
                return items + self._clauses(second.clauses, [done.fields[0]], self.q << SITE_BITS | e.site)
            case c.Let(groups=groups, body=body):
                return self._bindings(groups) + self._action(body)
            case c.Match():
                chosen = self.graph.branch(e, self.q)
                items = self._evaluated(e.scrutinee)
                return items + (self._action(chosen.body) if isinstance(chosen, c.Branch) else [])
            case c.App():
                ref = self.graph.follow_io(e, self.q)
                if isinstance(self.graph.value(ref), Unevaluated):
                    return self._arguments(e)
                return [Item(e.span, e, ref, "", self._arguments(e))]
        return []

    def _evaluated(self, e: c.Expr) -> list[Item]:
        """The items of an expression that was evaluated to its head."""
        match e:
            case c.App() | c.Match():
                return [Item(e.span, e, self.graph.follow(e, self.q), "", self._inside(e))]
            case c.Let(groups=groups, body=body):
                return self._bindings(groups) + self._evaluated(body)
            case c.Annot(expression=expression):
                return self._evaluated(expression)
        return []

    def _inside(self, e: c.Expr) -> list[Item]:
        """The items inside an expression that was evaluated."""
        match e:
            case c.App():
                return self._arguments(e)
            case c.Match():
                items = self._evaluated(e.scrutinee) if e.keyword != "guards" else []
                if e.keyword == "if":
                    chosen = self.graph.branch(e, self.q)
                    return items + (self._evaluated(chosen.body) if isinstance(chosen, c.Branch) else [])
                node = self.q << SITE_BITS | e.site
                ref = (
                    self.graph.scrutinee(e, self.q)
                    if e.keyword != "guards"
                    else self.graph.resolve(e.scrutinee, self.q)
                )
                return items + self._pure_clauses(e.clauses, [ref], node)
            case c.Let(groups=groups, body=body):
                return self._bindings(groups) + self._inside(body)
            case c.Annot(expression=expression):
                return self._inside(expression)
        return []

    def _pure_clauses(self, clauses: list[c.Clause], refs: list[Ref], node: int) -> list[Item]:
        """The clauses of a match inside an expression, whose bodies are no actions that run here."""
        chosen = self.graph.chosen(clauses, refs, self.q, node)
        for clause in clauses:
            if isinstance(chosen, c.Branch) and chosen in clause.branches:
                items = self._bindings(clause.groups)
                for branch in clause.branches:
                    items += self._guards(branch)
                    if branch is chosen:
                        return items + self._evaluated(branch.body)
        return []

    def _arguments(self, e: c.App) -> list[Item]:
        """The items of arguments, as far as they were evaluated."""
        items: list[Item] = []
        for argument in [e.function, *e.arguments]:
            if isinstance(argument, c.App | c.Match | c.Let | c.Annot):
                ref = self.graph.resolve(argument, self.q)
                if isinstance(argument, c.App) and _is_cons(e) and _is_cons(argument):
                    items += self._arguments(argument)  # the rest of a written list
                elif not isinstance(self.graph.value(ref), Unevaluated):
                    items.append(Item(argument.span, argument, ref, "", self._inside(argument)))
        return items


def _is_cons(e: c.App) -> bool:
    return isinstance(e.function, c.Con) and e.function.info.name == ":"


def condition_value(value: Value) -> bool | None:
    """A `Bool` of the trail as a Python value; None for anything else."""
    return bool(value.info.tag) if isinstance(value, Data) else None
