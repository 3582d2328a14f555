"""The names that a scope binds; those that other code can change must be read in place.

A name is *private* to a function when only its own statements bind and read it. Every other name that is a variable
(not a definition, an import or a builtin) is recorded when it is read.
"""

import ast
import builtins
import sys
from collections.abc import Collection, Iterable, Sequence

from .syntax_walk import Visitor, walk, walk_all

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BUILTINS = frozenset(dir(builtins))
COMPREHENSIONS_ARE_INLINED = sys.version_info >= (3, 12)
"""Whether comprehensions are inlined and share the variables of the enclosing function (PEP 709)."""


class Bound(Visitor):
    """Collects the bindings of one scope, without entering the scopes inside it."""

    def __init__(self) -> None:
        self.variables: set[str] = set()
        self.definitions: set[str] = set()
        self.declared: set[str] = set()
        """Names declared `global` or `nonlocal`."""
        self.shared: set[str] = set()
        """Names declared `global`."""
        self.deleted: set[str] = set()
        self.inner: list[ast.AST] = []
        self.uses_locals = False
        self.yields = False

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.variables.add(node.id)
            if isinstance(node.ctx, ast.Del):
                self.deleted.add(node.id)

    def visit_Call(self, node: ast.Call) -> None:
        self.uses_locals |= _looks_at_locals(node)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.definitions.add(node.name)
        self.inner.append(node)
        for part in (*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d)):
            self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.definitions.add(node.name)
        self.inner.append(node)
        for part in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords)):
            self.visit(part)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.inner.append(node)
        for part in (*node.args.defaults, *(d for d in node.args.kw_defaults if d)):
            self.visit(part)

    def _comprehension(self, node: ast.AST) -> None:
        self.inner.append(node)
        first = node.generators[0].iter  # type: ignore[attr-defined]
        self.visit(first)
        for part in walk(node):
            if isinstance(part, ast.NamedExpr):
                self.variables.add(part.target.id)
            elif isinstance(part, ast.Call) and COMPREHENSIONS_ARE_INLINED:
                self.uses_locals |= _looks_at_locals(part)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_Import(self, node: ast.Import) -> None:
        self.definitions.update((a.asname or a.name).split(".")[0] for a in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.definitions.update(a.asname or a.name for a in node.names)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.variables.add(node.name)
            self.deleted.add(node.name)
        self.generic_visit(node)

    def _captures(self, node: ast.AST) -> None:
        name = getattr(node, "name", None) or getattr(node, "rest", None)
        if name:
            self.variables.add(name)
        self.generic_visit(node)

    visit_MatchAs = visit_MatchStar = visit_MatchMapping = _captures

    def visit_Global(self, node: ast.Global) -> None:
        self.declared.update(node.names)
        self.shared.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.declared.update(node.names)

    def _yield(self, node: ast.AST) -> None:
        self.yields = True
        self.generic_visit(node)

    visit_Yield = visit_YieldFrom = _yield


def _looks_at_locals(node: ast.Call) -> bool:
    called = node.func.id if isinstance(node.func, ast.Name) else ""
    return len(node.args) <= {"locals": 0, "vars": 0, "dir": 0, "eval": 1, "exec": 1}.get(called, -1)


def parameters(arguments: ast.arguments) -> list[str]:
    """The names of all parameters, in order."""
    plain = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    if arguments.vararg:
        plain.append(arguments.vararg.arg)
    plain += [a.arg for a in arguments.kwonlyargs]
    if arguments.kwarg:
        plain.append(arguments.kwarg.arg)
    return plain


def names_inside(trees: Sequence[ast.AST]) -> set[str]:
    """Every name that occurs anywhere in these scopes."""
    names: set[str] = set()
    for node in walk_all(trees):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            names.update(node.names)
    return names


def mentions(nodes: Iterable[ast.AST]) -> set[str]:
    """The words that occur among these nodes as a name or as an attribute."""
    words = set()
    for node in nodes:
        if isinstance(node, ast.Name):
            words.add(node.id)
        elif isinstance(node, ast.Attribute):
            words.add(node.attr)
    return words


def makes(nodes: Collection[ast.AST], words: frozenset[str]) -> bool:
    """Whether one of these names is called by one of these nodes, except in a `with`, which closes the result.

    Methods of that name do not count: a game may `open` doors.
    """
    managed = {id(item.context_expr) for node in nodes for item in getattr(node, "items", ())}
    return any(
        isinstance(node, ast.Call) and id(node) not in managed and getattr(node.func, "id", None) in words
        for node in nodes
    )


def walrus(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that are bound by `:=`."""
    return {node.target.id for node in nodes if isinstance(node, ast.NamedExpr)}


def attributes_set(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names of all attributes that are set somewhere."""
    return frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))


class Names:
    """The names of one scope and how they are bound."""

    def __init__(self, body: list[ast.stmt], arguments: ast.arguments | None, above: "Names | None", function: bool):
        bound = Bound()
        for statement in body:
            bound.visit(statement)
        self.above = above
        self.function = function
        self.uses_locals = bound.uses_locals
        self.yields = bound.yields
        self.parameters = parameters(arguments) if arguments else []
        self.variables = (bound.variables | set(self.parameters)) - bound.declared
        self.kept = self.variables - bound.deleted
        """Variables that are never deleted; parameters among them always have a value."""
        self.declared = bound.declared
        self.of_module = bound.shared
        """Names declared `global`."""
        self.definitions = bound.definitions - bound.variables
        self.rebound = bound.definitions & bound.variables
        self.private: set[str] = set()
        if function:
            self.private = self.variables - names_inside(bound.inner) - bound.deleted - bound.definitions
        self.certain: set[ast.AST] = set()
        """Reads of private names that cannot fail."""
        self.walrus: set[str] = set()
        """Names that the current statement binds inside an expression."""

    def is_private(self, name: str) -> bool:
        """Whether no other code can bind the name while this scope's expression is evaluated."""
        return name in self.private and name not in self.walrus

    def is_free(self, name: str) -> bool:
        """Whether the name is a variable or definition of an enclosing function."""
        if name in self.variables or name in self.definitions or name in self.of_module:
            return False
        scope = self.above
        while scope is not None:
            if scope.function and (name in scope.variables or name in scope.definitions or name in scope.rebound):
                return True
            scope = scope.above
        return False

    def is_variable(self, name: str) -> bool:
        """Whether a name is a variable, whose value is worth recording."""
        if name in self.variables or name in self.declared or name in self.rebound:
            return True
        if name in self.definitions:
            return False
        scope = self.above
        while scope is not None:
            if scope.function or scope.above is None:
                if name in scope.variables or name in scope.rebound:
                    return True
                if name in scope.definitions:
                    return False
            scope = scope.above
        return name not in BUILTINS and not name.startswith("__")
