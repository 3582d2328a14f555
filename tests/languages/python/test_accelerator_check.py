"""Whether an interpreter records with the accelerator is found out by loading it there."""

import shutil
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from adebug_lsp.languages.python import accelerator_check
from adebug_lsp.languages.python.accelerator_check import check_accelerator

THIS = Path(sys.executable)
NATIVE = Path(accelerator_check.__file__).parent / "recorder" / "native"


@pytest.fixture
def native(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the recorder without a library."""
    monkeypatch.delenv("ADEBUG_PURE", raising=False)
    folder = tmp_path / "recorder"
    shutil.copytree(NATIVE.parent, folder, ignore=shutil.ignore_patterns("_accelerator.*", "__pycache__"))
    monkeypatch.setattr(accelerator_check, "_RECORDER", folder)
    return folder / "native"


def test_the_library_in_use_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ADEBUG_PURE", raising=False)
    built = [path for path in NATIVE.glob("_accelerator.*") if path.suffix in (".so", ".pyd")]
    assert check_accelerator(THIS).library == (built[0] if built else None)
    monkeypatch.setenv("ADEBUG_PURE", "1")
    assert check_accelerator(THIS).problem == "switched off by ADEBUG_PURE"


def test_a_missing_library_is_not_built(native: Path) -> None:
    assert check_accelerator(THIS).problem == "not built"


def test_a_broken_library_does_not_load(native: Path) -> None:
    (native / f"_accelerator{EXTENSION_SUFFIXES[0]}").write_bytes(b"this is no library")
    assert check_accelerator(THIS).problem.startswith("does not load: ")


def test_a_library_of_another_contract_is_named(native: Path) -> None:
    (native / "_accelerator.py").write_text("CONTRACT = -1\n")
    assert check_accelerator(THIS).problem.startswith("built for another version of adebug: ")


def test_an_interpreter_that_does_not_run_is_named(tmp_path: Path) -> None:
    assert check_accelerator(tmp_path / "python").problem.startswith(f"{tmp_path / 'python'} does not run")
