"""Wheels are built from the source distribution, installed into new environments, and record there."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support import ROOT

COMPILER = (sysconfig.get_config_var("LDSHARED") or "cl").split()[0]
HEADERS = Path(sysconfig.get_path("include"), "Python.h")
needs_compiler = pytest.mark.skipif(
    not (shutil.which(COMPILER) and HEADERS.exists()), reason="there is no C compiler, or no headers of Python"
)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of this checkout, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    build("--sdist", "--outdir", str(folder), str(ROOT))
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def test_the_source_distribution_has_no_build_output(source: Path) -> None:
    names = {path.relative_to(source).as_posix() for path in source.rglob("*")}
    assert {"Makefile", "hatch_build.py", "adebug_lsp/languages/python/recorder/native/accelerator.c"} <= names
    assert "adebug_lsp/native/columns.c" in names
    assert not [name for name in names if name.endswith((".so", ".pyd", ".pyc")) or "node_modules" in name]


@needs_compiler
def test_a_wheel_has_the_recorder_in_c_and_uses_it(source: Path, tmp_path: Path) -> None:
    wheel = built(source, tmp_path, {"ADEBUG_REQUIRE_ACCELERATOR": "1"})
    assert "-cp310-abi3-" in wheel.name
    assert smoke(installed(wheel, tmp_path)) == "recorded: 8 C\n"


def test_without_a_compiler_a_wheel_is_pure_python_and_records(source: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    nothing = {"PATH": str(tmp_path / "empty")}
    wheel = built(source, tmp_path, nothing)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert smoke(installed(wheel, tmp_path), "--pure") == "recorded: 8 Python\n"
    with pytest.raises(subprocess.CalledProcessError) as failed:
        built(source, tmp_path, {**nothing, "ADEBUG_REQUIRE_ACCELERATOR": "1"})
    assert "install a C compiler" in failed.value.output


def built(source: Path, folder: Path, environment: Mapping[str, str]) -> Path:
    build("--wheel", "--outdir", str(folder), str(source), **environment)
    (wheel,) = folder.glob("*.whl")
    return wheel


def build(*arguments: str, **environment: str) -> None:
    """Without isolation: hatchling is installed for development, and no index is asked for it."""
    command = [sys.executable, "-m", "build", "--no-isolation", *arguments]
    done = subprocess.run(
        command,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout)


def installed(wheel: Path, folder: Path) -> Path:
    """The interpreter of a new environment; its dependencies are those of this one, which need not be downloaded."""
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    where = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = subprocess.run(where, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    Path(packages, "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return python


def smoke(python: Path, *arguments: str) -> str:
    command = [str(python), str(ROOT / "tests" / "smoke.py"), *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=python.parent).stdout
