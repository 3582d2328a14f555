"""Escapes text from files and programs, so that a terminal does not execute control sequences in it."""

import sys


def escape(text: str) -> str:
    """The text on one line, with unprintable characters as escape sequences."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def print_lines(*lines: str) -> None:
    """Print lines, escaped."""
    print("\n".join(map(escape, lines)), flush=True)


def print_error(text: str) -> None:
    """Print one line to standard error, escaped."""
    print(f"adebug: {escape(text)}", file=sys.stderr)


def tolerate_encodings() -> None:
    """Replace characters that the terminal's encoding lacks instead of raising `UnicodeError`."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=errors)
