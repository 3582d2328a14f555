"""adebug on one version of Python records programs on another, and reads their recordings."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fidelity.interpreters import interpreters
from tests.support import EXAMPLES, ROOT
from tests.warm_start import COMMAND

PYTHONS = interpreters()
OLDEST, NEWEST = min(PYTHONS), max(PYTHONS)


@pytest.mark.suites
@pytest.mark.parametrize(("recorded", "read"), [(OLDEST, NEWEST), (NEWEST, OLDEST)])
def test_programs_and_adebug_may_be_of_different_versions(
    recorded: tuple[int, int], read: tuple[int, int], tmp_path: Path
) -> None:
    for name in ("prime.py", "prime.answers"):
        shutil.copy(EXAMPLES / name, tmp_path)
    adebug = _adebug_on(PYTHONS[read], tmp_path)
    for command in (
        ["record", "-o", "prime.rec", "--python", PYTHONS[recorded], "prime.py"],
        ["open", "--answers", "prime.answers", "prime.rec"],
    ):
        done = subprocess.run([adebug, *command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert "Bug found after 4 answers, in prime.is_prime\n" in done.stdout
    assert "\n  prime.py:25:11\n    i < lim\n" in done.stdout


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
@pytest.mark.parametrize(("name", "buggy"), [("packets", "length := take(stream) > 0"), ("hanoi", "moves(count - 1, ")])
def test_a_reference_runs_in_the_interpreter_of_the_program(
    name: str, buggy: str, version: tuple[int, int], tmp_path: Path
) -> None:
    """Streams and generators are not the same things in all versions."""
    shutil.copytree(ROOT / "tests" / "programs" / name, tmp_path / name)
    command = ["run", "--json", "--reference", "fixed", "--python", PYTHONS[version], "program.py"]
    done = subprocess.run(
        [*COMMAND, *command],
        cwd=tmp_path / name, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    verdict = json.loads(done.stdout.splitlines()[-1])
    assert [place["text"].startswith(buggy) for place in verdict["buggy"]] == [True], verdict


def _adebug_on(python: str, folder: Path) -> str:
    """Install adebug for an interpreter, as a user does; from a copy, for building it leaves a library behind."""
    source, environment = folder / "source", folder / "environment"
    source.mkdir()
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "adebug_lsp", source / "adebug_lsp", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    subprocess.run([python, "-m", "venv", environment], check=True)
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    install: list[str | Path] = [
        scripts / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        source,
    ]
    subprocess.run(install, check=True, stdout=sys.stderr)
    return str(scripts / "adebug")
