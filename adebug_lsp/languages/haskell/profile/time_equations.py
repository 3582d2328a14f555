"""Time equations (the thesis, Def. 7 and Fig. 3.2): a program whose functions return pairs of a value and its cost.

`f x = e` becomes `f_c x = C[e] ± 1`, where `(v, k1) ± k2 = (v, k1 + k2)`: the cost of a call is the number of function
unfoldings to its first constructor. The transformed program is flat as well, and runs on the machine of the cost
semantics. A primitive unfolds nothing; it adds the costs of its operands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import evolve

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program
from adebug_lsp.languages.haskell.engine.load import ModuleError
from adebug_lsp.languages.haskell.profile import flat_program as f
from adebug_lsp.languages.haskell.profile.normalise import Rules
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError

PLUS = "±"
_ADD = "Prelude.primIntegerAdd"
_HIGHER_ORDER = "a function is a value here (higher order)"


class RefusedError(HaskellSyntaxError):
    """Time equations are not defined for a construct."""


class TimedRules(Rules):
    """The transformed rules of a program, for functions that `check` accepts."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._plain = Rules(program)
        self._timed: dict[str, f.Rule] = {}
        pair = program.constructors["(,)"]
        total = f.Let([("t", f.Primitive(_ADD, ["k", "z"]))], f.Construct(pair, ["v", "t"]))
        case = f.Case("p", [f.Alternative(pair, ["v", "k"], total)], None)
        self._timed[PLUS] = f.Rule(PLUS, ["p", "z"], case, None, (0, 0))

    def rule(self, name: str) -> f.Rule:
        """See `Rules`."""
        known = self._timed.get(name)
        if known is None:
            plain = self._plain.rule(name)
            timed = Transformation(self._plain)
            known = self._timed[name] = evolve(plain, body=timed.plus_one(timed.flat(plain.body)))
        return known

    def goal(self, e: f.Flat) -> f.Flat:
        """`C[e]` for an expression to evaluate."""
        return Transformation(self._plain).flat(e)


class Transformation:
    """`C[e]` of Fig. 3.2 for one rule."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.pair = rules.program.constructors["(,)"]
        self._count = 0
        self._known: dict[int, f.Flat] = {}

    def _fresh(self, name: str) -> str:
        self._count += 1
        return f"{name}~c{self._count}"

    def _with(self, name: str, e: f.Flat, body: Callable[[str], f.Flat]) -> f.Flat:
        variable = self._fresh(name)
        return f.Let([(variable, e)], body(variable))

    def plus_one(self, e: f.Flat) -> f.Flat:
        """`e ± 1`."""
        return self._with("y", f.Literal(1), lambda unit: self._plus(e, unit))

    def _plus(self, e: f.Flat, cost: str) -> f.Flat:
        return self._with("r", e, lambda result: f.Call(PLUS, [result, cost]))

    def _costless(self, e: f.Flat) -> f.Flat:
        return self._with(
            "y", e, lambda value: self._with("z", f.Literal(0), lambda zero: f.Construct(self.pair, [value, zero]))
        )

    def flat(self, e: f.Flat) -> f.Flat:
        """`C[e]`; an expression that two cases share stays shared."""
        known = self._known.get(id(e))
        if known is None:
            known = self._known[id(e)] = self._flat(e)
        return known

    def _flat(self, e: f.Flat) -> f.Flat:
        """`C[e]`, by the equations of Fig. 3.2."""
        match e:
            case f.Construct() | f.Literal():
                return self._costless(e)
            case f.Primitive(name=name, operands=operands):
                return self._primitive(name, operands, [], [])
            case f.Case(scrutinee=scrutinee):
                return self._case(e, scrutinee)
            case f.Let(bindings=bindings, body=body):
                return f.Let([(name, self.flat(bound)) for name, bound in bindings], self.flat(body), span=e.span)
            case f.Scc(body=body):
                return self.flat(body)
        return e

    def _case(self, e: f.Case, scrutinee: f.Operand) -> f.Flat:
        value, cost = self._fresh("x"), self._fresh("k")
        inside = [
            evolve(alternative, body=self._plus(self.flat(alternative.body), cost)) for alternative in e.alternatives
        ]
        last = None if e.default is None else self._plus(self.flat(e.default), cost)
        case = f.Case(value, inside, last, span=e.span)
        return f.Case(scrutinee, [f.Alternative(self.pair, [value, cost], case)], None)

    def _primitive(self, name: str, operands: list[f.Operand], values: list[str], costs: list[str]) -> f.Flat:
        """A primitive: the costs of its operands are added, and it costs nothing itself."""
        if not operands:
            result = self._costless(f.Primitive(name, list(values)))
            for cost in costs:
                result = self._plus(result, cost)
            return result
        value, cost = self._fresh("x"), self._fresh("k")
        rest = self._primitive(name, operands[1:], [*values, value], [*costs, cost])
        return f.Case(operands[0], [f.Alternative(self.pair, [value, cost], rest)], None)


def refuse(e: f.Flat, rules: Rules) -> None:
    """Raise `RefusedError` for an expression without time equations: higher order, classes, strings."""
    match e:
        case f.Function() | f.Apply():
            raise RefusedError(_HIGHER_ORDER, *e.span)
        case f.Method(name=name):
            raise RefusedError(f"which {c.short(name)} this is depends on a class that is only known in a run", *e.span)
        case f.Text():
            raise RefusedError("a string is a list whose cells were never computed; leave it out", *e.span)
        case f.Primitive(name=name) if name.endswith(("ReturnIO", "PutStr", "GetLine", "GetContents", "IsEOF", "Exit")):
            raise RefusedError("an action of IO is a function of the world (higher order)", *e.span)
        case f.Call(function=name, operands=operands) if name != PLUS:
            rule = rules.rule(name)
            if len(rule.parameters) != len(operands):
                raise RefusedError(_HIGHER_ORDER, *e.span)
            if any(not isinstance(operand, str) and operand[0] != "constant" for operand in operands):
                raise RefusedError(f"{c.short(name)} needs a class (higher order)", *e.span)


def check(name: str, rules: Rules) -> None:
    """Raise `ModuleError`, with the place in the user's source, if a function or a callee has no time equations."""
    for rule, user in _reached(name, rules):
        for e in f.all_inside(rule.body):
            _check_node(e, rule, user, rules)


