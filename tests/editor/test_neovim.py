"""Real Neovim, with the configuration that the documentation gives: a whole session through LSP alone."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.frontends.lsp.editor import shop
from tests.support import ROOT

PAGE = ROOT / "docs/editors/neovim.md"
CAPTURED = ROOT / "docs/editors/neovim-session.txt"
NVIM = shutil.which("nvim")


def test_neovim_is_installed_if_all_tests_must_run() -> None:
    assert NVIM or not os.environ.get("CI"), "nvim is missing: apt-get install neovim"


@pytest.mark.skipif(NVIM is None, reason="nvim is not installed")
def test_a_whole_session_in_neovim_is_the_one_in_the_documentation(tmp_path: Path) -> None:
    """After an intended change, `ADEBUG_CAPTURE=1` rewrites the page."""
    (block,) = re.findall(r"```lua\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    config = tmp_path / "adebug.lua"
    config.write_text(block, encoding="utf-8")
    binaries = tmp_path / "bin"
    binaries.mkdir()
    (binaries / "adebug").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m adebug_lsp "$@"\n', encoding="utf-8")
    (binaries / "adebug").chmod(0o755)
    workspace = tmp_path / "shop"
    workspace.mkdir()
    environment = {
        **os.environ,
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "XDG_STATE_HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
    }
    script = ROOT / "tests/editor/session.lua"
    command = [str(NVIM), "--headless", "-n", "-u", str(config), "-c", f"luafile {script}"]
    run = subprocess.run(
        command, cwd=shop(workspace), env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    if os.environ.get("ADEBUG_CAPTURE"):
        CAPTURED.write_text(run.stdout, encoding="utf-8")
    assert run.stdout == CAPTURED.read_text(encoding="utf-8")
