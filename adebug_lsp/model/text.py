"""Lines of source text, and the cells of a terminal that text takes.

`str.splitlines` also ends a line at a form feed and at other separators, which no compiler and no editor counts.
"""

import re
import unicodedata

_LINE_END = re.compile(r"\r\n|\r|\n")
_WHOLE_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def lines_of(text: str) -> list[str]:
    """The lines of a source, without their ends: `\\n`, `\\r\\n` or `\\r`, as Python's tokenizer and LSP have it."""
    return _LINE_END.split(text)


def whole_lines(text: str) -> list[str]:
    """The lines of a source with their ends; the last may have none."""
    return _WHOLE_LINE.findall(text)


def cells(text: str) -> int:
    """Width of a text without control characters, in terminal cells."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0  # a mark on what is before it, or a later part of a Korean syllable (UAX #11)
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
