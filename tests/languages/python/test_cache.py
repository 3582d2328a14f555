"""Instrumented code is cached in the user's cache folder: a workspace cannot supply code in place of its source."""

import marshal
import os
from pathlib import Path

import pytest

from adebug_lsp.languages import user_cache
from adebug_lsp.languages.python.rewrite_cache import cache_folder
from tests.languages.python.recorded import record

PROGRAM = "def double(x):\n    return x + x\n\nprint('double', double(4))\n"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", str(tmp_path / "caches"))
    return tmp_path / "caches" / "adebug" / "python"


def test_instrumented_code_is_cached_outside_the_workspace(tmp_path: Path, kept: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    assert cache_folder() == kept
    record(workspace, PROGRAM)
    (first,) = kept.iterdir()
    assert sorted(path.name for path in workspace.iterdir()) == ["program.py", "run.adebug"]
    record(workspace, PROGRAM)
    assert list(kept.iterdir()) == [first]


def test_a_script_is_warned_of_whenever_it_runs(tmp_path: Path, kept: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The interpreter keeps no compiled code of a script."""
    for _ in range(2):
        record(tmp_path, "print(1 is 1)\n")
        assert capfd.readouterr().err.count("SyntaxWarning") == 1
    assert len(list(kept.iterdir())) == 1


def test_files_in_the_workspace_are_not_run(tmp_path: Path, kept: Path, capfd: pytest.CaptureFixture[str]) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    record(workspace, PROGRAM)
    (entry,) = kept.iterdir()
    planted = workspace / ".adebug" / "cache" / "python"
    planted.mkdir(parents=True)
    hostile = compile("print('hostile')", "program.py", "exec")
    (planted / entry.name).write_bytes((2).to_bytes(8, "little") + b"{}" + marshal.dumps(hostile))
    entry.unlink()
    capfd.readouterr()
    record(workspace, PROGRAM)
    assert capfd.readouterr().out == "double 8\n"


@pytest.mark.skipif(os.name == "nt", reason="the folder does not depend on the environment there")
@pytest.mark.parametrize("cache", ["", "caches"])
def test_a_workspace_is_never_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    monkeypatch.setenv("HOME", "")
    monkeypatch.chdir(tmp_path)
    folder = cache_folder()
    assert folder is None or (folder.is_absolute() and not folder.is_relative_to(tmp_path))


def test_the_older_half_is_dropped_when_there_is_too_much(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_cache, "MOST", 10)
    kept.mkdir(parents=True)
    for number in range(12):
        (kept / f"{number:02}").write_bytes(b"")
        os.utime(kept / f"{number:02}", (number, number))
    cache_folder()
    assert sorted(path.name for path in kept.iterdir()) == ["06", "07", "08", "09", "10", "11"]
