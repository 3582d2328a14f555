"""The effects of calls: which of them may change their arguments or other objects."""

import ast
import builtins
import sys
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from enum import Enum, auto
from importlib import import_module
from typing import Protocol

from .syntax_walk import Visitor

Counter: type = import_module("collections").Counter
"""The program's `Counter`; the recorder's own modules have a separate copy of this class (see `isolation.py`)."""

MUTATORS = frozenset(
    [
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "reverse",
        "add",
        "discard",
        "update",
        "setdefault",
        "popitem",
        "popleft",
        "appendleft",
        "extendleft",
        "rotate",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
        "move_to_end",
        "subtract",
    ]
)
"""Methods of the builtin containers whose effect follows from their arguments."""

ITERATING = frozenset(
    [
        *("extend", "extendleft", "update", "subtract"),
        *("difference_update", "intersection_update", "symmetric_difference_update"),
    ]
)
"""Methods that iterate over an argument."""

REPLAYED = frozenset(
    map(id, (list, tuple, str, bytes, range, dict, set, frozenset, deque, bytearray, defaultdict, OrderedDict, Counter))
)
"""Types, by identity, of arguments whose items the reader can derive."""
ORDERED = REPLAYED - {id(set)}
"""Types among them whose items have an order that the reader knows; that of a set depends on its history."""

UNFORESEEN = frozenset(
    [
        *("sort", "__setitem__", "__delitem__", "__setattr__", "__delattr__", "__setstate__", "__set__", "__delete__"),
        *("__iadd__", "__imul__", "__isub__", "__ior__", "__iand__", "__ixor__"),
    ]
)
"""Methods whose effect is found by inspecting the object afterwards."""

CHANGING_BUILTINS = frozenset({"setattr", "delattr", "exec", "eval"})

USING_BUILTINS = frozenset(
    [
        *("list", "tuple", "set", "frozenset", "dict", "bytes", "bytearray", "sum", "min", "max", "any", "all"),
        *("sorted", "next"),
    ]
)
"""Builtin functions that call their arguments or iterate over them. All others do not."""

QUIET_METHODS = frozenset(
    name
    for kind in (str, bytes, int, float, complex, tuple, list, dict, set, frozenset, range)
    for name in dir(kind)
    if not (name in MUTATORS or name in UNFORESEEN or name.startswith("__"))
)
"""Methods of builtin types that change nothing; equally named methods of other types are assumed not to, either."""

CHANGING_FUNCTIONS = frozenset(
    [
        "random.shuffle",
        "random.Random.shuffle",
        "builtins.setattr",
        "builtins.delattr",
        "builtins.exec",
        "builtins.eval",
        "heapq.heappush",
        "heapq.heappop",
        "heapq.heapify",
        "heapq.heapreplace",
        "heapq.heappushpop",
        "bisect.insort",
        "bisect.insort_left",
        "bisect.insort_right",
        "operator.setitem",
        "operator.delitem",
        "operator.iadd",
        "operator.iconcat",
        "operator.ior",
        "operator.iand",
        "operator.ixor",
        "operator.isub",
        "operator.imul",
    ]
)
"""Functions of the standard library that change an argument; no others do."""


ARRAYS = frozenset({"numpy", "pandas", "polars", "scipy", "torch", "xarray"})
"""Libraries of arrays."""


