"""Converts offsets to lines and columns, and back. Only `\
` ends a line, as in Erlang.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

from attrs import frozen

from adebug_lsp.model.source import Position, Range


@frozen(eq=False)
class Lines:
    """Line starts of a text."""

    starts: Sequence[int]

    @classmethod
    def of(cls, text: str) -> "Lines":
        """Finds the lines of a text."""
        return cls([0, *(match.end() for match in re.finditer("\n", text))])

    def offset(self, line: int, column: int) -> int | None:
        """Offset of a line and column, both from 1; None if there is no such position."""
        if not 0 < line <= len(self.starts) or column < 1:
            return None
        offset = self.starts[line - 1] + column - 1
        return offset if line == len(self.starts) or offset < self.starts[line] else None

    def position(self, offset: int) -> Position:
        """Position of an offset."""
        line = bisect_right(self.starts, offset) - 1
        return Position(line, offset - self.starts[line])

    def range(self, start: int, span: tuple[int, int]) -> Range:
        """Range of a span that is relative to `start`."""
        return Range(self.position(start + span[0]), self.position(start + span[1]))
