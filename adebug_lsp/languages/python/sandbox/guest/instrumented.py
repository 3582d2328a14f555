"""The user's modules, instrumented such that every call can be answered instead of being run.

The recorder is the one that recorded the run, loaded from its folder beside this package.
"""

import ast
import importlib.util
import os
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from .modules import Loader, Source, UserModules
from .protocol import Facts, RecordedModule
from .versions.graft import loadable

_ISOLATION = os.path.normpath(os.path.join(os.path.abspath(__file__), "../../..", "recorder", "isolation.py"))


def _recorder() -> Callable[[str], types.ModuleType]:
    """Returns a loader for modules of the recorder."""
    spec = importlib.util.spec_from_file_location("isolation", _ISOLATION)
    if spec is None or spec.loader is None:
        sys.exit(f"{_ISOLATION} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    recorder = module.isolated_recorder()
    return lambda name: recorder.load(f"adebug_recorder.{name}")


recorder_module = _recorder()
accelerator, Marker = recorder_module("native.loader").accelerator, recorder_module("observe.images").Marker
Imports, Rewriter = recorder_module("analysis.call_effects").Imports, recorder_module("instrument.functions").Rewriter
ModuleMap, Instrumenter = (
    recorder_module("analysis.static_map").ModuleMap,
    recorder_module("instrument.instrumenter").Instrumenter,
)


class CodeTable(Protocol):
    """The part of a recorder that keeps the code objects of instrumented modules."""

    codes: dict[Any, types.CodeType]


class Instrumented(UserModules):
    """All modules of the user, instrumented."""

    def __init__(self, workspace: str, modules: list[RecordedModule], main: str, recorder: CodeTable) -> None:
        super().__init__(workspace, modules, None, {})
        self.main = main
        """Name of the main module; empty if none of them was."""
        self.texts = {name: text for _, name, text in modules}
        self.maps: list[Facts] = []
        """Static facts of the loaded modules."""
        self._recorder = recorder
        self._instrumenter = Instrumenter(
            recorder, full=True, is_user_code=self.is_user_code, announce=self.maps.append, cache=None
        )

    def forget(self) -> None:
        """See `UserModules`."""
        super().forget()
        self.maps.clear()

    def is_user_code(self, module: str) -> bool:
        """Whether a module was recorded."""
        return module in self.sources or module == "__main__"

    def loader(self, filename: str, source: Source) -> Loader:
        """See `UserModules`."""
        return _Recording(filename, source, self)

    def code(self, filename: str, source: Source) -> types.CodeType:
        """Instrumented code of a module."""
        text = self.texts[source.name]
        tree, facts = ast.parse(text), ModuleMap(source.path, source.name, text, 0)
        facts.answered = True
        imports = Imports()
        imports.visit(tree)
        facts.number_nodes(tree)
        tree.body = [statement for statement in loadable(tree).body if not _is_main_part(statement)]
        Rewriter(facts, full=True, keep_asserts=False, is_user_code=self.is_user_code, imports=imports).module(tree)
        compiled = compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)
        ready: types.CodeType = self._instrumenter._ready(compiled, facts.as_json())
        return ready

    def routine(self, module: str, node: int) -> tuple[types.CodeType, Facts] | None:
        """Code and static facts of a routine, by its node."""
        facts = next((facts for facts in self.maps if facts["module"] == module), None)
        matching = [r for r in facts["routines"] if r["node"] == node] if facts else []
        if facts is None or not matching:
            return None
        begins = [
            facts["first"] + index
            for index, marker in enumerate(facts["markers"])
            if marker["kind"] == "enter" and facts["routines"][marker["routine"]] is matching[0]
        ]
        for code in self._recorder.codes.values():
            if any(number in begins for number in _markers(code.co_consts)):
                return code, matching[0]
        return None


class _Recording(Loader):
    def __init__(self, filename: str, source: Source, user_modules: Instrumented) -> None:
        super().__init__(filename, source.recorded)
        self._source, self._user_modules = source, user_modules

    def exec_module(self, module: types.ModuleType) -> None:
        code = self._user_modules.code(self.filename, self._source)
        if self._source.name == self._user_modules.main:
            # Classes and functions get the `__module__` that they had in the recorded run.
            module.__dict__["__name__"] = "__main__"
            sys.modules["__main__"] = module
        exec(code, module.__dict__)  # noqa: S102 - the user's own program


def _is_main_part(statement: ast.stmt) -> bool:
    """Whether a statement is the `if __name__ == "__main__":` block, which runs the program."""
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test)
    )


_MARKERS = (Marker,) if accelerator is None else (Marker, type(Marker(0).native))


def _markers(constants: Iterable[object]) -> list[int]:
    """Numbers of the markers in code constants, or of their native form; a record without values can be a constant."""
    numbers = []
    for constant in constants:
        if isinstance(constant, _MARKERS):
            numbers.append(constant.number)
        elif type(constant) is tuple:
            numbers += _markers(constant)
    return numbers
