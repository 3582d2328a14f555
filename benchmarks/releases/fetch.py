"""Source distributions, trees made of them, and virtual environments, all in one cache folder.

pip fetches by name and version only, so that a user's own index is honoured. A folder is made elsewhere and then
renamed, so nothing in the cache is half there.
"""

import os
import re
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from benchmarks.releases.corpus import PYTEST, Package
from benchmarks.releases.processes import run

BACKENDS = (
    "setuptools<81",
    "wheel",
    "setuptools-scm",
    "hatchling",
    "hatch-vcs",
    "hatch-fancy-pypi-readme",
    "flit-core",
    "poetry-core",
    "pdm-backend",
)
"""pip builds the metadata of each source distribution that it downloads; with these installed, it takes a second."""

CONFIGURATION = ("conftest.py", "pytest.ini", "pytest.toml", "tox.ini", "setup.cfg", "pyproject.toml")
"""Files in the root of a source distribution that pytest reads; they belong to the tests."""

LIMIT = 600


class FetchError(Exception):
    """Something could not be fetched; the message has the end of pip's output."""


@frozen
class Cache:
    """The folder with everything that was downloaded or made from it."""

    folder: Path

    def versions(self, name: str) -> list[str]:
        """All final releases of a package, oldest first."""
        output = self._pip("index", "versions", name)
        listed = next((line for line in output.splitlines() if line.startswith("Available versions:")), ":")
        versions = [version.strip() for version in listed.partition(":")[2].split(",")]
        return [version for version in reversed(versions) if re.fullmatch(r"\d+(\.\d+)*", version)]

    def source(self, name: str, version: str) -> Path:
        """The unpacked source distribution of a release."""
        return self._made(Path("sources", f"{name}-{version}"), lambda into: self._unpack(name, version, into))

    def tree(self, package: Package, code: str, tests: str) -> Path:
        """Release `code` of a package with the tests of release `tests`."""
        source, newer = self.source(package.name, code), self.source(package.name, tests)
        place = Path("trees", f"{package.name}-{code}-tests-{tests}")
        return self._made(place, lambda into: overlay(source, newer, package.tests, into))

    def python(self, package: Package, version: str) -> Path:
        """The interpreter of the package's environment, with the requirements of this release."""
        folder = self.folder / "environments" / package.name
        python, ready = interpreter(folder), folder / "ready"
        wanted = [PYTEST, f"{package.name}=={version}", *package.requires]
        if not ready.is_file() or ready.read_text("utf-8").splitlines() != wanted:
            if not python.exists():
                _checked([sys.executable, "-m", "venv", "--without-pip", str(folder)], self.folder)
            ready.unlink(missing_ok=True)
            self._pip("--python", str(python), "install", "--quiet", "--no-compile", *wanted)
            ready.write_text("\n".join(wanted), encoding="utf-8")
        return python

    def _unpack(self, name: str, version: str, into: Path) -> None:
        with tempfile.TemporaryDirectory(dir=self.folder) as fresh:
            download = ("download", "--quiet", "--no-deps", "--no-binary", ":all:", "-d", fresh, f"{name}=={version}")
            try:
                self._pip(*download[:1], "--no-build-isolation", *download[1:])
            except FetchError:  # it needs a build backend that is not among ours
                self._pip(*download)
            (archive,) = (path for path in Path(fresh).iterdir() if path.is_file())
            unpacked = Path(fresh) / "unpacked"
            _extract(archive, unpacked)
            (inner,) = unpacked.iterdir()
            inner.rename(into)

    def _pip(self, *arguments: str) -> str:
        builder = self.folder / "builder"
        python = interpreter(builder)
        if not (builder / "ready").is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            _checked([sys.executable, "-m", "venv", "--clear", str(builder)], self.folder)
            _checked([str(python), "-m", "pip", "install", "--quiet", *BACKENDS], self.folder)
            (builder / "ready").touch()
        return _checked([str(python), "-m", "pip", "--disable-pip-version-check", *arguments], self.folder)

    def _made(self, place: Path, make: Callable[[Path], None]) -> Path:
        folder = self.folder / place
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as fresh:
                make(Path(fresh) / "made")
                (Path(fresh) / "made").rename(folder)
        return folder


def overlay(source: Path, newer: Path, tests: Sequence[str], into: Path) -> None:
    """Copies a source tree, with the tests and pytest's configuration of another."""
    shutil.copytree(source, into, symlinks=True)
    for path in matching(into, tests):
        _remove(into / path)
    for path in [*matching(newer, tests), *CONFIGURATION]:
        origin, target = newer / path, into / path
        if origin.is_dir():
            shutil.copytree(origin, target, symlinks=True, dirs_exist_ok=True)
        elif origin.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(origin, target)


def matching(tree: Path, patterns: Sequence[str]) -> list[str]:
    """Paths in a tree that match one of the patterns, relative to it."""
    return sorted({path.relative_to(tree).as_posix() for pattern in patterns for path in tree.glob(pattern)})


def code_folder(tree: Path, package: Package) -> Path:
    """The folder that holds the package's modules and goes on the path, relative to the tree."""
    for folder in ("src", ".", "lib"):
        if any((tree / folder / f"{module}{end}").exists() for module in package.modules for end in ("", ".py")):
            return Path(folder)
    raise FetchError(f"{tree.name}: no module of {', '.join(package.modules)} found")


def code_files(tree: Path, package: Package) -> Iterator[Path]:
    """The package's own Python files without its tests, relative to the tree."""
    tests = [tree / path for path in matching(tree, package.tests)]
    for module in package.modules:
        place = tree / code_folder(tree, package) / module
        for file in sorted([*place.rglob("*.py"), *place.parent.glob(f"{place.name}.py")]):
            if not any(file == test or test in file.parents for test in tests):
                yield file.relative_to(tree)


def interpreter(environment: Path) -> Path:
    """The interpreter of a virtual environment."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _extract(archive: Path, into: Path) -> None:
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as contents:
            contents.extractall(into)
        return
    with tarfile.open(archive) as contents:
        contents.extractall(into, filter="data")


def _remove(path: Path) -> None:
    with suppress(FileNotFoundError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _checked(command: Sequence[str], folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    done = run(command, folder, LIMIT)
    if done.code != 0:
        raise FetchError(f"{' '.join(command)}: {done.errors.strip()[-1000:] or 'took too long'}")
    return done.output
