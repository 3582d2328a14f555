"""The names that a module can see, and all entities of a program."""

from __future__ import annotations

import difflib
from typing import Any

from attrs import define, field

from adebug_lsp.languages.haskell.core.core_tree import Bind, ConstructorInfo, short
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError

BUILTIN_TYPES = ("->", "[]", "()", *(f"({',' * n})" for n in range(1, 15)))


@define(eq=False)
class ClassInfo:
    """A type class."""

    name: str
    variable: str
    supers: list[str]
    methods: list[str]
    """Qualified names in the order of the dictionary, after the superclasses."""
    signatures: dict[str, Any] = field(factory=dict)
    defaults: dict[str, Bind] = field(factory=dict)
    span: t.Span = (0, 0)


@define(eq=False)
class InstanceInfo:
    """An instance: its dictionary has one global function for each method."""

    class_name: str
    type_name: str
    parameters: int
    context: list[tuple[str, int]]
    """Classes of its type parameters, by position."""
    module: str
    name: str
    methods: dict[str, str] = field(factory=dict)
    """The global function of each method that the instance or its class defines."""
    number: int = 0
    span: t.Span = (0, 0)


@define(eq=False)
class ModuleInfo:
    """A module: its text and definitions."""

    name: str
    path: str
    text: str
    trusted: bool
    tree: t.Module
    values: dict[str, set[str]] = field(factory=dict)
    """Visible names of variables and constructors, qualified ones too, with the entities that they may mean."""
    types: dict[str, set[str]] = field(factory=dict)
    exported_values: dict[str, str] = field(factory=dict)
    exported_types: dict[str, str] = field(factory=dict)
    groups: list[list[Bind]] = field(factory=list)
    instances: list[InstanceInfo] = field(factory=list)
    local_types: dict[str, Any] = field(factory=dict)
    """Types or schemes of local variables, after inference."""


@define(eq=False)
class Program:
    """All modules of a program, and their entities by qualified name."""

    modules: dict[str, ModuleInfo] = field(factory=dict)
    constructors: dict[str, ConstructorInfo] = field(factory=dict)
    fixities: dict[str, tuple[str, int]] = field(factory=dict)
    types: dict[str, t.Data | t.Synonym | None] = field(factory=dict)
    """Declarations of types; None for primitive ones."""
    type_modules: dict[str, ModuleInfo] = field(factory=dict)
    parts: dict[str, list[str]] = field(factory=dict)
    """The constructors and labels of each type, and the methods of each class, by qualified name."""
    classes: dict[str, ClassInfo] = field(factory=dict)
    methods: dict[str, str] = field(factory=dict)
    """The class of each method."""
    instances: dict[tuple[str, str], InstanceInfo] = field(factory=dict)
    schemes: dict[str, Any] = field(factory=dict)
    """Types of global variables."""
    binds: dict[str, Bind] = field(factory=dict)
    owners: dict[str, ModuleInfo] = field(factory=dict)
    """The module of each global binding."""
    labels: dict[str, list[ConstructorInfo]] = field(factory=dict)
    """The constructors that have a field with this label."""

    def instance_list(self) -> list[InstanceInfo]:
        """All instances, by number."""
        return sorted(self.instances.values(), key=lambda instance: instance.number)


def resolve(table: dict[str, set[str]], name: str, span: t.Span, what: str) -> str:
    """The entity that a name means; raises `HaskellSyntaxError` unless there is exactly one."""
    entities = table.get(name)
    if not entities:
        raise HaskellSyntaxError(f"{what} not in scope: {name}{_similar(table, name)}", *span)
    if len(entities) > 1:
        options = " or ".join(sorted(entities))
        raise HaskellSyntaxError(f"ambiguous: {name} is {options}; import one of them qualified or hide it", *span)
    return next(iter(entities))


def _similar(table: dict[str, set[str]], name: str) -> str:
    """A hint with a similar name, if there is one."""
    close = difflib.get_close_matches(name, table, 1, 0.75)
    return f"; did you mean {close[0]}?" if close else ""


