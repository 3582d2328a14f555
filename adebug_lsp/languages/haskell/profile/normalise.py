"""Normalises functions of the core language to flat rules (the thesis, Fig. 2.4), on first use.

Arguments that are no variables are let-bound, and nested patterns become nested cases. Where a clause falls through to
the next one, both cases share the same expression, so that the program does not grow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, TypeVar

from attrs import frozen

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import InstanceInfo, Program
from adebug_lsp.languages.haskell.engine.compiler import ACTIONS, IO_RESULT, SPECIAL
from adebug_lsp.languages.haskell.engine.primitives import PRIMITIVES
from adebug_lsp.languages.haskell.profile import flat_program as f
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError
from adebug_lsp.languages.haskell.types.types import show_scheme

Dict = TypeVar("Dict")
"""A dictionary: an operand, or one made at run time."""
SCC_TYPE = "String -> a -> a"
MISSING = "missing method"
"""The rule of a method without a definition in its instance and class."""
_NO_MATCH = "no equation or alternative matches"
_KNOWN_NUMBERS = ("Prelude.Int", "Prelude.Integer", "Prelude.Double")


class Rules:
    """The flat rules of a program's global functions; with `automatic`, each function of the user has a cost centre."""

    def __init__(self, program: Program, automatic: bool = False) -> None:
        self.program, self.automatic = program, automatic
        self._rules = {rule.name: rule for rule in _primitive_rules()}

    def rule(self, name: str) -> f.Rule:
        """The rule of a global function; raises `HaskellSyntaxError` for a cost centre without a literal name."""
        known = self._rules.get(name)
        if known is None:
            bind = self.program.binds.get(name) or self._default(name)
            module = self.program.owners[name]
            made = Normaliser(self.program).function(bind)
            is_user = not (module.trusted or bind.generated)
            body = f.Scc(c.short(name), made.body, span=bind.span) if self.automatic and is_user else made.body
            known = self._rules[name] = f.Rule(name, made.parameters, body, module, bind.span, is_user)
        return known

    def _default(self, name: str) -> c.Bind:
        method = name.removesuffix("~default")
        return self.program.classes[self.program.methods[method]].defaults[method]


def alias(program: Program, name: str) -> str:
    """The global that a library binding such as `(+) = primIntAdd` renames."""
    while True:
        bind, owner = program.binds.get(name), program.owners.get(name)
        if bind is None or owner is None or not owner.trusted or bind.dict_params:
            return name
        e = bind.expression
        if not isinstance(e, c.Global) or e.dicts or e.name in program.methods:
            return name
        name = e.name


@frozen
class _Row:
    """Patterns that are still to match, and the code after them, which gets the code for falling through."""

    patterns: list[c.Pattern]
    body: Callable[[f.Flat], f.Flat]
    can_fall_through: bool


