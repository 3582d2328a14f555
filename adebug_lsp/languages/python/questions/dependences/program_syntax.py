"""Definitions and imports of a program by name, and records by statement, for executable slices."""

import ast
from collections import defaultdict
from functools import cached_property

from attrs import define, field

from adebug_lsp.languages.python.reading.run import Run
from adebug_lsp.languages.python.reading.static import DEFINITIONS, SCOPES, STATEMENTS, Module, Routine

_CLAUSES = frozenset({"ExceptHandler", "match_case"})

Imports = dict[str, tuple[str, str | None]]
"""For each name that a module imports: the module it comes from, and its name there; None for a module itself."""


@define(eq=False)
class ProgramSyntax:
    """The modules of one run, each analysed once."""

    run: Run
    _markers: dict[int, dict[int, list[int]]] = field(factory=dict)
    _definitions: dict[int, dict[str, list[int]]] = field(factory=dict)
    _imports: dict[int, Imports] = field(factory=dict)

    @cached_property
    def modules(self) -> dict[str, Module]:
        """The modules, by name."""
        return {module.name: module for module in self.run.program.modules}

    def markers(self, module: Module, number: int) -> list[int]:
        """The markers of records of a statement."""
        if module.first not in self._markers:
            table = self._markers[module.first] = defaultdict(list)
            for index, marker in enumerate(module.markers):
                if marker.kind != "enter":
                    table[marker.node].append(module.first + index)
        return self._markers[module.first].get(number, [])

    def definitions(self, module: Module) -> dict[str, list[int]]:
        """The functions and classes of a module by name, in whichever scope they are."""
        if module.first not in self._definitions:
            table = self._definitions[module.first] = defaultdict(list)
            for number, node in enumerate(module.nodes):
                if node.kind in DEFINITIONS:
                    table[str(node.extra)].append(number)
        return self._definitions[module.first]

    def imports(self, module: Module) -> Imports:
        """The imports of a module, in whichever scope they are."""
        if module.first not in self._imports:
            self._imports[module.first] = _imports(module)
        return self._imports[module.first]


def _imports(module: Module) -> Imports:
    imports: Imports = {}
    for node in ast.walk(ast.parse(module.source)):
        if isinstance(node, ast.Import):
            imports.update({alias.asname or alias.name.partition(".")[0]: (alias.name, None) for alias in node.names})
        elif isinstance(node, ast.ImportFrom):
            source = _imported_module(module, node)
            imports.update({alias.asname or alias.name: (source, alias.name) for alias in node.names})
    return imports


def _imported_module(module: Module, node: ast.ImportFrom) -> str:
    """The module that an import names; a relative one is relative to the package."""
    if not node.level:
        return node.module or ""
    is_package = module.path.endswith("__init__.py")
    parts = module.name.split(".")
    package = parts[: len(parts) - node.level + is_package]
    return ".".join([*package, *([node.module] if node.module else [])])


def statement_around(module: Module, node: int) -> int:
    """The statement that contains some syntax, even from inside a lambda; -1 if there is none."""
    while node >= 0 and module.nodes[node].kind not in STATEMENTS:
        node = module.nodes[node].parent
    return node


def directly_inside(module: Module, number: int) -> list[int]:
    """The statements of a block, and of its clauses."""
    inside = list(module.children(number))
    for node in inside:  # grows while it is read
        if module.nodes[node].kind in _CLAUSES:
            inside.extend(module.children(node))
    return inside


def scope_of(module: Module, node: int) -> int:
    """The function that executes a statement; -1 is the module."""
    around = module.nodes[node].parent if node >= 0 else -1
    while around >= 0 and module.nodes[around].kind not in SCOPES:
        around = module.nodes[around].parent
    return around


def routine_around(module: Module, node: int) -> Routine:
    """The routine that executes a statement; -1 is the module."""
    scope = scope_of(module, node)
    return next(routine for routine in module.routines if routine.node == scope)
