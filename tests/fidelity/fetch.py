"""`python -m tests.fidelity.fetch [--python PY]`: downloads what the package suites need to `.cache/fidelity`.

Source distributions are pinned by version and hash and fetched with pip, so that a user's own index is honoured; an
environment for each interpreter contains pytest. Existing files are not fetched again, downloads are atomic,
and git ignores the folder.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.fidelity.suites import PACKAGES, Package
from tests.support import ROOT

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

CACHE = ROOT / ".cache" / "fidelity"
TOOLS = ("pytest==8.4.2", "freezegun==1.5.5", "pyfakefs==6.3.0")


class FetchError(Exception):
    """Something could not be fetched; the message ends with the output of the failed command."""


def source_of(package: Package) -> Path:
    """The unpacked source distribution."""
    folder = _cache() / "sources" / f"{package.name}-{package.version}"
    with _alone():
        if not folder.is_dir():
            _unpack(_download(package), package, folder)
    return folder


def environment_of(python: str) -> str:
    """An interpreter of the same version as this one that has pytest and what the suites need beside it."""
    version = _run([python, "-c", "import platform; print(platform.python_version())"]).strip()
    folder = _cache() / f"python-{version}"
    executable = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = folder / "ready"
    wanted = "\n".join(TOOLS)
    with _alone():
        if not ready.is_file() or ready.read_text(encoding="utf-8") != wanted:
            _run([python, "-m", "venv", "--clear", str(folder)])
            _run([str(executable), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS])
            ready.write_text(wanted, encoding="utf-8")
    return str(executable)


@contextmanager
def _alone() -> Iterator[None]:
    """Workers of one run fetch one after the other; the lock goes with the process that holds it."""
    with open(_cache() / "lock", "w", encoding="utf-8") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _cache() -> Path:
    """The cache folder, which has its own `.gitignore`."""
    CACHE.mkdir(parents=True, exist_ok=True)
    (CACHE / ".gitignore").write_text("*\n", encoding="utf-8")
    return CACHE


def _download(package: Package) -> Path:
    folder = _cache() / "downloads"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        pinned = Path(fresh) / "requirement.txt"
        pinned.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n", encoding="utf-8")
        only_source = ["--no-deps", "--no-binary", package.name, "--require-hashes", "-r", str(pinned)]
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        _run([*pip, "-d", fresh, *only_source])
        (archive,) = Path(fresh).glob("*.tar.gz")
        return archive.replace(folder / archive.name)


def _unpack(archive: Path, package: Package, folder: Path) -> None:
    if hashlib.sha256(archive.read_bytes()).hexdigest() != package.sha256:
        raise FetchError(f"{archive.name} is not the file that was pinned")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
        with tarfile.open(archive) as contents:
            contents.extractall(fresh, filter="data")
        (inner,) = Path(fresh).iterdir()
        inner.replace(folder)


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise FetchError(f"{' '.join(command)}: {done.stderr.strip()[-1000:]}")
    return done.stdout


def main() -> int:
    """Fetch everything."""
    parser = argparse.ArgumentParser(prog="tests.fidelity.fetch", description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="the interpreter that the suites will run in")
    options = parser.parse_args()
    for package in PACKAGES:
        print(source_of(package))
    print(environment_of(options.python))
    return 0


if __name__ == "__main__":
    sys.exit(main())
