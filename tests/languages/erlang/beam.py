"""Erlang programs that tests run on the installed OTP."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ERL = shutil.which("erl")

needs_erlang = pytest.mark.skipif(ERL is None and not os.environ.get("CI"), reason="Erlang/OTP is not installed")
"""Where everything is tested, a test without Erlang fails."""


def run_erlang(code: str, *arguments: str, folder: Path, timeout: float = 300) -> str:
    """What a program prints: a module `program` with a function `main/1`, which takes the arguments as strings."""
    assert ERL, "erl is missing: apt-get install erlang-base"
    (folder / "program.erl").write_text(code, encoding="utf-8")
    start = '{ok,program} = compile:file("program.erl",[report]), program:main(init:get_plain_arguments()), halt(0).'
    command = [ERL, "-noshell", "-noinput", "+fnu", "-pa", ".", "-eval", start, "-extra", *arguments]
    run = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=timeout, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout
