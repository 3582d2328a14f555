"""Tests the map in docs/ARCHITECTURE.md: permitted imports between rooms with reasons; a docstring in every module."""

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

PACKAGE = ROOT / "adebug_lsp"

_CORE = {
    "model": {},
    "native": {},
    "recording": {"model": "errors that a person sees"},
    "tree": {"model": "sites, kinds and segments of nodes", "native": "halving in one pass"},
    "slicing": {"model": "values and marks that are traced"},
    "search": {
        "model": "judgements",
        "tree": "the nodes to choose from",
        "slicing": "what a mark leaves of the tree",
    },
    "store": {"model": "answers, trust and verdicts as they are saved"},
    "oracles": {"model": "questions and answers", "store": "answers of earlier sessions are an oracle"},
    "session": {
        "model": "steps, questions and verdicts",
        "tree": "what is asked about",
        "slicing": "marks are traced",
        "search": "the next question",
        "store": "a session is kept after every step",
        "oracles": "answers before a person is asked",
    },
}
_LANGUAGE = {
    "languages": {
        "model": "what the contract is made of",
        "tree": "a subject has a tree",
        "slicing": "a subject has dependences",
        "oracles": "a language brings oracles",
        "store": "answers become tests",
    },
    "languages/python/recorder": {},
    "languages/python/reading": {
        "languages/python/recorder": "the contract: numbers and tags of the file are declared there, once",
        "model": "values and places",
        "native": "passes over all words of a recording",
        "recording": "the frame of the file",
    },
    "languages/python/sandbox": {
        "languages/python/reading": "the values that are rebuilt",
        "languages/python/recorder": "the contract: kinds of writes that are executed again",
        "model": "errors and kinds of nodes",
    },
    "languages/python/questions": {
        "languages": "the contract it fulfils",
        "languages/python/reading": "the run that is asked about",
        "languages/python/recorder": "the contract: numbers of None, True and unbound variables",
        "languages/python/sandbox": "fragments to execute, and calls recorded without their inside",
        "model": "behaviours",
        "oracles": "the spectrum of passing tests is an oracle",
        "slicing": "dependences",
        "tree": "the tree that is built",
    },
    "languages/python/oracles": {
        "languages": "the reference tree",
        "languages/python/reading": "the values that are judged",
        "languages/python/sandbox": "a reference or a rule runs there",
        "languages/python/questions": "the behaviours that are judged",
        "model": "questions and answers",
        "oracles": "what an oracle is",
    },
    "languages/python/editor": {"languages": "the outline's contract", "model": "ranges and lines"},
    "languages/python": {
        "languages": "the contract it fulfils",
        "languages/python/reading": "opens a recording",
        "languages/python/questions": "makes its subject",
        "languages/python/oracles": "brings its oracles",
        "languages/python/sandbox": "brings the process that executes calls again",
        "languages/python/editor": "outlines",
        "model": "errors and places",
        "oracles": "what an oracle is",
        "store": "the place of recordings",
        "tree": "a subject's tree",
    },
    "languages/erlang/recorder": {"languages": "the user's cache", "model": "errors"},
    "languages/erlang/syntax": {"model": "ranges and lines"},
    "languages/erlang/reading": {
        "languages/erlang/syntax": "exact ranges of what the trace names",
        "model": "values and places",
        "recording": "the frame of the file",
        "tree": "columns of frames",
    },
    "languages/erlang/questions": {
        "languages": "the contract it fulfils",
        "languages/erlang/reading": "the run that is asked about",
        "languages/erlang/sandbox": "a subject has its typed rules evaluated there",
        "model": "behaviours",
        "slicing": "dependences",
        "tree": "the tree that is built",
    },
    "languages/erlang/oracles": {
        "languages": "the reference tree",
        "languages/erlang/syntax": "tests are found in the text",
        "languages/erlang/reading": "the values that are judged",
        "languages/erlang/questions": "the behaviours that are judged",
        "languages/erlang/sandbox": "a reference or a rule runs there",
        "model": "questions and answers",
        "oracles": "what an oracle is",
    },
    "languages/erlang/sandbox": {
        "languages/erlang/recorder": "the VM and its modules",
        "languages/erlang/reading": "the values that are sent",
        "model": "errors",
    },
    "languages/erlang/editor": {
        "languages": "the outline's contract",
        "languages/erlang/syntax": "the parsed text",
        "model": "ranges",
    },
    "languages/erlang": {
        "languages": "the contract it fulfils",
        "languages/erlang/recorder": "records",
        "languages/erlang/syntax": "literals of exported tests",
        "languages/erlang/reading": "opens a recording",
        "languages/erlang/questions": "makes its subject",
        "languages/erlang/oracles": "brings its oracles",
        "languages/erlang/sandbox": "starts and ends the evaluation of rules",
        "languages/erlang/editor": "outlines",
        "model": "errors and places",
        "oracles": "what an oracle is",
        "store": "answers become tests",
        "tree": "a subject's tree",
    },
    "languages/haskell/syntax": {},
    "languages/haskell/core": {"languages/haskell/syntax": "the tree that is lowered"},
    "languages/haskell/types": {
        "languages/haskell/syntax": "written types and ranges",
        "languages/haskell/core": "the expressions whose types are inferred",
    },
    "languages/haskell/engine": {
        "languages/haskell/syntax": "parses modules",
        "languages/haskell/core": "the expressions that are compiled",
        "languages/haskell/types": "types choose instances and actions",
        "model": "errors",
    },
    "languages/haskell/reading": {
        "languages/haskell/core": "the expressions that nodes are of",
        "languages/haskell/engine": "the units and columns of a trail",
        "model": "values and places",
        "recording": "the frame of the file",
    },
    "languages/haskell/questions": {
        "languages": "the contract it fulfils",
        "languages/haskell/core": "the expressions inside a reduction",
        "languages/haskell/engine": "numbers of nodes",
        "languages/haskell/reading": "the run that is asked about",
        "model": "behaviours",
        "slicing": "dependences",
        "tree": "the tree that is built",
    },
    "languages/haskell/oracles": {
        "languages/haskell/syntax": "expressions of two versions are paired by structure",
        "languages/haskell/types": "values are written by their types",
        "languages": "the reference tree",
        "languages/haskell/core": "constructors of the values that are passed",
        "languages/haskell/engine": "the reference is evaluated there",
        "languages/haskell/reading": "the values that are judged",
        "languages/haskell/questions": "the behaviours that are judged",
        "model": "questions and answers",
        "oracles": "what an oracle is",
    },
    "languages/haskell/profile": {
        "languages": "the contract's cost profile",
        "languages/haskell/syntax": "places in the text",
        "languages/haskell/core": "the expressions that are normalised",
        "languages/haskell/types": "the type of a cost centre",
        "languages/haskell/engine": "loads programs, and has the primitives",
        "model": "errors",
    },
    "languages/haskell/slices": {
        "languages/haskell/syntax": "places in the text",
        "languages/haskell/core": "the expressions that are needed",
        "languages/haskell/types": "types of what is left out",
        "languages/haskell/engine": "runs what is left",
        "languages/haskell/reading": "the run that is sliced",
        "languages/haskell/questions": "numbers of calls",
        "languages/haskell/oracles": "values are written and compared",
        "languages": "the trace that a language shows",
        "model": "errors and places",
        "slicing": "the contract it fulfils",
    },
    "languages/haskell/editor": {
        "languages/haskell/core": "clauses without a case, names",
        "languages/haskell/engine": "loads the modules of a text",
        "languages/haskell/types": "types of names",
        "languages": "the outline's contract",
        "languages/haskell/syntax": "the parsed text",
        "model": "ranges",
    },
    "languages/haskell": {
        "languages/haskell/syntax": "declarations of types that arguments are generated of",
        "languages/haskell/core": "constructors that arguments are made of",
        "languages/haskell/types": "types of properties",
        "languages": "the contract it fulfils",
        "languages/haskell/engine": "records",
        "languages/haskell/reading": "opens a recording",
        "languages/haskell/questions": "makes its subject",
        "languages/haskell/oracles": "brings its oracles",
        "languages/haskell/profile": "counts costs",
        "languages/haskell/slices": "takes slices",
        "languages/haskell/editor": "outlines",
        "model": "errors",
        "oracles": "what an oracle is",
    },
}
_BELOW = {
    "model": "what is shown",
    "tree": "hand-made trees",
    "search": "names of strategies",
    "store": "what is kept",
    "oracles": "an external command",
    "session": "what is held",
    "languages": "the registry and the contract",
}
_FRONT_ENDS = {
    "frontends/shared": {**_BELOW, "slicing": "origins and histories that are shown"},
    "frontends/dap": {**_BELOW, "frontends/shared": "what all front ends share"},
    "frontends/lsp": {**_BELOW, "frontends/shared": "what all front ends share"},
    "frontends/cli": {
        **_BELOW,
        "slicing": "`adebug slice` shows slices",
        "frontends/shared": "what all front ends share",
        "frontends/dap": "`adebug dap` starts it",
        "frontends/lsp": "`adebug lsp` starts it",
    },
    "frontends/notebook": {
        "frontends/cli": "its screen in plain IPython, and the layout of its pages",
        "frontends/shared": "what all front ends share",
        "languages": "the registry and the contract",
        "model": "errors and lines of text",
        "session": "the outcome that a page shows",
    },
    "frontends/pytest_plugin": {
        "frontends/cli": "it asks in the terminal",
        "frontends/shared": "recordings and their notes",
        "languages": "the contract",
        "languages/python": "pytest is Python's",
        "languages/python/recorder": "the plug-in that notes outcomes",
        "model": "errors",
    },
}
MAY_IMPORT: dict[str, dict[str, str]] = {**_CORE, **_LANGUAGE, **_FRONT_ENDS}
"""Every permitted import between rooms, with its reason. A new one needs a reason here."""

