"""Generates the Python code of one unit.

An expression is compiled in one of three ways: *lazy* makes its node, *strict* evaluates it to a value, *finish* makes
it the result of the unit or of a match. An action in `IO` has the same three ways, with the world.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.engine.compiler import ACTIONS, IO_RESULT, SPECIAL, Compiler
from adebug_lsp.languages.haskell.engine.primitives import DIVISIONS, PRIMITIVES, Primitive
from adebug_lsp.languages.haskell.engine.units import MOST_SITES, SITE_BITS, Unit, World
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError

Finish = Callable[[c.Expr], None]
_BINDS = {"Prelude.>>=", "Prelude.>>", "Prelude.return", "Prelude.pure", "Prelude.*>"}


class UnitCode:
    """Compiles one unit."""

    def __init__(self, compiler: Compiler, unit: Unit) -> None:
        self.compiler, self.unit, self.program = compiler, unit, compiler.program
        self.done: list[list[str]] = []
        self.lines: list[str] = []
        self.indent = 1
        self.names: dict[str, str] = {}
        self.functions: dict[str, Unit] = {}
        self.forced: set[str] = set()
        self._count = 0
        self._known: set[int] = set()
        if unit.outer is not None:
            self.functions = unit.functions
        unit.sites.append(None)

    # The text of functions

    def compile(self) -> list[str]:
        """The lines of the unit's Python function, after those of its delayed expressions."""
        unit = self.unit
        parameters = [f"p{i}" for i in range(unit.parameters)]
        for position, name in enumerate([*unit.captured, *unit.dicts]):
            self.names[name] = parameters[position]
            unit.binders[name] = ("param", position)
        self.emit(f"_, n, {', '.join([*parameters, ''])} = t" if parameters else "_, n = t")
        self.emit("r = len(R)")
        self.emit("RA(n)")
        self.emit(f"UA({unit.number})")
        self.emit(f"b = r << {SITE_BITS}")
        finish = self.finish_io if unit.is_io else self.finish
        e = unit.expression
        if isinstance(e, c.Lam):
            first = len(unit.captured) + len(unit.dicts)
            own = parameters[first : first + unit.arity]
            self.clauses(e.clauses, own, [("param", first + i) for i in range(unit.arity)], finish, "n")
        else:
            finish(e)
        self.compiler.finish_unit(unit)
        self.done.append([f"def f{unit.number}(t):", *self.lines])
        return [line for function in self.done for line in function]

    def emit(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def fresh(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def site(self, e: c.Expr | World, count: int = 1) -> int:
        """The site of an expression; a new one the first time.

        A function of the library is compiled for every program, and gets the same sites each time.
        """
        if id(e) not in self._known:
            self._known.add(id(e))
            e.site = len(self.unit.sites)
            self.unit.sites += [e] * max(count, 1)
            if len(self.unit.sites) >= MOST_SITES:
                raise HaskellSyntaxError("this definition is too large; split it", *self.unit.span)
        return int(e.site)

    def node(self, e: c.Expr | World, count: int = 1) -> str:
        return f"b + {self.site(e, count)}"

    # Dictionaries

    def dict(self, solution: tuple[Any, ...]) -> str:
        """The Python expression of a dictionary, from the solution of its constraint."""
        match solution:
            case ("param", name):
                return self.names[name]
            case ("super", inner, cls, above):
                index = self.program.classes[cls].supers.index(above)
                return f"{self.dict(inner)}[{index}]"
            case ("inst", instance, parts):
                self.compiler.dictionary(instance)
                if not parts:
                    return f"D{instance.number}"
                return f"MAKE({instance.number}, {', '.join(self.dict(part.solution) for part in parts)})"
        raise AssertionError(solution)

    def head(self, e: c.Expr) -> tuple[Unit | str | None, list[str], str]:
        """The head of an application and its first arguments: a unit, the name of a primitive, or otherwise a value."""
        if isinstance(e, c.Var):
            unit = self.functions.get(e.name)
            if unit is None:
                return None, [], self.names[e.name]
            return unit, [*(self.names[n] for n in unit.captured), *(self.dict(w.solution) for w in e.dicts)], ""
        if isinstance(e, c.Global):
            return self._global_head(e)
        return None, [], ""

    def _global_head(self, e: c.Global) -> tuple[Unit | str | None, list[str], str]:
        """The head of an application of a global; a method with a known instance is that instance's function."""
        name, dicts = e.name, [w.solution for w in e.dicts]
        if name in self.program.methods:
            solution, rest = dicts[0], [self.dict(d) for d in dicts[1:]]
            if solution[0] != "inst":
                return None, rest, f"{self.dict(solution)}[{self._method_index(name)}]"
            instance = solution[1]
            own = instance.methods.get(name)
            if own is not None:
                name = self.compiler.alias(own)
                instance_dicts = [self.dict(part.solution) for part in solution[2]] if name == own else []
            else:
                default = self.compiler.default_unit(name)
                if default is None:
                    return None, rest, f"{self.dict(solution)}[{self._method_index(name)}]"
                return default, [self.dict(solution), *rest], ""
        else:
            name = self.compiler.alias(name)
            instance_dicts, rest = [self.dict(d) for d in dicts], []
        if name in PRIMITIVES or name in ACTIONS or name in SPECIAL:
            return name, [], ""
        return self.compiler.unit(name), [*instance_dicts, *rest], ""

    def _method_index(self, method: str) -> int:
        info = self.program.classes[self.program.methods[method]]
        return len(info.supers) + info.methods.index(method)

    # Lazy

    def lazy(self, e: c.Expr | World) -> str:
        """The Python expression of an unevaluated node for an expression."""
        match e:
            case World():
                return "None"
            case c.Var() | c.Global():
                return self._reference(e)
            case c.Lit():
                return self._literal(e)
            case c.Con(info=info):
                return self.compiler.constructor_value(info)
            case c.App():
                return self._lazy_application(e)
            case c.Lam():
                return self._closure(e)
            case c.Annot(expression=expression, annotation=(bind, _)):
                self._annotate(bind)
                return self.lazy(expression)
        return self._delayed(e)

    def _annotate(self, bind: c.Bind) -> None:
        for name, wanted in zip(bind.dict_params, bind.givens, strict=False):
            self.names[name] = self.dict(wanted.solution)  # type: ignore[attr-defined]

    def _reference(self, e: c.Var | c.Global) -> str:
        """The Python expression of a variable or global as an unevaluated node or a value."""
        unit, passed, value = self.head(e)
        if unit is None:
            if passed:
                return f"[APPLY, {self.node(e)}, {value}, {', '.join(passed)}]"
            return value
        if isinstance(unit, str):
            return self.compiler.global_value(unit)
        if not passed:
            return self.compiler.global_value(unit.name) if unit.outer is None else f"F{unit.number}"
        missing = unit.parameters - len(passed)
        if missing:
            return f"({missing}, f{unit.number}, ({', '.join([*passed, ''])}))"
        return f"[f{unit.number}, {self.node(e)}, {', '.join(passed)}]"

    def _literal(self, e: c.Lit) -> str:
        """The Python expression of a literal; an overloaded one applies `fromInteger` or `fromRational`."""
        if e.kind == "string":
            self.compiler.constants.append(("string", e.value))
            return f"K[{len(self.compiler.constants) - 1}]"
        if e.kind == "char":
            return self.compiler.constant(e.value)
        solution = e.dicts[0].solution
        known = solution[1].type_name if solution[0] == "inst" else ""
        if known in ("Prelude.Int", "Prelude.Integer") and e.kind == "int":
            return self.compiler.constant(e.value)
        if known == "Prelude.Double":
            return self.compiler.constant(float(e.value))
        method = "Prelude.fromInteger" if e.kind == "int" else "Prelude.primFromDouble"
        function = c.Global(e.span, method, e.dicts)
        value = c.Lit(e.span, "raw", float(e.value) if e.kind == "frac" else e.value)
        unit, passed, text = self.head(function)
        self.site(e)
        constant = self.compiler.constant(value.value)
        if isinstance(unit, Unit):
            return f"[f{unit.number}, {self.node(e)}, {', '.join([*passed, constant])}]"
        function_value = text if unit is None else self.compiler.global_value(unit)
        return f"[APPLY, {self.node(e)}, {function_value}, {constant}]"

    def _lazy_application(self, e: c.App) -> str:
        """The Python expression of an application as an unevaluated node, or as a partial application."""
        function, arguments = e.function, e.arguments
        if isinstance(function, c.Con):
            return self._construction(e, function.info, strict=False)
        unit, passed, value = self.head(function)
        if isinstance(unit, Unit):
            missing = unit.parameters - len(passed) - len(arguments)
            if missing == 0:
                inside = ", ".join([*passed, *(self.lazy(a) for a in arguments)])
                return f"[f{unit.number}, {self.node(e)}, {inside}]"
            if missing > 0:
                inside = ", ".join([*passed, *(self.lazy(a) for a in arguments), ""])
                self.site(e)
                return f"({missing}, f{unit.number}, ({inside}))"
        elif isinstance(unit, str):
            name = unit.removeprefix("Prelude.")
            arity = _primitive_arity(unit)
            if arity == len(arguments):
                return f"[P_{name}, {self.node(e)}, {', '.join(self.lazy(a) for a in arguments)}]"
            if arity > len(arguments):
                self.site(e)
                return f"({arity - len(arguments)}, P_{name}, ({', '.join([*(self.lazy(a) for a in arguments), ''])}))"
        f = self._function_value(function, unit, value)
        inside = ", ".join([f, *(passed if unit is None else []), *(self.lazy(a) for a in arguments)])
        return f"[APPLY, {self.node(e, len(arguments))}, {inside}]"

    def _function_value(self, function: c.Expr, unit: Unit | str | None, value: str) -> str:
        if unit is None and value:
            return value
        return self.lazy(function)

    def _construction(self, e: c.App, info: c.ConstructorInfo, strict: bool) -> str:
        """The Python expression of an applied constructor; `strict` fields are evaluated."""
        arguments = e.arguments
        if info.is_newtype:
            if len(arguments) == 1:
                return self.lazy(arguments[0])
            if e.run is None:
                e.run = c.App(e.span, arguments[0], arguments[1:])
            return self.lazy(e.run)
        self.site(e)
        if len(arguments) == info.arity and not any(info.strict):
            return f"({', '.join([str(info.tag), *(self.lazy(a) for a in arguments)])})"
        if len(arguments) == info.arity and strict:
            parts = [self.strict(a) if flag else self.lazy(a) for a, flag in zip(arguments, info.strict, strict=True)]
            return f"({', '.join([str(info.tag), *parts])})"
        inside = ", ".join(self.lazy(a) for a in arguments)
        return f"[APPLY, {self.node(e)}, {self.compiler.constructor_value(info)}, {inside}]"

    def _closure(self, e: c.Lam) -> str:
        captured = self.compiler.free.expanded(e)
        self.site(e)
        unit = self.compiler.lambda_unit(e, captured, self.unit)
        unit.functions = dict(self.functions)
        self.unit.lambdas[e.site] = unit
        inside = ", ".join([*(self.names[n] for n in captured), ""]) if captured else ""
        return f"({unit.parameters - len(captured)}, f{unit.number}, ({inside}))"

    def _delayed(self, e: c.Expr) -> str:
        """A node whose code evaluates an expression of this unit."""
        site = self.site(e)
        free = self.compiler.free.expanded(e)
        name = f"t{self.unit.number}_{site}"
        parameters = [f"p{i}" for i in range(len(free))]
        outer = (self.lines, self.indent, self.names, self.forced)
        self.lines, self.indent, self.forced = [], 1, set()
        self.names = dict(zip(free, parameters, strict=True))
        self.emit(f"_, n, {', '.join([*parameters, ''])} = t" if parameters else "_, n = t")
        self.emit("EN(n)")
        self.emit(f"b = n - {site}")
        self.finish(e)
        self.done.append([f"def {name}(t):", *self.lines])
        self.lines, self.indent, self.names, self.forced = outer
        return f"[{name}, {self.node(e)}, {', '.join(self.names[n] for n in free)}]"

    # Strict

    def strict(self, e: c.Expr) -> str:
        """A Python expression of the evaluated value."""
        match e:
            case c.Lit():
                text = self._literal(e)
                return text if not text.startswith("[") else self._evaluated(text)
            case c.Con() | c.Lam():
                return self.lazy(e)
            case c.Var() | c.Global():
                text = self._reference(e)
                if text.startswith("("):
                    return text
                return self.force(text)
            case c.App():
                return self._strict_application(e)
            case c.Annot(expression=expression, annotation=(bind, _)):
                self._annotate(bind)
                return self.strict(expression)
            case c.Let(groups=groups, body=body):
                self.bind_groups(groups)
                return self.strict(body)
        return self._match_value(e, self.finish_in)

    def _match_value(self, e: c.Expr, finish: Callable[[str], Finish]) -> str:
        """The variable that gets the value of a match."""
        result = self.fresh()
        self.emit("while True:")
        forced = set(self.forced)
        self.indent += 1
        finish(result)(e)
        self.indent -= 1
        self.forced = forced | {result}
        return result

    def force(self, text: str) -> str:
        """The Python expression of an evaluated value; emits the evaluation unless it is known to be evaluated."""
        if text in self.forced or text.startswith(("F", "PRIMITIVE", "IDENTITY", "M")) or text in ("True", "False"):
            return text
        if not (text.startswith(("p", "v")) and text.isalnum()):
            name = self.fresh()
            self.emit(f"{name} = {text}")
            text = name
        self.emit(f"if type({text}) is list: {text} = EV({text})")
        self.forced.add(text)
        return text

    def _evaluated(self, text: str) -> str:
        """The value of a new node that nothing else refers to."""
        name = self.fresh()
        self.emit(f"{name} = {text}")
        self.emit(f"while type({name}) is list: {name} = {name}[0]({name})")
        self.forced.add(name)
        return name

    def _strict_application(self, e: c.App) -> str:
        """The Python expression of an application's value."""
        if isinstance(e.function, c.Con):
            text = self._construction(e, e.function.info, strict=True)
            if e.function.info.is_newtype:
                return self.force(text)
            return text if text.startswith("(") else self._evaluated(text)
        unit, _, _ = self.head(e.function)
        if isinstance(unit, str) and unit in PRIMITIVES and PRIMITIVES[unit].arity == len(e.arguments):
            return self._primitive(e, PRIMITIVES[unit])
        if unit == "Prelude.primSeq" and len(e.arguments) == 2:
            self.strict(e.arguments[0])
            return self.strict(e.arguments[1])
        text = self._lazy_application(e)
        if text.startswith("("):
            return text
        if isinstance(unit, Unit) and text.startswith(f"[f{unit.number},"):
            name = self.fresh()
            self.emit(f"{name} = f{unit.number}({text})")
            self.emit(f"while type({name}) is list: {name} = {name}[0]({name})")
            self.forced.add(name)
            return name
        return self._evaluated(text)

    def _primitive(self, e: c.App, primitive: Primitive) -> str:
        """The Python expression for the application of a primitive, with its record."""
        values = [self.strict(a) for a in e.arguments]
        node = self.node(e)
        if primitive.strings[0]:
            values = [f"TO_PYTHON({v})" for v in values]
        if f"Prelude.{primitive.name}" in DIVISIONS:
            self.emit(f"if {values[1]} == 0: DIVIDE_BY_ZERO({node})")
        text = primitive.template.format(*values)
        if not primitive.records:
            return f"({text})" if not primitive.strings[1] else f"TO_HASKELL({text})"
        name = self.fresh()
        self.emit(f"{name} = {text}")
        self.record(primitive, name, node)
        self.forced.add(name)
        return name

    def record(self, primitive: Primitive, name: str, node: str) -> None:
        """Emit the record of a primitive's value."""
        if primitive.records == "double":
            self.emit(f"DN({node}); DV({name})")
            return
        if primitive.records == "int":
            self.emit(f"if not -MOST <= {name} <= MOST: {name} = WRAP({name})")
            self.emit(f"PN({node}); PV({name})")
            return
        self.emit(f"if -MOST <= {name} <= MOST: PN({node}); PV({name})")
        self.emit(f"else: LARGE[{node}] = {name}")

    # Results

    def finish(self, e: c.Expr) -> None:
        """Return the value of an expression, or its last call."""
        match e:
            case c.Match():
                self.match(e, self.finish)
            case c.Let(groups=groups, body=body):
                self.bind_groups(groups)
                self.finish(body)
            case c.Annot(expression=expression, annotation=(bind, _)):
                self._annotate(bind)
                self.finish(expression)
            case c.App():
                self._finish_application(e)
            case _:
                self.emit(f"return {self.strict(e)}")

    def _finish_application(self, e: c.App) -> None:
        """Return an application as the unit's last call."""
        unit, _, _ = self.head(e.function)
        is_primitive = isinstance(unit, str) and unit in PRIMITIVES and PRIMITIVES[unit].arity == len(e.arguments)
        if is_primitive or isinstance(e.function, c.Con):
            self.emit(f"return {self.strict(e)}")
        elif unit == "Prelude.primSeq" and len(e.arguments) == 2:
            self.strict(e.arguments[0])
            self.finish(e.arguments[1])
        else:
            self.emit(f"return {self._lazy_application(e)}")

    def finish_in(self, result: str) -> Finish:
        """Returns a `finish` that assigns the value to a variable and leaves the enclosing match."""

        def finish(e: c.Expr) -> None:
            match e:
                case c.Match():
                    self.match(e, finish)
                case c.Let(groups=groups, body=body):
                    self.bind_groups(groups)
                    finish(body)
                case _:
                    self.emit(f"{result} = {self.strict(e)}")
                    self.emit("break")

        return finish

    # Actions

    def finish_io(self, e: c.Expr) -> None:
        """Run an action as the last step of the unit."""
        self._io(e, self.finish_io, lambda text: self.emit(f"return {text}"))

    def finish_io_in(self, result: str) -> Finish:
        def done(text: str) -> None:
            self.emit(f"{result} = {text}")
            self.emit(f"while type({result}) is list: {result} = {result}[0]({result})")
            self.emit("break")

        def finish(e: c.Expr) -> None:
            self._io(e, finish, done)

        return finish

    def run(self, e: c.Expr) -> str:
        """Run an action; returns the Python expression of its result, a constructor with one field."""
        if isinstance(e, c.Match | c.Let) or self._io_method(e):
            return self._match_value(e, self.finish_io_in)
        return self._evaluated(self._running(e))

    def _io_method(self, e: c.Expr) -> str:
        if isinstance(e, c.App) and isinstance(e.function, c.Global) and e.function.name in _BINDS:
            solution = e.function.dicts[0].solution
            if solution[0] == "inst" and solution[1].type_name == "Prelude.IO":
                return e.function.name
        return ""

    def _io(self, e: c.Expr, finish: Finish, done: Callable[[str], None]) -> None:
        """Run an action's code in place if its structure is known; otherwise run its value."""
        method = self._io_method(e)
        match e:
            case c.Match():
                self.match(e, finish)
            case c.Let(groups=groups, body=body):
                self.bind_groups(groups)
                finish(body)
            case c.App(arguments=[returned]) if method in ("Prelude.return", "Prelude.pure"):
                self.site(e)
                done(f"(0, {self.lazy(returned)})")
            case c.App(arguments=[first, second]) if method in ("Prelude.>>", "Prelude.*>"):
                self.run(first)
                finish(second)
            case c.App(arguments=[first, c.Lam(generated=True, clauses=clauses)]) if method == "Prelude.>>=":
                result, value = self.run(first), self.fresh()
                self.emit(f"{value} = {result}[1]")
                self.clauses(clauses, [value], [("io", first)], finish, self.node(e))
            case _:
                done(self._running(e))

    def _running(self, e: c.Expr) -> str:
        """The node of an action applied to the world."""
        if isinstance(e, c.App | c.Global | c.Var):
            function, arguments = (e.function, e.arguments) if isinstance(e, c.App) else (e, [])
            unit, passed, _ = self.head(function)
            if isinstance(unit, Unit) and unit.is_io and unit.parameters == len(passed) + len(arguments) + 1:
                inside = ", ".join([*passed, *(self.lazy(a) for a in arguments), "None"])
                return f"[f{unit.number}, {self.node(e)}, {inside}]"
            if isinstance(unit, str) and unit in ACTIONS and ACTIONS[unit] == len(arguments) + 1:
                inside = ", ".join([*(self.lazy(a) for a in arguments), "None"])
                return f"[P_{unit.removeprefix('Prelude.')}, {self.node(e)}, {inside}]"
        action = self.lazy(e)
        run: Any = c.App(e.span, e, [World(e.span)])  # type: ignore[list-item]
        e.run = run
        return f"[APPLY, {self.node(run)}, {action}, None]"

    # Matches

    def match(self, e: c.Match, finish: Finish) -> None:
        """Compile a match; `finish` ends each of its branches."""
        self.site(e)
        scrutinee = e.scrutinee
        if e.keyword == "guards":
            self.clauses(e.clauses, ["()"], [("expr", scrutinee)], finish, self.node(e))
            return
        if e.keyword == "if":
            self._if(e, finish)
            return
        needs = any(_needs_value(clause.patterns[0]) for clause in e.clauses[:1])
        text = self.strict(scrutinee) if needs else self.lazy(scrutinee)
        if not (text[0] in "pv" and text.isalnum()):
            name = self.fresh()
            self.emit(f"{name} = {text}")
            if needs:
                self.forced.add(name)
            text = name
        self.clauses(e.clauses, [text], [("expr", scrutinee)], finish, self.node(e))

    def _if(self, e: c.Match, finish: Finish) -> None:
        condition = self.strict(e.scrutinee)
        for keyword, clause in (("if", e.clauses[0]), ("else", e.clauses[1])):
            self.emit(f"{keyword} {condition}:" if keyword == "if" else "else:")
            self._block(lambda body=clause.branches[0].body: finish(body))  # type: ignore[misc]

    def _block(self, inside: Callable[[], None]) -> None:
        forced, names = set(self.forced), dict(self.names)
        self.indent += 1
        inside()
        self.indent -= 1
        self.forced, self.names = forced, names

    def clauses(
        self, clauses: list[c.Clause], values: list[str], sources: list[tuple[Any, ...]], finish: Finish, node: str
    ) -> None:
        """Try clauses in order; each ends the function or the match, so that the code after it runs if it failed."""
        for clause in clauses:
            indent, names = self.indent, dict(self.names)
            forced: set[str] | None = None
            for pattern, value, source in zip(clause.patterns, values, sources, strict=True):
                forced = self.pattern(pattern, value, source, (), forced)
            always = self.indent == indent
            self.bind_groups(clause.groups)
            always = self.branches(clause, finish) and always
            self.indent, self.names = indent, names
            if forced is not None:
                self.forced = forced
            if always:
                return
        where = self.program_place()
        self.emit(f"NO_MATCH({node}, {where})")

    def program_place(self) -> str:
        self.compiler.constants.append(("match", self.unit.number))
        return f"K[{len(self.compiler.constants) - 1}]"

    def branches(self, clause: c.Clause, finish: Finish) -> bool:
        """The guarded right-hand sides; True if one of them always applies."""
        for branch in clause.branches:
            indent, names, forced = self.indent, dict(self.names), None
            for guard in branch.guards:
                match guard:
                    case c.BoolGuard(condition=c.Global(name="Prelude.otherwise")):
                        pass
                    case c.BoolGuard(condition=condition):
                        text = self.strict(condition)
                        forced = set(self.forced) if forced is None else forced
                        self.emit(f"if {text}:")
                        self.indent += 1
                    case c.PatternGuard(pattern=pattern, expression=expression):
                        text = self.strict(expression) if _needs_value(pattern) else self.lazy(expression)
                        name = self.fresh()
                        self.emit(f"{name} = {text}")
                        forced = self.pattern(pattern, name, ("expr", expression), (), forced)
                    case c.LetGuard(groups=groups):
                        self.bind_groups(groups)
            always = self.indent == indent
            finish(branch.body)
            self.indent, self.names = indent, names
            if forced is not None:
                self.forced = forced
            if always:
                return True
        return False

    def pattern(
        self, p: c.Pattern, value: str, source: tuple[Any, ...], path: tuple[Any, ...], forced: set[str] | None
    ) -> set[str] | None:
        """Test a pattern, one `if` deeper for each test; returns what was evaluated before the first test."""
        match p:
            case c.PVar(name=name, strict=strict):
                self.names[name] = self.force(value) if strict else value
                self.unit.binders[name] = ("part", source, path)
            case c.PAs(name=name, pattern=inner):
                self.names[name] = value
                self.unit.binders[name] = ("part", source, path)
                return self.pattern(inner, value, source, path, forced)
            case c.PCon(info=info, parts=parts) if info.is_newtype:
                return self.pattern(parts[0], value, source, path, forced)
            case c.PCon(info=info, parts=parts):
                value = self.force(value) if info is not IO_RESULT else value
                if len(info.siblings) > 1:
                    forced = set(self.forced) if forced is None else forced
                    self.emit(f"if {_tag_test(info, value)}:")
                    self.indent += 1
                for index, part in enumerate(parts):
                    if isinstance(part, c.PWild):
                        continue
                    name = self.fresh()
                    self.emit(f"{name} = {value}[{index + 1}]")
                    forced = self.pattern(part, name, source, (*path, (info, index)), forced)
            case c.PLit():
                return self._literal_pattern(p, value, ("part", source, path), forced)
        return forced

    def _literal_pattern(
        self, p: c.PLit, value: str, binder: tuple[Any, ...], forced: set[str] | None
    ) -> set[str] | None:
        """Test a literal, with the `==` of its type."""
        solution = p.dicts[0].solution if p.dicts else None
        known = solution is None or (
            solution[0] == "inst" and solution[1].type_name in ("Prelude.Int", "Prelude.Integer", "Prelude.Double")
        )
        if known:
            value = self.force(value)
            test = f"{value} == {self.compiler.constant(p.value)}"
        else:
            literal = c.Lit(p.span, p.kind, p.value, [p.dicts[1]])
            function = c.Global(p.span, "Prelude.==", [p.dicts[0]])
            name = f"scrutinee~{self.fresh()}"
            application = c.App(p.span, function, [c.Var(p.span, name), literal])
            self.names[name] = value
            self.unit.binders[name] = binder
            p.test = application
            test = self.strict(application)
        forced = set(self.forced) if forced is None else forced
        self.emit(f"if {test}:")
        self.indent += 1
        return forced

    # Bindings

    def bind_groups(self, groups: list[list[c.Bind]]) -> None:
        for group in groups:
            self._functions(group)
            self._values([bind for bind in group if bind.name not in self.functions])

    def _functions(self, group: list[c.Bind]) -> None:
        """Compile local functions; the variables that they capture become parameters."""
        lifted = [bind for bind in group if bind.is_function or bind.dict_params]
        if not lifted:
            return
        names = {bind.name for bind in lifted}
        captured: dict[str, None] = {}
        for bind in lifted:
            captured |= {n: None for n in self.compiler.free.expanded(bind) if n not in names}
        for bind in lifted:
            self.compiler.free.captures[bind.name] = list(captured)
        for bind in lifted:
            unit = self.compiler.make(bind, self.unit.module, list(captured), self.unit)
            self.functions[bind.name] = unit
            self.unit.binders[bind.name] = ("unit", unit)
        for bind in lifted:
            self.functions[bind.name].functions = dict(self.functions)

    def _values(self, binds: list[c.Bind]) -> None:
        """Create nodes of local values; one that needs itself or a later one gets it afterwards."""
        waiting = {bind.name: bind for bind in binds}
        for bind in binds:
            self.unit.binders[bind.name] = ("expr", bind.expression)
            name = self.fresh()
            missing = [n for n in self.compiler.free.expanded(bind.expression) if n in waiting]
            if not missing:
                self.emit(f"{name} = {self.lazy(bind.expression)}")
                self.names[bind.name] = name
                del waiting[bind.name]
        if not waiting:
            return
        for name in waiting:
            self.names[name] = self.fresh()
            self.emit(f"{self.names[name]} = [None, None]")
        for name, bind in waiting.items():
            value = self.lazy(bind.expression)
            text = f"[INDIRECT, 0, {value}]" if isinstance(bind.expression, c.Var | c.Global) else value
            self.emit(f"TIE({self.names[name]}, {text})")


def _needs_value(pattern: c.Pattern) -> bool:
    """Whether matching a pattern evaluates the value."""
    match pattern:
        case c.PVar(strict=strict):
            return strict
        case c.PAs(pattern=inner):
            return _needs_value(inner)
        case c.PCon(info=info, parts=parts):
            return _needs_value(parts[0]) if info.is_newtype else True
        case c.PLit(dicts=dicts):
            return not dicts or dicts[0].solution[0] == "inst"
    return False


def _tag_test(info: c.ConstructorInfo, value: str) -> str:
    if info.name in ("Prelude.True", "Prelude.False"):
        return value if info.tag else f"not {value}"
    if len(info.siblings) == 2:
        return f"{value}[0]" if info.tag else f"not {value}[0]"
    return f"{value}[0] == {info.tag}"


def _primitive_arity(name: str) -> int:
    if name in PRIMITIVES:
        return PRIMITIVES[name].arity
    return ACTIONS.get(name) or SPECIAL[name]
