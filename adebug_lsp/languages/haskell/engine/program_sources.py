"""The sources of a program: its main module and those beside it, by path in the workspace."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from attrs import frozen

from adebug_lsp.languages.haskell.core.entities import Program
from adebug_lsp.languages.haskell.engine.load import ModuleError, load
from adebug_lsp.languages.haskell.engine.program_execution import Compiled, compile_program
from adebug_lsp.model.errors import BadInputError

START = "adebugStart"
"""The name of the definition for an expression to evaluate."""


@frozen
class Sources:
    """Texts of the user's modules."""

    program: str
    """The path of the main module."""
    texts: tuple[tuple[str, str], ...]
    names: tuple[tuple[str, str], ...]
    """Names of the other modules with their paths."""
    start: str = ""
    """The expression to evaluate, in the scope of the main module; empty: `main` runs."""


def read_sources(program: Path, workspace: Path) -> tuple[Sources, Program]:
    """Read a program with its imported modules, and check it; raises `BadInputError` with the place of a problem."""
    texts: dict[str, str] = {}
    names: dict[str, str] = {}

    def find(name: str) -> tuple[str, str] | None:
        for folder in (program.parent, workspace, workspace / "src"):
            file = folder.joinpath(*name.split(".")).with_suffix(".hs")
            if file.is_file():
                path = _name(file, workspace)
                texts[path], names[name] = _read(file), path
                return path, texts[path]
        return None

    path = _name(program, workspace)
    texts[path] = _read(program)
    checked = _checked(path, texts[path], find)
    return Sources(path, tuple(texts.items()), tuple(names.items())), checked


@lru_cache(maxsize=4)
def compiled_program(sources: Sources) -> Compiled:
    """The compiled program; equal sources give equal units."""
    texts, names = dict(sources.texts), dict(sources.names)

    def find(name: str) -> tuple[str, str] | None:
        return (names[name], texts[names[name]]) if name in names else None

    text = texts[sources.program]
    if sources.start:
        program = _checked(sources.program, f"{text}\n{START} = {sources.start}\n", find)
        module = next(module for module in program.modules.values() if module.path == sources.program)
        return compile_program(program, f"{module.name}.{START}")
    program = _checked(sources.program, text, find)
    main = program.modules.get("Main")
    if main is None or "Main.main" not in program.binds:
        raise BadInputError(f"{sources.program}: there is no main in it; a program is a module Main with a main")
    return compile_program(program)


def _checked(path: str, text: str, find: object) -> Program:
    try:
        return load(path, text, find)  # type: ignore[arg-type]
    except ModuleError as problem:
        raise BadInputError(f"{problem.place}: {problem.message}") from None


@lru_cache(maxsize=1)
def library_hash() -> str:
    """A hash of library and compiler, which decide what the numbers of a trail mean."""
    root = files(__package__.rpartition(".")[0])
    digest = hashlib.sha256()
    for room in ("library", "core", "engine", "types", "syntax"):
        for file in sorted(root.joinpath(room).iterdir(), key=lambda file: file.name):
            if file.is_file() and not file.name.endswith(".pyc"):
                digest.update(file.read_bytes())
    return digest.hexdigest()


def _name(file: Path, workspace: Path) -> str:
    file, root = file.resolve(), workspace.resolve()
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else file.as_posix()


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{file}: cannot be read: {error}") from error