ROOMS = (
    "recorder",
    "syntax",
    "core",
    "types",
    "engine",
    "reading",
    "sandbox",
    "questions",
    "oracles",
    "profile",
    "slices",
    "editor",
)
"""The rooms of a language, in the order in which data flows: a room imports only those before it."""
STANDALONE = (PACKAGE / "languages" / "python" / "recorder", PACKAGE / "languages" / "python" / "sandbox" / "guest")
"""Folders that run in the user's interpreter: packages of their own, which import nothing but themselves."""

MODULES = sorted(PACKAGE.rglob("*.py"))


def room_of(parts: tuple[str, ...]) -> str:
    """The room of a module, by the parts of its path or of its dotted name below `adebug_lsp`."""
    if parts[0] == "frontends":
        return "/".join(parts[:2])
    if parts[0] == "languages" and len(parts) > 1 and (PACKAGE / "languages" / parts[1]).is_dir():
        return "/".join(parts[: 3 if len(parts) > 2 and parts[2] in ROOMS else 2])
    return parts[0]


def room(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return room_of(parts) if len(parts) > 1 else ""


def imported_rooms(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            if node.level and any(path.parents[node.level - 1].is_relative_to(folder) for folder in STANDALONE):
                continue
            assert node.level == 0, f"{path} imports relatively"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    ours = (name.split(".")[1:] for name in names if name.startswith("adebug_lsp."))
    return {room_of(tuple(parts)) for parts in ours if not parts[0].startswith("__")}


def forbidden_arrows(path: Path, own: str) -> set[str]:
    return imported_rooms(path) - set(MAY_IMPORT[own]) - {own}


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if room(path) not in ("", "frontends/__init__")],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_imports_go_one_way(path: Path) -> None:
    forbidden = forbidden_arrows(path, room(path))
    assert not forbidden, f"{room(path)} must not import {sorted(forbidden)}"


@pytest.mark.parametrize("room", [room for room in MAY_IMPORT if room.count("/") == 2])
def test_rooms_of_a_language_import_only_rooms_before_them(room: str) -> None:
    language, _, name = room.rpartition("/")
    earlier = {f"{language}/{other}" for other in ROOMS[: ROOMS.index(name)]}
    assert {other for other in MAY_IMPORT[room] if other.startswith(f"{language}/")} <= earlier


THEORY = "adebug_lsp.tree.theory"
"""The property checker and Table 1, which only the tests use."""


def imports_theory(path: Path) -> bool:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [
        f"{node.module}.{alias.name}" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    return any(f"{name}.".startswith(f"{THEORY}.") for name in names)


def test_the_product_imports_no_theory() -> None:
    folder = PACKAGE / "tree" / "theory"
    assert any(imports_theory(path) for path in folder.glob("*.py"))
    assert not [path for path in MODULES if not path.is_relative_to(folder) and imports_theory(path)]


@pytest.mark.parametrize(
    "line",
    [f"import {THEORY}.table1", f"from {THEORY} import cases", "from adebug_lsp.tree import theory"],
)
def test_the_check_sees_an_import_of_theory(line: str, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(line + "\n", encoding="utf-8")
    assert imports_theory(tmp_path / "bad.py")


def test_every_arrow_is_used() -> None:
    used: dict[str, set[str]] = {name: set() for name in MAY_IMPORT}
    for path in MODULES:
        if room(path) in used:
            used[room(path)] |= imported_rooms(path)
    unused = {
        (own, other)
        for own, others in MAY_IMPORT.items()
        for other in set(others) - used[own]
        if own not in _FRONT_ENDS
    }
    assert not unused


CONTRACT = "adebug_lsp.languages.python.recorder.contract"
"""The one module of the recorder that others may import: standard library only, and no side effects."""
LOADS_RECORDER = {"frontends/pytest_plugin"}
"""Rooms that load the recorder into their own process."""


def imported_of_recorder(path: Path) -> set[str]:
    """The modules of Python's recorder that a module imports, by their full names."""
    recorder = CONTRACT.rpartition(".")[0]
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == recorder:
            names |= {f"{recorder}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" if node.module in recorder else node.module for alias in node.names}
    return {name for name in names if f"{name}.".startswith(f"{recorder}.")}


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if room(path) not in {"languages/python/recorder", *LOADS_RECORDER}],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_of_the_recorder_only_its_contract_is_imported(path: Path) -> None:
    assert imported_of_recorder(path) <= {CONTRACT}


@pytest.mark.parametrize(
    "line",
    [
        "from adebug_lsp.languages.python.recorder.tape.writer import Writer",
        "from adebug_lsp.languages.python.recorder import isolation",
        "from adebug_lsp.languages.python import recorder",
        "import adebug_lsp.languages.python.recorder.tape.writer",
    ],
)
def test_the_check_sees_another_module_of_the_recorder(line: str, tmp_path: Path) -> None:
    module = tmp_path / "bad.py"
    module.write_text(f"from {CONTRACT} import FIRST_VALUE\n{line}\n", encoding="utf-8")
    assert len(imported_of_recorder(module) - {CONTRACT}) == 1


def test_the_contract_imports_nothing() -> None:
    path = PACKAGE.parent / Path(*CONTRACT.split(".")).with_suffix(".py")
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    assert not [ast.unparse(node) for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]


@pytest.mark.parametrize("folder", STANDALONE, ids=lambda path: path.name)
def test_code_in_the_users_interpreter_imports_only_the_standard_library(folder: Path) -> None:
    allowed = sys.stdlib_module_names | {"adebug_sandbox", "isolation"}
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [str(node.module)]
            assert {name.split(".")[0] for name in names} <= allowed, f"{path} imports {names}"


@pytest.mark.parametrize(
    ("own", "line", "forbidden"),
    [
        ("search", "from adebug_lsp.session import session", "session"),
        (
            "languages/python/reading",
            "import adebug_lsp.languages.python.questions.subject",
            "languages/python/questions",
        ),
        ("languages/erlang/questions", "from adebug_lsp.languages.python import language", "languages/python"),
        ("languages/python", "from adebug_lsp.frontends.shared import verify", "frontends/shared"),
        ("frontends/cli", "from adebug_lsp.languages.python.language import Python", "languages/python"),
    ],
)
def test_the_check_sees_a_forbidden_arrow(own: str, line: str, forbidden: str, tmp_path: Path) -> None:
    module = tmp_path / "bad.py"
    module.write_text(line + "\n", encoding="utf-8")
    assert forbidden_arrows(module, own) == {forbidden}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), f"{path} has no docstring"


MAP = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_the_map_has_a_section_with_a_sentence_for_every_room() -> None:
    sections = dict(re.findall(r"^### `(.+?)/?(?:\.py)?`\n(.*)", MAP, re.MULTILINE))
    assert set(sections) == set(MAY_IMPORT) == {room(path) for path in MODULES} - {"", "frontends/__init__"}
    assert all(re.match("[A-Z`]", text) for text in sections.values())


def test_the_map_names_only_modules_that_exist() -> None:
    names = set(re.findall(r"`([\w/]+\.(?:py|ts|erl|json))`", MAP))
    files = [path.as_posix() for folder in ("adebug_lsp", "editor", "tests") for path in (ROOT / folder).rglob("*.*")]
    assert not [name for name in names if not any(path.endswith(f"/{name}") for path in files)]
