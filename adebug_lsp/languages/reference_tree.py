"""Finds a reference, a correct version of the program: a folder, a file, or a git revision, which is unpacked."""

import io
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from adebug_lsp.model.errors import BadInputError

_GIT = "git:"
MOST_REVISIONS = 2000
"""Revisions that are tried, newest first."""


@contextmanager
def reference_tree(spec: str, workspace: Path) -> Iterator[tuple[Path, str | None]]:
    """The folder of the reference, and the file name if the reference is a single file."""
    if spec.startswith(_GIT):
        with tempfile.TemporaryDirectory(prefix="adebug-") as folder:
            _unpack(spec.removeprefix(_GIT), workspace, Path(folder))
            yield Path(folder), None
        return
    path = _path(spec, workspace)
    yield (path, None) if path.is_dir() else (path.parent, path.name)


def check_reference(spec: str, workspace: Path, suffixes: tuple[str, ...] = ()) -> None:
    """Raise `BadInputError` if there is no such reference, before the program runs.

    With suffixes, the reference and the workspace must have a file with one of them at the same path.
    """
    if spec.startswith(_GIT):
        revision = spec.removeprefix(_GIT)
        commit = _commit(revision, workspace).decode().strip()
        listed = _git(workspace, "ls-tree", "-r", "-z", "--name-only", commit) if suffixes else b""
        names: Iterable[str] = listed.decode("utf-8", "surrogateescape").split("\0")
    else:
        path = _path(spec, workspace)
        if path.is_file():
            return
        names = _files(path)
    if suffixes and not any(name.endswith(suffixes) and (workspace / name).is_file() for name in names):
        raise BadInputError(
            f"the reference {spec} has no file of the workspace {workspace}: it must be laid out like it, with the "
            "same names in the same folders"
        )


def revisions(workspace: Path, since: str | None) -> list[str]:
    """The commits of the workspace's branch, newest first, back to the one named by `since`."""
    words = ["rev-list", "--first-parent", f"--max-count={MOST_REVISIONS}", "HEAD"]
    if since is None:
        return _git(workspace, *words).decode().split()
    oldest = _commit(since, workspace).decode().strip()
    return [*_git(workspace, *words, f"^{oldest}").decode().split(), oldest]


def _files(folder: Path) -> Iterator[str]:
    """Relative paths of the files in a folder, without hidden folders and caches."""
    for inside, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        for name in files:
            yield os.path.relpath(os.path.join(inside, name), folder)


def _path(spec: str, workspace: Path) -> Path:
    path = Path(spec).absolute()
    path = path if path.exists() else workspace / spec
    if not (path.is_dir() or path.is_file()):
        raise BadInputError(f"reference {spec} does not exist; give a folder, a file or git:REVISION")
    return path


def _commit(revision: str, workspace: Path) -> bytes:
    if not revision or revision.startswith("-"):
        raise BadInputError("which revision? Write git:REVISION, as in git:HEAD~1")
    return _git(workspace, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", unknown=revision)


def _unpack(revision: str, workspace: Path, folder: Path) -> None:
    """Write the workspace of a revision to a folder."""
    commit = _commit(revision, workspace)
    prefix = _git(workspace, "rev-parse", "--show-prefix").decode().strip()
    top = Path(_git(workspace, "rev-parse", "--show-toplevel").decode().strip())
    # From the top: git refuses a working directory that the revision does not have.
    data = _git(top, "archive", "--format=tar", f"{commit.decode().strip()}:{prefix}")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive.getmembers():
            target = folder / member.name
            inside = folder in target.resolve().parents
            if member.isfile() and inside and (source := archive.extractfile(member)) is not None:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read())


def _git(workspace: Path, *words: str, unknown: str = "") -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(workspace), *words], capture_output=True, check=False)  # noqa: S603, S607
    except OSError as error:
        raise BadInputError(f"git cannot be run: {error.strerror or error}") from error
    if done.returncode:
        problem = done.stderr.decode("utf-8", "replace").strip()
        if unknown and not problem:
            problem = f"there is no revision {unknown}"
        raise BadInputError(f"git {words[0]} failed in {workspace}: {problem or f'exit code {done.returncode}'}")
    return done.stdout
