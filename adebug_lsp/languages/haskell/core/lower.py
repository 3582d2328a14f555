"""Lowers expressions, patterns and local declarations from the syntax tree to the core language."""

from collections.abc import Iterable, Sequence

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.dependency import components
from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program, resolve
from adebug_lsp.languages.haskell.core.fixity import DEFAULT, Lookup
from adebug_lsp.languages.haskell.core.fixity import bind as bind_operators
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError

Scope = dict[str, str]
"""Local names as written, with their unique names."""
LIBRARY = "Prelude."


class Lowering:
    """Lowers the declarations of one module."""

    def __init__(self, module: ModuleInfo, program: Program) -> None:
        self.module, self.program = module, program
        self.used: set[str] = set()
        self._local_fixities: dict[str, tuple[str, int]] = {}
        self._count = 0
        self.top = False
        """Whether patterns bind variables of the module."""

    def unique(self, name: str) -> str:
        """A local name that no other binding in the module has."""
        self._count += 1
        return f"{name}~{self._count}"

    # Names

    def variable(self, name: str, span: t.Span, scope: Scope) -> c.Expr:
        if name in scope:
            self.used.add(scope[name])
            return c.Var(span, scope[name])
        entity = resolve(self.module.values, name, span, "variable")
        self.used.add(entity)
        return c.Global(span, entity)

    def constructor(self, name: str, span: t.Span) -> c.ConstructorInfo:
        return self.program.constructors[resolve(self.module.values, name, span, "data constructor")]

    def library(self, name: str, span: t.Span) -> c.Global:
        self.used.add(LIBRARY + name)
        return c.Global(span, LIBRARY + name)

    def _fixity(self, scope: Scope) -> Lookup:
        """Returns a function that finds the fixity of an operator as this scope sees it."""

        def lookup(operator: t.Expression) -> tuple[str, int]:
            name = operator.name if isinstance(operator, t.Var | t.Con) else ""
            if name in scope:
                return self._local_fixities.get(name, DEFAULT)
            entity = resolve(self.module.values, name, operator.span, "operator")
            return self.program.fixities.get(entity, DEFAULT)

        return lookup

    def bound(self, infix: t.Infix, scope: Scope) -> t.Expression:
        return bind_operators(infix, self._fixity(scope))

    # Expressions

    def expression(self, e: t.Expression, scope: Scope) -> c.Expr:
        """Lower an expression."""
        match e:
            case t.Var(name=name):
                return self.variable(name, e.span, scope)
            case t.Con(name=name):
                return c.Con(e.span, self.constructor(name, e.span))
            case t.Literal(kind=kind, value=value):
                return c.Lit(e.span, kind, value)
            case t.Apply(function=function, arguments=arguments):
                return self.apply(
                    e.span, self.expression(function, scope), [self.expression(a, scope) for a in arguments]
                )
            case t.Infix():
                return self.expression(self.bound(e, scope), scope)
            case t.Negation(operand=t.Literal(kind="int" | "frac" as kind, value=value)):
                return c.Lit(e.span, kind, -value)  # type: ignore[operator]
            case t.Negation(operand=operand):
                return c.App(e.span, self.library("negate", e.span), [self.expression(operand, scope)])
            case t.Parenthesised(inner=inner):
                return self.expression(inner, scope)
            case t.If(condition=condition, then=then, otherwise=otherwise):
                return self.conditional(e.span, self.expression(condition, scope), then, otherwise, scope)
            case t.Let(declarations=declarations, body=body):
                groups, within = self.local_bindings(declarations, scope)
                return c.Let(e.span, groups, self.expression(body, within))
            case t.Lambda(parameters=parameters, body=body):
                patterns, within = self.patterns(parameters, scope)
                branch = c.Branch(body.span, [], self.expression(body, within))
                patterns, lazy = self.without_lazy(patterns)
                return c.Lam(e.span, len(patterns), [c.Clause(e.span, patterns, [branch], lazy)])
            case t.Case(scrutinee=scrutinee, alternatives=alternatives):
                clauses = [self.clause(a.span, [a.pattern], a.rhs, scope) for a in alternatives]
                if not clauses:
                    raise HaskellSyntaxError("a case needs at least one alternative", *e.span)
                return c.Match(e.span, self.expression(scrutinee, scope), clauses)
            case t.Annotation(expression=expression, type=written):
                return c.Annot(e.span, self.expression(expression, scope), written)
            case t.Do(statements=statements):
                if not statements:
                    raise HaskellSyntaxError("an empty do block", *e.span)
                return self.do(statements, scope)
            case _:
                return self._collection(e, scope)

    def apply(self, span: t.Span, function: c.Expr, arguments: list[c.Expr]) -> c.Expr:
        """An application; `f $ x` counts as one, and `f x y` as one with two arguments."""
        if isinstance(function, c.Global) and function.name == "Prelude.$" and len(arguments) >= 2:
            function, arguments = arguments[0], arguments[1:]
        if isinstance(function, c.App):
            return c.App(span, function.function, [*function.arguments, *arguments])
        return c.App(span, function, arguments)

    def _collection(self, e: t.Expression, scope: Scope) -> c.Expr:
        """Lower a tuple, a list, a range or a section."""
        match e:
            case t.Tuple(items=items):
                info = self.program.constructors[f"({',' * (len(items) - 1)})"]
                return c.App(e.span, c.Con(e.span, info), [self.expression(item, scope) for item in items])
            case t.List(items=items):
                return self.list_of([self.expression(item, scope) for item in items], e.span)
            case t.EnumRange(first=first, second=second, last=last):
                name = f"enumFrom{'Then' if second else ''}{'To' if last else ''}"
                bounds = [self.expression(b, scope) for b in (first, second, last) if b is not None]
                return c.App(e.span, self.library(name, e.span), bounds)
            case t.Comprehension(item=item, statements=statements):
                return self.comprehension(e.span, item, statements, scope)
            case t.LeftSection(operand=operand, operator=operator):
                return c.App(e.span, self.expression(operator, scope), [self.expression(operand, scope)])
            case t.RightSection(operator=operator, operand=operand):
                name = self.unique("x")
                body = c.App(
                    e.span, self.expression(operator, scope), [c.Var(e.span, name), self.expression(operand, scope)]
                )
                clause = c.Clause(e.span, [c.PVar(e.span, name)], [c.Branch(e.span, [], body)], [])
                return c.Lam(e.span, 1, [clause], generated=True)
            case t.Record(head=t.Con(name=name), fields=fields):
                return self.construction(e, self.constructor(name, e.head.span), fields, scope)
            case t.Record(head=head, fields=fields):
                return self.update(e, self.expression(head, scope), fields, scope)
        raise HaskellSyntaxError("a pattern stands where an expression is needed", *e.span)

    def list_of(self, items: Sequence[c.Expr], span: t.Span) -> c.Expr:
        result: c.Expr = c.Con((span[1] - 1, span[1]) if items else span, self.program.constructors["[]"])
        cons = self.program.constructors[":"]
        for item in reversed(items):
            result = c.App((item.span[0], span[1]), c.Con(item.span, cons), [item, result])
        if items:
            result.span = span
        return result

    def conditional(
        self, span: t.Span, condition: c.Expr, then: t.Expression, otherwise: t.Expression, scope: Scope
    ) -> c.Expr:
        return self.choice(span, condition, self.expression(then, scope), self.expression(otherwise, scope))

    def choice(self, span: t.Span, condition: c.Expr, then: c.Expr, otherwise: c.Expr) -> c.Expr:
        clauses = []
        for name, body in (("True", then), ("False", otherwise)):
            pattern = c.PCon(body.span, self.program.constructors[LIBRARY + name], [])
            clauses.append(c.Clause(body.span, [pattern], [c.Branch(body.span, [], body)], []))
        return c.Match(span, condition, clauses, "if")

    def do(self, statements: Sequence[t.Statement], scope: Scope) -> c.Expr:
        """Lower the statements of a `do` block to applications of `>>=` and `>>`."""
        first, rest = statements[0], statements[1:]
        if not rest:
            if not isinstance(first, t.Condition):
                raise HaskellSyntaxError("the last statement of a do block is an expression", *first.span)
            return self.expression(first.expression, scope)
        end = statements[-1].span[1]
        match first:
            case t.Condition(expression=expression):
                action = self.expression(expression, scope)
                following = self.do(rest, scope)
                return c.App((first.span[0], end), self.library(">>", first.span), [action, following])
            case t.LetStatement(declarations=declarations):
                groups, inner = self.local_bindings(declarations, scope)
                return c.Let((first.span[0], end), groups, self.do(rest, inner))
            case t.Generator(pattern=pattern, expression=expression):
                action = self.expression(expression, scope)
                patterns, inner = self.patterns([pattern], scope)
                body = self.do(rest, inner)
                patterns, lazy = self.without_lazy(patterns)
                clauses = [c.Clause((rest[0].span[0], end), patterns, [c.Branch(body.span, [], body)], lazy)]
                if not irrefutable(patterns[0]):
                    clauses.append(self._failing(pattern.span))
                function = c.Lam((first.span[0], end), 1, clauses, generated=True)
                return c.App((first.span[0], end), self.library(">>=", first.span), [action, function])

    def _failing(self, span: t.Span) -> c.Clause:
        message = c.Lit(span, "string", "Pattern match failure in a do block")
        body = c.App(span, self.library("fail", span), [message])
        return c.Clause(span, [c.PWild(span)], [c.Branch(span, [], body)], [])

    def comprehension(
        self, span: t.Span, item: t.Expression, statements: Sequence[t.Statement], scope: Scope
    ) -> c.Expr:
        """Lower a list comprehension."""
        if not statements:
            return self.list_of([self.expression(item, scope)], item.span)
        first, rest = statements[0], statements[1:]
        empty = c.Con(span, self.program.constructors["[]"])
        match first:
            case t.Condition(expression=expression):
                condition = self.expression(expression, scope)
                return self.choice(span, condition, self.comprehension(span, item, rest, scope), empty)
            case t.LetStatement(declarations=declarations):
                groups, inner = self.local_bindings(declarations, scope)
                return c.Let(span, groups, self.comprehension(span, item, rest, inner))
            case t.Generator(pattern=pattern, expression=expression):
                source = self.expression(expression, scope)
                patterns, inner = self.patterns([pattern], scope)
                body = self.comprehension(span, item, rest, inner)
                patterns, lazy = self.without_lazy(patterns)
                clauses = [c.Clause(span, patterns, [c.Branch(body.span, [], body)], lazy)]
                if not irrefutable(patterns[0]):
                    clauses.append(c.Clause(span, [c.PWild(span)], [c.Branch(span, [], empty)], []))
                function = c.Lam(span, 1, clauses, generated=True)
                return c.App(span, self.library("primConcatMap", span), [function, source])

    def construction(
        self, e: t.Record, info: c.ConstructorInfo, fields: Sequence[tuple[str, t.Expression]], scope: Scope
    ) -> c.Expr:
        """Lower a record construction."""
        by_label = {c.short(name): value for name, value in fields}
        for name in by_label:
            if name not in info.labels:
                raise HaskellSyntaxError(f"{info.short} has no field {name}", *e.span)
        arguments: list[c.Expr] = []
        for label in info.labels:
            if label in by_label:
                arguments.append(self.expression(by_label[label], scope))
            else:
                message = c.Lit(e.span, "string", f"Missing field in record construction {label}")
                arguments.append(c.App(e.span, self.library("error", e.span), [message]))
        return c.App(e.span, c.Con(e.head.span, info), arguments) if arguments else c.Con(e.span, info)

    def update(self, e: t.Record, head: c.Expr, fields: Sequence[tuple[str, t.Expression]], scope: Scope) -> c.Expr:
        """Lower a record update."""
        by_label = {c.short(name): self.expression(value, scope) for name, value in fields}
        first = resolve(self.module.values, fields[0][0], e.span, "field") if fields else ""
        possible = [i for i in self.program.labels.get(first, []) if by_label.keys() <= set(i.labels)]
        if not possible:
            raise HaskellSyntaxError("no constructor has these fields", *e.span)
        clauses = []
        for info in possible:
            names = [self.unique(label) for label in info.labels]
            parts: list[c.Pattern] = [c.PVar(e.span, name) for name in names]
            arguments = [
                by_label.get(label, c.Var(e.span, name)) for label, name in zip(info.labels, names, strict=True)
            ]
            body = c.App(e.span, c.Con(e.span, info), arguments)
            clauses.append(c.Clause(e.span, [c.PCon(e.span, info, parts)], [c.Branch(e.span, [], body)], []))
        return c.Match(e.span, head, clauses)

    # Patterns

    def patterns(self, written: Iterable[t.Expression], scope: Scope) -> tuple[list[c.Pattern], Scope]:
        """Patterns, and the scope with their variables."""
        bound: Scope = {}
        patterns = [self.pattern(p, bound, scope) for p in written]
        return patterns, {**scope, **bound}

    def pattern(self, p: t.Expression, bound: Scope, scope: Scope) -> c.Pattern:
        """Lower a pattern, and add its variables to `bound`."""
        match p:
            case t.Var(name=name):
                return c.PVar(p.span, self._bind(name, p.span, bound))
            case t.Wildcard():
                return c.PWild(p.span)
            case t.Literal(kind="string", value=value):
                items = [c.PLit(p.span, "char", character) for character in str(value)]
                return self._list_pattern(items, p.span)
            case t.Literal(kind=kind, value=value):
                return c.PLit(p.span, kind, value)
            case t.Negation(operand=t.Literal(kind=kind, value=value)):
                return c.PLit(p.span, kind, -value)  # type: ignore[operator]
            case t.Con(name=name):
                return self._con_pattern(p, name, p.span, [], bound, scope)
            case t.Apply(function=t.Con(name=name) as head, arguments=arguments):
                return self._con_pattern(p, name, head.span, arguments, bound, scope)
            case t.Infix():
                return self.pattern(self.bound(p, {}), bound, scope)
            case t.Parenthesised(inner=inner):
                return self.pattern(inner, bound, scope)
            case t.Tuple(items=items):
                info = self.program.constructors[f"({',' * (len(items) - 1)})"]
                return c.PCon(p.span, info, [self.pattern(item, bound, scope) for item in items])
            case t.List(items=items):
                return self._list_pattern([self.pattern(item, bound, scope) for item in items], p.span)
            case t.AsPattern(name=name, name_span=span, pattern=inner):
                return c.PAs(p.span, self._bind(name, span, bound), self.pattern(inner, bound, scope))
            case t.LazyPattern(pattern=inner):
                return c.PLazy(p.span, self.pattern(inner, bound, scope))
            case t.BangPattern(pattern=inner):
                strict = self.pattern(inner, bound, scope)
                if isinstance(strict, c.PVar):
                    strict.strict = True
                elif isinstance(strict, c.PWild):
                    strict = c.PVar(p.span, self.unique("_"), strict=True)
                return strict
            case t.Record(head=t.Con(name=name), fields=fields):
                info = self.constructor(name, p.head.span)
                by_label = {c.short(label): self.pattern(inner, bound, scope) for label, inner in fields}
                parts = [by_label.get(label, c.PWild(p.span)) for label in info.labels] or [
                    c.PWild(p.span)
                ] * info.arity
                return c.PCon(p.span, info, parts)
        raise HaskellSyntaxError("not a pattern", *p.span)

    def _bind(self, name: str, span: t.Span, bound: Scope) -> str:
        if "." in name[:-1] and name[0].isupper():
            raise HaskellSyntaxError("a qualified name cannot be bound", *span)
        if name in bound:
            raise HaskellSyntaxError(f"{name} is bound twice in the same patterns; use another name", *span)
        bound[name] = f"{self.module.name}.{name}" if self.top else self.unique(name)
        return bound[name]

    def _con_pattern(  # noqa: PLR0917 - the parts of one pattern
        self, p: t.Expression, name: str, span: t.Span, arguments: Sequence[t.Expression], bound: Scope, scope: Scope
    ) -> c.Pattern:
        """Lower a constructor pattern; checks the number of arguments."""
        info = self.constructor(name, span)
        if len(arguments) != info.arity:
            count = f"{info.arity} argument{'s' if info.arity != 1 else ''}"
            raise HaskellSyntaxError(
                f"the constructor {info.short} has {count}, but the pattern has {len(arguments)}", *p.span
            )
        return c.PCon(p.span, info, [self.pattern(a, bound, scope) for a in arguments])

    def _list_pattern(self, items: Sequence[c.Pattern], span: t.Span) -> c.Pattern:
        result: c.Pattern = c.PCon(span, self.program.constructors["[]"], [])
        for item in reversed(items):
            result = c.PCon(span, self.program.constructors[":"], [item, result])
        return result

    # Clauses and bindings

    def clause(self, span: t.Span, written: Sequence[t.Expression], rhs: t.Rhs, scope: Scope) -> c.Clause:
        patterns, inner = self.patterns(written, scope)
        groups, inner = self.local_bindings(rhs.declarations, inner)
        branches = [self.branch(branch, inner) for branch in rhs.branches]
        patterns, lazy = self.without_lazy(patterns)
        return c.Clause(span, patterns, branches, [*lazy, *groups])

    def without_lazy(self, patterns: list[c.Pattern]) -> tuple[list[c.Pattern], list[list[c.Bind]]]:
        """Patterns with a variable for each lazy pattern, and bindings that match it when a part is needed."""
        groups: list[list[c.Bind]] = []

        def visit(p: c.Pattern) -> c.Pattern:
            match p:
                case c.PLazy(pattern=c.PVar() | c.PWild() as inner):
                    return inner
                case c.PLazy(pattern=inner):
                    whole = self.unique("pattern")
                    groups.extend([bind] for bind in self._parts(p.span, visit(inner), c.Var(p.span, whole)))
                    return c.PVar(p.span, whole)
                case c.PCon(info=info, parts=parts):
                    return c.PCon(p.span, info, [visit(part) for part in parts])
                case c.PAs(name=name, pattern=inner):
                    return c.PAs(p.span, name, visit(inner))
            return p

        return [visit(p) for p in patterns], groups

    def _parts(self, span: t.Span, pattern: c.Pattern, whole: c.Var | c.Global) -> list[c.Bind]:
        """A binding of each variable of a pattern."""
        binds = []
        for variable in variables(pattern):
            inner = self.unique(c.short(variable.name))
            selected = renamed(pattern, variable.name, inner)
            branch = c.Branch(variable.span, [], c.Var(variable.span, inner))
            scrutinee = type(whole)(variable.span, whole.name)
            match = c.Match(span, scrutinee, [c.Clause(span, [selected], [branch], [])])
            binds.append(c.Bind(span, variable.name, match, head=variable.span, generated=True))
        return binds

    def branch(self, branch: t.Guarded, scope: Scope) -> c.Branch:
        """Lower a right-hand side with its guards, whose bindings are in scope after them."""
        guards: list[c.Guard] = []
        for guard in branch.guards:
            match guard:
                case t.Condition(expression=expression):
                    guards.append(c.BoolGuard(guard.span, self.expression(expression, scope)))
                case t.Generator(pattern=pattern, expression=expression):
                    value = self.expression(expression, scope)
                    patterns, scope = self.patterns([pattern], scope)
                    patterns, lazy = self.without_lazy(patterns)
                    guards.append(c.PatternGuard(guard.span, patterns[0], value))
                    if lazy:
                        guards.append(c.LetGuard(guard.span, lazy))
                case t.LetStatement(declarations=declarations):
                    groups, scope = self.local_bindings(declarations, scope)
                    guards.append(c.LetGuard(guard.span, groups))
        return c.Branch(branch.span, guards, self.expression(branch.body, scope))

    def local_bindings(self, declarations: Sequence[t.Declaration], scope: Scope) -> tuple[list[list[c.Bind]], Scope]:
        """Binding groups in dependency order, and the scope with their names."""
        if not declarations:
            return [], scope
        for declaration in declarations:
            if isinstance(declaration, t.Fixity):
                fixity = (declaration.associativity, declaration.precedence)
                self._local_fixities |= dict.fromkeys(declaration.operators, fixity)
        bound: Scope = {}
        heads = self.heads(declarations, scope, bound)
        return self.bindings(heads, declarations, {**scope, **bound}, bound), {**scope, **bound}

    def heads(
        self, declarations: Sequence[t.Declaration], scope: Scope, bound: Scope, is_top: bool = False
    ) -> "list[tuple[t.Equation, str | None, list[t.Expression], c.Pattern | None]]":
        """For each equation, the name and the parameters that it defines, or its pattern; fills in `bound`."""
        heads: list[tuple[t.Equation, str | None, list[t.Expression], c.Pattern | None]] = []
        for declaration in declarations:
            if isinstance(declaration, t.Equation):
                name, parameters = self._defined(declaration.left, scope)
                if name is None:
                    names: Scope = {}
                    pattern = self.pattern(declaration.left, names, scope)
                    while isinstance(pattern, c.PLazy):
                        pattern = pattern.pattern  # a binding is lazy anyway
                    heads.append((declaration, None, [], pattern))
                    bound |= names
                else:
                    if not is_top and name not in bound:
                        bound[name] = self.unique(name)
                    heads.append((declaration, name, parameters, None))
            elif not isinstance(declaration, t.Signature | t.Fixity) and not is_top:
                raise HaskellSyntaxError("this declaration belongs to the top level of a module", *declaration.span)
        return heads

    def _defined(self, left: t.Expression, scope: Scope) -> tuple[str | None, list[t.Expression]]:
        """The name that the left side of an equation defines, with its parameters; no name for a pattern."""
        match left:
            case t.Var(name=name):
                return name, []
            case t.Apply(function=t.Var(name=name), arguments=arguments):
                return name, arguments
            case t.Apply(function=t.Parenthesised(inner=inner), arguments=arguments):
                head, parameters = self._defined(inner, scope)
                if head is not None and parameters:
                    return head, [*parameters, *arguments]
            case t.Infix(items=[left_operand, t.Var(name=name), right_operand]):
                return name, [left_operand, right_operand]
            case t.Infix() if any(isinstance(item, t.Var) for item in left.items[1::2]):
                operators = [item for item in left.items[1::2] if isinstance(item, t.Var)]
                at = left.items.index(operators[0])
                sides = (left.items[:at], left.items[at + 1 :])
                operands = [s[0] if len(s) == 1 else t.Infix((s[0].span[0], s[-1].span[1]), s) for s in sides]
                return operators[0].name, operands
        return None, []

    def bindings(
        self,
        heads: "list[tuple[t.Equation, str | None, list[t.Expression], c.Pattern | None]]",
        declarations: Sequence[t.Declaration],
        scope: Scope,
        names: Scope,
    ) -> list[list[c.Bind]]:
        """The bindings of equations with known names, as groups in dependency order."""
        signatures = self.signatures(declarations, names)
        binds: dict[str, c.Bind] = {}
        uses: dict[str, set[str]] = {}
        around, position = self.used, 0
        while position < len(heads):
            equation, name, _, pattern = heads[position]
            last = position + 1
            while name is not None and last < len(heads) and heads[last][1] == name:
                last += 1
            self.used = set()
            if name is None:
                assert pattern is not None
                made = self.pattern_bindings(equation, pattern, scope, signatures)
            else:
                made = [self.function(names[name], [h[:3] for h in heads[position:last]], scope)]
                made[0].signature = signatures.get(names[name])
                if names[name] in binds:
                    raise HaskellSyntaxError(f"{name} is defined twice; put its equations together", *equation.span)
            for bind in made:
                binds[bind.name] = bind
                uses[bind.name] = self.used | {m.name for m in made if m is not bind and len(made) > 1}
            around |= self.used
            position = last
        self.used = around
        edges = {n: [u for u in sorted(uses[n]) if u in binds and binds[u].signature is None] for n in binds}
        return [[binds[n] for n in component] for component in components(edges)]

    def signatures(self, declarations: Sequence[t.Declaration], names: Scope) -> dict[str, t.Qualified]:
        """The signatures among declarations, by unique name."""
        signatures: dict[str, t.Qualified] = {}
        for declaration in declarations:
            if isinstance(declaration, t.Signature):
                for name, span in declaration.names:
                    if name not in names:
                        raise HaskellSyntaxError(f"the signature of {name} lacks a definition", *span)
                    signatures[names[name]] = declaration.type
        return signatures

    def function(
        self, name: str, equations: "Sequence[tuple[t.Equation, str | None, list[t.Expression]]]", scope: Scope
    ) -> c.Bind:
        """A binding of one name by its equations."""
        first, last = equations[0][0], equations[-1][0]
        span = (first.span[0], last.span[1])
        arity = len(equations[0][2])
        head = (first.left.span[0], first.left.span[0] + len(c.short(name)))
        for equation, _, parameters in equations:
            if len(parameters) != arity:
                raise HaskellSyntaxError(
                    f"the equations of {c.short(name)} have different numbers of arguments", *equation.left.span
                )
        clauses = [self.clause(e.span, parameters, e.rhs, scope) for e, _, parameters in equations]
        if arity:
            return c.Bind(span, name, c.Lam(span, arity, clauses), head=head)
        if len(clauses) > 1:
            raise HaskellSyntaxError(f"{c.short(name)} is defined twice", *equations[1][0].span)
        return c.Bind(span, name, self.body(clauses[0]), head=head)

    def body(self, clause: c.Clause) -> c.Expr:
        """A right-hand side without parameters as an expression."""
        branches = clause.branches
        if len(branches) == 1 and not branches[0].guards:
            body = branches[0].body
            return c.Let(clause.span, clause.groups, body) if clause.groups else body
        unit = c.Con(clause.span, self.program.constructors["()"])
        clause.patterns = [c.PWild(clause.span)]
        return c.Match(clause.span, unit, [clause], "guards")

    def pattern_bindings(
        self, equation: t.Equation, pattern: c.Pattern, scope: Scope, signatures: dict[str, t.Qualified]
    ) -> list[c.Bind]:
        """`(a, b) = e` becomes one binding of the whole and one of each variable."""
        is_top = not scope and all("~" not in v.name for v in variables(pattern))
        whole = f"{self.module.name}.{self.unique('pattern')}" if is_top else self.unique("pattern")
        refer = c.Global if is_top else c.Var
        clause = self.clause(equation.span, [], equation.rhs, scope)
        binds = [c.Bind(equation.span, whole, self.body(clause), head=equation.left.span, generated=True)]
        for bind in self._parts(equation.span, pattern, refer(equation.span, whole)):
            bind.signature = signatures.get(bind.name)
            binds.append(bind)
        return binds


