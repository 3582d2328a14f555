"""Loads the recorder into an import system of its own, isolated from anything that a program patches.

Programs patch builtins, functions of the standard library and whole modules: with mocks, frozen clocks, file systems in
memory. Here the modules of the recorder, and the Python modules of the standard library that they import, are executed
in separate namespaces, with a copy of the builtins whose `__import__` finds only these modules. Modules in C are
copied: their functions look nothing up. None of these modules is in `sys.modules`, where tools like freezegun and
pyfakefs search for names to replace.

Objects that must be the program's own, such as the class `Counter`, are taken from its module, by
`importlib.import_module`, when the recorder is loaded.
"""

import _ast
import builtins
import importlib.util
import os
import sys
from contextlib import suppress
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

SHARED = frozenset(
    [
        *("_collections_abc", "abc", "codecs", "io", "types", "typing"),  # classes only, not called later
        "sysconfig",  # used before the program starts
        *("importlib", "signal", "threading", "warnings"),  # they hold state of the process
    ]
)
"""Python modules that are copied instead of executed again; the copies still use the program's builtins."""
_STREAMS = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
"""Streams are flushed when their last reference goes away, so the copy of `sys` must not hold them."""
_LIBRARY = os.path.dirname(os.__file__)


class Isolated:
    """The modules of one package, and those that they import."""

    def __init__(self, package: str, folder: str) -> None:
        self.modules: dict[str, ModuleType] = {}
        """The replacement of `sys.modules`."""
        self._package, self._folder = package, folder
        self._builtins = {**vars(builtins), "__import__": self._import}

    def load(self, name: str) -> ModuleType:
        """Return a module by its full name, loading it if necessary."""
        if name in self.modules:
            return self.modules[name]
        parent, _, last = name.rpartition(".")
        if parent:
            self.load(parent)
        if name not in self.modules:  # `os` puts `os.path` there itself
            spec = None if name.partition(".")[0] in SHARED else self._find(name, parent)
            if spec is None:
                self._copy(name)
            else:
                self._execute(spec)
        if parent:
            setattr(self.modules[parent], last, self.modules[name])
        return self.modules[name]

    def _find(self, name: str, parent: str) -> ModuleSpec | None:
        """Find a module of the recorder or a Python module; None for a standard library module in C."""
        if name == self._package:
            return importlib.util.spec_from_file_location(
                name, os.path.join(self._folder, "__init__.py"), submodule_search_locations=[self._folder]
            )
        path = self.modules[parent].__path__ if parent else [_LIBRARY]
        spec = PathFinder.find_spec(name, path)
        if spec is None and name.partition(".")[0] not in sys.stdlib_module_names:
            raise ModuleNotFoundError(f"{name} is neither of the recorder nor of the standard library", name=name)
        return spec

    def _copy(self, name: str) -> None:
        """Copy a module of the standard library instead of executing it again."""
        original = importlib.import_module(name)
        module = self.modules[name] = ModuleType(name)
        module.__dict__.update(vars(original))
        if name == "sys":
            module.__dict__["modules"] = self.modules
            for stream in _STREAMS:
                del module.__dict__[stream]

    def _execute(self, spec: ModuleSpec) -> None:
        """Execute a module in a namespace of its own."""
        loader: Any = spec.loader
        module = self.modules[spec.name] = importlib.util.module_from_spec(spec)
        module.__dict__["__builtins__"] = self._builtins
        nodes = [cls for cls in vars(_ast).values() if isinstance(cls, type)] if spec.name == "ast" else []
        before = [set(vars(cls)) for cls in nodes]
        try:
            if isinstance(loader, ExtensionFileLoader):  # the accelerator
                loader.exec_module(module)
            else:
                exec(loader.get_code(spec.name), module.__dict__)  # noqa: S102 - the recorder's own code, and Python's
        except BaseException:
            del self.modules[spec.name]
            raise
        # Up to 3.13 `ast` adds `n`, `s` and `dims` to classes of `_ast` that lack them; only the program's `ast` shall.
        for cls, names in zip(nodes, before, strict=True):
            for name in set(vars(cls)) - names:
                delattr(cls, name)

    def _import(self, name: str, names: Any = None, _locals: Any = None, wanted: Any = (), level: int = 0) -> Any:
        """The replacement of `builtins.__import__`."""
        if isinstance(wanted, list):  # by PyImport_Import: imports of C code, such as `traceback`, are the program's
            return importlib.import_module(name)
        full = name
        if level:
            package = names["__package__"].rsplit(".", level - 1)[0]
            full = f"{package}.{name}" if name else package
        module = self.load(full)
        if not wanted:
            return self.load(full.partition(".")[0])
        if hasattr(module, "__path__"):
            for member in wanted:
                if member != "*" and not hasattr(module, member):
                    with suppress(ModuleNotFoundError):  # the importing module raises it
                        self.load(f"{full}.{member}")
        return module


def isolated_recorder() -> Isolated:
    """The modules of this folder, as the package `adebug_recorder`."""
    return Isolated("adebug_recorder", os.path.dirname(os.path.abspath(__file__)))