def import_names(module: ModuleInfo, program: Program) -> None:
    """Fill in the visible names of a module from its imports and its own definitions."""
    imports = [d for d in module.tree.declarations if isinstance(d, t.Import)]
    if module.name != "Prelude":  # for derived instances, whatever the module hides
        for name, entity in program.modules["Prelude"].exported_values.items():
            module.values[f"Prelude.{name}"] = {entity}
        for name, entity in program.modules["Prelude"].exported_types.items():
            module.types[f"Prelude.{name}"] = {entity}
    if module.name != "Prelude" and not any(imported.module == "Prelude" for imported in imports):
        imports.insert(0, t.Import((0, 0), "Prelude", False, None, False, None))
    for name in BUILTIN_TYPES:
        module.types[name] = {name}
    for name in (":", "[]", "()", *BUILTIN_TYPES[3:]):
        module.values[name] = {name}
    for imported in imports:
        source = program.modules[imported.module]
        values, types = _selected(imported, source, program)
        if not module.trusted and source.name == "Prelude":
            values = {name: entity for name, entity in values.items() if not _is_internal(name)}
        prefix = imported.alias or imported.module
        for table, names in ((module.values, values), (module.types, types)):
            for name, entity in names.items():
                table.setdefault(f"{prefix}.{name}", set()).add(entity)
                if not imported.qualified:
                    table.setdefault(name, set()).add(entity)
        if source.trusted and not module.trusted:
            _show_constructors(source, module, program)


def _show_constructors(source: ModuleInfo, module: ModuleInfo, program: Program) -> None:
    """Make constructors of the library's abstract types visible by full name, to write down recorded values."""
    for info in program.constructors.values():
        if info.name.startswith(f"{source.name}.") and source.name != "Prelude":
            module.values.setdefault(info.name, {info.name})


_NOT_IN_PRELUDE = frozenset({"toList", "bool", "traverse_", "liftA2"})
"""Names that other modules export in GHC; our Prelude defines them for its classes."""


def _is_internal(name: str) -> bool:
    return name in _NOT_IN_PRELUDE or (name.startswith("prim") and name[4:5].isupper())


def _selected(imported: t.Import, source: ModuleInfo, program: Program) -> tuple[dict[str, str], dict[str, str]]:
    """The values and types that an import makes visible."""
    values, types = source.exported_values, source.exported_types
    if imported.names is None:
        return values, types
    chosen_values, chosen_types = dict[str, str](), dict[str, str]()
    for name, parts in imported.names:
        if name in values and not name[0].isupper():
            chosen_values[name] = values[name]
        elif name in types:
            chosen_types[name] = types[name]
            own = {n: q for n, q in ((short(q), q) for q in program.parts.get(types[name], [])) if n in values}
            chosen_values |= {n: q for n, q in own.items() if parts is not None and (".." in parts or n in parts)}
        elif not imported.hiding:
            raise HaskellSyntaxError(f"module {imported.module} does not export {name}", *imported.span)
    if not imported.hiding:
        return chosen_values, chosen_types
    return (
        {n: q for n, q in values.items() if n not in chosen_values},
        {n: q for n, q in types.items() if n not in chosen_types},
    )


def export_names(module: ModuleInfo, program: Program, own_values: dict[str, str], own_types: dict[str, str]) -> None:
    """Fill in what a module exports."""
    exports = module.tree.exports
    if exports is None or module.name == "Main":
        module.exported_values, module.exported_types = own_values, own_types
        return
    for name, parts in exports:
        if name.startswith("module "):
            _export_module(module, name[7:], own_values, own_types)
        elif name in module.values and not name.rpartition(".")[2][:1].isupper():
            module.exported_values[short(name)] = resolve(module.values, name, (0, 0), "variable")
        elif name in module.types:
            entity = resolve(module.types, name, (0, 0), "type")
            module.exported_types[short(name)] = entity
            for qualified in program.parts.get(entity, []):
                if parts is not None and (".." in parts or short(qualified) in parts):
                    module.exported_values[short(qualified)] = qualified
        else:
            raise HaskellSyntaxError(f"the module exports {name}, but does not define it", 0, 0)


def _export_module(module: ModuleInfo, name: str, own_values: dict[str, str], own_types: dict[str, str]) -> None:
    """Export what `module NAME` in an export list stands for."""
    if name == module.name:
        module.exported_values |= own_values
        module.exported_types |= own_types
        return
    for table, target in ((module.values, module.exported_values), (module.types, module.exported_types)):
        for visible, entities in table.items():
            if visible.startswith(f"{name}.") and len(entities) == 1:
                target[visible[len(name) + 1 :]] = next(iter(entities))
