"""Hindley-Milner inference by levels; class constraints become `Wanted` dictionaries, solved once types are known."""

from __future__ import annotations

from typing import Any, Protocol

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError, Problem
from adebug_lsp.languages.haskell.syntax.tree import Span
from adebug_lsp.languages.haskell.types.convert import convert_scheme
from adebug_lsp.languages.haskell.types.solve import Given, Solver
from adebug_lsp.languages.haskell.types.types import (
    BOOL,
    CHAR,
    STRING,
    Scheme,
    TCon,
    TVar,
    Type,
    UnifyError,
    function,
    quantify,
    replace,
    result_of,
    show,
    spine,
    unify,
    variables,
)

Context = dict[str, "Scheme | Type"]


class Inference:
    """Infers the types of one module."""

    def __init__(self, module: ModuleInfo, program: Program) -> None:
        self.module, self.program = module, program
        self.level = 0
        self.solver = Solver(program)
        self.wanted: list[c.Wanted] = []
        self.locals: Context = module.local_types
        self.problems: list[Problem] = []
        self._recursive: dict[str, list[c.Var | c.Global]] = {}
        self._mono: dict[str, Type] = {}

    def fresh(self) -> TVar:
        return TVar(self.level)

    def unify(self, actual: Type, expected: Type, span: Span, what: str = "") -> None:
        try:
            unify(actual, expected)
        except UnifyError:
            names: dict[TVar, str] = {}
            texts = show(expected, 0, names), show(actual, 0, names)
            raise HaskellSyntaxError(f"type error{what}: expected {texts[0]}, found {texts[1]}", *span) from None

    def instantiate(self, scheme: Scheme, node: _Overloaded) -> Type:
        arguments: list[Type] = [self.fresh() for _ in range(scheme.count)]
        for name, kind in scheme.context:
            self.want(name, replace(kind, arguments), node)
        return replace(scheme.type, arguments)

    def want(self, class_name: str, kind: Type, node: _Overloaded) -> None:
        wanted = c.Wanted(class_name, kind, node.span)
        node.dicts.append(wanted)
        self.wanted.append(wanted)

    # Expressions

    def infer(self, e: c.Expr) -> Type:
        """The type of an expression, which the node keeps."""
        kind = e.type = self._inferred(e)
        return kind

    def _inferred(self, e: c.Expr) -> Type:
        """Infer by the kind of expression."""
        match e:
            case c.Var():
                return self._variable(e, self.locals.get(e.name))
            case c.Global():
                return self._variable(e, self.program.schemes.get(e.name))
            case c.Con(info=info):
                return replace(info.scheme.type, [self.fresh() for _ in range(info.scheme.count)])
            case c.Lit():
                return self._literal(e)
            case c.App():
                return self._application(e)
            case c.Lam():
                return self._function(e)
            case c.Match(scrutinee=scrutinee, clauses=clauses):
                argument, result = self.infer(scrutinee), self.fresh()
                if e.keyword == "if":
                    self.unify(argument, BOOL, scrutinee.span, " in the condition")
                for clause in clauses:
                    self.clause(clause, [argument], result)
                return result
            case c.Let(groups=groups, body=body):
                self.groups(groups)
                return self.infer(body)
            case c.Annot():
                return self._annotated(e)

    def check(self, e: c.Expr, expected: Type) -> None:
        """Infer, with errors placed at the smallest expression that does not fit."""
        e.type = expected
        if isinstance(e, c.Match):
            argument = self.infer(e.scrutinee)
            if e.keyword == "if":
                self.unify(argument, BOOL, e.scrutinee.span, " in the condition")
            for clause in e.clauses:
                self.clause(clause, [argument], expected)
        elif isinstance(e, c.Let):
            self.groups(e.groups)
            self.check(e.body, expected)
        elif isinstance(e, c.Lam) and result_of(expected, e.arity) is not None:
            self._check_function(e, expected)
        else:
            self.unify(self.infer(e), expected, e.span)

    def _variable(self, e: c.Var | c.Global, scheme: Scheme | Type | None) -> Type:
        """The type of a variable: of a scheme, an instance with fresh variables."""
        if e.name in self._mono:
            self._recursive[e.name].append(e)
            return self._mono[e.name]
        if scheme is None:
            raise HaskellSyntaxError(f"{c.short(e.name)} has no type yet: its module has an error", *e.span)
        if isinstance(scheme, Scheme):
            return self.instantiate(scheme, e)
        return scheme

    def _literal(self, e: c.Lit) -> Type:
        if e.kind == "char":
            return CHAR
        if e.kind == "string":
            return STRING
        kind = self.fresh()
        self.want("Prelude.Num" if e.kind == "int" else "Prelude.Fractional", kind, e)
        e.type = kind
        return kind

    def _application(self, e: c.App) -> Type:
        """The type of an application, argument by argument."""
        kind = self.infer(e.function)
        for number, argument in enumerate(e.arguments):
            head, parts = spine(kind)
            if isinstance(head, TCon) and head.name == "->" and len(parts) == 2:
                self.check(argument, parts[0])
                kind = parts[1]
            elif isinstance(head, TVar):
                result = self.fresh()
                self.unify(kind, function(self.infer(argument), result), e.function.span)
                kind = result
            else:
                count = f"{number} argument{'s' if number != 1 else ''}"
                name = "this" if not isinstance(e.function, c.Var | c.Global | c.Con) else _name(e.function)
                raise HaskellSyntaxError(
                    f"type error: {name} takes {count}, but is applied to {len(e.arguments)} "
                    f"(after {count} it has type {show(kind)})",
                    *argument.span,
                )
        return kind

    def _function(self, e: c.Lam) -> Type:
        parameters: list[Type] = [self.fresh() for _ in range(e.arity)]
        result: Type = self.fresh()
        for clause in e.clauses:
            self.clause(clause, parameters, result)
        for parameter in reversed(parameters):
            result = function(parameter, result)
        return result

    def _check_function(self, e: c.Lam, expected: Type) -> None:
        e.type, parameters, result = expected, list[Type](), expected
        for _ in range(e.arity):
            _, (parameter, result) = spine(result)
            parameters.append(parameter)
        for clause in e.clauses:
            self.clause(clause, parameters, result)

    def _annotated(self, e: c.Annot) -> Type:
        scheme = convert_scheme(e.annotation, self.module, self.program)
        bind = c.Bind(e.span, "annotation~", e.expression)
        self.signed(bind, scheme)
        e.expression = bind.expression
        e.annotation = (bind, scheme)
        return self.instantiate(scheme, _Holder(e, bind))

    def clause(self, clause: c.Clause, parameters: list[Type], result: Type) -> None:
        """Check a clause against the types of parameters and result."""
        for pattern, kind in zip(clause.patterns, parameters, strict=True):
            self.pattern(pattern, kind)
        self.groups(clause.groups)
        for branch in clause.branches:
            for guard in branch.guards:
                match guard:
                    case c.BoolGuard(condition=condition):
                        self.unify(self.infer(condition), BOOL, condition.span, " in the guard")
                    case c.PatternGuard(pattern=pattern, expression=expression):
                        self.pattern(pattern, self.infer(expression))
                    case c.LetGuard(groups=groups):
                        self.groups(groups)
            self.check(branch.body, result)

    def pattern(self, p: c.Pattern, kind: Type) -> None:
        """Check a pattern against a type; its variables become known."""
        match p:
            case c.PVar(name=name):
                self.locals[name] = kind
            case c.PAs(name=name, pattern=inner):
                self.locals[name] = kind
                self.pattern(inner, kind)
            case c.PLazy(pattern=inner):
                self.pattern(inner, kind)
            case c.PCon(info=info, parts=parts):
                own = replace(info.scheme.type, [self.fresh() for _ in range(info.scheme.count)])
                fields: list[Type] = []
                for _ in parts:
                    _, (argument, own) = spine(own)
                    fields.append(argument)
                self.unify(own, kind, p.span, " in the pattern")
                for part, field in zip(parts, fields, strict=True):
                    self.pattern(part, field)
            case c.PLit(kind="char"):
                self.unify(CHAR, kind, p.span, " in the pattern")
            case c.PLit(kind=literal):
                self.want("Prelude.Eq", kind, p)
                self.want("Prelude.Num" if literal == "int" else "Prelude.Fractional", kind, p)

    # Bindings

    def groups(self, groups: list[list[c.Bind]]) -> None:
        for group in groups:
            for bind in group:
                if bind.signature is not None:
                    self._declare(bind, convert_scheme(bind.signature, self.module, self.program))
        for group in groups:
            self.group(group)

    def _declare(self, bind: c.Bind, scheme: Scheme) -> None:
        bind.scheme = scheme
        table: Any = self.program.schemes if bind.name in self.program.binds else self.locals
        table[bind.name] = scheme

    def group(self, group: list[c.Bind]) -> None:
        implicit = [bind for bind in group if bind.signature is None]
        if implicit:
            self._implicit(implicit)
        for bind in group:
            if bind.signature is not None:
                self.signed(bind, bind.scheme)

    def _implicit(self, binds: list[c.Bind]) -> None:
        """Infer a group of bindings without signatures, and generalise them."""
        around, self.wanted = self.wanted, []
        self.level += 1
        kinds = {bind.name: self.fresh() for bind in binds}
        for bind in binds:
            self._mono[bind.name] = kinds[bind.name]
            self._recursive[bind.name] = []
        for bind in binds:
            self.check(bind.expression, kinds[bind.name])
        recursive = [(self._mono.pop(bind.name), self._recursive.pop(bind.name))[1] for bind in binds]
        self.level -= 1
        stuck = self.solver.simplify(self.wanted)
        restricted = not all(bind.is_function for bind in binds)
        if restricted:
            for wanted in stuck:
                for variable in variables(wanted.type):
                    variable.level = min(variable.level, self.level)
        free = list(dict.fromkeys(v for bind in binds for v in variables(kinds[bind.name]) if v.level > self.level))
        kept = [w for w in stuck if all(v.level <= self.level for v in variables(w.type))]
        mine = [w for w in stuck if w not in kept]
        ambiguous = [w for w in mine if not any(v in free for v in variables(w.type))]
        self.solver.default(ambiguous)
        mine = [w for w in mine if w not in ambiguous]
        self.wanted = around + kept
        context = self.solver.abstract(mine)
        numbers: dict[Any, int] = {v: i for i, v in enumerate(free)}
        names = [name for _, _, name in context]
        preds = tuple((cls, quantify(kind, numbers)) for cls, kind, _ in context)
        for bind, uses in zip(binds, recursive, strict=True):
            bind.dict_params = names
            self._declare(bind, Scheme(len(free), preds, quantify(kinds[bind.name], numbers)))
            for use in uses:
                use.dicts = [c.Wanted(cls, kind, use.span, ("param", name)) for cls, kind, name in context]

    def signed(self, bind: c.Bind, scheme: Scheme, extra: tuple[Given, ...] = ()) -> None:
        """Check a binding against its signature."""
        around, self.wanted = self.wanted, []
        self.level += 1
        rigid: list[Type] = [TCon(f"{_letter(i)}~{id(bind)}", True, self.level) for i in range(scheme.count)]
        givens = [Given(cls, replace(kind, rigid), f"d~{id(bind)}~{i}") for i, (cls, kind) in enumerate(scheme.context)]
        bind.dict_params = [assumption.name for assumption in givens]
        self.solver.push([*extra, *givens])
        self.check(bind.expression, replace(scheme.type, rigid))
        self.level -= 1
        stuck = self.solver.simplify(self.wanted)
        kept = [w for w in stuck if all(v.level <= self.level for v in variables(w.type))]
        self.solver.default([w for w in stuck if w not in kept])
        self.solver.pop()
        self.wanted = around + kept

    def finish(self) -> None:
        """Solve the remaining constraints at the top level by defaulting."""
        self.solver.default(self.solver.simplify(self.wanted))
        self.wanted = []


class _Overloaded(Protocol):
    """Code with dictionary parameters."""

    span: Span
    dicts: list[c.Wanted]


class _Holder:
    """Collects the dictionaries that an annotated expression is applied to."""

    def __init__(self, e: c.Annot, bind: c.Bind) -> None:
        self.span = e.span
        self.dicts: list[c.Wanted] = []
        bind.givens = self.dicts  # type: ignore[assignment]


def _name(e: c.Var | c.Global | c.Con) -> str:
    return e.info.short if isinstance(e, c.Con) else c.short(e.name)


def _letter(number: int) -> str:
    return chr(97 + number % 26)
