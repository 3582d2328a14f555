"""`adebug time-equations`: the cost of functions as equations and in closed form."""

import json
from argparse import Namespace
from pathlib import Path

from adebug_lsp.frontends.cli.render.escape import escape, print_error
from adebug_lsp.languages import registry
from adebug_lsp.languages.cost_equations import CallCost, CostEquations, EquationsRequest


def run(options: Namespace) -> int:
    """Print the analysis; the exit code is 1 if a stated cost is contradicted."""
    program = Path(options.program)
    request = EquationsRequest(program, Path(options.workspace), options.call)
    analysis = registry.language_of(program).cost_equations(request)
    if options.json:
        print(json.dumps(_as_json(analysis)), flush=True)
    else:
        print("\n".join(map(escape, render(analysis))), flush=True)
        for contradiction in analysis.contradictions:
            start = contradiction.place.range.start
            print_error(f"{contradiction.place.path}:{start.line + 1}:{start.column + 1}: {contradiction.message}")
    return 1 if analysis.contradictions else 0


def render(analysis: CostEquations) -> list[str]:
    """The equations, functions without one, and the costs of calls."""
    lines: list[str] = []
    for equation in analysis.equations:
        lines += [*equation.lines, ""] if not equation.refused else []
    lines += [f"{e.name}: no equation. {e.refused}" for e in analysis.equations if e.refused]
    costs = [line for cost in analysis.costs for line in _cost(cost)]
    return [*lines, *([""] if lines and lines[-1] and costs else []), *costs]


def _cost(cost: CallCost) -> list[str]:
    if cost.refused:
        return [f"{cost.call}: no cost. {cost.refused}"]
    if not cost.samples:
        return [f"{cost.call}: no cost. It failed or did not end for every input that was tried"]
    if cost.whole is not None:
        prefix = f"{cost.call} costs {cost.whole}"
        return [prefix if cost.head == cost.whole else f"{prefix}; {cost.head or '?'} to its first constructor"]
    if cost.head is not None:
        return [f"{cost.call} costs {cost.head} to its first constructor"]
    tried = [f"{', '.join(map(str, sizes))}: {head if whole is None else whole}" for sizes, head, whole in cost.samples]
    return [f"{cost.call} has no closed form up to degree 3; by {', '.join(cost.variables)}: {'; '.join(tried)}"]


def _as_json(analysis: CostEquations) -> dict[str, object]:
    return {
        "equations": [{"name": e.name, "lines": list(e.lines), "refused": e.refused} for e in analysis.equations],
        "costs": [
            {
                "call": cost.call,
                "variables": list(cost.variables),
                "head": cost.head,
                "whole": cost.whole,
                "samples": [
                    {"sizes": list(sizes), "head": head, "whole": whole} for sizes, head, whole in cost.samples
                ],
                "refused": cost.refused,
            }
            for cost in analysis.costs
        ],
        "contradictions": [
            {"path": c.place.path, "line": c.place.range.start.line, "message": c.message}
            for c in analysis.contradictions
        ],
    }
