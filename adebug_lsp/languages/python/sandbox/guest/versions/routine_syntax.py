"""Queries on syntax trees: routines, the names that they bind, and the heads of definitions.

Nothing here runs code. A routine is found by its qualified name or its source position.
"""

import ast
from collections.abc import Iterator
from typing import Any, TypeVar

from ..protocol import Scope

Place = tuple[int, int, int, int]
DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*DEFS, ast.Lambda)
Node = TypeVar("Node")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Routine:
    """A function, lambda or module body with its enclosing routine and classes."""

    __slots__ = ("classes", "name", "node", "outer")

    def __init__(self, name: str, node: Any, outer: "Routine | None", classes: tuple[str, ...]) -> None:
        self.name = name
        self.node = node
        self.outer = outer
        """The enclosing routine; None for a module body."""
        self.classes = classes
        """Classes between it and the enclosing routine, innermost last."""


def routines(tree: ast.Module) -> Iterator[Routine]:
    """All routines of a module, outer ones first."""
    whole = Routine("", tree, None, ())
    yield whole
    yield from _inside(tree, whole, "", ())


def _inside(node: ast.AST, outer: Routine, prefix: str, classes: tuple[str, ...]) -> Iterator[Routine]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, SCOPES):
            name = prefix + (child.name if isinstance(child, DEFS) else "<lambda>")
            routine = Routine(name, child, outer, classes)
            yield routine
            yield from _inside(child, routine, f"{name}.<locals>.", ())
        elif isinstance(child, ast.ClassDef):
            yield from _inside(child, outer, f"{prefix}{child.name}.", (*classes, child.name))
        else:
            yield from _inside(child, outer, prefix, classes)


def place(node: ast.AST) -> Place | None:
    """First line, first column, last line, last column."""
    try:
        return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
    except AttributeError:
        return None


def own_nodes(routine: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a routine, without those inside nested functions."""
    waiting = list(ast.iter_child_nodes(routine))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, SCOPES):
            waiting.extend(_head_parts(node))
        else:
            waiting.extend(ast.iter_child_nodes(node))


def _head_parts(node: Scope) -> list[ast.AST]:
    parts: list[ast.AST] = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
    return [*parts, *getattr(node, "decorator_list", ())]


def parameters(routine: ast.AST) -> list[str]:
    """Names of the parameters in order, including `*args` and `**kwargs`."""
    if not isinstance(routine, SCOPES):
        return []
    args = routine.args
    nodes = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [parameter.arg for parameter in nodes if parameter is not None]


def optional(routine: Scope) -> set[str]:
    """Parameters that a call may omit."""
    args = routine.args
    positional = [*args.posonlyargs, *args.args]
    names = {parameter.arg for parameter in positional[len(positional) - len(args.defaults) :]}
    names |= {
        parameter.arg
        for parameter, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
        if default is not None
    }
    return names | {parameter.arg for parameter in (args.vararg, args.kwarg) if parameter is not None}


def declared(routine: ast.AST, kind: type) -> set[str]:
    """The names in `global` or `nonlocal` statements of a routine."""
    return {name for node in own_nodes(routine) if isinstance(node, kind) for name in node.names}  # type: ignore[attr-defined]


def bound(routine: ast.AST) -> set[str]:
    """The variables of a routine: parameters and assigned names, without those declared global or nonlocal."""
    names = set(parameters(routine)) if isinstance(routine, (*SCOPES, ast.Module)) else set()
    for node in _without_comprehensions(routine):
        names |= set(names_bound_by(node))
    return names - declared(routine, ast.Global) - declared(routine, ast.Nonlocal)


def _without_comprehensions(routine: ast.AST) -> Iterator[ast.AST]:
    """Nodes in a routine's own scope; of comprehensions and classes only those that bind outside of them."""
    waiting = list(ast.iter_child_nodes(routine))
    while waiting:
        node = waiting.pop()
        if isinstance(node, COMPREHENSIONS):
            yield from (inner for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr))
            yield from (inner.target for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr))
            continue
        yield node
        if isinstance(node, (*SCOPES, ast.ClassDef)):
            continue
        waiting.extend(ast.iter_child_nodes(node))


def names_bound_by(node: ast.AST) -> Iterator[str]:
    """Names that this node itself binds."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node.id
    elif isinstance(node, (*DEFS, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def names_in(node: ast.AST) -> set[str]:
    """Every name inside a node."""
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return names.union(*(inner.names for inner in ast.walk(node) if isinstance(inner, (ast.Nonlocal, ast.Global))))


def head(node: ast.AST) -> str:
    """Code that a definition evaluates when executed: everything but function bodies and annotations."""
    if isinstance(node, SCOPES):
        defaults = [part and ast.dump(part) for part in (*node.args.defaults, *node.args.kw_defaults)]
        decorators = [ast.dump(part) for part in getattr(node, "decorator_list", ())]
        return repr((type(node).__name__, parameters(node), defaults, decorators))
    if isinstance(node, ast.ClassDef):
        parts = [*node.decorator_list, *node.bases, *node.keywords]
        return repr(
            ("class", node.name, [ast.dump(part) for part in parts], [head(statement) for statement in node.body])
        )
    if isinstance(node, ast.Module):
        return repr([head(statement) for statement in node.body])
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return ""  # a docstring
    return ast.dump(_Headless().visit(copy(node)))


class _Headless(ast.NodeTransformer):
    """Replaces functions inside a statement by their heads."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.Expr:
        return ast.Expr(ast.Constant(head(node)))

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.Expr:
        return ast.Expr(ast.Constant(head(node)))


def copy(node: Node) -> Node:
    """A deep copy; `copy.deepcopy` takes ten times as long."""
    if isinstance(node, list):
        return [copy(part) for part in node]  # type: ignore[return-value]
    if not isinstance(node, ast.AST):
        return node
    made = type(node)(**{name: copy(value) for name, value in ast.iter_fields(node)})
    return ast.copy_location(made, node) if hasattr(node, "lineno") else made


class Mangler(ast.NodeTransformer):
    """Mangles private names as the compiler does.

    https://docs.python.org/3/reference/expressions.html#private-name-mangling
    """

    def __init__(self, owner: str) -> None:
        self.prefix = "_" + owner.lstrip("_")

    def _mangled(self, name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and self.prefix != "_"
        return self.prefix + name if private else name

    def visit_Name(self, node: ast.Name) -> ast.AST:  # noqa: D102
        node.id = self._mangled(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:  # noqa: D102
        self.generic_visit(node)
        node.attr = self._mangled(node.attr)
        return node
