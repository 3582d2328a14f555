"""Compiles a program to Python source: one function for each unit, and constants and dictionaries.

Only numbers get into the source: names and texts of the program stay in tables, so no text of a program is ever code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adebug_lsp.languages.haskell.core import core_tree as c
from adebug_lsp.languages.haskell.core.entities import InstanceInfo, ModuleInfo, Program
from adebug_lsp.languages.haskell.engine.primitives import PRIMITIVES
from adebug_lsp.languages.haskell.engine.units import MOST_SITES, FreeVariables, Unit, World
from adebug_lsp.languages.haskell.types.types import TCon, result_of, spine

IO_RESULT = c.ConstructorInfo("IO", "IO", 0, 1, [], [False])
IO_RESULT.siblings.append(IO_RESULT)
ACTIONS = {"Prelude.primReturnIO": 2, "Prelude.primPutStr": 2, "Prelude.primGetLine": 1, "Prelude.primGetContents": 1}
ACTIONS |= {"Prelude.primIsEOF": 1, "Prelude.primExit": 2, "Prelude.primUserError": 2}
"""Primitive actions with their arity, the world included."""
SPECIAL = {"Prelude.primSeq": 2, "Prelude.primError": 1}


class Compiler:
    """Collects the units that are reachable from one function of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.units: list[Unit] = []
        self.free = FreeVariables()
        self.constants: list[Any] = []
        self.constant_units: list[Unit | None] = []
        """Units of the nodes that the start of the program creates."""
        self.lines: list[str] = []
        self.footer: list[str] = []
        self._globals: dict[str, Unit] = {}
        self._dictionaries: set[int] = set()
        self._constructors: dict[str, str] = {}
        self._nodes: dict[int, int] = {}
        self._pending: list[Unit] = []
        self._prelude = program.modules["Prelude"]

    def compile(self, start: str, compile_unit: Callable[[Compiler, Unit], list[str]]) -> str:
        """The Python source of everything that the global function `start` needs."""
        self.unit(start)
        while self._pending:
            unit = self._pending.pop(0)
            self.lines += compile_unit(self, unit)
        return "\n".join([*self.lines, *self.footer, ""])

    # Units

    def unit(self, name: str) -> Unit:
        """The unit of a global binding."""
        known = self._globals.get(name)
        if known is None:
            bind = self.program.binds.get(name)
            owner = self.program.owners.get(name)
            known = self._bind_unit(name) if bind is None or owner is None else self.make(bind, owner, [], None)
            self._globals[name] = known
        return known

    def known_unit(self, name: str) -> Unit | None:
        """The unit of a global that was compiled."""
        return self._globals.get(name)

    def make(self, bind: c.Bind, module: ModuleInfo, captured: list[str], outer: Unit | None) -> Unit:
        """A unit of a binding."""
        e = bind.expression
        arity = e.arity if isinstance(e, c.Lam) else 0
        generated = bind.generated or (isinstance(e, c.Lam) and e.generated)
        is_io = _is_action(bind.scheme.type, arity) if outer is None or arity else False
        unit = Unit(len(self.units), bind.name, module, bind.span, e, captured, list(bind.dict_params), arity, is_io)
        unit.generated, unit.outer, unit.head = generated, outer, bind.head
        return self._register(unit)

    def lambda_unit(self, e: c.Lam, captured: list[str], outer: Unit) -> Unit:
        """A unit of a lambda."""
        is_io = e.type is not None and _is_action(e.type, e.arity)
        unit = Unit(
            len(self.units), "\\", outer.module, e.span, e, captured, [], e.arity, is_io, e.generated, True, outer
        )
        return self._register(unit)

    def _register(self, unit: Unit) -> Unit:
        self.units.append(unit)
        self._pending.append(unit)
        return unit

    def default_unit(self, method: str) -> Unit | None:
        """The unit of a class's default for a method."""
        info = self.program.classes[self.program.methods[method]]
        bind = info.defaults.get(method)
        if bind is None:
            return None
        if bind.name not in self._globals:
            bind.scheme = self.program.schemes[method]
            self._globals[bind.name] = self.make(bind, self.program.owners[bind.name], [], None)
        return self._globals[bind.name]

    def _bind_unit(self, name: str) -> Unit:
        """The unit of `primBindIO m k w = case m w of IO r -> k r w`, or of `primThenIO` without the r."""
        span = (0, 0)
        m, k, r = (c.Var(span, f"{letter}~io") for letter in "mkr")
        passed: list[Any] = [r] if name == "Prelude.primBindIO" else []
        body: Any = c.App(span, k, [*passed, World(span)])  # type: ignore[list-item]
        pattern = c.PCon(span, IO_RESULT, [c.PVar(span, "r~io")])
        first: Any = c.App(span, m, [World(span)])  # type: ignore[list-item]
        match = c.Match(span, first, [c.Clause(span, [pattern], [c.Branch(span, [], body)], [])])
        parameters: list[c.Pattern] = [c.PVar(span, "m~io"), c.PVar(span, "k~io"), c.PWild(span)]
        clause = c.Clause(span, parameters, [c.Branch(span, [], match)], [])
        unit = Unit(len(self.units), name, self._prelude, span, c.Lam(span, 3, [clause]), [], [], 3, False)
        return self._register(unit)

    # Names of Python

    def alias(self, name: str) -> str:
        """The global that a library binding such as `(+) = primIntAdd` renames."""
        while True:
            bind = self.program.binds.get(name)
            owner = self.program.owners.get(name)
            if bind is None or owner is None or not owner.trusted or bind.dict_params:
                return name
            e = bind.expression
            if not isinstance(e, c.Global) or e.dicts or e.name in self.program.methods:
                return name
            name = e.name

    def constant(self, value: object) -> str:
        """The Python name of a constant."""
        if isinstance(value, bool):
            return str(value)
        if isinstance(value, int) and abs(value) < 1 << 63:
            return f"({value})" if value < 0 else str(value)
        self.constants.append(value)
        return f"K[{len(self.constants) - 1}]"

    def global_value(self, name: str) -> str:
        """The Python expression of a global without dictionaries: a function value, or an unevaluated constant."""
        if name in PRIMITIVES or name in ACTIONS or name in SPECIAL:
            return f"PRIMITIVE[{name.removeprefix('Prelude.')!r}]"
        unit = self.unit(name)
        if unit.parameters:
            return f"F{unit.number}"
        self.start_node(unit)
        return f"C{unit.number}"

    def start_node(self, unit: Unit | None) -> int:
        """The node of a constant."""
        if unit is not None and unit.number in self._nodes:
            return self._nodes[unit.number]
        node = MOST_SITES + len(self.constant_units)
        self.constant_units.append(unit)
        if unit is not None:
            self._nodes[unit.number] = node
        return node

    def finish_unit(self, unit: Unit) -> None:
        """Emit the constants that belong to a unit."""
        if unit.parameters:
            self.footer.insert(0, f"F{unit.number} = ({unit.parameters}, f{unit.number}, ())")
        elif unit.outer is None:
            self.footer.insert(0, f"C{unit.number} = [f{unit.number}, {self.start_node(unit)}]")

    def constructor_value(self, info: c.ConstructorInfo) -> str:
        """The Python expression of a constructor on its own."""
        if info.name in ("Prelude.True", "Prelude.False"):
            return info.short
        if not info.arity:
            return f"({info.tag},)"
        if info.is_newtype:
            return "IDENTITY"
        known = self._constructors.get(info.name)
        if known is None:
            known = self._constructors[info.name] = f"M{len(self._constructors)}"
            strict = "".join("1" if flag else "0" for flag in info.strict)
            self.footer.insert(0, f"{known} = CONSTRUCTOR({info.tag}, {strict!r})")
        return known

    # Dictionaries

    def dictionary(self, instance: InstanceInfo) -> None:
        """Emit the dictionary of an instance, or the function that makes it from those of its parameters."""
        if instance.number in self._dictionaries:
            return
        self._dictionaries.add(instance.number)
        info = self.program.classes[instance.class_name]
        parameters = [f"c{i}" for i in range(len(instance.context))]
        supers = [self._super(above, instance) for above in info.supers]
        entries = [self._entry(method, instance, parameters) for method in info.methods]
        name = f"I{instance.number}"
        self.footer += [
            f"def {name}({', '.join(parameters)}):",
            "    d = []",
            f"    d += [{', '.join(supers)}]",
            f"    d += [{', '.join(entries)}]",
            "    return d",
        ]
        self.footer.append(
            f"D{instance.number} = {name}()" if not parameters else f"MAKERS[{instance.number}] = {name}"
        )

    def _super(self, above: str, instance: InstanceInfo) -> str:
        other = self.program.instances[(above, instance.type_name)]
        self.dictionary(other)
        if not other.context:
            return f"D{other.number}"
        parts = [self._from_context(cls, index, instance) for cls, index in other.context]
        return f"MAKE({other.number}, {', '.join(parts)})"

    def _from_context(self, cls: str, index: int, instance: InstanceInfo) -> str:
        """The dictionary of a superclass, taken from those of the instance's context."""
        pending = [(own, f"c{i}") for i, (own, position) in enumerate(instance.context) if position == index]
        while pending:
            name, text = pending.pop(0)
            if name == cls:
                return text
            supers = self.program.classes[name].supers
            pending += [(above, f"{text}[{i}]") for i, above in enumerate(supers)]
        raise AssertionError(f"no dictionary for {cls}")

    def _entry(self, method: str, instance: InstanceInfo, parameters: list[str]) -> str:
        """The Python expression of one entry of a dictionary."""
        own = instance.methods.get(method)
        if own is not None:
            alias = self.alias(own)
            if alias != own:
                return self.global_value(alias)
            unit, passed = self.unit(own), parameters
        else:
            default = self.default_unit(method)
            if default is None:
                self.constants.append(f"No instance nor default method for class operation {c.short(method)}")
                return f"[MISSING, {self.start_node(None)}, K[{len(self.constants) - 1}]]"
            unit, passed = default, ["d"]
        inside = ", ".join([*passed, ""]) if passed else ""
        missing = unit.parameters - len(passed)
        if missing:
            return f"({missing}, f{unit.number}, ({inside}))"
        return f"[f{unit.number}, {self.start_node(unit)}, {inside}]"


def _is_action(kind: Any, arity: int) -> bool:
    result = result_of(kind, arity)
    if result is None:
        return False
    head, arguments = spine(result)
    return isinstance(head, TCon) and head.name == "Prelude.IO" and len(arguments) == 1
