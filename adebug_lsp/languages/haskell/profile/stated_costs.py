"""Costs stated in comments: `-- cost: nth n (from Z) = 2n + 3`, or `-- cost: 2n + 3` above a function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import eq

from attrs import frozen

from adebug_lsp.languages.cost_equations import CallCost
from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program
from adebug_lsp.languages.haskell.profile.closed_forms import Polynomial
from adebug_lsp.model.source import Location, Position, Range

_COMMENT = re.compile(r"^\s*--\s*cost:(?P<stated>.*)$")
_DEFINED = re.compile(r"([a-z_][\w']*)")
_SPARE = ("n", "m", "k")


@frozen
class Stated:
    """A stated cost, and its call."""

    place: Location
    call: str
    form: str


def stated_costs(module: ModuleInfo, program: Program) -> Iterator[Stated]:
    """The stated costs of a module; a comment above no function is ignored."""
    lines = module.text.split("\n")
    for number, line in enumerate(lines):
        match = _COMMENT.match(line)
        if match is None:
            continue
        stated = match["stated"]
        place = Location(module.path, Range(Position(number, match.start("stated")), Position(number, len(line))))
        call, equals, form = stated.rpartition("=")
        if not equals:
            call = _function_below(lines[number + 1 :], module, program)
        if call.strip():
            yield Stated(place, call.strip(), form.strip())


def _function_below(lines: list[str], module: ModuleInfo, program: Program) -> str:
    """The call of the function whose equation follows a comment; empty if none does."""
    for line in lines:
        match = _DEFINED.match(line)
        if match is not None:
            bind = program.binds.get(f"{module.name}.{match[1]}")
            return call_of(bind) if bind is not None else ""
        if line.strip() and not line.lstrip().startswith("--"):
            return ""
    return ""


def call_of(bind: c.Bind) -> str:
    """A function applied to its parameters, with the names of its first equation that has names."""
    e = bind.expression
    if not isinstance(e, c.Lam):
        return c.short(bind.name)
    names: list[str] = []
    for position in range(e.arity):
        written = [clause.patterns[position] for clause in e.clauses]
        own = [c.short(p.name) for p in written if isinstance(p, c.PVar)]
        names.append(next(name for name in [*own, *_SPARE, f"x{position}"] if name not in names))
    return " ".join([c.short(bind.name), *names])


def contradicted(cost: CallCost, form: Polynomial) -> str:
    """The measured cost, if neither that of the whole result nor that of its first constructor is as stated."""
    sizes = [sizes for sizes, _, _ in cost.samples]
    heads = [head for _, head, _ in cost.samples]
    wholes: list[int | None] = [whole for _, _, whole in cost.samples]
    stated = [form.value(arguments) for arguments in sizes]
    if not sizes or any(all(map(eq, stated, costs)) for costs in (wholes, heads)):
        return ""
    measured = cost.whole or cost.head
    if measured is not None:
        return measured
    number = next(i for i, whole in enumerate(wholes) if stated[i] != (heads[i] if whole is None else whole))
    where = ", ".join(f"{name} = {size}" for name, size in zip(cost.variables, sizes[number], strict=True))
    return f"{heads[number] if wholes[number] is None else wholes[number]} for {where}"
