"""Costs of calls in closed form: the time equations are run on inputs of growing sizes, and a polynomial is fitted.

The size of a number is its value, that of a list its length, that of any other value the number of its recursive
constructors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

from attrs import frozen

from adebug_lsp.languages.cost_equations import CallCost
from adebug_lsp.languages.haskell.core.core_tree import ConstructorInfo
from adebug_lsp.languages.haskell.core.entities import Program
from adebug_lsp.languages.haskell.engine.machine import HaskellError
from adebug_lsp.languages.haskell.profile import flat_program as f
from adebug_lsp.languages.haskell.profile.closed_forms import fit
from adebug_lsp.languages.haskell.profile.cost_centres import Kind
from adebug_lsp.languages.haskell.profile.cost_semantics import Machine, StoppedError
from adebug_lsp.languages.haskell.profile.heap import Cell, Data, Value
from adebug_lsp.languages.haskell.profile.normalise import Rules
from adebug_lsp.languages.haskell.profile.time_equations import TimedRules, check, shared_variable
from adebug_lsp.languages.haskell.types.types import Scheme, TCon, Type, replace, result_of, spine

GOAL = "adebugGoal"
_GRID = {0: 1, 1: 9, 2: 6, 3: 4}
"""Sizes of each variable, by the number of variables."""
_MOST_STEPS = 400_000
_MOST_PARTS = 2000
"""Constructors of a result, above which it counts as infinite."""
_NUMBERS = ("Prelude.Int", "Prelude.Integer")
_NAME = re.compile(r"(?<![\w'.])[a-z_][\w']*")
_KEYWORDS = frozenset({"if", "then", "else", "case", "of", "let", "in", "where", "do", "_"})


class NotMeasuredError(Exception):
    """A cost cannot be measured; the message says why."""


class SharedWorkError(NotMeasuredError):
    """The equations count shared work several times, which a run does once."""


@frozen
class Cost:
    """Unfoldings to the first constructor, and to the whole result (None if no end is in sight)."""

    head: int
    whole: int | None


def free_names(call: str, program: Program, module: str) -> tuple[str, ...]:
    """The variables of a call: names that the module does not define."""
    visible = program.modules[module].values
    names = dict.fromkeys(_NAME.findall(call))
    return tuple(name for name in names if name not in visible and name not in _KEYWORDS)


def goal_text(call: str, variables: tuple[str, ...]) -> str:
    """The definition of a function for a call."""
    return f"\n{' '.join([GOAL, *variables])} = {call}\n"


def call_cost(call: str, variables: tuple[str, ...], program: Program, module: str) -> CallCost:
    """The cost of a call defined by `goal_text`; raises `ModuleError` if there are no equations for it."""
    name = f"{module}.{GOAL}"
    rules = Rules(program)
    check(name, rules)
    rule = rules.rule(name)
    if len(variables) not in _GRID:
        return CallCost(call, variables, (), None, None, f"{len(variables)} inputs are too many; fix some of them")
    samples: dict[tuple[int, ...], Cost] = {}
    for sizes in product(range(_GRID[len(variables)]), repeat=len(variables)):
        try:
            kinds = _parameter_types(program.schemes[name], len(variables))
            inputs = [(p, _term(k, s, program)) for p, k, s in zip(rule.parameters, kinds, sizes, strict=True)]
            cost = _measured(f.Let(inputs, rule.body) if inputs else rule.body, rules)
        except SharedWorkError as reason:
            used = shared_variable(name, rules)
            suffix = f"; used more than once: {used}" if used else ""
            return CallCost(call, variables, (), None, None, f"{reason}{suffix}")
        except NotMeasuredError as reason:
            return CallCost(call, variables, (), None, None, str(reason))
        except HaskellError:
            continue  # this input is not in the domain of the function
        if cost is not None:
            samples[sizes] = cost
    listed = tuple((sizes, cost.head, cost.whole) for sizes, cost in samples.items())
    wholes = {sizes: cost.whole for sizes, cost in samples.items() if cost.whole is not None}
    head = _closed(variables, {sizes: cost.head for sizes, cost in samples.items()})
    return CallCost(call, variables, listed, head, _closed(variables, wholes) if len(wholes) == len(samples) else None)


def _closed(variables: tuple[str, ...], samples: dict[tuple[int, ...], int]) -> str | None:
    """The closed form that fits the samples, perhaps only from some size on; None if none does."""
    if not variables:
        return str(samples[()]) if samples else None
    for start in range(3):
        above = {sizes: cost for sizes, cost in samples.items() if min(sizes) >= start}
        form = fit(variables, above)
        if form is not None:
            condition = f" for {', '.join(variables)} >= {start}" if start else ""
            return f"{form}{condition}"
    return None


# Inputs


def _parameter_types(scheme: Scheme, count: int) -> Iterator[Type]:
    for position in range(count):
        kind = result_of(scheme.type, position)
        assert kind is not None
        yield spine(kind)[1][0]


def _term(kind: Type, size: int, program: Program) -> f.Flat:
    """An expression for a value of a type and size."""
    head, arguments = spine(kind)
    if not isinstance(head, TCon):
        return f.Construct(program.constructors["()"], [])
    if head.name in _NUMBERS:
        return f.Literal(size)
    infos = [info for info in program.constructors.values() if info.type_name == head.name]
    if head.name == "->" or not infos:
        raise NotMeasuredError("an input is a function, or of a type without constructors; write it in the call")
    recursive = [info for info in infos if any(_is_same(field, head) for field in _fields(info, arguments))]
    simple = [info for info in infos if info not in recursive]
    if not simple:
        raise NotMeasuredError("the values of a type are all infinite; write the input in the call")
    info = recursive[0] if size and recursive else simple[0]
    fields = _fields(info, arguments)
    last = max((i for i, field in enumerate(fields) if _is_same(field, head)), default=-1)
    bindings = [(f"x{i}~{size}", _term(k, size - 1 if i == last else 0, program)) for i, k in enumerate(fields)]
    construct = f.Construct(info, [name for name, _ in bindings])
    return f.Let(bindings, construct) if bindings else construct


def _is_same(field: Type, head: TCon) -> bool:
    own, _ = spine(field)
    return isinstance(own, TCon) and own.name == head.name


def _fields(info: ConstructorInfo, arguments: list[Type]) -> list[Type]:
    kind, fields = replace(info.scheme.type, arguments), list[Type]()
    for _ in range(info.arity):
        _, (field, kind) = spine(kind)
        fields.append(field)
    return fields


# Measurements


def _measured(e: f.Flat, rules: Rules) -> Cost | None:
    """The cost by the equations; None if it does not end. Raises `NotMeasuredError` if sharing matters."""
    timed = TimedRules(rules.program)
    machine, plain = _machine(timed), _machine(rules)
    try:
        pair, _ = machine.evaluate(timed.goal(e), {}, machine.root)
        head = _number(machine, pair)
        value, _ = plain.evaluate(e, {}, plain.root)
    except StoppedError:
        return None
    _compare(head, plain)
    try:
        whole = sum(_number(machine, part) for part in _parts(machine, pair, _value_of_pair))
        for _ in _parts(plain, value, lambda part: part):
            pass
    except StoppedError:
        return Cost(head, None)
    _compare(whole, plain)
    return Cost(head, whole)


def _machine(rules: Rules) -> Machine:
    machine = Machine(rules, lambda _text: None, str)
    machine.most_steps = _MOST_STEPS
    return machine


def _compare(cost: int, plain: Machine) -> None:
    shared = plain.root.counts[Kind.F]
    if cost != shared:
        raise SharedWorkError(f"work is shared: a run unfolds {shared} times, the equations count {cost}")


def _forced(machine: Machine, cell: Cell) -> Value:
    value, _ = machine.evaluate(f.Variable("x"), {"x": cell}, machine.root)
    return value


def _number(machine: Machine, pair: Value) -> int:
    assert isinstance(pair, Data)
    cost = _forced(machine, pair.fields[1])
    assert isinstance(cost, int)
    return cost


def _value_of_pair(value: Value) -> Value:
    assert isinstance(value, Data)
    inner = value.fields[0].value
    assert inner is not None
    return inner


def _parts(machine: Machine, value: Value, inner: Callable[[Value], Value]) -> Iterator[Value]:
    """A value and everything inside it, evaluated; raises `StoppedError` if there is too much."""
    pending, count = [value], 0
    while pending:
        part = pending.pop()
        yield part
        if inner is _value_of_pair:
            assert isinstance(part, Data)
            _forced(machine, part.fields[0])
        content = inner(part)
        count += 1
        if count > _MOST_PARTS:
            raise StoppedError
        if isinstance(content, Data):
            pending += [_forced(machine, cell) for cell in reversed(content.fields)]
