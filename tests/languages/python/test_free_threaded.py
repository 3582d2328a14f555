"""A free-threaded build is recognised: the C library is not used, and the user is informed."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.support import EXAMPLES, ROOT


@pytest.mark.skipif(os.name != "posix", reason="the build of an interpreter is described in a module there")
@pytest.mark.parametrize("without_lock", [0, 1])
def test_a_free_threaded_build_is_recorded_without_the_part_in_c(without_lock: int, tmp_path: Path) -> None:
    """The description of the build is exchanged: such an interpreter is not to be had everywhere."""
    described = {**sysconfig.get_config_vars(), "Py_GIL_DISABLED": without_lock}
    (tmp_path / "described_build.py").write_text(f"build_time_vars = {described!r}\n", encoding="utf-8")
    for name in ("prime.py", "prime.answers"):
        shutil.copy(EXAMPLES / name, tmp_path)
    settings = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}",
        "_PYTHON_SYSCONFIGDATA_NAME": "described_build",
    }
    for command in (["record", "-o", "run.rec", "prime.py"], ["open", "--answers", "prime.answers", "run.rec"]):
        done = subprocess.run(
            [sys.executable, "-m", "adebug_lsp", *command],
            cwd=tmp_path, env=settings, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert ("this Python is free-threaded" in done.stdout + done.stderr) == bool(without_lock)
    asked = "from adebug_lsp.languages.python.recorder.native.loader import accelerator; print(accelerator is None)"
    process = subprocess.run([sys.executable, "-c", asked], env=settings, capture_output=True, text=True, check=True)
    assert without_lock == 0 or process.stdout == "True\n"
