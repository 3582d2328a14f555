"""The recorder runs on modules of its own: nothing that a program replaces in its modules can reach it."""

import builtins
import os
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from adebug_lsp.languages.python.recorder.isolation import SHARED, Isolated, isolated_recorder
from tests.languages.python.recording.support import RECORDER_FOLDER

OUTSIDE = {"__main__", "isolation"}
"""The modules that load the others: they run before anything is isolated."""


def modules_in(folder: Path) -> list[str]:
    """The names of all modules at any depth of a recorder's folder, apart from those that load the others."""
    paths = (path.relative_to(folder).with_suffix("").parts for path in folder.rglob("*.py"))
    return sorted({".".join(parts[:-1] if parts[-1] == "__init__" else parts) for parts in paths} - {"", *OUTSIDE})


NAMES = modules_in(RECORDER_FOLDER)
PROGRAMS = {
    "instrument.instrumenter": {"_warnings"},
    "run.notebook_cells": {"_linecache"},
    "run.process_starts": {"_programs"},
    "run.program": {"_programs"},
    "run.recording_process": {"_programs"},
    "observe.object_inspector": {"_programs"},
    "tape.tape": {"_programs"},
    "tape.threads": {"_programs", "_threading"},
}
"""The modules of the program that a module of the recorder looks at on purpose, or changes."""


def modules_of_the_program(recorder: Isolated, name: str) -> set[str]:
    """The names of a module of the recorder that hold a module of the program."""
    shared = {id(other) for other in sys.modules.values() if isinstance(other, ModuleType)}
    held = vars(recorder.modules[f"adebug_recorder.{name}"])
    return {key for key, value in held.items() if id(value) in shared}


@pytest.fixture(scope="module")
def recorder() -> Isolated:
    isolated = isolated_recorder()
    for name in NAMES:
        isolated.load(f"adebug_recorder.{name}")
    return isolated


def test_a_new_module_is_covered_wherever_it_lies(tmp_path: Path) -> None:
    for name in ("__init__.py", "__main__.py", "isolation.py", "top.py", "room/__init__.py", "room/inner/deep.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert modules_in(tmp_path) == ["room", "room.inner.deep", "top"]
    assert {"contract", "contract_files", "tape", "tape.writer", "native.loader"} <= set(NAMES)


def test_the_check_finds_a_module_that_uses_the_programs_modules(tmp_path: Path) -> None:
    """The check below fails on a module that takes `json` from the program in place of importing its own."""
    (tmp_path / "__init__.py").touch()
    (tmp_path / "leaking.py").write_text("from importlib import import_module\n_json = import_module('json')\n")
    recorder = Isolated("adebug_recorder", str(tmp_path))
    recorder.load("adebug_recorder.leaking")
    assert modules_of_the_program(recorder, "leaking") == {"_json"}


def functions_of(module: ModuleType) -> list[FunctionType]:
    """Those made in a module, in its classes too."""
    spaces: list[dict[str, Any]] = [vars(module)]
    spaces += [
        dict(vars(cls)) for cls in vars(module).values() if type(cls) is type and cls.__module__ == module.__name__
    ]
    held = [getattr(value, "__wrapped__", value) for space in spaces for value in space.values()]
    return [value for value in held if type(value) is FunctionType]


@pytest.mark.parametrize("name", NAMES)
def test_a_module_of_the_recorder_has_its_own_builtins_and_modules(recorder: Isolated, name: str) -> None:
    module = recorder.modules[f"adebug_recorder.{name}"]
    assert vars(module)["__builtins__"] is not vars(builtins)
    assert vars(module)["__builtins__"]["open"] is open
    modules = modules_of_the_program(recorder, name)
    assert modules <= PROGRAMS.get(name, set()), f"{name} uses modules of the program"


def test_functions_that_the_recorder_uses_run_on_its_own_modules(recorder: Isolated) -> None:
    """Also those of the standard library, unless it is only copied."""
    own = {id(vars(module)) for module in recorder.modules.values()}
    own |= {id(vars(module)) for name, module in sys.modules.items() if name.partition(".")[0] in SHARED}
    private = vars(recorder.modules["adebug_recorder"])["__builtins__"]
    executed = [module for module in recorder.modules.values() if vars(module).get("__builtins__") is private]
    assert {"ast", "json", "os", "posixpath" if os.name == "posix" else "ntpath"} <= {
        module.__name__ for module in executed
    }
    for module in executed:
        for function in functions_of(module):
            none = function.__globals__["__builtins__"] == {}  # that of a named tuple uses nothing
            assert none or id(function.__globals__) in own, f"{module.__name__}: {function.__qualname__}"


def test_the_recorder_is_not_on_the_import_path(recorder: Isolated) -> None:
    assert not [name for name in sys.modules if name.startswith("adebug_recorder")]
    assert recorder.load("json") is not sys.modules["json"]
    assert recorder.load("os").path is recorder.load("os.path") is not sys.modules["os.path"]


def test_monkeypatched_modules_do_not_affect_the_recorder(
    recorder: Isolated, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("the program's function was called")

    tape_writer, images = (
        recorder.modules["adebug_recorder.tape.writer"],
        recorder.modules["adebug_recorder.observe.images"],
    )
    for name in ("json.dumps", "struct.pack", "zlib.crc32", "zlib.compress", "threading.get_ident", "gc.isenabled"):
        monkeypatch.setattr(name, refuse)
    monkeypatch.setattr(builtins, "open", refuse)
    writer = tape_writer.Writer(str(tmp_path / "r"), {"language": "python"})
    writer.write_tape(1, [images.Marker(64), {"a": [1, 2]}])
    writer.close({"how": "finished"})
    monkeypatch.undo()
    assert (tmp_path / "r").read_bytes().startswith(b"ADEBUGRC")


def test_only_modules_of_the_recorder_and_of_the_standard_library_are_loaded(recorder: Isolated) -> None:
    with pytest.raises(ModuleNotFoundError):
        recorder.load("pytest")
