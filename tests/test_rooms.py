"""Rooms stay small, typed, and named so that no two modules are confused."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.test_layers import MAY_IMPORT, MODULES, PACKAGE, room

MOST_MODULES = 16
"""Modules in a folder; about a dozen is the aim."""
MOST_BARE_ANY = 0.05
"""Part of the signatures of a room that may have a bare `Any`."""
VAGUE = {"found", "given", "one", "told"}
"""Names that say nothing about the value: use the noun."""
NOT_RENAMED = "frontends/dap/protocol/messages.py"
"""Words of a protocol."""
PROGRAMS = ("programs", "programs_later", "programs_erlang", "programs_haskell", "constructs", "inside", "tools")
"""Folders of programs to debug, which are written as their authors would."""
NAMELESS = ("__init__", "__main__")
CONTRACTS = {"session/subject.py": "questions/subject.py"}
"""Contracts outside `languages/`, and the modules of each language that fulfil them under the same name."""
COMMANDS = PACKAGE / "frontends" / "cli" / "commands"
"""A command's module has the name of the command, which users type."""


def subject_of(path: Path) -> str:
    """The subject of a module; rooms of two languages, and contracts in `languages/`, share theirs."""
    relative = path.relative_to(PACKAGE)
    if relative.parts[0] == "languages":
        is_of_one = len(relative.parts) > 2 and (PACKAGE / "languages" / relative.parts[1]).is_dir()
        return "/".join(relative.parts[2 if is_of_one else 1 :])
    return CONTRACTS.get(relative.as_posix(), relative.as_posix())


def confused(paths: Iterable[Path]) -> dict[str, set[str]]:
    """Names that modules about different things share."""
    by_name = defaultdict[str, set[str]](set)
    for path in paths:
        if path.stem not in NAMELESS and path.parent != COMMANDS:
            by_name[path.stem].add(subject_of(path))
    return {name: subjects for name, subjects in by_name.items() if len(subjects) > 1}


def test_no_two_modules_about_different_things_have_the_same_name() -> None:
    assert confused(MODULES) == {}


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        ("languages/python/reading/run.py", "languages/erlang/reading/run.py", False),
        ("languages/conditions.py", "languages/erlang/conditions.py", False),
        ("session/subject.py", "languages/erlang/questions/subject.py", False),
        ("languages/python/reading/run.py", "frontends/cli/commands/run.py", False),
        ("languages/python/reading/run.py", "languages/erlang/questions/run.py", True),
        ("languages/registry.py", "search/registry.py", True),
        ("languages/conditions.py", "frontends/dap/replay/conditions.py", True),
    ],
)
def test_the_check_sees_a_name_that_is_used_twice(first: str, second: str, wrong: bool) -> None:
    assert bool(confused([PACKAGE / first, PACKAGE / second])) is wrong


def test_a_folder_has_few_modules() -> None:
    sizes = defaultdict[Path, int](int)
    for path in MODULES:
        sizes[path.parent] += path.stem not in NAMELESS
    assert len(sizes) > 40
    assert {folder: size for folder, size in sizes.items() if size > MOST_MODULES} == {}


def signatures(text: str) -> Iterator[bool]:
    """For every function in a text: whether a parameter or the result is annotated with `Any` alone."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = node.args
            named = [*inside.posonlyargs, *inside.args, *inside.kwonlyargs, inside.vararg, inside.kwarg]
            annotations = [node.returns, *(argument.annotation for argument in named if argument is not None)]
            yield any(isinstance(annotation, ast.Name) and annotation.id == "Any" for annotation in annotations)


def test_a_bare_any_is_seen_wherever_it_stands() -> None:
    text = "def f(a: int, /, b: Any): ...\ndef g(*a: Any): ...\ndef h(*, a: Any = 1): ...\nasync def i() -> Any: ...\n"
    assert list(signatures(text)) == [True] * 4
    assert list(signatures("def f(a: dict[str, Any], b: int) -> list[Any]: ...")) == [False]


@pytest.mark.parametrize("name", MAY_IMPORT)
def test_few_signatures_of_a_room_have_a_bare_any(name: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in MODULES if room(path) == name]
    bare = [is_bare for text in texts for is_bare in signatures(text)]
    assert sum(bare) < MOST_BARE_ANY * len(bare) or not any(bare)


def vague_names(text: str) -> Iterator[tuple[int, str]]:
    """Lines that bind a vague name, with the name."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                if name in VAGUE:
                    yield node.lineno, name


def test_variables_are_named_by_what_they_hold() -> None:
    renamed = [path for path in MODULES if not path.relative_to(PACKAGE).as_posix().startswith(NOT_RENAMED)]
    others = [path for folder in ("tests", "benchmarks") for path in (PACKAGE.parent / folder).rglob("*.py")]
    ours = [path for path in others if not set(PROGRAMS).intersection(path.relative_to(PACKAGE.parent).parts)]
    vague = [(str(path), *name) for path in (*renamed, *ours) for name in vague_names(path.read_text("utf-8"))]
    assert vague == []


def test_the_check_sees_vague_names() -> None:
    text = "def told(one, *, given=1):\n    for found in one:\n        print(found)\n"
    assert sorted(vague_names(text)) == [(1, "given"), (1, "one"), (1, "told"), (2, "found")]
