"""Lines of source text, and the width of text in terminal cells.

`str.splitlines` also splits at form feeds and other separators, which compilers and editors do not count as line ends.
"""

import re

_LINE_END = re.compile(r"\r\n|\r|\n")
_WHOLE_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def lines_of(text: str) -> list[str]:
    """The lines of a source, without their ends: `\\n`, `\\r\\n` or `\\r`, as Python's tokenizer and LSP have it."""
    return _LINE_END.split(text)


def whole_lines(text: str) -> list[str]:
    """The lines of a source with their ends; the last may have none."""
    return _WHOLE_LINE.findall(text)


def cells(text: str) -> int:
    """Width in terminal cells of a text without control characters.

    Characters are counted one by one, so that carets under a part of a line add up; `wcswidth` would join emoji
    sequences, which many terminals draw separately.
    """
    if text.isascii():
        return len(text)
    from wcwidth import wcwidth  # noqa: PLC0415 (takes 20 ms, and most text is ASCII)

    return sum(max(wcwidth(character), 0) for character in text)
