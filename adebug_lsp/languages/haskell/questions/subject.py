"""A recorded Haskell run as a subject: the equations of its evaluation dependency tree."""

from __future__ import annotations

import hashlib
from functools import cached_property

import numpy as np

from adebug_lsp.languages.haskell.questions.dependences import HaskellDependences
from adebug_lsp.languages.haskell.questions.inner import InnerSubject
from adebug_lsp.languages.haskell.questions.tree_columns import tree_of
from adebug_lsp.languages.haskell.reading.graph import deep
from adebug_lsp.languages.haskell.reading.run import HaskellRun, qualified_name
from adebug_lsp.languages.haskell.reading.trail_text import shown_arguments
from adebug_lsp.languages.language import Entry, RecordedSubject
from adebug_lsp.model.behaviour import Behaviour
from adebug_lsp.model.source import Location
from adebug_lsp.model.values import Binding, Environment, Role, Value
from adebug_lsp.tree.columns import ExecutionTree


class HaskellSubject(RecordedSubject):
    """See `Subject`: every node is a reduction of a user's function."""

    root_is_wrong = True

    def __init__(self, run: HaskellRun, entry: Entry) -> None:
        self.run, self.entry = run, entry
        self._inner: dict[int, InnerSubject | None] = {}
        self._behaviours: dict[int, Behaviour] = {}

    @cached_property
    def _laid_out(self) -> tuple[ExecutionTree, np.ndarray]:
        return tree_of(self.run)

    @property
    def tree(self) -> ExecutionTree:
        """See `Subject`."""
        return self._laid_out[0]

    def reduction(self, node: int) -> int:
        """The reduction of a node."""
        return int(self._laid_out[1][node])

    @cached_property
    def nodes(self) -> dict[int, int]:
        """Nodes by reduction."""
        return {q: node for node, q in enumerate(self._laid_out[1].tolist())}

    @cached_property
    def dependences(self) -> HaskellDependences:
        """See `Subject`."""
        return HaskellDependences(self.run, self.reduction, self.nodes)

    def behaviour(self, node: int) -> Behaviour:
        """See `Subject`."""
        known = self._behaviours.get(node)
        if known is None:
            known = self._behaviours[node] = self._behaviour(node)
        return known

    def _behaviour(self, node: int) -> Behaviour:
        """The behaviour of a reduction as an equation."""
        run, q = self.run, self.reduction(node)
        unit = run.unit(q)
        names = run.parameter_names(q)
        shown = deep(lambda: shown_arguments(run.graph, q))
        before = [Binding(names[i], run.values.value(ref), Role.ARGUMENT) for i, ref in shown]
        before += [Binding(name, run.values.value(ref)) for name, ref in run.captured(q)]
        call, outcome = run.call_text(q), self._outcome(q)
        context = ", ".join(f"{name} = {run.values.text(ref)}" for name, ref in run.captured(q))
        text = f"{call} {outcome}" + (f", where {context}" if context else "")
        error, output = run.error(q), run.output(q) if unit.is_io else ""
        key = f"{qualified_name(unit)} {text} {output}"
        return Behaviour(
            text,
            Environment(tuple(before)),
            self.code(node),
            Environment((Binding("printed", Value(repr(output)), Role.OUTPUT),) if output else ()),
            result=run.values.value(run.result(q)) if error is None else None,
            raised=Value(error) if error is not None else None,
            identity=hashlib.sha256(key.encode()).hexdigest(),
            code_hash=hashlib.sha256(run.source(unit).encode()).hexdigest(),
            coarse="" if run.ended(q) else "The program was stopped before this had a value.",
        )

    def _outcome(self, q: int) -> str:
        error = self.run.error(q)
        if error is not None:
            return f"failed: {error}"
        if not self.run.ended(q):
            return "did not end"
        return f"= {self.run.values.text(self.run.result(q))}"

    def code(self, node: int) -> tuple[Location, ...]:
        """See `Subject`: the clause that was taken, or the whole definition."""
        q = self.reduction(node)
        unit, clause = self.run.unit(q), self.run.clause(q)
        return (self.run.location(unit, clause.span if clause is not None else unit.span),)

    def inside(self, node: int) -> InnerSubject | None:
        """See `Subject`."""
        if node not in self._inner:
            self._inner[node] = InnerSubject.of(self.run, self.reduction(node), self.behaviour(node))
        return self._inner[node]

    def unexecuted(self, node: int) -> tuple[Location, ...]:
        """See `Subject`: clauses that were not taken."""
        q = self.reduction(node)
        unit, taken = self.run.unit(q), self.run.clause(q)
        clauses = getattr(unit.expression, "clauses", []) if taken is not None else []
        return tuple(self.run.location(unit, clause.span) for clause in clauses if clause is not taken)

    def sources(self) -> dict[str, str]:
        """See `Subject`."""
        return dict(self.run.recording.sources)