class Normaliser:
    """Normalises one global function."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._aliases: dict[str, f.Operand] = {}
        self._dictionaries: dict[str, f.Operand] = {}
        self._count = 0

    def _fresh(self, name: str) -> str:
        self._count += 1
        return f"{name}~f{self._count}"

    def function(self, bind: c.Bind) -> f.Function:
        """The parameters and the body of a binding, its dictionaries first."""
        e = bind.expression
        if isinstance(e, c.Lam):
            made = self._function(e)
            return f.Function([*bind.dict_params, *made.parameters], made.body, span=bind.span)
        return f.Function(list(bind.dict_params), self.flat(e), span=bind.span)

    def _function(self, e: c.Lam) -> f.Function:
        first = e.clauses[0].patterns
        parameters = [p.name if isinstance(p, c.PVar) else self._fresh("x") for p in first]
        rows = [self._row(clause.patterns, clause) for clause in e.clauses]
        body = self._match(list(parameters), rows, f.Failure(_NO_MATCH, span=e.span))
        return f.Function(parameters, body, span=e.span)

    # Expressions

    def flat(self, e: c.Expr) -> f.Flat:
        """The flat expression of a core expression."""
        match e:
            case c.Var(name=name, dicts=[]):
                return f.Variable(self._aliases.get(name, name), span=e.span)
            case c.Var() | c.Global():
                return self._application(e, e, [])
            case c.Con(info=info):
                return self._construct(e, info, [])
            case c.Lit():
                return self._literal(e)
            case c.App(function=function, arguments=arguments):
                return self._application(e, function, arguments)
            case c.Lam():
                return self._function(e)
            case c.Match():
                return self._case(e)
            case c.Let(groups=groups, body=body):
                return self._let(groups, lambda: self.flat(body))
            case c.Annot(expression=expression, annotation=(bind, _)):
                for name, wanted in zip(bind.dict_params, bind.givens, strict=False):
                    self._dictionaries[name] = self._dictionary(wanted)
                return self.flat(expression)
        raise AssertionError(e)

    def _operand(self, e: c.Expr, bindings: list[tuple[str, f.Flat]]) -> f.Operand:
        """A variable with the value of an expression; newly bound unless the expression is a variable."""
        if isinstance(e, c.Global) and not e.dicts and e.name not in self.program.methods:
            name = alias(self.program, e.name)
            bind = self.program.binds.get(name)
            if bind is not None and not bind.is_function and not bind.dict_params:
                return "constant", name
        made = self.flat(e)
        if isinstance(made, f.Variable):
            return made.operand
        bindings.append((self._fresh("v"), made))
        return bindings[-1][0]

    def _with_operands(self, arguments: Sequence[c.Expr], build: Callable[[list[f.Operand]], f.Flat]) -> f.Flat:
        bindings: list[tuple[str, f.Flat]] = []
        body = build([self._operand(argument, bindings) for argument in arguments])
        return f.Let(bindings, body, span=body.span) if bindings else body

    def _dictionary(self, wanted: c.Wanted) -> f.Operand:
        return self._resolved(wanted.solution)

    def _resolved(self, solution: tuple[Any, ...]) -> f.Operand:
        """The operand of a dictionary, from the solution of its constraint."""
        match solution:
            case ("param", name):
                return self._dictionaries.get(str(name), str(name))
            case ("super", inner, cls, above):
                return "super", self._resolved(inner), cls, above
            case ("inst", instance, parts):
                return "inst", instance, tuple(self._dictionary(part) for part in parts)
        raise AssertionError(solution)

    def _literal(self, e: c.Lit) -> f.Flat:
        """A literal; an overloaded one is converted by the class of its type."""
        if e.kind == "string":
            return f.Text(str(e.value), span=e.span)
        if e.kind == "char":
            return f.Literal(e.value, span=e.span)
        solution = e.dicts[0].solution
        known = solution[1].type_name if solution[0] == "inst" else ""
        if known == "Prelude.Double":
            return f.Literal(float(e.value), span=e.span)
        if known in _KNOWN_NUMBERS and e.kind == "int":
            return f.Literal(e.value, span=e.span)
        method = "Prelude.fromInteger" if e.kind == "int" else "Prelude.primFromDouble"
        value = f.Literal(float(e.value) if e.kind == "frac" else e.value, span=e.span)
        name = self._fresh("v")
        call = self._global_call(e, method, [self._dictionary(wanted) for wanted in e.dicts], [name])
        return f.Let([(name, value)], call, span=e.span)

    def _application(self, e: c.Expr, function: c.Expr, arguments: list[c.Expr]) -> f.Flat:
        """An application; its head decides whether it is a call, a construction or an application of a value."""
        while isinstance(function, c.Annot):
            function = function.expression
        if isinstance(function, c.Con):
            return self._construct(e, function.info, arguments)
        if isinstance(function, c.Global):
            dicts = [self._dictionary(wanted) for wanted in function.dicts]
            name = alias(self.program, function.name)
            if self._is_scc(name) and len(arguments) >= 2:
                return self._scc(e, arguments)
            if name == "Prelude.primSeq" and len(arguments) == 2:
                return self._with_operands(
                    arguments[:1], lambda ops: f.Case(ops[0], [], self.flat(arguments[1]), span=e.span)
                )
            return self._with_operands(arguments, lambda ops: self._global_call(e, name, dicts, ops))
        dicts = [self._dictionary(wanted) for wanted in function.dicts] if isinstance(function, c.Var) else []
        plain = c.Var(function.span, function.name) if isinstance(function, c.Var) else function
        return self._with_operands([plain, *arguments], lambda ops: f.Apply(ops[0], [*dicts, *ops[1:]], span=e.span))

    def _global_call(self, e: c.Expr, name: str, dicts: list[f.Operand], operands: list[f.Operand]) -> f.Flat:
        """A call of a global; of a method, if the instance is known, the instance's definition."""
        if name in self.program.methods:
            dictionary, *dicts = dicts
            if dictionary[0] != "inst" or isinstance(dictionary, str):
                return f.Method(name, dictionary, [*dicts, *operands], span=e.span)
            method, first = method_of(self.program, name, dictionary[1], dictionary[2], dictionary)
            name, dicts = method, [*first, *dicts]
        if name in PRIMITIVES and PRIMITIVES[name].arity == len(operands):
            return f.Primitive(name, operands, span=e.span)
        bind = self.program.binds.get(name)
        if bind is not None and not bind.is_function and not bind.dict_params:
            constant: f.Operand = ("constant", name)
            return f.Apply(constant, operands, span=e.span) if operands else f.Variable(constant, span=e.span)
        return f.Call(name, [*dicts, *operands], span=e.span)

    def _is_scc(self, name: str) -> bool:
        scheme = self.program.schemes.get(name)
        return c.short(name) == "scc" and scheme is not None and show_scheme(scheme) == SCC_TYPE

    def _scc(self, e: c.Expr, arguments: list[c.Expr]) -> f.Flat:
        """A cost centre: an application of `scc` to a name, an expression and further arguments."""
        name, body, *rest = arguments
        if not (isinstance(name, c.Lit) and name.kind == "string"):
            raise HaskellSyntaxError('the name of a cost centre is a string literal: scc "name" e', *name.span)
        scc = f.Scc(str(name.value), self.flat(body), span=e.span)
        if not rest:
            return scc
        function = self._fresh("v")
        call = self._with_operands(rest, lambda ops: f.Apply(function, ops, span=e.span))
        return f.Let([(function, scc)], call, span=e.span)

    def _construct(self, e: c.Expr, info: c.ConstructorInfo, arguments: list[c.Expr]) -> f.Flat:
        if info.is_newtype and len(arguments) == 1:
            return self.flat(arguments[0])
        if info.is_newtype and arguments:
            return self._application(e, arguments[0], arguments[1:])
        return self._with_operands(arguments, lambda ops: self._constructed(e, info, ops))

    def _constructed(self, e: c.Expr, info: c.ConstructorInfo, operands: list[f.Operand]) -> f.Flat:
        """A construction; with missing arguments, a function that makes it."""
        parameters = [self._fresh("x") for _ in range(info.arity - len(operands))]
        operands = [*operands, *parameters]
        made: f.Flat = f.Construct(info, operands, span=e.span)
        if info.is_newtype:
            made = f.Variable(operands[0], span=e.span)
        for operand, is_strict in zip(operands, info.strict, strict=False):
            if is_strict:
                made = f.Case(operand, [], made, span=e.span)
        return f.Function(parameters, made, span=e.span) if parameters else made

    def _let(self, groups: list[list[c.Bind]], body: Callable[[], f.Flat]) -> f.Flat:
        made = [[(bind.name, self._binding(bind)) for bind in group] for group in groups]
        result = body()
        for group in reversed(made):
            result = f.Let(group, result, span=result.span)
        return result

    def _binding(self, bind: c.Bind) -> f.Flat:
        return self.function(bind) if bind.dict_params else self.flat(bind.expression)

    # Matches

    def _case(self, e: c.Match) -> f.Flat:
        fail = f.Failure(_NO_MATCH, span=e.span)
        if e.keyword == "guards":
            return self._row([], e.clauses[0]).body(fail)
        rows = [self._row(clause.patterns, clause) for clause in e.clauses]
        return self._with_operands([e.scrutinee], lambda ops: self._match(ops, rows, fail))

    def _row(self, patterns: list[c.Pattern], clause: c.Clause) -> _Row:
        """A row of the match algorithm for a clause, whose guards may fall through."""
        can_fall_through = not any(_always(branch) for branch in clause.branches)

        def branches(fail: f.Flat) -> f.Flat:
            result = fail
            for branch in reversed(clause.branches):
                result = self._guards(branch.guards, branch.body, result)
            return result

        return _Row(patterns, lambda fail: self._let(clause.groups, lambda: branches(fail)), can_fall_through)

    def _guards(self, guards: list[c.Guard], body: c.Expr, fail: f.Flat) -> f.Flat:
        """The body behind guards; if one fails, `fail`."""
        if not guards:
            return self.flat(body)
        guard, rest = guards[0], guards[1:]
        match guard:
            case c.BoolGuard(condition=c.Global(name="Prelude.otherwise")):
                return self._guards(rest, body, fail)
            case c.BoolGuard(condition=condition):
                true = self.program.constructors["Prelude.True"]

                def test(operands: list[f.Operand]) -> f.Flat:
                    alternative = f.Alternative(true, [], self._guards(rest, body, fail))
                    return f.Case(operands[0], [alternative], fail, span=condition.span)

                return self._with_operands([condition], test)
            case c.PatternGuard(pattern=pattern, expression=expression):
                row = _Row([pattern], lambda failed: self._guards(rest, body, failed), True)
                return self._with_operands([expression], lambda ops: self._match(ops, [row], fail))
            case c.LetGuard(groups=groups):
                return self._let(groups, lambda: self._guards(rest, body, fail))

    def _match(self, operands: Sequence[f.Operand], rows: list[_Row], fail: f.Flat) -> f.Flat:
        """Wadler's match algorithm: columns from the left, rows grouped while their first patterns are of one kind."""
        if not rows:
            return fail
        if not operands:
            row = rows[0]
            return row.body(self._match([], rows[1:], fail) if row.can_fall_through else fail)
        simple = [
            _Row([self._simple(row.patterns[0], operands[0]), *row.patterns[1:]], row.body, row.can_fall_through)
            for row in rows
        ]
        result = fail
        for kind, group in reversed([(kind, list(group)) for kind, group in groupby(simple, _kind)]):
            result = self._same_kind(kind, operands, group, result)
        return result

    def _simple(self, pattern: c.Pattern, operand: f.Operand) -> c.Pattern:
        """A pattern, with its variables bound to the operand that it matches."""
        match pattern:
            case c.PAs(name=name, pattern=inner):
                self._aliases[name] = operand
                return self._simple(inner, operand)
            case c.PVar(name=name, strict=strict):
                self._bind(name, operand)
                return pattern if strict else c.PWild(pattern.span)
            case c.PCon(info=info, parts=parts) if info.is_newtype:
                return self._simple(parts[0], operand)
            case c.PLazy(pattern=inner):
                return self._simple(inner, operand)
        return pattern

    def _bind(self, name: str, operand: f.Operand) -> None:
        if name != operand:
            self._aliases[name] = operand

    def _same_kind(self, kind: str, operands: Sequence[f.Operand], rows: list[_Row], fail: f.Flat) -> f.Flat:
        """The case for rows whose first patterns are all constructors, literals or variables."""
        first, rest = operands[0], operands[1:]
        span = rows[0].patterns[0].span
        if kind in ("any", "strict"):
            inside = self._match(rest, [_Row(row.patterns[1:], row.body, row.can_fall_through) for row in rows], fail)
            return inside if kind == "any" else f.Case(first, [], inside, span=span)
        if kind == "overloaded":
            return self._overloaded(first, rest, rows, fail)
        if kind == "literal":
            by_value: dict[int | float | str, list[_Row]] = {}
            for row in rows:
                by_value.setdefault(row.patterns[0].value, []).append(row)  # type: ignore[union-attr]
            alternatives = [
                f.Alternative(
                    value, [], self._match(rest, [_Row(r.patterns[1:], r.body, r.can_fall_through) for r in own], fail)
                )
                for value, own in by_value.items()
            ]
            return f.Case(first, alternatives, fail, span=span)
        by_constructor: dict[c.ConstructorInfo, list[_Row]] = {}
        for row in rows:
            by_constructor.setdefault(row.patterns[0].info, []).append(row)  # type: ignore[union-attr]
        alternatives = [self._alternative(info, rest, own, fail) for info, own in by_constructor.items()]
        is_total = len(by_constructor) == len(rows[0].patterns[0].info.siblings)  # type: ignore[union-attr]
        return f.Case(first, alternatives, None if is_total else fail, span=span)

    def _alternative(
        self, info: c.ConstructorInfo, rest: Sequence[f.Operand], rows: list[_Row], fail: f.Flat
    ) -> f.Alternative:
        """The alternative of a constructor, for the rows that match it."""
        pattern = rows[0].patterns[0]
        assert isinstance(pattern, c.PCon)
        fields = [part.name if isinstance(part, c.PVar) else self._fresh("y") for part in pattern.parts]
        inner = [
            _Row([*row.patterns[0].parts, *row.patterns[1:]], row.body, row.can_fall_through)  # type: ignore[union-attr]
            for row in rows
        ]
        return f.Alternative(info, fields, self._match([*fields, *rest], inner, fail))

    def _overloaded(self, first: f.Operand, rest: Sequence[f.Operand], rows: list[_Row], fail: f.Flat) -> f.Flat:
        """Compare a number with `==` if its type is not known."""
        result = fail
        for row in reversed(rows):
            pattern = row.patterns[0]
            assert isinstance(pattern, c.PLit)
            literal, test = self._fresh("v"), self._fresh("v")
            value = self._literal(c.Lit(pattern.span, pattern.kind, pattern.value, [pattern.dicts[1]]))
            equal = self._global_call(
                c.Lit(pattern.span, "int", 0), "Prelude.==", [self._dictionary(pattern.dicts[0])], [first, literal]
            )
            after = self._match(rest, [_Row(row.patterns[1:], row.body, row.can_fall_through)], result)
            case = f.Case(
                test, [f.Alternative(self.program.constructors["Prelude.True"], [], after)], result, span=pattern.span
            )
            result = f.Let([(literal, value), (test, equal)], case, span=pattern.span)
        return result


