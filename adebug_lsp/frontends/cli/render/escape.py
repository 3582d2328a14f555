"""Text from files and programs, made safe to show: a terminal must not obey what a tree or an oracle contains."""

import sys


def escape(text: str) -> str:
    """The text on one line, with everything that is not a visible character written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def print_lines(*lines: str) -> None:
    """Print lines that may quote anything."""
    print("\n".join(map(escape, lines)), flush=True)


def print_error(text: str) -> None:
    """Print one line of trouble to standard error."""
    print(f"adebug: {escape(text)}", file=sys.stderr)


def tolerate_encodings() -> None:
    """Let no letter that the terminal lacks, and no byte that is not text, end the program."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=errors)
