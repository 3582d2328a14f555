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

NAMES = sorted(
    ".".join(path.relative_to(RECORDER_FOLDER).with_suffix("").parts)
    for path in RECORDER_FOLDER.glob("*/*.py")
    if path.stem != "__init__"
)
PROGRAMS = {
    "instrument.instrumenter": {"_warnings"},
    "run.program": {"_programs"},
    "observe.object_inspector": {"_programs"},
    "tape.tape": {"_programs"},
    "tape.threads": {"_programs", "_threading"},
}
"""The modules of the program that a module of the recorder looks at on purpose, or changes."""


@pytest.fixture(scope="module")
def recorder() -> Isolated:
    found = isolated_recorder()
    for name in NAMES:
        found.load(f"adebug_recorder.{name}")
    return found


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
    shared = {id(other): key for key, other in sys.modules.items() if isinstance(other, ModuleType)}
    assert vars(module)["__builtins__"] is not vars(builtins)
    assert vars(module)["__builtins__"]["open"] is open
    found = {key for key, value in vars(module).items() if id(value) in shared}
    assert found <= PROGRAMS.get(name, set()), f"{name} uses modules of the program"


def test_functions_that_the_recorder_uses_run_on_its_own_modules(recorder: Isolated) -> None:
    """Also those of the standard library, unless it is only copied."""
    own = {id(vars(module)) for module in recorder.modules.values()}
    own |= {id(vars(module)) for name, module in sys.modules.items() if name.partition(".")[0] in SHARED}
    private = vars(recorder.modules["adebug_recorder"])["__builtins__"]
    executed = [module for module in recorder.modules.values() if vars(module).get("__builtins__") is private]
    assert {"ast", "json", "os", "posixpath" if os.name == "posix" else "ntpath"} <= {one.__name__ for one in executed}
    for module in executed:
        for function in functions_of(module):
            none = function.__globals__["__builtins__"] == {}  # that of a named tuple uses nothing
            assert none or id(function.__globals__) in own, f"{module.__name__}: {function.__qualname__}"


def test_the_recorder_is_not_where_programs_look_for_modules(recorder: Isolated) -> None:
    assert not [name for name in sys.modules if name.startswith("adebug_recorder")]
    assert recorder.load("json") is not sys.modules["json"]
    assert recorder.load("os").path is recorder.load("os.path") is not sys.modules["os.path"]


def test_what_a_program_puts_into_its_modules_does_not_reach_the_recorder(
    recorder: Isolated, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("the program's function was called")

    spill, pictures = (
        recorder.modules["adebug_recorder.tape.writer"],
        recorder.modules["adebug_recorder.observe.images"],
    )
    for name in ("json.dumps", "struct.pack", "zlib.crc32", "zlib.compress", "threading.get_ident", "gc.isenabled"):
        monkeypatch.setattr(name, refuse)
    monkeypatch.setattr(builtins, "open", refuse)
    writer = spill.Writer(str(tmp_path / "r"), {"language": "python"})
    writer.spill(1, [pictures.Marker(64), {"a": [1, 2]}])
    writer.close({"how": "finished"})
    monkeypatch.undo()
    assert (tmp_path / "r").read_bytes().startswith(b"ADEBUGRC")


def test_only_modules_of_the_recorder_and_of_the_standard_library_are_loaded(recorder: Isolated) -> None:
    with pytest.raises(ModuleNotFoundError):
        recorder.load("pytest")
