"""The static facts of a recording: modules, routines, nodes and markers, as the instrumenter described them.

The number of a marker decides what its records mean. Columns are converted to code points here.
"""

from functools import cached_property
from typing import Any

from attrs import define, field, frozen

from adebug_lsp.languages.python.recorder import contract
from adebug_lsp.model.source import Location, Position, Range, Site
from adebug_lsp.model.text import whole_lines

STATEMENTS = frozenset(
    [
        "Expr",
        "Assign",
        "AugAssign",
        "AnnAssign",
        "Delete",
        "Return",
        "Raise",
        "Assert",
        "If",
        "While",
        "For",
        "AsyncFor",
        "With",
        "AsyncWith",
        "Try",
        "TryStar",
        "Match",
        "FunctionDef",
        "AsyncFunctionDef",
        "ClassDef",
        "Break",
        "Continue",
        "Pass",
        "Import",
        "ImportFrom",
        "Global",
        "Nonlocal",
    ]
)
DEFINITIONS = frozenset({"FunctionDef", "AsyncFunctionDef", "ClassDef"})
LOOPS = frozenset({"For", "AsyncFor", "While"})
SCOPES = frozenset({"FunctionDef", "AsyncFunctionDef", "Lambda"})


@frozen(eq=False)
class Node:
    """A piece of syntax."""

    kind: str
    place: tuple[int, int, int, int] | None
    """First line (from 1), first column, last line, last column, in bytes; None for a node without a place."""
    parent: int
    extra: Any


@frozen(eq=False)
class Marker:
    """What records with this marker mean."""

    kind: str
    node: int
    routine: int
    slots: tuple[int, ...]
    stores: tuple[tuple[str, int], ...]
    writes: tuple[tuple[Any, ...], ...]
    module: "Module"
    result: int | None
    taken: bool | None
    test: int | None
    lingers: int | None
    """For a return after which the activation goes on: the enclosing statement that still runs, or -1."""
    free: tuple[tuple[str, int], ...]
    """For an `enter` record: variables of enclosing functions, and their slots."""
    iteration_stores: tuple[tuple[str, int], ...]
    """For an iteration of a comprehension: its variables, and their slots."""


@frozen(eq=False)
class Routine:
    """A function, lambda or module body."""

    name: str
    qualname: str
    node: int
    kind: str
    parameters: tuple[str, ...]
    method: bool
    module: "Module"
    index: int

    @cached_property
    def declared(self) -> frozenset[str]:
        """The names that it declares as global or nonlocal."""
        return self._named_by("Global", "Nonlocal")

    @cached_property
    def global_names(self) -> frozenset[str]:
        """The names that it declares as global."""
        return self._named_by("Global")

    @property
    def bound(self) -> frozenset[str]:
        """The names that its statements bind: its variables, unless they are declared otherwise."""
        nodes = self.module.nodes
        inside = self.module.inside(self.node) if self.node >= 0 else []
        return frozenset(nodes[n].extra for n in inside if nodes[n].kind == "Bound")

    @property
    def defines(self) -> frozenset[str]:
        """The names of the functions that it defines."""
        inner = f"{self.qualname}.<locals>." if self.qualname else ""
        return frozenset(routine.name for routine in self.module.routines if routine.qualname == inner + routine.name)

    @property
    def beside(self) -> "dict[str, Routine]":
        """The functions that the enclosing function defines, by name."""
        around = self.qualname.rpartition(".<locals>.")[0]
        routines = self.module.routines if around else []
        return {
            routine.name: routine for routine in routines if routine.qualname == f"{around}.<locals>.{routine.name}"
        }

    def _named_by(self, *kinds: str) -> frozenset[str]:
        nodes = self.module.nodes
        inside = self.module.inside(self.node) if self.node >= 0 else []
        return frozenset(name for n in inside if nodes[n].kind in kinds for name in nodes[n].extra)

    @property
    def callable(self) -> str:
        """`module.qualname`, as messages show it; a module body is the module's own name."""
        return f"{self.module.name}.{self.qualname}" if self.qualname else self.module.name


@frozen(eq=False)
class Signature:
    """The parameters of a function or lambda, by kind."""

    positional: tuple[str, ...]
    rest: str | None
    """The name of the `*` parameter."""
    keyword: tuple[str, ...]
    others: str | None
    """The name of the `**` parameter."""
    defaults: dict[str, int]
    """The node of each default, by the parameter's name."""


