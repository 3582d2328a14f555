"""Starts `adebug` as a fork of a process that has imported it: imports take most of the time of a short command.

`COMMAND` takes the place of `python -m adebug_lsp`, which it is where forks are not possible, and unless `serving`;
`command` does so for other modules that import adebug.
Tests about how the command itself starts, or about groups of processes, use the real one.
"""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CAN_FORK = sys.platform != "win32"
_FOLDER = Path(tempfile.mkdtemp(prefix="adebug-warm-"))
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
_SOCKET = _FOLDER / "socket"
_START = ["-I", "-S", str(Path(__file__).with_name("warm_client.py")), str(_SOCKET)] if CAN_FORK else ["-m"]


def command(module: str) -> list[str]:
    """The start of a command that runs a module."""
    return [sys.executable, *_START, module]


COMMAND = command("adebug_lsp")
REAL = [sys.executable, "-m", "adebug_lsp"]


@contextmanager
def serving() -> Iterator[None]:
    """Runs the server; it also ends when this process is gone, because its input does."""
    variables = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # threads would not survive the forks
    command = [sys.executable, "-m", "tests.warm_server", str(_SOCKET)]
    root = Path(__file__).parents[1]
    with subprocess.Popen(command, cwd=root, env=variables, stdin=subprocess.PIPE, start_new_session=True) as server:
        while not _SOCKET.exists() and server.poll() is None:
            time.sleep(0.02)
        yield
        assert server.stdin is not None
        server.stdin.close()