def _always(branch: c.Branch) -> bool:
    """Whether no guard of a branch can fail."""
    return all(
        isinstance(guard, c.LetGuard)
        or (
            isinstance(guard, c.BoolGuard)
            and isinstance(guard.condition, c.Global)
            and guard.condition.name == "Prelude.otherwise"
        )
        for guard in branch.guards
    )


def _kind(row: _Row) -> str:
    """The kind of a row's first pattern, by which rows are grouped."""
    match row.patterns[0]:
        case c.PVar():
            return "strict"
        case c.PCon():
            return "constructor"
        case c.PLit(dicts=dicts):
            if not dicts:
                return "literal"
            solution = dicts[0].solution
            is_known = solution[0] == "inst" and solution[1].type_name in _KNOWN_NUMBERS
            return "literal" if is_known else "overloaded"
    return "any"


def method_of(
    program: Program, method: str, instance: InstanceInfo, parts: Sequence[Dict], whole: Dict
) -> tuple[str, list[Dict]]:
    """The function that implements a method for an instance, and the dictionaries that it takes first."""
    own = instance.methods.get(method)
    if own is not None:
        name = alias(program, own)
        return name, list(parts) if name == own else []
    default = program.classes[instance.class_name].defaults.get(method)
    if default is None:
        return MISSING, []
    return default.name, [whole]