@define(eq=False)
class Module:
    """One instrumented file."""

    path: str
    name: str
    source: str
    first: int
    nodes: list[Node] = field(factory=list)
    markers: list[Marker] = field(factory=list)
    routines: list[Routine] = field(factory=list)
    signatures: dict[int, Signature] = field(factory=dict)
    """By the node of the function; empty for recordings of older versions."""
    _children: dict[int, list[int]] | None = None

    @property
    def is_cell(self) -> bool:
        """Whether it is a cell of a notebook."""
        return self.path.startswith(contract.CELL)

    @property
    def namespace(self) -> int:
        """Identifies the namespace of its variables; all cells of a notebook share one."""
        return contract.FIRST_OF_MODULES - 1 if self.is_cell else self.first

    @property
    def title(self) -> str:
        """Its kind and name, for people."""
        return f"cell {self.path}" if self.is_cell else f"module {self.name}"

    @cached_property
    def lines(self) -> list[str]:
        """The source line by line, with line ends."""
        return whole_lines(self.source)

    def location(self, number: int) -> Location:
        """The location of a node; -1 is the module itself."""
        node = self.nodes[number] if number >= 0 else None
        if node is None or node.place is None:
            last = max(len(self.lines) - 1, 0)
            end = len(self.lines[last].rstrip("\r\n")) if self.lines else 0
            return Location(self.path, Range(Position(0, 0), Position(last, end)))
        line, column, end_line, end_column = node.place
        start = Position(line - 1, self.column(line - 1, column))
        return Location(self.path, Range(start, Position(end_line - 1, self.column(end_line - 1, end_column))))

    def column(self, line: int, column: int) -> int:
        """A column in code points from one in bytes; lines count from 0."""
        text = self.lines[line] if line < len(self.lines) else ""
        return column if text.isascii() else len(text.encode("utf-8")[:column].decode("utf-8", "ignore"))

    def text(self, number: int) -> str:
        """The source of a node."""
        where = self.location(number).range
        if where.start.line == where.end.line:
            return self.lines[where.start.line][where.start.column : where.end.column] if self.lines else ""
        first = self.lines[where.start.line][where.start.column :]
        between = self.lines[where.start.line + 1 : where.end.line]
        return first + "".join(between) + self.lines[where.end.line][: where.end.column]

    def children(self, number: int) -> list[int]:
        """The nodes directly inside a node."""
        if self._children is None:
            self._children = {}
            for index, node in enumerate(self.nodes):
                self._children.setdefault(node.parent, []).append(index)
        return self._children.get(number, [])

    def inside(self, number: int) -> list[int]:
        """A node and all nodes below it, except inside nested functions."""
        nodes = [number]
        for node in nodes:  # grows while it is read
            if node == number or self.nodes[node].kind not in SCOPES:
                nodes.extend(self.children(node))
        return nodes

    def ancestors(self, number: int) -> list[int]:
        """The enclosing nodes up to the routine, innermost first."""
        around = []
        node = self.nodes[number].parent if number >= 0 else -1
        while node >= 0:
            around.append(node)
            if self.nodes[node].kind in SCOPES:
                break
            node = self.nodes[node].parent
        return around

    def loops_around(self, number: int) -> tuple[int, ...]:
        """The loops of the same routine around a node."""
        return tuple(node for node in self.ancestors(number) if self.nodes[node].kind in LOOPS)

    def site(self, routine: Routine, number: int) -> Site:
        """A node as a site of an execution tree."""
        own = number < 0 or number == routine.node
        rule = routine.callable if own else f"{routine.callable}:{self.nodes[number].place}"
        return Site(rule, routine.callable, self.name, self.location(number))


def read_module(facts: dict[str, Any]) -> Module:
    """Read a module from its map."""
    module = Module(facts["path"], facts["module"], facts["source"], facts["first"])
    for kind, line, column, end_line, end_column, parent, extra in facts["nodes"]:
        place = None if None in (line, column, end_line, end_column) else (line, column, end_line, end_column)
        module.nodes.append(Node(kind, place, parent, extra))
    for index, routine in enumerate(facts["routines"]):
        module.routines.append(
            Routine(
                routine["name"],
                routine["qualname"],
                routine["node"],
                routine["kind"],
                tuple(routine["parameters"]),
                bool(routine.get("method")),
                module,
                index,
            )
        )
    for marker in facts["markers"]:
        stores = tuple((name, slot) for name, slot in marker.get("stores", ()))
        kind = contract.FORMER_KINDS.get(marker["kind"], marker["kind"])
        of_comprehension = kind == "comprehension"
        module.markers.append(
            Marker(
                kind,
                marker["node"],
                marker["routine"],
                tuple(marker["slots"]),
                () if of_comprehension else stores,
                tuple(tuple(write) for write in marker.get("writes", ())),
                module,
                marker.get("result"),
                marker.get("taken"),
                marker.get("test"),
                marker.get("lingers"),
                tuple((name, slot) for name, slot in marker.get("free", ())),
                stores if of_comprehension else (),
            )
        )
    for number, signature in facts.get("signatures", {}).items():
        module.signatures[int(number)] = Signature(
            tuple(signature["positional"]),
            signature["rest"],
            tuple(signature["keyword"]),
            signature["others"],
            signature["defaults"],
        )
    return module