def _check_node(e: f.Flat, rule: f.Rule, user: Place, rules: Rules) -> None:
    try:
        refuse(e, rules)
    except RefusedError as problem:
        suffix = "" if rule.is_user else f", in {c.short(rule.name)} of the library"
        module, span = (rule.module, e.span) if rule.is_user else user
        path, text = (module.path, module.text) if module is not None else ("<library>", "")
        raise ModuleError(path, text, RefusedError(f"{problem.message}{suffix}", *span)) from None


def shared_variable(name: str, rules: Rules) -> str:
    """A variable used more than once on one path, with the place of its function; empty if there is none."""
    for rule, _ in _reached(name, rules):
        bound = [b for e in f.all_inside(rule.body) if isinstance(e, f.Let) for b in e.bindings]
        candidates = [*(variable for variable, e in bound if not e.is_value), *rule.parameters]
        for variable in candidates:
            if rule.is_user and rule.module is not None and _uses(rule.body, variable) > 1:
                place = ModuleError(rule.module.path, rule.module.text, HaskellSyntaxError("", *rule.span)).place
                return f"{c.short(variable)} in {c.short(rule.name)}, {place}"
    return ""


def _uses(e: f.Flat, variable: str) -> int:
    """The largest number of uses of a variable on one path."""
    match e:
        case f.Variable(operand=operand):
            return int(operand == variable)
        case f.Call(operands=operands) | f.Construct(operands=operands) | f.Primitive(operands=operands):
            return operands.count(variable)
        case f.Case(scrutinee=scrutinee):
            return int(scrutinee == variable) + max((_uses(part, variable) for part in f.inside(e)), default=0)
    return sum(_uses(part, variable) for part in f.inside(e))


Place = tuple[ModuleInfo | None, tuple[int, int]]


def _reached(name: str, rules: Rules) -> Iterator[tuple[f.Rule, Place]]:
    """The rules that a function can reach, each with the last place in the user's source on the way."""
    start: Place = (None, (0, 0))
    known, pending = {name}, [(name, start)]
    while pending:
        function, user = pending.pop()
        rule = rules.rule(function)
        yield rule, user
        for e in f.all_inside(rule.body):
            called = _called(e)
            if called is not None and called not in known:
                known.add(called)
                pending.append((called, (rule.module, e.span) if rule.is_user else user))


def _called(e: f.Flat) -> str | None:
    match e:
        case f.Call(function=name):
            return name
        case f.Variable(operand=("constant", str(name))) | f.Case(scrutinee=("constant", str(name))):
            return name
    return None
