"""The time equations of a program, the costs of calls, and the comments that they contradict."""

from __future__ import annotations

from adebug_lsp.languages.cost_equations import CallCost, Contradiction, CostEquations, Equation, EquationsRequest
from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program
from adebug_lsp.languages.haskell.engine.load import ModuleError, load
from adebug_lsp.languages.haskell.engine.program_sources import Sources, read_sources
from adebug_lsp.languages.haskell.profile.call_costs import call_cost, free_names, goal_text
from adebug_lsp.languages.haskell.profile.closed_forms import read_polynomial
from adebug_lsp.languages.haskell.profile.equation_text import equation_lines
from adebug_lsp.languages.haskell.profile.normalise import Rules
from adebug_lsp.languages.haskell.profile.stated_costs import call_of, contradicted, stated_costs
from adebug_lsp.languages.haskell.profile.time_equations import check
from adebug_lsp.model.errors import BadInputError


def cost_equations(request: EquationsRequest) -> CostEquations:
    """Transform, run and compare; raises `BadInputError` for a program or a call with an error."""
    sources, program = read_sources(request.program.absolute(), request.workspace)
    (module,) = (module for module in program.modules.values() if module.path == sources.program and not module.trusted)
    rules = Rules(program)
    names = [name for name, owner in program.owners.items() if owner is module and _is_function(name, program)]
    equations = [_equation(name, rules) for name in names]
    calls = list(request.calls)
    if not calls:
        calls = [call_of(program.binds[equation.name]) for equation in equations if not equation.refused]
    run = _Calls(sources, program, module)
    costs = [run.cost(call) for call in calls]
    return CostEquations(
        tuple(_shortened(equation) for equation in equations),
        tuple(costs),
        tuple(_contradictions(run, module, program)),
    )


def _is_function(name: str, program: Program) -> bool:
    bind = program.binds.get(name)
    return bind is not None and not bind.generated and "~" not in name


def _equation(name: str, rules: Rules) -> Equation:
    try:
        check(name, rules)
    except ModuleError as problem:
        return Equation(name, (), f"{problem.place}: {problem.message}")
    return Equation(name, equation_lines(rules.rule(name)))


def _shortened(equation: Equation) -> Equation:
    return Equation(c.short(equation.name), equation.lines, equation.refused)


class _Calls:
    """Measures calls; each becomes the body of a function that is added to the program."""

    def __init__(self, sources: Sources, program: Program, module: ModuleInfo) -> None:
        self.sources, self.program, self.module = sources, program, module

    def cost(self, call: str) -> CallCost:
        """The cost of a call, or why there is none; raises `BadInputError` for a call with an error."""
        variables = free_names(call, self.program, self.module.name)
        names, texts = dict(self.sources.names), dict(self.sources.texts)
        text = self.module.text + goal_text(call, variables)
        try:
            extended = load(
                self.module.path, text, lambda name: (names[name], texts[names[name]]) if name in names else None
            )
        except ModuleError as problem:
            raise BadInputError(f"{call}: {problem.message}") from None
        try:
            return call_cost(call, variables, extended, self.module.name)
        except ModuleError as problem:
            is_of_call = problem.start >= len(self.module.text) and problem.path == self.module.path
            place = "in the call" if is_of_call else problem.place
            return CallCost(call, variables, (), None, None, f"{place}: {problem.message}")


def _contradictions(run: _Calls, module: ModuleInfo, program: Program) -> list[Contradiction]:
    """Stated costs of a module that the equations contradict."""
    contradictions = []
    for stated in stated_costs(module, program):
        try:
            cost = run.cost(stated.call)
            form = read_polynomial(stated.form, cost.variables)
        except BadInputError as problem:
            contradictions.append(Contradiction(stated.place, str(problem)))
            continue
        if cost.refused:
            contradictions.append(Contradiction(stated.place, f"{stated.call} cannot be checked: {cost.refused}"))
            continue
        right = contradicted(cost, form)
        if right:
            contradictions.append(Contradiction(stated.place, f"{stated.call} costs {right}, not {form}"))
    return contradictions
