"""`adebug time-equations`: the cost of functions as equations and in closed form."""

import json
from argparse import Namespace
from pathlib import Path

from adebug_lsp.frontends.cli.render.escape import escape, print_error
from adebug_lsp.languages import registry
from adebug_lsp.languages.cost_equations import CallCost, CostEquations, EquationsRequest


def run(options: Namespace) -> int:
    """Print all; the exit code is 1 if a stated cost is contradicted."""
    program = Path(options.program)
    request = EquationsRequest(program, Path(options.workspace), options.call)
    found = registry.language_of(program).cost_equations(request)
    if options.json:
        print(json.dumps(_as_json(found)), flush=True)
    else:
        print("\n".join(map(escape, render(found))), flush=True)
        for one in found.contradictions:
            start = one.place.range.start
            print_error(f"{one.place.path}:{start.line + 1}:{start.column + 1}: {one.message}")
    return 1 if found.contradictions else 0


def render(found: CostEquations) -> list[str]:
    """The equations, what has none, and the costs of calls."""
    lines: list[str] = []
    for equation in found.equations:
        lines += [*equation.lines, ""] if not equation.refused else []
    lines += [f"{one.name}: no equation. {one.refused}" for one in found.equations if one.refused]
    costs = [line for cost in found.costs for line in _cost(cost)]
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


def _as_json(found: CostEquations) -> dict[str, object]:
    return {
        "equations": [{"name": one.name, "lines": list(one.lines), "refused": one.refused} for one in found.equations],
        "costs": [
            {
                "call": one.call,
                "variables": list(one.variables),
                "head": one.head,
                "whole": one.whole,
                "samples": [{"sizes": list(sizes), "head": head, "whole": whole} for sizes, head, whole in one.samples],
                "refused": one.refused,
            }
            for one in found.costs
        ],
        "contradictions": [
            {"path": one.place.path, "line": one.place.range.start.line, "message": one.message}
            for one in found.contradictions
        ],
    }
