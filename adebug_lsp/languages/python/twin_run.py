"""Runs a recorded test again, in place or in a copy of its tree with the code of a reference.

The copy takes from the workspace every file that the reference lacks, so that a reference of a few files is enough.
Packages installed from the workspace are imported from the copy, and neither original is written to.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath

from attrs import define, field

from adebug_lsp.languages.language import Ended, NothingToAskError, Progress, Request, silent
from adebug_lsp.languages.python.reading.recording_file import open_recording
from adebug_lsp.languages.python.reading.run import Run, read_run
from adebug_lsp.model.errors import AdebugError, BadInputError

MOST_BYTES, MOST_FILES = 200_000_000, 20_000
"""Limits of a copy of a workspace."""
_LEFT_OUT = frozenset({"__pycache__", "node_modules", "venv", "env", "build", "dist"})

Record = Callable[[Request, Path, Progress, Path | None], Ended]
"""Records a request to a file; see `failing_test.Record`."""


@define(eq=False)
class TwinRuns:
    """Repeats the test of a recording."""

    run: Run
    workspace: Path
    interpreter: Path
    test: str
    """The name of the test."""
    record: Record
    problem: Callable[[str], None]
    seconds: Callable[[], float]
    """Returns the time that is left."""
    _closing: ExitStack = field(factory=ExitStack)

    def close(self) -> None:
        """Delete the copies and recordings."""
        self._closing.close()

    def of_reference(self, root: Path, single: str | None) -> Run | None:
        """The run with the code of a reference: a folder, or one file in it."""
        try:
            tree = self._folder() / "tree"
            copy_tree(self.workspace, tree, without=root)
            if single is None:
                copy_tree(root, tree)
            else:
                for module in self.run.program.modules:
                    if PurePosixPath(module.path).name == single:
                        shutil.copyfile(root / single, tree / module.path)
            roots = list(dict.fromkeys(map(_import_root, self._modules())))
            return self._recorded(tree, {**environment_in(tree, self.workspace, roots), "PYTHONHASHSEED": "0"})
        except (AdebugError, OSError) as error:
            self.problem(f"the test cannot be run with the reference: {error}")
            return None

    def again(self) -> Run | None:
        """A second run of the recorded version, which shows what differs from run to run."""
        try:
            return self._recorded(self.workspace, dict(os.environ))
        except (AdebugError, OSError) as error:
            self.problem(f"the test cannot be run a second time: {error}")
            return None

    def _recorded(self, tree: Path, environment: dict[str, str]) -> Run:
        """Record the test in a tree."""
        command = self.run.recording.meta.get("command")
        if not (isinstance(command, list) and command[:1] == ["pytest"]):
            raise BadInputError("it is not a test of pytest")
        folder = self._folder()
        out = folder / "twin.adebug"
        request = Request(
            workspace=tree,
            tests=("-p", "no:cacheprovider", *map(str, command[1:])),
            selected=(self.test,),
            interpreter=self.interpreter,
            level=str(self.run.recording.meta.get("level", "full")),
            timeout=max(self.seconds(), 1.0),
            folder=tree / _inside(self.workspace),
            # Another root for `tmp_path`: pytest keeps its last three folders only, and the recorded one is needed.
            environment={**environment, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DEBUG_TEMPROOT": str(folder)},
            output=lambda _stream, _text: None,
        )
        self.record(request, out, silent, None)
        run = read_run(open_recording(out))
        names = [run.recording.values.atom(test.name) for test in run.structure.tests]
        if self.test not in names:
            raise NothingToAskError(f"there is no test {self.test}")
        return run

    def _modules(self) -> Iterator[tuple[str, str]]:
        return ((module.path, module.name) for module in self.run.program.modules if "." in module.path)

    def _folder(self) -> Path:
        return Path(self._closing.enter_context(tempfile.TemporaryDirectory(prefix="adebug-")))


def environment_in(tree: Path, workspace: Path, roots: Sequence[str]) -> dict[str, str]:
    """Environment variables for a copy of a workspace: folders of the import path, and these, are those of the copy."""
    earlier = [Path(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    moved = [tree / path.relative_to(workspace) if path.is_relative_to(workspace) else path for path in earlier]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [*moved, *(tree / root for root in roots)]))}


def _import_root(module: tuple[str, str]) -> str:
    """The folder from which a file is imported under its module's name."""
    path, name = PurePosixPath(module[0]), module[1]
    parts = path.parent.parts if path.stem == "__init__" else path.with_suffix("").parts
    inner = tuple(name.split("."))
    return "/".join(parts[: -len(inner)] if parts[-len(inner) :] == inner else path.parent.parts)


def _inside(workspace: Path) -> Path:
    """The current folder relative to the workspace; the workspace itself if it is elsewhere."""
    here = Path.cwd()
    return here.relative_to(workspace) if here.is_relative_to(workspace) else Path()


def copy_tree(source: Path, target: Path, without: Path | None = None) -> None:
    """Copy a folder without caches, environments and hidden folders; raises `BadInputError` if it is too large."""
    size, count = 0, 0
    for folder, names, files in os.walk(source):
        names[:] = [name for name in names if _is_copied(Path(folder, name), without)]
        inside = target / Path(folder).relative_to(source)
        inside.mkdir(parents=True, exist_ok=True)
        for file in _plain(folder, files):
            size, count = size + file.stat().st_size, count + 1
            if size > MOST_BYTES or count > MOST_FILES:
                raise BadInputError(f"{source} is too large to be copied")
            shutil.copyfile(file, inside / file.name)


def _plain(folder: str, names: Sequence[str]) -> Iterator[Path]:
    return (path for path in (Path(folder, name) for name in names) if path.is_file())


def _is_copied(folder: Path, without: Path | None) -> bool:
    if folder.name in _LEFT_OUT or folder.name.startswith(".") or (folder / "pyvenv.cfg").exists():
        return False
    return without is None or folder.resolve() != without.resolve()
