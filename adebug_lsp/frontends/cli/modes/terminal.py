"""Reads single keys, or whole lines, from a terminal. The terminal's mode is always restored."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

UP, DOWN, ENTER, ESCAPE, END = "up", "down", "enter", "escape", "end"
"""Keys without a letter; `END` is the end of input."""

_NAMED = {"\r": ENTER, "\n": ENTER, "\x1b": ESCAPE, "\x04": END, "": END}

if sys.platform == "win32":
    import msvcrt

    # The console returns keys and lines on request.
    _key_by_key = nullcontext
    _line_by_line = nullcontext

    def _pressed() -> str:
        key = msvcrt.getwch()
        if key in "\x00\xe0":
            return {"H": UP, "P": DOWN}.get(msvcrt.getwch(), ESCAPE)
        if key == "\x03":
            raise KeyboardInterrupt
        return _NAMED.get("\x04" if key == "\x1a" else key, key)
else:
    import select
    import termios
    import tty

    _ARROWS = {"A": UP, "B": DOWN}
    _MOMENT = 0.05
    """Seconds in which the rest of an arrow key arrives."""

    @contextmanager
    def _key_by_key() -> Iterator[None]:
        """Switch to single keys without echo."""
        with _unchanged_afterwards() as keyboard:
            tty.setcbreak(keyboard, termios.TCSADRAIN)
            yield

    @contextmanager
    def _line_by_line() -> Iterator[None]:
        """Switch to whole lines with echo."""
        with _unchanged_afterwards() as keyboard:
            settings = termios.tcgetattr(keyboard)
            settings[3] |= termios.ICANON | termios.ECHO
            termios.tcsetattr(keyboard, termios.TCSADRAIN, settings)
            yield

    @contextmanager
    def _unchanged_afterwards() -> Iterator[int]:
        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
        try:
            yield keyboard
        finally:
            termios.tcsetattr(keyboard, termios.TCSADRAIN, before)

    def _pressed() -> str:
        keyboard = sys.stdin.fileno()
        key = _character(keyboard)
        if key == "\x1b" and select.select([keyboard], [], [], _MOMENT)[0]:
            rest = os.read(keyboard, 2).decode("ascii", "replace")
            return _ARROWS.get(rest[-1:], ESCAPE)
        return _NAMED.get(key, key)

    def _character(keyboard: int) -> str:
        """Read one character, which may have several bytes."""
        data = os.read(keyboard, 1)
        following = 0 if not data or data[0] < 0xC0 else 1 if data[0] < 0xE0 else 2 if data[0] < 0xF0 else 3
        return (data + os.read(keyboard, following) if following else data).decode("utf-8", "replace")


class Terminal:
    """A screen and a keyboard."""

    @contextmanager
    def taken(self) -> Iterator[None]:
        """A context in which keys are read one by one."""
        with _key_by_key():
            yield

    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        size = shutil.get_terminal_size()
        return max(size.columns, 20), max(size.lines, 10)

    def show(self, lines: list[str]) -> None:
        """Clear the screen and draw these lines."""
        sys.stdout.write("\x1b[2J\x1b[H" + "\n".join(lines) + "\n")
        sys.stdout.flush()

    def key(self) -> str:
        """Wait for one key."""
        return _pressed()

    def line(self, prompt: str) -> str:
        """Wait for a line; empty if the user cancelled it."""
        with _line_by_line():
            try:
                return input(prompt).strip()
            except EOFError:
                return ""
