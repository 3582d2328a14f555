"""What is known about calls that may change the objects they are given."""

import ast

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

UNFORESEEN = frozenset({"sort", "__setitem__", "__delitem__", "__iadd__", "__ior__", "__setattr__", "__setstate__"})
"""Methods whose effect is looked at afterwards."""

CHANGING_BUILTINS = frozenset({"setattr", "delattr", "exec"})

CHANGING_FUNCTIONS = frozenset(
    [
        "random.shuffle",
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
"""Functions of the standard library that change an argument; the others do not."""


class Imports(ast.NodeVisitor):
    """Which names of a module stand for imported things, and from where."""

    def __init__(self) -> None:
        self.modules: dict[str, str] = {}
        self.things: dict[str, str] = {}

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
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
        """The full name of an imported function that is called, if it is one."""
        if isinstance(function, ast.Name):
            return self.things.get(function.id)
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            module = self.modules.get(function.value.id)
            return None if module is None else f"{module}.{function.attr}"
        return None
