"""Drives a real Emacs on a terminal of its own: types keys, and asks its server what is on the screen."""

import fcntl
import json
import os
import pty
import shutil
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.support import ROOT

EMACS = shutil.which("emacs")
LIMIT = 60.0
"""Seconds for anything; a quiet machine needs two or three."""
SCRIPT = ROOT / "tests/editor/session.el"
BACK = "\x01\x0b"
"""To the beginning of the line, and cut it off."""
_QUIT = "\x07"
_AGAIN = 5.0
"""Seconds after which a key is pressed again."""


def _own_terminal() -> None:
    """Make standard input the terminal of a new session, which Emacs asks for."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Emacs:
    """An Emacs with its own home folder; its screen output is discarded."""

    def __init__(self, home: Path, workspace: Path, environment: Mapping[str, str], *files: str) -> None:
        self._socket = home / "session"
        self._environment = {**environment, "HOME": str(home), "SESSION_SOCKETS": str(home), "TERM": "xterm"}
        self._screen, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.process = subprocess.Popen(
            [str(EMACS), "-nw", "--load", str(SCRIPT), *files],
            cwd=workspace, env=self._environment, stdin=terminal, stdout=terminal, stderr=terminal,
            start_new_session=True, preexec_fn=_own_terminal,  # noqa: PLW1509 - it does one system call
        )  # fmt: skip
        os.close(terminal)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._screen, keys.encode())

    def command(self, name: str) -> None:
        """Run a command by its name."""
        self.type(f"\x1bx{name}\r")

    def quit(self) -> None:
        """Leave the minibuffer. A quit aborts whatever is running, even a reply to us."""
        pressed = 0.0

        def is_left(asked: Any) -> bool:
            nonlocal pressed
            if asked is not None and time.monotonic() > pressed + _AGAIN:
                self.type(_QUIT)
                pressed = time.monotonic()
            return asked is None

        self.until("session-asked", is_left)

    def look(self, call: str) -> tuple[Any, ...]:
        """The result of a function of the script; empty while Emacs does not respond."""
        command = ["emacsclient", "-s", str(self._socket), "--eval", f"({call})"]
        done = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, timeout=LIMIT, check=False
        )
        return () if done.returncode else (json.loads(json.loads(done.stdout)),)

    def until(self, call: str, wanted: Callable[[Any], Any] = bool) -> Any:
        """Wait until a function of the script returns the wanted result."""
        end = time.monotonic() + LIMIT
        while not ((state := self.look(call)) and wanted(*state)):
            assert self.process.poll() is None, "Emacs has ended"
            assert time.monotonic() < end, f"waited in vain; {call} gives {state}"
            time.sleep(0.1)
        return state[0]

    def close(self) -> int:
        """Leave Emacs as a user does; returns its exit code."""
        self.type("\x18\x03")
        return self.process.wait(LIMIT)

    def __enter__(self) -> "Emacs":
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()  # a test that failed
            self.process.wait(LIMIT)
        self._reader.join(LIMIT)
        os.close(self._screen)

    def _read(self) -> None:
        try:
            while os.read(self._screen, 1 << 16):
                pass
        except OSError:
            return  # the terminal is gone with its program
