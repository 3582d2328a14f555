"""Lines of source text, and the cells of a terminal that text takes.

`str.splitlines` also ends a line at a form feed and at other separators, which no compiler and no editor counts.
"""

import re

from wcwidth import wcwidth

_LINE_END = re.compile(r"\r\n|\r|\n")
_WHOLE_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def lines_of(text: str) -> list[str]:
    """The lines of a source, without their ends: `\\n`, `\\r\\n` or `\\r`, as Python's tokenizer and LSP have it."""
    return _LINE_END.split(text)


def whole_lines(text: str) -> list[str]:
    """The lines of a source with their ends; the last may have none."""
    return _WHOLE_LINE.findall(text)


def cells(text: str) -> int:
    """Terminal cells that a text without control characters takes.

    Characters are counted one by one, so that carets under a part of a line add up; `wcswidth` would join emoji
    sequences, which many terminals draw apart.
    """
    return len(text) if text.isascii() else sum(max(wcwidth(character), 0) for character in text)
