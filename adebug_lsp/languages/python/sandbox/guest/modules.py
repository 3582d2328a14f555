"""The user's modules in the sandbox: the recorded sources, or these with the functions of the reference.

Modules have the names of the recorded run. Everything else is imported as usual. Nothing is written.
"""

import ast
import importlib
import importlib.abc
import importlib.machinery
import os
import sys
import types
from collections.abc import Sequence

from .protocol import RecordedModule
from .versions.graft import graft, loadable
from .versions.routine_syntax import Routine, routines


class CannotAnswer(BaseException):
    """The request is undecidable; a `BaseException`, so that the user's code does not catch it."""

    final = False
    """Whether it would not help to begin with an earlier activation."""


class Source:
    """One module: the recorded source, and the source of the version that is run."""

    def __init__(self, path: str, name: str, recorded: str, own: str | None) -> None:
        self.path = path
        self.name = name
        self.recorded = ast.parse(recorded)
        self.same = own is None or own == recorded
        self.own = self.recorded if own is None or own == recorded else ast.parse(own)
        self.recorded_routines = list(routines(self.recorded))
        self.own_routines = self.recorded_routines if self.same else list(routines(self.own))

    @property
    def is_package(self) -> bool:
        """Whether it is a package."""
        return os.path.basename(self.path) == "__init__.py"

    def tree(self) -> ast.Module:
        """The syntax tree to load."""
        return loadable(self.recorded if self.same else graft(self.recorded, self.own))

    def counterpart(self, routine: Routine) -> "Routine | None":
        """Routine of the same name in the version that is run; of several, the one with the same rank."""
        mine = [candidate for candidate in self.recorded_routines if candidate.name == routine.name]
        theirs = [candidate for candidate in self.own_routines if candidate.name == routine.name]
        rank = next(index for index, candidate in enumerate(mine) if candidate is routine)
        return theirs[rank] if len(mine) == len(theirs) else None


class UserModules(importlib.abc.MetaPathFinder):
    """All modules of the user."""

    def __init__(
        self,
        workspace: str,
        modules: Sequence[RecordedModule],
        reference: str | None,
        texts: "dict[str, str]",
        failed: Sequence[str] = (),
    ) -> None:
        """Takes path, name and source of each recorded module, and the reference's folder and sources by path.

        Modules that failed to load fail again, and keep the names that they had bound by then.
        """
        self.failed = frozenset(failed)
        self.workspace = workspace
        self.is_recorded = reference is None
        """Whether this is the recorded version."""
        self.roots = [folder for folder in (reference, workspace) if folder]
        self.sources: dict[str, Source] = {}
        self.problems: dict[str, str] = {}
        for path, name, text in modules:
            self._add(path, name, text, texts.get(path) if reference else None)
        self.prefixes = sorted({_prefix(path, name) for path, name, _ in modules} | {"", "src"})
        for name in [*self.sources, *self.problems]:
            sys.modules.pop(name, None)
        sys.meta_path.insert(0, self)

    def _add(self, path: str, name: str, recorded: str, own: str | None) -> None:
        try:
            self.sources[name] = Source(path, name, recorded, own)
        except SyntaxError as error:
            self.problems[name] = f"the reference of {path} has a syntax error in line {error.lineno}"

    def source(self, module: str) -> Source:
        """Sources of a module."""
        if module not in self.sources:
            raise CannotAnswer(self.problems.get(module, f"there is no module {module}"))
        return self.sources[module]

    def module(self, name: str) -> types.ModuleType:
        """Imports a module."""
        try:
            return importlib.import_module(name)
        except CannotAnswer:
            raise
        except BaseException as error:
            raise CannotAnswer(f"the module {name} cannot be loaded: {type(error).__name__}: {error}") from error

    def forget(self) -> None:
        """Unloads all modules, so that they are loaded again when needed."""
        for name, module in list(sys.modules.items()):
            if isinstance(getattr(module, "__loader__", None), Loader):
                del sys.modules[name]

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002
        target: types.ModuleType | None = None,  # noqa: ARG002
    ) -> importlib.machinery.ModuleSpec | None:
        """See `MetaPathFinder`."""
        source = self.sources.get(fullname)
        if source is not None:
            filename = os.path.join(self.workspace, *source.path.split("/"))
            return _spec(fullname, self.loader(filename, source), source.is_package)
        if any(name.startswith(fullname + ".") for name in self.sources) or self._is_elsewhere(fullname):
            return self._from_folders(fullname) or self._namespace(fullname)
        return None

    def loader(self, filename: str, source: Source) -> "Loader":
        """Loader of a recorded module."""
        return Loader(filename, source.tree(), may_fail=source.name in self.failed)

    def _is_elsewhere(self, fullname: str) -> bool:
        """Whether an unrecorded module may be the user's; the standard library never is."""
        top = fullname.partition(".")[0]
        return top not in sys.builtin_module_names and top not in sys.stdlib_module_names

    def _from_folders(self, fullname: str) -> importlib.machinery.ModuleSpec | None:
        """Find an unrecorded module in the user's folders."""
        for root in self.roots:
            for prefix in self.prefixes:
                base = os.path.join(root, *prefix.split("/"), *fullname.split("."))
                for filename, package in ((os.path.join(base, "__init__.py"), True), (base + ".py", False)):
                    if os.path.isfile(filename):
                        with open(filename, "rb") as file:
                            return _spec(fullname, Loader(filename, loadable(ast.parse(file.read()))), package)
        return None

    def _namespace(self, fullname: str) -> importlib.machinery.ModuleSpec | None:
        if not any(name.startswith(fullname + ".") for name in self.sources):
            return None
        spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
        spec.submodule_search_locations = []
        return spec


def _prefix(path: str, name: str) -> str:
    """The folder relative to which a path has this module name."""
    stem = path[: -len("/__init__.py")] if path.endswith("/__init__.py") else os.path.splitext(path)[0]
    inner = name.replace(".", "/")
    return stem[: -len(inner)].rstrip("/") if stem.endswith(inner) else os.path.dirname(path)


def _spec(name: str, loader: "Loader", is_package: bool) -> importlib.machinery.ModuleSpec:
    spec = importlib.machinery.ModuleSpec(name, loader, origin=loader.filename, is_package=is_package)
    spec.has_location = True
    if is_package:
        spec.submodule_search_locations = [os.path.dirname(loader.filename)]
    return spec


class Loader(importlib.abc.Loader):
    """Executes a syntax tree as a module."""

    def __init__(self, filename: str, tree: ast.Module, may_fail: bool = False) -> None:
        self.filename = filename
        self.tree = tree
        self.may_fail = may_fail

    def exec_module(self, module: types.ModuleType) -> None:
        """See `Loader` of `importlib`."""
        try:
            exec(compile(self.tree, self.filename, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
        except Exception:
            if not self.may_fail:
                raise
