"""The static facts of one module: its nodes with their ranges, its markers with their slots, its routines.

They are plain lists, ready to be written as JSON; the reader finds everything about a record by its marker's number.
Columns are UTF-8 bytes, as the syntax tree counts them.
"""

import ast
from collections.abc import Collection
from typing import Any

from ..contract import RECORD_KINDS
from .call_effects import Calls
from .syntax_walk import children


class ModuleMap:
    """The map of one module, filled while it is instrumented."""

    def __init__(self, path: str, module: str, source: str, first: int) -> None:
        self.path, self.module, self.source, self.first = path, module, source, first
        self.nodes: list[list[Any]] = []
        self.markers: list[dict[str, Any]] = []
        self.routines: list[dict[str, Any]] = []
        self.signatures: dict[int, dict[str, Any]] = {}
        self._ids: dict[ast.AST, int] = {}
        self.calls: Calls
        """The effects of the calls of the module; for the rewriter only."""
        self.full = True
        """Whether functions are recorded with all sub-expressions; module bodies always are, since they run once."""
        self.temporaries = 0
        """How many temporaries of module and class bodies were made; for the rewriter only."""
        self.answered = False
        """Whether the recorder can answer calls instead of running them (see `answered_calls.py`)."""

    def number_nodes(self, tree: ast.AST) -> None:
        """Number every expression and statement before anything is moved."""
        stack: list[tuple[ast.AST, int]] = [(tree, -1)]
        while stack:
            node, parent = stack.pop()
            own = parent
            if isinstance(
                node, (ast.expr, ast.stmt, ast.ExceptHandler, ast.comprehension, ast.match_case, ast.withitem)
            ):
                own = self._add(node, parent)
            stack.extend((child, own) for child in reversed(children(node)))
        for node, number in self._ids.items():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                self.signatures[number] = self._signature(node.args)

    def _signature(self, arguments: ast.arguments) -> dict[str, Any]:
        """The parameters of a function by kind, and the node of each default."""
        positional = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        keyword = [a.arg for a in arguments.kwonlyargs]
        with_default = positional[len(positional) - len(arguments.defaults) :]
        defaults = [*zip(with_default, arguments.defaults, strict=True)]
        defaults += [(name, node) for name, node in zip(keyword, arguments.kw_defaults, strict=True) if node]
        return {
            "positional": positional,
            "rest": arguments.vararg.arg if arguments.vararg else None,
            "keyword": keyword,
            "others": arguments.kwarg.arg if arguments.kwarg else None,
            "defaults": {name: self._ids[node] for name, node in defaults},
        }

    def _add(self, node: ast.AST, parent: int) -> int:
        number = self._ids[node] = len(self.nodes)
        if node._attributes:
            place = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
        else:
            place = None, None, None, None
        self.nodes.append([_kind(node), *place, parent, _extra(node)])
        return number

    def node(self, node: ast.AST) -> int:
        """The number of a node; -1 for a node that is not in the program."""
        return self._ids.get(node, -1)

    @property
    def originals(self) -> Collection[ast.AST]:
        """All nodes that have a number: expressions, statements and their parts."""
        return self._ids.keys()

    def marker(self, kind: str, node: int, routine: int, **facts: object) -> int:
        """Add a marker; returns its number."""
        assert kind in RECORD_KINDS, f"{kind} is no kind of record"
        self.markers.append({"kind": kind, "node": node, "routine": routine, **facts})
        return self.first + len(self.markers) - 1

    def routine(self, **facts: object) -> int:
        """Add a routine; returns its index."""
        self.routines.append(facts)
        return len(self.routines) - 1

    def as_json(self) -> dict[str, Any]:
        """The content of a `MODL` segment."""
        return {
            "path": self.path,
            "module": self.module,
            "source": self.source,
            "first": self.first,
            "nodes": self.nodes,
            "markers": self.markers,
            "routines": self.routines,
            "signatures": self.signatures,
        }


def _kind(node: ast.AST) -> str:
    """The name of the class; `Bound` for a name that is bound or deleted."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return "Bound"
    return type(node).__name__


def _extra(node: ast.AST) -> object:
    """Facts about a node that the reader needs besides its kind and range."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Constant):
        return repr(node.value) if not isinstance(node.value, (str, bytes)) or len(node.value) < 200 else "..."
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.AugAssign)):
        return type(node.op).__name__
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return node.names
    if isinstance(node, ast.Compare):
        return [type(op).__name__ for op in node.ops]
    return _layout(node)


def _layout(node: ast.AST) -> str | None:
    """The roles of a node's children, where their numbers do not show them.

    The keywords of a call (`a= **`), the pairs of a dict display (`:` or `**`), the bounds of a slice (`start`...).
    """
    if isinstance(node, ast.Call) and node.keywords:
        return " ".join(f"{keyword.arg}=" if keyword.arg else "**" for keyword in node.keywords)
    if isinstance(node, ast.Dict):
        return " ".join(":" if key else "**" for key in node.keys)
    if isinstance(node, ast.Slice):
        bounds = (("start", node.lower), ("stop", node.upper), ("step", node.step))
        return " ".join(name for name, bound in bounds if bound)
    return None
