"""Erlang programs that tests run on the installed OTP."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

ERL = shutil.which("erl")

needs_erlang = pytest.mark.skipif(ERL is None and not os.environ.get("CI"), reason="Erlang/OTP is not installed")
"""Where everything is tested, a test without Erlang fails."""


LATER = (26, 27, 28, 29)
"""The releases of OTP that brought constructs; each has a file of them, `constructs_26.erl` and so on."""


@cache
def otp_release() -> int:
    """The release of OTP that is installed."""
    assert ERL, "erl is missing: apt-get install erlang-base"
    start = "io:put_chars(erlang:system_info(otp_release)), halt(0)."
    command = [ERL, "-noshell", "-noinput", "-eval", start]
    return int(subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout)


def run_erlang(code: str, *arguments: str, folder: Path, timeout: float = 300) -> str:
    """The output of a module `program` with a function `main/1`, which takes the arguments as strings."""
    assert ERL, "erl is missing: apt-get install erlang-base"
    (folder / "program.erl").write_text(code, encoding="utf-8")
    start = (
        '{ok,program} = compile:file("program.erl",[report_errors]),program:main(init:get_plain_arguments()),halt(0).'
    )
    command = [ERL, "-noshell", "-noinput", "+fnu", "-pa", ".", "-eval", start, "-extra", *arguments]
    run = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=timeout, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout
