"""The map in docs/ARCHITECTURE.md is a test: who may import whom, and every module says what it is for."""

import ast
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

PACKAGE = ROOT / "adebug_lsp"

MAY_IMPORT = {
    "model": set(),
    "recording": {"model"},
    "tree": {"model"},
    "slicing": {"model", "tree"},
    "search": {"model", "tree", "slicing"},
    "store": {"model"},
    "oracles": {"model", "store"},
    "session": {"model", "tree", "slicing", "search", "store", "oracles"},
    "languages": {"model", "recording", "tree", "slicing", "oracles", "store"},
    "fronts": {"model", "tree", "slicing", "search", "store", "oracles", "session", "languages"},
    "dap": {"model", "tree", "slicing", "search", "store", "oracles", "session", "languages", "fronts"},
    "lsp": {"model", "tree", "slicing", "search", "store", "oracles", "session", "languages", "fronts"},
    "cli": {"model", "tree", "slicing", "search", "store", "oracles", "session", "languages", "fronts", "dap", "lsp"},
}

APART = (PACKAGE / "languages" / "python" / "recorder", PACKAGE / "languages" / "python" / "sandbox" / "guest")
"""Folders that run in the user's interpreter: packages of their own, which import nothing but themselves."""
FRONT_ENDS = ("fronts", "dap", "lsp", "cli")

MODULES = sorted(PACKAGE.rglob("*.py"))


def layer(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def imported_layers(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level and any(path.parents[node.level - 1].is_relative_to(folder) for folder in APART):
                continue
            assert node.level == 0, f"{path} imports relatively"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("adebug_lsp.") and "__" not in name}
    return found


@pytest.mark.parametrize("path", [m for m in MODULES if layer(m)], ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    own = layer(path)
    forbidden = imported_layers(path) - MAY_IMPORT[own] - {own}
    assert not forbidden, f"{own} must not import {sorted(forbidden)}"


@pytest.mark.parametrize("folder", APART, ids=lambda p: p.name)
def test_what_runs_in_the_users_interpreter_needs_the_standard_library_only(folder: Path) -> None:
    allowed = sys.stdlib_module_names | {"adebug_sandbox", "isolation"}
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [str(node.module)]
            assert {name.split(".")[0] for name in names} <= allowed, f"{path} imports {names}"


def test_front_ends_meet_languages_only_through_the_registry() -> None:
    for path in (p for p in MODULES if layer(p) in FRONT_ENDS):
        text = path.read_text(encoding="utf-8")
        assert "adebug_lsp.languages.python" not in text, f"{path} knows a language"


def test_the_check_sees_an_import_in_the_wrong_direction(tmp_path: Path) -> None:
    module = tmp_path / "bad.py"
    module.write_text("from adebug_lsp.session import session\nimport adebug_lsp.cli.main\n", encoding="utf-8")
    assert imported_layers(module) == {"session", "cli"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), f"{path} has no docstring"


def test_the_map_names_every_package() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = {layer(path) for path in MODULES if layer(path)}
    assert packages == set(MAY_IMPORT)
    assert not [name for name in packages if f"`{name}/`" not in text]
