"""The cost instrumentation of Def. 11 and Fig. 4.2 of the thesis: one variant of each function for each cost centre.

The instrumented program counts its calls of cost functions. It runs on the same machine, whose own counts are ignored.
Variants are made when they are first called.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from adebug_lsp.languages.haskell.profile import flat_program as f
from adebug_lsp.languages.haskell.profile.cost_centres import Centre, Kind
from adebug_lsp.languages.haskell.profile.cost_semantics import Machine
from adebug_lsp.languages.haskell.profile.normalise import Rules


class InstrumentedMachine(Machine):
    """Runs the instrumented version of a program; costs are charged to the centres below `costs`, by name."""

    charges_updates = False

    def __init__(self, rules: Rules, write: Callable[[str], None], read: Callable[[], str]) -> None:
        super().__init__(rules, write, read)
        self.costs = Centre("main")
        self._variants: dict[tuple[int, str], f.Flat] = {}

    def prepared(self, e: f.Flat) -> f.Flat:
        """See `Machine`."""
        return _Instrumented(self.costs, self.costs).flat(e)

    def code(self, code: f.Rule | f.Function, here: Centre) -> f.Flat:
        """See `Machine`."""
        key = (id(code.body), here.name)
        known = self._variants.get(key)
        if known is None:
            body = _Instrumented(self.costs, here).flat(code.body)
            known = self._variants[key] = f.Charge(Kind.F, body, centre=here)
        return known

    def constant(self, name: str) -> f.Flat:
        """See `Machine`."""
        return f.Update(f.Call(name, [], centre=self.costs))


class _Instrumented:
    """`[[e]]` under one centre; an expression that two cases share stays shared."""

    def __init__(self, costs: Centre, centre: Centre) -> None:
        self.costs, self.centre = costs, centre
        self._known: dict[int, f.Flat] = {}

    def flat(self, e: f.Flat) -> f.Flat:
        known = self._known.get(id(e))
        if known is None:
            known = self._known[id(e)] = self._flat(e)
        return known

    def _charge(self, kind: Kind, body: f.Flat, times: int = 1) -> f.Flat:
        for _ in range(times):
            body = f.Charge(kind, body, centre=self.centre)
        return body

    def _flat(self, e: f.Flat) -> f.Flat:
        """The instrumented expression, by the equations of Fig. 4.2."""
        match e:
            case f.Variable():
                return self._charge(Kind.V, e)
            case f.Apply():
                return self._charge(Kind.V, evolve(e, centre=self.centre))
            case f.Let(bindings=bindings, body=body):
                made = [(name, self._bound(bound)) for name, bound in bindings]
                return self._charge(Kind.H, f.Let(made, self.flat(body)), len(bindings))
            case f.Case(alternatives=alternatives, default=default):
                inside = [
                    evolve(alternative, body=self._charge(Kind.C, self.flat(alternative.body)))
                    for alternative in alternatives
                ]
                last = None if default is None else self._charge(Kind.C, self.flat(default))
                return self._charge(Kind.V, f.Case(e.scrutinee, inside, last))
            case f.Scc(name=name, body=body):
                centre = self.costs if name == self.costs.name else self.costs.enter(name)
                inner = _Instrumented(self.costs, centre)
                return f.Charge(Kind.E, inner.flat(body), centre=centre)
            case f.Failure():
                return e
        return evolve(e, centre=self.centre)

    def _bound(self, e: f.Flat) -> f.Flat:
        return evolve(e, centre=self.centre) if e.is_value else f.Update(self.flat(e))