def irrefutable(pattern: c.Pattern) -> bool:
    """Whether a pattern matches every value."""
    match pattern:
        case c.PVar() | c.PWild() | c.PLazy():
            return True
        case c.PAs(pattern=inner):
            return irrefutable(inner)
        case c.PCon(info=info, parts=parts):
            return len(info.siblings) == 1 and all(irrefutable(part) for part in parts)
    return False


def variables(pattern: c.Pattern) -> list[c.PVar]:
    """The variables that a pattern binds."""
    match pattern:
        case c.PVar():
            return [pattern]
        case c.PAs(name=name, pattern=inner):
            return [c.PVar(pattern.span, name), *variables(inner)]
        case c.PLazy(pattern=inner):
            return variables(inner)
        case c.PCon(parts=parts):
            return [variable for part in parts for variable in variables(part)]
    return []


def renamed(pattern: c.Pattern, name: str, new: str) -> c.Pattern:
    """A copy of a pattern that binds only one of its variables, under a new name."""
    match pattern:
        case c.PVar(name=own):
            return c.PVar(pattern.span, new) if own == name else c.PWild(pattern.span)
        case c.PAs(name=own, pattern=inner):
            copy = renamed(inner, name, new)
            return c.PAs(pattern.span, new, copy) if own == name else copy
        case c.PLazy(pattern=inner):
            return c.PLazy(pattern.span, renamed(inner, name, new))
        case c.PCon(info=info, parts=parts):
            return c.PCon(pattern.span, info, [renamed(part, name, new) for part in parts])
        case c.PLit(kind=kind, value=value):
            return c.PLit(pattern.span, kind, value)
    return pattern
