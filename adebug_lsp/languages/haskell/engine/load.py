"""Loads a program: its module, the imported ones, and adebug's own library."""

from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files

from attrs import evolve

from adebug_lsp.languages.haskell.core.core_tree import ConstructorInfo
from adebug_lsp.languages.haskell.core.declarations import lower_module
from adebug_lsp.languages.haskell.core.entities import ModuleInfo, Program
from adebug_lsp.languages.haskell.syntax import tree as t
from adebug_lsp.languages.haskell.syntax.parser import parse
from adebug_lsp.languages.haskell.syntax.syntax_errors import HaskellSyntaxError
from adebug_lsp.languages.haskell.types.module import check_module
from adebug_lsp.languages.haskell.types.types import LIST, Scheme, TAp, TCon, TGen, Type, function

Find = Callable[[str], tuple[str, str] | None]
"""Returns the path and text of a module by name; None if there is no such file."""
_ALIASES = {"Data.Map.Strict": "Data.Map", "Data.Map.Lazy": "Data.Map"}


class ModuleError(HaskellSyntaxError):
    """A problem in one of the modules of a program."""

    def __init__(self, path: str, text: str, problem: HaskellSyntaxError) -> None:
        super().__init__(problem.message, problem.start, problem.end)
        self.path, self.text = path, text
        line = text.count("\n", 0, self.start)
        column = self.start - (text.rfind("\n", 0, self.start) + 1)
        self.place = f"{path}:{line + 1}:{column + 1}"


def load(path: str, text: str, find: Find) -> Program:
    """A whole program, with all types; raises `ModuleError`."""
    tree = _parse(path, text)
    modules: dict[str, ModuleInfo] = {}
    name = tree.name
    _collect(ModuleInfo(name, path, text, False, tree), find, modules, [])
    library = [name for name, module in modules.items() if module.trusted]
    program = copied(_library(tuple(library)))
    for module in modules.values():
        if not module.trusted:
            _add(module, program)
    return program


def library_text(name: str) -> str | None:
    """The source of a library module."""
    file = files(__package__.rpartition(".")[0]).joinpath("library").joinpath(f"{name}.hs")
    return file.read_text(encoding="utf-8") if file.is_file() else None


def copied(program: Program) -> Program:
    """A copy of a program that can be extended without changing the original."""
    tables = ("modules", "constructors", "fixities", "types", "type_modules", "parts", "classes", "methods")
    more = ("instances", "schemes", "binds", "owners", "labels")
    return evolve(program, **{name: dict(getattr(program, name)) for name in (*tables, *more)})


def _collect(module: ModuleInfo, find: Find, modules: dict[str, ModuleInfo], above: list[str]) -> None:
    """Find the imported modules, each before those that import it."""
    if module.name in above:
        cycle = " imports ".join([*above[above.index(module.name) :], module.name])
        raise ModuleError(module.path, module.text, HaskellSyntaxError(f"modules import each other: {cycle}", 0, 0))
    imports = [d for d in module.tree.declarations if isinstance(d, t.Import)]
    names = [("Prelude", (0, 0))] if module.name != "Prelude" else []
    for imported in imports:
        imported.alias = imported.alias or (imported.module if imported.module in _ALIASES else None)
        imported.module = _ALIASES.get(imported.module, imported.module)
        names.append((imported.module, imported.span))
    for name, span in names:
        if name in modules:
            continue
        source = _open(name, find)
        if source is None:
            problem = HaskellSyntaxError(
                f"module {name} was not found beside this file, and is not in adebug's library", *span
            )
            raise ModuleError(module.path, module.text, problem)
        _collect(source, find, modules, [*above, module.name])
    modules[module.name] = module


def _open(name: str, find: Find) -> ModuleInfo | None:
    text = library_text(name)
    if text is not None:
        return ModuleInfo(name, f"<library>/{name}.hs", text, True, _library_tree(name, text))
    source = find(name)
    if source is None:
        return None
    return ModuleInfo(name, source[0], source[1], False, _parse(*source))


@lru_cache(maxsize=32)
def _library_tree(name: str, text: str) -> t.Module:
    """A parsed library module, cached: parsing is most of the time to the first question."""
    return _parse(name, text)


def _parse(path: str, text: str) -> t.Module:
    try:
        return parse(text)
    except HaskellSyntaxError as problem:
        raise ModuleError(path, text, problem) from None


def _add(module: ModuleInfo, program: Program) -> None:
    program.modules[module.name] = module
    try:
        lower_module(module, program)
        check_module(module, program)
    except HaskellSyntaxError as problem:
        raise ModuleError(module.path, module.text, problem) from None


@lru_cache(maxsize=8)
def _library(names: tuple[str, ...]) -> Program:
    program = _empty()
    for name in names:
        module = _open(name, lambda _name: None)
        assert module is not None
        _add(module, program)
    return program


def _empty() -> Program:
    """A program with only the built-in types and constructors."""
    program = Program()
    a: Type = TGen(0)
    siblings: list[ConstructorInfo] = []
    listed: Type = TAp(LIST, a)
    nil = ConstructorInfo("[]", "[]", 0, 0, [], [], False, siblings, Scheme(1, (), listed))
    cons = ConstructorInfo(
        ":", "[]", 1, 2, [], [False] * 2, False, siblings, Scheme(1, (), function(a, function(listed, listed))), 5
    )
    siblings += [nil, cons]
    unit = ConstructorInfo("()", "()", 0, 0, [], [], False, [], Scheme(0, (), TCon("()")))
    unit.siblings.append(unit)
    program.constructors = {"[]": nil, ":": cons, "()": unit}
    for size in range(2, 16):
        name = f"({',' * (size - 1)})"
        kind: Type = TCon(name)
        for number in range(size):
            kind = TAp(kind, TGen(number))
        for number in reversed(range(size)):
            kind = function(TGen(number), kind)
        info = ConstructorInfo(name, name, 0, size, [], [False] * size, False, [], Scheme(size, (), kind))
        info.siblings.append(info)
        program.constructors[name] = info
    return program