class Imports(Visitor):
    """The imported names of a module, and where they come from."""

    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        self.things: dict[str, str] = {}
        self.packaged: set[str] = set()
        """Modules that were imported by more than one name, and the packages around them."""

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            parts = alias.name.split(".")
            self.packaged.update(".".join(parts[: n + 1]) for n in range(1, len(parts)))
            self.modules[alias.asname or alias.name.split(".")[0]] = (
                alias.name if alias.asname else alias.name.split(".")[0]
            )

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if node.module and not node.level:
                self.things[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def from_modules(self, *modules: str) -> frozenset[str]:
        """The names that were imported from some modules."""
        return frozenset(name for name, thing in self.things.items() if thing.split(".")[0] in modules)

    def called(self, function: ast.expr) -> str | None:
        """The full name of the called function, if it is imported."""
        if isinstance(function, ast.Name):
            return self.things.get(function.id)
        if isinstance(function, ast.Attribute):
            module = self._module(function.value)
            return None if module is None else f"{module}.{function.attr}"
        return None

    def _module(self, node: ast.expr) -> str | None:
        """The module that an expression names."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id)
        if isinstance(node, ast.Attribute):
            package = self._module(node.value)
            return (
                f"{package}.{node.attr}" if package is not None and f"{package}.{node.attr}" in self.packaged else None
            )
        return None


class Change(Enum):
    """The possible effect of a call without a record of its own."""

    NOTHING = auto()
    FORESEEN = auto()
    """Changes a container, by a method whose effect follows from its arguments."""
    SURELY = auto()
    BY_ARGUMENTS = auto()
    """Changes whatever an argument changes when it is called or iterated over."""
    BY_RECEIVER = auto()
    """May change anything if the class of the receiver is not recorded."""
    BY_CALLEE = auto()
    """May change anything if the function is not recorded."""


SURE = (Change.FORESEEN, Change.SURELY)


class Scoped(Protocol):
    """The names of a scope, as `Calls` needs them."""

    def is_variable(self, name: str) -> bool:
        """Whether a name is neither a definition nor an import nor a builtin."""


class Calls:
    """The effects of the calls of one module, as far as the source shows."""

    def __init__(
        self, imports: Imports, defined: frozenset[str], classes: frozenset[str], is_user_code: Callable[[str], bool]
    ) -> None:
        self.imports, self.defined, self.classes, self.is_user_code = imports, defined, classes, is_user_code
        self.defaults = False
        """Whether the module uses a `defaultdict`, where reading an item may add it."""
        self.arrays = bool(imports.from_modules(*ARRAYS)) or not ARRAYS.isdisjoint(
            full.partition(".")[0] for full in imports.modules.values()
        )
        """Whether the module imports a library of arrays, which operators such as `/=` change in place."""

    def change(self, node: ast.Call, names: Scoped) -> Change:
        """The effect of a call."""
        function = node.func
        full = self.imports.called(function)
        root = function
        while isinstance(root, ast.Attribute):
            root = root.value
        if full is not None and isinstance(root, ast.Name) and not names.is_variable(root.id):
            return self._imported(full)
        if isinstance(function, ast.Attribute):
            return self._method(node, function, names)
        if isinstance(function, ast.Lambda):
            return Change.NOTHING
        if isinstance(function, ast.Name) and not names.is_variable(function.id):
            if function.id in CHANGING_BUILTINS:
                return Change.SURELY
            return Change.BY_ARGUMENTS if function.id in USING_BUILTINS else Change.NOTHING
        return Change.BY_CALLEE

    def _imported(self, full: str) -> Change:
        if full in CHANGING_FUNCTIONS:
            return Change.SURELY
        if self.is_user_code(full.rpartition(".")[0]):
            return Change.NOTHING
        return Change.BY_ARGUMENTS if full.partition(".")[0] in sys.stdlib_module_names else Change.SURELY

    def _is_class(self, name: str) -> bool:
        """Whether a name that is not a variable looks like a class."""
        imported = self.imports.things.get(name, "")
        return (
            name in _BUILTINS
            or name in self.classes
            or imported.startswith("collections.")
            or (name[0].isupper() and not name.isupper())
        )

    def _method(self, node: ast.Call, function: ast.Attribute, names: Scoped) -> Change:
        """The effect of a method call."""
        name, owner = function.attr, function.value
        a_class = isinstance(owner, ast.Name) and not names.is_variable(owner.id) and self._is_class(owner.id)
        if name in UNFORESEEN or (name in MUTATORS and (a_class or is_super(owner))):
            return Change.SURELY
        if name in MUTATORS:
            starred = any(isinstance(argument, ast.Starred) for argument in node.args)
            several = name in ITERATING and len(node.args) != 1
            return Change.SURELY if starred or several or node.keywords else Change.FORESEEN
        if name in self.defined or name in QUIET_METHODS or (a_class and owner.id in _BUILTINS):  # type: ignore[attr-defined]
            return Change.NOTHING
        return Change.BY_RECEIVER


def may_call_back(node: ast.expr, names: Scoped) -> bool:
    """Whether an argument may change objects when it is called or iterated over."""
    if isinstance(node, ast.Starred):
        return may_call_back(node.value, names)
    if isinstance(node, ast.Name):
        return names.is_variable(node.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not names.is_variable(node.func.id):
        return node.func.id not in _BUILTINS or makes_iterator(node, names)
    return isinstance(node, (ast.Call, ast.Attribute, ast.Subscript, ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Await))


def makes_iterator(node: ast.expr, names: Scoped) -> bool:
    """Whether an expression is an iterator that calls or iterates over something else."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not names.is_variable(node.func.id)):
        return False
    if node.func.id in ("zip", "enumerate", "reversed", "iter"):
        return any(may_call_back(argument, names) and not isinstance(argument, ast.Name) for argument in node.args)
    return node.func.id in ("map", "filter")


def shows_namespace(node: ast.AST) -> bool:
    """Whether an expression is the dictionary of an object's attributes."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "vars" and len(node.args) == 1
    return isinstance(node, ast.Attribute) and node.attr == "__dict__"


def is_display(node: ast.expr) -> bool:
    """Whether the text shows that a value is a builtin container or a constant."""
    return isinstance(
        node,
        (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp, ast.JoinedStr),
    )


def is_super(node: ast.expr) -> bool:
    """Whether an expression is a call of `super`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


_BUILTINS = frozenset(dir(builtins))
