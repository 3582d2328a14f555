"""Real Emacs, with the configuration that the documentation gives: a whole session through eglot alone."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.editor.emacs import BACK, EMACS, Emacs
from tests.frontends.dap.test_live import processes_of
from tests.frontends.lsp.editor import shop
from tests.support import ROOT

PAGE = ROOT / "docs/editors/emacs.md"
CAPTURED = ROOT / "docs/editors/emacs-session.txt"
LOOK = '(progn (package-initialize) (kill-emacs (if (locate-library "eglot") 0 1)))'


@cache
def has_eglot() -> bool:
    """Whether there is an Emacs that finds eglot."""
    if EMACS is None or shutil.which("emacsclient") is None:
        return False
    command = [EMACS, "--batch", "--eval", LOOK]
    return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0


def test_emacs_is_installed_if_all_tests_must_run() -> None:
    assert has_eglot() or not os.environ.get("CI"), "missing: apt-get install emacs-nox elpa-eglot"


class Session:
    """The transcript of a session: what the user does and sees, line by line."""

    def __init__(self, emacs: Emacs) -> None:
        self.emacs = emacs
        self.lines: list[str] = []
        self._typed = ""
        """The content of the minibuffer before anything is typed."""

    def say(self, line: str) -> None:
        self.lines.append(line)

    def asked(self, part: str) -> None:
        """Wait until the minibuffer asks for something."""
        asked = self.emacs.until("session-asked", lambda asked: asked and part in asked["prompt"])
        self._typed = asked["typed"]
        self.lines += [line.rstrip() for line in asked["prompt"].split("\n")]
        self.say(f"  [{' | '.join(asked['choices'])}]")

    def choose(self, title: str) -> None:
        self.say(f">>> {title}")
        self.emacs.type(f"{BACK if self._typed else ''}{title}\r")

    def action(self, title: str) -> None:
        """Choose one of the code actions where the cursor is."""
        self.say(">>> M-x eglot-code-actions")
        self.emacs.command("eglot-code-actions")
        self.asked("Pick an action")
        self.choose(title)

    def buffer(self, name: str) -> dict[str, Any]:
        buffer: dict[str, Any] = self.emacs.until(f'session-buffer "{name}"')
        return buffer

    def screen(self, name: str) -> None:
        """The lines of a buffer with what stands beside them."""
        buffer = self.buffer(name)
        self.say(f"--- {name}")
        for number, text in enumerate(buffer["text"].rstrip("\n").split("\n"), 1):
            self.say(f"{number:3}  {text}".rstrip())
            for diagnostic in buffer["diagnostics"]:
                if diagnostic["line"] == number:
                    message = diagnostic["text"].replace("\n", "\n      ")
                    self.say(f"     [{diagnostic['type']} on `{diagnostic['code']}`: {message}]")


def wanted_answers(session: Session) -> None:
    """From the failing test to the verdict: the minibuffer asks, and once the answer is a code action."""
    session.emacs.until('session-managed "test_cart.py"')
    session.screen("test_cart.py")
    session.emacs.type("\x1bgg12\r")
    session.say(">>> M-g g 12")
    session.action("adebug: Find the bug")
    session.asked("amount_of(")
    session.choose("Yes")
    session.asked("discount(100)")
    session.say(">>> C-g, C-x C-f cart.py")
    session.emacs.quit()
    session.emacs.type("\x18\x06cart.py\r")
    session.emacs.until('session-managed "cart.py"')
    session.action("adebug: No")
    session.asked("if amount > 100")
    session.choose("No")
    session.asked("Bug found")
    session.choose("Stop")


def verdict_and_fix(session: Session) -> None:
    """The verdict is a diagnostic, which goes when the fix is verified."""
    emacs = session.emacs
    emacs.until(
        'session-buffer "cart.py"',
        lambda buffer: [(mark["line"], mark["code"]) for mark in buffer["diagnostics"]] == [(8, "amount > 100")],
    )
    session.screen("cart.py")
    session.say(">>> M-g g 1, M-x replace-string amount > 100, amount >= 100, C-x C-s, M-g g 8")
    emacs.type("\x1bgg1\r")
    emacs.command("replace-string")
    emacs.type("amount > 100\ramount >= 100\r\x18\x13")
    emacs.until(
        'session-buffer "cart.py"',
        lambda buffer: buffer["saved"] and any("changed since" in mark["text"] for mark in buffer["diagnostics"]),
    )
    emacs.type("\x1bgg8\r")
    session.action("adebug: Verify the fix")
    session.say(emacs.until('session-said "now hold"'))
    emacs.until('session-buffer "cart.py"', lambda buffer: not buffer["diagnostics"])
    session.screen("cart.py")


@pytest.fixture
def emacs(tmp_path: Path) -> Iterator[Emacs]:
    """Emacs with the configuration of the page, in a workspace with a failing test."""
    if not has_eglot():
        pytest.skip("Emacs with eglot is not installed")
    block = re.findall(r"```elisp\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    with tempfile.TemporaryDirectory() as short:  # the name of a socket cannot be long
        home = Path(short)
        (home / ".emacs.d").mkdir()
        (home / ".emacs.d/init.el").write_text(block, encoding="utf-8")
        quiet = "(setq inhibit-startup-screen t native-comp-deferred-compilation nil native-comp-jit-compilation nil)"
        (home / ".emacs.d/early-init.el").write_text(quiet, encoding="utf-8")
        (home / "adebug").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m adebug_lsp "$@"\n', encoding="utf-8")
        (home / "adebug").chmod(0o755)
        environment = {
            **os.environ,
            "PATH": f"{home}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        workspace = tmp_path / "shop"
        workspace.mkdir()
        with Emacs(home, shop(workspace), environment, "test_cart.py") as emacs:
            yield emacs


def test_a_whole_session_in_emacs_is_the_one_in_the_documentation(emacs: Emacs, tmp_path: Path) -> None:
    """After an intended change, `ADEBUG_CAPTURE=1` rewrites the page."""
    session = Session(emacs)
    wanted_answers(session)
    verdict_and_fix(session)
    assert emacs.close() == 0
    assert processes_of(tmp_path / "shop") == []
    captured = "\n".join(session.lines) + "\n"
    if os.environ.get("ADEBUG_CAPTURE"):
        CAPTURED.write_text(captured, encoding="utf-8")
    assert captured == CAPTURED.read_text(encoding="utf-8")