def _primitive_rules() -> list[f.Rule]:
    """The rules of primitives used as values, and of actions, which take the world."""
    rules = []
    arities = {**{name: primitive.arity for name, primitive in PRIMITIVES.items()}, **ACTIONS, **SPECIAL}
    for name, arity in arities.items():
        parameters = [f"x{i}~p" for i in range(arity)]
        rules.append(f.Rule(name, parameters, f.Primitive(name, list(parameters)), None, (0, 0)))
    missing = f.Failure("no instance nor default method for a class operation")
    rules.append(f.Rule(MISSING, [], missing, None, (0, 0)))
    returned = f.Construct(IO_RESULT, ["x~p"])
    rules.append(f.Rule("Prelude.primReturnIO", ["x~p", "w~p"], returned, None, (0, 0)))
    rules.append(f.Rule("Prelude.primSeq", ["x~p", "y~p"], f.Case("x~p", [], f.Variable("y~p")), None, (0, 0)))
    for name, passed in (("Prelude.primBindIO", ["y~p"]), ("Prelude.primThenIO", [])):
        after = f.Apply("k~p", [*passed, "w~p"])
        case = f.Case("r~p", [f.Alternative(IO_RESULT, ["y~p"], after)], None)
        body = f.Let([("r~p", f.Apply("m~p", ["w~p"]))], case)
        rules.append(f.Rule(name, ["m~p", "k~p", "w~p"], body, None, (0, 0)))
    return rules
