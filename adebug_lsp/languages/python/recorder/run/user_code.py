"""User code: source files in the workspace, except installed libraries and what the settings exclude."""

import fnmatch
import os
import sysconfig
from typing import Any

_NEVER = {"site-packages", "dist-packages", ".adebug", "node_modules", ".tox", ".nox", ".venv", "venv", ".git"}


class UserCode:
    """Decides whether a file or a module is user code; the answer for a file never changes during a run."""

    def __init__(self, workspace: str, settings: dict[str, Any] | None = None) -> None:
        self.workspace = os.path.realpath(workspace)
        settings = settings or {}
        self.include: list[str] = list(settings.get("include", []))
        self.exclude: list[str] = list(settings.get("exclude", []))
        paths = sysconfig.get_paths()
        self._libraries = tuple(os.path.realpath(paths[key]) + os.sep for key in ("stdlib", "platstdlib"))
        self._known: dict[str, str | None] = {}
        self._tops: dict[str, bool] = {}
        self.modules: set[str] = set()

    def path(self, filename: str) -> str | None:
        """The workspace-relative path of a file of user code, or None."""
        if filename not in self._known:
            self._known[filename] = self._find(filename)
        return self._known[filename]

    def _find(self, filename: str) -> str | None:
        """Decide for a file that was not seen before."""
        real = os.path.realpath(filename)
        if not real.startswith(self.workspace + os.sep) or not real.endswith((".py", ".pyw")):
            return None
        relative = os.path.relpath(real, self.workspace).replace(os.sep, "/")
        if any(fnmatch.fnmatch(relative, pattern) for pattern in self.exclude):
            return None
        if self.include:
            return relative if any(fnmatch.fnmatch(relative, pattern) for pattern in self.include) else None
        if _NEVER.intersection(relative.split("/")):
            return None
        inside_library = any(
            real.startswith(lib) and not self.workspace.startswith(lib[:-1]) for lib in self._libraries
        )
        return None if inside_library or self._is_environment(relative) else relative

    def _is_environment(self, relative: str) -> bool:
        """Whether a parent folder is a virtual environment, whatever its name."""
        folder = self.workspace
        for part in relative.split("/")[:-1]:
            folder = os.path.join(folder, part)
            if os.path.exists(os.path.join(folder, "pyvenv.cfg")):
                return True
        return False

    def is_user_code(self, module: str) -> bool:
        """Whether a module with this name was recorded, or would be found in the workspace.

        This is called for every class, so files are checked once per name.
        """
        top = module.partition(".")[0]
        if module in self.modules or top in self.modules:
            return True
        if top not in self._tops:
            self._tops[top] = self._lies_there(top)
        return self._tops[top]

    def _lies_there(self, top: str) -> bool:
        for folder in (self.workspace, os.path.join(self.workspace, "src")):
            if os.path.exists(os.path.join(folder, top + ".py")) or os.path.isdir(os.path.join(folder, top)):
                return True
        return False
